//! The workers: take the most urgent node that can run, run it, hand its
//! values on.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bajada_grid::{Digest, Ledger, Memory, Task};
use bajada_node::{NodeError, Value};
use bajada_plan::{KeyParts, Plan, PlanNode};
use petgraph::stable_graph::NodeIndex;
use rayon::ThreadPoolBuilder;

use crate::cache::{Action, Cache};
use crate::chain;
use crate::observe::{Event, Observer};
use crate::report::{LedgerReport, NodeReport, NodeState, OutputStats, RunReport};
use crate::schedule::Schedule;
use crate::slot::evaluate;

/// Most nodes that run side by side.
const MAX_SLOTS: usize = 3;

/// How to run.
pub struct RunOptions<'a> {
    /// Threads for the loops of one node; also bounds the nodes side by side.
    pub threads: usize,
    /// What is already known.
    pub cache: &'a dyn Cache,
    /// The stop button.
    pub task: &'a Task,
    /// Who wants to know.
    pub observer: &'a dyn Observer,
}

/// What a run gives.
pub struct Run {
    /// What became of everything.
    pub report: RunReport,
    /// For each output of the plan, the node's values; `None` where it failed.
    pub outputs: Vec<Option<Vec<Value>>>,
    /// The record of each node that ran or was reused, by node index.
    pub actions: Vec<Option<Action>>,
}

/// Runs the wanted nodes of `plan`.
pub fn run(plan: &Plan, options: &RunOptions<'_>) -> std::io::Result<Run> {
    let start = Instant::now();
    let schedule = Schedule::new(plan);
    let memory = Memory::new();
    let wanted = schedule.wanted.iter().filter(|wanted| **wanted).count();
    options.observer.notice(&Event::Planned { nodes: wanted });

    let threads = options.threads.max(1);
    let pools = (0..threads.min(MAX_SLOTS).min(wanted.max(1)))
        .map(|_| ThreadPoolBuilder::new().num_threads(threads).build())
        .collect::<Result<Vec<_>, _>>()
        .map_err(std::io::Error::other)?;
    let shared = Shared {
        plan,
        schedule: &schedule,
        options,
        memory: &memory,
        state: Mutex::new(State::new(plan, &schedule)),
        changed: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for pool in &pools {
            scope.spawn(|| shared.work(pool));
        }
    });
    let state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(collect(plan, &schedule, options.task, &memory, state, start))
}

fn collect(
    plan: &Plan,
    schedule: &Schedule,
    task: &Task,
    memory: &Memory,
    state: State,
    start: Instant,
) -> Run {
    let nodes: Vec<NodeReport> =
        plan.order.iter().filter_map(|node| state.reports[node.index()].clone()).collect();
    let done = |node: &NodeReport| matches!(node.state, NodeState::Ran | NodeState::Reused);
    let ok = nodes.iter().all(done);
    let ledgers: Vec<(NodeIndex, &Ledger)> = chain::elevation_chain(plan)
        .into_iter()
        .filter_map(|node| Some((node, state.actions[node.index()].as_ref()?.ledger.as_ref()?)))
        .collect();
    let report = RunReport {
        ok,
        cancelled: task.is_cancelled(),
        nodes,
        ledger: if ok { chain::sum(plan, schedule, &ledgers) } else { None },
        milliseconds: start.elapsed().as_secs_f64() * 1e3,
        peak_bytes: memory.peak(),
    };
    let outputs =
        plan.outputs.iter().map(|output| state.values[output.node.index()].clone()).collect();
    Run { report, outputs, actions: state.actions }
}

/// Where each node stands, by node index.
struct State {
    /// Wanted nodes that have not begun, in no order.
    waiting: Vec<NodeIndex>,
    running: usize,
    reports: Vec<Option<NodeReport>>,
    actions: Vec<Option<Action>>,
    values: Vec<Option<Vec<Value>>>,
    /// Readers that have not taken the values yet.
    readers: Vec<usize>,
}

