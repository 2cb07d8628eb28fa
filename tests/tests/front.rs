//! The mountain front, measured beside real ones.
//!
//! `BAJADA_FULL=1 cargo test -p bajada-tests --test front -- --nocapture` prints
//! the figures of the full build for five seeds.

use bajada::{BuildOptions, SamplesOverride, Session};
use bajada_formats::{DecodeOptions, decode};
use bajada_grid::{Domain, Grid, Task, sample};
use bajada_kernels::metrics::{Metrics, measure};
use bajada_kernels::shape::blur::{BlurConfig, blur};
use bajada_tests::root;

/// Side of the showcase's map, m.
const EXTENT: f64 = 12_288.0;

/// Cell size that real elevation data are measured at, m.
const CELL: f64 = 30.0;

/// A seed of the showcase, built: the ground at the end, and what is range.
fn build(seed: u32, samples: u32) -> (Grid<f32>, Grid<f32>) {
    let folder = tempfile::tempdir().expect("a folder");
    let showcase = root().join("graphs/showcase/bajada_front.ron");
    let text = std::fs::read_to_string(showcase).expect("the showcase");
    let (before, outputs) = text.split_once("  outputs: {").expect("outputs");
    let text = before.replace("seed: 1,", &format!("seed: {seed},"))
        + "  outputs: { \"ground.tif\": raster(field: \"lake\"), \
           \"block.tif\": raster(field: \"fault.block\"),\n"
        + outputs;
    let graph = folder.path().join("front.ron");
    std::fs::write(&graph, text).expect("it can be written");
    let options = BuildOptions {
        out: Some(folder.path().to_owned()),
        samples: Some(SamplesOverride::Longer(samples)),
        use_cache: false,
        ..BuildOptions::default()
    };
    let build = Session::new().build(&graph, &options).expect("it can be read");
    assert!(build.report.ok, "{}", build.check.render(bajada::RenderStyle::Plain));
    let domain = Domain::new(samples, samples, EXTENT / f64::from(samples - 1), [0.0; 2]);
    let domain = domain.expect("a legal lattice");
    let read = |name: &str| {
        let bytes = std::fs::read(folder.path().join(name)).expect("it was made");
        let decoded = decode(&bytes, "tif", &DecodeOptions::default()).expect("it can be read");
        Grid::from_vec(domain, decoded.values).expect("as many samples")
    };
    (read("ground.tif"), read("block.tif"))
}

/// The figures of the range alone, at the cell size of real elevation data.
fn figures(seed: u32, samples: u32) -> Metrics {
    let (ground, block) = build(seed, samples);
    let task = Task::new();
    let smooth = blur(&task, &ground, None, &BlurConfig { sigma: CELL / 2.0 });
    let side = (EXTENT / CELL) as u32 + 1;
    let domain = Domain::new(side, side, EXTENT / f64::from(side - 1), [0.0; 2]);
    let domain = domain.expect("a legal lattice");
    let ground = sample::resize(&smooth.expect("nobody cancels"), domain);
    let block = sample::resize(&block, domain);
    measure(&task, &ground, Some(&block), None, 1e5).expect("nobody cancels").expect("a range")
}

#[test]
fn the_range_has_the_figures_of_real_ones() {
    let full = std::env::var_os("BAJADA_FULL").is_some();
    let (seeds, samples) = if full { (1..=5, 1025) } else { (1..=1, 513) };
    for seed in seeds {
        let found = figures(seed, samples);
        let slopes = found.slopes.percentiles_deg.map(|angle| angle.round());
        println!(
            "seed {seed}: relief {:.0} m, hypsometry {:.2}, slopes {slopes:?}, above 35: {:.1} %, \
             Hack {:.2}, theta {:.2}, density {:.2}/km, pits {:.2} %, anisotropy {:.3}",
            found.relief,
            found.hypsometric_integral,
            100.0 * found.slopes.share_above_35,
            found.network.hack,
            found.network.theta,
            found.network.drainage_density_per_km,
            100.0 * found.network.pit_share,
            found.anisotropy,
        );
        assert!((1100.0..1800.0).contains(&found.relief));
        assert!((0.3..0.5).contains(&found.hypsometric_integral));
        assert!((24.0..31.0).contains(&found.slopes.percentiles_deg[2]));
        assert!((0.45..0.65).contains(&found.network.hack));
        assert!((1.3..2.2).contains(&found.network.drainage_density_per_km));
        assert!(found.anisotropy < 0.05);
    }
}
