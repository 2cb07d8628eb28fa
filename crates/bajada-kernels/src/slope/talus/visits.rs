//! Which pieces of the map a sweep must visit, so that no other can change.
//!
//! A corner reads its four cells, and these the fluxes of the eight corners
//! around it. If none of the nine has had a flux since the first sweep, the
//! corner sees the ground as it was at the first sweep, which left its flux at
//! zero: it would come out zero again. So a sweep visits the pieces that hold a
//! corner which has, or once had, a flux, or the neighbor of one. It does to
//! the rest, bit by bit, what a sweep over the whole map would.

use super::lanes::{LANES, Lanes};

/// Some corner of the piece has, or once had, a flux.
pub(super) const SOME: u8 = 1;
/// The first, the last corner has.
const FIRST: u8 = 2;
const LAST: u8 = 4;
/// No sweep has been here.
pub(super) const UNSEEN: u8 = 8;

/// What is known of a piece whose corners keep `shares` of their fluxes, given
/// what was `known` before. What is learnt is never forgotten.
#[inline(always)]
pub(super) fn learn(known: u8, shares: &Lanes) -> u8 {
    let has = |share: f64, what: u8| if share != 0.0 { what } else { 0 };
    let ends = has(shares[0], FIRST) | has(shares[LANES - 1], LAST);
    // Adding up is slow, and mostly there is nothing left to learn from it.
    let some = if known & SOME == 0 { has(shares.iter().sum(), SOME) } else { SOME };
    (known & !UNSEEN) | ends | some
}

/// Which pieces of a row a sweep must visit, given what is known of the row
/// above, of the row itself and of the row below, each from one piece before
/// the first to one after the last: those that hold a corner which has or once
/// had a flux, or the neighbor of one.
pub(super) fn due(above: &[u8], row: &[u8], below: &[u8]) -> Vec<bool> {
    let rows = above.iter().zip(row).zip(below);
    let known: Vec<u8> = rows.map(|((above, row), below)| above | row | below).collect();
    known
        .windows(3)
        .map(|near| (near[0] & LAST) | (near[1] & (SOME | UNSEEN)) | (near[2] & FIRST) != 0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flux_is_never_forgotten_and_wakes_its_neighbors_alone() {
        let beside = |lane: usize| {
            let mut shares = [0.0; LANES];
            shares[lane] = 0.5;
            let known = [0, 0, learn(learn(UNSEEN, &shares), &[0.0; LANES]), 0, 0];
            let alike = [due(&known, &[0; 5], &[0; 5]), due(&[0; 5], &[0; 5], &known)];
            assert!(alike.iter().all(|due_there| *due_there == due(&[0; 5], &known, &[0; 5])));
            alike[0].clone()
        };
        assert_eq!(beside(3), [false, true, false]);
        assert_eq!(beside(0), [true, true, false]);
        assert_eq!(beside(7), [false, true, true]);
        assert_eq!(due(&[UNSEEN; 3], &[0; 3], &[0; 3]), [true]);
    }
}
