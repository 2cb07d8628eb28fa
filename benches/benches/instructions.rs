//! How many instructions a kernel takes: a regression shows on the busiest
//! machine, to a tenth of a percent.
//!
//! `cargo bench -p bajada-benches --bench instructions` counts by valgrind and
//! compares with `instructions.txt`; more than [`MOST`] above it fails. `--
//! --bless` writes the file. Counts differ between compilers and processors:
//! they are for one machine before and after a change.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use bajada_grid::{Grid, Stream, Task};
use bajada_kernels::flow::stream_power::{self, StreamPowerConfig, Uplift, carve};
use bajada_kernels::flow::{Outlets, fill};
use bajada_kernels::picture::{ReliefConfig, Scene, relief};
use bajada_kernels::slope::talus::{Slope, TalusConfig, relax};
use bajada_kernels::source::noise::{self, NoiseConfig};
use bajada_kernels::water::droplets::{DropletConfig, Ground, erode};
use bajada_kernels::water::lake_level::{LakeLevelConfig, lake_level};
use bajada_testkit::terrain;

const SIDE: u32 = 129;
const CELL: f64 = 30.0;

/// Growth of a count that fails.
const MOST: f64 = 0.03;

/// A kernel at work on the ground that it is given.
type Kernel = fn(&Grid<f32>);

/// Kernels by name.
const KERNELS: [(&str, Kernel); 7] = [
    ("depression fill", |hills| {
        let heights = hills.to_f64();
        std::hint::black_box(fill(&heights, &Outlets::at_edge(&heights)));
    }),
    ("droplets", |hills| {
        let ground = Ground { elevation: hills, hardness: None, mask: None };
        let config = DropletConfig { density: 2e-4, ..DropletConfig::default() };
        std::hint::black_box(erode(&Task::new(), &ground, &config, Stream::new(1)).is_ok());
    }),
    ("lake level", |hills| {
        let config = LakeLevelConfig::default();
        std::hint::black_box(lake_level(&Task::new(), hills, None, &config).is_ok());
    }),
    ("noise", |hills| {
        let mut out = hills.clone();
        let config = NoiseConfig::default();
        std::hint::black_box(noise::fill(&Task::new(), &mut out, &config, Stream::new(1)).is_ok());
    }),
    ("relief", |hills| {
        let config = ReliefConfig { scale: Some(1), ..ReliefConfig::default() };
        std::hint::black_box(relief(&Task::new(), &Scene::new(hills), &config).is_ok());
    }),
    ("stream power", |hills| {
        let ground = stream_power::Ground {
            elevation: hills,
            hardness: None,
            uplift: None,
            subsidence: None,
            rain: None,
        };
        let config = StreamPowerConfig {
            uplift: Uplift::Rate(5e-4),
            coarsest_cell: CELL,
            steps: 4,
            ..StreamPowerConfig::default()
        };
        std::hint::black_box(carve(&Task::new(), &ground, &config, Stream::new(1)).is_ok());
    }),
    ("talus", |hills| {
        let slope = Slope { elevation: hills, sediment: None, hardness: None, mask: None };
        let config = TalusConfig { sweeps: 20, ..TalusConfig::default() };
        std::hint::black_box(relax(&Task::new(), &slope, &config).is_ok());
    }),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [run, name, times] = &words[..]
        && run == "--run"
    {
        return run_here(name, times);
    }
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.txt");
    let before = read(&record);
    let mut after = String::new();
    let mut worse = false;
    for (name, _) in KERNELS {
        let Some(count) = count(name) else {
            eprintln!("valgrind counts the instructions; install it and try again");
            return ExitCode::from(2);
        };
        let _ = writeln!(after, "{count:>12}  {name}");
        let change = before.get(name).map(|&old| count as f64 / old as f64 - 1.0);
        worse |= change.is_none_or(|change| change > MOST);
        let change = change.map_or("new".to_owned(), |change| format!("{:+.2} %", 100.0 * change));
        println!("{count:>12}  {name:<16} {change}");
    }
    if words.iter().any(|word| word == "--bless") {
        std::fs::write(&record, after).expect("the record can be written");
    } else if worse {
        println!("above the record by more than {} %, or not in it", 100.0 * MOST);
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Runs a kernel so many times on one thread.
fn run_here(name: &str, times: &str) -> ExitCode {
    let hills = terrain::hills(terrain::square(SIDE, CELL), 1500.0, 3);
    let Some((_, kernel)) = KERNELS.iter().find(|(known, _)| *known == name) else {
        return ExitCode::from(2);
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    for _ in 0..times.parse().unwrap_or(1) {
        pool.install(|| kernel(&hills));
    }
    ExitCode::SUCCESS
}

/// Instructions of one run: of two runs less those of one, so that making the
/// ground does not count.
fn count(name: &str) -> Option<u64> {
    let [one, two] = ["1", "2"].map(|times| {
        let program = std::env::current_exe().ok()?;
        let run = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(program)
            .args(["--run", name, times])
            .output()
            .ok()?;
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        let line = said.lines().find_map(|line| line.split_once("Collected : "))?;
        line.1.trim().parse::<u64>().ok()
    });
    two?.checked_sub(one?)
}

fn read(record: &Path) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(record).unwrap_or_default();
    let entry = |line: &str| {
        let (count, name) = line.trim().split_once("  ")?;
        Some((name.to_owned(), count.parse().ok()?))
    };
    text.lines().filter_map(entry).collect()
}
