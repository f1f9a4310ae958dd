//! A number that a learner types: what is wanted, how it may be written, and what a wrong one tells.

use super::form::Form;
use super::value::{Dimension, Value};

/// A number that is asked for. It knows the answer only to keep it out of its examples and to name what went wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    is: Value,
    /// The unit that the question states; a bare number is in it.
    unit: Option<&'static str>,
}

/// Units of each sort as they may be typed, with what one of them is in the program's own spelling.
const RATES: &[(&str, &str)] = &[
    ("GB/s", "GB/s"),
    ("GBps", "GB/s"),
    ("Gb/s", "Gb/s"),
    ("Gbps", "Gb/s"),
    ("Gbit/s", "Gb/s"),
    ("MB/s", "MB/s"),
    ("MBps", "MB/s"),
    ("Mb/s", "Mb/s"),
    ("Mbps", "Mb/s"),
    ("Mbit/s", "Mb/s"),
    ("TB/s", "TB/s"),
    ("TBps", "TB/s"),
    ("Tb/s", "Tb/s"),
    ("Tbps", "Tb/s"),
    ("Tbit/s", "Tb/s"),
    ("GiB/s", "GiB/s"),
];
const TIMES: &[(&str, &str)] =
    &[("ns", "ns"), ("us", "us"), ("µs", "us"), ("μs", "us"), ("ms", "ms"), ("s", "s"), ("sec", "s")];
const SIZES: &[(&str, &str)] = &[
    ("B", "B"),
    ("bytes", "B"),
    ("kB", "kB"),
    ("KB", "kB"),
    ("MB", "MB"),
    ("GB", "GB"),
    ("TB", "TB"),
    ("K", "KiB"),
    ("k", "KiB"),
    ("KiB", "KiB"),
    ("kiB", "KiB"),
    ("kib", "KiB"),
    ("M", "MiB"),
    ("MiB", "MiB"),
    ("mib", "MiB"),
    ("G", "GiB"),
    ("GiB", "GiB"),
    ("gib", "GiB"),
    ("T", "TiB"),
    ("TiB", "TiB"),
    ("tib", "TiB"),
];
const NUMBERS: &[(&str, &str)] = &[("%", "%"), ("x", ""), ("×", ""), ("times", ""), ("time", "")];

/// Examples of each sort: several, so that one is left that gives no answer away.
const EXAMPLES: [(Dimension, [[&str; 2]; 4]); 4] = [
    (Dimension::Rate, [["30GB/s", "240Gb/s"], ["7GB/s", "56Gb/s"], ["110GB/s", "880Gb/s"], ["2GB/s", "16Gb/s"]]),
    (Dimension::Time, [["12us", "3.5ms"], ["70us", "0.9ms"], ["400us", "25ms"], ["5us", "8s"]]),
    (Dimension::Size, [["64KiB", "3GB"], ["5MB", "16GiB"], ["700kB", "40MB"], ["3KiB", "300GB"]]),
    (Dimension::Number, [["3.5", "80%"], ["12", "35%"], ["1.4", "6%"], ["40", "15%"]]),
];

impl Wanted {
    /// What a question wants: its answer, the form in which that is written, and its text, which may name the unit.
    pub fn new(is: Value, form: Option<Form>, question: &str) -> Self {
        let by_form = form.and_then(Form::unit);
        let shares = matches!(is, Value::Share(_)).then_some("%");
        let unit = by_form.or_else(|| stated(question, is.dimension())).or(shares);
        Self { is, unit }
    }

