//! One step after another on a tile of the map, row by row, in place.

use super::fields::Fields;
use super::law::{CUT_PER_DROP, Exchange, FILM, Step, depth_between, upstream};

/// Rows that a sweep keeps for itself: what a face needs of its cells as they
/// were before the step, and what crossed it.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Of this row and the next south.
    near: Cells,
    far: Cells,
    /// What pushes over the faces north and south of this row, and over those
    /// east of its cells and of the next row's.
    push_north: Push,
    push_south: Push,
    push_near: Push,
    push_far: Push,
    north: Moved,
    south: Moved,
    east: Moved,
    /// Ground of a row before it slides.
    bed_here: Vec<f64>,
    net: Vec<f32>,
    /// Depths of a row after its water has moved: water, what it carries, what
    /// lies loose below it.
    depths: [Vec<f32>; 3],
}

/// What a round gives to cells and takes from them, whole rows at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Sky {
    /// Rain of a step, m, in whole quanta.
    pub(super) gain: Vec<f64>,
    /// What has dried up, m.
    pub(super) lost: Vec<f64>,
    /// How far the bed may sink before the round is over, m.
    pub(super) room: Vec<f32>,
}

/// What faces need of a row of cells.
#[derive(Clone, Debug, Default)]
struct Cells {
    surface: Vec<f64>,
    water: Vec<f32>,
    suspended: Vec<f32>,
    /// 1 over the depth.
    thin: Vec<f32>,
}

/// Discharge over a row of faces before friction, and the depth there.
#[derive(Clone, Debug, Default)]
struct Push {
    discharge: Vec<f32>,
    depth: Vec<f32>,
}

impl Push {
    fn new(width: usize) -> Self {
        Self { discharge: vec![0.0; width], depth: vec![0.0; width] }
    }

    /// Reads it off two rows of cells and the discharge between them.
    #[inline(always)]
    fn read(&mut self, step: &Step, [near, far]: [Side<'_>; 2], before: &[f32]) {
        let n = before.len();
        let (near_surface, far_surface) = (&near.surface[..n], &far.surface[..n]);
        let (near_water, far_water) = (&near.water[..n], &far.water[..n]);
        let (discharge, depth) = (&mut self.discharge[..n], &mut self.depth[..n]);
        // Loops of one type of float use all lanes that it has.
        for i in 0..n {
            discharge[i] = (near_surface[i] - far_surface[i]) as f32;
        }
        for i in 0..n {
            let fall = discharge[i];
            depth[i] = depth_between(fall, near_water[i], far_water[i]);
            discharge[i] = step.pushed(fall, depth[i], before[i]);
        }
    }
}

/// What crosses a row of faces, m, > 0 to the east and south. Whole quanta:
/// sums of them are exact, in f64.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved {
    pub(super) water: Vec<f32>,
    pub(super) suspended: Vec<f32>,
}

impl Moved {
    fn new(width: usize) -> Self {
        Self { water: vec![0.0; width], suspended: vec![0.0; width] }
    }
}

impl Cells {
    fn new(width: usize) -> Self {
        let narrow = vec![0.0_f32; width];
        Self {
            surface: vec![0.0; width],
            water: narrow.clone(),
            suspended: narrow.clone(),
            thin: narrow,
        }
    }

    #[inline(always)]
    fn read(&mut self, fields: &Fields, y: usize, carries: bool) {
        let row = fields.span(y, &(0..fields.width));
        let n = row.len();
        let (bed, water) = (&fields.bed[row.clone()], &fields.water[row.clone()]);
        let (surface, shallow) = (&mut self.surface[..n], &mut self.water[..n]);
        for i in 0..n {
            surface[i] = bed[i] + water[i];
            shallow[i] = water[i] as f32;
        }
        if !carries {
            return;
        }
        let from = &fields.suspended[row];
        let (suspended, thin) = (&mut self.suspended[..n], &mut self.thin[..n]);
        for i in 0..n {
            suspended[i] = from[i] as f32;
            thin[i] = 1.0 / if shallow[i] > FILM { shallow[i] } else { FILM };
        }
    }
}

impl Rows {
    pub(super) fn new(width: usize) -> Self {
        let (wide, narrow) = (vec![0.0_f64; width], vec![0.0_f32; width]);
        Self {
            near: Cells::new(width),
            far: Cells::new(width),
            push_north: Push::new(width),
            push_south: Push::new(width),
            push_near: Push::new(width),
            push_far: Push::new(width),
            north: Moved::new(width),
            south: Moved::new(width),
            east: Moved::new(width),
            bed_here: wide,
            net: narrow.clone(),
            depths: [narrow.clone(), narrow.clone(), narrow],
        }
    }

