//! The kernels at 1025 x 1025, each beside a peer where an ordinary crate is one.

use std::hint::black_box;

use bajada_formats::{encode_png16, encode_tiff_f32};
use bajada_grid::{Digest, Domain, Grid, Stream, Task};
use bajada_kernels::picture::{ObliqueConfig, ReliefConfig, Scene, oblique, relief};
use bajada_kernels::slope::talus::{Slope, TalusConfig, relax};
use bajada_kernels::source::noise::{NoiseConfig, fill};
use bajada_kernels::water::droplets::{DropletConfig, Ground, erode};
use bajada_kernels::water::shallow_water::{Basin, ShallowWaterConfig, wash};
use bajada_testkit::terrain;
use criterion::{Criterion, criterion_group, criterion_main};
use noise::{Fbm, MultiFractal as _, NoiseFn as _, Perlin};

const SIDE: u32 = 1025;
const CELL: f64 = 12.0;

fn hills() -> Grid<f32> {
    terrain::hills(terrain::square(SIDE, CELL), 1500.0, 3)
}

fn domain() -> Domain {
    terrain::square(SIDE, CELL)
}

/// Eight octaves of fBm, and the same sum by the `noise` crate.
fn fractal_noise(c: &mut Criterion) {
    let config = NoiseConfig { wavelength: 4000.0, ..NoiseConfig::default() };
    let mut out = Grid::filled(domain(), 0.0_f32);
    let mut group = c.benchmark_group("noise");
    group.bench_function("bajada, 8 octaves", |b| {
        b.iter(|| fill(&Task::new(), &mut out, &config, Stream::new(1)));
    });
    let peer = Fbm::<Perlin>::new(1).set_octaves(8).set_frequency(1.0 / 4000.0);
    group.bench_function("peer: noise 0.9, one thread", |b| {
        b.iter(|| {
            let value = |x: u32, y: u32| peer.get([f64::from(x) * CELL + 0.5, f64::from(y) * CELL]);
            (0..SIDE).map(|y| (0..SIDE).map(|x| value(x, y)).sum::<f64>()).sum::<f64>()
        });
    });
    group.finish();
}

fn droplets(c: &mut Criterion) {
    let ground = hills();
    let scene = Ground { elevation: &ground, hardness: None, mask: None };
    // A tenth of the default rain, so that a run takes less than a second.
    let config = DropletConfig { density: 0.001, ..DropletConfig::default() };
    c.bench_function("droplets, 157,000", |b| {
        b.iter(|| erode(&Task::new(), &scene, &config, Stream::new(1)).map(|done| done.ledger));
    });
}

/// Sixty-four steps on one thread and on two: divide by 67.2 million for the time
/// of a cell-step.
fn shallow_water(c: &mut Criterion) {
    let ground = hills();
    let basin = Basin {
        elevation: &ground,
        water: None,
        sediment: None,
        hardness: None,
        rain: None,
        mask: None,
    };
    let config =
        ShallowWaterConfig { steps: 64, coarsest_cell: 0.0, ..ShallowWaterConfig::default() };
    let mut group = c.benchmark_group("shallow_water");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("a pool of threads");
        group.bench_function(format!("64 steps, threads: {threads}"), |b| {
            b.iter(|| pool.install(|| wash(&Task::new(), &basin, &config)).map(|done| done.steps));
        });
    }
    group.finish();
}

fn talus(c: &mut Criterion) {
    let ground = hills();
    let slope = Slope { elevation: &ground, sediment: None, hardness: None, mask: None };
    c.bench_function("talus to rest", |b| {
        b.iter(|| relax(&Task::new(), &slope, &TalusConfig::default()).map(|done| done.sweeps));
    });
}

fn picture(c: &mut Criterion) {
    let ground = hills();
    c.bench_function("relief", |b| {
        b.iter(|| relief(&Task::new(), &Scene::new(&ground), &ReliefConfig::default()));
    });
    c.bench_function("oblique", |b| {
        b.iter(|| oblique(&Task::new(), &Scene::new(&ground), &ObliqueConfig::default()));
    });
}

fn codecs(c: &mut Criterion) {
    let ground = hills();
    let mut group = c.benchmark_group("codecs");
    group.bench_function("TIFF f32", |b| b.iter(|| encode_tiff_f32(black_box(&ground), None)));
    group.bench_function("PNG16", |b| b.iter(|| encode_png16(black_box(&ground), [0.0, 1500.0])));
    group.bench_function("digest", |b| b.iter(|| Digest::of_grid("m", black_box(&ground))));
    group.finish();
}

criterion_group! {
    name = kernels;
    config = Criterion::default().sample_size(10);
    targets = fractal_noise, droplets, shallow_water, talus, picture, codecs
}
criterion_main!(kernels);
