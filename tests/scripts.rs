//! Key scripts: what a user does and what must be true afterwards, through the same update and view as the terminal.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use icx_tui::preset::load_shipped;
use icx_tui::question::{Collective, Group, Question};
use icx_tui::system::Algorithm;
use icx_tui::tui::app::{App, Options};
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::output::to_text;
use icx_tui::tui::program::{Effect, Input, NotSaved, Outcome};
use icx_tui::units::Bytes;

/// A running explorer on a screen of 120 by 40.
struct Session(Headless<App>);

impl Session {
    fn start(name: &str) -> Self {
        let options = Options { source: name.to_owned(), ..Options::default() };
        Self(App::new(load_shipped(name).unwrap(), Question::default(), options).replay(120, 40, []))
    }

    fn keys(&mut self, script: &str) -> &mut Self {
        self.0.feed(parse_script(script).unwrap());
        self
    }

    fn app(&self) -> &App {
        self.0.program()
    }

    fn text(&self) -> String {
        to_text(self.0.buffer())
    }

    fn selected(&self) -> String {
        self.app().selection().name(self.app().system())
    }

    fn time(&self) -> f64 {
        self.app().answers().now.estimate().unwrap().time.us()
    }

    fn edits(&self) -> Vec<String> {
        self.app().history().done().iter().map(|e| e.edit.to_string()).collect()
    }

    #[track_caller]
    fn shows(&self, text: &str) -> &Self {
        assert!(self.text().contains(text), "{text:?} is not on\n{}", self.text());
        self
    }
}

#[test]
fn find_toggle_undo_redo() {
    let mut s = Session::start("dgx-h100");
    let healthy = s.time();
    s.keys("/gpu3--nvsw1<enter>");
    assert_eq!(s.selected(), "gpu3--nvsw1");
    s.keys("<space>");
    assert_eq!(s.edits(), ["off gpu3--nvsw1"]);
    assert!(s.time() > healthy);
    s.shows("slower").shows("u undoes it").shows("*1 edit");
    s.keys("u").shows("undone: off gpu3--nvsw1");
    assert!((s.time() - healthy).abs() < 1e-9 && s.edits().is_empty());
    s.keys("U").shows("done again: off gpu3--nvsw1");
    assert!(s.time() > healthy);
    // The same key takes it back.
    s.keys("<space>");
    assert!((s.time() - healthy).abs() < 1e-9 && s.edits().is_empty());
}

#[test]
fn a_change_and_its_time_are_in_the_same_frame() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys("/node0/nic2<enter>d");
    s.keys("\"50%\"").shows("touches");
    s.keys("<enter>");
    let now = s.app().answers().now.estimate().unwrap().time.to_string();
    s.shows(&now).shows("*degrade node0/nic2 to 50%").shows("slower");
}

#[test]
fn the_line_takes_edits_and_commands_and_says_where_it_fails() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys(":\"off node*/nic0\"").shows("touches 128 NICs on 128 nodes");
    s.keys("<enter>");
    assert_eq!(s.edits(), ["off node*/nic0"]);
    s.keys(":\"off node0/gpx3\"<enter>").shows("did you mean node0/gpu3");
    assert_eq!(s.edits().len(), 1);
    s.keys("<esc>:\"size 64K\"<enter>:\"group node\"<enter>:\"algorithm ring\"<enter>");
    let q = s.app().question();
    assert_eq!((q.size, q.group, q.algorithm), (Bytes::new(65536.0), Group::Node, Some(Algorithm::Ring)));
    s.keys(":frobnicate<enter>").shows("neither an edit nor a command");
    s.keys("<esc>:zoom<enter>").shows("cluster");
    // What was entered comes back, newest first.
    s.keys(":<up><up>").shows("algorithm ring");
}

#[test]
fn tab_completes_an_edit_to_the_end() {
    let mut s = Session::start("dgx-h100");
    s.keys(":deg<tab>").shows(":degrade");
    s.keys("gpu3--nvsw1<tab>").shows("degrade gpu3--nvsw1 to");
    s.keys("\"50%\"<enter>");
    assert_eq!(s.edits(), ["degrade gpu3--nvsw1 to 50%"]);
}

