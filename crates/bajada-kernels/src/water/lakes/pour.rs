//! Fill, spill, merge: where poured water comes to stand.
//!
//! Water fills the basin that it falls into. A full hollow spills over its pass
//! into the basin beyond; where the hollow on that side is full too, the two
//! are one body from then on, and rise together. What a root cannot hold leaves
//! it for the basin beyond its own pass, and from basin 0 the map (Barnes,
//! Callaghan & Wickert 2021). Where water ends does not depend on the order in
//! which it is poured.
//!
//! Hollows that are not worth keeping hold no water of their own: what they get
//! goes on over their pass, as through the ground. They are flooded when the
//! hollow beside them is full.

use bajada_grid::{Cancelled, Task};

use super::hierarchy::{Hierarchy, Hollow, NONE};

/// Water that stands level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Its hollow.
    pub hollow: u32,
    /// m3.
    pub volume: f64,
    /// Whether it reaches its pass.
    pub full: bool,
}

/// Where all of it came to stand.
#[derive(Clone, Debug, Default)]
pub struct Poured {
    /// By hollow; no two share a cell.
    pub bodies: Vec<Body>,
    /// What left the map, m3.
    pub exported: f64,
}

struct State<'a> {
    hollows: &'a [Hollow],
    kept: Vec<bool>,
    /// Water in each hollow that is one body, m3.
    held: Vec<f64>,
    /// Whether a hollow is one body; basins always are.
    joined: Vec<bool>,
    /// Toward the largest body that a hollow is part of.
    above: Vec<u32>,
}

/// Pours `water[basin]` m3 into each basin; what is poured into basin 0 is
/// exported. Hollows for which `keep` is false hold nothing of their own.
///
/// # Errors
///
/// [`Cancelled`] when `task` is called off.
pub fn pour(
    task: &Task,
    hierarchy: &Hierarchy,
    water: &[f64],
    keep: impl Fn(&Hollow) -> bool,
) -> Result<Poured, Cancelled> {
    let hollows = &hierarchy.hollows[..];
    let mut water = water.to_vec();
    water.resize(hollows.len(), 0.0);
    let mut state = State::new(hollows, keep);
    let mut stack = Vec::new();
    // A root spills into one that was opened before it.
    for &root in hierarchy.roots.iter().rev() {
        stack.push(root);
        while let Some(hollow) = stack.pop() {
            task.check()?;
            match hollows[hollow as usize].children {
                Some([left, right]) => stack.extend([right, left]),
                None => {
                    let over = state.add(hollow, water[hollow as usize]);
                    water[hollows[root as usize].beyond as usize] += over;
                }
            }
        }
    }
    Ok(Poured { bodies: state.bodies(), exported: water[0] })
}

impl<'a> State<'a> {
    fn new(hollows: &'a [Hollow], keep: impl Fn(&Hollow) -> bool) -> Self {
        let mut state = Self {
            hollows,
            kept: hollows.iter().map(keep).collect(),
            held: vec![0.0; hollows.len()],
            joined: hollows.iter().map(|hollow| hollow.children.is_none()).collect(),
            above: (0..hollows.len() as u32).collect(),
        };
        // Children come first: a hollow with a part worth keeping is kept, and
        // one that is not has nothing inside to tell apart.
        for (hollow, children) in
            hollows.iter().enumerate().filter_map(|(i, h)| Some((i, h.children?)))
        {
            state.kept[hollow] |= children.iter().any(|&child| state.kept[child as usize]);
            if !state.kept[hollow] {
                state.join(hollow as u32);
            }
        }
        state
    }

    fn body(&mut self, hollow: u32) -> usize {
        let mut hollow = hollow as usize;
        while self.above[hollow] as usize != hollow {
            self.above[hollow] = self.above[self.above[hollow] as usize];
            hollow = self.above[hollow] as usize;
        }
        hollow
    }

    fn is_full(&self, hollow: usize) -> bool {
        self.joined[hollow] && self.held[hollow] >= self.hollows[hollow].capacity
    }

    /// Adds water to a basin; what its root does not hold comes back.
    fn add(&mut self, basin: u32, mut amount: f64) -> f64 {
        let mut body = self.body(basin);
        while amount > 0.0 {
            let Hollow { parent, sibling, beyond, capacity, .. } = self.hollows[body];
            if self.kept[body] {
                let room = capacity - self.held[body];
                if amount <= room {
                    self.held[body] += amount;
                    return 0.0;
                }
                if room > 0.0 {
                    amount -= room;
                }
                self.held[body] = capacity;
            }
            if parent == NONE {
                return amount;
            }
            let beside = sibling as usize;
            let takes_more = self.kept[beside] && !self.is_full(beside);
            body = if takes_more {
                self.body(beyond)
            } else {
                self.join(parent);
                parent as usize
            };
        }
        0.0
    }

    /// Makes both parts of `parent` one body.
    fn join(&mut self, parent: u32) {
        let index = parent as usize;
        for child in self.hollows[index].children.into_iter().flatten() {
            self.above[child as usize] = parent;
            self.held[index] += self.held[child as usize];
        }
        self.joined[index] = true;
    }

    fn bodies(&self) -> Vec<Body> {
        let whole =
            |hollow: &usize| self.held[*hollow] > 0.0 && self.above[*hollow] as usize == *hollow;
        let body = |hollow: usize| Body {
            hollow: hollow as u32,
            volume: self.held[hollow],
            full: self.is_full(hollow),
        };
        (1..self.hollows.len()).filter(whole).map(body).collect()
    }
}
