//! A node run on its own, on synthetic ground, from its table alone.

use std::sync::Arc;

use bajada_formats::encode_tiff_f32;
use bajada_grid::{Column, Domain, Grid, Lithology, Memory, Parcel, Stream, Supply, Table, Task};
use bajada_node::{
    Accepts, Asset, EvalCtx, EvalInputs, Finished, Node, NodeError, ParamKind, ParamValue,
    Quantity, Raster, Value, World,
};
use bajada_testkit::terrain;

/// The inputs of a node that are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// All of them.
    All,
    /// Only those that must be.
    Required,
}

/// A lattice with square cells of `cell_size` metres.
///
/// # Panics
/// When the counts are no legal lattice.
pub fn domain(width: u32, height: u32, cell_size: f64) -> Domain {
    Domain::new(width, height, cell_size, [0.0; 2]).expect("a legal lattice")
}

/// Default parameters; a file parameter gets a raster of hills.
///
/// # Panics
/// When a parameter without default is no file.
pub fn default_params(node: &dyn Node, domain: Domain) -> Vec<ParamValue> {
    let value = |param: &bajada_node::ParamSpec| match (&param.default, param.kind) {
        (Some(value), _) => value.clone(),
        (None, ParamKind::File) => {
            let hills = terrain::hills(domain, 300.0, 3);
            let bytes = encode_tiff_f32(&hills, None).expect("hills can be encoded");
            ParamValue::File(Asset::new("tif", bytes))
        }
        (None, _) => panic!("`{}` has no default and is no file", param.name),
    };
    node.spec().params.iter().map(value).collect()
}

/// Synthetic values for the inputs of a node.
pub fn inputs(node: &dyn Node, domain: Domain, links: Links) -> Vec<Option<Value>> {
    let spec = node.spec();
    let value = |(index, input): (usize, &bajada_node::InputSpec)| {
        let seed = 11 + index as u64;
        let wanted = links == Links::All || input.required;
        wanted.then(|| match input.accepts {
            Accepts::Raster(quantity) => raster(domain, quantity, seed),
            Accepts::AnyRaster | Accepts::SameAs(_) | Accepts::SameAsOrMask(_) => {
                raster(domain, Quantity::Elevation, seed)
            }
            Accepts::Supply => {
                let volume = domain.cell_area();
                let cells = 0..domain.samples().map(u64::from).iter().product::<u64>() as u32;
                let parcels = cells.step_by(7).map(|index| Parcel { index, volume });
                Value::Supply(Arc::new(Supply::new(parcels.collect())))
            }
            Accepts::Table => Value::Table(Arc::new(Table {
                columns: vec![Column { name: "area_m2", unit: "m2" }],
                rows: vec![vec![1.5], vec![-2.0]],
            })),
            Accepts::Lithology => {
                let map = terrain::hills(domain, 1.0, seed);
                Value::Lithology(Arc::new(Lithology::Map(Arc::new(map))))
            }
        })
    };
    spec.inputs.iter().enumerate().map(value).collect()
}

fn raster(domain: Domain, quantity: Quantity, seed: u64) -> Value {
    // A raster that is too gentle would let an erosion node do nothing.
    let relief = match quantity {
        Quantity::Elevation => domain.short_side() / 2.0,
        Quantity::Mask => 1.0,
        Quantity::Label => 3.0,
        Quantity::Thickness | Quantity::Discharge | Quantity::Velocity | Quantity::Area => 5.0,
    };
    let grid = Arc::new(terrain::hills(domain, relief, seed));
    Value::Raster(Raster { grid, quantity })
}

/// The same inputs with `value` everywhere in the raster input `name`.
pub fn with_constant(
    node: &dyn Node,
    mut inputs: Vec<Option<Value>>,
    domain: Domain,
    name: &str,
    value: f32,
) -> Vec<Option<Value>> {
    if let Some(index) = node.spec().input_index(name) {
        let grid = Arc::new(Grid::filled(domain, value));
        inputs[index] = Some(Value::Raster(Raster { grid, quantity: Quantity::Mask }));
    }
    inputs
}

/// Runs a node on `threads` threads.
///
/// # Errors
/// The node's own.
pub fn run(
    node: &dyn Node,
    domain: Domain,
    params: &[ParamValue],
    inputs: &[Option<Value>],
    threads: usize,
    task: &Task,
) -> Result<Finished, NodeError> {
    let world = World { domain, place: None };
    let memory = Memory::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a pool of threads").install(|| {
        let ctx = EvalCtx::new(EvalInputs {
            spec: node.spec(),
            world: &world,
            params,
            inputs,
            stream: Stream::new(5),
            memory: &memory,
            task,
        });
        node.eval(&ctx)?.finish()
    })
}

/// Runs a node with default parameters on two threads.
///
/// # Errors
/// The node's own.
pub fn run_default(node: &dyn Node, domain: Domain, links: Links) -> Result<Finished, NodeError> {
    let params = default_params(node, domain);
    run(node, domain, &params, &inputs(node, domain, links), 2, &Task::new())
}

/// The hashes of the outputs, by name.
///
/// # Panics
/// When an output is not finite everywhere.
pub fn hashes(node: &dyn Node, finished: &Finished) -> Vec<(&'static str, String)> {
    let outputs = node.spec().outputs.iter().zip(&finished.values);
    outputs
        .map(|(output, value)| {
            let digest = value.digest().unwrap_or_else(|error| {
                panic!("`{}` of `{}`: {error}", output.name, node.spec().id)
            });
            (output.name, digest.to_string())
        })
        .collect()
}
