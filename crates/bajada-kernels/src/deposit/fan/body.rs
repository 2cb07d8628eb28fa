//! One fan: where its surface lies, which cells it reaches, how much it holds.

use bajada_grid::{Cancelled, Grid, Stream, Task, math};

use super::catchment::Catchments;
use super::character::Scallops;
use super::coalesce::Envelope;
use super::profile::Profile;
use super::{Emplacement, FanConfig, Layer};
use crate::deposit::apices::Apex;
use crate::geodesic::{March, Seeds};

/// The ground as fans see it.
pub(super) struct Site<'a> {
    /// The ground, cuts made, m.
    pub heights: &'a Grid<f64>,
    /// Ground may rise where this is at least 0.5.
    pub mask: Option<&'a Grid<f32>>,
    /// Whose water each cell is.
    pub catchments: &'a Catchments,
}

/// What gives way to the volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The apex rises.
    Aggrade,
    /// The profile flattens.
    Anchored,
}

/// Ground upstream of an apex counts as a canyon's that rises by at least this
/// share of the head's slope; level ground has no upstream.
const CANYON_RISE: f64 = 0.15;

/// How far below a neighbor's surface a fan still looks for ground that it may
/// win, m.
const CONTESTED: f64 = 4.0;

/// Farthest that an apex moves down its channel, m.
const FARTHEST_INTERSECTION: f64 = 3000.0;

/// How many times its volume a fan may reach for before that is a jump.
const MOST_SPILL: f64 = 1.5;

/// How near to a jump the apex is set, m.
const JUMP_WITHIN: f64 = 0.05;

/// A fan in the making.
pub(super) struct Body {
    /// Its number, 1 and up.
    pub label: u32,
    /// Cell of the apex.
    pub apex: usize,
    /// Volume to hold, m3.
    pub volume: f64,
    /// m2.
    pub catchment_area: f64,
    /// Unit vector down the valley.
    pub bearing: [f64; 2],
    /// Shape of the surface.
    pub profile: Profile,
    /// What gives way.
    pub way: Way,
    /// Surface at the apex, m.
    pub level: f64,
    /// Factor on the profile.
    pub sigma: f64,
    /// Cells that it reached.
    pub cells: Vec<u32>,
    /// Drop of the unflattened profile from the apex to each of them, m.
    pub fall: Vec<f64>,
    /// Way to each of them, m; below 0 up the canyon.
    pub distance: Vec<f64>,
    /// Whether it stands where a hair more would spill far down a slope.
    pub at_jump: bool,
    least_flatness: f64,
    back_fill: f64,
    scallops: Scallops,
}

impl Body {
    pub(super) fn new(
        site: &Site<'_>,
        apex: &Apex,
        volume: f64,
        label: u32,
        config: &FanConfig,
        stream: Stream,
    ) -> Self {
        let bed = site.heights[apex.cell];
        Self {
            label,
            apex: apex.cell,
            volume,
            catchment_area: apex.catchment_area,
            bearing: apex.bearing,
            profile: Profile::of_catchment(apex.catchment_area, config),
            way: match config.emplacement {
                Emplacement::Aggrade => Way::Aggrade,
                Emplacement::Auto | Emplacement::Anchored => Way::Anchored,
            },
            level: bed,
            sigma: 1.0,
            cells: Vec::new(),
            fall: Vec::new(),
            distance: Vec::new(),
            at_jump: false,
            least_flatness: math::clamp(config.least_flatness, 0.01, 1.0),
            back_fill: math::clamp(config.back_fill, 0.0, 1.0),
            scallops: Scallops::new(site, apex.cell, config, stream),
        }
    }

    /// Surface at a cell of the list, m.
    #[inline(always)]
    pub(super) fn surface(&self, place: usize) -> f64 {
        self.level - self.sigma * self.fall[place]
    }

    /// Whether it is as flat as it may be: what it cannot hold is surplus.
    pub(super) fn is_full(&self) -> bool {
        self.way == Way::Anchored && self.sigma <= self.least_flatness
    }

    /// Gives the bed of the channel up: the apex rises.
    pub(super) fn let_rise(&mut self, site: &Site<'_>) {
        self.way = Way::Aggrade;
        self.sigma = 1.0;
        // Half a cone of the head's slope.
        let squared = self.profile.head * self.profile.head;
        let cube = 6.0 * self.volume * squared / std::f64::consts::PI;
        self.level = site.heights[self.apex] + 0.6 * math::pow(math::max(cube, 0.0), 1.0 / 3.0);
    }