#[test]
fn the_question_changes_by_keys() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys("c").shows("all-to-all");
    s.keys("<down><enter>");
    assert_eq!(s.app().question().collective, Collective::AllGather);
    let size = s.app().question().size.get();
    s.keys(">");
    assert!((s.app().question().size.get() - size * 2.0).abs() < 1.0);
    s.keys("<lt>s8MiB<enter>");
    assert!((s.app().question().size.get() - 8.0 * 1_048_576.0).abs() < 1.0);
    s.keys("r<down><enter>");
    assert_eq!(s.app().question().group, Group::Node);
    s.keys("a<down><enter>");
    assert_eq!(s.app().question().algorithm, Some(Algorithm::Ring));
    s.shows("all-gather  8 MiB");
}

#[test]
fn stepping_a_value_is_one_edit() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys("/node0/nic0<enter>---");
    assert_eq!(s.edits(), ["set nics = 1"]);
    s.keys("+");
    assert_eq!(s.edits(), ["set nics = 2"]);
    s.keys("u");
    assert!(s.edits().is_empty());
}

#[test]
fn the_same_edit_for_all_units_says_how_many_first() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys("/node0/nic0<enter><space>.").shows("touches 128 NICs on 128 nodes");
    s.keys("<enter>");
    assert_eq!(s.edits(), ["off node0/nic0", "off node*/nic0"]);
}

#[test]
fn baseline_and_baseline_now() {
    let mut s = Session::start("dgx-h100");
    s.keys(":\"set nvls = off\"<enter>B");
    assert!(!s.app().history().differs());
    s.keys("/gpu3--nvsw1<enter><space>");
    assert!(s.app().history().differs());
    s.keys("b").shows("back at the baseline");
    assert_eq!(s.edits(), ["set nvls = off"]);
    s.keys("U");
    assert_eq!(s.edits().len(), 2);
}

#[test]
fn each_edit_can_be_switched_off_and_removed() {
    let mut s = Session::start("dgx-h100");
    let healthy = s.time();
    s.keys(":\"set nvls = off\"<enter>/gpu3--nvsw1<enter><space>E").shows("edits");
    s.keys("<space>");
    assert!(!s.app().history().done()[1].enabled);
    s.keys("x");
    assert_eq!(s.edits(), ["set nvls = off"]);
    s.keys("<up>x<esc>");
    assert!(s.edits().is_empty() && (s.time() - healthy).abs() < 1e-9);
}

#[test]
fn help_is_searched_and_runs_what_it_lists() {
    let mut s = Session::start("dgx-h100");
    s.keys("?").shows("keys and commands");
    s.keys("undo").shows("no edit to undo");
    s.keys("<esc>?matrix<enter>").shows("pairs");
    s.keys("<esc>");
    assert!(!s.text().contains("pairs"));
}

#[test]
fn esc_goes_back_one_step_at_a_time() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys("/gpu3--nvsw1<enter>:off<esc>");
    assert_eq!(s.selected(), "node0/gpu3--nvsw1");
    s.keys("<esc>");
    assert_eq!(s.selected(), "node0/gpu3");
    s.keys("<esc>");
    assert_eq!(s.selected(), "node0");
    s.keys("<esc>").shows("x128");
    assert_eq!(s.selected(), "dgx-h100-superpod");
    s.keys("<esc>").shows("q leaves");
    assert_eq!(s.0.exit_code(), None);
}

#[test]
fn one_walks_through_thousands_of_nodes() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys(":\"set nodes = 16384\"<enter>").shows("x16384");
    s.keys("/node9999/gpu3<enter>");
    assert_eq!(s.selected(), "node9999/gpu3");
    s.keys("<space>");
    assert_eq!(s.app().system().classes.len(), 2);
    s.keys("]");
    assert_eq!(s.selected(), "node10000/gpu3");
    s.keys("N<tab>").shows("hierarchy");
    assert!(s.app().rows().len() < 60, "{}", s.app().rows().len());
}

