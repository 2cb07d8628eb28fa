//! Nodes that depend on themselves, named whole.

use std::collections::{BTreeMap, VecDeque};

use bajada_graph::{Code, Diagnostic, Span};
use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::stable_graph::{NodeIndex, StableDiGraph};

use crate::plan::PlanNode;

/// Where the link of an edge stands: (reader, read) -> span.
pub(crate) type LinkPlaces = BTreeMap<(NodeIndex, NodeIndex), Span>;

/// One diagnostic for each knot of cycles: a shortest cycle through its first
/// node, with the place of every link on it.
pub(crate) fn cycles(graph: &StableDiGraph<PlanNode, ()>, places: &LinkPlaces) -> Vec<Diagnostic> {
    let mut knots: Vec<Vec<NodeIndex>> = kosaraju_scc(graph)
        .into_iter()
        .filter(|knot| knot.len() > 1 || graph.contains_edge(knot[0], knot[0]))
        .collect();
    for knot in &mut knots {
        knot.sort_unstable();
    }
    knots.sort_unstable();
    knots.iter().map(|knot| describe(graph, places, &shortest(graph, knot[0]))).collect()
}

/// The nodes of a shortest cycle through `start`, each read by the next, the
/// last by the first.
fn shortest(graph: &StableDiGraph<PlanNode, ()>, start: NodeIndex) -> Vec<NodeIndex> {
    let mut came_from = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        let mut readers: Vec<_> = graph.neighbors_directed(node, Direction::Outgoing).collect();
        readers.sort_unstable();
        for reader in readers {
            if reader == start {
                let mut cycle: Vec<_> =
                    std::iter::successors(Some(node), |at| came_from.get(at).copied()).collect();
                cycle.reverse();
                return cycle;
            }
            if let std::collections::btree_map::Entry::Vacant(entry) = came_from.entry(reader) {
                entry.insert(node);
                queue.push_back(reader);
            }
        }
    }
    vec![start]
}

fn describe(
    graph: &StableDiGraph<PlanNode, ()>,
    places: &LinkPlaces,
    cycle: &[NodeIndex],
) -> Diagnostic {
    let name = |node: NodeIndex| format!("`{}`", graph[node].name);
    let place =
        |reader: NodeIndex, read: NodeIndex| places.get(&(reader, read)).cloned().unwrap_or(0..0);
    let first = cycle[0];
    if cycle.len() == 1 {
        let message = format!("{} reads itself", name(first));
        return Diagnostic::error(Code::CYCLE, place(first, first), message)
            .with_hint("link it to the node before it");
    }
    let mut path: Vec<String> = cycle.iter().map(|&node| name(node)).collect();
    path.push(name(first));
    let message = format!("these nodes wait for each other: {}", path.join(" -> "));
    let mut diagnostic = Diagnostic::error(Code::CYCLE, place(cycle[1], first), message)
        .with_text(format!("{} reads {}", name(cycle[1]), name(first)));
    let rest = cycle[1..].iter().zip(cycle[2..].iter().chain([&first]));
    for (&read, &reader) in rest {
        let text = format!("{} reads {}", name(reader), name(read));
        diagnostic = diagnostic.with_label(place(reader, read), text);
    }
    diagnostic.with_hint("break it by linking one of them to an earlier node")
}
