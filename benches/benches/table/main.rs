//! One table for this machine: our kernels, a peer in the same run where an
//! ordinary crate is one, the ratio, and what we aim for.
//!
//! `cargo bench -p bajada-benches --bench table`; `-- NAME` runs the rows whose
//! name holds NAME, and `-- 4096` works on maps of that many samples a side.
//! Each figure is the median of [`table::RUNS`] runs after one that warms up;
//! ours and the peer's alternate, so that a busy machine slows both.

mod files;
mod ground;
mod table;
mod water;

use bajada_grid::Grid;
use bajada_testkit::terrain;
use table::{RUNS, Table};

/// Size of a cell, m.
const CELL: f64 = 12.0;

fn main() {
    let table = Table::new();
    water::rain(&table);
    water::flood(&table);
    ground::slopes(&table);
    ground::routing(&table);
    ground::carving(&table);
    ground::ways(&table);
    ground::noises(&table);
    files::engine(&table);
    files::codecs(&table);
    println!("\nratio: how many times better than the peer on one thread; medians of {RUNS}");
}

fn hills(side: u32, relief: f64) -> Grid<f32> {
    terrain::hills(terrain::square(side, CELL), relief, 3)
}
