//! The story of a growing job: every number is the engine's, every purchase is one that helps, every size can be read.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed step fails the test")]

#[path = "common/screen.rs"]
mod screen;

use icx_tui::cost::{Prepared, estimate};
use icx_tui::lesson::story::{self, Next, SHIPPED, Story, Told};
use icx_tui::preset::load_shipped;
use icx_tui::question::{Collective, Group, Question};
use icx_tui::scenario::{Context, Entry, apply};
use icx_tui::system::Tier;
use icx_tui::tui::app::{App, Options, Screen};
use icx_tui::tui::glyphs::Glyphs;
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::output::to_text;

fn told() -> &'static (Story, Vec<Told>) {
    Story::told().unwrap()
}

#[test]
fn it_goes_from_one_gpu_over_nodes_and_a_rack_to_a_thousand() {
    let (_, stages) = told();
    let ranks: Vec<u64> = stages.iter().map(|t| t.ranks).collect();
    assert_eq!(ranks, [1, 8, 32, 72, 1024]);
    let uses = |t: &Told, tier: Tier| t.tiers.iter().any(|l| l.row.tier == tier);
    let of = |tier: Tier| stages.iter().map(|t| uses(t, tier)).collect::<Vec<_>>();
    assert_eq!(of(Tier::ScaleUp), [false, true, true, true, true]);
    assert_eq!(of(Tier::ScaleOut), [false, false, true, false, true]);
}

#[test]
fn numbers_are_those_of_the_engine_and_the_stated_model() {
    let (story, stages) = told();
    let job = &story.job;
    for t in stages {
        let question = Question::new(Collective::AllReduce, job.gradients());
        let e = estimate(&t.system, &question).estimate().cloned().unwrap();
        let communication = if t.ranks == 1 { 0.0 } else { e.time.us() };
        assert!((t.communication().us() - communication).abs() < 1e-9, "{}", t.stage.name);
        let flop = 6.0 * job.parameters * job.tokens;
        let compute = flop / (t.peak.0 * 1e12 * job.utilisation.ratio());
        assert!((t.compute.us() / 1e6 - compute).abs() < 1e-9, "{}", t.stage.name);
        let share = communication / (communication + compute * 1e6);
        assert!((t.share().ratio() - share).abs() < 1e-12, "{}", t.stage.name);
        let tokens = t.ranks as f64 * job.tokens / t.step().us() * 1e6;
        assert!((t.tokens / tokens - 1.0).abs() < 1e-12, "{}", t.stage.name);
    }
}

#[test]
fn the_next_purchase_does_what_is_said() {
    let (story, stages) = told();
    let mut parts = 0;
    for t in stages {
        let best = match &t.next {
            Next::MoreGpus => {
                assert_eq!(t.ranks, 1);
                continue;
            }
            Next::Part(b) => {
                assert!(b.saves.ratio() > 0.02, "{}: too little to buy for", b.edit);
                Some(b)
            }
            Next::Compute { best, twice } => {
                let communication = t.communication().us();
                let share = communication / (communication + 2.0 * t.compute.us());
                assert!((twice.ratio() - share).abs() < 1e-12);
                assert!(best.as_ref().is_none_or(|b| b.saves.ratio() <= 0.02));
                best.as_ref()
            }
        };
        let Some(b) = best else { continue };
        let edits = [Entry { edit: b.edit.parse().unwrap(), enabled: true }];
        let better = apply(&t.system, &edits, &Context::default()).system;
        let question = Question::new(Collective::AllReduce, story.job.gradients());
        let who = Prepared::participants(&better, Group::All).unwrap();
        let again = Prepared::new(&better, &who).answer(&question).estimate().unwrap().time;
        assert!((again.us() / b.time.us() - 1.0).abs() < 1e-9, "{}: {again} for {}", b.edit, b.time);
        let said = (b.time.us() / t.communication().us() - 1.0 - b.change.ratio()).abs();
        assert!(b.change.ratio() < 0.0 && said < 1e-9, "{}", b.edit);
        let step = t.compute.us() + again.us();
        assert!((1.0 - step / t.step().us() - b.saves.ratio()).abs() < 1e-9, "{}", b.edit);
        assert!((again.us() / step - b.share.ratio()).abs() < 1e-9, "{}", b.edit);
        parts += 1;
    }
    assert!(parts >= 2);
}

