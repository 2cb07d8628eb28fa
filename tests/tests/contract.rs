//! Every node, judged from its table the day it is born.

use bajada_grid::{Task, Window};
use bajada_node::{
    Asset, Conserves, Finished, Locality, Node, ParamKind, ParamValue, Quantity, Value,
};
use bajada_nodes::NODES;
use bajada_tests::golden;
use bajada_tests::harness::{
    Links, default_params, domain, hashes, inputs, run, run_default, with_constant,
};

fn each(judge: impl Fn(&dyn Node)) {
    assert!(!NODES.is_empty());
    for node in NODES {
        judge(*node);
    }
}

#[test]
fn every_node_explains_itself() {
    each(|node| {
        let spec = node.spec();
        let id = spec.id;
        assert!(!spec.title.is_empty() && spec.doc.len() > 40, "{id} says too little");
        assert!(spec.doc.ends_with('.'), "the doc of {id} ends in a full stop");
        assert!(!spec.outputs.is_empty(), "{id} gives nothing");
        for (name, doc) in spec
            .inputs
            .iter()
            .map(|input| (input.name, input.doc))
            .chain(spec.outputs.iter().map(|output| (output.name, output.doc)))
            .chain(spec.params.iter().map(|param| (param.name, param.doc)))
        {
            assert!(doc.len() > 8 && doc.ends_with('.'), "{id}.{name}: `{doc}`");
        }
        assert!(spec.bytes_per_sample > 0 && spec.nanoseconds_per_sample > 0, "{id} costs nothing");
    });
}

#[test]
fn every_default_lies_in_its_range() {
    each(|node| {
        for param in node.spec().params {
            let at = format!("{}.{}", node.spec().id, param.name);
            let fits = match (&param.default, param.kind) {
                (None, ParamKind::File) | (Some(ParamValue::Absent), _) => true,
                (Some(ParamValue::Number(value)), ParamKind::Number { low, high }) => {
                    (low..=high).contains(value)
                }
                (Some(ParamValue::Integer(value)), ParamKind::Integer { low, high }) => {
                    (low..=high).contains(value)
                }
                (Some(ParamValue::Pair(pair)), ParamKind::Pair { low, high }) => {
                    pair.iter().all(|value| (low..=high).contains(value))
                }
                (Some(ParamValue::Points(points)), ParamKind::Points { low, high }) => {
                    points.iter().flatten().all(|value| (low..=high).contains(value))
                }
                (Some(ParamValue::Flag(_)), ParamKind::Flag) => true,
                (Some(ParamValue::Choice(index)), ParamKind::Choice { options }) => {
                    *index < options.len()
                }
                _ => false,
            };
            assert!(fits, "{at}: {:?}", param.default);
        }
    });
}

#[test]
fn one_thread_and_many_give_the_same_bits() {
    let domain = domain(97, 65, 12.0);
    each(|node| {
        let params = default_params(node, domain);
        let inputs = inputs(node, domain, Links::All);
        let on = |threads| {
            let done = run(node, domain, &params, &inputs, threads, &Task::new());
            hashes(node, &done.expect("it runs"))
        };
        let one = on(1);
        for threads in [2, 3, 7] {
            assert_eq!(one, on(threads), "{} on {threads} threads", node.spec().id);
        }
    });
}

#[test]
fn every_small_size_works() {
    each(|node| {
        for width in 2..=9 {
            for height in 2..=9 {
                for links in [Links::All, Links::Required] {
                    let domain = domain(width, height, 30.0);
                    let done = run_default(node, domain, links).unwrap_or_else(|error| {
                        panic!("{} at {width} x {height}: {error}", node.spec().id)
                    });
                    // Also holds that every output is finite everywhere.
                    hashes(node, &done);
                }
            }
        }
    });
}

/// Parameters at one end of their ranges, as long as they go together.
fn at_end(node: &dyn Node, params: &[ParamValue], high_end: bool) -> Vec<ParamValue> {
    let specs = node.spec().params.iter().zip(params);
    specs
        .map(|(spec, value)| match (spec.kind, value) {
            (_, ParamValue::Absent) => ParamValue::Absent,
            (ParamKind::Number { low, high }, _) => {
                ParamValue::Number(if high_end { high } else { low })
            }
            (ParamKind::Integer { low, .. }, _) => ParamValue::Integer(low),
            (ParamKind::Choice { options }, _) if high_end => ParamValue::Choice(options.len() - 1),
            _ => value.clone(),
        })
        .collect()
}

