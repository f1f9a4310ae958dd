//! What people come for, as they would do it: keys in, and what the screen must say.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use icx_tui::cost::Estimate;
use icx_tui::preset::load_shipped;
use icx_tui::question::Question;
use icx_tui::tui::app::{App, Options};
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::output::to_text;
use icx_tui::tui::program::{Effect, Input, NotSaved, Outcome};

/// Somebody at a screen of 120 by 40.
struct User(Headless<App>);

impl User {
    fn opens(name: &str) -> Self {
        let options = Options { source: name.to_owned(), ..Options::default() };
        Self(App::new(load_shipped(name).unwrap(), Question::default(), options).replay(120, 40, []))
    }

    fn types(&mut self, script: &str) -> &mut Self {
        self.0.feed(parse_script(script).unwrap());
        self
    }

    fn text(&self) -> String {
        to_text(self.0.buffer())
    }

    #[track_caller]
    fn sees(&mut self, text: &str) -> &mut Self {
        assert!(self.text().contains(text), "{text:?} is not on\n{}", self.text());
        self
    }

    #[track_caller]
    fn sees_not(&mut self, text: &str) -> &mut Self {
        assert!(!self.text().contains(text), "{text:?} is on\n{}", self.text());
        self
    }

    /// The row of the screen that has a text in it.
    #[track_caller]
    fn row(&self, text: &str) -> String {
        let found = self.text().lines().find(|l| l.contains(text)).map(str::to_owned);
        assert!(found.is_some(), "{text:?} is not on\n{}", self.text());
        found.unwrap_or_default()
    }

    fn now(&self) -> &Estimate {
        self.0.program().answers().now.estimate().unwrap()
    }

    fn edits(&self) -> Vec<String> {
        self.0.program().history().done().iter().map(|e| e.edit.to_string()).collect()
    }
}

#[test]
fn what_limits_an_all_reduce_on_four_nodes() {
    let mut user = User::opens("dgx-h100-superpod");
    user.types(":\"set nodes = 4\"<enter>").sees("32 ranks");
    let line = user.row("│ ◄ bottleneck");
    assert!(line.contains("node0/nic0--leaf0  InfiniBand 400 Gb/s"), "{line}");
    // The next step to it is a key away, and the picture marks it.
    user.types("n").sees("◄");
    user.types("x").sees("What binds").sees("node0/nic0--leaf0 (InfiniBand 400 Gb/s)");
}

#[test]
fn how_many_nics_until_nvlink_binds() {
    let mut user = User::opens("dgx-h100-superpod");
    user.types(":\"set nodes = 2\"<enter>:\"set nics = 1\"<enter>").sees("scale-out");
    let mut binds = Vec::new();
    for nics in [1, 2, 4, 8] {
        user.types(&format!(":\"set nics = {nics}\"<enter>"));
        user.sees(&user.now().time.to_string());
        binds.push(user.now().bottleneck.clone());
    }
    // Few NICs bind; with all of them the links inside the node do.
    assert!(binds[0].contains("nic") && binds[1].contains("nic"), "{binds:?}");
    assert!(binds[3].contains("gpu") && binds[3].contains("nvsw"), "{binds:?}");
    user.sees("NVLink 4");
    // One setting, not four: the last one counts and the list says so.
    user.types("E").sees("set nics = 8");
    assert_eq!(user.edits(), ["set nodes = 2", "set nics = 8"]);
}

#[test]
fn a_broken_cable_and_its_cost() {
    let mut user = User::opens("dgx-h100-superpod");
    let healthy = user.now().time;
    user.types("/node5/nic3--leaf<enter>").sees("node5/nic3");
    user.types("<space>").sees("╳").sees("slower").sees("*off node5/nic3--leaf3");
    let broken = user.now().time;
    assert!(broken > healthy);
    let (before, after) = (healthy.to_string(), broken.to_string());
    let title = user.row("icx-tui");
    assert!(title.contains(&format!("{before} -> {after}")), "{title}");
    // And what it would cost in a node of every kind.
    user.types("C").sees("what-if takes").sees("all-to-all");
}

#[test]
fn two_pods_side_by_side() {
    let mut user = User::opens("dgx-h100-superpod");
    user.types(":\"set nodes = 64\"<enter>");
    user.types("Co<tab>").sees("compare baseline");
    user.types("<c-u>\"compare dgx-b200-ndr\"<enter>");
    user.sees("dgx-h100-superpod* against dgx-b200-ndr").sees("NVLink 4 x18").sees("NVLink 5 x18");
    let verdict = user.row("all-reduce of 1 GiB: dgx-b200-ndr");
    assert!(verdict.contains("times as fast") || verdict.contains("times as long"), "{verdict}");
    // Equal in ranks, so no note about that.
    user.sees_not("ranks, dgx-b200-ndr has");
}

