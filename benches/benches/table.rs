//! One table for this machine: our kernels, a peer in the same run where an
//! ordinary crate is one, the ratio, and what we aim for.
//!
//! `cargo bench -p bajada-benches --bench table`; `-- NAME` runs the rows whose
//! name holds NAME. Each figure is the median of [`RUNS`] runs after one that
//! warms up; ours and the peer's alternate, so that a busy machine slows both.

use std::hint::black_box;
use std::time::Instant;

use bajada::{BuildOptions, Session};
use bajada_formats::{DecodeOptions, decode, encode_png16, encode_tiff_f32};
use bajada_grid::{Grid, Stream, Task};
use bajada_kernels::flow::order::accumulate;
use bajada_kernels::flow::stream_power::{self, StreamPowerConfig, Uplift, carve};
use bajada_kernels::flow::{Order, Outlets, fill, flats, steepest};
use bajada_kernels::geodesic::{Seeds, distance};
use bajada_kernels::slope::talus::{Slope, TalusConfig, relax};
use bajada_kernels::source::noise::{self, NoiseConfig};
use bajada_kernels::water::droplets::{DropletConfig, Ground, erode};
use bajada_kernels::water::shallow_water::{Basin, ShallowWaterConfig, wash};
use bajada_testkit::terrain;

/// Runs that a median is taken of.
const RUNS: usize = 5;

const SIDE: u32 = 1024;
const CELLS: f64 = 1024.0 * 1024.0;
const CELL: f64 = 12.0;

/// What a figure counts.
#[derive(Clone, Copy)]
enum Unit {
    /// Seconds of the whole: less is better.
    Seconds,
    /// Nanoseconds for each item: less is better.
    Nanoseconds,
    /// Millions of items a second: more is better.
    Millions,
}

impl Unit {
    fn figure(self, seconds: f64, items: f64) -> f64 {
        match self {
            Self::Seconds => seconds,
            Self::Nanoseconds => seconds / items * 1e9,
            Self::Millions => items / seconds * 1e-6,
        }
    }

    fn name(self, item: &str) -> String {
        match self {
            Self::Seconds => "s".to_owned(),
            Self::Nanoseconds => format!("ns/{item}"),
            Self::Millions => format!("M{item}/s"),
        }
    }

    /// How much better `ours` is.
    fn ratio(self, ours: f64, theirs: f64) -> f64 {
        match self {
            Self::Millions => ours / theirs,
            _ => theirs / ours,
        }
    }
}

/// One line of the table.
struct Row<'a> {
    name: &'a str,
    unit: Unit,
    item: &'a str,
    /// What a run of ours works on.
    items: f64,
    ours: &'a mut (dyn FnMut() + Send),
    peer: Option<Peer<'a>>,
    /// What we aim for on one thread, in the unit.
    target: Option<f64>,
}

/// Someone else's code for the same work.
struct Peer<'a> {
    name: &'a str,
    items: f64,
    run: &'a mut dyn FnMut(),
    /// What a run does besides, timed and taken off.
    besides: Option<&'a mut dyn FnMut()>,
}

struct Table {
    filter: Option<String>,
    pools: [rayon::ThreadPool; 2],
}

impl Table {
    fn new() -> Self {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pools = [1, 2].map(|threads| pool(threads).expect("threads can be had"));
        // Cargo adds options of its own.
        let filter = std::env::args().skip(1).find(|word| !word.starts_with('-'));
        println!(
            "{:<34} {:>9} {:>10} {:>10} {:>8}  {:<28} {:>6}",
            "kernel", "unit", "1 thread", "2 threads", "target", "peer", "ratio"
        );
        Self { filter, pools }
    }

    fn wants(&self, name: &str) -> bool {
        self.filter.as_ref().is_none_or(|filter| name.contains(filter.as_str()))
    }

    fn row(&self, row: Row<'_>) {
        if !self.wants(row.name) {
            return;
        }
        let Row { ours, mut peer, .. } = row;
        let [mut one, mut two, mut theirs] = [(); 3].map(|()| Vec::new());
        for run in 0..=RUNS {
            let single = self.pools[0].install(|| seconds(&mut *ours));
            let double = self.pools[1].install(|| seconds(&mut *ours));
            let other = peer.as_mut().map(|peer| {
                let besides = peer.besides.as_mut().map_or(0.0, |run| seconds(&mut **run));
                seconds(&mut *peer.run) - besides
            });
            if run > 0 {
                one.push(single);
                two.push(double);
                theirs.extend(other);
            }
        }
        let figures = [one, two].map(|times| row.unit.figure(median(times), row.items));
        let target = row.target.map_or(String::new(), digits);
        let beside = peer.map_or((String::new(), String::new()), |peer| {
            let figure = row.unit.figure(median(theirs), peer.items);
            let ratio = row.unit.ratio(figures[0], figure);
            (format!("{} {}", peer.name, digits(figure)), format!("{ratio:.1}"))
        });
        println!(
            "{:<34} {:>9} {:>10} {:>10} {target:>8}  {:<28} {:>6}",
            row.name,
            row.unit.name(row.item),
            digits(figures[0]),
            digits(figures[1]),
            beside.0,
            beside.1,
        );
    }
}