    /// The unit of a bare number, where the question states one.
    pub const fn unit(&self) -> Option<&'static str> {
        self.unit
    }

    /// What sort of number it is: `a rate`.
    pub const fn sort(&self) -> &'static str {
        sort(self.is.dimension())
    }

    /// What may be typed: `a rate in GB/s`, `a time with its unit, for example 12us or 3.5ms`.
    pub fn describe(&self) -> String {
        let sort = sort(self.is.dimension());
        match self.unit {
            Some("%") => "a share in percent".to_owned(),
            Some(unit) => format!("{sort} in {unit}, or with another unit"),
            None if self.is.dimension() == Dimension::Number => format!("{sort}, for example {}", self.examples()),
            None => format!("{sort} with its unit, for example {}", self.examples()),
        }
    }

    /// Two spellings that are far from the answer, also where bits are taken for bytes or a prefix for the next.
    fn examples(&self) -> String {
        let all = EXAMPLES.iter().find(|(d, _)| *d == self.is.dimension()).map(|(_, e)| e.as_slice());
        let far = |example: &&[&str; 2]| {
            example.iter().all(|text| {
                let value = Value::read(text, self.is.dimension()).ok();
                value
                    .and_then(|v| self.times_off(&v))
                    .is_none_or(|r| [1.0, 8.0, 0.125].iter().all(|f| !(0.6..1.6).contains(&(r / f))))
            })
        };
        let pair = all.and_then(|all| all.iter().find(far).or(all.first()));
        pair.map_or_else(String::new, |[a, b]| format!("{a} or {b}"))
    }

    /// Whether a character can be part of such a number; letters of its units are, in either case, so that a wrong case
    /// can be explained.
    pub fn takes(&self, c: char) -> bool {
        let units = units(self.is.dimension());
        let same = |u: char| u == c || (u.is_ascii_alphabetic() && u.eq_ignore_ascii_case(&c));
        c.is_ascii_digit() || " ./,_~".contains(c) || units.iter().any(|(typed, _)| typed.chars().any(same))
    }

    /// Reads what was typed.
    ///
    /// # Errors
    /// What is wrong with it and what is expected; never the answer.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let dimension = self.is.dimension();
        let typed = text.trim().trim_start_matches(['~', '=', '≈']).trim_start();
        if dimension == Dimension::Word {
            return Value::read(typed, dimension);
        }
        let end = typed.find(|c: char| !(c.is_ascii_digit() || ".,_".contains(c))).unwrap_or(typed.len());
        let (number, unit) = typed.split_at(end);
        let number = plain(number)?;
        let unit = unit.trim();
        let expected = || format!("expected {}", self.describe());
        if number.is_empty() {
            return Err(format!("a number is missing; {}", expected()));
        }
        if dimension == Dimension::Number {
            return self.number(&number, unit).ok_or_else(expected);
        }
        let unit = match (unit, self.unit) {
            ("", Some(stated)) => stated,
            ("", None) => return Err(format!("the unit is missing; {}", expected())),
            (typed, _) => match units(dimension).iter().find(|(t, _)| *t == typed) {
                Some((_, own)) => own,
                None => return Err(no_unit(typed, dimension)),
            },
        };
        Value::read(&format!("{number}{unit}"), dimension).map_err(|_| expected())
    }

    /// A number without a dimension: bare, in percent, as a factor or as a fraction.
    fn number(&self, number: &str, unit: &str) -> Option<Value> {
        if let Some(below) = unit.strip_prefix('/') {
            let (a, b) = (number.parse::<f64>().ok()?, below.trim().parse::<f64>().ok()?);
            return (a / b).is_finite().then(|| Value::ratio(a / b));
        }
        let (_, own) =
            units(Dimension::Number).iter().find(|(t, _)| *t == unit).or((unit.is_empty()).then_some(&("", "")))?;
        if own == &"%" || !unit.is_empty() || self.unit != Some("%") {
            return Value::read(&format!("{number}{own}"), Dimension::Number).ok();
        }
        // Of a share 40 is 40 %, and so is 0.4: whichever is nearer is meant.
        let (percent, share) =
            (Value::read(&format!("{number}%"), Dimension::Number).ok()?, Value::read(number, Dimension::Number).ok()?);
        let far = |v: &Value| self.times_off(v).map_or(f64::MAX, |r| r.ln().abs());
        Some(if far(&share) < far(&percent) && share.base()? <= 1.0 { share } else { percent })
    }

    /// What was typed over what is right; none where one of them is zero or no number.
    fn times_off(&self, said: &Value) -> Option<f64> {
        let (is, said) = (self.is.base()?, said.base()?);
        (is > 0.0 && said > 0.0).then_some(said / is).filter(|r| r.is_finite())
    }

    /// What a wrong number suggests: a known factor between it and the answer.
    pub fn slip(&self, said: &Value) -> Option<&'static str> {
        let r = self.times_off(said).filter(|_| said.dimension() == self.is.dimension())?;
        let by = |factor: f64, slack: f64| [factor, 1.0 / factor].iter().any(|f| (r / f - 1.0).abs() < slack);
        let bytes = matches!(self.is.dimension(), Dimension::Rate | Dimension::Size);
        Some(match self.is.dimension() {
            // Rates alone are given in bits; a size that is eight times too large is just that.
            Dimension::Rate if by(8.0, 0.03) => {
                "That is off by a factor of eight: bits and bytes. Eight bits (b) are one byte (B)."
            }
            _ if bytes && [1.024, 1.048_576, 1.073_741_824, 1.099_511_627_776].iter().any(|f| by(*f, 0.004)) => {
                "That is off by just the difference of the prefixes: GiB, MiB and KiB are powers of 1024, GB, MB and kB of 1000."
            }
            Dimension::Rate if by(2.0, 0.03) => {
                "That is off by a factor of two: one direction and both. A rate here is per direction."
            }
            Dimension::Rate | Dimension::Size | Dimension::Time if by(1e3, 0.03) || by(1e6, 0.03) => {
                "That is off by a factor of a thousand or a million: look at the prefix of the unit."
            }
            Dimension::Number if by(100.0, 0.03) => {
                "That is off by a factor of a hundred: a share and percent. 50 % is 0.5."
            }
            Dimension::Number if self.upside_down(said) => "That is the ratio upside down: one over the answer.",
            _ => return None,
        })
    }

    fn upside_down(&self, said: &Value) -> bool {
        let product = self.is.base().zip(said.base()).map_or(0.0, |(is, said)| is * said);
        matches!(self.is, Value::Ratio(_) | Value::Share(_)) && (product - 1.0).abs() < 0.03
    }
}

