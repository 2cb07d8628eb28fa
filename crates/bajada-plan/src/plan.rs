//! The plan: a checked graph.

use bajada_node::{Node, NodeSpec, ParamValue, ValueKind, World};
use petgraph::stable_graph::{NodeIndex, StableDiGraph};

/// A checked graph: everything a run needs, nothing that it has to look up.
#[derive(Debug)]
pub struct Plan {
    /// The lattice of every raster.
    pub world: World,
    /// The nodes, edges from a node to those that read it.
    pub graph: StableDiGraph<PlanNode, ()>,
    /// Every node, after all that it reads; ties by place in the document.
    pub order: Vec<NodeIndex>,
    /// The files to make, in the document's order.
    pub outputs: Vec<PlanOutput>,
    /// Nodes wanted for themselves (`--target`), besides the outputs.
    pub targets: Vec<NodeIndex>,
}

/// A node of the plan.
pub struct PlanNode {
    /// Its name in the document; the file's name for an output.
    pub name: String,
    /// What it is.
    pub node: &'static dyn Node,
    /// Its parameters, checked, in the order of the table.
    pub params: Vec<ParamValue>,
    /// What each input is linked to, in the order of the table.
    pub inputs: Vec<Option<InputLink>>,
    /// The kind of each output, in the order of the table.
    pub output_kinds: Vec<ValueKind>,
    /// Seed of its random stream; `None` for a node that is not random.
    pub seed: Option<u64>,
}

/// A link to an output of another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputLink {
    /// The node that is read.
    pub node: NodeIndex,
    /// Place of the output in its table.
    pub port: usize,
}

/// A file to make.
#[derive(Clone, Debug)]
pub struct PlanOutput {
    /// Where, relative to the output folder.
    pub path: String,
    /// The node whose first value is the file's content.
    pub node: NodeIndex,
}

impl PlanNode {
    /// Its table.
    pub fn spec(&self) -> &'static NodeSpec {
        self.node.spec()
    }
}

impl std::fmt::Debug for PlanNode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlanNode")
            .field("name", &self.name)
            .field("kind", &self.spec().id)
            .field("params", &self.params)
            .field("inputs", &self.inputs)
            .finish_non_exhaustive()
    }
}
