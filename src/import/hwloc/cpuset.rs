//! Sets of CPUs as hwloc writes them: `0x0000ffff,0xffffffff,,0x1`, most significant word first, empty words are zero.

/// Most words of a set (65,536 CPUs).
const MAX_WORDS: usize = 2_048;

/// A set of CPUs, least significant word first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CpuSet {
    words: Vec<u32>,
    /// `0xf...f`: everything above is in it too.
    infinite: bool,
}

impl CpuSet {
    /// Reads a set; what is not a number is an empty word.
    pub(super) fn parse(text: &str) -> Self {
        let (infinite, text) = match text.strip_prefix("0xf...f") {
            Some(rest) => (true, rest.trim_start_matches(',')),
            None => (false, text),
        };
        let word = |w: &str| u32::from_str_radix(w.trim().trim_start_matches("0x"), 16).unwrap_or(0);
        let mut words: Vec<u32> = text.split(',').take(MAX_WORDS).map(word).collect();
        words.reverse();
        while words.last() == Some(&0) {
            words.pop();
        }
        Self { words, infinite }
    }

    /// True without any CPU.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && !self.infinite
    }

    /// True when the two have a CPU in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let common = self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0);
        common || (self.infinite && !other.is_empty()) || (other.infinite && !self.is_empty())
    }

    /// True when all CPUs of the other are in this one.
    pub(super) fn covers(&self, other: &Self) -> bool {
        if self.infinite {
            return true;
        }
        !other.infinite
            && other.words.iter().enumerate().all(|(i, b)| b & !self.words.get(i).copied().unwrap_or(0) == 0)
    }

    /// How many CPUs, for reports.
    pub(super) fn len(&self) -> u32 {
        self.words.iter().map(|w| w.count_ones()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::CpuSet;

    #[test]
    fn empty_words_are_zero() {
        let set = CpuSet::parse("0x00000003,,0x00000003");
        assert_eq!(set.len(), 4);
        assert!(set.covers(&CpuSet::parse("0x3,,0x0")) && !set.covers(&CpuSet::parse("0x4")));
        assert!(CpuSet::parse("0xf...f,0x0").meets(&set) && !CpuSet::parse("0x8").meets(&set));
        assert!(CpuSet::parse(",,0x0").is_empty());
    }
}
