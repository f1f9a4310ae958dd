//! Numbers from a seed: the same on every machine and in every version of the program.

/// A stream of numbers. `SplitMix64` (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The stream of a seed for something with a name: what is drawn for one question does not depend on the others.
    pub(super) fn new(seed: u64, name: &str) -> Self {
        // FNV-1a over the name.
        let hash =
            name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        let mut stream = Self(seed.wrapping_mul(GAMMA) ^ hash);
        stream.next();
        stream
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 where there is none.
    pub(super) fn below(&mut self, n: usize) -> usize {
        match n as u64 {
            0 => 0,
            n => (self.next() % n) as usize,
        }
    }

    /// Puts a list in any order.
    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(seed: u64, name: &str) -> Vec<usize> {
        let mut r = Random::new(seed, name);
        (0..8).map(|_| r.below(1000)).collect()
    }

    #[test]
    fn a_seed_and_a_name_are_a_stream() {
        assert_eq!(first(7, "a"), first(7, "a"));
        assert_ne!(first(7, "a"), first(7, "b"));
        assert_ne!(first(7, "a"), first(8, "a"));
    }

    #[test]
    fn every_place_is_reached() {
        let mut seen = [false; 24];
        for seed in 0..500 {
            let mut list = [0, 1, 2, 3];
            Random::new(seed, "x").shuffle(&mut list);
            let rank = |i: usize| list.iter().skip(i + 1).filter(|v| Some(*v) < list.get(i)).count();
            if let Some(cell) = seen.get_mut(rank(0) * 6 + rank(1) * 2 + rank(2)) {
                *cell = true;
            }
        }
        assert!(seen.iter().all(|s| *s), "{seen:?}");
        assert_eq!(Random::new(1, "").below(0), 0);
    }
}
