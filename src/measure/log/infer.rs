//! What a log does not say but its figures do.

use super::{Known, Remark, Test};
use crate::question::Collective;

/// Notes what one row tells about the operation: only rooted collectives have a root, only reductions a sum.
pub(super) fn operation(test: &mut Test, redop: Option<&str>, root: Option<i64>) {
    if test.collective.is_some() {
        return;
    }
    let sums = redop.is_some_and(|r| r != "none");
    if root.is_some_and(|r| r >= 0) {
        let c = if sums { Collective::Reduce } else { Collective::Broadcast };
        (test.collective, test.collective_from) = (Some(c), Known::Inferred);
    }
    test.sums |= sums;
}

/// Fills in ranks and collective once all rows are there, and says what looks wrong.
pub(super) fn complete(test: &mut Test, remarks: &mut Vec<Remark>) {
    let pieces = pieces(test);
    let factor = factor(test);
    if test.ranks.is_none()
        && let Some(n) = pieces.filter(|p| *p > 1).or_else(|| ranks_of_all_reduce(test, factor))
    {
        (test.ranks, test.ranks_from) = (Some(n), Known::Inferred);
    }
    if test.collective.is_none()
        && let Some(c) = collective(test, pieces, factor)
    {
        (test.collective, test.collective_from) = (Some(c), Known::Inferred);
    }
    if idle(test) {
        let text = "busbw is 0 at every size: the ranks did not join one communicator".to_owned();
        remarks.push(Remark { line: test.line, text });
    }
    if let Some(row) = test.rows.iter().find(|r| r.sample().is_some_and(|s| s.wrong.is_some_and(|w| w > 1e-3))) {
        remarks.push(Remark { line: row.line, text: "the test found wrong results".to_owned() });
    }
}

/// Into how many pieces the buffer is cut: size over (count x element). One for all-reduce, the ranks for all-gather.
fn pieces(test: &Test) -> Option<u32> {
    let mut all = test.rows.iter().filter_map(|r| {
        let (count, element) = r.elements?;
        let bytes = count.checked_mul(u64::from(element)).filter(|b| *b > 0)?;
        let size = r.size.to_u64();
        (size % bytes == 0).then(|| u32::try_from(size / bytes).ok())?
    });
    let first = all.next()?;
    all.all(|n| n == first).then_some(first)
}

/// busbw over algbw at the row where both have most digits, and how far rounding may move it.
fn factor(test: &Test) -> Option<(f64, f64)> {
    let best = test
        .rows
        .iter()
        .filter_map(super::Row::sample)
        .max_by(|a, b| a.algbw.gbytes_per_s().total_cmp(&b.algbw.gbytes_per_s()))?;
    let (a, b) = (best.algbw.gbytes_per_s(), best.busbw.gbytes_per_s());
    if a < 0.2 || b < 0.2 {
        return None;
    }
    // Two decimals are printed below 1000; documents round further.
    let one_decimal = |v: f64| ((v * 10.0).round() / 10.0 - v).abs() < 1e-9;
    let half_digit = if one_decimal(a) && one_decimal(b) { 0.05 } else { 0.005 };
    Some((b / a, half_digit * (1.0 + b / a) / a))
}

/// All-reduce: the factor is 2(n-1)/n, so n = 2 / (2 - factor). Only where rounding leaves one whole number.
fn ranks_of_all_reduce(test: &Test, factor: Option<(f64, f64)>) -> Option<u32> {
    let (f, e) = factor?;
    let said = test.collective == Some(Collective::AllReduce);
    if !(said || f > 1.0 + e) {
        return None;
    }
    let n = |f: f64| 2.0 / (2.0 - f);
    let (low, high) = (n(f - e), n(f + e));
    let whole = n(f).round();
    let sure = f + e < 2.0 && low > whole - 0.9 && high < whole + 0.9 && low <= whole && whole <= high;
    sure.then_some(whole as u32)
}

fn collective(test: &Test, pieces: Option<u32>, factor: Option<(f64, f64)>) -> Option<Collective> {
    let (f, e) = factor?;
    if f > 1.0 + e {
        return Some(Collective::AllReduce);
    }
    let many = pieces.is_some_and(|p| p > 1) || f < 1.0 - e;
    if many && test.sums {
        return Some(Collective::ReduceScatter);
    }
    if many {
        // Before 2.12 all-gather had neither a reduction's nor a root's column, all-to-all a blank one for the reduction.
        return match test.layout {
            Some((false, false)) => Some(Collective::AllGather),
            Some((true, false)) => Some(Collective::AllToAll),
            _ => None,
        };
    }
    // All-reduce of two ranks has factor 1, as has send-recv of any number: told apart only where the ranks are known.
    let single = pieces == Some(1) && (f - 1.0).abs() <= e && test.sums;
    match test.ranks {
        Some(2) if single => Some(Collective::AllReduce),
        Some(3..) if single => Some(Collective::SendRecv),
        _ => None,
    }
}

fn idle(test: &Test) -> bool {
    let mut samples = test.rows.iter().filter_map(super::Row::sample).peekable();
    let large = test.rows.iter().any(|r| r.size.get() >= 1_048_576.0);
    large && samples.peek().is_some() && samples.all(|s| s.busbw.gbytes_per_s() == 0.0)
}
