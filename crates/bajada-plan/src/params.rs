//! One written value against one declared parameter.

use bajada_graph::{Code, Diagnostic, Expr, Number, Spanned, nearest};
use bajada_node::{ParamKind, ParamSpec, ParamValue};

use crate::arguments::link_text;
use crate::assets::{AssetIndex, AssetProblem};

/// The value of `written` for `spec`, or what is wrong with it. `None` when the
/// text itself was broken and has its diagnostic already.
pub(crate) fn decode(
    spec: &ParamSpec,
    written: &Spanned<Expr>,
    assets: &AssetIndex,
) -> Result<ParamValue, Option<Diagnostic>> {
    let wrong = || Some(wrong_type(spec, written));
    match (&spec.kind, &written.value) {
        (_, Expr::Error) => Err(None),
        (ParamKind::Number { low, high }, Expr::Number(number)) => {
            in_range(spec, written, number, *low, *high).map(ParamValue::Number).map_err(Some)
        }
        (ParamKind::Integer { low, high }, Expr::Number(number)) => {
            let value =
                in_range(spec, written, number, f64::from(*low), f64::from(*high)).map_err(Some)?;
            if value.fract() == 0.0 { Ok(ParamValue::Integer(value as u32)) } else { Err(wrong()) }
        }
        (ParamKind::Pair { low, high }, Expr::Tuple(_)) => {
            pair(spec, written, *low, *high).map(ParamValue::Pair)
        }
        (ParamKind::Points { low, high }, Expr::List(items)) => {
            let points = items.iter().map(|item| pair(spec, item, *low, *high));
            points.collect::<Result<_, _>>().map(ParamValue::Points)
        }
        (ParamKind::Flag, Expr::Bool(value)) => Ok(ParamValue::Flag(*value)),
        (ParamKind::Choice { options }, Expr::Name(name)) => {
            match options.iter().position(|option| option.name == name) {
                Some(index) => Ok(ParamValue::Choice(index)),
                None => {
                    let names: Vec<&str> = options.iter().map(|option| option.name).collect();
                    let message = format!("`{}` has no choice `{name}`", spec.name);
                    let diagnostic =
                        Diagnostic::error(Code::UNKNOWN_CHOICE, written.span.clone(), message);
                    let near = nearest(name, names.iter().copied());
                    let hint = format!("write {}", one_of(&names));
                    Err(Some(diagnostic.with_hint(hint).did_you_mean(&near)))
                }
            }
        }
        (ParamKind::File, Expr::File(path)) => match assets.get(&path.value) {
            Some(Ok(entry)) => Ok(ParamValue::File(entry.asset.clone())),
            Some(Err(AssetProblem::Unreadable(why))) => {
                let message = format!("the file `{}` cannot be read: {why}", path.value);
                Err(Some(Diagnostic::error(Code::FILE_UNREADABLE, path.span.clone(), message)))
            }
            Some(Err(AssetProblem::Missing)) | None => {
                let message = format!("there is no file `{}`", path.value);
                let diagnostic = Diagnostic::error(Code::FILE_MISSING, path.span.clone(), message);
                Err(Some(diagnostic.with_hint("paths are relative to the graph's folder")))
            }
        },
        _ => Err(wrong()),
    }
}

/// Two numbers in brackets.
fn pair(
    spec: &ParamSpec,
    written: &Spanned<Expr>,
    low: f64,
    high: f64,
) -> Result<[f64; 2], Option<Diagnostic>> {
    let wrong = || Some(wrong_type(spec, written));
    let Expr::Tuple(items) = &written.value else { return Err(wrong()) };
    let one = |item: &Spanned<Expr>| match &item.value {
        Expr::Number(number) => in_range(spec, item, number, low, high).map_err(Some),
        Expr::Error => Err(None),
        _ => Err(wrong()),
    };
    let [a, b] = items.as_slice() else { return Err(wrong()) };
    Ok([one(a)?, one(b)?])
}

fn in_range(
    spec: &ParamSpec,
    written: &Spanned<Expr>,
    number: &Number,
    low: f64,
    high: f64,
) -> Result<f64, Diagnostic> {
    // Written so that NaN is outside.
    if number.value >= low && number.value <= high {
        return Ok(number.value);
    }
    let message = format!("`{}` cannot be {}", spec.name, number.text);
    let hint = format!("write {}", range(low, high, spec.unit));
    Err(Diagnostic::error(Code::OUT_OF_RANGE, written.span.clone(), message).with_hint(hint))
}

fn range(low: f64, high: f64, unit: &str) -> String {
    let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
    format!("a number from {low} to {high}{unit}")
}

fn wrong_type(spec: &ParamSpec, written: &Spanned<Expr>) -> Diagnostic {
    let found = match &written.value {
        Expr::Number(number) => number.text.clone(),
        other => other.describe().to_owned(),
    };
    let message = format!("`{}` takes {}, not {found}", spec.name, takes(spec));
    let hint = match (&spec.kind, &spec.default, &written.value) {
        (ParamKind::File, _, Expr::Link(link)) => {
            Some(format!("write `file(\"{}\")`", link_text(link)))
        }
        (ParamKind::Choice { options }, _, _) => {
            let names: Vec<&str> = options.iter().map(|option| option.name).collect();
            Some(format!("write {}", one_of(&names)))
        }
        (ParamKind::Pair { .. }, ..) => Some(format!("write `{}: (1, 2)`", spec.name)),
        (ParamKind::Points { .. }, ..) => Some(format!("write `{}: [(1, 2), (3, 4)]`", spec.name)),
        (ParamKind::Flag, ..) => Some("write `true` or `false`".to_owned()),
        _ => None,
    };
    let diagnostic = Diagnostic::error(Code::WRONG_TYPE, written.span.clone(), message);
    match hint {
        Some(hint) => diagnostic.with_hint(hint),
        None => diagnostic,
    }
}

fn takes(spec: &ParamSpec) -> String {
    match spec.kind {
        ParamKind::Number { low, high } => range(low, high, spec.unit),
        ParamKind::Integer { low, high } => {
            range(f64::from(low), f64::from(high), spec.unit).replace("a number", "a whole number")
        }
        ParamKind::Pair { low, high } => {
            range(low, high, spec.unit).replace("a number", "two numbers, each")
        }
        ParamKind::Points { low, high } => {
            range(low, high, spec.unit).replace("a number", "a list of places, each two numbers")
        }
        ParamKind::Flag => "true or false".to_owned(),
        ParamKind::Choice { .. } => "one of its choices".to_owned(),
        ParamKind::File => "a file".to_owned(),
    }
}

/// Names in backticks, with an `or` before the last.
pub(crate) fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => "nothing".to_owned(),
    }
}
