//! Runs of names: `gpu[0-7]` stands for `gpu0` .. `gpu7`, `psw[0,2,4-5]` for four switches.

/// Longest run a single pattern may stand for; a typo must not fill the memory.
const MAX_RUN: usize = 4096;

/// Expands the brackets of a name. A name without brackets stands for itself. `None` when the brackets do not parse or
/// would stand for more than 4,096 names.
pub fn expand(pattern: &str) -> Option<Vec<String>> {
    let Some((head, rest)) = pattern.split_once('[') else {
        return (!pattern.contains(']')).then(|| vec![pattern.to_owned()]);
    };
    let (inside, tail) = rest.split_once(']')?;
    let numbers = numbers(inside)?;
    let tails = expand(tail)?;
    if numbers.len().checked_mul(tails.len())? > MAX_RUN {
        return None;
    }
    Some(numbers.iter().flat_map(|n| tails.iter().map(move |t| format!("{head}{n}{t}"))).collect())
}

fn numbers(list: &str) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    for part in list.split(',') {
        let (a, b) = if let Some((a, b)) = part.split_once('-') {
            (a.trim().parse::<u32>().ok()?, b.trim().parse::<u32>().ok()?)
        } else {
            let n = part.trim().parse::<u32>().ok()?;
            (n, n)
        };
        if b < a || (b - a) as usize >= MAX_RUN || all.len() > MAX_RUN {
            return None;
        }
        all.extend(a..=b);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn runs_lists_and_plain_names() {
        let names = |p: &str| expand(p).unwrap_or_default().join(" ");
        assert_eq!(names("gpu[0-2]"), "gpu0 gpu1 gpu2");
        assert_eq!(names("psw[0,2-3]"), "psw0 psw2 psw3");
        assert_eq!(names("cpu0"), "cpu0");
        assert_eq!(names("n[0-1]/g[0-1]"), "n0/g0 n0/g1 n1/g0 n1/g1");
    }

    #[test]
    fn nonsense_is_refused() {
        for p in ["gpu[", "gpu]", "gpu[3-1]", "gpu[a]", "gpu[0-99999]", "gpu[]", "a[0-4000][0-4000]"] {
            assert!(expand(p).is_none(), "{p}");
        }
    }
}