#[test]
fn the_tree_folds_and_unfolds() {
    let mut s = Session::start("dgx-h100");
    s.keys("<tab><home>");
    assert_eq!(s.selected(), "dgx-h100");
    let rows = s.app().rows().len();
    s.keys("<left>");
    assert_eq!(s.app().rows().len(), 1);
    s.keys("<right>");
    assert_eq!(s.app().rows().len(), rows);
    s.keys("<down><down><right>");
    assert!(s.app().rows().len() > rows);
}

#[test]
fn the_arrows_walk_the_picture() {
    let mut s = Session::start("dgx-h100");
    assert_eq!(s.selected(), "gpu0");
    s.keys("l");
    let right = s.selected();
    assert_ne!(right, "gpu0");
    s.keys("h");
    assert_eq!(s.selected(), "gpu0");
    s.keys("j");
    assert!(s.selected().contains("gpu0--"), "{}", s.selected());
}

#[test]
fn exceptions_are_a_key_away() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys(":\"off node7/gpu3--nvsw1\"<enter>n");
    assert_eq!(s.selected(), "node7/gpu3--nvsw1");
    s.keys("n");
    assert_ne!(s.selected(), "node7/gpu3--nvsw1");
    s.keys("N");
    assert_eq!(s.selected(), "node7/gpu3--nvsw1");
}

#[test]
fn a_path_between_two_devices() {
    let mut s = Session::start("dgx-h100");
    s.keys("o").shows("other end");
    s.keys("/gpu5<enter>");
    assert_eq!(s.selected(), "gpu5");
    s.keys("o").shows("path   node0/gpu0 to node0/gpu5");
    s.keys("<esc>");
    assert!(!s.text().contains("to node0/gpu5"));
}

#[test]
fn disabled_commands_say_why() {
    let mut s = Session::start("dgx-h100");
    s.keys("u").shows("no edit to undo");
    s.keys("<tab><home><space>").shows("cannot be taken out");
    s.keys("<f9>").shows("does nothing here");
}

#[test]
fn scenarios_are_saved_and_opened() {
    let mut s = Session::start("dgx-h100");
    s.keys(":\"set nvls = off\"<enter>W<enter>");
    let written = s.0.take_effects().into_iter().find_map(|e| match e {
        Effect::Save { contents, .. } => Some(contents),
        _ => None,
    });
    let text = written.unwrap();
    let mut other = Session::start("dgx-a100");
    other.keys("O\"my.ron\"<enter>");
    assert!(other.0.take_effects().contains(&Effect::ReadFile { path: "my.ron".into() }));
    other.0.feed([Input::Done(Outcome::Read { path: "my.ron".into(), result: Ok(text) })]);
    assert_eq!(other.app().system().name, "dgx-h100");
    assert_eq!(other.edits(), ["set nvls = off"]);
    let mut bad = Session::start("dgx-a100");
    bad.keys("O\"my.ron\"<enter>");
    bad.0.feed([Input::Done(Outcome::Read { path: "my.ron".into(), result: Ok("(system: ".to_owned()) })]);
    bad.shows("my.ron:1:");
}

#[test]
fn a_file_and_edits_are_lost_only_when_it_is_meant() {
    let saves = |s: &mut Session| s.0.take_effects().into_iter().find(|e| matches!(e, Effect::Save { .. }));
    let mut s = Session::start("dgx-h100");
    s.keys(":\"off gpu1\"<enter>W<c-u>\"keep.ron\"<enter>");
    s.0.feed([Input::Done(Outcome::Saved { path: "keep.ron".into(), result: Err(NotSaved::Exists) })]);
    s.shows("keep.ron is there already");
    s.keys("<esc>");
    s.0.take_effects();
    // Asked again after Esc.
    s.keys("W<c-u>\"keep.ron\"<enter>");
    assert!(matches!(saves(&mut s), Some(Effect::Save { replace: false, .. })));
    s.0.feed([Input::Done(Outcome::Saved { path: "keep.ron".into(), result: Err(NotSaved::Exists) })]);
    s.keys("<esc>");
    // What is in no file is not dropped at the first word.
    s.0.take_effects();
    s.keys("O\"my.ron\"<enter>").shows("1 edit not saved");
    s.keys("<esc>O\"my.ron\"<enter>").shows("1 edit not saved");
    assert!(!s.0.take_effects().iter().any(|e| matches!(e, Effect::ReadFile { .. })));
    s.keys("<enter>");
    assert!(s.0.take_effects().contains(&Effect::ReadFile { path: "my.ron".into() }));
    // What was saved is safe.
    let mut s = Session::start("dgx-h100");
    s.keys(":\"off gpu1\"<enter>W<enter>");
    s.0.feed([Input::Done(Outcome::Saved { path: "dgx-h100.scenario.ron".into(), result: Ok(()) })]);
    s.0.take_effects();
    s.keys("O\"my.ron\"<enter>");
    assert!(s.0.take_effects().contains(&Effect::ReadFile { path: "my.ron".into() }));
}

