//! The checker: a document in, a plan or everything that is wrong out.

use std::collections::BTreeMap;

use bajada_graph::{Code, Diagnostic, Document, Link, NodeDecl, Severity, Spanned, nearest};
use bajada_grid::Stream;
use bajada_node::{Node, Registry, ValueKind, Wiring, World};
use petgraph::stable_graph::{NodeIndex, StableDiGraph};

use crate::arguments::{Decoded, decode_arguments, link_text};
use crate::assets::AssetIndex;
use crate::cycles::{LinkPlaces, cycles};
use crate::kinds::{mismatch, output_kinds};
use crate::outputs::{check_paths, set_container};
use crate::plan::{InputLink, Plan, PlanNode, PlanOutput};
use crate::world::{SamplesOverride, world};

/// What can be asked of a check from outside the graph.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Another number of samples over the same extent.
    pub samples: Option<SamplesOverride>,
    /// Build only these: `node`, `node.port` or the name of an output. Empty
    /// means every output.
    pub targets: Vec<String>,
}

/// The outcome of a check.
#[derive(Debug)]
pub struct Checked {
    /// The plan, unless something is wrong.
    pub plan: Option<Plan>,
    /// Everything that is wrong or doubtful, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// Targets that name nothing, each with the names nearest to it.
    pub unknown_targets: Vec<(String, Vec<String>)>,
}

/// Checks a document. Never stops at the first mistake.
pub fn check(
    document: &Document,
    registry: &Registry,
    assets: &AssetIndex,
    options: &CheckOptions,
) -> Checked {
    let mut checker = Checker { document, registry, assets, found: Vec::new() };
    let drafts = checker.drafts();
    let (graph, places) = checker.link(&drafts);
    checker.found.extend(cycles(&graph, &places));
    let order = order(&graph);
    let world = world(document, assets, options.samples);
    let kinds = checker.kinds(&drafts, &graph, &order);
    checker.outputs();
    let world = world.map_err(|diagnostic| checker.found.push(diagnostic)).ok();
    let (targets, unknown_targets) = find_targets(&drafts, options);
    checker.unused(&drafts, &graph, &targets);

    let mut diagnostics = checker.found;
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span().start, diagnostic.span().end));
    diagnostics.dedup();
    let broken = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    let complete = !broken && unknown_targets.is_empty();
    let plan = match (world, complete) {
        (Some(world), true) => finish(document, world, &drafts, graph, order, kinds, targets),
        _ => None,
    };
    Checked { plan, diagnostics, unknown_targets }
}

/// A declared node whose kind is known. Its place in the list is its index in
/// the graph.
struct Draft<'a> {
    declaration: &'a NodeDecl,
    node: &'static dyn Node,
    decoded: Decoded,
    is_output: bool,
}

