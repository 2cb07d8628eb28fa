//! What nodes say of their memory holds, and is not said too cautiously.

use bajada::Session;
use bajada_grid::Task;
use bajada_node::NodeSpec;
use bajada_tests::harness::{Links, default_params, domain, inputs, run};
use peak_alloc::PeakAlloc;

/// Counts all that the program has on its heap, rasters or not.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// How far the measured peak and the stated one may be apart, either way.
const APART: f64 = 1.5;

/// Bytes a sample that nobody plans with: tables, and what a raster needs beside
/// itself on a map as small as here.
const SMALL: f64 = 8.5;

/// Samples a side: with far fewer, what does not grow with the map counts too.
fn side(spec: &NodeSpec) -> u32 {
    match spec {
        // A picture of a small map is no smaller than others.
        NodeSpec { group: "output", .. } => 1025,
        // Nobody waits for this in every run.
        NodeSpec { nanoseconds_per_sample: 10_000.., .. } => 129,
        _ => 257,
    }
}

#[test]
fn every_node_takes_the_memory_that_it_says() {
    let session = Session::new();
    let mut wrong = Vec::new();
    for node in session.registry().iter() {
        let spec = node.spec();
        let side = side(spec);
        let domain = domain(side, side, 12.0);
        let params = default_params(node, domain);
        let given = inputs(node, domain, Links::All);
        HEAP.reset_peak_usage();
        let before = HEAP.current_usage();
        let done = run(node, domain, &params, &given, 2, &Task::new()).expect("it runs");
        let peak = (HEAP.peak_usage() - before) as f64 / f64::from(side * side);
        drop(done);
        let said = f64::from(spec.bytes_per_sample);
        println!("{:<16} says {said:>4} takes {peak:.1}", spec.id);
        let over = peak > APART * said && peak > SMALL;
        let under = said > APART * peak && said > SMALL;
        if over || under {
            wrong.push(format!("{} says {said} bytes a sample and takes {peak:.1}", spec.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