#[test]
fn the_copied_command_line_gives_the_same_answer() {
    let mut s = Session::start("dgx-h100");
    s.keys(":\"set nvls = off\"<enter>/gpu3--nvsw1<enter><space>sc<esc>s64MiB<enter>y");
    let expected = "icx-tui calc dgx-h100 -c all-reduce -s 64MiB -e 'set nvls = off' -e 'off gpu3--nvsw1'";
    assert_eq!(s.0.take_effects(), [Effect::Copy(expected.to_owned())]);
}

#[test]
fn paste_fires_no_commands() {
    let mut s = Session::start("dgx-h100");
    s.0.feed([Input::Paste("qqq off gpu0".to_owned())]);
    assert_eq!(s.0.exit_code(), None);
    s.keys(":");
    s.0.feed([Input::Paste("off gpu0".to_owned())]);
    s.keys("<enter>");
    assert_eq!(s.edits(), ["off gpu0"]);
}

#[test]
fn clicks_select_and_again_walk_in() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys("<click 6,7>");
    assert_eq!(s.selected(), "node0/nvsw0..3");
    s.keys("<click 6,7>");
    assert!(s.app().rows().len() > 11);
}

#[test]
fn q_quits() {
    let mut s = Session::start("dgx-h100");
    s.keys("q");
    assert_eq!(s.0.exit_code(), Some(0));
}

#[test]
fn the_tour_goes_on_by_doing_what_it_asks() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys("T").shows("tour 1/8").shows("press one");
    s.keys("l").shows("tour 2/8").shows("space takes what is selected out");
    s.keys("<space>").shows("tour 3/8");
    s.keys("u").shows("tour 4/8");
    s.keys(">").shows("tour 5/8");
    s.keys("i").shows("tour 6/8").shows("impact ▸");
    // The stop that asks for Esc goes on, and Esc does what it always does.
    s.keys("<esc>").shows("tour 7/8").shows("explore ▸");
    s.keys("w").shows("tour 8/8").shows("sweep ▸");
    s.keys("?");
    assert!(!s.text().contains("tour 8/8"), "the last stop ends it");
}

#[test]
fn the_tour_is_skipped_and_left() {
    let mut s = Session::start("dgx-h100");
    s.keys("TT").shows("tour 2/8");
    s.keys("<esc>");
    assert!(!s.text().contains("tour 2/8"));
    assert_eq!(s.selected(), "gpu0", "Esc ended the tour and nothing else");
    s.keys(&"T".repeat(9));
    assert!(!s.text().contains("tour "), "{}", s.text());
    s.keys(":tour<enter>").shows("tour 1/8");
}