    /// Finds the cells that the fan reaches as it stands, against `others`.
    pub(super) fn reach(
        &mut self,
        task: &Task,
        site: &Site<'_>,
        march: &mut March,
        others: &Envelope,
    ) -> Result<(), Cancelled> {
        let (level, sigma, profile) = (self.level, self.sigma, self.profile);
        let bed = site.heights[self.apex];
        let may_rise = |cell: usize| site.mask.is_none_or(|mask| mask[cell] >= 0.5);
        let lies_below = |cell: usize, surface: f64| {
            may_rise(cell)
                && site.heights[cell] < surface
                && others.without(cell, self.label) < surface + CONTESTED
        };
        let apex = [(self.apex, 0.0)];
        let center = Some(self.apex);
        let mut seeds = Vec::new();
        if self.way == Way::Aggrade && self.back_fill > 0.0 {
            let rise = self.back_fill * profile.head;
            let canyon = |cell: usize, way: f64| {
                site.catchments.drains_through(cell, self.label)
                    && site.heights[cell] > bed + CANYON_RISE * profile.head * way
                    && lies_below(cell, level + rise * way)
            };
            march.run(task, &Seeds { cells: &apex, center }, canyon)?;
            // The canyon's fill is the profile at a way below 0, and spills
            // from there over every divide that it buries.
            let filled = march.reached().iter();
            seeds.extend(
                filled
                    .map(|&cell| (cell as usize, -self.back_fill * march.distance(cell as usize))),
            );
        } else {
            seeds = self.trench(site);
        }
        let scallops = &self.scallops;
        let drop = |cell: usize, way: f64| profile.drop(scallops.bend(cell, way));
        march.run(task, &Seeds { cells: &seeds, center }, |cell, way| {
            lies_below(cell, level - sigma * drop(cell, way))
        })?;
        self.cells.clear();
        self.fall.clear();
        self.distance.clear();
        for &cell in march.reached() {
            // An apex on ground that may not rise is where ways begin, no more.
            if !may_rise(cell as usize) {
                continue;
            }
            let way = march.distance(cell as usize);
            self.cells.push(cell);
            self.distance.push(way);
            self.fall.push(drop(cell as usize, way));
        }
        Ok(())
    }

    /// The channel below an anchored apex for as far as its bed is higher than
    /// the fan: water stays in it, and the fan begins where they meet.
    fn trench(&self, site: &Site<'_>) -> Vec<(usize, f64)> {
        let domain = site.heights.domain();
        let mut seeds = vec![(self.apex, 0.0)];
        let (mut before, mut way) = (self.apex, 0.0);
        for cell in site.catchments.channel(self.apex).skip(1) {
            let ((x, y), (bx, by)) = (domain.column_row(cell), domain.column_row(before));
            let straight = x == bx || y == by;
            way += domain.cell_size() * if straight { 1.0 } else { std::f64::consts::SQRT_2 };
            let surface = self.level - self.sigma * self.profile.drop(way);
            if way > FARTHEST_INTERSECTION || site.heights[cell] < surface {
                break;
            }
            seeds.push((cell, way));
            before = cell;
        }
        seeds
    }

    /// Moves the surface until the cells of the last [`Body::reach`] hold
    /// `volume` m3 where it is higher than `others`, by at most `step` m: more
    /// would be built on cells that it can leave.
    pub(super) fn solve(&mut self, site: &Site<'_>, others: &Envelope, volume: f64, step: f64) {
        let cell_area = site.heights.domain().cell_area();
        let floors: Vec<(f64, f64)> = self
            .cells
            .iter()
            .map(|&cell| {
                let ground = site.heights[cell as usize];
                let other = others.without(cell as usize, self.label);
                (ground, math::max(ground, other))
            })
            .collect();
        let (level, sigma, fall) = (self.level, self.sigma, &self.fall);
        match self.way {
            Way::Aggrade => {
                let held = |level: f64| {
                    let (mut sum, mut rate) = (0.0, 0.0);
                    for (&(ground, floor), fall) in floors.iter().zip(fall) {
                        let surface = level - sigma * fall;
                        if surface > floor {
                            sum += surface - ground;
                            rate += 1.0;
                        }
                    }
                    (cell_area * sum, cell_area * rate)
                };
                self.level = rising_root(held, volume, level, [level - step, level + step]);
            }
            Way::Anchored => {
                // More volume is less sigma: search along its negative.
                let held = |flatness: f64| {
                    let (mut sum, mut rate) = (0.0, 0.0);
                    for (&(ground, floor), fall) in floors.iter().zip(fall) {
                        let surface = level + flatness * fall;
                        if surface > floor {
                            sum += surface - ground;
                            rate += fall;
                        }
                    }
                    (cell_area * sum, cell_area * rate)
                };
                let range = [-1.0, -self.least_flatness];
                self.sigma = -rising_root(held, volume, -sigma, range);
            }
        }
    }

    /// Volume above ground that the cells of the last [`Body::reach`] hold, m3.
    fn held(&self, site: &Site<'_>) -> f64 {
        let over = |place: usize| {
            math::max(self.surface(place) - site.heights[self.cells[place] as usize], 0.0)
        };
        let sum: f64 = (0..self.cells.len()).map(over).sum();
        site.heights.domain().cell_area() * sum
    }

    /// Volume above ground that the cells of the last [`Body::reach`] hold where
    /// the fan is higher than `others`, m3.
    fn held_against(&self, site: &Site<'_>, others: &Envelope) -> f64 {
        let over = |(place, &cell): (usize, &u32)| {
            let (surface, ground) = (self.surface(place), site.heights[cell as usize]);
            let is_over = surface > math::max(ground, others.without(cell as usize, self.label));
            if is_over { surface - ground } else { 0.0 }
        };
        let sum: f64 = self.cells.iter().enumerate().map(over).sum();
        site.heights.domain().cell_area() * sum
    }

