#![expect(clippy::unwrap_used, clippy::panic, reason = "a figure without a value is the failure of the test")]

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::cost::{Estimate, estimate};
use crate::preset::load_shipped;
use crate::question::{Collective, Question};
use crate::scenario::{Context, Edit, Entry, apply};
use crate::system::{Algorithm, System};
use crate::units::{Bandwidth, Bytes, Share, Time};

/// A machine on the screen, and a question about it.
struct Desk {
    base: System,
    now: System,
    question: Question,
    view: View,
    names: Names,
}

impl Desk {
    fn of(name: &str, edits: &[&str]) -> Self {
        let base = load_shipped(name).unwrap();
        let now = with(&base, edits);
        let view = View { screen: "explore".into(), selected: "node0/gpu3".into(), ..View::default() };
        Self { base, now, question: Question::default(), view, names: Names::default() }
    }

    fn scene(&self) -> Scene<'_> {
        let Self { base, now, question, view, names } = self;
        Scene { now, base, baseline: base, question, view, names }
    }

    fn value(&self, text: &str) -> Value {
        self.try_value(text).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn try_value(&self, text: &str) -> Result<Value, String> {
        let figure = Figure::parse(text, &self.names).map_err(|e| e.to_string())?;
        figure.value(&self.scene()).map_err(|e| e.to_string())
    }

    fn shown(&self, text: &str) -> String {
        Figure::parse(text, &self.names).unwrap_or_else(|e| panic!("{e}")).show(&self.scene()).unwrap()
    }

    fn holds(&self, text: &str) -> bool {
        let condition = Condition::parse(text, &self.names).unwrap_or_else(|e| panic!("{text}: {e}"));
        condition.holds(&self.scene()).unwrap_or_else(|e| panic!("{text}: {e}"))
    }
}

fn with(base: &System, edits: &[&str]) -> System {
    let entries: Vec<Entry> = edits.iter().map(|e| e.parse::<Edit>().unwrap().into()).collect();
    apply(base, &entries, &Context::default()).system
}

fn engine(system: &System, question: Question) -> Box<Estimate> {
    Box::new(estimate(system, &question).estimate().unwrap().clone())
}

#[test]
fn a_figure_is_what_the_engine_says() {
    let desk = Desk::of("dgx-h100", &[]);
    let size = Bytes::from_gib(8.0);
    let ring = Question { algorithm: Some(Algorithm::Ring), ..Question::new(Collective::AllReduce, size) };
    let free = engine(&desk.base, Question::new(Collective::AllReduce, size));
    let forced = engine(&desk.base, ring);
    assert_eq!(desk.value("busbw of all-reduce 8GiB on dgx-h100"), Value::Rate(free.busbw()));
    assert_eq!(desk.value("time of all-reduce 8 GiB by ring on dgx-h100"), Value::Time(forced.time));
    assert_eq!(desk.value("algorithm of 8GiB"), Value::word(free.chosen.algorithm.name()));
    assert_eq!(desk.value("time"), Value::Time(engine(&desk.base, Question::default()).time));
    let gain = desk.value("busbw of 8GiB / busbw of 8GiB by ring");
    assert!(gain.same(&Value::Ratio(forced.time / free.time)), "{gain}");
}

#[test]
fn edits_change_the_machine_that_is_asked() {
    let desk = Desk::of("dgx-h100", &["off node0/gpu3--nvsw1"]);
    let here = desk.value("time");
    assert_eq!(here, desk.value("time on base with 'off node0/gpu3--nvsw1'"));
    assert_eq!(here, desk.value("time of all-reduce 1GiB on dgx-h100 with 'off node0/gpu3--nvsw1'"));
    assert!(desk.holds("time > time on base and state of gpu3--nvsw1 = down and state of gpu3--nvsw1 on base = up"));
    assert_eq!(desk.shown("left of gpu3--nvsw1"), "0 %");
    assert_eq!(desk.value("left of gpu3"), Value::Share(Share::new(13.0 / 18.0)));
}