#[test]
fn every_list_is_narrowed_by_a_filter() {
    let mut s = Session::start("dgx-h100-superpod");
    let impacts = |s: &Session| s.app().reports().impact_rows().len();
    s.keys("i");
    let all = impacts(&s);
    s.keys("/psw").shows("/psw").shows("degrade node0/psw0 to 50%");
    assert!((1..all).contains(&impacts(&s)));
    assert!(!s.text().contains("degrade leaf0 to"), "{}", s.text());
    // Kept with Enter: the keys are those of the rows again, and Enter makes the edit of a row that is left.
    s.keys("<enter><down><enter>");
    assert_eq!(s.edits(), ["degrade node0/psw0--nic0 to 50%"]);
    // Esc takes the filter away, then the screen.
    s.keys("<esc>").shows("degrade leaf0 to");
    s.keys("<esc>").shows("explore ▸");

    s.keys("x/fill").shows("Fill of the pipeline");
    assert!(!s.text().contains("▸ Steps"), "{}", s.text());
    s.keys("<esc>").shows("▸ Steps");

    s.keys("C/ring<enter>").shows("all-gather");
    assert!(!s.text().contains("all-to-all"), "{}", s.text());
    s.keys("<esc>").shows("all-to-all");
    s.keys("<esc>c/scat<enter><enter>");
    assert_eq!(s.app().question().collective, Collective::ReduceScatter);

    s.keys(":\"set nvls = off\"<enter>E/nvls<enter><space><esc><esc>");
    let enabled: Vec<bool> = s.app().history().done().iter().map(|e| e.enabled).collect();
    assert_eq!(enabled, [true, false], "the row that is left is the one that is switched");
    s.keys("i/nosuchthing").shows("no row has this in it");
}

/// The text that a key puts on the clipboard.
fn copied(s: &mut Session, key: &str) -> String {
    s.keys(key);
    let effects = s.0.take_effects();
    let text = effects.into_iter().find_map(|e| if let Effect::Copy(text) = e { Some(text) } else { None });
    text.unwrap_or_default()
}

#[test]
fn every_screen_copies_a_command_line_of_its_own() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys(":\"set nodes = 4\"<enter>:\"size 256MiB\"<enter>");
    let tail = "-c all-reduce -s 256MiB -e 'set nodes = 4'";
    assert_eq!(copied(&mut s, "y"), format!("icx-tui calc dgx-h100-superpod {tail}"));
    s.keys("x");
    assert_eq!(copied(&mut s, "y"), format!("icx-tui calc dgx-h100-superpod {tail} --explain"));
    s.keys("w");
    assert_eq!(copied(&mut s, "y"), "icx-tui sweep dgx-h100-superpod -c all-reduce -e 'set nodes = 4'");
    s.keys("i");
    let rows = s.app().reports().impact_rows().len();
    assert_eq!(copied(&mut s, "y"), format!("icx-tui impact dgx-h100-superpod {tail} --top {rows}"));
    let render = |rest: &str| format!("icx-tui render dgx-h100-superpod {tail} {rest} --size 120x40");
    s.keys("Sv");
    assert_eq!(copied(&mut s, "y"), render("--screen scale --keys v"));
    s.keys("C:\"compare dgx-b200-ndr\"<enter>");
    assert_eq!(copied(&mut s, "y"), render("--screen compare --against dgx-b200-ndr"));
    s.keys("<esc>/node0/gpu3<enter>mm");
    assert_eq!(copied(&mut s, "y"), render("--screen explore --keys '\":go node0/gpu3\"<enter>mm'"));
    s.keys("<esc>o/node1/gpu0<enter><enter>");
    let keys = "'\":go node0/gpu3\"<enter>o\":go node1/gpu0\"<enter><enter>'";
    assert_eq!(copied(&mut s, "y"), render(&format!("--screen explore --keys {keys}")));
}

