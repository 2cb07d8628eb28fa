//! What a person is told about each wrong text: the exact words, the exact place.

use bajada_graph::{RenderStyle, parse, print, render};
use snapbox::{IntoData, assert_data_eq, str};

/// The diagnostics of a text, as a terminal without colors shows them.
fn shown(text: &str) -> String {
    let (document, diagnostics) = parse(text);
    assert_eq!(print(&document), text);
    render(&diagnostics, "graph.ron", text, RenderStyle::Plain)
}

#[test]
fn a_missing_comma_is_one_mistake() {
    let text = r#"(
  format: 1
  nodes: {},
)
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0030]: a comma is missing before `nodes`
 --> graph.ron:2:12
  |
2 |   format: 1
  |            ^
  |
  = help: add `,`

"#]]
        .raw()
    );
}

#[test]
fn a_missing_comma_between_nodes_is_one_mistake() {
    let text = r#"(format: 1, nodes: {
  "dem": noise(kind: Ridged)
  "scree": talus(elevation: "dem" repose_angle_deg: 33),
})
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0030]: a comma is missing before `"scree"`
 --> graph.ron:2:29
  |
2 |   "dem": noise(kind: Ridged)
  |                             ^
  |
  = help: add `,`

error[BJ0030]: a comma is missing before `repose_angle_deg`
 --> graph.ron:3:34
  |
3 |   "scree": talus(elevation: "dem" repose_angle_deg: 33),
  |                                  ^
  |
  = help: add `,`

"#]]
        .raw()
    );
}

#[test]
fn three_mistakes_give_three_diagnostics() {
    let text = r#"(
  format: 1,
  sede: 7,
  nodes: {
    "hills": noise(wavelength_m: 33deg),
    "scree": talus(elevation: "hills",, repose_angle_deg: 33),
  },
)
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0103]: `sede` is not a key of a graph
 --> graph.ron:3:3
  |
3 |   sede: 7,
  |   ^^^^
  |
  = help: did you mean `seed`?

error[BJ0016]: `33deg` is not a number
 --> graph.ron:5:34
  |
5 |     "hills": noise(wavelength_m: 33deg),
  |                                  ^^^^^
  |
  = help: numbers look like `12`, `-0.5`, `1e-3` or `12_000`

error[BJ0032]: nothing stands before this comma
 --> graph.ron:6:39
  |
6 |     "scree": talus(elevation: "hills",, repose_angle_deg: 33),
  |                                       ^
  |
  = help: delete `,`

"#]]
        .raw()
    );
}

#[test]
fn a_missing_colon_is_one_mistake() {
    let text = r#"(format: 1, seed 7, nodes: { "a" noise(), "b": talus(elevation = "a") })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0031]: a colon is missing behind `seed`
 --> graph.ron:1:17
  |
1 | (format: 1, seed 7, nodes: { "a" noise(), "b": talus(elevation = "a") })
  |                 ^
  |
  = help: add `:`

error[BJ0031]: a colon is missing behind `"a"`
 --> graph.ron:1:33
  |
1 | (format: 1, seed 7, nodes: { "a" noise(), "b": talus(elevation = "a") })
  |                                 ^
  |
  = help: add `:`

error[BJ0031]: `elevation` and its value are separated by a colon
 --> graph.ron:1:64
  |
1 | (format: 1, seed 7, nodes: { "a" noise(), "b": talus(elevation = "a") })
  |                                                                ^
  |
  = help: write `:`

"#]]
        .raw()
    );
}

#[test]
fn a_missing_value_is_one_mistake() {
    let text = r#"(format: 1, nodes: { "a": noise(kind: , seed: 1), "b": talus(elevation: mask: "a") })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0032]: `kind` has no value
 --> graph.ron:1:38
  |
1 | (format: 1, nodes: { "a": noise(kind: , seed: 1), "b": talus(elevation: mask: "a") })
  |                                      ^

error[BJ0032]: `elevation` has no value
 --> graph.ron:1:72
  |
1 | (format: 1, nodes: { "a": noise(kind: , seed: 1), "b": talus(elevation: mask: "a") })
  |                                                                        ^

"#]]
        .raw()
    );
}

