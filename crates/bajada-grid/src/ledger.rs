//! Where the matter went.
//!
//! Every node that moves rock, sediment or water fills one [`Ledger`], in m3.
//! The booked terms are summed where matter moves; the change of volume is
//! measured afterwards on the output, so the two can disagree, and
//! [`Ledger::residual_relative`] says by how much. A ledger that was computed
//! as before minus after would always close and mean nothing.

use crate::grid::Grid;
use crate::math;
use crate::par;

/// The matter account of one node, or of a chain of nodes. All terms in m3 and
/// >= 0 but `shaped`, `rounding` and `change`, which have a sign.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Brought in from outside the map.
    pub brought_in: f64,
    /// Taken over from the supply that another node handed on.
    pub taken_up: f64,
    /// Taken from the ground.
    pub eroded: f64,
    /// Laid down on the ground.
    pub deposited: f64,
    /// Still carried when the node ended.
    pub suspended: f64,
    /// Given as a supply for another node to lay down.
    pub handed_on: f64,
    /// Carried over the map's edge, or handed on and not taken up.
    pub exported: f64,
    /// Added (or removed, < 0) by nodes that shape without conserving.
    pub shaped: f64,
    /// Added (or removed, < 0) by rounding the result to a port's f32.
    pub rounding: f64,
    /// Volume after minus volume before, measured on the output before it was
    /// rounded.
    pub change: f64,
}

impl Ledger {
    /// The account of a node that does not conserve: what changed is shaped.
    pub fn shaped(before: &Grid<f32>, after: &Grid<f32>) -> Self {
        let change = volume_change(before, after.as_slice().len(), |i| f64::from(after[i]));
        Self { shaped: change, change, ..Self::default() }
    }

    /// Measures [`Ledger::change`] from `before` to `after`.
    pub fn measure(&mut self, before: &Grid<f32>, after: &Grid<f64>) {
        self.change = volume_change(before, after.as_slice().len(), |index| after[index]);
    }

    /// `exact` as a port carries it, with what the rounding cost booked.
    pub fn round_to_port(&mut self, exact: &Grid<f64>) -> Grid<f32> {
        let rounded = exact.to_f32();
        let area = exact.domain().cell_area();
        self.rounding +=
            area * par::sum(exact.as_slice().len(), |i| f64::from(rounded[i]) - exact[i]);
        rounded
    }

    /// The account of a whole graph, in which `lost` of what nodes handed on
    /// was taken up by nobody: that is exported. The rest only went from one
    /// node to another and cancels.
    #[must_use]
    pub fn settled(mut self, lost: f64) -> Self {
        let passed = math::min(self.handed_on - lost, self.taken_up);
        self.exported += lost;
        self.handed_on -= lost + passed;
        self.taken_up -= passed;
        self
    }

    /// What the booked terms say the change of volume must be.
    fn booked_change(&self) -> f64 {
        self.brought_in + self.taken_up + self.shaped
            - self.suspended
            - self.handed_on
            - self.exported
    }

    /// |measured change - booked change| as a share of the largest booked
    /// term; 0 when nothing moved.
    pub fn residual_relative(&self) -> f64 {
        let moved = [
            self.brought_in,
            self.taken_up,
            self.eroded,
            self.deposited,
            self.handed_on,
            self.exported,
        ];
        let scale = moved.into_iter().fold(0.0, math::max);
        let gap = (self.change - self.booked_change()).abs();
        if scale > 0.0 {
            gap / scale
        } else if gap > 0.0 {
            // Something changed and nothing was booked: no share can say it.
            1.0
        } else {
            0.0
        }
    }

    /// Adds another node's account, term by term.
    pub fn add(&mut self, other: &Self) {
        self.brought_in += other.brought_in;
        self.taken_up += other.taken_up;
        self.eroded += other.eroded;
        self.deposited += other.deposited;
        self.suspended += other.suspended;
        self.handed_on += other.handed_on;
        self.exported += other.exported;
        self.shaped += other.shaped;
        self.rounding += other.rounding;
        self.change += other.change;
    }
}

/// Volume of `after` over `before`, m3: a fixed-tree sum of differences, since
/// the difference of two sums would drown in the volume of the mountains.
fn volume_change(before: &Grid<f32>, len: usize, after: impl Fn(usize) -> f64 + Sync) -> f64 {
    debug_assert_eq!(before.as_slice().len(), len);
    before.domain().cell_area() * par::sum(len, |index| after(index) - f64::from(before[index]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Domain;

    fn hill() -> Grid<f32> {
        let domain = Domain::new(50, 40, 10.0, [0.0; 2]).expect("legal");
        Grid::from_fn(domain, |x, y| 4000.0 + (x * y) as f32)
    }

    #[test]
    fn matter_that_leaves_and_is_booked_leaves_no_residual() {
        let before = hill();
        let mut after = before.to_f64();
        after[7] -= 2.0;
        after[90] += 0.5;
        let mut ledger =
            Ledger { eroded: 200.0, deposited: 50.0, exported: 150.0, ..Ledger::default() };
        ledger.measure(&before, &after);
        assert!(ledger.residual_relative() < 1e-12);
        assert_eq!(ledger.change, -150.0);
    }

    #[test]
    fn what_one_node_hands_on_and_another_takes_up_cancels() {
        let mut ledger = Ledger { eroded: 9.0, handed_on: 9.0, change: -9.0, ..Ledger::default() };
        assert_eq!(ledger.residual_relative(), 0.0);
        ledger.add(&Ledger { deposited: 6.0, taken_up: 6.0, change: 6.0, ..Ledger::default() });
        let settled = ledger.settled(3.0);
        assert_eq!((settled.taken_up, settled.handed_on, settled.exported), (0.0, 0.0, 3.0));
        assert_eq!(settled.residual_relative(), 0.0);
    }

    #[test]
    fn a_forgotten_deposit_shows() {
        let before = hill();
        let mut after = before.to_f64();
        after[7] -= 2.0;
        let mut ledger = Ledger { eroded: 200.0, deposited: 200.0, ..Ledger::default() };
        ledger.measure(&before, &after);
        assert!((ledger.residual_relative() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn change_without_a_booking_is_never_a_closed_ledger() {
        let before = hill();
        let mut after = before.to_f64();
        after[3] += 1e-6;
        let mut ledger = Ledger::default();
        ledger.measure(&before, &after);
        assert_eq!(ledger.residual_relative(), 1.0);
    }

    #[test]
    fn rounding_is_a_line_of_its_own() {
        let domain = Domain::new(2, 2, 1.0, [0.0; 2]).expect("legal");
        let exact = Grid::filled(domain, 4000.0001_f64);
        let mut ledger = Ledger::default();
        let port = ledger.round_to_port(&exact);
        assert_eq!(port[0], 4000.0);
        assert!((ledger.rounding + 4.0 * 0.0001).abs() < 1e-9);
    }

    #[test]
    fn shaping_is_booked_as_shaped() {
        let before = hill();
        let mut after = before.clone();
        after[5] += 1.0;
        let ledger = Ledger::shaped(&before, &after);
        assert_eq!((ledger.shaped, ledger.residual_relative()), (100.0, 0.0));
    }
}