fn seconds(run: &mut (impl FnMut() + ?Sized)) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn digits(figure: f64) -> String {
    if figure >= 100.0 { format!("{figure:.0}") } else { format!("{figure:.3}") }
}

fn hills(side: u32, relief: f64) -> Grid<f32> {
    terrain::hills(terrain::square(side, CELL), relief, 3)
}

fn main() {
    let table = Table::new();
    rain(&table);
    flood(&table);
    slopes(&table);
    routing(&table);
    carving(&table);
    ways(&table);
    noises(&table);
    engine(&table);
    codecs(&table);
    println!("\nratio: how many times better than the peer on one thread; medians of {RUNS}");
}

/// Droplets with the settings of the programs after Beyer and Lague, ours and
/// the peer's: 30 steps with a brush of 3 cells.
fn rain(table: &Table) {
    use terrain_generator::{ErosionParams, Terrain};

    const DROPLETS: u32 = 100_000;
    let ground = hills(SIDE, 1500.0);
    let scene = Ground { elevation: &ground, hardness: None, mask: None };
    let density = f64::from(DROPLETS) / (CELLS * CELL * CELL);
    let rained = DropletConfig { density, ..DropletConfig::default() };
    let config = rained.classic(CELL);
    let builder = || Terrain::builder().size(SIDE as usize, SIDE as usize).no_breach().no_rivers();
    let eroding = ErosionParams { droplets: Some(DROPLETS as usize), ..ErosionParams::default() };
    let (with, without) = (builder().erosion(eroding), builder().no_erosion());
    table.row(Row {
        name: "droplets, brush 3, 30 steps",
        unit: Unit::Nanoseconds,
        item: "drop",
        items: f64::from(DROPLETS),
        ours: &mut || {
            let done = erode(&Task::new(), &scene, &config, Stream::new(1));
            black_box(done.expect("nobody cancels").elevation);
        },
        peer: Some(Peer {
            name: "terrain-generator",
            items: f64::from(DROPLETS),
            run: &mut || {
                black_box(with.generate());
            },
            besides: Some(&mut || {
                black_box(without.generate());
            }),
        }),
        target: Some(1200.0),
    });
}

/// The first steps of a storm on one lattice.
fn flood(table: &Table) {
    const STEPS: u32 = 64;
    const SIDE: u32 = 513;
    if !table.wants("shallow water, with sediment") {
        return;
    }
    let ground = hills(SIDE, 300.0);
    let basin = Basin {
        elevation: &ground,
        water: None,
        sediment: None,
        hardness: None,
        rain: None,
        mask: None,
    };
    let config = ShallowWaterConfig { steps: STEPS, coarsest_cell: 0.0, ..Default::default() };
    table.row(Row {
        name: "shallow water, with sediment",
        unit: Unit::Nanoseconds,
        item: "cell",
        items: f64::from(STEPS) * f64::from(SIDE * SIDE),
        ours: &mut || {
            let done = wash(&Task::new(), &basin, &config).expect("nobody cancels");
            black_box(done.elevation);
        },
        peer: None,
        target: Some(10.0),
    });
}