    /// Lets one step pass for all cells but the outermost, which stand still.
    /// `crossed` is shown what crosses the faces
    /// south of each row, and then those east of its cells.
    #[inline(always)]
    pub(super) fn step(
        &mut self,
        fields: &mut Fields,
        step: &Step,
        sky: &mut Sky,
        mut crossed: impl FnMut(usize, &Moved, Option<&Moved>),
    ) {
        let (width, height) = (fields.width, fields.height);
        self.near.read(fields, 0, step.carries);
        let sides = [self.near.part(0..width - 1), self.near.part(1..width)];
        self.push_near.read(step, sides, &fields.east[..width - 1]);
        for y in 0..height - 1 {
            self.far.read(fields, y + 1, step.carries);
            let row = fields.span(y, &(0..width));
            let next = fields.span(y + 1, &(0..width));
            let inner = y > 0;
            let whole = [self.near.part(0..width), self.far.part(0..width)];
            self.push_south.read(step, whole, &fields.south[row.clone()]);
            let sides = [self.far.part(0..width - 1), self.far.part(1..width)];
            self.push_far.read(step, sides, &fields.east[next.start..next.end - 1]);
            {
                // Along a face south of a cell runs what its faces east and west
                // are pushed by.
                let (near, far) = (&self.push_near.discharge, &self.push_far.discharge);
                let across = [&near[..width - 2], &near[1..], &far[..width - 2], &far[1..]];
                let south = &mut fields.south[row.start + 1..row.end - 1];
                let span = 1..width - 1;
                let sides = [self.near.part(span.clone()), self.far.part(span.clone())];
                let push = [&self.push_south.discharge[1..], &self.push_south.depth[1..]];
                faces(step, sides, push, across, south, self.south.part(span));
            }
            crossed(y, &self.south, None);
            if inner {
                let (north, south) = (&self.push_north.discharge, &self.push_south.discharge);
                let across = [&north[..width - 1], &south[..width - 1], &north[1..], &south[1..]];
                let east = &mut fields.east[row.start..row.end - 1];
                let sides = [self.near.part(0..width - 1), self.near.part(1..width)];
                let push = [&self.push_near.discharge[..], &self.push_near.depth];
                faces(step, sides, push, across, east, self.east.part(0..width - 1));
                crossed(y, &self.south, Some(&self.east));
                self.flow(fields, step, y, sky);
                if step.carries {
                    self.settle(fields, step, y, &mut sky.room);
                }
            }
            std::mem::swap(&mut self.near, &mut self.far);
            std::mem::swap(&mut self.push_north, &mut self.push_south);
            std::mem::swap(&mut self.push_near, &mut self.push_far);
            std::mem::swap(&mut self.north, &mut self.south);
        }
    }

    /// What the cells of a row gain and lose over their faces and to the sky.
    #[inline(always)]
    fn flow(&mut self, fields: &mut Fields, step: &Step, y: usize, sky: &mut Sky) {
        let row = fields.span(y, &(1..fields.width - 1));
        let n = row.len();
        let water = &mut fields.water[row.clone()];
        gather(water, [&self.east.water, &self.north.water, &self.south.water]);
        let gain = &sky.gain[row.clone()];
        for i in 0..n {
            water[i] += gain[i];
        }
        if step.dries {
            let lost = &mut sky.lost[row.clone()];
            for i in 0..n {
                let dried = if step.dry < water[i] { step.dry } else { water[i] };
                water[i] -= dried;
                lost[i] += dried;
            }
        }
        if step.carries {
            let suspended = &mut fields.suspended[row];
            gather(suspended, [&self.east.suspended, &self.north.suspended, &self.south.suspended]);
        }
    }

