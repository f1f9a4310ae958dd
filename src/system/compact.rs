//! Runs of equal devices and links in the short form that people write: `gpu[0-7]`; the way back from [`super::expand`].

use super::spec::{DeviceSpec, Join, LinkSpec};

/// The letters of a name.
fn head(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Letters and number of a name.
fn split(name: &str) -> Option<(&str, u32)> {
    let head = head(name);
    Some((head, name.get(head.len()..)?.parse().ok()?))
}

/// `gpu[0-3,6]` for names with the same letters; `None` for names that have no number or differ in their letters.
pub fn collapse(names: &[String]) -> Option<String> {
    if let [one] = names {
        return Some(one.clone());
    }
    let parts: Option<Vec<(&str, u32)>> = names.iter().map(|n| split(n)).collect();
    let parts = parts?;
    let head = parts.first()?.0;
    if parts.iter().any(|(h, _)| *h != head) {
        return None;
    }
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for (_, n) in parts {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == n => *end = n,
            _ => ranges.push((n, n)),
        }
    }
    let list: Vec<String> =
        ranges.iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") }).collect();
    Some(format!("{head}[{}]", list.join(",")))
}

/// Runs of neighbouring devices of the same part become one entry. CPUs with a NUMA id stay apart.
pub fn compact_devices(list: Vec<DeviceSpec>) -> Vec<DeviceSpec> {
    let mut runs: Vec<(Vec<String>, DeviceSpec)> = Vec::new();
    for d in list {
        let fits = runs.last().is_some_and(|(names, r)| {
            let last = names.last().and_then(|n| split(n));
            let next = last.zip(split(&d.name)).is_some_and(|(a, b)| a.0 == b.0 && a.1.checked_add(1) == Some(b.1));
            next && r.part == d.part && r.numa.is_none() && d.numa.is_none()
        });
        match runs.last_mut().filter(|_| fits) {
            Some((names, _)) => names.push(d.name),
            None => runs.push((vec![d.name.clone()], d)),
        }
    }
    runs.into_iter().map(|(names, d)| DeviceSpec { name: collapse(&names).unwrap_or(d.name), ..d }).collect()
}

/// What makes links alike apart from their ends.
type Sort = (String, u32, u32);

/// Links between single devices in their short form: from one device to several, from several to the same ones, and pair
/// by pair. The order of the input is kept where it can be.
pub fn compact_links(list: Vec<LinkSpec>) -> Vec<LinkSpec> {
    let mut fans: Vec<(Sort, String, Vec<String>)> = Vec::new();
    for l in list {
        let sort = (l.kind, l.count, l.lanes);
        let same_head = |other: &[String]| other.first().is_some_and(|o| head(o) == head(&l.to));
        match fans.iter_mut().find(|(s, from, to)| *s == sort && *from == l.from && same_head(to)) {
            Some((_, _, all)) => all.push(l.to),
            None => fans.push((sort, l.from, vec![l.to])),
        }
    }
    let mut groups: Vec<(Sort, Vec<String>, Vec<String>)> = Vec::new();
    for (sort, from, to) in fans {
        let fits = |f: &[String]| f.first().is_some_and(|o| head(o) == head(&from)) && !to.contains(&from);
        match groups.iter_mut().find(|(s, f, t)| *s == sort && *t == to && fits(f)) {
            Some((_, f, _)) => f.push(from),
            None => groups.push((sort, vec![from], to)),
        }
    }
    pairs(groups)
}

/// Single links of one sort between two runs of ascending names become one entry, joined pair by pair.
fn pairs(groups: Vec<(Sort, Vec<String>, Vec<String>)>) -> Vec<LinkSpec> {
    let mut out: Vec<(Sort, Vec<String>, Vec<String>, Join)> = Vec::new();
    for (sort, from, to) in groups {
        let single = from.len() == 1 && to.len() == 1;
        let follows = |old: &[String], new: &[String]| {
            let ends = old.last().and_then(|o| split(o)).zip(new.first().and_then(|n| split(n)));
            ends.is_some_and(|(a, b)| a.0 == b.0 && a.1 < b.1)
        };
        let open = out.iter_mut().find(|(s, f, t, join)| {
            let one = f.len() == 1 && t.len() == 1;
            single && *s == sort && (one || *join == Join::Pairwise) && follows(f, &from) && follows(t, &to)
        });
        match open {
            Some((_, f, t, join)) => {
                f.extend(from);
                t.extend(to);
                *join = Join::Pairwise;
            }
            None => out.push((sort, from, to, Join::Each)),
        }
    }
    out.into_iter().flat_map(written).collect()
}

/// One entry, or one for each link where the names make no run.
fn written(((kind, count, lanes), from, to, join): (Sort, Vec<String>, Vec<String>, Join)) -> Vec<LinkSpec> {
    let entry = |from: String, to: String, join| LinkSpec { from, to, kind: kind.clone(), count, lanes, join };
    match (collapse(&from), collapse(&to)) {
        (Some(f), Some(t)) => vec![entry(f, t, join)],
        _ if join == Join::Pairwise => from.into_iter().zip(to).map(|(f, t)| entry(f, t, Join::Each)).collect(),
        _ => from.iter().flat_map(|f| to.iter().map(|t| entry(f.clone(), t.clone(), Join::Each))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(from: &str, to: &str, count: u32) -> LinkSpec {
        LinkSpec { from: from.into(), to: to.into(), kind: "k".into(), count, lanes: 1, join: Join::Each }
    }

    #[test]
    fn links_in_short_form_say_the_same() {
        let list = vec![
            link("gpu0", "sw0", 2),
            link("gpu0", "sw1", 2),
            link("gpu1", "sw0", 2),
            link("gpu1", "sw1", 2),
            link("sw0", "nic0", 1),
            link("sw1", "nic1", 1),
            link("gpu0", "gpu1", 3),
        ];
        let short = compact_links(list);
        let text: Vec<String> = short.iter().map(|l| format!("{}-{} {} {:?}", l.from, l.to, l.count, l.join)).collect();
        assert_eq!(text, ["gpu[0-1]-sw[0-1] 2 Each", "sw[0-1]-nic[0-1] 1 Pairwise", "gpu0-gpu1 3 Each"]);
    }

    #[test]
    fn names_without_numbers_make_no_run() {
        assert_eq!(collapse(&["a1".into(), "b2".into()]), None);
        assert_eq!(collapse(&["a1".into(), "a2".into(), "a5".into()]).as_deref(), Some("a[1-2,5]"));
    }
}
