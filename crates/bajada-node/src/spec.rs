//! The table that a node declares, and the trait that it implements.

use crate::ctx::{EvalCtx, Outputs};
use crate::error::NodeError;
use crate::param::{ParamSpec, ParamValue};
use crate::quantity::Quantity;
use crate::value::ValueKind;

/// Everything about a node but its arithmetic.
#[derive(Debug)]
pub struct NodeSpec {
    /// Its kind, as written in graphs: a snake_case noun or verb.
    pub id: &'static str,
    /// Raised whenever the same inputs and parameters give other bits.
    pub version: u32,
    /// The shelf it stands on in the manual, and its folder.
    pub group: &'static str,
    /// What it does, in one line.
    pub title: &'static str,
    /// What it promises and where its limits lie, in a few sentences.
    pub doc: &'static str,
    /// What it reads.
    pub inputs: &'static [InputSpec],
    /// What it gives; a link without a port means the first.
    pub outputs: &'static [OutputSpec],
    /// What can be set.
    pub params: &'static [ParamSpec],
    /// The files it can encode; empty for a node that is no output.
    pub extensions: &'static [Extension],
    /// How far it looks.
    pub locality: Locality,
    /// What it does to matter.
    pub conserves: Conserves,
    /// Whether it draws random numbers. Only then does a seed reach it.
    pub random: bool,
    /// How far its example drifts where it gets twice as many cells a side: rms
    /// difference of the first output of numbers, as a share of what the node changes, or
    /// of how far its numbers spread where it changes no ground. A contract test
    /// holds it; `None` for a node that gives no raster.
    pub drift: Option<f64>,
    /// Bytes it holds at its peak, for each sample of the world, outputs
    /// included, inputs not.
    pub bytes_per_sample: u32,
    /// Time it takes, in nanoseconds for each sample of the world, roughly.
    pub nanoseconds_per_sample: u32,
    /// Where the method comes from.
    pub citations: &'static [&'static str],
    /// The smallest graph that shows it.
    pub example: &'static str,
}

/// One input of a node.
#[derive(Debug)]
pub struct InputSpec {
    /// Its name, from the dictionary.
    pub name: &'static str,
    /// What may be linked to it.
    pub accepts: Accepts,
    /// Whether it must be linked.
    pub required: bool,
    /// What it does.
    pub doc: &'static str,
}

/// What an input takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// A raster of one quantity.
    Raster(Quantity),
    /// Any raster.
    AnyRaster,
    /// A raster of the quantity that another input has.
    SameAs(&'static str),
    /// A raster of the quantity that another input has, or a mask.
    SameAsOrMask(&'static str),
    /// A lithology.
    Lithology,
    /// A supply, which nothing else may take up.
    Supply,
    /// A table.
    Table,
}

/// One output of a node.
#[derive(Debug)]
pub struct OutputSpec {
    /// Its name, from the dictionary.
    pub name: &'static str,
    /// What comes out.
    pub gives: Gives,
    /// What it is.
    pub doc: &'static str,
}

/// What an output gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A raster of one quantity.
    Raster(Quantity),
    /// A raster of the quantity that an input has.
    SameAs(&'static str),
    /// A lithology.
    Lithology,
    /// A supply, for one node to take up.
    Supply,
    /// A table.
    Table,
    /// An encoded file.
    Bytes,
}

/// A kind of file that an output node can make.
#[derive(Debug)]
pub struct Extension {
    /// The end of the file's name, lower case, without the dot.
    pub name: &'static str,
    /// The option of the node's `container` parameter that it stands for;
    /// `None` if the node makes one kind of file only.
    pub container: Option<&'static str>,
}

/// How far a node looks.
#[derive(Clone, Copy, Debug)]
pub enum Locality {
    /// Each cell depends on the same cell of the inputs.
    Pointwise,
    /// Each cell depends on inputs at most so far away.
    Neighborhood {
        /// The distance as a function of the checked parameters and the cell
        /// size, m.
        radius: fn(&[ParamValue], f64) -> f64,
    },
    /// Any cell may depend on any other.
    Global,
}

/// What a node does to matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conserves {
    /// It moves matter and its ledger closes.
    Matter,
    /// It changes ground without conserving; the ledger books it as shaped.
    Shapes,
    /// It moves no ground: it makes or measures.
    NoGround,
}

/// What a node can know before it runs.
pub struct Wiring<'a> {
    /// Checked parameters, in the order of the table.
    pub params: &'a [ParamValue],
    /// Kind of what is linked to each input, in the order of the table.
    pub inputs: &'a [Option<ValueKind>],
}

/// Why parameters or inputs that are each legal do not go together.
#[derive(Debug)]
pub struct Complaint {
    /// The parameter or input it is about.
    pub about: &'static str,
    /// One lower-case sentence.
    pub message: String,
    /// What to write instead, if that can be said.
    pub hint: Option<String>,
}

/// A node.
pub trait Node: Send + Sync {
    /// Its table.
    fn spec(&self) -> &'static NodeSpec;

    /// What the table cannot say: parameters and inputs that do not go
    /// together. Runs when a graph is checked.
    fn check(&self, _wiring: &Wiring<'_>) -> Result<(), Complaint> {
        Ok(())
    }

    /// Output values from input values. Pure: equal inputs, equal bits.
    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError>;
}

impl InputSpec {
    /// An input that must be linked.
    pub const fn required(name: &'static str, accepts: Accepts, doc: &'static str) -> Self {
        Self { name, accepts, required: true, doc }
    }

    /// An input that may be left out.
    pub const fn optional(name: &'static str, accepts: Accepts, doc: &'static str) -> Self {
        Self { name, accepts, required: false, doc }
    }
}

impl OutputSpec {
    /// An output.
    pub const fn new(name: &'static str, gives: Gives, doc: &'static str) -> Self {
        Self { name, gives, doc }
    }
}

impl NodeSpec {
    /// Place of an input in the table.
    pub fn input_index(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|input| input.name == name)
    }

    /// Place of an output in the table.
    pub fn output_index(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|output| output.name == name)
    }

    /// Place of a parameter in the table.
    pub fn param_index(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|param| param.name == name)
    }
}