    /// Lets the beds of a row exchange grains with their water.
    #[inline(always)]
    fn settle(&mut self, fields: &mut Fields, step: &Step, y: usize, room: &mut [f32]) {
        let row = fields.span(y, &(1..fields.width - 1));
        let n = row.len();
        let cut = &fields.cut[row.clone()];
        let (rock, free) = (&fields.rock[row.clone()], &fields.free[row.clone()]);
        let water = &fields.water[row.clone()];
        let suspended = &mut fields.suspended[row.clone()];
        let loose = &mut fields.loose[row.clone()];
        let room = &mut room[row.clone()];
        let [depth, carried, lies] = self.depths.each_mut().map(|row| &mut row[..n]);
        for i in 0..n {
            depth[i] = water[i] as f32;
            carried[i] = suspended[i] as f32;
            lies[i] = loose[i] as f32;
        }
        let net = &mut self.net[..n];
        for i in 0..n {
            net[i] = step.exchange(Exchange {
                cut: cut[i],
                loose: lies[i],
                rock: rock[i],
                depth: depth[i],
                suspended: carried[i],
                room: room[i],
                free: free[i],
            });
        }
        let bed = &mut fields.bed[row];
        for i in 0..n {
            let sinks = step.quantum.nearest(f64::from(net[i]));
            let sinks = if sinks < -suspended[i] { -suspended[i] } else { sinks };
            bed[i] -= sinks;
            suspended[i] += sinks;
            let left = loose[i] - sinks;
            loose[i] = if left > 0.0 { left } else { 0.0 };
        }
        for i in 0..n {
            let left = room[i] - if net[i] > 0.0 { net[i] } else { 0.0 };
            room[i] = if left > 0.0 { left } else { 0.0 };
        }
    }

    /// Lets ground that is too steep slide, and spreads what currents cut over
    /// their banks. All cells but the outermost take part.
    #[inline(always)]
    pub(super) fn slide(&mut self, fields: &mut Fields, step: &Step) {
        let (width, height) = (fields.width, fields.height);
        let inner = 1..width - 1;
        self.bed_here.copy_from_slice(&fields.bed[..width]);
        self.north.water.fill(0.0);
        for y in 0..height - 1 {
            let row = fields.span(y, &(0..width));
            let next = fields.span(y + 1, &(0..width));
            let below = &fields.bed[next.clone()];
            slides(
                step,
                [
                    Bank::new(fields, row.clone(), &self.bed_here),
                    Bank::new(fields, next.clone(), below),
                ],
                &mut self.south.water,
            );
            if y > 0 {
                let here = Bank::new(fields, row.clone(), &self.bed_here);
                let sides = [here.part(0..width - 1), here.part(1..width)];
                slides(step, sides, &mut self.east.water[..width - 1]);
            }
            self.bed_here.copy_from_slice(&fields.bed[next]);
            if y > 0 {
                let row = fields.span(y, &inner);
                let crossed = [&self.east.water, &self.north.water, &self.south.water];
                gather(&mut fields.bed[row.clone()], crossed.map(|moved| &moved[..]));
                let loose = &mut fields.loose[row];
                gather(loose, crossed.map(|moved| &moved[..]));
                for left in loose {
                    *left = if *left > 0.0 { *left } else { 0.0 };
                }
            }
            std::mem::swap(&mut self.north, &mut self.south);
        }
    }
}

/// How far each cell may sink in a round, m.
#[inline(always)]
pub(super) fn measure_room(fields: &Fields, room: &mut [f32]) {
    for y in 1..fields.height - 1 {
        let row = fields.span(y, &(1..fields.width - 1));
        let n = row.len();
        let beds = |from: usize| &fields.bed[from..from + n];
        let (bed, west, east) = (beds(row.start), beds(row.start - 1), beds(row.start + 1));
        let (upper, lower) = (beds(row.start - fields.width), beds(row.start + fields.width));
        let room = &mut room[row];
        for i in 0..n {
            let across = if west[i] < east[i] { west[i] } else { east[i] };
            let along = if upper[i] < lower[i] { upper[i] } else { lower[i] };
            let drop = (bed[i] - if across < along { across } else { along }) as f32;
            room[i] = if drop > 0.0 { CUT_PER_DROP * drop } else { 0.0 };
        }
    }
}

/// Adds to a row of cells but its ends what crossed the faces east of the cells
/// of the whole row, and north and south of it.
#[inline(always)]
fn gather(cells: &mut [f64], [east, north, south]: [&[f32]; 3]) {
    let n = cells.len();
    let (west, east) = (&east[..n], &east[1..=n]);
    let (north, south) = (&north[1..=n], &south[1..=n]);
    for i in 0..n {
        let across = f64::from(west[i]) - f64::from(east[i]);
        cells[i] += across + (f64::from(north[i]) - f64::from(south[i]));
    }
}

