//! `table`: rows of numbers as a file.

use bajada_formats::encode_csv;
use bajada_node::{
    Accepts, Conserves, EvalCtx, Extension, Gives, InputSpec, Locality, Node, NodeError, NodeSpec,
    OutputSpec, Outputs, Params, Value,
};

/// Parameters of `table`: none.
#[derive(Params)]
pub struct TableParams {}

static SPEC: NodeSpec = NodeSpec {
    id: "table",
    version: 1,
    group: "output",
    title: "rows of numbers as a CSV file",
    doc: "Comma-separated text: a line of names, each ending in its unit, then a line for each \
          row. Numbers are the shortest decimals that read back to the same bits.",
    inputs: &[InputSpec::required("table", Accepts::Table, "What is written.")],
    outputs: &[OutputSpec::new("file", Gives::Bytes, "The file.")],
    params: TableParams::SPECS,
    extensions: &[Extension { name: "csv", container: None }],
    locality: Locality::Global,
    conserves: Conserves::NoGround,
    random: false,
    drift: None,
    bytes_per_sample: 1,
    nanoseconds_per_sample: 1,
    citations: &[],
    example: include_str!("../../../../graphs/nodes/table.ron"),
};

/// The node.
pub struct TableFile;

impl Node for TableFile {
    fn spec(&self) -> &'static NodeSpec {
        &SPEC
    }

    fn eval(&self, ctx: &EvalCtx<'_>) -> Result<Outputs, NodeError> {
        let table = ctx
            .table("table")
            .ok_or_else(|| NodeError::Broken("it reads `table`, which is not there".to_owned()))?;
        Ok(ctx.outputs().value("file", Value::Bytes(encode_csv(table).into())))
    }
}