#[test]
fn a_missing_closing_bracket_is_found_at_the_next_node() {
    let text = r#"(format: 1, nodes: {
  "a": noise(offset_m: (10, 20),
  "b": talus(elevation: "a"),
})
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0033]: `(` is not closed before `"b"`
 --> graph.ron:2:33
  |
2 |   "a": noise(offset_m: (10, 20),
  |             - opened here       ^
  |
  = help: add `)`

"#]]
        .raw()
    );
}

#[test]
fn a_missing_closing_brace_is_found_at_the_outputs() {
    let text = r#"(format: 1, nodes: {
  "a": noise(offset_m: [10, 20),
  "b": talus(elevation: "a"),
outputs: { "a.tif": raster(field: "b") })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0033]: `[` is not closed before `)`
 --> graph.ron:2:31
  |
2 |   "a": noise(offset_m: [10, 20),
  |                        -      ^
  |                        |
  |                        opened here
  |
  = help: add `]`

error[BJ0033]: `{` is not closed before `outputs`
 --> graph.ron:3:30
  |
1 | (format: 1, nodes: {
  |                    - opened here
2 |   "a": noise(offset_m: [10, 20),
3 |   "b": talus(elevation: "a"),
  |                              ^
  |
  = help: add `}`

"#]]
        .raw()
    );
}

#[test]
fn a_bracket_too_many_does_not_end_the_nodes() {
    let text = r#"(format: 1, nodes: {
  "a": noise()),
  "b": talus(elevation: "a"),
}), outputs: {})
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0034]: this `)` is one too many
 --> graph.ron:2:15
  |
2 |   "a": noise()),
  |               ^
  |
  = help: delete `)`

error[BJ0034]: this `)` is one too many
 --> graph.ron:4:2
  |
4 | }), outputs: {})
  |  ^
  |
  = help: delete `)`

"#]]
        .raw()
    );
}

#[test]
fn a_bracket_of_the_wrong_kind_is_named() {
    let text = r#"(format: 1, world: (extent_m: (10, 10], samples: (5, 5)))
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0035]: `(` is closed by `]`
 --> graph.ron:1:38
  |
1 | (format: 1, world: (extent_m: (10, 10], samples: (5, 5)))
  |                               -      ^
  |                               |
  |                               opened here
  |
  = help: write `)`

"#]]
        .raw()
    );
}

#[test]
fn the_end_of_the_text_names_all_open_brackets() {
    let text = r#"(format: 1, nodes: { "a": noise(
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0033]: the text ends before 3 brackets are closed
 --> graph.ron:1:33
  |
1 | (format: 1, nodes: { "a": noise(
  | -                  -           -^
  | |                  |           |
  | |                  |           opened here
  | opened here        opened here
  |
  = help: add `)})`

"#]]
        .raw()
    );
}

#[test]
fn an_unclosed_string_costs_its_line_only() {
    let text = r#"(format: 1, nodes: {
  "dem": import(file: file("a.tif)), // a comment
  "rain: droplets(elevation: "dem"),
  "edge": noise(kind: Ridged, sede),
})
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0012]: this string is not closed on its line
 --> graph.ron:2:28
  |
2 |   "dem": import(file: file("a.tif)), // a comment
  |                            ^
  |
  = help: add `"`

error[BJ0012]: this string is not closed on its line
 --> graph.ron:3:34
  |
3 |   "rain: droplets(elevation: "dem"),
  |                                  ^
  |
  = help: add `"`

error[BJ0109]: the arguments of `noise` are written with their names
 --> graph.ron:4:31
  |
4 |   "edge": noise(kind: Ridged, sede),
  |                               ^^^^
  |
  = help: write `name: sede`

"#]]
        .raw()
    );
}

#[test]
fn an_unclosed_comment_is_one_mistake() {
    let text = r#"(format: 1, /* here it starts
  nodes: {} )
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0013]: this comment is not closed
 --> graph.ron:1:13
  |
