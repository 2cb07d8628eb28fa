//! Which nodes are wanted, and in what order they are best begun.

use bajada_plan::Plan;
use petgraph::Direction;
use petgraph::stable_graph::NodeIndex;

/// What the workers need to know about the plan, by node index.
#[derive(Debug)]
pub(crate) struct Schedule {
    /// Whether an output or a target depends on it.
    pub(crate) wanted: Vec<bool>,
    /// Estimated time from its start to the end of the longest branch behind
    /// it: the larger, the sooner it begins.
    pub(crate) urgency: Vec<u64>,
    /// How many wanted nodes read it.
    pub(crate) readers: Vec<usize>,
}

impl Schedule {
    pub(crate) fn new(plan: &Plan) -> Self {
        let bound =
            plan.graph.node_indices().map(NodeIndex::index).max().map_or(0, |last| last + 1);
        let mut wanted = vec![false; bound];
        let mut stack: Vec<NodeIndex> = plan.outputs.iter().map(|output| output.node).collect();
        stack.extend(&plan.targets);
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut wanted[node.index()], true) {
                stack.extend(plan.graph.neighbors_directed(node, Direction::Incoming));
            }
        }
        let mut urgency = vec![0; bound];
        let mut readers = vec![0; bound];
        for &node in plan.order.iter().rev() {
            let behind = plan.graph.neighbors(node).filter(|reader| wanted[reader.index()]);
            let (count, longest) = behind.fold((0, 0), |(count, longest), reader| {
                (count + 1, longest.max(urgency[reader.index()]))
            });
            let cost = u64::from(plan.graph[node].spec().nanoseconds_per_sample).max(1);
            readers[node.index()] = count;
            urgency[node.index()] = cost + longest;
        }
        Self { wanted, urgency, readers }
    }
}
