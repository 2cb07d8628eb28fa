//! Rows of the table: timed, and beside a peer.

use std::time::Instant;

/// Runs that a median is taken of.
pub(crate) const RUNS: usize = 5;

/// What a figure counts.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    /// Seconds of the whole: less is better.
    Seconds,
    /// Nanoseconds for each item: less is better.
    Nanoseconds,
    /// Millions of items a second: more is better.
    Millions,
}

impl Unit {
    fn figure(self, seconds: f64, items: f64) -> f64 {
        match self {
            Self::Seconds => seconds,
            Self::Nanoseconds => seconds / items * 1e9,
            Self::Millions => items / seconds * 1e-6,
        }
    }

    fn name(self, item: &str) -> String {
        match self {
            Self::Seconds => "s".to_owned(),
            Self::Nanoseconds => format!("ns/{item}"),
            Self::Millions => format!("M{item}/s"),
        }
    }

    /// How much better `ours` is.
    fn ratio(self, ours: f64, theirs: f64) -> f64 {
        match self {
            Self::Millions => ours / theirs,
            _ => theirs / ours,
        }
    }
}

/// One line of the table.
pub(crate) struct Row<'a, 'p> {
    pub(crate) name: &'a str,
    pub(crate) unit: Unit,
    pub(crate) item: &'a str,
    /// What a run of ours works on.
    pub(crate) items: f64,
    pub(crate) ours: &'a mut (dyn FnMut() + Send),
    pub(crate) peer: Option<Peer<'p>>,
    /// What we aim for on one thread, in the unit.
    pub(crate) target: Option<f64>,
}

/// Someone else's code for the same work.
pub(crate) struct Peer<'a> {
    pub(crate) name: &'a str,
    pub(crate) items: f64,
    pub(crate) run: &'a mut dyn FnMut(),
    /// What a run does besides, timed and taken off.
    pub(crate) besides: Option<&'a mut dyn FnMut()>,
}

pub(crate) struct Table {
    filter: Option<String>,
    /// Samples along a side of the map that kernels work on.
    pub(crate) side: u32,
    pools: [rayon::ThreadPool; 2],
}

impl Table {
    pub(crate) fn new() -> Self {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pools = [1, 2].map(|threads| pool(threads).expect("threads can be had"));
        // Cargo adds options of its own.
        let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-'));
        let (mut filter, mut side) = (None, 1024);
        for word in words.by_ref() {
            match word.parse() {
                Ok(samples) => side = samples,
                Err(_) => filter = Some(word),
            }
        }
        println!(
            "{:<34} {:>9} {:>10} {:>10} {:>8}  {:<28} {:>6}",
            "kernel", "unit", "1 thread", "2 threads", "target", "peer", "ratio"
        );
        Self { filter, side, pools }
    }

    pub(crate) fn wants_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.wants(name))
    }

    /// Cells of the map.
    pub(crate) fn cells(&self) -> f64 {
        f64::from(self.side) * f64::from(self.side)
    }

    fn wants(&self, name: &str) -> bool {
        self.filter.as_ref().is_none_or(|filter| name.contains(filter.as_str()))
    }

    pub(crate) fn row(&self, row: Row<'_, '_>) {
        if !self.wants(row.name) {
            return;
        }
        let Row { ours, mut peer, .. } = row;
        let [mut one, mut two, mut theirs] = [(); 3].map(|()| Vec::new());
        for run in 0..=RUNS {
            let single = self.pools[0].install(|| seconds(&mut *ours));
            let double = self.pools[1].install(|| seconds(&mut *ours));
            let other = peer.as_mut().map(|peer| {
                let besides = peer.besides.as_mut().map_or(0.0, |run| seconds(&mut **run));
                seconds(&mut *peer.run) - besides
            });
            if run > 0 {
                one.push(single);
                two.push(double);
                theirs.extend(other);
            }
        }
        let figures = [one, two].map(|times| row.unit.figure(median(times), row.items));
        let target = row.target.map_or(String::new(), digits);
        let beside = peer.map_or((String::new(), String::new()), |peer| {
            let figure = row.unit.figure(median(theirs), peer.items);
            let ratio = row.unit.ratio(figures[0], figure);
            (format!("{} {}", peer.name, digits(figure)), format!("{ratio:.1}"))
        });
        println!(
            "{:<34} {:>9} {:>10} {:>10} {target:>8}  {:<28} {:>6}",
            row.name,
            row.unit.name(row.item),
            digits(figures[0]),
            digits(figures[1]),
            beside.0,
            beside.1,
        );
    }
}

fn seconds(run: &mut (impl FnMut() + ?Sized)) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn digits(figure: f64) -> String {
    if figure >= 100.0 { format!("{figure:.0}") } else { format!("{figure:.3}") }
}