#[test]
fn tiers_links_devices_and_parts_have_rates() {
    let desk = Desk::of("dgx-h100-superpod", &["set nodes = 4"]);
    assert_eq!(desk.shown("line of scale-up"), "450 GB/s");
    assert_eq!(desk.shown("line of node0/gpu0"), "450 GB/s");
    assert_eq!(desk.shown("count of node0/gpu0"), "18");
    assert_eq!(desk.shown("line of nvlink4"), "25 GB/s");
    assert_eq!(desk.shown("line of node0/nic0 as Gb/s"), "400 Gb/s");
    assert_eq!(desk.shown("line of scale-out / line of scale-up as part"), "a ninth");
    assert_eq!(desk.shown("memory of h100-sxm"), "80 GiB");
    assert_eq!(desk.shown("bisection of scale-up as TB/s"), "1.8 TB/s");
    assert_eq!(desk.shown("near of node0/gpu0 to node0/gpu5"), "NV18");
    assert_eq!(desk.shown("near of node0/gpu0 to node0/nic0"), "PIX");
    assert_eq!(desk.value("total-gpus"), Value::Count(32));
    assert_eq!(desk.value("nodes"), Value::Count(4));
    assert!(desk.holds("busy of scale-up > busy of services and sent of scale-out > 0KiB"));
    assert!(desk.holds("load of node0/gpu0 > 90% and slowest-tier = scale-up or slowest-tier = scale-out"));
}

#[test]
fn arithmetic_keeps_units() {
    let desk = Desk::of("dgx-h100", &[]);
    assert_eq!(desk.value("1GB / 50GB/s"), Value::Time(Time::from_us(20_000.0)));
    assert_eq!(desk.value("1GB / 20ms"), Value::Rate(Bandwidth::from_gbytes_per_s(50.0)));
    assert_eq!(desk.value("2us * 50GB/s"), Value::Size(Bytes::new(100_000.0)));
    assert_eq!(desk.shown("2us * 50GB/s as kB"), "100 kB");
    assert_eq!(desk.shown("2 * ( 8 - 1 ) / 8"), "1.75");
    assert_eq!(desk.shown("(450GB/s - 50GB/s) / 450GB/s as %"), "88.9 %");
    assert_eq!(desk.shown("1 / 7 as part"), "a seventh");
    assert_eq!(desk.shown("8 as Word"), "Eight");
    assert!(desk.try_value("1GB + 1us").is_err_and(|e| e.contains("cannot add")));
    assert!(desk.try_value("1 / 0").is_err_and(|e| e.contains("no number")));
    assert!(desk.try_value("ring * 2").is_err_and(|e| e.contains("column 1")));
}

#[test]
fn sizes_are_searched() {
    let desk = Desk::of("dgx-h100-superpod", &["set nodes = 16"]);
    let Value::Size(half) = desk.value("half-size of all-reduce") else { panic!("a size") };
    let at = |s: Bytes| engine(&desk.now, Question::new(Collective::AllReduce, s)).busbw().gbytes_per_s();
    let Value::Rate(peak) = desk.value("peak of all-reduce") else { panic!("a rate") };
    assert!(at(half) >= peak.gbytes_per_s() / 2.0 && at(half * 0.95) < peak.gbytes_per_s() / 2.0, "{half}");
    let Value::Size(cross) = desk.value("crossover of tree to ring in all-reduce") else { panic!("a size") };
    let time =
        |a, s| engine(&desk.now, Question { algorithm: Some(a), ..Question::new(Collective::AllReduce, s) }).time;
    assert!(time(Algorithm::Ring, cross) < time(Algorithm::Tree, cross), "{cross}");
    assert!(time(Algorithm::Ring, cross * 0.9) > time(Algorithm::Tree, cross * 0.9), "{cross}");
    assert!(desk.try_value("crossover of nvls to ring in all-to-all").is_err_and(|e| e.contains("not possible")));
}

