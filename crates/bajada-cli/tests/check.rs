//! `bajada check`: every kind of mistake has its place, its sentence and its
//! way out, and nothing runs.

mod common;

use common::{Desk, graph};

const SHADED: &str = r#""a.png": relief(elevation: "a"),"#;

/// Checks a graph and holds the exit code and pieces of the message.
fn check(text: impl AsRef<[u8]>, code: i32, pieces: &[&str]) {
    let desk = Desk::new();
    desk.write("g.ron", text);
    let ran = desk.run(&["check", "g.ron"]);
    assert_eq!(ran.code, code, "{}", ran.stderr);
    assert_eq!(ran.stdout, "", "diagnostics are no data");
    for piece in pieces {
        assert!(ran.stderr.contains(piece), "no `{piece}` in:\n{}", ran.stderr);
    }
    // `build` says the same, and makes nothing.
    let built = desk.run(&["build", "g.ron"]);
    assert_eq!(built.code, code, "{}", built.stderr);
    assert_eq!(desk.path("out").exists(), code == 0, "a wrong graph makes no file");
}

#[test]
fn a_missing_comma() {
    let text = graph(r#""a": noise(wavelength_m: 200 amplitude_m: 20),"#, SHADED);
    check(text, 2, &["BJ0030", "g.ron:5:33", "a comma is missing", "help: add `,`"]);
}

#[test]
fn three_mistakes_in_one_file_come_in_one_run() {
    let text = graph(
        "\"a\": nois(),\n    \"b\": noise(octaves: 0),\n    \"c\": blur(field: \"d\"),",
        SHADED,
    );
    let pieces = [
        "there is no node kind `nois`",
        "g.ron:5:10",
        "did you mean `noise`",
        "`octaves` cannot be 0",
        "g.ron:6:25",
        "write a number from 1 to 20",
        "there is no node `d`",
        "g.ron:7:23",
    ];
    check(text, 2, &pieces);
}

#[test]
fn an_unknown_kind() {
    let text = graph(r#""a": nosie(),"#, SHADED);
    check(text, 2, &["BJ0201", "g.ron:5:10", "did you mean `noise`"]);
}

#[test]
fn an_unknown_parameter() {
    let text = graph(r#""a": noise(wavelength: 200),"#, SHADED);
    check(text, 2, &["BJ0202", "g.ron:5:16", "did you mean `wavelength_m` or"]);
}

#[test]
fn a_value_out_of_range() {
    let text = graph(r#""a": noise(gain: 1.5),"#, SHADED);
    check(text, 2, &["BJ0204", "g.ron:5:22", "write a number from 0.01 to 1"]);
}

#[test]
fn not_a_number() {
    let text = graph(r#""a": noise(gain: NaN),"#, SHADED);
    check(text, 2, &["BJ0017", "g.ron:5:22", "not a finite number", "help:"]);
    let text = graph(r#""a": noise(gain: -inf),"#, SHADED);
    check(text, 2, &["BJ0017", "g.ron:5:22", "not a finite number", "help:"]);
}

#[test]
fn a_number_that_no_float_holds() {
    let text = graph(r#""a": noise(amplitude_m: 1e40),"#, SHADED);
    check(text, 2, &["BJ0204", "g.ron:5:29", "`amplitude_m` cannot be 1e40", "0 to 20000 m"]);
}

#[test]
fn a_whole_number_with_a_fraction() {
    let text = graph(r#""a": noise(octaves: 2.5),"#, SHADED);
    check(text, 2, &["BJ0203", "g.ron:5:25", "a whole number from 1 to 20, not 2.5"]);
}

#[test]
fn a_node_defined_twice() {
    let text = graph("\"a\": noise(),\n    \"a\": noise(gain: 0.4),", SHADED);
    check(text, 2, &["BJ0105", "g.ron:6:5", "defined twice", "first definition"]);
}

#[test]
fn a_cycle_of_three_is_named_whole() {
    let text = graph(
        "\"a\": blur(field: \"c\"),\n    \"b\": blur(field: \"a\"),\n    \"c\": blur(field: \"b\"),",
        SHADED,
    );
    let pieces = ["BJ0212", "`a` -> `b` -> `c` -> `a`", "`b` reads `a`", "`a` reads `c`", "help:"];
    check(text, 2, &pieces);
}

#[test]
fn a_link_to_a_node_or_port_that_is_not_there() {
    let text = graph(r#""a": blur(field: "hils"), "hills": noise(),"#, SHADED);
    check(text, 2, &["BJ0209", "g.ron:5:23", "did you mean `hills`?"]);
    let text = graph(r#""a": blur(field: "h.elevatoin"), "h": noise(),"#, SHADED);
    check(text, 2, &["BJ0210", "g.ron:5:25", "has no output `elevatoin`", "`elevation`"]);
}

#[test]
fn matter_that_two_nodes_take_up() {
    let text = graph(
        "\"rain\": droplets(elevation: \"m\"),\n    \"m\": noise(),\n    \
         \"a\": fan(elevation: \"rain\", supply: \"rain.supply\"),\n    \
         \"b\": basin_fill(elevation: \"a\", supply: \"rain.supply\"),",
        r#""b.png": relief(elevation: "b"),"#,
    );
    let pieces = [
        "BJ0213",
        "g.ron:8:45",
        "`rain.supply` is taken up by `a` already",
        "help: matter can be laid down once; take one of the links out",
    ];
    check(text, 2, &pieces);
}

#[test]
fn a_number_where_places_belong() {
    let text = graph("\"m\": noise(),\n    \"a\": fan(elevation: \"m\", apices_m: 5),", SHADED);
    let pieces = [
        "BJ0203",
        "g.ron:6:40",
        "`apices_m` takes a list of places, each two numbers",
        "not 5",
        "help: write `apices_m: [(1, 2), (3, 4)]`",
    ];
    check(text, 2, &pieces);
}

#[test]
fn a_mask_wired_into_an_elevation() {
    let text = graph(
        "\"a\": slope_mask(elevation: \"m\"),\n    \"m\": elevation_mask(elevation: \"h\"),\n    \"h\": noise(),",
        r#""a.png": raster(field: "a"),"#,
    );
    let pieces = ["BJ0211", "g.ron:5:32", "takes elevation (m), but `m` is a mask", "help:"];
    check(text, 2, &pieces);
}

#[test]
fn a_byte_order_mark_and_crlf_are_fine() {
    let text = graph(r#""a": noise(),"#, SHADED);
    check(format!("\u{feff}{text}"), 0, &["can be built"]);
    check(text.replace('\n', "\r\n"), 0, &["can be built"]);
}

#[test]
fn places_hold_behind_a_byte_order_mark_and_crlf() {
    let text = graph(r#""a": noise(gain: 2),"#, SHADED);
    check(format!("\u{feff}{}", text.replace('\n', "\r\n")), 2, &["g.ron:5:22"]);
}

#[test]
fn outputs_stay_in_their_folder_and_apart() {
    for path in ["../a.tif", "/a.tif", "a//b.tif", "C:\\\\a.tif", "nul.tif", "~/a.tif", "x./a.tif"]
    {
        let outputs = format!("\"{path}\": raster(field: \"a\"),");
        check(graph(r#""a": noise(),"#, &outputs), 2, &["BJ0241", "help:"]);
    }
    let outputs = r#""a.tif": raster(field: "a"), "A.TIF": raster(field: "a"),"#;
    check(graph(r#""a": noise(),"#, outputs), 2, &["BJ0242", "the other one"]);
    let outputs = r#""a.jpg": raster(field: "a"),"#;
    check(graph(r#""a": noise(),"#, outputs), 2, &["BJ0243", "`tif`"]);
    let outputs = r#""a.png": blur(field: "a"),"#;
    check(graph(r#""a": noise(),"#, outputs), 2, &["BJ0244", "`raster`"]);
    check(graph(r#""a": noise(),"#, ""), 2, &["BJ0240", "help:"]);
}

#[test]
fn a_world_must_have_square_cells_and_fit() {
    let world = |world: &str| {
        let text = graph(r#""a": noise(),"#, SHADED);
        text.replace("(extent_m: (640, 640), samples: (65, 65))", world)
    };
    check(world("(extent_m: (640, 600), samples: (65, 65))"), 2, &["BJ0222", "take 61"]);
    check(world("(extent_m: (640, 640), samples: (0, 65))"), 2, &["BJ0224", "help:"]);
    check(world("(extent_m: (640, 640), samples: (1, 1))"), 2, &["BJ0224", "help:"]);
    check(world("(extent_m: (640, 640), samples: (60000, 60000))"), 2, &["BJ0223", "13.4 GiB"]);
    check(world("(extent_m: (640, 640))"), 2, &["BJ0224", "needs both"]);
    check(world("from(\"b\")"), 2, &["BJ0221", "no node `b`"]);
    check(world("from(\"a\")"), 2, &["BJ0221", "reads no file"]);
}

#[test]
fn what_is_not_there_yet_is_refused_by_name() {
    let text = graph(r#""a": noise(),"#, SHADED);
    for key in ["uses", "parameters", "asserts"] {
        let text = text.replace("nodes:", &format!("{key}: {{}},\n  nodes:"));
        check(text, 2, &["BJ0104", key, "not supported yet"]);
    }
}

#[test]
fn a_missing_input_file_is_the_machines_fault() {
    let text = graph(r#""a": import(file: file("no.tif")),"#, SHADED);
    check(text, 5, &["BJ0230", "g.ron:5:29", "there is no file `no.tif`", "help:"]);
}

#[test]
fn files_that_are_no_graphs_are_refused_in_words() {
    let desk = Desk::new();
    desk.write("utf16.ron", [0xff, 0xfe, 0x28, 0x00]).write("empty.ron", "");
    for (file, code, piece) in [
        ("none.ron", 5, "no such file"),
        (".", 5, "it is a folder"),
        ("utf16.ron", 5, "save it as UTF-8"),
        ("empty.ron", 2, "BJ0010"),
    ] {
        let ran = desk.run(&["check", file]);
        assert_eq!(ran.code, code, "{file}: {}", ran.stderr);
        assert!(ran.stderr.contains(piece), "{file}: {}", ran.stderr);
    }
    #[cfg(unix)]
    {
        let ran = desk.run(&["check", "/dev/zero"]);
        assert_eq!(ran.code, 5, "{}", ran.stderr);
        assert!(ran.stderr.contains("no regular file"), "{}", ran.stderr);
    }
}

#[test]
fn json_is_a_line_for_each_diagnostic() {
    let desk = Desk::new();
    desk.write("g.ron", graph(r#""a": noise(gain: 2, octaves: 0),"#, SHADED));
    let ran = desk.run(&["check", "g.ron", "--json"]);
    assert_eq!(ran.code, 2);
    let records: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let types: Vec<&str> = records.iter().filter_map(|record| record["type"].as_str()).collect();
    assert_eq!(types, ["version", "diagnostic", "diagnostic", "summary"]);
    assert_eq!(records[1]["code"], "BJ0204");
    assert_eq!(records[1]["start"]["line"], 5);
    assert_eq!(records[1]["start"]["column"], 22);
    assert_eq!(records[3]["ok"], false);
}

#[test]
fn names_cannot_steer_the_terminal() {
    let text = graph("\"a\": noise(),", r#""\u{1b}]2;HACKED\u{7}.png": relief(elevation: "a"),"#);
    let desk = Desk::new();
    desk.write("g.ron", text);
    let ran = desk.run(&["check", "g.ron"]);
    assert_eq!(ran.code, 2);
    assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
}
