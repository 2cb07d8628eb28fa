//! Water's ways, carving and laying down at 1025 x 1025, in cells or in time.

use std::hint::black_box;
use std::sync::OnceLock;

use bajada_grid::{Grid, Rock as _, Stream, Task};
use bajada_kernels::deposit::basin_fill::{BasinFillConfig, Outside, basin_fill};
use bajada_kernels::deposit::fan::{self, FanConfig};
use bajada_kernels::flow::order::accumulate;
use bajada_kernels::flow::stream_power::{self, Carved, StreamPowerConfig, Uplift, carve};
use bajada_kernels::flow::{Edge, Order, Outlets, fill, flats, steepest};
use bajada_kernels::geodesic::{Seeds, distance};
use bajada_kernels::rock::strata::{Strata, StrataConfig};
use bajada_kernels::slope::talus::{Slope, TalusConfig, relax};
use bajada_kernels::source::front::{Front, FrontConfig, front};
use bajada_kernels::water::lake_level::{LakeLevelConfig, lake_level};
use bajada_testkit::terrain;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const SIDE: u32 = 1025;
const CELL: f64 = 12.0;
const CELLS: u64 = (SIDE * SIDE) as u64;

fn hills() -> Grid<f32> {
    terrain::hills(terrain::square(SIDE, CELL), 1500.0, 3)
}

/// A mountain front before a closed basin, carved once for all who ask.
fn range() -> &'static (Front, Carved) {
    static RANGE: OnceLock<(Front, Carved)> = OnceLock::new();
    RANGE.get_or_init(|| {
        let domain = terrain::square(SIDE, CELL);
        let fault = front(&Task::new(), domain, &FrontConfig::default(), Stream::new(7))
            .expect("nobody cancels");
        let ground = stream_power::Ground {
            elevation: &fault.elevation,
            hardness: None,
            uplift: Some(&fault.uplift),
            subsidence: Some(&fault.subsidence),
            rain: None,
        };
        let config = StreamPowerConfig {
            uplift: Uplift::Relief(1400.0),
            edge: Edge::Wall,
            ..StreamPowerConfig::default()
        };
        let carved = carve(&Task::new(), &ground, &config, Stream::new(8)).expect("nobody cancels");
        (fault, carved)
    })
}

/// The ways of water on hills with hollows.
fn routing(c: &mut Criterion) {
    let heights = hills().to_f64();
    let outlets = Outlets::at_edge(&heights);
    let filled = fill(&heights, &outlets);
    let level = flats::directions(&filled, &outlets);
    let directions = steepest::directions(&filled, &level);
    let order = Order::of_tree(&directions);
    let source = heights.like(1.0_f64);
    let mut group = c.benchmark_group("routing");
    group.throughput(Throughput::Elements(CELLS));
    group.bench_function("fill", |b| b.iter(|| fill(black_box(&heights), &outlets)));
    group.bench_function("flats", |b| b.iter(|| flats::directions(black_box(&filled), &outlets)));
    group.bench_function("D8", |b| b.iter(|| steepest::directions(black_box(&filled), &level)));
    group.bench_function("order", |b| b.iter(|| Order::of_tree(black_box(&directions))));
    group.bench_function("accumulation", |b| {
        b.iter(|| accumulate(black_box(&directions), &order, &source));
    });
    group.finish();
}

/// Steps on one level, routing, creep and the matter account included.
fn stream_power_steps(c: &mut Criterion) {
    const STEPS: u32 = 8;
    // The level then runs on for the last 22 % of the time.
    const REST: u32 = 2;
    let elevation = hills();
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
    let mut group = c.benchmark_group("stream power");
    group.throughput(Throughput::Elements(u64::from(STEPS + REST) * CELLS));
    group.bench_function("steps", |b| {
        b.iter(|| carve(&Task::new(), &ground, &config, Stream::new(1)).map(|done| done.ledger));
    });
    group.finish();
}

/// Distances over a whole map, on a plain and between round obstacles that
/// take a third of it.
fn geodesic(c: &mut Criterion) {
    let model = Grid::filled(terrain::square(1024, CELL), 0.0_f32);
    let seed = model.domain().index(320, 384);
    let obstacles = Grid::from_fn(*model.domain(), |x, y| {
        let (dx, dy) = ((x % 64) as f64 - 32.0, (y % 64) as f64 - 32.0);
        dx * dx + dy * dy < 21.0 * 21.0
    });
    let seeds = Seeds { cells: &[(seed, 0.0)], center: Some(seed) };
    let mut group = c.benchmark_group("geodesic");
    group.throughput(Throughput::Elements(1024 * 1024));
    group.bench_function("plain", |b| {
        b.iter(|| distance(&Task::new(), &model, &seeds, |_, _| true));
    });
    group.bench_function("obstacles", |b| {
        b.iter(|| distance(&Task::new(), &model, &seeds, |cell, _| !obstacles[cell]));
    });
    group.finish();
}

/// Steep hills to rest within 1 %, loose all the way down and as a layer on
/// rock.
fn talus(c: &mut Criterion) {
    let elevation = terrain::hills(terrain::square(SIDE, CELL), 3000.0, 3);
    let sediment = elevation.like(3.0_f32);
    let loose = Slope { elevation: &elevation, sediment: None, hardness: None, mask: None };
    let layer = Slope { sediment: Some(&sediment), ..loose };
    let mut group = c.benchmark_group("talus");
    for (name, slope) in [("steep", loose), ("steep, a layer on rock", layer)] {
        group.bench_function(name, |b| {
            b.iter(|| relax(&Task::new(), &slope, &TalusConfig::default()).map(|done| done.sweeps));
        });
    }
    group.finish();
}

/// The fans of a whole mountain front.
fn fans(c: &mut Criterion) {
    c.bench_function("fans", |b| {
        let (fault, carved) = range();
        let config = fan::FrontConfig::default();
        let apices = fan::along_front(&carved.elevation, &fault.block, &config);
        let ground = fan::Ground { elevation: &carved.elevation, sediment: None, mask: None };
        let sources = [fan::Source::Denudation(10.0)];
        b.iter(|| {
            let config = FanConfig::default();
            fan::build(&Task::new(), &ground, &apices, &sources, &config, Stream::new(9))
                .map(|built| built.ledger)
        });
    });
}

fn water_level(c: &mut Criterion) {
    let elevation = hills();
    c.bench_function("lake_level", |b| {
        b.iter(|| lake_level(&Task::new(), &elevation, None, &LakeLevelConfig::default()));
    });
}

fn basins(c: &mut Criterion) {
    let elevation = hills();
    let config = BasinFillConfig { outside: Outside::Volume(1e8), ..BasinFillConfig::default() };
    c.bench_function("basin_fill", |b| {
        b.iter(|| basin_fill(&Task::new(), &elevation, None, &config));
    });
}

fn strata(c: &mut Criterion) {
    let elevation = hills();
    let rock = Strata::new(&StrataConfig::default(), None, Stream::new(1));
    let mut group = c.benchmark_group("strata");
    group.throughput(Throughput::Elements(CELLS));
    group.bench_function("at_surface", |b| b.iter(|| rock.at_surface(black_box(&elevation), None)));
    group.finish();
}

criterion_group! {
    name = ground;
    config = Criterion::default().sample_size(10);
    targets = routing, stream_power_steps, geodesic, talus, fans, water_level, basins, strata
}
criterion_main!(ground);