/// A row of cells on one side of its faces.
#[derive(Clone, Copy)]
struct Side<'a> {
    surface: &'a [f64],
    water: &'a [f32],
    suspended: &'a [f32],
    thin: &'a [f32],
}

impl Cells {
    fn part(&self, span: std::ops::Range<usize>) -> Side<'_> {
        Side {
            surface: &self.surface[span.clone()],
            water: &self.water[span.clone()],
            suspended: &self.suspended[span.clone()],
            thin: &self.thin[span],
        }
    }
}

impl Moved {
    fn part(&mut self, span: std::ops::Range<usize>) -> [&mut [f32]; 2] {
        [&mut self.water[span.clone()], &mut self.suspended[span]]
    }
}

/// Discharge over a row of faces after the step, and what crosses them.
/// `across` are the four pushes along each face, those of one cell first.
#[inline(always)]
fn faces(
    step: &Step,
    [near, far]: [Side<'_>; 2],
    [pushed, depth]: [&[f32]; 2],
    across: [&[f32]; 4],
    discharge: &mut [f32],
    [moved_water, moved_suspended]: [&mut [f32]; 2],
) {
    let n = discharge.len();
    let (near_water, far_water) = (&near.water[..n], &far.water[..n]);
    let (pushed, depth) = (&pushed[..n], &depth[..n]);
    let [a, b, c, d] = across.map(|faces| &faces[..n]);
    let moved_water = &mut moved_water[..n];
    for i in 0..n {
        let across = 0.25 * ((a[i] + b[i]) + (c[i] + d[i]));
        let holds = [near_water[i], far_water[i]];
        let flows = step.discharge(pushed[i], across, depth[i], holds);
        discharge[i] = flows;
        moved_water[i] = step.moved(flows);
    }
    if !step.carries {
        return;
    }
    let (near_thin, far_thin) = (&near.thin[..n], &far.thin[..n]);
    let (near_suspended, far_suspended) = (&near.suspended[..n], &far.suspended[..n]);
    let moved_suspended = &mut moved_suspended[..n];
    for i in 0..n {
        let moved = moved_water[i];
        let thin = upstream(moved, near_thin[i], far_thin[i]);
        let holds = upstream(moved, near_suspended[i], far_suspended[i]);
        moved_suspended[i] = step.carried(moved, thin, holds);
    }
}

/// A row of cells whose ground may slide.
#[derive(Clone, Copy)]
struct Bank<'a> {
    bed: &'a [f64],
    loose: &'a [f64],
    rock: &'a [f32],
    free: &'a [f32],
    cut: &'a [f32],
}

impl<'a> Bank<'a> {
    fn new(fields: &'a Fields, row: std::ops::Range<usize>, bed: &'a [f64]) -> Self {
        Self {
            bed,
            loose: &fields.loose[row.clone()],
            rock: &fields.rock[row.clone()],
            free: &fields.free[row.clone()],
            cut: &fields.cut[row],
        }
    }

    fn part(&self, span: std::ops::Range<usize>) -> Self {
        Self {
            bed: &self.bed[span.clone()],
            loose: &self.loose[span.clone()],
            rock: &self.rock[span.clone()],
            free: &self.free[span.clone()],
            cut: &self.cut[span],
        }
    }
}

/// What slides over a row of faces, m, in whole quanta.
#[inline(always)]
fn slides(step: &Step, [near, far]: [Bank<'_>; 2], moved: &mut [f32]) {
    let n = moved.len();
    let (near_bed, far_bed) = (&near.bed[..n], &far.bed[..n]);
    let (near_loose, far_loose) = (&near.loose[..n], &far.loose[..n]);
    let (near_rock, far_rock) = (&near.rock[..n], &far.rock[..n]);
    let (near_free, far_free) = (&near.free[..n], &far.free[..n]);
    let (near_cut, far_cut) = (&near.cut[..n], &far.cut[..n]);
    for i in 0..n {
        let drop = (near_bed[i] - far_bed[i]) as f32;
        let slides = step.slide(drop.abs(), near_cut[i] + far_cut[i]);
        let loose = upstream(drop, near_loose[i] as f32, far_loose[i] as f32);
        let rock = upstream(drop, near_rock[i], far_rock[i]);
        let loose = 0.25 * loose;
        let soft = if slides < loose { slides } else { loose };
        let free = if near_free[i] < far_free[i] { near_free[i] } else { far_free[i] };
        let slides = free * (soft + (slides - soft) * rock);
        moved[i] = step.fallen(slides, drop);
    }
}