struct Checker<'a> {
    document: &'a Document,
    registry: &'a Registry,
    assets: &'a AssetIndex,
    found: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    /// Every node and output whose kind is known, in the document's order.
    fn drafts(&mut self) -> Vec<Draft<'a>> {
        let nodes = self.document.nodes.iter().map(|node| (node, false));
        let outputs = self.document.outputs.iter().map(|output| (output, true));
        let mut drafts = Vec::new();
        for (declaration, is_output) in nodes.chain(outputs) {
            let kind = declaration.kind.value.as_str();
            let Some(node) = self.registry.get(kind) else {
                self.unknown_kind(declaration);
                continue;
            };
            let spec = node.spec();
            let mut decoded = decode_arguments(declaration, spec, self.assets, &mut self.found);
            if is_output && spec.extensions.is_empty() {
                let makers: Vec<&str> = self
                    .registry
                    .iter()
                    .filter(|node| !node.spec().extensions.is_empty())
                    .map(|node| node.spec().id)
                    .collect();
                let message = format!("`{kind}` makes no file");
                let hint = format!(
                    "write it among the nodes, and here {}",
                    crate::params::one_of(&makers)
                );
                let span = declaration.kind.span.clone();
                self.found
                    .push(Diagnostic::error(Code::NOT_AN_OUTPUT, span, message).with_hint(hint));
                continue;
            }
            if is_output {
                set_container(declaration, spec, &mut decoded, &mut self.found);
            }
            drafts.push(Draft { declaration, node, decoded, is_output });
        }
        drafts
    }

    fn unknown_kind(&mut self, declaration: &NodeDecl) {
        let kind = declaration.kind.value.as_str();
        let near = nearest(kind, self.registry.iter().map(|node| node.spec().id));
        let message = format!("there is no node kind `{kind}`");
        let span = declaration.kind.span.clone();
        self.found.push(
            Diagnostic::error(Code::UNKNOWN_KIND, span, message)
                .with_hint("`bajada nodes` lists the kinds")
                .did_you_mean(&near),
        );
    }

    /// The graph of the drafts, and where each link stands.
    fn link(&mut self, drafts: &[Draft<'a>]) -> (StableDiGraph<PlanNode, ()>, LinkPlaces) {
        let mut graph = StableDiGraph::with_capacity(drafts.len(), 2 * drafts.len());
        let mut by_name = BTreeMap::new();
        for draft in drafts {
            let index = graph.add_node(PlanNode {
                name: draft.declaration.name.value.clone(),
                node: draft.node,
                params: Vec::new(),
                inputs: vec![None; draft.node.spec().inputs.len()],
                output_kinds: Vec::new(),
                seed: None,
            });
            if !draft.is_output {
                by_name.insert(draft.declaration.name.value.as_str(), index);
            }
        }
        let mut places = LinkPlaces::new();
        for (reader, draft) in drafts.iter().enumerate() {
            let reader = NodeIndex::new(reader);
            for (input, link) in draft.decoded.links.iter().enumerate() {
                let Some(link) = link else { continue };
                let Some(target) = self.resolve(link, &by_name, drafts) else { continue };
                graph.update_edge(target.node, reader, ());
                places.insert((reader, target.node), link.span.clone());
                graph[reader].inputs[input] = Some(target);
            }
        }
        (graph, places)
    }

    fn resolve(
        &mut self,
        link: &Spanned<Link>,
        by_name: &BTreeMap<&str, NodeIndex>,
        drafts: &[Draft<'a>],
    ) -> Option<InputLink> {
        let name = link.value.node.value.as_str();
        let Some(&node) = by_name.get(name) else {
            let declared = |node: &NodeDecl| node.name.value == name;
            // A declared node of an unknown kind has its diagnostic already.
            if !self.document.nodes.iter().any(declared) {
                let whole = link_text(&link.value);
                let output = self.document.outputs.iter().any(|output| output.name.value == whole);
                let names = self.document.nodes.iter().map(|node| node.name.value.as_str());
                let message = if output {
                    format!("`{whole}` is an output; a link leads to a node")
                } else {
                    format!("there is no node `{name}`")
                };
                let span = link.value.node.span.clone();
                self.found.push(
                    Diagnostic::error(Code::NO_SUCH_NODE, span, message)
                        .did_you_mean(&nearest(name, names)),
                );
            }
            return None;
        };
        let spec = drafts[node.index()].node.spec();
        let Some(port) = &link.value.port else { return Some(InputLink { node, port: 0 }) };
        if let Some(port) = spec.output_index(&port.value) {
            return Some(InputLink { node, port });
        }
        let ports: Vec<&str> = spec.outputs.iter().map(|output| output.name).collect();
        let message = format!("`{name}` ({}) has no output `{}`", spec.id, port.value);
        let near = nearest(&port.value, ports.iter().copied());
        self.found.push(
            Diagnostic::error(Code::NO_SUCH_PORT, port.span.clone(), message)
                .with_hint(format!("it has {}", crate::params::one_of(&ports)))
                .did_you_mean(&near),
        );
        None
    }

    /// The kind of every output of every node, and whether the links fit.
    fn kinds(
        &mut self,
        drafts: &[Draft<'a>],
        graph: &StableDiGraph<PlanNode, ()>,
        order: &[NodeIndex],
    ) -> Vec<Vec<Option<ValueKind>>> {
        let mut kinds: Vec<Vec<Option<ValueKind>>> = vec![Vec::new(); drafts.len()];
        let mut takers = BTreeMap::new();
        for &index in order {
            let draft = &drafts[index.index()];
            let spec = draft.node.spec();
            let carried: Vec<Option<ValueKind>> = graph[index]
                .inputs
                .iter()
                .map(|link| {
                    link.and_then(|link| kinds[link.node.index()].get(link.port).copied()?)
                })
                .collect();
            for (input, kind) in carried.iter().enumerate() {
                if let (Some(kind), Some(link)) = (kind, &draft.decoded.links[input]) {
                    let linked = link_text(&link.value);
                    let span = link.span.clone();
                    self.found.extend(mismatch(
                        spec,
                        input,
                        &carried,
                        *kind,
                        span.clone(),
                        &linked,
                    ));
                    let source = graph[index].inputs[input].map(|link| (link.node, link.port));
                    if *kind == ValueKind::Supply
                        && let Some(first) = takers.insert(source, &draft.declaration.name.value)
                    {
                        let message = format!("`{linked}` is taken up by `{first}` already");
                        let hint = "matter can be laid down once; take one of the links out";
                        self.found.push(
                            Diagnostic::error(Code::SUPPLY_USED_TWICE, span, message)
                                .with_hint(hint),
                        );
                    }
                }
            }
            self.wiring(draft, &carried);
            kinds[index.index()] = output_kinds(spec, &carried);
        }
        kinds
    }

    /// Asks the node itself, once its parameters are all there.
    fn wiring(&mut self, draft: &Draft<'a>, inputs: &[Option<ValueKind>]) {
        let params: Option<Vec<_>> = draft.decoded.params.iter().cloned().collect();
        let Some(params) = params else { return };
        let Err(complaint) = draft.node.check(&Wiring { params: &params, inputs }) else { return };
        let spec = draft.node.spec();
        let param = spec.param_index(complaint.about);
        let input = spec.input_index(complaint.about);
        let span = param
            .and_then(|index| draft.decoded.param_spans[index].clone())
            .or_else(|| Some(draft.decoded.links[input?].as_ref()?.span.clone()))
            .unwrap_or_else(|| draft.declaration.kind.span.clone());
        let code = if input.is_some() { Code::QUANTITY_MISMATCH } else { Code::OUT_OF_RANGE };
        let mut diagnostic = Diagnostic::error(code, span, complaint.message);
        diagnostic.hint = complaint.hint;
        self.found.push(diagnostic);
    }

    fn outputs(&mut self) {
        check_paths(&self.document.outputs, &mut self.found);
        if self.document.outputs.is_empty() && self.found.is_empty() {
            let message = "the graph makes no file";
            let hint = "write `outputs: { \"height.tif\": raster(field: \"...\") }`";
            self.found.push(Diagnostic::error(Code::NO_OUTPUTS, 0..0, message).with_hint(hint));
        }
    }

    /// Warns of nodes that nothing wanted depends on. Among mistakes that would
    /// be noise: a link that is misspelled leaves its node unused too.
    fn unused(
        &mut self,
        drafts: &[Draft<'a>],
        graph: &StableDiGraph<PlanNode, ()>,
        targets: &[NodeIndex],
    ) {
        if !self.found.is_empty() {
            return;
        }
        let mut wanted = vec![false; drafts.len()];
        let outputs = drafts.iter().enumerate().filter(|(_, draft)| draft.is_output);
        let mut stack: Vec<NodeIndex> = outputs.map(|(index, _)| NodeIndex::new(index)).collect();
        stack.extend(targets);
        while let Some(index) = stack.pop() {
            if !std::mem::replace(&mut wanted[index.index()], true) {
                stack.extend(graph[index].inputs.iter().flatten().map(|link| link.node));
            }
        }
        for (draft, _) in drafts.iter().zip(&wanted).filter(|(_, wanted)| !**wanted) {
            let name = &draft.declaration.name;
            let message = format!("nothing depends on `{}`, so it does not run", name.value);
            let diagnostic = Diagnostic::warning(Code::UNUSED_NODE, name.span.clone(), message);
            self.found.push(diagnostic.with_hint("link it, or take it out"));
        }
    }
}

/// Topological order, ties by place in the document; nodes on cycles are left
/// out.
fn order(graph: &StableDiGraph<PlanNode, ()>) -> Vec<NodeIndex> {
    let mut waiting: Vec<usize> = graph
        .node_indices()
        .map(|index| graph.neighbors_directed(index, petgraph::Direction::Incoming).count())
        .collect();
    let mut ready: std::collections::BTreeSet<NodeIndex> =
        graph.node_indices().filter(|index| waiting[index.index()] == 0).collect();
    let mut order = Vec::with_capacity(waiting.len());
    while let Some(index) = ready.pop_first() {
        order.push(index);
        for reader in graph.neighbors(index) {
            waiting[reader.index()] -= 1;
            if waiting[reader.index()] == 0 {
                ready.insert(reader);
            }
        }
    }
    order
}

type Targets = (Vec<NodeIndex>, Vec<(String, Vec<String>)>);

fn find_targets(drafts: &[Draft<'_>], options: &CheckOptions) -> Targets {
    let mut targets = Vec::new();
    let mut unknown = Vec::new();
    for wanted in &options.targets {
        let found = drafts.iter().position(|draft| {
            let name = draft.declaration.name.value.as_str();
            let port = wanted.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
            let spec = draft.node.spec();
            name == wanted
                || (!draft.is_output && port.is_some_and(|port| spec.output_index(port).is_some()))
        });
        match found {
            Some(index) => targets.push(NodeIndex::new(index)),
            None => {
                let names = drafts.iter().map(|draft| draft.declaration.name.value.as_str());
                let near = nearest(wanted, names).into_iter().map(str::to_owned).collect();
                unknown.push((wanted.clone(), near));
            }
        }
    }
    (targets, unknown)
}

/// Puts the plan together from drafts that have no mistake left.
fn finish(
    document: &Document,
    world: World,
    drafts: &[Draft<'_>],
    mut graph: StableDiGraph<PlanNode, ()>,
    order: Vec<NodeIndex>,
    kinds: Vec<Vec<Option<ValueKind>>>,
    targets: Vec<NodeIndex>,
) -> Option<Plan> {
    let seed = Stream::new(document.seed.as_ref().map_or(0, |seed| seed.value));
    let mut outputs = Vec::new();
    for (index, (draft, kinds)) in drafts.iter().zip(kinds).enumerate() {
        let node = NodeIndex::new(index);
        let name = &draft.declaration.name.value;
        let stream = draft.decoded.stream.as_ref().unwrap_or(name);
        graph[node].params = draft.decoded.params.iter().cloned().collect::<Option<_>>()?;
        graph[node].output_kinds = kinds.into_iter().collect::<Option<_>>()?;
        graph[node].seed = draft.node.spec().random.then(|| seed.named(stream).key());
        let wanted = targets.is_empty() || targets.contains(&node);
        if draft.is_output && wanted {
            outputs.push(PlanOutput { path: name.clone(), node });
        }
    }
    let targets = targets.into_iter().filter(|target| !drafts[target.index()].is_output).collect();
    Some(Plan { world, graph, order, outputs, targets })
}