1 | (format: 1, /* here it starts
  |             ^^
  |
  = help: add `*/`

"#]]
        .raw()
    );
}

#[test]
fn a_node_defined_twice_shows_both_places() {
    let text = r#"(format: 1, nodes: {
  "rain": noise(),
  "rain": talus(elevation: "rain", elevation: "rain"),
})
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0105]: the node `rain` is defined twice
 --> graph.ron:3:3
  |
2 |   "rain": noise(),
  |   ------ first definition
3 |   "rain": talus(elevation: "rain", elevation: "rain"),
  |   ^^^^^^ second definition

error[BJ0105]: the argument `elevation` is defined twice
 --> graph.ron:3:36
  |
3 |   "rain": talus(elevation: "rain", elevation: "rain"),
  |                 ---------          ^^^^^^^^^ second definition
  |                 |
  |                 first definition

"#]]
        .raw()
    );
}

#[test]
fn a_key_defined_twice_shows_both_places() {
    let text = r#"(format: 1, seed: 1, seed: 2)
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0105]: the key `seed` is defined twice
 --> graph.ron:1:22
  |
1 | (format: 1, seed: 1, seed: 2)
  |             ----     ^^^^ second definition
  |             |
  |             first definition

"#]]
        .raw()
    );
}

#[test]
fn nan_and_infinity_are_refused() {
    let text = r#"(format: 1, nodes: { "a": noise(wavelength_m: NaN, offset_m: (-inf, 1e999)) })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0017]: `NaN` is not a finite number
 --> graph.ron:1:47
  |
1 | (format: 1, nodes: { "a": noise(wavelength_m: NaN, offset_m: (-inf, 1e999)) })
  |                                               ^^^
  |
  = help: write a number such as `0`

error[BJ0017]: `-inf` is not a finite number
 --> graph.ron:1:63
  |
1 | (format: 1, nodes: { "a": noise(wavelength_m: NaN, offset_m: (-inf, 1e999)) })
  |                                                               ^^^^
  |
  = help: write a number such as `0`

error[BJ0018]: `1e999` is too large to be held
 --> graph.ron:1:69
  |
1 | (format: 1, nodes: { "a": noise(wavelength_m: NaN, offset_m: (-inf, 1e999)) })
  |                                                                     ^^^^^
  |
  = help: the largest number is about `1.7e308`

"#]]
        .raw()
    );
}

#[test]
fn a_newer_format_names_both_versions_and_says_nothing_else() {
    let text = r#"(format: 2, universe: 3)
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0102]: the graph has format 2; bajada 0.1.0 reads format 1
 --> graph.ron:1:10
  |
1 | (format: 2, universe: 3)
  |          ^
  |
  = help: open it with a newer bajada

"#]]
        .raw()
    );
}

#[test]
fn format_zero_does_not_exist() {
    let text = r#"(format: 0)
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0102]: there is no format 0; bajada reads format 1
 --> graph.ron:1:10
  |
1 | (format: 0)
  |          ^
  |
  = help: write `format: 1`

"#]]
        .raw()
    );
}

#[test]
fn a_missing_format_is_shown_how_to_write() {
    let text = r#"(nodes: {})
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0101]: the graph does not say which format it has
 --> graph.ron:1:1
  |
1 | (nodes: {})
  | ^
  |
  = help: add `format: 1,` behind the first `(`

"#]]
        .raw()
    );
}

#[test]
fn a_format_of_another_type_is_shown_how_to_write() {
    let text = r#"(format: "1", seed: -1, world: (samples: (1.5, 2)))
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0111]: `format` takes a whole number, 0 or above
 --> graph.ron:1:10
  |
1 | (format: "1", seed: -1, world: (samples: (1.5, 2)))
  |          ^^^
  |
  = help: write `format: 1`

error[BJ0111]: `seed` takes a whole number, 0 or above
 --> graph.ron:1:21
  |
1 | (format: "1", seed: -1, world: (samples: (1.5, 2)))
  |                     ^^
  |
  = help: write `seed: 7`

error[BJ0111]: `samples` takes two whole numbers, the samples to the east and to the south
 --> graph.ron:1:42
  |
1 | (format: "1", seed: -1, world: (samples: (1.5, 2)))
  |                                          ^^^^^^^^
  |
  = help: write `samples: (1025, 1025)`

"#]]
        .raw()
    );
}

#[test]
fn what_is_not_supported_yet_says_so() {
    let text = r#"(format: 1, uses: { "apron": part("parts/apron.ron") }, parameters: {}, asserts: {})
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0104]: `uses` is not supported yet
 --> graph.ron:1:13
  |
1 | (format: 1, uses: { "apron": part("parts/apron.ron") }, parameters: {}, asserts: {})
  |             ^^^^
  |
  = help: delete it; a later version will read it

error[BJ0104]: `parameters` is not supported yet
 --> graph.ron:1:57
  |
1 | (format: 1, uses: { "apron": part("parts/apron.ron") }, parameters: {}, asserts: {})
  |                                                         ^^^^^^^^^^
  |
  = help: delete it; a later version will read it

error[BJ0104]: `asserts` is not supported yet
 --> graph.ron:1:73
  |
1 | (format: 1, uses: { "apron": part("parts/apron.ron") }, parameters: {}, asserts: {})
  |                                                                         ^^^^^^^
  |
  = help: delete it; a later version will read it

"#]]
        .raw()
    );
}

#[test]
fn an_unknown_key_offers_the_nearest() {
    let text = r#"(format: 1, node: {}, colour: 3, world: (extend_m: (1, 1)))
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0103]: `node` is not a key of a graph
 --> graph.ron:1:13
  |
1 | (format: 1, node: {}, colour: 3, world: (extend_m: (1, 1)))
  |             ^^^^
  |
  = help: did you mean `nodes`?

error[BJ0103]: `colour` is not a key of a graph
 --> graph.ron:1:23
  |
1 | (format: 1, node: {}, colour: 3, world: (extend_m: (1, 1)))
  |                       ^^^^^^
  |
  = help: the keys are `format`, `seed`, `world`, `nodes`, `outputs`

error[BJ0103]: `extend_m` is not a field of the world
 --> graph.ron:1:42
  |
1 | (format: 1, node: {}, colour: 3, world: (extend_m: (1, 1)))
  |                                          ^^^^^^^^
  |
  = help: did you mean `extent_m`?

"#]]
        .raw()
    );
}

#[test]
fn an_attribute_is_refused() {
    let text = r#"#![enable(implicit_some)]
(format: 1)
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0020]: RON attributes and extensions are not part of the graph text; delete this
 --> graph.ron:1:1
  |
1 | #![enable(implicit_some)]
  | ^^^^^^^^^^^^^^^^^^^^^^^^^

"#]]
        .raw()
    );
}

#[test]
fn an_unquoted_link_is_shown_in_quotes() {
    let text = r#"(format: 1, nodes: { "a": talus(elevation: rain.deposition) })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0019]: `rain.deposition` is not a name: names have the letters a-z, digits and `_` only
 --> graph.ron:1:44
  |
1 | (format: 1, nodes: { "a": talus(elevation: rain.deposition) })
  |                                            ^^^^^^^^^^^^^^^
  |
  = help: write a link as `"rain.deposition"`

"#]]
        .raw()
    );
}

#[test]
fn a_path_that_is_not_wrapped_is_shown_wrapped() {
    let text = r#"(format: 1, nodes: { "a": import(file: "maps/a.tif"), "b": import(file: file(a)) })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0110]: `maps/a.tif` is not a link, which is what text in quotes stands for
 --> graph.ron:1:41
  |
1 | (format: 1, nodes: { "a": import(file: "maps/a.tif"), "b": import(file: file(a)) })
  |                                         ^^^^^^^^^^
  |
  = help: write a file as `file("maps/a.tif")`

error[BJ0112]: `file` takes the path of one file, in quotes
 --> graph.ron:1:73
  |
1 | (format: 1, nodes: { "a": import(file: "maps/a.tif"), "b": import(file: file(a)) })
  |                                                                         ^^^^^^^
  |
  = help: write `file("name.tif")`

"#]]
        .raw()
    );
}

#[test]
fn wrong_quotes_are_shown_right() {
    let text = r#"(format: 1, nodes: { “a”: noise(), 'bc': noise() })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0015]: text is written in double quotes
 --> graph.ron:1:22
  |
1 | (format: 1, nodes: { “a”: noise(), 'bc': noise() })
  |                      ^^^
  |
  = help: write `"a"`

error[BJ0015]: text is written in double quotes
 --> graph.ron:1:36
  |
1 | (format: 1, nodes: { “a”: noise(), 'bc': noise() })
  |                                    ^^^^
  |
  = help: write `"bc"`

"#]]
        .raw()
    );
}

#[test]
fn a_backslash_in_a_path_is_explained() {
    let text = r#"(format: 1, nodes: { "a": import(file: file("C:\maps\a.tif")) })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0014]: `\m` has no meaning in a string
 --> graph.ron:1:48
  |
1 | (format: 1, nodes: { "a": import(file: file("C:\maps\a.tif")) })
  |                                                ^^
  |
  = help: write `\\` for one backslash, or `/` between folders

"#]]
        .raw()
    );
}

#[test]
fn a_node_without_a_kind_is_shown_with_one() {
    let text = r#"(format: 1, nodes: { "a": noise, "b": (x: 1), c: noise(), "d": talus("a"), "e": "a" })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0108]: the node `a` is written as a kind with its arguments
 --> graph.ron:1:27
  |
1 | (format: 1, nodes: { "a": noise, "b": (x: 1), c: noise(), "d": talus("a"), "e": "a" })
  |                           ^^^^^
  |
  = help: write `noise()`

error[BJ0108]: the node `b` is written as a kind with its arguments
 --> graph.ron:1:39
  |
1 | (format: 1, nodes: { "a": noise, "b": (x: 1), c: noise(), "d": talus("a"), "e": "a" })
  |                                       ^^^^^^
  |
  = help: write `kind()`

error[BJ0107]: the name of a node is text in quotes
 --> graph.ron:1:47
  |
1 | (format: 1, nodes: { "a": noise, "b": (x: 1), c: noise(), "d": talus("a"), "e": "a" })
  |                                               ^
  |
  = help: write `"c"`

error[BJ0109]: the arguments of `talus` are written with their names
 --> graph.ron:1:70
  |
1 | (format: 1, nodes: { "a": noise, "b": (x: 1), c: noise(), "d": talus("a"), "e": "a" })
  |                                                                      ^^^
  |
  = help: write `name: "a"`

error[BJ0108]: the node `e` is written as a kind with its arguments
 --> graph.ron:1:81
  |
1 | (format: 1, nodes: { "a": noise, "b": (x: 1), c: noise(), "d": talus("a"), "e": "a" })
  |                                                                                 ^^^
  |
  = help: write `kind()`

"#]]
        .raw()
    );
}

#[test]
fn a_name_that_cannot_be_linked_to_is_refused() {
    let text = r#"(format: 1, nodes: { "a.b": noise(), " c": noise(), "": noise() })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0106]: the node's name has a `.`, which separates a node from its output in a link
 --> graph.ron:1:22
  |
1 | (format: 1, nodes: { "a.b": noise(), " c": noise(), "": noise() })
  |                      ^^^^^
  |
  = help: write `"a_b"`

error[BJ0106]: the node's name starts or ends with a space
 --> graph.ron:1:38
  |
1 | (format: 1, nodes: { "a.b": noise(), " c": noise(), "": noise() })
  |                                      ^^^^
  |
  = help: write `"c"`

error[BJ0106]: the node's name is empty
 --> graph.ron:1:53
  |
1 | (format: 1, nodes: { "a.b": noise(), " c": noise(), "": noise() })
  |                                                     ^^

"#]]
        .raw()
    );
}

#[test]
fn control_characters_cannot_reach_the_terminal() {
    let text = "(format: 1, nodes: { \"\u{1b}]2;HACKED\u{7}\": noise(), \u{0} \"a\": noise() })\n";
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0106]: the node's name has a control character
 --> graph.ron:1:22
  |
1 | (format: 1, nodes: { "\u{1b}]2;HACKED\u{7}": noise(), \u{0} "a": noise() })
  |                      ^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: write `"_]2;HACKED_"`

error[BJ0011]: `\u{0}` has no meaning in a graph
 --> graph.ron:1:46
  |
1 | (format: 1, nodes: { "\u{1b}]2;HACKED\u{7}": noise(), \u{0} "a": noise() })
  |                                                       ^^^^^

"#]]
        .raw()
    );
}

#[test]
fn tabs_and_wide_characters_keep_the_carets_in_place() {
    let text = "(format: 1,\n\u{9}\"größe\u{9}漢\": 1, seed: x)\n";
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0019]: the name of an argument or a field has no quotes
 --> graph.ron:2:2
  |
2 |     "größe    漢": 1, seed: x)
  |     ^^^^^^^^^^^^^

error[BJ0111]: `seed` takes a whole number, 0 or above
 --> graph.ron:2:22
  |
2 |     "größe    漢": 1, seed: x)
  |                             ^
  |
  = help: write `seed: 7`

"#]]
        .raw()
    );
}

#[test]
fn text_behind_the_graph_is_refused() {
    let text = r#"(format: 1)
)
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0037]: the graph has ended, but the text goes on
 --> graph.ron:2:1
  |
2 | )
  | ^
  |
  = help: delete what follows, or the `)` that ended the graph too early

"#]]
        .raw()
    );
}

#[test]
fn a_text_that_is_no_graph_is_refused() {
    let text = r#"hello world
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0038]: a graph is written in `( .. )`
 --> graph.ron:1:1
  |
1 | hello world
  | ^^^^^
  |
  = help: write `(format: 1, world: .., nodes: {}, outputs: {})`

"#]]
        .raw()
    );
}

#[test]
fn a_graph_without_its_brackets_is_one_mistake() {
    let text = r#"format: 1,
nodes: { "a": noise() },
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0038]: a graph is written in `( .. )`
 --> graph.ron:1:1
  |
1 | format: 1,
  | ^^^^^^
  |
  = help: add `(` before it and `)` at the end

"#]]
        .raw()
    );
}

#[test]
fn a_graph_with_a_name_is_one_mistake() {
    let text = r#"Graph(format: 1)
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0038]: a graph is written in `( .. )`
 --> graph.ron:1:1
  |
1 | Graph(format: 1)
  | ^^^^^
  |
  = help: delete `Graph`

"#]]
        .raw()
    );
}

#[test]
fn an_empty_text_is_refused() {
    let text = r#""#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0010]: the text holds no graph
 --> graph.ron:1:1
  |
1 |
  | ^
  |
  = help: write `(format: 1, world: .., nodes: {}, outputs: {})`

"#]]
        .raw()
    );
}

#[test]
fn only_a_comment_is_refused() {
    let text = r#"// nothing
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0010]: the text holds no graph
 --> graph.ron:2:1
  |
2 |
  | ^
  |
  = help: write `(format: 1, world: .., nodes: {}, outputs: {})`

"#]]
        .raw()
    );
}

#[test]
fn fields_in_json_are_shown_without_quotes() {
    let text = r#"("format": 1, "nodes": { "a": noise("kind": Ridged), "b": talus("elevation": file("a.tif")) })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0019]: the name of an argument or a field has no quotes
 --> graph.ron:1:2
  |
1 | ("format": 1, "nodes": { "a": noise("kind": Ridged), "b": talus("elevation": file("a.tif")) })
  |  ^^^^^^^^
  |
  = help: write `format`

error[BJ0019]: the name of an argument or a field has no quotes
 --> graph.ron:1:15
  |
1 | ("format": 1, "nodes": { "a": noise("kind": Ridged), "b": talus("elevation": file("a.tif")) })
  |               ^^^^^^^
  |
  = help: write `nodes`

error[BJ0019]: the name of an argument or a field has no quotes
 --> graph.ron:1:37
  |
1 | ("format": 1, "nodes": { "a": noise("kind": Ridged), "b": talus("elevation": file("a.tif")) })
  |                                     ^^^^^^
  |
  = help: write `kind`

error[BJ0019]: the name of an argument or a field has no quotes
 --> graph.ron:1:65
  |
1 | ("format": 1, "nodes": { "a": noise("kind": Ridged), "b": talus("elevation": file("a.tif")) })
  |                                                                 ^^^^^^^^^^^
  |
  = help: write `elevation`

"#]]
        .raw()
    );
}

#[test]
fn a_second_comma_and_a_semicolon_are_named() {
    let text = r#"(format: 1; seed: 7,, nodes: {},)
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0030]: entries are separated by commas
 --> graph.ron:1:11
  |
1 | (format: 1; seed: 7,, nodes: {},)
  |           ^
  |
  = help: write `,`

error[BJ0032]: nothing stands before this comma
 --> graph.ron:1:21
  |
1 | (format: 1; seed: 7,, nodes: {},)
  |                     ^
  |
  = help: delete `,`

"#]]
        .raw()
    );
}

#[test]
fn mixed_names_are_refused() {
    let text = r#"(format: 1, world: (1, samples: (5, 5)), nodes: { "a": noise(offset_m: (x: 1, 2)) })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0109]: the arguments of `world` are written with their names
 --> graph.ron:1:21
  |
1 | (format: 1, world: (1, samples: (5, 5)), nodes: { "a": noise(offset_m: (x: 1, 2)) })
  |                     ^
  |
  = help: write `name: 1`

error[BJ0109]: either all of these have names or none has
 --> graph.ron:1:72
  |
1 | (format: 1, world: (1, samples: (5, 5)), nodes: { "a": noise(offset_m: (x: 1, 2)) })
  |                                                                        ^^^^^^^^^
  |
  = help: write `name: value` for each

"#]]
        .raw()
    );
}

#[test]
fn a_world_of_another_shape_is_shown_how_to_write() {
    let text = r#"(format: 1, world: from("dem", samples: (5, 5)), nodes: [], outputs: 3)
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0111]: `from` takes the name of one node
 --> graph.ron:1:20
  |
1 | (format: 1, world: from("dem", samples: (5, 5)), nodes: [], outputs: 3)
  |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: write `world: (from: "dem", samples: (513, 513))`

error[BJ0111]: `nodes` takes a map in `{ .. }`
 --> graph.ron:1:57
  |
1 | (format: 1, world: from("dem", samples: (5, 5)), nodes: [], outputs: 3)
  |                                                         ^^
  |
  = help: write `nodes: { "name": kind() }`

error[BJ0111]: `outputs` takes a map in `{ .. }`
 --> graph.ron:1:70
  |
1 | (format: 1, world: from("dem", samples: (5, 5)), nodes: [], outputs: 3)
  |                                                                      ^
  |
  = help: write `outputs: { "name": kind() }`

"#]]
        .raw()
    );
}

#[test]
fn a_byte_order_mark_and_windows_line_endings_keep_places() {
    let text = "\u{feff}(format: 1,\u{d}\n  sede: 7,\u{d}\n)\u{d}\n";
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0103]: `sede` is not a key of a graph
 --> graph.ron:2:3
  |
2 |   sede: 7,
  |   ^^^^
  |
  = help: did you mean `seed`?

"#]]
        .raw()
    );
}

#[test]
fn a_raw_string_that_is_not_closed_is_one_mistake() {
    let text = r#"(format: 1, nodes: { "a": import(file: file(r#"a.tif")) })
"#;
    assert_data_eq!(
        shown(text),
        str![[r##"
error[BJ0012]: this raw string is not closed
 --> graph.ron:1:45
  |
1 | (format: 1, nodes: { "a": import(file: file(r#"a.tif")) })
  |                                             ^^^
  |
  = help: add `"#`

"##]]
        .raw()
    );
}

