//! Slopes, ways of water, valleys and noise.

use std::hint::black_box;

use bajada_grid::{Grid, Stream, Task};
use bajada_kernels::flow::order::accumulate;
use bajada_kernels::flow::stream_power::{self, StreamPowerConfig, Uplift, carve};
use bajada_kernels::flow::{Order, Outlets, fill, flats, steepest};
use bajada_kernels::geodesic::{Seeds, distance};
use bajada_kernels::slope::talus::{Slope, TalusConfig, relax};
use bajada_kernels::source::noise::{self, NoiseConfig};
use bajada_testkit::terrain;

use super::table::{Peer, Row, Table, Unit};
use super::{CELL, hills};

pub(crate) fn slopes(table: &Table) {
    use symbios_ground::{HeightMap, ThermalErosion};

    const SWEEPS: u32 = 20;
    if !table.wants_any(&["talus, sweep", "talus, steep hills to rest"]) {
        return;
    }
    let steep = hills(table.side, 3000.0);
    let slope = Slope { elevation: &steep, sediment: None, hardness: None, mask: None };
    let config = |sweeps| TalusConfig { sweeps, ..TalusConfig::default() };
    let mut peer_map = HeightMap::new(table.side as usize, table.side as usize, CELL as f32);
    let peer = ThermalErosion::new().with_iterations(SWEEPS).with_talus_angle(0.7);
    table.row(Row {
        name: "talus, sweep",
        unit: Unit::Nanoseconds,
        item: "cell",
        items: f64::from(SWEEPS) * table.cells(),
        ours: &mut || {
            let done = relax(&Task::new(), &slope, &config(SWEEPS)).expect("nobody cancels");
            black_box(done.elevation);
        },
        peer: Some(Peer {
            name: "symbios-ground",
            items: f64::from(SWEEPS) * table.cells(),
            run: &mut || {
                peer_map.data_mut().copy_from_slice(steep.as_slice());
                peer.erode(&mut peer_map);
            },
            besides: None,
        }),
        target: Some(3.0),
    });
    table.row(Row {
        name: "talus, steep hills to rest",
        unit: Unit::Seconds,
        item: "",
        items: 1.0,
        ours: &mut || {
            let done = relax(&Task::new(), &slope, &TalusConfig::default());
            black_box(done.expect("nobody cancels").elevation);
        },
        peer: None,
        target: Some(0.4),
    });
}

pub(crate) fn routing(table: &Table) {
    if !table.wants_any(&["depression fill", "D8 receivers", "accumulation"]) {
        return;
    }
    let heights = hills(table.side, 1500.0).to_f64();
    let outlets = Outlets::at_edge(&heights);
    let filled = fill(&heights, &outlets);
    let level = flats::directions(&filled, &outlets);
    let directions = steepest::directions(&filled, &level);
    let order = Order::of_tree(&directions);
    let source = heights.like(1.0_f64);
    let row = |name, target, ours: &mut (dyn FnMut() + Send)| {
        let (unit, item, items) = (Unit::Millions, "cell", table.cells());
        table.row(Row { name, unit, item, items, ours, peer: None, target: Some(target) });
    };
    row("depression fill", 25.0, &mut || {
        black_box(fill(&heights, &outlets));
    });
    row("D8 receivers", 60.0, &mut || {
        black_box(steepest::directions(&filled, &level));
    });
    row("accumulation", 100.0, &mut || {
        black_box(accumulate(&directions, &order, &source));
    });
}

pub(crate) fn carving(table: &Table) {
    const STEPS: u32 = 8;
    // The level then runs on for the last 22 % of the time.
    const REST: u32 = 2;
    if !table.wants_any(&["stream power, step with routing"]) {
        return;
    }
    let elevation = hills(table.side, 1500.0);
    let ground = stream_power::Ground {
        elevation: &elevation,
        hardness: None,
        uplift: None,
        subsidence: None,
        rain: None,
    };
    let config = StreamPowerConfig {
        uplift: Uplift::Rate(5e-4),
        duration: f64::from(STEPS) * 4000.0,
        coarsest_cell: CELL,
        steps: STEPS,
        ..StreamPowerConfig::default()
    };
    table.row(Row {
        name: "stream power, step with routing",
        unit: Unit::Millions,
        item: "cell",
        items: f64::from(STEPS + REST) * table.cells(),
        ours: &mut || {
            let done = carve(&Task::new(), &ground, &config, Stream::new(1));
            black_box(done.expect("nobody cancels").elevation);
        },
        peer: None,
        target: Some(6.0),
    });
}

pub(crate) fn ways(table: &Table) {
    if !table.wants_any(&["geodesic distance, whole map"]) {
        return;
    }
    let model = Grid::filled(terrain::square(table.side, CELL), 0.0_f32);
    let seed = model.domain().index(320, 384);
    let seeds = Seeds { cells: &[(seed, 0.0)], center: Some(seed) };
    table.row(Row {
        name: "geodesic distance, whole map",
        unit: Unit::Seconds,
        item: "",
        items: 1.0,
        ours: &mut || {
            black_box(distance(&Task::new(), &model, &seeds, |_, _| true).expect("nobody cancels"));
        },
        peer: None,
        target: Some(0.08),
    });
}

pub(crate) fn noises(table: &Table) {
    use ::noise::{Fbm, MultiFractal as _, NoiseFn as _, Perlin};
    use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};

    const SIDE: u32 = 2048;
    /// Rows that a peer is timed on.
    const ROWS: u32 = 128;
    const WAVELENGTH: f64 = 4000.0;
    const OCTAVES: u32 = 8;
    if !table.wants_any(&["fBm, 8 octaves, 2048^2"]) {
        return;
    }
    let domain = terrain::square(SIDE, CELL);
    let mut out = Grid::filled(domain, 0.0_f32);
    let config = NoiseConfig { wavelength: WAVELENGTH, octaves: OCTAVES, ..NoiseConfig::default() };
    let items = f64::from(SIDE * SIDE);
    let peer_items = f64::from(SIDE * ROWS);
    let fbm = Fbm::<Perlin>::new(1).set_octaves(OCTAVES as usize).set_frequency(1.0 / WAVELENGTH);
    let mut lite = FastNoiseLite::with_seed(1);
    lite.set_noise_type(Some(NoiseType::Perlin));
    lite.set_fractal_type(Some(FractalType::FBm));
    lite.set_fractal_octaves(Some(OCTAVES as i32));
    lite.set_frequency(Some((1.0 / WAVELENGTH) as f32));
    let over = |value: &dyn Fn(f64, f64) -> f64| {
        let place = |x: u32, y: u32| value(f64::from(x) * CELL + 0.5, f64::from(y) * CELL);
        let sum: f64 = (0..ROWS).map(|y| (0..SIDE).map(|x| place(x, y)).sum::<f64>()).sum();
        black_box(sum);
    };
    let mut noise_crate = || over(&|x, y| fbm.get([x, y]));
    let mut lite_crate = || over(&|x, y| f64::from(lite.get_noise_2d(x as f32, y as f32)));
    let peers: [(&str, &mut dyn FnMut()); 2] =
        [("noise", &mut noise_crate), ("fastnoise-lite", &mut lite_crate)];
    for (name, run) in peers {
        table.row(Row {
            name: "fBm, 8 octaves, 2048^2",
            unit: Unit::Millions,
            item: "sample",
            items,
            ours: &mut || {
                noise::fill(&Task::new(), &mut out, &config, Stream::new(1))
                    .expect("nobody cancels");
            },
            peer: Some(Peer { name, items: peer_items, run, besides: None }),
            target: Some(20.0),
        });
    }
}