impl State {
    fn new(plan: &Plan, schedule: &Schedule) -> Self {
        let bound = schedule.wanted.len();
        let wanted = |node: &NodeIndex| schedule.wanted[node.index()];
        let mut readers = schedule.readers.clone();
        for output in &plan.outputs {
            // The façade reads it, after everyone else.
            readers[output.node.index()] += 1;
        }
        Self {
            waiting: plan.order.iter().copied().filter(wanted).collect(),
            running: 0,
            reports: vec![None; bound],
            actions: vec![None; bound],
            values: vec![None; bound],
            readers,
        }
    }

    /// The most urgent node whose inputs are all settled.
    fn next(&mut self, plan: &Plan, schedule: &Schedule) -> Option<NodeIndex> {
        let settled = |node: &NodeIndex| {
            let inputs = plan.graph[*node].inputs.iter().flatten();
            inputs.into_iter().all(|link| self.reports[link.node.index()].is_some())
        };
        let ready = self.waiting.iter().enumerate().filter(|(_, node)| settled(node));
        // Ties go to the earlier one in the plan's order.
        let best = ready.max_by_key(|(place, node)| {
            (schedule.urgency[node.index()], std::cmp::Reverse(*place))
        });
        let place = best.map(|(place, _)| place)?;
        Some(self.waiting.remove(place))
    }
}

struct Shared<'a> {
    plan: &'a Plan,
    schedule: &'a Schedule,
    options: &'a RunOptions<'a>,
    memory: &'a Arc<Memory>,
    state: Mutex<State>,
    changed: Condvar,
}

