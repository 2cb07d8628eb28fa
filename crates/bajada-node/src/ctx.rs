//! What a node sees while it runs, and what it hands back.

use std::sync::Arc;

use bajada_grid::{Cell, Grid, Ledger, Lithology, Memory, Stream, Supply, Table, Task};

use crate::error::NodeError;
use crate::param::{ParamValue, Params};
use crate::quantity::Quantity;
use crate::spec::{Gives, NodeSpec};
use crate::value::{Raster, Value};
use crate::world::World;

/// What the engine gives a node to run with.
pub struct EvalInputs<'a> {
    /// The node's table.
    pub spec: &'static NodeSpec,
    /// The lattice of every raster.
    pub world: &'a World,
    /// Checked parameters, in the order of the table.
    pub params: &'a [ParamValue],
    /// Linked values, in the order of the table.
    pub inputs: &'a [Option<Value>],
    /// The node's own randomness; constant for nodes that are not random.
    pub stream: Stream,
    /// Where its rasters are counted.
    pub memory: &'a Arc<Memory>,
    /// Its stop button and progress.
    pub task: &'a Task,
}

/// What a node sees while it runs.
pub struct EvalCtx<'a> {
    given: EvalInputs<'a>,
}

impl<'a> EvalCtx<'a> {
    /// The view of a node on what it was given.
    pub fn new(given: EvalInputs<'a>) -> Self {
        Self { given }
    }

    /// The world of this build.
    pub fn world(&self) -> &'a World {
        self.given.world
    }

    /// The stop button and the progress count.
    pub fn task(&self) -> &'a Task {
        self.given.task
    }

    /// The node's random numbers.
    pub fn stream(&self) -> Stream {
        self.given.stream
    }

    /// The parameters as the node's struct.
    pub fn params<P: Params>(&self) -> P {
        P::read(self.given.params)
    }

    /// The raster linked to a required input.
    pub fn raster(&self, name: &'static str) -> Result<&'a Grid<f32>, NodeError> {
        self.optional_raster(name)
            .ok_or_else(|| NodeError::Broken(format!("it reads `{name}`, which is not there")))
    }

    /// The raster linked to an input, if any.
    pub fn optional_raster(&self, name: &str) -> Option<&'a Grid<f32>> {
        let raster = self.input(name)?.as_raster()?;
        Some(&raster.grid)
    }

    /// The quantity of the raster linked to an input, if any.
    pub fn quantity(&self, name: &str) -> Option<Quantity> {
        Some(self.input(name)?.as_raster()?.quantity)
    }

    /// The lithology linked to an input, if any.
    pub fn lithology(&self, name: &str) -> Option<&'a Lithology> {
        if let Value::Lithology(lithology) = self.input(name)? { Some(lithology) } else { None }
    }

    /// The supply linked to an input, if any.
    pub fn supply(&self, name: &str) -> Option<&'a Supply> {
        if let Value::Supply(supply) = self.input(name)? { Some(supply) } else { None }
    }

    /// The table linked to an input, if any.
    pub fn table(&self, name: &str) -> Option<&'a Table> {
        if let Value::Table(table) = self.input(name)? { Some(table) } else { None }
    }

    fn input(&self, name: &str) -> Option<&'a Value> {
        let index = self.given.spec.input_index(name)?;
        self.given.inputs.get(index)?.as_ref()
    }

    /// A new grid of the world with `value` everywhere, counted for this node.
    pub fn grid<T: Cell>(&self, value: T) -> Grid<T> {
        Grid::filled_in(self.given.memory, self.given.world.domain, value)
    }

    /// A copy of an input's grid, counted for this node: where an input passes
    /// through unchanged, or is the start of a change.
    pub fn copy(&self, grid: &Grid<f32>) -> Grid<f32> {
        grid.copy_in(self.given.memory)
    }

    /// Nothing given yet.
    pub fn outputs(&self) -> Outputs {
        let quantities = self
            .given
            .spec
            .outputs
            .iter()
            .map(|output| match output.gives {
                Gives::Raster(quantity) => Some(quantity),
                Gives::SameAs(input) => self.quantity(input),
                Gives::Lithology | Gives::Supply | Gives::Table | Gives::Bytes => None,
            })
            .collect();
        Outputs {
            spec: self.given.spec,
            quantities,
            values: vec![None; self.given.spec.outputs.len()],
            ledger: None,
            notes: Vec::new(),
        }
    }
}

/// What a node hands back.
#[derive(Debug)]
pub struct Outputs {
    spec: &'static NodeSpec,
    quantities: Vec<Option<Quantity>>,
    values: Vec<Option<Value>>,
    ledger: Option<Ledger>,
    notes: Vec<String>,
}

impl Outputs {
    /// Gives a raster.
    #[must_use]
    pub fn raster(mut self, name: &str, grid: Grid<f32>) -> Self {
        let index = self.spec.output_index(name);
        if let Some(index) = index
            && let Some(quantity) = self.quantities[index]
        {
            self.values[index] = Some(Value::Raster(Raster { grid: Arc::new(grid), quantity }));
        } else {
            self.notes.push(format!("gave `{name}`, which its table does not have"));
        }
        self
    }

    /// Gives anything but a raster.
    #[must_use]
    pub fn value(mut self, name: &str, value: Value) -> Self {
        match self.spec.output_index(name) {
            Some(index) => self.values[index] = Some(value),
            None => self.notes.push(format!("gave `{name}`, which its table does not have")),
        }
        self
    }

    /// States the matter account.
    #[must_use]
    pub fn ledger(mut self, ledger: Ledger) -> Self {
        self.ledger = Some(ledger);
        self
    }

    /// Tells the user something that is no error: one sentence.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// What was handed back, whole; an error if the node left out an output
    /// that its table promises.
    pub fn finish(self) -> Result<Finished, NodeError> {
        let missing = self.spec.outputs.iter().zip(&self.values).find(|(_, value)| value.is_none());
        if let Some((output, _)) = missing {
            return Err(NodeError::Broken(format!("it gave no `{}`", output.name)));
        }
        let values = self.values.into_iter().flatten().collect();
        Ok(Finished { values, ledger: self.ledger, notes: self.notes })
    }
}

/// A node's results, every promised output among them.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The values in the order of the table.
    pub values: Vec<Value>,
    /// The matter account, if the node moved or shaped ground.
    pub ledger: Option<Ledger>,
    /// What the user should know and is no error.
    pub notes: Vec<String>,
}
