//! The stack of what has the keys: a panel at the bottom, whatever was opened over it on top. Esc takes one off.

use super::{Find, Line, Picker, Screen, Tour};
use crate::tui::commands::Context;
use crate::tui::line_edit::LineEdit;
use crate::tui::picture::End;

/// A panel of the explore screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Panel {
    /// The picture.
    Picture,
    /// The hierarchy.
    Tree,
    /// What is selected, in words. Has the keys only where it is a tab of its own.
    Inspector,
    /// The answer. Has the keys only where it is a tab of its own.
    Result,
}

impl Panel {
    /// The panels in the order of the tabs.
    pub const ALL: [Self; 4] = [Self::Picture, Self::Tree, Self::Inspector, Self::Result];

    /// Its name on a tab.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Tree => "tree",
            Self::Inspector => "detail",
            Self::Result => "result",
        }
    }
}

/// One layer of the stack.
#[derive(Debug, Clone)]
pub enum Layer {
    /// The panels of the screen; the named one has the keys.
    Panels(Panel),
    /// One panel alone.
    Zoom(Panel),
    /// The matrix of pairs, in place of the picture.
    Matrix,
    /// A path was asked for: the other end is being chosen.
    PathFrom(End),
    /// The way between two devices, in place of the picture.
    Path(End, End),
    /// The chart against size, in place of the panels.
    Sweep,
    /// The chart against the number of nodes, in place of the panels.
    Scale,
    /// Why the answer is what it is, in place of the panels.
    Explain,
    /// What single changes would do, in place of the panels.
    Impact,
    /// Two machines side by side, in place of the panels.
    Compare,
    /// What explains a log, in place of the panels.
    Diagnose,
    /// The collective step by step, in place of the panels.
    Watch,
    /// The quiz, in place of the panels.
    Quiz {
        /// Whether a number is being typed.
        typing: bool,
    },
    /// The list of lessons, in place of the panels.
    Lessons,
    /// The text of a lesson, beside or in place of what lies below.
    Lesson,
    /// A training job that grows, in place of the panels.
    Story,
    /// The list of edits, with its cursor.
    Edits {
        /// Row of the cursor.
        at: usize,
        /// Edits without it are left out.
        filter: String,
    },
    /// Help: keys and commands.
    Help(Find),
    /// The search for an address.
    Find(Find),
    /// A list of values to choose from.
    Picker(Picker),
    /// A filter being typed, for the list below it.
    Filter(LineEdit),
    /// A line being typed.
    Line(Box<Line>),
}

impl Layer {
    /// Which keys are live.
    pub const fn context(&self) -> Context {
        match self {
            Self::Panels(_) | Self::Zoom(_) | Self::Matrix | Self::PathFrom(_) | Self::Path(..) => Context::Panel,
            Self::Sweep | Self::Scale | Self::Watch => Context::Chart,
            Self::Explain | Self::Impact | Self::Compare | Self::Diagnose | Self::Lessons | Self::Story => {
                Context::Rows
            }
            Self::Quiz { typing: false } => Context::Quiz,
            Self::Quiz { typing: true } => Context::Answer,
            Self::Lesson => Context::Lesson,
            Self::Edits { .. } | Self::Picker(_) => Context::List,
            Self::Help(_) | Self::Find(_) | Self::Filter(_) => Context::Search,
            Self::Line(_) => Context::Text,
        }
    }

    /// Whether it is something to look at, and not a line or a list over it.
    pub(crate) const fn is_stage(&self) -> bool {
        self.screen().is_some() || matches!(self.context(), Context::Panel)
    }

    /// The screen that it is, if it is one.
    pub const fn screen(&self) -> Option<Screen> {
        match self {
            Self::Sweep => Some(Screen::Sweep),
            Self::Scale => Some(Screen::Scale),
            Self::Explain => Some(Screen::Explain),
            Self::Impact => Some(Screen::Impact),
            Self::Compare => Some(Screen::Compare),
            Self::Diagnose => Some(Screen::Diagnose),
            Self::Watch => Some(Screen::Watch),
            Self::Quiz { .. } => Some(Screen::Quiz),
            Self::Lessons => Some(Screen::Learn),
            Self::Story => Some(Screen::Story),
            _ => None,
        }
    }
}