#[test]
fn names_stand_for_machines_figures_and_values() {
    let mut desk = Desk::of("dgx-h100", &[]);
    let pod = with(&load_shipped("dgx-h100-superpod").unwrap(), &["set nodes = 4"]);
    desk.names.machines.insert("pod".into(), Arc::new(pod));
    desk.names.given.insert("n".into(), Value::Count(2));
    desk.names.given.insert("size".into(), Value::Size(Bytes::from_gib(2.0)));
    let healthy = Figure::parse("time of all-reduce $size on pod as us", &desk.names).unwrap();
    desk.names.figures.insert("healthy".into(), healthy);
    assert_eq!(desk.value("healthy"), desk.value("time of all-reduce 2GiB on pod"));
    assert!(desk.shown("healthy").ends_with(" us"), "a figure keeps its form");
    assert_eq!(desk.value("ranks on pod with 'set nodes = $n'"), Value::Count(16));
    assert_eq!(desk.value("$n * healthy"), desk.value("healthy + healthy"));
    let sick = desk.value("busbw on pod with 'degrade node0/nic2 to 50%' / busbw on pod");
    assert!(sick.near(&Value::ratio(0.53), Share::from_percent(5.0)), "{sick}");
    assert!(Names::refuse("of").is_some() && Names::refuse("pod-2").is_none() && Names::refuse("Pod").is_some());
}

#[test]
fn a_figure_that_names_itself_has_no_value() {
    let mut desk = Desk::of("dgx-h100", &[]);
    desk.names.figures.insert("a".into(), Figure::parse("1", &Names::default()).unwrap());
    let own = Figure::parse("a + 1", &desk.names).unwrap();
    desk.names.figures.insert("a".into(), own);
    assert!(desk.try_value("a").is_err_and(|e| e.contains("leads back")));
}

#[test]
fn conditions_join_comparisons() {
    let desk = Desk::of("dgx-h100-superpod", &["set nics = 4"]);
    for text in [
        "nics = 4",
        "nics on base = 2 * nics",
        "nics = 3 or nics = 4 and screen = explore",
        "not nics = 8",
        "selected = node0/gpu3 and selected starts node0",
        "time >= time on base and not time < time on base",
        "450GB/s about 455GB/s and 450GB/s != 455GB/s",
        "transport = infiniband",
        "lens != 'load'",
    ] {
        assert!(desk.holds(text), "{text}");
    }
    assert!(!desk.holds("nics = 8 or screen = sweep"));
    let fault = |text: &str| Condition::parse(text, &desk.names).unwrap().holds(&desk.scene()).unwrap_err().to_string();
    assert!(fault("nics = 4GB/s").contains("cannot be compared"));
    assert!(fault("state of node0/gpu9 = up").contains("did you mean"), "{}", fault("state of node0/gpu9 = up"));
}

#[test]
fn a_text_shows_its_figures() {
    let desk = Desk::of("dgx-h100", &[]);
    let text = "All {domain as word} GPUs send {line of scale-up}, {{not}} twice.";
    let prose: Prose = text.parse().unwrap();
    assert_eq!(prose.show(&desk.scene()).unwrap(), "All eight GPUs send 450 GB/s, {not} twice.");
    assert_eq!(prose.to_string(), text);
    assert_eq!(prose.typed().collect::<String>(), "All  GPUs send , {not} twice.");
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let desk = Desk::of("dgx-h100", &[]);
    for (text, want) in [
        ("", "column 1: a figure is missing; expected for example busbw of all-reduce 1GiB on dgx-h100"),
        ("buswb of all-reduce", "column 1: no figure \"buswb\"; did you mean busbw"),
        ("busbw of al-reduce 1GiB", "column 10: \"al-reduce\" is no question; did you mean all-reduce?"),
        ("time of all-reduce 1GiB by rng", "column 28: \"rng\" is not an algorithm"),
        ("time of all-reduce 50GB/s", "column 20: \"50GB/s\" is not a size; expected for example 64KiB or 1GiB"),
        ("(time + 1us", "column 12: a bracket is left open; expected )"),
        ("time with 'set nodez = 4'", "column 16: unknown key \"nodez\"; did you mean nodes"),
        ("time with 'off gpu0; se nics = 4'", "column 22: unknown word \"se\""),
        ("time as parsecs", "column 9: no form \"parsecs\"; expected one of GB/s"),
        ("line scale-up", "column 6: \"of\" is missing; expected for example line of scale-up"),
        ("time time", "column 6: \"time\" is too much; expected nothing after the figure"),
        ("time with 'off gpu0", "column 11: a quote is left open; expected a closing '"),
        ("$n + 1", "column 1: no value $n is given"),
    ] {
        let error = Figure::parse(text, &desk.names).unwrap_err().to_string();
        assert!(error.starts_with(want), "{text:?}\n is   {error}\n want {want}");
    }
    let error = "a {time} and {tme}".parse::<Prose>().unwrap_err().to_string();
    assert!(error.starts_with("column 15: no figure \"tme\"; did you mean time"), "{error}");
    let error = "nics is 4".parse::<Condition>().unwrap_err().to_string();
    assert_eq!(error, "column 6: \"is\" compares nothing; expected one of = != < <= > >= about starts");
    assert!(desk.try_value("time on dgx-h10").is_err_and(|e| e.contains("did you mean dgx-h100")));
    assert!(desk.try_value("time with 'off node0/gpu12'").is_err_and(|e| e.contains("off node0/gpu12")));
}

