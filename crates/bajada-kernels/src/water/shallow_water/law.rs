//! What one step of time does, as numbers that every cell shares.

use bajada_grid::quantum::Quantum;

use super::ShallowWaterConfig;

/// m/s2.
pub(super) const GRAVITY: f64 = 9.81;

/// Weight of a cubic metre of water, N/m3.
const WATER_WEIGHT: f64 = 1000.0 * GRAVITY;

/// Water shallower than this at a face does not run, m: a film. Deeper, and
/// hillslopes hold back rain; shallower, and friction exceeds what f32 holds.
pub(super) const FILM: f32 = 1e-4;

/// Depth from which water counts as a current that shears its bed, m. The shear
/// of a thinner film would rest on a velocity that is mostly rounding.
const CURRENT: f32 = 2e-3;

/// Most of what a cell holds that leaves over one face in one step. Four faces
/// make less than all of it, rounding included: no depth falls below 0.
pub(super) const LEAVES: f32 = 0.249;

/// Most that the bed changes in a step, as a share of the depth: more, and bed
/// and water swing against one another.
const CHANGE_PER_DEPTH: f32 = 0.1;

/// Most that the bed is cut in a round of steps, as a share of the drop to its
/// lowest neighbor: more, and it digs pits.
pub(super) const CUT_PER_DROP: f32 = 0.25;

/// Share of what is steeper than the repose that slides in one pass.
const SLIDES: f32 = 0.1;

/// Most that slides for what currents cut at the foot: banks fall where they are
/// cut, and ground that no current reaches keeps its bits.
const FALLS_PER_CUT: f32 = 4.0;

/// Most of a difference of height that the spreading evens out in one pass.
const SPREADS: f32 = 0.1;

/// What one step does to every cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Whether sediment moves.
    pub(super) carries: bool,
    /// Whether water is lost to the ground and the air.
    pub(super) dries: bool,
    pub(super) quantum: Quantum,
    /// What f32 has no bits below the quantum beside, and half a quantum, m.
    shift: f32,
    half: f32,
    /// Unit discharge that a metre of water gains for a metre of drop.
    accelerate: f32,
    /// Four times what friction multiplies.
    friction: f32,
    /// Depth that a unit discharge moves.
    moves: f32,
    /// Unit discharge that moves a metre of water.
    per_metre: f32,
    /// The greatest Froude number times the root of gravity.
    froude: f32,
    /// Depth of ground that a shear of 1 (in m2/s2 over m^(7/3)) takes.
    erode: f32,
    /// What is held back of it.
    held: f32,
    /// Depth through which grains settle.
    settles: f32,
    /// Depth that dries up, m, in whole quanta.
    pub(super) dry: f64,
    /// Rise from cell to cell at repose, m.
    rise: f32,
    /// What the mean of two cuts of a step is spread by.
    spread: f32,
    /// How much slides at most for such a mean.
    falls: f32,
    /// s.
    pub(super) time: f64,
}

impl Step {
    /// A step of `time` s between cells `cell_size` m apart; `passes` of them to
    /// each pass of slides.
    pub(super) fn new(
        config: &ShallowWaterConfig,
        cell_size: f64,
        time: f64,
        passes: u32,
        carries: bool,
        quantum: Quantum,
    ) -> Self {
        let roughness = config.manning * config.manning;
        let one = quantum.metres(1);
        let dry = quantum.nearest((config.infiltration + config.evaporation) * time);
        Self {
            carries,
            dries: dry > 0.0,
            quantum,
            shift: (1.5 * f64::from(1_u32 << 23) * one) as f32,
            half: (0.5 * one) as f32,
            accelerate: (GRAVITY * time / cell_size) as f32,
            friction: (4.0 * GRAVITY * time * roughness) as f32,
            moves: (time / cell_size) as f32,
            per_metre: (cell_size / time) as f32,
            froude: (config.froude * GRAVITY.sqrt()) as f32,
            erode: (config.erodibility * time * WATER_WEIGHT * roughness) as f32,
            held: (config.erodibility * time * config.critical_shear) as f32,
            settles: (config.settling * time) as f32,
            dry,
            rise: (config.repose * cell_size) as f32,
            spread: (0.5 * f64::from(passes) * config.bank_width / (cell_size * cell_size)) as f32,
            falls: FALLS_PER_CUT * passes as f32,
            time,
        }
    }

    /// Unit discharge over a face before friction: `fall` is that of the water
    /// surface, `depth` the water over the sill.
    #[inline(always)]
    pub(super) fn pushed(&self, fall: f32, depth: f32, discharge: f32) -> f32 {
        let pushed = discharge + self.accelerate * depth * fall;
        if depth > FILM { pushed } else { 0.0 }
    }

    /// Unit discharge over a face after the step: friction is taken at the
    /// step's end, where it is the root of a square equation for the speed.
    /// `across` is what is `pushed` along the face: both directions are slowed
    /// alike, so that nothing turns flow towards an axis or away from it.
    /// `holds` is the water of the two cells.
    #[inline(always)]
    pub(super) fn discharge(&self, pushed: f32, across: f32, depth: f32, holds: [f32; 2]) -> f32 {
        let deep = if depth > FILM { depth } else { FILM };
        let whole = (pushed * pushed + across * across).sqrt();
        let root = 1.0 + (1.0 + self.friction * whole * inverse_7_3(deep)).sqrt();
        // Either Manning's 2 / root or the Froude number's most / whole.
        let most = self.froude * deep * deep.sqrt();
        let critical = 2.0 * whole > most * root;
        let (share, of) = if critical { (most, whole) } else { (2.0, root) };
        let slowed = pushed * (share / of);
        let high = LEAVES * self.per_metre * holds[0];
        let low = -LEAVES * self.per_metre * holds[1];
        let held = if slowed > high { high } else { slowed };
        if held < low { low } else { held }
    }