#[test]
fn no_number_is_typed_in() {
    let (story, _) = told();
    let prose = story.stages.iter().map(|s| s.text.as_str()).chain([story.about.as_str()]);
    for text in prose {
        // A name of a machine is no number.
        let rest = text.replace("NVL72", "");
        assert!(!rest.contains(|c: char| c.is_ascii_digit()), "{text}");
    }
}

#[test]
fn what_the_prose_claims_is_so() {
    let (_, stages) = told();
    let rate = |i: usize, tier: Tier| {
        let line = stages[i].tiers.iter().find(|l| l.row.tier == tier).unwrap();
        line.row.usable.gbytes_per_s()
    };
    // Far below its own memory, far above any network.
    assert!(
        rate(1, Tier::ScaleUp) * 5.0 < rate(1, Tier::OnChip) && rate(2, Tier::ScaleOut) * 5.0 < rate(1, Tier::ScaleUp)
    );
    assert!(stages[2].all_reduce.as_ref().unwrap().bottleneck.contains("nic"), "the slower tier sets the pace");
    assert!(stages[3].peak.0 > stages[2].peak.0 && stages[3].share().ratio() > stages[2].share().ratio());
    let rack = &stages[4].system;
    assert!(rack.ranks_per_unit() < rack.classes[0].shape.gpus().len() as u32, "a few stay spare");
}

#[test]
fn mistakes_are_named_with_their_place() {
    let cases = [
        ("utilisation: \"40%\"", "utilisation: \"140%\"", "above 0 and up to 100%"),
        ("parameters: 4e9", "parameters: -1", "a number above 0"),
        ("set nodes = 4", "set knodes = 4", "knodes"),
        ("title:", "titel:", "titel"),
    ];
    for (good, bad, expected) in cases {
        let Err(error) = Story::parse(&SHIPPED.replace(good, bad), "mine.ron") else { panic!("{bad} was taken") };
        let text = error.to_string();
        assert!(text.starts_with("mine.ron:") && text.contains(expected), "{text}");
    }
    let story = Story::parse(&SHIPPED.replace("\"dgx-h100\"", "\"dgx-h1000\""), "mine.ron").unwrap();
    assert!(story.tell().is_err_and(|e| e.contains("dgx-h1000")));
}

fn app(glyphs: Glyphs) -> App {
    let options = Options { source: "dgx-h100".to_owned(), glyphs, ..Options::default() };
    let mut app = App::new(load_shipped("dgx-h100").unwrap(), Question::default(), options);
    app.open_screen(Screen::Story);
    app
}

fn shown(size: (u16, u16), keys: &str) -> Headless<App> {
    app(Glyphs::Unicode).replay(size.0, size.1, parse_script(keys).unwrap())
}

fn snapshot(name: &str, text: &str) {
    screen::snapshot(&format!("story__{name}"), text);
}

#[test]
fn every_stage_on_the_screen() {
    for (w, h) in [(120, 40), (80, 24)] {
        for (i, t) in told().1.iter().enumerate() {
            let screen = shown((w, h), &"<down>".repeat(i));
            snapshot(&format!("{}__{w}x{h}", t.stage.name.replace(' ', "-")), &to_text(screen.buffer()));
        }
    }
    snapshot("60x20", &to_text(shown((60, 20), "<down><down>").buffer()));
    snapshot("40x12", &to_text(shown((40, 12), "<down><down>").buffer()));
    let ascii = to_text(app(Glyphs::Ascii).replay(80, 24, parse_script("<down>").unwrap()).buffer());
    assert!(ascii.is_ascii());
    assert!(to_text(&app(Glyphs::Unicode).render(80, 24)).contains(&told().1[0].who()));
}

#[test]
fn the_purchase_can_be_read_at_every_size() {
    for size in [(60, 20), (80, 24), (100, 30), (120, 40), (160, 50)] {
        for i in 0..told().1.len() {
            let text = to_text(shown(size, &"<down>".repeat(i)).buffer());
            assert!(text.contains("next: "), "{size:?} stage {i}\n{text}");
        }
    }
    for size in [(0, 0), (1, 1), (10, 3), (40, 12), (41, 13), (200, 70)] {
        shown(size, "<down><down><end><home>");
    }
}

#[test]
fn enter_opens_the_machine_of_the_stage() {
    let screen = shown((120, 40), "<down><down><enter>");
    let app = screen.program();
    assert_eq!((app.system().ranks(), app.system().name.as_str()), (32, "dgx-h100-superpod"));
    assert_eq!(app.question().size, told().0.job.gradients());
    assert_eq!(app.answers().now.estimate().unwrap().time, told().1[2].communication());
}