/// What a sort of number is called, with an article.
const fn sort(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Rate => "a rate",
        Dimension::Time => "a time",
        Dimension::Size => "a size",
        Dimension::Number => "a number",
        Dimension::Word => "a word",
    }
}

const fn units(dimension: Dimension) -> &'static [(&'static str, &'static str)] {
    match dimension {
        Dimension::Rate => RATES,
        Dimension::Time => TIMES,
        Dimension::Size => SIZES,
        Dimension::Number => NUMBERS,
        Dimension::Word => &[],
    }
}

/// The unit in which a question asks: after `in` or `how many`.
fn stated(question: &str, dimension: Dimension) -> Option<&'static str> {
    const WORDS: [(&str, &str); 6] = [
        ("microseconds", "us"),
        ("milliseconds", "ms"),
        ("seconds", "s"),
        ("percent", "%"),
        ("bytes", "B"),
        ("gigabytes", "GB"),
    ];
    let own = units(dimension);
    let mut words = question.split_whitespace().map(|w| w.trim_matches(|c: char| "?.,:;()".contains(c)));
    let mut before = "";
    words.find_map(|word| {
        let asks = before.eq_ignore_ascii_case("in") || before.eq_ignore_ascii_case("many");
        before = word;
        let spelled = WORDS.iter().find(|(w, _)| *w == word).map(|(_, unit)| *unit);
        let unit = own.iter().find(|(t, u)| !u.is_empty() && (*t == word || Some(*u) == spelled)).map(|(_, u)| *u);
        unit.filter(|_| asks)
    })
}

/// A number without the marks of thousands; a comma in another place is no point.
fn plain(number: &str) -> Result<String, String> {
    let number = number.replace('_', "");
    if !number.contains(',') {
        return Ok(number);
    }
    let whole = number.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    let first = groups.next().is_some_and(|g| (1..=3).contains(&g.len()) && g != "0");
    if first && groups.all(|g| g.len() == 3) {
        return Ok(number.replace(',', ""));
    }
    Err(format!("write {} with a point", number.replace(',', ".")))
}