#[test]
fn a_bare_some_and_a_call_of_true_are_refused() {
    let text = r#"(format: 1, nodes: { "a": noise(x: Some, y: Some(1), z: true(2)) })
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0112]: `Some` holds one value
 --> graph.ron:1:36
  |
1 | (format: 1, nodes: { "a": noise(x: Some, y: Some(1), z: true(2)) })
  |                                    ^^^^
  |
  = help: write the value on its own

error[BJ0112]: `Some` cannot be called
 --> graph.ron:1:45
  |
1 | (format: 1, nodes: { "a": noise(x: Some, y: Some(1), z: true(2)) })
  |                                             ^^^^
  |
  = help: write the value on its own

error[BJ0112]: `true` cannot be called
 --> graph.ron:1:57
  |
1 | (format: 1, nodes: { "a": noise(x: Some, y: Some(1), z: true(2)) })
  |                                                         ^^^^
  |
  = help: write the value on its own

"#]]
        .raw()
    );
}

#[test]
fn text_in_json_is_refused_kindly() {
    let text = r#"{ "format": 1, "nodes": {} }
"#;
    assert_data_eq!(
        shown(text),
        str![[r#"
error[BJ0038]: a graph is written in `( .. )`
 --> graph.ron:1:1
  |
1 | { "format": 1, "nodes": {} }
  | ^
  |
  = help: write `(format: 1, world: .., nodes: {}, outputs: {})`

"#]]
        .raw()
    );
}
