//! `bajada nodes`

use bajada::{Session, nearest_kinds, node_json, node_list, node_page};
use serde_json::Value;

use crate::args;
use crate::exit::Exit;
use crate::print;

pub(crate) fn run(command: &args::Nodes) -> Exit {
    let session = Session::new();
    let registry = session.registry();
    let text = match &command.kind {
        Some(kind) => match registry.get(kind) {
            Some(node) if command.json => format!("{:#}\n", node_json(node.spec())),
            Some(node) => node_page(node.spec()),
            None => {
                let near = nearest_kinds(registry, kind);
                let hint = match near.as_slice() {
                    [] => "`bajada nodes` lists them".to_owned(),
                    names => format!("did you mean `{}`?", names.join("`, `")),
                };
                print::error(&format!("there is no node kind `{kind}`; {hint}"));
                return Exit::Usage;
            }
        },
        None if command.json => {
            let all: Vec<Value> = registry.iter().map(|node| node_json(node.spec())).collect();
            format!("{:#}\n", Value::Array(all))
        }
        None => node_list(registry),
    };
    print::data(&text).err().unwrap_or(Exit::Ok)
}