#[test]
fn every_screen_and_list_copies_its_table() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys(":\"set nvls = off\"<enter>");
    let tiers = copied(&mut s, "<c-y>");
    assert!(tiers.starts_with("tier,link,line GB/s,usable GB/s,latency us,busy %\non-chip,HBM3,"), "{tiers}");
    for (keys, first, rows) in [
        ("E", "#,edit,state", 1),
        ("<esc>w", "size bytes,time us", 32),
        ("S", "nodes,ranks,size bytes", 40),
        ("x", "term,value,share %", 10),
        ("i", "change,alike,time us,change %,why", 20),
        ("C", "what,baseline,what-if,ratio", 12),
        ("<esc>c", "collective,time", 7),
        ("<esc>m", "class and usable GB/s per direction,gpu0", 16),
        ("<esc>/node0/gpu0<enter>o/node1/gpu1<enter><enter>", "to,link,line GB/s", 4),
    ] {
        s.keys(keys);
        let csv = copied(&mut s, "<c-y>");
        assert!(csv.starts_with(first), "{keys}: {csv}");
        assert!(csv.lines().count() > rows, "{keys}: {csv}");
        let markdown = copied(&mut s, "Y");
        assert_eq!(markdown.lines().count(), csv.lines().count() + 1, "{keys}: {markdown}");
    }
    // What is said when it is done names the table and not the command line.
    s.keys("i/psw<enter>Y");
    s.0.feed([Input::Done(Outcome::Copied(Ok(())))]);
    let rows = s.app().reports().impact_rows().len();
    s.shows(&format!("copied: impact, {rows} rows as Markdown"));
}

#[test]
fn a_system_or_what_a_machine_printed_is_compared_and_opened() {
    let mut s = Session::start("dgx-h100");
    let read = |s: &mut Session, name: &str, text: &str| {
        assert!(s.0.take_effects().contains(&Effect::ReadFile { path: name.into() }), "{name}");
        s.0.feed([Input::Done(Outcome::Read { path: name.into(), result: Ok(text.to_owned()) })]);
    };
    // A scenario: its edits apply.
    s.keys(":\"compare slow.ron\"<enter>");
    read(&mut s, "slow.ron", "(system: \"dgx-h100\", edits: [\"set nvls = off\"])");
    s.shows("dgx-h100 against dgx-h100").shows("times as long");
    // What nvidia-smi prints.
    let printed = "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV4\t0-31\t0\nGPU1\tNV4\t X \t0-31\t0\n";
    s.keys("<esc>O\"topo.txt\"<enter>");
    read(&mut s, "topo.txt", printed);
    s.shows("topo.txt:1:1: the matrix does not say which GPU this is");
    // A system in its written form, without edits.
    let ron = icx_tui::preset::shipped().iter().find(|p| p.name == "a40-bridged").unwrap().text;
    s.keys("O\"mine.ron\"<enter>");
    read(&mut s, "mine.ron", ron);
    assert_eq!((s.app().system().name.as_str(), s.edits().len()), ("a40-bridged", 0));
    // The file of the machine itself is not written over by a scenario.
    s.keys("W<c-u>\"mine.ron\"<enter>").shows("machine's own file");
    assert!(!s.0.take_effects().iter().any(|e| matches!(e, Effect::Save { .. })));
    s.keys("<esc><esc>");
    s.keys("C:\"compare other.ron\"<enter>");
    read(&mut s, "other.ron", "(name: ");
    s.shows("other.ron:1:");
}

#[test]
fn a_pasted_list_of_edits_is_several_edits() {
    let mut s = Session::start("dgx-h100");
    let healthy = s.time();
    s.keys(":");
    s.0.feed([Input::Paste("off gpu3--nvsw1\n# and the switches' reduction\nset nvls = off\n".to_owned())]);
    s.shows("off gpu3--nvsw1; set nvls = off").shows("2 edits: ");
    assert!(s.edits().is_empty(), "nothing happens before Enter");
    s.keys("<enter>").shows("2 edits  ").shows("slower");
    assert_eq!(s.edits(), ["off gpu3--nvsw1", "set nvls = off"]);
    s.keys("uu");
    assert!(s.edits().is_empty() && (s.time() - healthy).abs() < 1e-9);
    // One that cannot be refuses all of them.
    s.keys(":\"off gpu3; off gpx9\"<enter>").shows("gpx9");
    s.keys("<esc>");
    assert!(s.edits().is_empty());
}

#[test]
fn the_brackets_walk_along_the_fabric() {
    let mut s = Session::start("dgx-h100-superpod");
    s.keys("/leaf3<enter>]");
    assert_eq!(s.selected(), "leaf11", "the same rail's leaf of the next group");
    s.keys("[[");
    assert_eq!(s.selected(), "leaf27", "round to the last group");
    s.keys("/spine1<enter>]");
    assert_eq!(s.selected(), "spine2");
}