/// What is wrong with a unit.
fn no_unit(typed: &str, dimension: Dimension) -> String {
    let lower = typed.to_lowercase();
    let same = |(t, _): &&(&str, &str)| t.to_lowercase() == lower;
    let of = |d: Dimension| units(d).iter().any(|(t, _)| *t == typed);
    match dimension {
        Dimension::Rate if units(Dimension::Rate).iter().any(|u| same(&u)) => {
            format!(
                "b are bits and B are bytes: write {}",
                if lower.starts_with('t') { "Tb/s or TB/s" } else { "Gb/s or GB/s" }
            )
        }
        Dimension::Rate if of(Dimension::Size) => format!("{typed} is a size; a rate is per second, as GB/s"),
        Dimension::Size if of(Dimension::Rate) => format!("{typed} is a rate; a size is asked for, as GB or GiB"),
        Dimension::Size if units(Dimension::Size).iter().any(|u| same(&u)) || lower.ends_with('b') => {
            "b are bits and B are bytes, GB is decimal and GiB binary: write GB or GiB".to_owned()
        }
        _ => {
            let typed: String = typed.chars().take(20).collect();
            let known = match dimension {
                Dimension::Rate => "GB/s or Gb/s",
                Dimension::Time => "us, ms or s",
                Dimension::Size => "kB, MB, GB or KiB, MiB, GiB",
                Dimension::Number | Dimension::Word => "the number alone",
            };
            format!("{typed:?} is no unit of {}; write {known}", sort(dimension))
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use crate::units::{Bandwidth, Bytes, Share, Time};

    fn rate(gb: f64) -> Value {
        Value::Rate(Bandwidth::from_gbytes_per_s(gb))
    }

    fn wants(is: Value) -> Wanted {
        Wanted::new(is, None, "How much?")
    }

    #[test]
    fn quantities_are_read_in_all_their_spellings() {
        let rates = wants(rate(6.25));
        for text in ["6.25GB/s", "50 Gb/s", "50Gbps", "50 Gbit/s", "6250 MB/s", "0.05 Tb/s", "~6.25 GBps"] {
            assert!(rates.read(text).unwrap().same(&rate(6.25)), "{text}");
        }
        let times = wants(Value::Time(Time::from_us(1500.0)));
        for text in ["1500us", "1,500 µs", "1.5ms", "1.5 ms", "0.0015 s"] {
            assert!(times.read(text).unwrap().same(&Value::Time(Time::from_us(1500.0))), "{text}");
        }
        let sizes = wants(Value::Size(Bytes::new(65536.0)));
        for text in ["64KiB", "64 kib", "64k", "65536 bytes", "65,536B"] {
            assert!(sizes.read(text).unwrap().same(&Value::Size(Bytes::new(65536.0))), "{text}");
        }
        let ratios = wants(Value::ratio(9.0));
        for text in ["9", "9x", "9 times", "9 ×", "9×", "900%", "900 %", "18/2", "9.0"] {
            assert!(ratios.read(text).unwrap().same(&Value::ratio(9.0)), "{text}");
        }
        let shares = wants(Value::Share(Share::new(0.4)));
        for text in ["40", "40%", "40 %", "0.4", "2/5"] {
            assert!(shares.read(text).unwrap().same(&Value::ratio(0.4)), "{text}");
        }
    }

    #[test]
    fn a_bare_number_is_in_the_unit_that_is_stated_or_refused() {
        assert_eq!(Wanted::new(rate(50.0), None, "How much is that in GB/s?").read("50"), Ok(rate(50.0)));
        assert_eq!(Wanted::new(rate(50.0), Form::named("Gb/s"), "?").read("400"), Ok(rate(50.0)));
        let t = Wanted::new(Value::Time(Time::from_us(7.0)), None, "How many microseconds does it take?");
        assert_eq!(t.read("7"), Ok(Value::Time(Time::from_us(7.0))));
        assert!(wants(rate(50.0)).read("50").is_err_and(|e| e.contains("unit is missing")));
        assert!(wants(Value::Size(Bytes::new(5.0))).read("5").is_err_and(|e| e.contains("unit is missing")));
        // A unit that only stands in the text is not the one that is asked for.
        assert_eq!(Wanted::new(rate(50.0), None, "A port of 400 Gb/s: how much?").unit(), None);
    }

    #[test]
    fn a_refusal_says_why_and_never_gives_the_answer() {
        for (text, why) in [
            ("50gb/s", "b are bits"),
            ("50GB", "a rate is per second"),
            ("6,25GB/s", "6.25"),
            ("50 furlongs", "no unit of a rate"),
            ("fast", "a number is missing"),
            ("", "a number is missing"),
        ] {
            let said = wants(rate(77.0)).read(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
        assert!(wants(Value::Size(Bytes::new(1e9))).read("1gb").is_err_and(|e| e.contains("b are bits")));
        let all = EXAMPLES.iter().flat_map(|(d, all)| all.iter().flatten().map(move |text| (*d, *text)));
        for (dimension, text) in all {
            let is = Value::read(text, dimension).unwrap();
            for factor in [0.125, 1.0, 8.0] {
                let w = wants(is.times(&Value::ratio(factor)).unwrap());
                let shown = w.read("?").unwrap_err();
                assert!(!shown.contains(&format!(" {text}")), "{text} x {factor}: {shown}");
            }
        }
    }

    #[test]
    fn a_wrong_number_is_told_what_it_looks_like() {
        let w = wants(rate(50.0));
        assert!(w.slip(&rate(400.0)).unwrap().contains("bits and bytes"));
        assert!(w.slip(&rate(6.25)).unwrap().contains("bits and bytes"));
        assert!(w.slip(&rate(100.0)).unwrap().contains("per direction"));
        assert!(w.slip(&rate(0.05)).unwrap().contains("prefix"));
        assert_eq!(w.slip(&rate(70.0)), None);
        let s = wants(Value::Size(Bytes::new(1e9)));
        assert!(s.slip(&Value::Size(Bytes::new(1_073_741_824.0))).unwrap().contains("1024"));
        let n = wants(Value::ratio(4.0));
        assert!(n.slip(&Value::ratio(0.25)).unwrap().contains("upside down"));
        assert!(n.slip(&Value::ratio(400.0)).unwrap().contains("percent"));
    }

    #[test]
    fn letters_that_no_unit_has_are_not_taken() {
        assert!("9 6.25GB/s Gbit,ps gb".chars().all(|c| wants(rate(1.0)).takes(c)));
        assert!("9x × times 50% 1/7".chars().all(|c| wants(Value::ratio(1.0)).takes(c)));
        for w in [wants(rate(1.0)), wants(Value::ratio(1.0)), wants(Value::Time(Time::from_us(1.0)))] {
            assert!("q?hjH:".chars().all(|c| !w.takes(c)), "{w:?}");
        }
    }
}
