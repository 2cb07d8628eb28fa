//! The graph's matter account: the sum over the elevation chains of what was
//! asked for.

use std::collections::BTreeSet;

use bajada_grid::Ledger;
use bajada_node::{Quantity, ValueKind};
use bajada_plan::{InputLink, Plan};
use petgraph::stable_graph::NodeIndex;

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

/// The sum of the ledgers, if there is any.
pub(crate) fn sum<'a>(ledgers: impl Iterator<Item = &'a Ledger>) -> Option<Ledger> {
    ledgers.fold(None, |sum, ledger| {
        let mut sum: Ledger = sum.unwrap_or_default();
        sum.add(ledger);
        Some(sum)
    })
}
