//! The contract between the engine and a node.
//!
//! A node is a table ([`NodeSpec`]) and one function ([`Node::eval`]) from
//! input values to output values. From the table alone the engine checks a
//! graph, makes keys, prints the manual and judges the node in tests; the
//! function sees values, parameters and its own random stream, and nothing
//! else: no path, no clock, no other node.

// The derives name this crate from outside; inside it, the name must hold too.
extern crate self as bajada_node;

mod ctx;
mod error;
mod param;
mod quantity;
mod registry;
mod spec;
mod value;
mod world;

pub use bajada_derive::{Choice, Params};
pub use ctx::{EvalCtx, EvalInputs, Finished, Outputs};
pub use error::NodeError;
pub use param::{Asset, Choice, ChoiceOption, FromParam, ParamKind, ParamSpec, ParamValue, Params};
pub use quantity::Quantity;
pub use registry::{DuplicateKind, Registry};
pub use spec::{
    Accepts, Complaint, Conserves, Extension, Gives, InputSpec, Locality, Node, NodeSpec,
    OutputSpec, Wiring,
};
pub use value::{Raster, Value, ValueKind};
pub use world::{PixelIs, Place, World};
