//! The state of the screens with charts: what is shown, where the cursors are, and the data, made when they open and
//! whenever machine or question change.

use super::{App, Layer, Scaling, Sweep};
use crate::measure::overlay::NamedLog;
use crate::tui::chart::Scale;
use crate::units::Bytes;

/// What a chart shows upwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Value {
    /// nccl-tests' bus bandwidth, GB/s.
    #[default]
    Busbw,
    /// Time of one call.
    Time,
    /// Bus bandwidth as a share of that of the smallest system; where the horizontal axis is a number of nodes.
    Efficiency,
}

impl Value {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Busbw, Self::Time, Self::Efficiency];

    /// Its name and unit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Busbw => "busbw, GB/s",
            Self::Time => "time",
            Self::Efficiency => "efficiency, %",
        }
    }
}

/// By what the curves of a sweep are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Split {
    /// A curve per algorithm, each with its best protocol.
    #[default]
    Algorithms,
    /// A curve per protocol, each with its best algorithm.
    Protocols,
}

/// State of the charts.
#[derive(Debug, Clone, Default)]
pub struct Charts {
    /// What is shown upwards.
    pub value: Value,
    /// How the vertical axis divides.
    pub scale: Scale,
    /// What the curves of the sweep are.
    pub split: Split,
    /// Size under the cursor of the sweep.
    pub size: Bytes,
    /// Units (nodes or racks) under the cursor of the scaling.
    pub units: u32,
    /// A log whose points are shown.
    pub measured: Option<NamedLog>,
    /// Data of the sweep, while it is open.
    pub sweep: Option<Sweep>,
    /// Data of the scaling, while it is open.
    pub scaling: Option<Scaling>,
}

/// Which screen is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Screen {
    /// The picture of the machine.
    #[default]
    Explore,
    /// Against size.
    Sweep,
    /// Against the number of nodes.
    Scale,
    /// The derivation of the answer.
    Explain,
    /// What single changes would do.
    Impact,
    /// Two machines side by side.
    Compare,
    /// What explains a log.
    Diagnose,
    /// The collective step by step.
    Watch,
    /// Questions about interconnects.
    Quiz,
    /// The list of lessons.
    Learn,
    /// A training job that grows.
    Story,
}

impl Screen {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Explore,
        Self::Sweep,
        Self::Scale,
        Self::Explain,
        Self::Impact,
        Self::Compare,
        Self::Diagnose,
        Self::Watch,
        Self::Quiz,
        Self::Learn,
        Self::Story,
    ];

    /// Its name, as `render --screen` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Explore => "explore",
            Self::Sweep => "sweep",
            Self::Scale => "scale",
            Self::Explain => "explain",
            Self::Impact => "impact",
            Self::Compare => "compare",
            Self::Diagnose => "diagnose",
            Self::Watch => "watch",
            Self::Quiz => "quiz",
            Self::Learn => "learn",
            Self::Story => "story",
        }
    }

    /// The screen of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

impl App {
    /// State and data of the charts.
    pub fn charts(&self) -> &Charts {
        &self.charts
    }

    /// Opens a screen; it takes the place of another that lies over the picture. What teaches (the lessons and the quiz)
    /// lies over whatever was there, and so does a screen that is asked for beside the text of a lesson: Esc leads back.
    pub fn open_screen(&mut self, screen: Screen) {
        if screen == Screen::Story && self.visits() {
            return self.end_visit();
        }
        match screen {
            Screen::Learn | Screen::Quiz => self.focus.close(|l| l.screen() == Some(screen)),
            Screen::Explore => self.focus.close(|l| l.screen().is_some()),
            _ => self.focus.close_above_lesson(|l| l.screen().is_some()),
        };
        match screen {
            Screen::Explore => {}
            Screen::Sweep => {
                self.charts.size = self.question.size;
                self.focus.push(Layer::Sweep);
            }
            Screen::Scale => {
                self.charts.units = self.system().units;
                self.focus.push(Layer::Scale);
            }
            Screen::Explain => self.focus.push(Layer::Explain),
            Screen::Impact => self.focus.push(Layer::Impact),
            Screen::Compare => self.focus.push(Layer::Compare),
            Screen::Diagnose => self.focus.push(Layer::Diagnose),
            Screen::Watch => self.focus.push(Layer::Watch),
            Screen::Quiz => self.show_quiz(),
            Screen::Learn => {
                self.list_lessons();
                self.focus.push(Layer::Lessons);
            }
            Screen::Story => self.focus.push(Layer::Story),
        }
        self.open_report(screen);
        self.refresh_charts();
        self.refresh_reports();
    }

    /// Works the data of the open charts out again, and drops those of closed ones.
    pub(crate) fn refresh_charts(&mut self) {
        let open = |screen| self.focus.layers().any(|l| l.screen() == Some(screen));
        let (sweep, scale) = (open(Screen::Sweep), open(Screen::Scale));
        self.charts.sweep = sweep.then(|| Sweep::new(&self.history, &self.question, &self.charts));
        self.charts.scaling = scale.then(|| Scaling::new(&self.history, &self.question));
        if let Some(sweep) = &self.charts.sweep {
            self.charts.size = sweep.nearest(self.charts.size);
        }
        if let Some(scaling) = &self.charts.scaling {
            self.charts.units = scaling.nearest(self.charts.units);
        }
        self.refresh_watch();
    }

    /// Moves the cursor of the chart by so many points.
    pub(crate) fn move_in_chart(&mut self, by: isize) {
        match (self.focus.screen(), &self.charts.sweep, &self.charts.scaling) {
            (Screen::Sweep, Some(sweep), _) => {
                let stops: Vec<f64> = sweep.stops().map(Bytes::get).collect();
                self.charts.size = moved(&stops, self.charts.size.get(), by).map_or(self.charts.size, Bytes::new);
            }
            (Screen::Scale, _, Some(scaling)) => {
                let stops: Vec<f64> = scaling.rows.iter().map(|r| f64::from(r.units)).collect();
                // The stops are whole numbers that came from u32.
                let units = moved(&stops, f64::from(self.charts.units), by).map(|u| u as u32);
                self.charts.units = units.unwrap_or(self.charts.units);
            }
            _ => {}
        }
    }
}

/// The stop so many places from the one at the cursor.
fn moved(stops: &[f64], cursor: f64, by: isize) -> Option<f64> {
    let at = stops.iter().position(|s| *s >= cursor).unwrap_or(stops.len().saturating_sub(1));
    stops.get(at.saturating_add_signed(by).min(stops.len().saturating_sub(1))).copied()
}