/// The stack. Never empty.
#[derive(Debug, Clone)]
pub struct Focus {
    bottom: Layer,
    over: Vec<Layer>,
    /// The tour, which goes along with whatever has the keys.
    pub(crate) tour: Option<Tour>,
}

impl Default for Focus {
    fn default() -> Self {
        Self { bottom: Layer::Panels(Panel::Picture), over: Vec::new(), tour: None }
    }
}

impl Focus {
    /// What has the keys.
    pub fn top(&self) -> &Layer {
        self.over.last().unwrap_or(&self.bottom)
    }

    /// The same, to be changed.
    pub(crate) fn top_mut(&mut self) -> &mut Layer {
        self.over.last_mut().unwrap_or(&mut self.bottom)
    }

    /// Nothing but the panels; the tour goes on.
    pub(crate) fn emptied(&self) -> Self {
        Self { tour: self.tour, ..Self::default() }
    }

    /// What has the keys, or would have them without a filter that is being typed.
    pub(crate) fn list(&self) -> &Layer {
        self.layers().rev().find(|l| !matches!(l, Layer::Filter(_))).unwrap_or(&self.bottom)
    }

    /// The same, to be changed.
    pub(crate) fn list_mut(&mut self) -> &mut Layer {
        self.over.iter_mut().rev().find(|l| !matches!(l, Layer::Filter(_))).unwrap_or(&mut self.bottom)
    }

    /// All layers, the lowest first.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = &Layer> {
        std::iter::once(&self.bottom).chain(&self.over)
    }

    /// Opens something over what is there.
    pub(crate) fn push(&mut self, layer: Layer) {
        self.over.push(layer);
    }

    /// Closes what is on top; `None` when only the panels are left.
    pub(crate) fn pop(&mut self) -> Option<Layer> {
        self.over.pop()
    }

    /// Closes every layer that fits.
    pub(crate) fn close(&mut self, fits: impl Fn(&Layer) -> bool) -> bool {
        let before = self.over.len();
        self.over.retain(|l| !fits(l));
        self.over.len() < before
    }

    /// Closes every layer that fits, apart from those under the text of a lesson.
    pub(crate) fn close_above_lesson(&mut self, fits: impl Fn(&Layer) -> bool) -> bool {
        let before = self.over.len();
        let from = self.over.iter().rposition(|l| matches!(l, Layer::Lesson)).map_or(0, |i| i + 1);
        let mut at = 0..;
        self.over.retain(|l| at.next().is_some_and(|i| i < from) || !fits(l));
        self.over.len() < before
    }

    /// The screen that is shown.
    pub fn screen(&self) -> Screen {
        self.layers().rev().find_map(Layer::screen).unwrap_or_default()
    }

    /// The panel that has the keys, or would have them without what lies over the screen.
    pub fn panel(&self) -> Panel {
        let panel = |l: &Layer| match l {
            Layer::Panels(p) | Layer::Zoom(p) => Some(*p),
            _ => None,
        };
        self.layers().rev().find_map(panel).unwrap_or(Panel::Picture)
    }

    /// The panel that stands alone, if one does.
    pub fn zoomed(&self) -> Option<Panel> {
        self.layers().rev().find_map(|l| if let Layer::Zoom(p) = l { Some(*p) } else { None })
    }

    /// Gives the keys to another panel.
    pub(crate) fn set_panel(&mut self, panel: Panel) {
        let layer = self.over.iter_mut().rev().find(|l| matches!(l, Layer::Zoom(_) | Layer::Panels(_)));
        match layer {
            Some(Layer::Zoom(p) | Layer::Panels(p)) => *p = panel,
            _ => self.bottom = Layer::Panels(panel),
        }
    }

    /// What is drawn in place of the picture of the scope, if anything.
    pub(crate) fn instead_of_picture(&self) -> Option<&Layer> {
        self.layers().rev().find(|l| matches!(l, Layer::Matrix | Layer::Path(..)))
    }
}