#[test]
fn guesses_are_read_in_the_unit_of_the_answer() {
    assert_eq!(Value::read(" 5.8 ms", Dimension::Time), Ok(Value::Time(Time::from_us(5800.0))));
    assert_eq!(Value::read("50%", Dimension::Number), Ok(Value::Share(Share::new(0.5))));
    assert!(Value::read("5.8", Dimension::Time).is_err_and(|e| e.contains("3.5ms")));
    let (is, guess) = (Value::Time(Time::from_us(100.0)), Value::Time(Time::from_us(150.0)));
    assert_eq!(is.off_by(&guess), Some(Share::new(0.5)));
    assert!(!is.near(&guess, Share::new(0.4)) && is.near(&guess, Share::new(0.5)));
}

#[test]
fn every_quantity_and_form_is_found_by_its_name() {
    for info in Quantity::all() {
        assert_eq!(Quantity::named(info.name).map(Quantity::name), Some(info.name));
    }
    assert!(Form::all().all(|(name, _)| Form::named(name).is_some()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics_the_reader(text in "\\PC{0,60}") {
        let _ = text.parse::<Prose>();
        let _ = text.parse::<Condition>();
        let _ = text.parse::<Figure>();
    }

    #[test]
    fn no_order_of_words_panics(picks in proptest::collection::vec(0..WORDS.len(), 0..12)) {
        let text: Vec<&str> = picks.iter().filter_map(|i| WORDS.get(*i).copied()).collect();
        let text = text.join(" ");
        let desk = DESK.with(Arc::clone);
        if let Ok(figure) = text.parse::<Figure>() {
            prop_assert_eq!(&figure.to_string().parse::<Figure>(), &Ok(figure.clone()));
            let _ = figure.show(&desk.scene());
        }
        if let Ok(condition) = text.parse::<Condition>() {
            let _ = condition.holds(&desk.scene());
        }
    }
}

thread_local! {
    static DESK: Arc<Desk> = Arc::new(Desk::of("dgx-h100", &[]));
}

const WORDS: &[&str] = &[
    "time",
    "busbw",
    "line",
    "state",
    "near",
    "crossover",
    "of",
    "in",
    "on",
    "with",
    "by",
    "as",
    "to",
    "+",
    "-",
    "*",
    "/",
    "(",
    ")",
    "all-reduce",
    "1GiB",
    "ring",
    "gpu0",
    "nvsw1",
    "scale-up",
    "here",
    "base",
    "dgx-h100",
    "'off gpu1'",
    "''",
    "'",
    "GB",
    "%",
    "=",
    "about",
    "not",
    "and",
    "or",
    "8",
    "0",
    "50%",
    "2us",
    "among",
    "node",
    "{",
    "}",
    "$n",
    "half-size",
    "nics",
];
