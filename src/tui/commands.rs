//! The one table of commands: keys, footer, help, palette and the keys page are all read from it.

mod context;
mod enabled;
mod keymap;
mod page;

pub use context::{Context, Group};
pub use keymap::{Keymap, Refused};
pub use page::keys_page;

use std::str::FromStr;

use super::app::App;
use crate::parts::nearest;

/// One row of the table.
#[derive(Debug)]
pub struct Spec {
    /// What it does, for dispatch.
    pub command: Command,
    /// Its name in the edit line and in a configuration: `step-up`.
    pub id: &'static str,
    /// One or two words for the footer.
    pub title: &'static str,
    /// One line for the help.
    pub doc: &'static str,
    /// Heading in the help.
    pub group: Group,
    /// Where its keys work.
    pub contexts: &'static [Context],
    /// Keys as text, the one to show first.
    pub keys: &'static [&'static str],
    /// Place in the footer, the smallest first; 0 is not in the footer. Gaps leave room for the keys of one screen.
    pub rank: u8,
}

macro_rules! commands {
    ($($command:ident $id:literal $title:literal $doc:literal $group:ident [$($context:ident)*] [$($key:literal)*] $rank:literal;)+) => {
        /// Something that the user can ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Command { $(#[doc = $doc] $command),+ }

        /// All commands, in the order of the help.
        pub static TABLE: &[Spec] = &[$(Spec {
            command: Command::$command,
            id: $id,
            title: $title,
            doc: $doc,
            group: Group::$group,
            contexts: &[$(Context::$context),*],
            keys: &[$($key),*],
            rank: $rank,
        }),+];
    };
}