#[test]
fn the_ends_of_the_ranges_give_finite_values_too() {
    let domain = domain(9, 7, 25.0);
    each(|node| {
        let params = default_params(node, domain);
        let inputs = inputs(node, domain, Links::All);
        for high_end in [false, true] {
            let params = at_end(node, &params, high_end);
            // A refusal in words is an answer; NaN or a panic is not.
            if let Ok(done) = run(node, domain, &params, &inputs, 1, &Task::new()) {
                hashes(node, &done);
            }
        }
    });
}

#[test]
fn what_moves_matter_accounts_for_it() {
    let domain = domain(97, 65, 12.0);
    each(|node| {
        let spec = node.spec();
        // Hills alone need not hold what a node looks for.
        let mut moved = spec.conserves != Conserves::Matter;
        for links in [Links::All, Links::Required] {
            let done = run_default(node, domain, links).expect("it runs");
            match spec.conserves {
                Conserves::Matter => {
                    let ledger = done.ledger.expect("it keeps a ledger");
                    let residual = ledger.residual_relative();
                    assert!(residual <= 1e-9, "{}: {residual:e}", spec.id);
                    moved |= ledger.eroded + ledger.deposited > 0.0;
                    assert!(port_agrees(node, &done, domain, links), "{}", spec.id);
                }
                Conserves::Shapes => {
                    assert!(done.ledger.is_some(), "{} shapes ground unbooked", spec.id);
                }
                Conserves::NoGround => {
                    assert!(done.ledger.is_none(), "{} moves no ground", spec.id);
                }
            }
        }
        assert!(moved, "{} did nothing: the test is void", spec.id);
    });
}

/// Whether the change of volume that the ledger states, rounding included, is
/// the one between the rasters that went in and came out.
fn port_agrees(
    node: &dyn Node,
    done: &Finished,
    domain: bajada_grid::Domain,
    links: Links,
) -> bool {
    let inputs = inputs(node, domain, links);
    let spec = node.spec();
    let index = spec.input_index("elevation").expect("it takes elevation");
    let before = &inputs[index].as_ref().and_then(Value::as_raster).expect("a raster").grid;
    let index = spec.output_index("elevation").expect("it gives elevation");
    let after = &done.values[index].as_raster().expect("a raster").grid;
    let ledger = done.ledger.expect("it keeps a ledger");
    let measured: f64 = (0..before.as_slice().len())
        .map(|cell| f64::from(after[cell]) - f64::from(before[cell]))
        .sum::<f64>()
        * domain.cell_area();
    let stated = ledger.change + ledger.rounding;
    (measured - stated).abs() <= 1e-6 * (ledger.eroded + ledger.deposited + 1.0)
}

#[test]
fn a_mask_of_zero_leaves_every_bit() {
    let domain = domain(65, 49, 12.0);
    each(|node| {
        let spec = node.spec();
        let (Some(_), Conserves::Matter | Conserves::Shapes) =
            (spec.input_index("mask"), spec.conserves)
        else {
            return;
        };
        let params = default_params(node, domain);
        let given = inputs(node, domain, Links::All);
        let given = with_constant(node, given, domain, "mask", 0.0);
        let done = run(node, domain, &params, &given, 2, &Task::new()).expect("it runs");
        let before = given[0].as_ref().expect("the first input is the ground").digest();
        assert_eq!(before, done.values[0].digest(), "{} changed unmasked ground", spec.id);
    });
}

