//! The sum of octaves at places that nothing moved.

use bajada_grid::Stream;

use super::super::lattice::{AREA, Lattice, Places, Scratch, WIDTH};
use super::super::octave::{self, Octave};
use super::super::sum::{Billow, Fbm, Hybrid, Ridged, Sum};
use super::finish::{self, Finish};
use super::{Fractal, NoiseConfig};

/// Octaves and how they add up.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    lattice: Lattice,
    fractal: Fractal,
    octaves: Vec<Octave>,
    finish: Finish,
}

/// Runs `$body` with `$sum` as the type that `$fractal` names.
macro_rules! with_sum {
    ($fractal:expr, $sum:ident => $body:expr) => {
        match $fractal {
            Fractal::Fbm => {
                type $sum = Fbm;
                $body
            }
            Fractal::Ridged => {
                type $sum = Ridged;
                $body
            }
            Fractal::Billow => {
                type $sum = Billow;
                $body
            }
            Fractal::Hybrid => {
                type $sum = Hybrid;
                $body
            }
        }
    };
}

/// Room for the work on a tile, to be used again.
pub(super) struct Bench {
    scratch: Scratch,
    noise: Box<[f32; AREA]>,
    weights: Box<[f32; AREA]>,
    /// The heights of the last tile, and sums of octaves before.
    pub(super) heights: Box<[f32; AREA]>,
    /// Derivatives of the noise along the lattice's coordinates.
    along: Box<[[f32; AREA]; 2]>,
    running: Vec<Running>,
    /// The gradients of the last tile, if they were asked for.
    pub(super) gradients: Vec<[f64; 2]>,
}

impl Bench {
    pub(super) fn new() -> Self {
        let row = || Box::new([0.0; AREA]);
        Self {
            scratch: Scratch::new(),
            noise: row(),
            weights: row(),
            heights: row(),
            along: Box::new([[0.0; AREA]; 2]),
            running: Vec::new(),
            gradients: Vec::new(),
        }
    }
}

/// A sum of octaves on its way, with its derivative.
#[derive(Clone, Copy)]
struct Running {
    sum: f32,
    weight: f32,
    sum_slope: [f64; 2],
    weight_slope: [f64; 2],
}

impl Running {
    const START: Self = Self { sum: 0.0, weight: 1.0, sum_slope: [0.0; 2], weight_slope: [0.0; 2] };

    #[inline(always)]
    fn add<S: Sum>(&mut self, octave: &Octave, mean: f32, noise: f32, along: [f32; 2]) {
        let faded = finish::carried::<S>(noise, mean, octave.clarity);
        let signal = faded * self.weight;
        let steep = f64::from(octave.clarity * S::signal_slope(noise));
        let signal_slope = [0, 1].map(|axis| {
            let noise_slope = f64::from(along[0]) * octave.axes[0][axis]
                + f64::from(along[1]) * octave.axes[1][axis];
            f64::from(faded) * self.weight_slope[axis]
                + f64::from(self.weight) * steep * noise_slope
        });
        for (sum, slope) in self.sum_slope.iter_mut().zip(signal_slope) {
            *sum += f64::from(octave.share) * slope;
        }
        self.sum += octave.share * signal;
        self.weight = S::next_weight(signal);
        let opening = f64::from(S::next_weight_slope(signal));
        self.weight_slope = signal_slope.map(|slope| opening * slope);
    }
}

impl Plain {
    pub(super) fn new(config: &NoiseConfig, stream: Stream, cell_size: f64) -> Self {
        let mut octaves = octave::octaves(config, stream, cell_size);
        for octave in &mut octaves {
            octave.axes = config.lattice.fitted(octave.axes);
        }
        Self {
            lattice: config.lattice,
            fractal: config.fractal,
            octaves,
            finish: Finish::new(config, config.lattice.character()),
        }
    }

    pub(super) fn value(&self, x: f64, y: f64) -> f32 {
        let noise = |octave: &Octave| self.lattice.value(octave.place(x, y), octave.key);
        with_sum!(self.fractal, S => self.finish.height_of::<S>(&self.octaves, noise))
    }

    pub(super) fn value_with_gradient(&self, x: f64, y: f64) -> (f32, [f64; 2]) {
        with_sum!(self.fractal, S => self.gradient_as::<S>(x, y))
    }

    fn gradient_as<S: Sum>(&self, x: f64, y: f64) -> (f32, [f64; 2]) {
        let mean = self.finish.mean::<S>();
        let mut running = Running::START;
        for octave in &self.octaves {
            let (noise, along) = if octave.clarity > 0.0 {
                self.lattice.value_with_slope(octave.place(x, y), octave.key)
            } else {
                (0.0, [0.0; 2])
            };
            running.add::<S>(octave, mean, noise, along);
        }
        self.finished::<S>(&running)
    }

    fn finished<S: Sum>(&self, running: &Running) -> (f32, [f64; 2]) {
        let factor = self.finish.height_slope::<S>(running.sum);
        (self.finish.height::<S>(running.sum), running.sum_slope.map(|slope| factor * slope))
    }

    /// Heights of a tile's samples, to `bench`: the bits of [`Plain::value`].
    pub(super) fn tile(&self, places: &impl Places, bench: &mut Bench) {
        with_sum!(self.fractal, S => self.tile_as::<S>(places, bench));
    }

    fn tile_as<S: Sum>(&self, places: &impl Places, bench: &mut Bench) {
        let mean = self.finish.mean::<S>();
        let count = places.rows() * WIDTH;
        let weights = &mut bench.weights[..count];
        let heights = &mut bench.heights[..count];
        weights.fill(1.0);
        heights.fill(0.0);
        for octave in &self.octaves {
            if octave.clarity > 0.0 {
                self.lattice.tile(octave, places, &mut bench.scratch, &mut bench.noise);
            } else {
                bench.noise.fill(0.0);
            }
            for ((sum, weight), &noise) in heights.iter_mut().zip(&mut *weights).zip(&*bench.noise)
            {
                finish::add::<S>(noise, mean, octave, sum, weight);
            }
        }
        for sum in heights {
            *sum = self.finish.height::<S>(*sum);
        }
    }

    /// Heights and gradients of a tile's samples, to `bench`: the bits of
    /// [`Plain::value_with_gradient`].
    pub(super) fn tile_with_gradient(&self, places: &impl Places, bench: &mut Bench) {
        with_sum!(self.fractal, S => self.tile_with_gradient_as::<S>(places, bench));
    }

    fn tile_with_gradient_as<S: Sum>(&self, places: &impl Places, bench: &mut Bench) {
        let mean = self.finish.mean::<S>();
        let count = places.rows() * WIDTH;
        let Bench { scratch, noise, along, running, gradients, heights, .. } = bench;
        running.clear();
        running.resize(count, Running::START);
        for octave in &self.octaves {
            if octave.clarity > 0.0 {
                self.lattice.tile_with_slope(octave, places, scratch, noise, along);
            } else {
                noise.fill(0.0);
                *along.as_mut() = [[0.0; AREA]; 2];
            }
            for (place, running) in running.iter_mut().enumerate() {
                running.add::<S>(octave, mean, noise[place], [along[0][place], along[1][place]]);
            }
        }
        gradients.clear();
        for (height, running) in heights.iter_mut().zip(&*running) {
            let (value, gradient) = self.finished::<S>(running);
            *height = value;
            gradients.push(gradient);
        }
    }
}
