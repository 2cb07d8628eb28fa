//! Rain and floods.

use std::hint::black_box;
use std::sync::Arc;

use bajada_grid::{Lithology, Stream, Task};
use bajada_kernels::rock::strata::{Strata, StrataConfig};
use bajada_kernels::water::droplets::{DropletConfig, Ground, erode};
use bajada_kernels::water::shallow_water::{Basin, ShallowWaterConfig, wash};

use super::table::{Peer, Row, Table, Unit};
use super::{CELL, hills};

/// Droplets with the settings of the programs after Beyer and Lague, ours and
/// the peer's: 30 steps with a brush of 3 cells, one droplet to ten cells. Then
/// the house's own, in metres; all on rock of some hardness.
pub(crate) fn rain(table: &Table) {
    use terrain_generator::{ErosionParams, Terrain};

    const CLASSIC: &str = "droplets, brush 3, 30 steps";
    const MAP: &str = "droplets, metric";
    const LAYERS: &str = "droplets, metric, in strata";
    /// Side of the largest map that the peer is timed on.
    const PEER_SIDE: u32 = 1024;
    if !table.wants_any(&[CLASSIC, MAP, LAYERS]) {
        return;
    }
    let elevation = hills(table.side, 1500.0);
    let mut hardness = hills(table.side, 1.0);
    for cell in hardness.as_mut_slice() {
        *cell *= 0.5;
    }
    let map = Lithology::Map(Arc::new(hardness));
    let strata = Strata::new(&StrataConfig::default(), None, Stream::new(2));
    let strata = Lithology::Rock(Arc::new(strata));
    let metric = DropletConfig::default();
    let classic = DropletConfig { density: 0.1 / (CELL * CELL), ..metric }.classic(CELL);
    let droplets = |config: &DropletConfig| config.density * table.cells() * CELL * CELL;
    let steps = |config: &DropletConfig| droplets(config) * (config.path_length / CELL).round();

    let eroding =
        ErosionParams { droplets: Some(droplets(&classic) as usize), ..ErosionParams::default() };
    let side = table.side as usize;
    let builder = || Terrain::builder().size(side, side).no_breach().no_rivers();
    let (with, without) = (builder().erosion(eroding), builder().no_erosion());
    let mut generate = || {
        black_box(with.generate());
    };
    let mut base = || {
        black_box(without.generate());
    };
    let mut peer = (table.side <= PEER_SIDE).then(|| Peer {
        name: "terrain-generator",
        items: steps(&classic),
        run: &mut generate,
        besides: Some(&mut base),
    });
    for (name, config, rock) in
        [(CLASSIC, &classic, &map), (MAP, &metric, &map), (LAYERS, &metric, &strata)]
    {
        let scene = Ground { elevation: &elevation, hardness: Some(rock), mask: None };
        table.row(Row {
            name,
            unit: Unit::Nanoseconds,
            item: "step",
            items: steps(config),
            ours: &mut || {
                let done = erode(&Task::new(), &scene, config, Stream::new(1));
                black_box(done.expect("nobody cancels").elevation);
            },
            // The first row is its own.
            peer: peer.take(),
            target: Some(40.0),
        });
    }
}

/// The first steps of a storm on one lattice.
pub(crate) fn flood(table: &Table) {
    if !table.wants_any(&["shallow water, with sediment"]) {
        return;
    }
    let ground = hills(table.side, 300.0);
    // A large map has as many tiles to work on in fewer steps.
    let steps = if table.side > 1024 { 8 } else { 64 };
    let basin = Basin {
        elevation: &ground,
        water: None,
        sediment: None,
        hardness: None,
        rain: None,
        mask: None,
    };
    let config = ShallowWaterConfig { steps, coarsest_cell: 0.0, ..Default::default() };
    table.row(Row {
        name: "shallow water, with sediment",
        unit: Unit::Nanoseconds,
        item: "cell",
        items: f64::from(steps) * table.cells(),
        ours: &mut || {
            let done = wash(&Task::new(), &basin, &config).expect("nobody cancels");
            black_box(done.elevation);
        },
        peer: None,
        target: Some(10.0),
    });
}