fn slopes(table: &Table) {
    use symbios_ground::{HeightMap, ThermalErosion};

    const SWEEPS: u32 = 20;
    let steep = hills(SIDE, 3000.0);
    let slope = Slope { elevation: &steep, sediment: None, hardness: None, mask: None };
    let config = |sweeps| TalusConfig { sweeps, ..TalusConfig::default() };
    let mut peer_map = HeightMap::new(SIDE as usize, SIDE as usize, CELL as f32);
    let peer = ThermalErosion::new().with_iterations(SWEEPS).with_talus_angle(0.7);
    table.row(Row {
        name: "talus, sweep",
        unit: Unit::Nanoseconds,
        item: "cell",
        items: f64::from(SWEEPS) * CELLS,
        ours: &mut || {
            let done = relax(&Task::new(), &slope, &config(SWEEPS)).expect("nobody cancels");
            black_box(done.elevation);
        },
        peer: Some(Peer {
            name: "symbios-ground",
            items: f64::from(SWEEPS) * CELLS,
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

fn routing(table: &Table) {
    let heights = hills(SIDE, 1500.0).to_f64();
    let outlets = Outlets::at_edge(&heights);
    let filled = fill(&heights, &outlets);
    let level = flats::directions(&filled, &outlets);
    let directions = steepest::directions(&filled, &level);
    let order = Order::of_tree(&directions);
    let source = heights.like(1.0_f64);
    let row = |name, target, ours: &mut (dyn FnMut() + Send)| {
        let (unit, item, items) = (Unit::Millions, "cell", CELLS);
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

fn carving(table: &Table) {
    const STEPS: u32 = 8;
    // The level then runs on for the last 22 % of the time.
    const REST: u32 = 2;
    let elevation = hills(SIDE, 1500.0);
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
        items: f64::from(STEPS + REST) * CELLS,
        ours: &mut || {
            let done = carve(&Task::new(), &ground, &config, Stream::new(1));
            black_box(done.expect("nobody cancels").elevation);
        },
        peer: None,
        target: Some(6.0),
    });
}

fn ways(table: &Table) {
    let model = Grid::filled(terrain::square(SIDE, CELL), 0.0_f32);
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

fn noises(table: &Table) {
    use ::noise::{Fbm, MultiFractal as _, NoiseFn as _, Perlin};
    use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};

    const SIDE: u32 = 2048;
    /// Rows that a peer is timed on.
    const ROWS: u32 = 128;
    const WAVELENGTH: f64 = 4000.0;
    const OCTAVES: u32 = 8;
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

/// A chain of fifty nodes, checked and found to be up to date.
fn engine(table: &Table) {
    const NODES: usize = 50;
    if !table.wants("nothing dirty") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for a graph");
    let path = folder.path().join("chain.ron");
    let mut text = "(format: 1, seed: 1, world: (extent_m: (1024, 1024), samples: (65, 65)),\n\
                    nodes: {\n\"n0\": noise(wavelength_m: 500),\n"
        .to_owned();
    for node in 1..NODES {
        let before = node - 1;
        text.push_str(&format!("\"n{node}\": talus(elevation: \"n{before}\"),\n"));
    }
    text.push_str(&format!("}},\noutputs: {{ \"h.tif\": raster(field: \"n{}\") }})", NODES - 1));
    std::fs::write(&path, text).expect("a graph is written");
    let session = Session::new();
    let target = format!("n{}", NODES - 1);
    table.row(Row {
        name: "nothing dirty, graph read again",
        unit: Unit::Nanoseconds,
        item: "node",
        items: NODES as f64,
        ours: &mut || {
            let options = BuildOptions { targets: vec![target.clone()], ..Default::default() };
            let build = session.build(&path, &options).expect("the chain builds");
            assert!(build.check.ok(), "the chain is legal");
        },
        peer: None,
        target: Some(1000.0),
    });
}

fn codecs(table: &Table) {
    use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};

    const SIDE: u32 = 4096;
    let pixels = f64::from(SIDE * SIDE);
    if !table.wants("PNG16, 4096^2 write") && !table.wants("TIFF f32, 4096^2") {
        return;
    }
    let ground = hills(SIDE, 1500.0);
    let codes: Vec<u8> = ground
        .as_slice()
        .iter()
        .flat_map(|&height| ((f64::from(height) / 1500.0 * 65535.0) as u16).to_ne_bytes())
        .collect();
    table.row(Row {
        name: "PNG16, 4096^2 write",
        unit: Unit::Millions,
        item: "px",
        items: pixels,
        ours: &mut || {
            black_box(encode_png16(&ground, [0.0, 1500.0]).expect("it is encoded"));
        },
        peer: Some(Peer {
            name: "image",
            items: pixels,
            run: &mut || {
                let mut file = Vec::new();
                PngEncoder::new(&mut file)
                    .write_image(&codes, SIDE, SIDE, ExtendedColorType::L16)
                    .expect("it is encoded");
                black_box(file);
            },
            besides: None,
        }),
        target: Some(75.0),
    });
    let file = encode_tiff_f32(&ground, None).expect("it is encoded");
    let values = ground.as_slice();
    table.row(Row {
        name: "TIFF f32, 4096^2 write",
        unit: Unit::Millions,
        item: "px",
        items: pixels,
        ours: &mut || {
            black_box(encode_tiff_f32(&ground, None).expect("it is encoded"));
        },
        peer: Some(Peer {
            name: "tiff",
            items: pixels,
            run: &mut || {
                let mut file = std::io::Cursor::new(Vec::new());
                let mut encoder = tiff::encoder::TiffEncoder::new(&mut file).expect("a header");
                encoder
                    .write_image::<tiff::encoder::colortype::Gray32Float>(SIDE, SIDE, values)
                    .expect("it is encoded");
                black_box(file);
            },
            besides: None,
        }),
        target: None,
    });
    table.row(Row {
        name: "TIFF f32, 4096^2 read",
        unit: Unit::Millions,
        item: "px",
        items: pixels,
        ours: &mut || {
            black_box(decode(&file, "tif", &DecodeOptions::default()).expect("it is decoded"));
        },
        peer: Some(Peer {
            name: "tiff",
            items: pixels,
            run: &mut || {
                let mut decoder =
                    tiff::decoder::Decoder::new(std::io::Cursor::new(&file)).expect("a header");
                black_box(decoder.read_image().expect("it is decoded"));
            },
            besides: None,
        }),
        target: None,
    });
}