/// A node about to be settled: everything taken out of the shared state.
struct Begun {
    node: NodeIndex,
    inputs: Vec<Option<Value>>,
    hashes: Vec<Option<Digest>>,
    /// The first input that gave nothing.
    broken_input: Option<NodeIndex>,
}

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, pool: &rayon::ThreadPool) {
        while let Some(begun) = self.begin() {
            let node = begun.node;
            let settled = self.settle(begun, pool);
            self.end(node, settled);
        }
    }

    /// The next node, with its inputs; waits until there is one. `None` when
    /// nothing is left to begin.
    fn begin(&self) -> Option<Begun> {
        let mut state = self.lock();
        loop {
            if let Some(node) = state.next(self.plan, self.schedule) {
                state.running += 1;
                return Some(self.gather(&mut state, node));
            }
            if state.waiting.is_empty() || state.running == 0 {
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes the inputs of `node`; values that nobody else reads are released.
    fn gather(&self, state: &mut State, node: NodeIndex) -> Begun {
        let links = &self.plan.graph[node].inputs;
        let mut begun = Begun { node, inputs: Vec::new(), hashes: Vec::new(), broken_input: None };
        for link in links {
            let source = link.map(|link| (link.node.index(), link.port));
            let action = source.and_then(|(source, _)| state.actions[source].as_ref());
            begun.hashes.push(source.and_then(|(_, port)| Some(action?.outputs[port].content)));
            begun.inputs.push(
                source
                    .and_then(|(source, port)| Some(state.values[source].as_ref()?[port].clone())),
            );
            if link.is_some() && action.is_none() && begun.broken_input.is_none() {
                begun.broken_input = link.map(|link| link.node);
            }
        }
        let mut sources: Vec<usize> =
            links.iter().flatten().map(|link| link.node.index()).collect();
        sources.sort_unstable();
        sources.dedup();
        for source in sources {
            state.readers[source] -= 1;
            if state.readers[source] == 0 {
                state.values[source] = None;
            }
        }
        begun
    }

    fn settle(&self, begun: Begun, pool: &rayon::ThreadPool) -> Settled {
        let node = &self.plan.graph[begun.node];
        if let Some(broken) = begun.broken_input {
            let reason = format!("`{}` gave nothing", self.plan.graph[broken].name);
            return Settled::without(node, NodeState::Skipped, reason);
        }
        if self.options.task.is_cancelled() {
            return Settled::without(node, NodeState::Skipped, "stopped".to_owned());
        }
        let cache = self.options.cache;
        let world = &self.plan.world;
        let parts = KeyParts::new(node.spec(), &node.params, &begun.hashes, world, node.seed);
        let key = parts.action();
        let start = Instant::now();
        if let Some(action) = cache.find(&key) {
            let values: Option<Vec<Value>> =
                action.outputs.iter().map(|output| cache.load(&output.content)).collect();
            if let Some(values) = values {
                cache.keep(&node.name, key, &action, &values);
                let reason = "inputs and parameters identical".to_owned();
                let milliseconds = start.elapsed().as_secs_f64() * 1e3;
                return Settled::with(
                    node,
                    NodeState::Reused,
                    reason,
                    milliseconds,
                    0,
                    action,
                    values,
                );
            }
        }
        let reason = reason(&parts, cache.last(&node.name).as_ref());
        let memory = self.memory.child();
        let task = self.options.task.part();
        self.options.observer.notice(&Event::Started {
            name: &node.name,
            kind: node.spec().id,
            task: &task,
        });
        let result = pool.install(|| evaluate(node, world, &begun.inputs, parts, &memory, &task));
        drop(begun.inputs);
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        match result {
            Ok(done) => {
                cache.keep(&node.name, key, &done.action, &done.values);
                let (action, values, peak) = (done.action, done.values, memory.peak());
                Settled::with(node, NodeState::Ran, reason, milliseconds, peak, action, values)
            }
            Err(NodeError::Cancelled) => {
                Settled::without(node, NodeState::Skipped, "stopped".to_owned())
            }
            Err(error) => Settled::without(node, NodeState::Failed, error.to_string()),
        }
    }

    fn end(&self, node: NodeIndex, settled: Settled) {
        self.options.observer.notice(&Event::Finished { report: &settled.report });
        let mut state = self.lock();
        state.running -= 1;
        state.reports[node.index()] = Some(settled.report);
        state.actions[node.index()] = settled.action;
        if state.readers[node.index()] > 0 {
            state.values[node.index()] = settled.values;
        }
        self.changed.notify_all();
    }
}

/// What became of a node, before it goes back into the shared state.
struct Settled {
    report: NodeReport,
    action: Option<Action>,
    values: Option<Vec<Value>>,
}

impl Settled {
    fn without(node: &PlanNode, state: NodeState, reason: String) -> Self {
        let report = NodeReport {
            name: node.name.clone(),
            kind: node.spec().id,
            state,
            reason,
            milliseconds: 0.0,
            peak_bytes: 0,
            ledger: None,
            outputs: Vec::new(),
            notes: Vec::new(),
        };
        Self { report, action: None, values: None }
    }

    fn with(
        node: &PlanNode,
        state: NodeState,
        reason: String,
        milliseconds: f64,
        peak_bytes: u64,
        action: Action,
        values: Vec<Value>,
    ) -> Self {
        let outputs = node.spec().outputs.iter().zip(&action.outputs).map(|(output, record)| {
            (output.name, OutputStats::new(&record.content, record.stats.as_ref()))
        });
        let report = NodeReport {
            milliseconds,
            peak_bytes,
            ledger: action.ledger.as_ref().map(LedgerReport::from),
            outputs: outputs.collect(),
            notes: action.notes.clone(),
            ..Self::without(node, state, reason).report
        };
        Self { report, action: Some(action), values: Some(values) }
    }
}

fn reason(parts: &KeyParts, before: Option<&KeyParts>) -> String {
    let Some(before) = before else { return "never built".to_owned() };
    let changes = parts.changes_since(before);
    if changes.is_empty() {
        return "its values were no longer kept".to_owned();
    }
    changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