    /// The whole quanta in `metres` >= 0, no more than there are. A float that
    /// has more than 24 bits of them keeps the upper ones.
    #[inline(always)]
    fn below(&self, metres: f32) -> f32 {
        let below = ((metres - self.half) + self.shift) - self.shift;
        if below > 0.0 { below } else { 0.0 }
    }

    /// Depth that such a discharge moves, in whole quanta and with its sign.
    #[inline(always)]
    pub(super) fn moved(&self, discharge: f32) -> f32 {
        with_sign_of(self.below(discharge.abs() * self.moves), discharge)
    }

    /// What goes with `moved` of water out of a cell that has `suspended` in it;
    /// `thin` is 1 over its depth.
    #[inline(always)]
    pub(super) fn carried(&self, moved: f32, thin: f32, suspended: f32) -> f32 {
        let share = moved.abs() * thin;
        let share = if share < LEAVES { share } else { LEAVES };
        with_sign_of(self.below(share * suspended), moved)
    }

    /// So much ground in whole quanta, with the sign of `drop`.
    #[inline(always)]
    pub(super) fn fallen(&self, slides: f32, drop: f32) -> f32 {
        with_sign_of(self.below(slides), drop)
    }

    /// Depth of the softest ground that a current takes in the step, in whole
    /// quanta: `square` is that of its unit discharge.
    #[inline(always)]
    pub(super) fn cut(&self, square: f32, depth: f32) -> f32 {
        let deep = if depth > CURRENT { depth } else { CURRENT };
        self.below(self.erode * square * inverse_7_3(deep) - self.held)
    }

    /// How far the bed sinks (rises, < 0) in the exchange with the water:
    /// `cut` of the softest ground could be taken, `loose` lies there, and `room`
    /// is how far it may sink.
    #[inline(always)]
    pub(super) fn exchange(&self, cell: Exchange) -> f32 {
        let Exchange { cut, loose, rock, depth, suspended, room, free } = cell;
        let soft = if cut < loose { cut } else { loose };
        let taken = soft + (cut - soft) * rock;
        // What settles, taken at the step's end.
        let net = (taken * depth - self.settles * suspended) / (depth + self.settles);
        let shallow = CHANGE_PER_DEPTH * depth;
        let most = if room < shallow { room } else { shallow };
        let net = if net > most { most } else { net };
        let net = if net < -shallow { -shallow } else { net };
        // What the last film leaves behind settles at once.
        free * if depth > FILM { net } else { -suspended }
    }

    /// How much ground a pass moves down over a face whose ground falls by
    /// `drop` >= 0; `cuts` is the sum of what its two cells' currents cut.
    #[inline(always)]
    pub(super) fn slide(&self, drop: f32, cuts: f32) -> f32 {
        let steep = drop - self.rise;
        let steep = if steep > 0.0 { steep } else { 0.0 };
        let spread = self.spread * cuts;
        let spread = if spread < SPREADS { spread } else { SPREADS };
        let falls = self.falls * cuts;
        let slides = SLIDES * steep;
        (if slides < falls { slides } else { falls }) + spread * drop
    }
}

/// A cell whose bed and water exchange grains, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    pub(super) cut: f32,
    pub(super) loose: f32,
    pub(super) rock: f32,
    pub(super) depth: f32,
    pub(super) suspended: f32,
    pub(super) room: f32,
    pub(super) free: f32,
}

/// `amount` >= 0 with the sign of another number.
#[inline(always)]
fn with_sign_of(amount: f32, other: f32) -> f32 {
    f32::from_bits(amount.to_bits() | (other.to_bits() & 0x8000_0000))
}

/// `ahead` where a flow is positive, `back` where it is negative. A choice of
/// bits: a choice of where to read from would keep a loop to one lane.
#[inline(always)]
pub(super) fn upstream(flow: f32, ahead: f32, back: f32) -> f32 {
    let mask = 0_u32.wrapping_sub(flow.to_bits() >> 31);
    f32::from_bits((ahead.to_bits() & !mask) | (back.to_bits() & mask))
}

/// Water over the higher of two beds, at the face between them, from the depths
/// and how far the surface of the first lies above the other's.
#[inline(always)]
pub(super) fn depth_between(drop: f32, here: f32, there: f32) -> f32 {
    let upper = upstream(drop, here, there);
    let over = upstream(drop, there, here) + drop.abs();
    if upper < over { upper } else { over }
}

/// 1 over `depth` to the power of 7/3, to 1.5e-3, from `+ - *` and shifts alone:
/// the bits of a float are nearly its logarithm, one step of Halley's does the
/// rest.
#[inline(always)]
pub(super) fn inverse_7_3(depth: f32) -> f32 {
    let bits = depth.to_bits();
    let third = (bits >> 2) + (bits >> 4);
    let third = third + (third >> 4);
    let third = third + (third >> 8);
    let root = f32::from_bits(0x54a2_0000_u32.wrapping_sub(third));
    let off = 1.0 - depth * (root * root * root);
    let root = root * (1.0 + off * (1.0 / 3.0 + (2.0 / 9.0) * off));
    let square = root * root;
    (square * root) * (square * square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bajada_grid::math;

    #[test]
    fn the_power_is_as_exact_as_it_says_at_any_depth() {
        let mut depth = 1e-4_f32;
        while depth < 9e3 {
            let truth = math::pow(f64::from(depth), -7.0 / 3.0);
            let off = f64::from(inverse_7_3(depth)) / truth - 1.0;
            assert!(off.abs() < 1.5e-3, "{depth}: {off:e}");
            depth *= 1.013;
        }
    }
}