#[test]
fn a_window_with_its_halo_gives_what_the_whole_gives() {
    let whole = domain(80, 70, 10.0);
    each(|node| {
        let spec = node.spec();
        let params = default_params(node, whole);
        let halo = match spec.locality {
            Locality::Global => return,
            Locality::Pointwise => 0,
            Locality::Neighborhood { radius } => {
                (radius(&params, whole.cell_size()) / whole.cell_size()).ceil() as usize
            }
        };
        let core = Window { x: 30, y: 25, width: 20, height: 16 };
        let window = core.with_halo(&whole, halo);
        let part = window.domain(&whole).expect("the window lies inside");
        let given = inputs(node, whole, Links::All);
        let cropped: Vec<Option<Value>> = given
            .iter()
            .map(|value| match value {
                Some(Value::Raster(raster)) => {
                    let grid = raster.grid.crop(window).expect("the window lies inside");
                    let quantity = raster.quantity;
                    Some(Value::Raster(bajada_node::Raster { grid: grid.into(), quantity }))
                }
                other => other.clone(),
            })
            .collect();
        if cropped.iter().flatten().any(|value| matches!(value, Value::Lithology(_))) {
            return;
        }
        let run = |domain, inputs: &[Option<Value>]| {
            run(node, domain, &params, inputs, 2, &Task::new()).expect("it runs")
        };
        let (all, some) = (run(whole, &given), run(part, &cropped));
        let inner = Window {
            x: core.x - window.x,
            y: core.y - window.y,
            width: core.width,
            height: core.height,
        };
        for (name, (all, some)) in
            spec.outputs.iter().map(|o| o.name).zip(all.values.iter().zip(&some.values))
        {
            let (Some(all), Some(some)) = (all.as_raster(), some.as_raster()) else { continue };
            let all = all.grid.crop(core).expect("it lies inside");
            let some = some.grid.crop(inner).expect("it lies inside");
            assert_eq!(all.as_slice(), some.as_slice(), "{}.{name} is not local", spec.id);
        }
    });
}

#[test]
fn a_stopped_node_answers_and_gives_nothing() {
    let domain = domain(65, 65, 12.0);
    each(|node| {
        let spec = node.spec();
        // Nodes that are done before anyone could press stop need not look.
        if spec.nanoseconds_per_sample < 100 {
            return;
        }
        let task = Task::new();
        task.cancel();
        let params = default_params(node, domain);
        let done = run(node, domain, &params, &inputs(node, domain, Links::All), 2, &task);
        let cancelled = matches!(done, Err(bajada_node::NodeError::Cancelled));
        assert!(cancelled, "{} went on after stop", spec.id);
    });
}

#[test]
fn no_node_gives_masks_outside_zero_to_one() {
    let domain = domain(65, 49, 12.0);
    each(|node| {
        let done = run_default(node, domain, Links::All).expect("it runs");
        for (output, value) in node.spec().outputs.iter().zip(&done.values) {
            let Some(raster) = value.as_raster() else { continue };
            let low = match raster.quantity {
                Quantity::Mask | Quantity::Thickness | Quantity::Discharge => 0.0,
                Quantity::Velocity | Quantity::Area | Quantity::Label => 0.0,
                Quantity::Elevation => continue,
            };
            let high = if raster.quantity == Quantity::Mask { 1.0 } else { f32::INFINITY };
            let fits = raster.grid.as_slice().iter().all(|value| (low..=high).contains(value));
            assert!(fits, "{}.{} leaves its range", node.spec().id, output.name);
        }
    });
}

#[test]
fn a_file_that_is_none_is_refused_in_words() {
    let domain = domain(9, 9, 12.0);
    each(|node| {
        let Some(index) =
            node.spec().params.iter().position(|param| matches!(param.kind, ParamKind::File))
        else {
            return;
        };
        let mut params = default_params(node, domain);
        params[index] = ParamValue::File(Asset::new("png", b"no picture".to_vec()));
        let refused = run(node, domain, &params, &[], 1, &Task::new()).expect_err("it is refused");
        assert!(refused.to_string().len() > 20, "{refused}");
    });
}

#[test]
fn every_node_keeps_its_golden() {
    let domain = domain(65, 49, 12.0);
    let mut found = Vec::new();
    for node in NODES {
        let spec = node.spec();
        let done = run_default(*node, domain, Links::All).expect("it runs");
        for (port, hash) in hashes(*node, &done) {
            found.push((format!("{}@{} {port}", spec.id, spec.version), hash));
        }
    }
    golden::hold("node", &found);
}
