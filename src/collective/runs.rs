//! Long lists of numbers of which most are equal to their neighbours: what a link of a rack carries, its hundred twins
//! carry too.

use std::ops::Range;

/// A list of numbers, kept as runs of equal ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Runs(Vec<Run>);

#[derive(Debug, Clone, Copy, PartialEq)]
struct Run {
    /// The place after its last number.
    end: u32,
    value: f64,
}

impl Runs {
    /// The number at a place.
    pub(crate) fn get(&self, place: usize) -> Option<f64> {
        self.0.get(self.0.partition_point(|r| r.end as usize <= place)).map(|r| r.value)
    }

    /// All numbers, one by one.
    pub(crate) fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        let starts = std::iter::once(0).chain(self.0.iter().map(|r| r.end));
        self.0.iter().zip(starts).flat_map(|(r, start)| std::iter::repeat_n(r.value, (r.end - start) as usize))
    }

    /// The runs: the place of the first number of each, and the number.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let starts = std::iter::once(0).chain(self.0.iter().map(|r| r.end as usize));
        starts.zip(self.0.iter().map(|r| r.value))
    }

    /// The first place with the largest number of a range of places, and the number; `None` without places.
    pub(crate) fn largest(&self, places: Range<usize>) -> Option<(usize, f64)> {
        let first = self.0.partition_point(|r| r.end as usize <= places.start);
        let mut here = places.start;
        let mut most: Option<(usize, f64)> = None;
        for r in self.0.get(first..)? {
            if here >= places.end {
                break;
            }
            if most.is_none_or(|(_, m)| r.value > m) {
                most = Some((here, r.value));
            }
            here = r.end as usize;
        }
        most
    }

    /// The sum of lists, each times a factor, place by place; a list that has ended counts no more.
    pub(crate) fn sum(parts: &[(&Self, f64)]) -> Self {
        let mut left: Vec<(&[Run], f64)> = parts.iter().map(|(list, k)| (list.0.as_slice(), *k)).collect();
        let mut sums: Vec<Run> = Vec::new();
        while let Some(end) = left.iter().filter_map(|(runs, _)| Some(runs.first()?.end)).min() {
            let value = left.iter().filter_map(|(runs, k)| Some(runs.first()?.value * k)).sum();
            sums.push(Run { end, value });
            for (runs, _) in &mut left {
                if let [first, rest @ ..] = *runs
                    && first.end == end
                {
                    *runs = rest;
                }
            }
        }
        Self(sums)
    }
}

impl FromIterator<f64> for Runs {
    fn from_iter<I: IntoIterator<Item = f64>>(all: I) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for (end, value) in (1..).zip(all) {
            match runs.last_mut() {
                Some(last) if last.value.to_bits() == value.to_bits() => last.end = end,
                _ => runs.push(Run { end, value }),
            }
        }
        runs.shrink_to_fit();
        Self(runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_the_list_that_they_were_made_of() {
        let lists: [&[f64]; 5] = [&[], &[1.0], &[0.0, -0.0, 0.0], &[2.0, 2.0, 3.0, 2.0], &[f64::NAN, f64::NAN]];
        for list in lists {
            let runs: Runs = list.iter().copied().collect();
            let bits = |all: &[f64]| all.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&runs.iter().collect::<Vec<_>>()), bits(list));
            let one_by_one: Vec<f64> = (0..list.len()).filter_map(|i| runs.get(i)).collect();
            assert_eq!((bits(&one_by_one), runs.get(list.len())), (bits(list), None));
        }
        assert_eq!([2.0, 2.0, 3.0].into_iter().collect::<Runs>().runs().collect::<Vec<_>>(), [(0, 2.0), (2, 3.0)]);
    }

    #[test]
    fn the_first_of_the_largest_is_found() {
        let runs: Runs = [1.0, 3.0, 3.0, 2.0, 3.0, 5.0].into_iter().collect();
        let found: Vec<_> = [0..5, 2..5, 3..4, 0..6, 0..9, 4..4, 6..7].map(|r| runs.largest(r)).into();
        let some = |place, value| Some((place, value));
        assert_eq!(found, [some(1, 3.0), some(2, 3.0), some(3, 2.0), some(5, 5.0), some(5, 5.0), None, None]);
    }

    #[test]
    fn sums_are_those_of_the_lists() {
        let of = |list: &[f64]| list.iter().copied().collect::<Runs>();
        let (a, b) = (of(&[1.0, 1.0, 2.0, 2.0, 5.0]), of(&[3.0, 4.0, 4.0]));
        let sum: Vec<f64> = Runs::sum(&[(&a, 2.0), (&b, 10.0)]).iter().collect();
        assert_eq!(sum, [32.0, 42.0, 44.0, 4.0, 10.0]);
        assert_eq!(Runs::sum(&[]), Runs::default());
    }
}
