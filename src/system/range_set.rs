//! A set of unit numbers as sorted ranges: 16,384 healthy nodes are one range.

use std::fmt;
use std::ops::Range;

/// A set of `u32`, kept as sorted, disjoint, non-adjacent half-open ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RangeSet(Vec<(u32, u32)>);

impl RangeSet {
    /// The numbers of one range.
    pub fn from_range(r: Range<u32>) -> Self {
        if r.is_empty() { Self::default() } else { Self(vec![(r.start, r.end)]) }
    }

    /// How many numbers.
    pub fn len(&self) -> u64 {
        self.0.iter().map(|(a, b)| u64::from(b - a)).sum()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a number is in it; logarithmic in the number of ranges.
    pub fn contains(&self, n: u32) -> bool {
        let i = self.0.partition_point(|&(_, end)| end <= n);
        self.0.get(i).is_some_and(|&(start, _)| start <= n)
    }

    /// The smallest number.
    pub fn first(&self) -> Option<u32> {
        self.0.first().map(|&(a, _)| a)
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.0.iter().map(|&(a, b)| a..b)
    }

    /// All numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges().flatten()
    }

    /// Takes one number out; true if it was there.
    pub fn remove(&mut self, n: u32) -> bool {
        let i = self.0.partition_point(|&(_, end)| end <= n);
        let Some(&(start, end)) = self.0.get(i).filter(|&&(start, _)| start <= n) else {
            return false;
        };
        let parts = [(start, n), (n + 1, end)].into_iter().filter(|(a, b)| a < b);
        self.0.splice(i..=i, parts);
        true
    }

    /// Adds one number.
    pub fn insert(&mut self, n: u32) {
        if self.contains(n) {
            return;
        }
        let i = self.0.partition_point(|&(_, end)| end < n);
        match self.0.get_mut(i) {
            Some(r) if r.1 == n => r.1 = n + 1,
            Some(r) if r.0 == n + 1 => r.0 = n,
            _ => self.0.insert(i, (n, n + 1)),
        }
        self.join_at(i);
    }

    fn join_at(&mut self, i: usize) {
        if let (Some(&(a, b)), Some(&(c, d))) = (self.0.get(i), self.0.get(i + 1))
            && b == c
        {
            self.0.splice(i..=i + 1, [(a, d)]);
        }
    }

    /// Numbers that are in both sets.
    #[must_use]
    pub fn intersect(&self, r: Range<u32>) -> Self {
        Self(self.0.iter().map(|&(a, b)| (a.max(r.start), b.min(r.end))).filter(|(a, b)| a < b).collect())
    }

    /// Numbers that are in both sets; quick where one of them is small.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (few, many) = if self.0.len() <= other.0.len() { (self, other) } else { (other, self) };
        let mut both = Vec::new();
        for &(a, b) in &few.0 {
            let from = many.0.partition_point(|&(_, end)| end <= a);
            let hits = many.0.iter().skip(from).take_while(|&&(start, _)| start < b);
            both.extend(hits.map(|&(c, d)| (a.max(c), b.min(d))));
        }
        Self(both)
    }

    /// Numbers that are in this set and not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut left = Vec::with_capacity(self.0.len());
        for &(a, b) in &self.0 {
            let mut start = a;
            let from = other.0.partition_point(|&(_, end)| end <= a);
            for &(c, d) in other.0.iter().skip(from).take_while(|&&(c, _)| c < b) {
                if start < c {
                    left.push((start, c));
                }
                start = start.max(d);
            }
            if start < b {
                left.push((start, b));
            }
        }
        Self(left)
    }

    /// Numbers that are in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut all: Vec<(u32, u32)> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_unstable();
        let mut set: Vec<(u32, u32)> = Vec::with_capacity(all.len());
        for (a, b) in all {
            match set.last_mut() {
                Some((_, end)) if *end >= a => *end = (*end).max(b),
                _ => set.push((a, b)),
            }
        }
        Self(set)
    }
}

impl FromIterator<u32> for RangeSet {
    fn from_iter<I: IntoIterator<Item = u32>>(iter: I) -> Self {
        let mut all: Vec<u32> = iter.into_iter().collect();
        all.sort_unstable();
        let mut set = Self::default();
        for n in all {
            match set.0.last_mut() {
                Some((_, end)) if *end > n => {}
                Some((_, end)) if *end == n => *end = n + 1,
                _ => set.0.push((n, n + 1)),
            }
        }
        set
    }
}

/// `0..3, 7`.
impl fmt::Display for RangeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, &(a, b)) in self.0.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            if b - a == 1 { write!(f, "{comma}{a}")? } else { write!(f, "{comma}{a}..{}", b - 1)? }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::RangeSet;

    #[test]
    fn split_and_heal() {
        let mut s = RangeSet::from_range(0..10);
        assert!(s.remove(3) && !s.remove(3));
        assert_eq!((s.to_string(), s.len(), s.contains(3)), ("0..2, 4..9".to_owned(), 9, false));
        s.insert(3);
        assert_eq!(s, RangeSet::from_range(0..10));
        s.remove(0);
        s.remove(9);
        s.insert(20);
        assert_eq!(s.to_string(), "1..8, 20");
        assert_eq!([5, 1, 2, 2].into_iter().collect::<RangeSet>().to_string(), "1..2, 5");
        assert_eq!(s.intersect(7..21).to_string(), "7..8, 20");
    }

    #[test]
    fn set_operations_agree_with_membership() {
        let sets: Vec<RangeSet> = [0xb7_u32, 0, 0xff, 0x81, 0x3c, 0x55, 0xaa]
            .iter()
            .map(|bits| (0..8).filter(|i| bits >> i & 1 == 1).collect())
            .collect();
        for a in &sets {
            for b in &sets {
                let filtered = |f: &dyn Fn(u32) -> bool| (0..8).filter(|n| f(*n)).collect::<RangeSet>();
                assert_eq!(a.intersection(b), filtered(&|n| a.contains(n) && b.contains(n)), "{a} and {b}");
                assert_eq!(a.difference(b), filtered(&|n| a.contains(n) && !b.contains(n)), "{a} without {b}");
                assert_eq!(a.union(b), filtered(&|n| a.contains(n) || b.contains(n)), "{a} or {b}");
            }
        }
    }
}
