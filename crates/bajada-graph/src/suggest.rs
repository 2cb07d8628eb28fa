//! Did you mean: the names nearest to one that is not known.

/// Longer names are not compared: no name of ours comes near, and the distance
/// takes time in proportion to the product of both lengths.
const LONGEST_NAME: usize = 64;

/// How many names are offered: more is a list, not a suggestion.
const MOST_NAMES: usize = 3;

/// Up to three of the candidates that a person may have meant by `name`, nearest
/// first, equals in the order of the candidates.
///
/// Near is an edit distance of up to a third of the name (at least 1), where
/// swapped neighbors count as one edit, or a part of the name that is itself a
/// name (`repose` for `repose_angle_deg`). Case does not count.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = folded(name);
    if wanted.is_empty() || wanted.len() > LONGEST_NAME {
        return Vec::new();
    }
    let threshold = (wanted.len() / 3).max(1);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| {
            let cost = cost(&wanted, &folded(candidate), threshold)?;
            Some((cost, candidate))
        })
        .collect();
    near.sort_by_key(|(cost, _)| *cost);
    let mut names: Vec<&str> = Vec::new();
    for (_, candidate) in near {
        if names.len() < MOST_NAMES && !names.contains(&candidate) {
            names.push(candidate);
        }
    }
    names
}

fn folded(name: &str) -> Vec<char> {
    name.chars().take(LONGEST_NAME + 1).flat_map(char::to_lowercase).collect()
}

fn cost(wanted: &[char], candidate: &[char], threshold: usize) -> Option<usize> {
    if candidate.is_empty() || candidate.len() > LONGEST_NAME {
        return None;
    }
    let within = wanted.len().abs_diff(candidate.len()) <= threshold;
    let distance = within.then(|| edit_distance(wanted, candidate));
    match distance {
        Some(distance) if distance <= threshold => Some(distance),
        _ if is_part(wanted, candidate) => Some(threshold + 1),
        _ => None,
    }
}

/// One name is inside the other, and long enough to mean something.
fn is_part(wanted: &[char], candidate: &[char]) -> bool {
    let (short, long) =
        if wanted.len() < candidate.len() { (wanted, candidate) } else { (candidate, wanted) };
    short.len() >= 3 && long.windows(short.len()).any(|window| window == short)
}

/// Optimal string alignment: insert, delete, replace, swap neighbors.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = last;
        last = row;
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, candidates: &[&str], expected: &[&str]) {
        assert_eq!(nearest(name, candidates.iter().copied()), expected);
    }

    #[test]
    fn a_slip_of_the_finger_finds_its_name() {
        check("sede", &["seed", "nodes", "world"], &["seed"]);
        check("elevtion", &["erosion", "elevation", "deposition"], &["elevation"]);
        check("ridged", &["Billow", "Ridged"], &["Ridged"]);
    }

    #[test]
    fn a_name_without_its_unit_finds_the_name_with_it() {
        check("repose", &["elevation", "repose_angle_deg"], &["repose_angle_deg"]);
        check("wavelength", &["wavelength_m"], &["wavelength_m"]);
    }

    #[test]
    fn nothing_near_gives_nothing() {
        check("xyzzy", &["seed", "nodes"], &[]);
        check("", &["seed"], &[]);
        check("seed", &["seed"], &[]);
    }

    #[test]
    fn at_most_three_are_offered_and_equals_keep_their_order() {
        check("aaa1", &["aaa2", "aaa3", "aaa1x", "aaa4"], &["aaa2", "aaa3", "aaa1x"]);
    }

    #[test]
    fn a_name_of_a_million_letters_is_not_compared() {
        let long = "a".repeat(1_000_000);
        assert!(nearest(&long, ["a"]).is_empty());
        assert!(nearest("seed", [long.as_str()]).is_empty());
    }
}