#[test]
fn the_users_machine_comes_back_with_the_story() {
    // An edit, a question, a selection; then the story, a stage, an edit there.
    let edit = "\":off gpu3--nvsw1\"<enter>";
    let before = app(Glyphs::Unicode).replay(120, 40, parse_script(&format!("<esc>{edit}")).unwrap());
    let own = before.program();
    let edits = |a: &App| a.history().done().iter().map(|e| e.edit.to_string()).collect::<Vec<_>>();
    for back in ["<esc>", "J", "w<esc><esc>", "<enter><enter><esc>"] {
        let keys = format!("<esc>{edit}J<down><down><enter>\":degrade node*/nic0 to 50%\"<enter>");
        let there = app(Glyphs::Unicode).replay(120, 40, parse_script(&format!("{keys}<right>")).unwrap());
        assert_eq!(there.program().system().ranks(), 32);
        assert!(to_text(there.buffer()).contains("esc back to the story"), "{}", to_text(there.buffer()));
        let again = app(Glyphs::Unicode).replay(120, 40, parse_script(&format!("{keys}{back}")).unwrap());
        let a = again.program();
        assert_eq!((&a.system().name, edits(a)), (&own.system().name, edits(own)), "{back}");
        assert_eq!((a.question(), a.selection()), (own.question(), own.selection()), "{back}");
        let text = to_text(again.buffer());
        assert!(text.contains("stage 3 of 5") && text.contains("your own machine"), "{back}\n{text}");
        let out = app(Glyphs::Unicode).replay(120, 40, parse_script(&format!("{keys}{back}<esc>")).unwrap());
        assert!(to_text(out.buffer()).contains("explore") && edits(out.program()) == edits(own), "{back}");
    }
}

#[test]
fn nothing_of_a_stage_is_out_of_reach() {
    for size in [(60, 20), (80, 24), (120, 40)] {
        for (i, t) in told().1.iter().enumerate() {
            let down = "<down>".repeat(i);
            let pages: Vec<String> =
                (0..14).map(|n| to_text(shown(size, &format!("{down}{}", "<pagedown>".repeat(n))).buffer())).collect();
            assert!(pages.first().unwrap().contains("more line") == (size != (120, 40)), "{size:?}\n{}", pages[0]);
            // Words are wrapped: each of them is on one of the pages.
            let seen: std::collections::HashSet<&str> = pages.iter().flat_map(|p| p.split_whitespace()).collect();
            let lines = t.lines(&told().0.job);
            let text = lines.iter().map(|l| l.text.as_str()).chain(told().0.job.assumed.iter().map(String::as_str));
            for word in text.flat_map(str::split_whitespace) {
                let fits = seen.iter().any(|s| s.trim_end_matches([';', '.']) == word.trim_end_matches([';', '.']));
                assert!(fits, "{size:?} stage {i}: {word:?}");
            }
            let back = format!("{down}{}{}", "<pagedown>".repeat(14), "<pageup>".repeat(14));
            assert_eq!(to_text(shown(size, &back).buffer()), pages[0]);
        }
    }
}

#[test]
fn the_plain_text_says_it_all() {
    let text = story::plain(&Story::shipped().unwrap()).unwrap();
    for t in &told().1 {
        assert!(text.contains(&t.who()) && text.contains(&t.next_words()), "{text}");
    }
    assert!(told().0.job.assumed.iter().all(|a| text.contains(a.as_str())));
    snapshot("plain", &text);
}

#[test]
fn the_command_line_tells_it_and_says_every_step() {
    let run = |args: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_icx-tui")).args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, out, _) = run(&["learn", "story", "--plain"]);
    assert_eq!((code, out), (Some(0), story::plain(&Story::shipped().unwrap()).unwrap()));
    let (code, out, _) = run(&["calc", "dgx-h100", "-a", "ring", "--steps"]);
    assert!(code == Some(0) && out.contains("step 14 of 14"), "{out}");
    assert!(out.contains("gpu0 sends chunk 7 (128 MiB) to gpu1, which adds it, over nvsw[0-3]"), "{out}");
    let (code, _, err) = run(&["calc", "dgx-h100", "--steps", "--format", "json"]);
    assert!(code == Some(2) && err.contains("--steps"), "{err}");
}