#[test]
fn a_mistake_is_undone_and_done_again() {
    let mut user = User::opens("dgx-h100");
    user.types("/nvsw2<enter><space>").sees("*off nvsw2").sees("*1 edit");
    user.types("u").sees("undone: off nvsw2").sees_not("*1 edit");
    user.types("U").sees("done again: off nvsw2").sees("*1 edit");
    user.types("b").sees("back at the baseline").sees_not("*1 edit");
}

#[test]
fn work_is_saved_and_taken_up_again() {
    let mut user = User::opens("dgx-h100-superpod");
    user.types(":\"set fabric.oversubscription = 4\"<enter>:\"collective all-to-all\"<enter>");
    let time = user.now().time.to_string();
    user.types("W").sees("dgx-h100-superpod.scenario.ron");
    user.types("<c-u>\"plan.ron\"<enter>");
    let written = user.0.take_effects().into_iter().find_map(|e| match e {
        Effect::Save { path, contents, .. } => Some((path, contents)),
        _ => None,
    });
    let (path, contents) = written.unwrap();
    user.0.feed([Input::Done(Outcome::Saved { path: path.clone(), result: Err(NotSaved::Exists) })]);
    user.sees("plan.ron is there already").types("<enter>");
    let again = user.0.take_effects().into_iter().find(|e| matches!(e, Effect::Save { .. }));
    assert!(matches!(again, Some(Effect::Save { replace: true, .. })), "{again:?}");
    user.0.feed([Input::Done(Outcome::Saved { path: path.clone(), result: Ok(()) })]);
    user.sees("saved to plan.ron");
    let mut later = User::opens("dgx-1");
    later.types("O\"plan.ron\"<enter>");
    later.0.feed([Input::Done(Outcome::Read { path, result: Ok(contents) })]);
    later.sees("opened dgx-h100-superpod, 1 edit").sees("all-to-all").sees(&time);
}

#[test]
fn what_oversubscription_does_to_all_to_all() {
    let mut user = User::opens("dgx-h100-superpod");
    user.types("c/all-to-all<enter><enter>").sees("all-to-all  1 GiB  1024 ranks");
    let before = user.now().time;
    user.types("/leaf0<enter>e").sees(":set fabric.oversubscription =");
    user.types("2<enter>").sees("slower").sees("2:1");
    let ratio = (user.now().time / before).ratio();
    assert!(ratio > 1.4, "half of the uplinks cost {ratio}");
    assert!(user.row("│ ◄ bottleneck").contains("leaf"), "{}", user.row("│ ◄ bottleneck"));
    user.types("s8<enter>").sees("latency");
}

#[test]
fn into_a_cluster_of_two_thousand_nodes() {
    let mut user = User::opens("dgx-h100-superpod");
    user.types(":\"set nodes = 2000\"<enter><esc><esc>").sees("2000 nodes all alike").sees("x2000");
    user.types(":\"off node1234/gpu5\"<enter>").sees("2000 nodes in 2 classes").sees("node1234");
    user.types("n").sees("explore ▸ cluster ▸ node1234 ▸ gpu5").sees("╳");
    user.types("]").sees("node1235 ▸ gpu5");
    user.types("<esc><esc>").sees("classes, not members");
}

#[test]
fn the_path_of_a_pair() {
    let mut user = User::opens("dgx-h100-superpod");
    user.types("/node0/gpu3<enter>o/node1/gpu0<enter><enter>");
    user.sees("path   node0/gpu3 to node1/gpu0").sees("8 hops").sees("narrowest").sees("pxn");
    let narrow = user.row("narrowest");
    assert!(narrow.contains("InfiniBand 400 Gb/s") && narrow.contains(" 50 ") && narrow.contains(" 47 "), "{narrow}");
    user.types("<esc>").sees_not("8 hops");
    user.types("m").sees("pairs").sees("28 GPU pairs");
}

#[test]
fn which_upgrade_helps_most() {
    let mut user = User::opens("h100-1nic-roce");
    let before = user.now().time;
    user.types("iz").sees("faults").types("z").sees("upgrades, best first");
    let best = user.0.program().reports().impact_rows()[0].edit.to_string();
    user.sees(&best);
    user.types("<enter>").sees("faster");
    assert_eq!(user.edits(), [best]);
    assert!(user.now().time < before);
}

#[test]
fn where_the_choice_of_algorithm_changes() {
    let mut user = User::opens("dgx-h100-superpod");
    user.types("w").sees("sweep ▸ all-reduce").sees("half of peak at").sees("nvls-tree");
    user.types("<home>").sees("► 8 B").types("<end>").sees("► 16 GiB");
    user.types("<left><enter>").sees("8 GiB");
    user.types("v").sees("time").types("<esc>").sees("explore ▸");
}
