//! The graph's matter account: the sum over the elevation chains of what was
//! asked for.

use std::collections::BTreeSet;

use bajada_grid::Ledger;
use bajada_node::{Quantity, ValueKind};
use bajada_plan::{InputLink, Plan};
use petgraph::stable_graph::NodeIndex;

use crate::schedule::Schedule;

/// Nodes on the elevation chains of the plan's outputs and targets: from each,
/// the first input that carries elevation, and so on upward. A node on two
/// chains counts once.
pub(crate) fn elevation_chain(plan: &Plan) -> BTreeSet<NodeIndex> {
    let mut chain = BTreeSet::new();
    let wanted = plan.outputs.iter().map(|output| output.node).chain(plan.targets.iter().copied());
    for start in wanted {
        let mut next = Some(start);
        while let Some(node) = next {
            if !chain.insert(node) {
                break;
            }
            next = plan.graph[node]
                .inputs
                .iter()
                .flatten()
                .find(|link| carries_elevation(plan, link))
                .map(|link| link.node);
        }
    }
    chain
}

fn carries_elevation(plan: &Plan, link: &InputLink) -> bool {
    plan.graph[link.node].output_kinds[link.port] == ValueKind::Raster(Quantity::Elevation)
}

/// The sum of the ledgers, if there is any. What a node handed on and nobody
/// who ran took up is exported; the rest cancels.
pub(crate) fn sum(
    plan: &Plan,
    schedule: &Schedule,
    ledgers: &[(NodeIndex, &Ledger)],
) -> Option<Ledger> {
    if ledgers.is_empty() {
        return None;
    }
    let (mut sum, mut lost) = (Ledger::default(), 0.0);
    for (node, ledger) in ledgers {
        sum.add(ledger);
        if !is_taken_up(plan, schedule, *node) {
            lost += ledger.handed_on;
        }
    }
    Some(sum.settled(lost))
}

/// Whether a node that runs reads the supply of `node`.
fn is_taken_up(plan: &Plan, schedule: &Schedule, node: NodeIndex) -> bool {
    let kinds = &plan.graph[node].output_kinds;
    plan.graph.neighbors(node).any(|reader| {
        let mut links = plan.graph[reader].inputs.iter().flatten();
        schedule.wanted[reader.index()]
            && links.any(|link| link.node == node && kinds[link.port] == ValueKind::Supply)
    })
}