commands! {
    Up "up" "up" "move up; in the picture along the wires" Move [Panel Rows List Quiz Lesson] ["<up>" "k"] 0;
    Down "down" "down" "move down; in the picture along the wires" Move [Panel Rows List Quiz Lesson] ["<down>" "j"] 0;
    Left "left" "left" "close a branch; move left in a picture or chart" Move [Panel Chart Rows] ["<left>" "h"] 0;
    Right "right" "right" "open a branch; move right in a picture or chart" Move [Panel Chart Rows] ["<right>" "l"] 0;
    PageUp "page-up" "page up" "move up by ten" Move [Panel Chart Rows List Search Quiz Answer Lesson] ["<pageup>"] 0;
    PageDown "page-down" "page down" "move down by ten" Move [Panel Chart Rows List Search Quiz Answer Lesson] ["<pagedown>"] 0;
    First "first" "first" "to the first row" Move [Panel Chart Rows List Quiz Lesson] ["<home>" "g"] 0;
    Last "last" "last" "to the last row" Move [Panel Chart Rows List Quiz Lesson] ["<end>" "G"] 0;
    Into "into" "into" "walk into what is selected" Move [Panel] ["<enter>"] 0;
    Back "back" "back" "one step back" Move [Panel Chart Rows List Search Text Quiz Answer Lesson] ["<esc>"] 0;
    Out "out" "out" "out of what is drawn, to what contains it" Move [Panel] ["<backspace>"] 0;
    NextPanel "next-panel" "panel" "the next panel" Move [Panel Lesson] ["<tab>"] 150;
    PreviousPanel "previous-panel" "panel" "the previous panel" Move [Panel] ["<s-tab>"] 0;
    NextSibling "next-sibling" "next node" "the same item in the next node, rack or group" Move [Panel] ["]"] 0;
    PreviousSibling "previous-sibling" "previous node" "the same item in the previous node, rack or group" Move [Panel] ["["] 0;
    NextException "next-exception" "next mark" "to the next edit, fault or bottleneck" Move [Panel] ["n"] 0;
    PreviousException "previous-exception" "previous mark" "to the previous edit, fault or bottleneck" Move [Panel] ["N"] 0;
    Find "find" "find" "find a device, link or switch by its address" Move [Panel] ["/"] 70;
    Filter "filter" "filter" "narrow the list to the rows that contain what you type" Move [Rows List] ["/"] 70;

    Toggle "toggle" "off/on" "take what is selected out, or back" Edit [Panel] ["<space>"] 10;
    Degrade "degrade" "degrade" "cut what is selected down to a rate or a share" Edit [Panel] ["d"] 20;
    EditValue "edit" "edit" "set a value of what is selected: generation, part, count, ratio" Edit [Panel] ["e"] 30;
    StepUp "step-up" "more" "step that value up" Edit [Panel] ["+" "="] 0;
    StepDown "step-down" "less" "step that value down" Edit [Panel] ["-"] 0;
    RepeatAll "repeat-all" "same on all" "the last edit for all units alike" Edit [Panel] ["."] 0;
    Undo "undo" "undo" "undo the last edit" Edit [Panel Chart Rows List] ["u"] 50;
    Redo "redo" "redo" "do the undone edit again" Edit [Panel Chart Rows List] ["U" "<c-r>"] 0;
    Baseline "baseline" "baseline" "back to the baseline: every edit undone" Edit [Panel Chart Rows] ["b"] 80;
    BaselineNow "baseline-now" "baseline = now" "compare with the machine as it is now" Edit [Panel Chart Rows] ["B"] 0;
    Edits "edits" "edits" "the list of edits: switch each off and on, remove it" Edit [Panel Chart Rows] ["E"] 140;
    Line "line" "command" "type an edit or a command" Edit [Panel Chart Rows List] [":"] 60;

    Collective "collective" "collective" "choose the collective" Question [Panel Chart Rows] ["c"] 0;
    Size "size" "size" "type the size" Question [Panel Chart Rows] ["s"] 0;
    Larger "larger" "larger" "double the size" Question [Panel Chart Rows] [">"] 0;
    Smaller "smaller" "smaller" "halve the size" Question [Panel Chart Rows] ["<lt>"] 0;
    Ranks "ranks" "ranks" "choose who takes part" Question [Panel Chart Rows] ["r"] 0;
    Algorithm "algorithm" "algorithm" "choose the algorithm, or leave it to the library" Question [Panel Chart Rows] ["a"] 0;
    Protocol "protocol" "protocol" "choose the protocol, or leave it to the library" Question [Panel Chart Rows] ["p"] 0;

    Lens "lens" "lens" "what the numbers mean: load, rate, delay, change" View [Panel] ["v"] 90;
    Plane "plane" "plane" "which links: all, scale-up, host" View [Panel] ["t"] 100;
    Zoom "zoom" "zoom" "the focused panel alone, or all panels" View [Panel] ["z"] 130;
    Matrix "matrix" "matrix" "all pairs of a node; again for the next figure" View [Panel] ["m"] 110;
    Path "path" "path" "the way between two devices, hop by hop" View [Panel] ["o"] 120;
    Sweep "sweep" "sweep" "time or busbw against size: algorithms, limit, measurements" View [Panel Chart Rows] ["w"] 180;
    Scale "scale" "scale" "time, busbw and efficiency against the number of nodes" View [Panel Chart Rows] ["S"] 190;
    Explain "explain" "explain" "why the answer is what it is, term by term, with sources" View [Panel Chart Rows] ["x"] 200;
    Impact "impact" "impact" "what every single fault, upgrade and setting would do" View [Panel Chart Rows] ["i"] 210;
    Compare "compare" "compare" "baseline against what-if, or two systems side by side" View [Panel Chart Rows] ["C"] 220;
    Diagnose "diagnose" "diagnose" "what explains a measured log: causes, ranked, with what would confirm them" View [Panel Chart Rows] ["D"] 230;
    Watch "watch" "watch" "the collective step by step: who sends which chunk to whom" View [Panel Chart Rows] ["P"] 240;
    Story "story" "story" "one training job that grows from a GPU to a cluster: what it costs, what to buy" View [Panel Chart Rows] ["J"] 250;
    RowTake "row-take" "unfold" "unfold or fold the row; make the edits of an impact or a cause" View [Rows] ["<enter>" "<space>"] 10;
    RowFilter "row-filter" "all/some" "unfold all or nothing; list faults, upgrades or all" View [Rows] ["z"] 20;
    Other "other" "other system" "compare with another system, or with the baseline; diagnose another log" View [Rows] ["o"] 30;
    Take "take" "take" "ask about the point under the cursor" View [Chart] ["<enter>"] 10;
    ChartValue "chart-value" "busbw/time" "what the chart shows: busbw, time, efficiency" View [Chart] ["v"] 20;
    ChartSeries "chart-series" "curves" "a curve per algorithm, or per protocol" View [Chart] ["<tab>"] 30;
    ChartScale "chart-scale" "log/linear" "how the chart's vertical axis divides" View [Chart] ["L"] 40;
    Measured "measured" "measured" "show what was measured: an nccl-tests log, or a matrix of pairs" View [Chart] ["o"] 70;
    WatchPlay "watch-play" "play/pause" "play the steps, or stop" View [Chart] ["<space>"] 11;
    WatchFaster "watch-faster" "faster" "play twice as fast" View [Chart] ["+" "="] 41;
    WatchSlower "watch-slower" "slower" "play half as fast" View [Chart] ["-"] 42;
    WatchMoves "watch-moves" "moves/picture" "list the moves of the step, or draw them" View [Chart] ["m"] 43;
    WatchDown "watch-down" "scroll" "scroll the rows of the step" View [Chart] ["<down>" "j"] 45;
    WatchUp "watch-up" "scroll up" "scroll the rows of the step back" View [Chart] ["<up>" "k"] 0;
    WatchLane "watch-lane" "other ring" "follow the next ring, chain or part of the message" View [Chart] ["]"] 44;
    WatchLaneBack "watch-lane-back" "previous ring" "follow the previous ring, chain or part of the message" View [Chart] ["["] 0;
    Quiz "quiz" "quiz" "questions about interconnects, answered by the engine" View [Panel Chart Rows] ["Q"] 0;
    QuizTake "quiz-take" "answer, go on" "begin; answer the question; go on to the next" View [Quiz Answer] ["<enter>"] 10;
    QuizLift "quiz-lift" "lift, drop" "lift an item, so that the arrows move it, or drop it" View [Quiz] ["<space>"] 30;
    QuizNext "quiz-next" "next" "the next question, answered or not" View [Quiz Answer] ["<tab>"] 40;
    QuizPrevious "quiz-previous" "before" "the question before" View [Quiz Answer] ["<s-tab>"] 50;
    QuizMore "quiz-more" "more" "more questions" View [Quiz] ["+" "="] 60;
    QuizFewer "quiz-fewer" "fewer" "fewer questions" View [Quiz] ["-"] 70;
    QuizTopic "quiz-topic" "topic" "questions of one topic, or of all" View [Quiz] ["t"] 80;
    QuizAgain "quiz-again" "another" "another quiz: the next seed" View [Quiz] ["n"] 90;
    QuizStudy "quiz-study" "lesson" "the lesson of the topic in which most went wrong" View [Quiz] ["s"] 100;
    Help "help" "help" "keys and commands; type to search" View [Panel Chart Rows List Quiz] ["?" "<f1>"] 160;

    Learn "learn" "lessons" "the list of lessons; in a lesson, back to its text" Learn [Panel Chart Rows] ["R"] 0;
    LessonAct "lesson-act" "answer, go on" "answer the prediction, or go on to the next page" Learn [Lesson] ["<enter>"] 10;
    Choose "choose" "choose" "answer with the choice of this letter or number; put the item at this place" Learn [Quiz Lesson] ["a" "b" "c" "d" "e" "f" "1" "2" "3" "4" "5" "6" "7" "8" "9"] 20;
    Hint "hint" "hint" "show a hint" Learn [Lesson] ["H"] 30;
    LessonNext "lesson-next" "next page" "the next page of the lesson" Learn [Lesson] ["<right>" "l"] 40;
    LessonPrevious "lesson-previous" "page before" "the page before" Learn [Lesson] ["<left>" "h"] 50;

    Save "save" "save" "save the scenario to a file" File [Panel Chart Rows] ["W"] 0;
    Open "open" "open" "open a scenario from a file" File [Panel Chart Rows] ["O"] 0;
    Copy "copy" "copy" "copy a command line that gives this answer" File [Panel Chart Rows] ["y"] 0;
    CopyTable "copy-table" "copy table" "copy the table of the screen or list as Markdown" File [Panel Chart Rows List] ["Y"] 0;
    CopyCsv "copy-csv" "copy as CSV" "copy the table of the screen or list as CSV" File [Panel Chart Rows List] ["<c-y>"] 0;
    Tour "tour" "tour" "a one-minute tour; again for its next stop" Program [Panel Chart Rows] ["T"] 0;
    Mouse "mouse" "mouse" "use the mouse, or leave it to the terminal" Program [Panel Chart Rows] ["M"] 0;
    Redraw "redraw" "redraw" "draw every cell again" Program [Panel Chart Rows List Search Text Quiz Answer Lesson] ["<c-l>"] 0;
    Suspend "suspend" "suspend" "stop, until the shell continues it" Program [Panel Chart Rows List Search Text Quiz Answer Lesson] ["<c-z>"] 0;
    Quit "quit" "quit" "leave" Program [Panel Chart Rows Quiz] ["q" "<c-c>"] 170;

    Accept "accept" "apply" "take the line, or the row" Prompt [List Search Text] ["<enter>"] 10;
    Complete "complete" "complete" "the next way to go on" Prompt [Text] ["<tab>"] 20;
    CompleteBack "complete-back" "previous" "the previous way to go on" Prompt [Text] ["<s-tab>"] 0;
    Cancel "cancel" "cancel" "leave the line or list" Prompt [List Search Text Answer] ["<c-c>"] 0;
    SearchUp "search-up" "up" "the row above" Prompt [Search] ["<up>" "<s-tab>"] 0;
    SearchDown "search-down" "next row" "the row below" Prompt [Search] ["<down>" "<tab>"] 20;
    ListToggle "list-toggle" "off/on" "switch the edit off or on" Prompt [List] ["<space>"] 20;
    ListRemove "list-remove" "remove" "remove the edit from the list" Prompt [List] ["x" "<delete>"] 30;
    ListClose "list-close" "close" "close the list" Prompt [List] ["q"] 40;
}

impl Command {
    /// Its row of the table.
    pub fn spec(self) -> &'static Spec {
        // The table is made by the same macro as the enum, in the same order.
        TABLE.get(self as usize).unwrap_or(&TABLE[0])
    }

    /// Whether it can be done now; else the reason, one clause.
    pub fn enabled(self, app: &App) -> Result<(), String> {
        enabled::enabled(self, app)
    }
}

impl FromStr for Command {
    type Err = String;

    /// Reads a command's name; the error has the nearest ones.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = TABLE.iter().find(|s| s.id == text && s.group != Group::Prompt);
        found.map(|s| s.command).ok_or_else(|| {
            let near = nearest(text, TABLE.iter().map(|s| s.id));
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
            format!("no command {text:?}{hint}")
        })
    }
}

#[cfg(test)]
mod tests;