#[test]
fn every_leaf_has_its_own_load() {
    let mut s = Session::start("h100-roce-2to1");
    s.keys(":\"collective all-to-all\"<enter>:\"degrade leaf1 to 50%\"<enter>");
    let up = |s: &mut Session, leaf: &str| {
        s.keys(&format!("/{leaf}<enter>"));
        let text = s.text();
        let at = text.find("% down, ").unwrap();
        text[at + 8..].split_whitespace().next().unwrap().parse::<u32>().unwrap()
    };
    let (sick, well) = (up(&mut s, "leaf1"), up(&mut s, "leaf2"));
    assert!(sick.abs_diff(2 * well) <= 2, "half of the rate is twice the load: {sick} and {well}");
}

#[test]
fn the_mark_of_the_bottleneck_is_on_the_tier_that_binds() {
    let busy = |s: &Session| s.text().lines().find(|l| l.contains("busy ")).unwrap().to_owned();
    let mut s = Session::start("b200-roce");
    assert!(busy(&s).contains('◄'), "{}", busy(&s));
    // Kernels bind: no tier does, and the busiest comes next.
    s.keys(":\"collective all-gather\"<enter>").shows("bottleneck  GPU kernels").shows("next scale-out at");
    assert!(!busy(&s).contains('◄'), "{}", busy(&s));
    // Latency binds.
    s.keys("s8<enter>").shows("bottleneck  latency");
    assert!(!busy(&s).contains('◄'), "{}", busy(&s));
    assert!(s.app().answers().bottleneck.links.is_empty());
    // Nine links are alike: the one that is named wears the mark.
    let mut s = Session::start("dgx-1");
    s.keys(":\"off gpu0--gpu3\"<enter>").shows("bottleneck  node0/gpu3--gpu7").shows("9 links alike");
    let row = s.text().lines().find(|l| l.contains("╳down")).unwrap().to_owned();
    assert!(row.contains("◄100"), "{row}");
}

#[test]
fn a_files_name_is_completed() {
    use icx_tui::tui::program::FolderEntry;
    let list = |s: &mut Session, folder: &str, names: &[(&str, bool)]| {
        let asked = s.0.take_effects();
        assert!(asked.contains(&Effect::ListFolder { path: folder.into() }), "{folder:?}: {asked:?}");
        let entry = |(name, is_folder): &(&str, bool)| FolderEntry { name: (*name).to_owned(), is_folder: *is_folder };
        let entries = names.iter().map(entry).collect();
        s.0.feed([Input::Done(Outcome::Listed { path: folder.into(), entries })]);
    };
    let mut s = Session::start("dgx-h100");
    s.keys("O");
    list(&mut s, "", &[(".hidden", false), ("notes.txt", false), ("plan.ron", false), ("plans", true)]);
    s.shows("notes.txt").shows("plans/");
    assert!(!s.text().contains(".hidden"), "{}", s.text());
    s.keys("plans<tab>").shows("open plans/");
    list(&mut s, "plans/", &[("a.ron", false), ("b.ron", false)]);
    s.keys("<tab>").shows("open plans/a.ron");
    s.keys("<tab>").shows("open plans/b.ron");
    s.keys("<enter>");
    assert!(s.0.take_effects().contains(&Effect::ReadFile { path: "plans/b.ron".into() }));
    // Of several, a folder is one: the next Tab goes by it, not into it.
    s.keys("O");
    list(&mut s, "", &[("docs", true), ("notes.txt", false)]);
    s.keys("<tab>").shows("open docs/");
    s.keys("<tab>").shows("open notes.txt");
    assert!(!s.0.take_effects().iter().any(|e| matches!(e, Effect::ListFolder { .. })));
    s.keys("<esc>");
    // In the command line too, behind what is offered anyway.
    s.keys(":\"compare ra\"");
    list(&mut s, "", &[("rack.ron", false)]);
    s.shows("rack.ron");
    s.keys("<tab>").shows(":compare rack.ron");
}