    /// Whether the surface as it stands, if it were let go, would reach far more
    /// ground than holds the volume: below the apex lies a slope steeper than
    /// the fan. The volume is no continuous function of the apex's height there,
    /// and rounds of reaching and solving only swing from side to side.
    pub(super) fn jumps(
        &mut self,
        task: &Task,
        site: &Site<'_>,
        march: &mut March,
        others: &Envelope,
    ) -> Result<bool, Cancelled> {
        if self.way == Way::Anchored || self.volume <= 0.0 {
            return Ok(false);
        }
        let before = (
            std::mem::take(&mut self.cells),
            std::mem::take(&mut self.fall),
            std::mem::take(&mut self.distance),
        );
        self.reach(task, site, march, others)?;
        let jumps = self.held_against(site, others) > MOST_SPILL * self.volume;
        if !jumps {
            (self.cells, self.fall, self.distance) = before;
        }
        Ok(jumps)
    }

    /// Sets the apex just above the height at which the fan spills, where it
    /// holds at least its volume; the layer is thinned to it afterwards.
    pub(super) fn stop_at_jump(
        &mut self,
        task: &Task,
        site: &Site<'_>,
        march: &mut March,
        others: &Envelope,
    ) -> Result<(), Cancelled> {
        let (mut low, mut high) = (site.heights[self.apex], self.level);
        while high - low > JUMP_WITHIN {
            self.level = 0.5 * (low + high);
            self.reach(task, site, march, others)?;
            if self.held_against(site, others) < self.volume {
                low = self.level;
            } else {
                high = self.level;
            }
        }
        self.level = high;
        self.at_jump = true;
        self.reach(task, site, march, others)
    }

    /// Decides, as if it were alone, whether the fan is anchored or aggrades,
    /// and takes a first guess.
    pub(super) fn settle_way(
        &mut self,
        task: &Task,
        site: &Site<'_>,
        march: &mut March,
        emplacement: Emplacement,
    ) -> Result<(), Cancelled> {
        let alone = Envelope::empty(site.heights, 0);
        if self.way == Way::Anchored && self.volume > 0.0 {
            self.sigma = self.least_flatness;
            self.reach(task, site, march, &alone)?;
            if self.held(site) < self.volume {
                if emplacement != Emplacement::Anchored {
                    self.let_rise(site);
                }
                return Ok(());
            }
            return self.find_intersection(task, site, march, &alone);
        }
        if self.way == Way::Aggrade {
            self.let_rise(site);
        }
        Ok(())
    }

    /// Moves the apex down the channel until the steepest fan holds no more
    /// than the volume.
    fn find_intersection(
        &mut self,
        task: &Task,
        site: &Site<'_>,
        march: &mut March,
        alone: &Envelope,
    ) -> Result<(), Cancelled> {
        let farthest = FARTHEST_INTERSECTION / site.heights.domain().cell_size();
        let channel: Vec<usize> =
            site.catchments.channel(self.apex).take(farthest as usize + 1).collect();
        let mut holds_more = |body: &mut Self, place: usize| {
            body.apex = channel[place];
            body.level = site.heights[body.apex];
            body.sigma = 1.0;
            body.reach(task, site, march, alone)?;
            Ok(body.held(site) > body.volume)
        };
        let (mut low, mut high) = (0, channel.len() - 1);
        if !holds_more(self, low)? {
            return Ok(());
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if holds_more(self, middle)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        holds_more(self, high)?;
        Ok(())
    }
}

/// Where the rising function `held` (value, rate) comes to `wanted`, from
/// `start` within `range`: Newton's method between ends that close in.
fn rising_root(held: impl Fn(f64) -> (f64, f64), wanted: f64, start: f64, range: [f64; 2]) -> f64 {
    let [mut low, mut high] = range;
    let mut now = math::clamp(start, low, high);
    for _ in 0..60 {
        let (value, rate) = held(now);
        if (value - wanted).abs() <= 1e-11 * wanted {
            break;
        }
        if value < wanted {
            low = now;
        } else {
            high = now;
        }
        if high - low <= 1e-10 {
            break;
        }
        let next = now + (wanted - value) / rate;
        // Also when there is no rate. A first step from nothing is small.
        now = if next > low && next < high {
            next
        } else if next >= high && high == range[1] && value < wanted {
            high
        } else {
            low + (high - low) / 2.0
        };
    }
    now
}

/// Way from its apex of each cell of the deposit, m, at least 0.
pub(super) fn ways(bodies: &[Body], heights: &Grid<f64>, layer: &Layer) -> Grid<f64> {
    let mut ways = heights.like(0.0_f64);
    for body in bodies {
        for (&cell, &way) in body.cells.iter().zip(&body.distance) {
            if layer.owner[cell as usize] == body.label {
                ways[cell as usize] = math::max(way, 0.0);
            }
        }
    }
    ways
}
