//! Where everything goes at a size. Drawing, mouse and arrow keys read the same areas.

use ratatui::layout::Rect;

use super::panel;
use crate::tui::app::{Focus, Panel};

/// The shape of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// One line of text.
    Line,
    /// One panel with tabs.
    Tabs,
    /// The picture over inspector and result.
    Small,
    /// Tree over inspector, picture, result.
    Medium,
    /// Tree, picture, inspector, result, and a row for messages.
    Wide,
}

impl Form {
    /// The shape of a screen that shares the terminal with a lesson: the rows of title and footer are gone already.
    fn beside(stage: Rect) -> Self {
        match (stage.width, stage.height + 2) {
            (_, 0..=2) => Self::Tabs,
            size if stage.width >= 72 => Self::of((size.0.max(76), size.1)).max(Self::Tabs),
            size => Self::of(size).max(Self::Tabs),
        }
    }

    /// The shape for a size.
    pub(super) const fn of((w, h): (u16, u16)) -> Self {
        match (w, h) {
            (150.., 45..) => Self::Wide,
            (110.., 34..) => Self::Medium,
            (76.., 22..) => Self::Small,
            (40.., 12..) => Self::Tabs,
            _ => Self::Line,
        }
    }
}

/// The panels that can have the keys at a size, in the order of Tab.
pub(crate) fn panels(size: (u16, u16), focus: &Focus) -> &'static [Panel] {
    match Areas::new(size, focus).form {
        Form::Tabs | Form::Line => &Panel::ALL,
        Form::Small | Form::Medium | Form::Wide => &[Panel::Picture, Panel::Tree],
    }
}

/// The areas of a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Areas {
    pub(super) form: Form,
    pub(super) title: Rect,
    pub(super) tabs: Option<Rect>,
    pub(super) message: Option<Rect>,
    /// The tour, while it is on.
    pub(super) tour: Option<Rect>,
    /// The text of a lesson, while it shows.
    pub(super) lesson: Option<Rect>,
    /// The step of the lesson that is open, while its text does not show.
    pub(super) reminder: Option<Rect>,
    pub(super) footer: Rect,
    /// What the screen itself has, its tabs too; the lesson beside it is left out. Without cells while the lesson hides it.
    pub(super) stage: Rect,
    /// The same without the tabs.
    pub(super) body: Rect,
    /// Where lists lie over the screen: the body, or the text of a lesson that hides it.
    pub(super) over: Rect,
    panels: Vec<(Panel, Rect)>,
}

/// The first `n` rows and the rest.
fn top(area: Rect, n: u16) -> (Rect, Rect) {
    let n = n.min(area.height);
    (Rect { height: n, ..area }, Rect { y: area.y + n, height: area.height - n, ..area })
}

/// All but the last `n` rows, and those.
fn bottom(area: Rect, n: u16) -> (Rect, Rect) {
    let n = n.min(area.height);
    top(area, area.height - n)
}

/// The first `n` columns and the rest.
fn left(area: Rect, n: u16) -> (Rect, Rect) {
    let n = n.min(area.width);
    (Rect { width: n, ..area }, Rect { x: area.x + n, width: area.width - n, ..area })
}

/// Where the text of a lesson is, and what it leaves to the screen.
struct Book {
    lesson: Option<Rect>,
    reminder: Option<Rect>,
    stage: Rect,
}

impl Book {
    /// Beside the screen where there is room; else in its place while it has the keys, with a reminder below it otherwise.
    fn of(rest: Rect, form: Form, focus: &Focus) -> Self {
        if form == Form::Line || !focus.has_lesson() {
            return Self { lesson: None, reminder: None, stage: rest };
        }
        if form >= Form::Medium {
            let (lesson, stage) = left(rest, if form == Form::Wide { rest.width * 2 / 5 } else { 46 });
            return Self { lesson: Some(lesson), reminder: None, stage };
        }
        if focus.reads_lesson() {
            return Self { lesson: Some(rest), reminder: None, stage: Rect { height: 0, ..rest } };
        }
        let (stage, reminder) = bottom(rest, if rest.height >= 16 { 3 } else { 1 });
        Self { lesson: None, reminder: Some(reminder), stage }
    }
}

impl Areas {
    pub(super) fn new(size: (u16, u16), focus: &Focus) -> Self {
        let form = Form::of(size);
        let whole = Rect::new(0, 0, size.0, size.1);
        let (title, rest) = top(whole, 1);
        let (rest, footer) = bottom(rest, 1);
        let (rest, message) = bottom(rest, u16::from(form == Form::Wide));
        let on_tour = focus.tour.is_some() && form != Form::Line;
        let (rest, tour) = bottom(rest, u16::from(on_tour));
        let message = (form == Form::Wide).then_some(message);
        let Book { lesson, reminder, stage } = Book::of(rest, form, focus);
        let form = if lesson.is_some() || reminder.is_some() { Form::beside(stage) } else { form };
        let (tabs, body) = top(stage, u16::from(form == Form::Tabs));
        let tabs = (form == Form::Tabs).then_some(tabs);
        let tour = on_tour.then_some(tour);
        let panels = Vec::new();
        let over = lesson.filter(|_| stage.height == 0).unwrap_or(body);
        let mut areas = Self { form, title, tabs, message, tour, lesson, reminder, footer, stage, body, over, panels };
        areas.panels = match focus.zoomed() {
            Some(panel) => vec![(panel, body)],
            None => areas.arrange(focus.panel()),
        };
        areas
    }

    /// The panels and their areas, in reading order.
    fn arrange(&self, focused: Panel) -> Vec<(Panel, Rect)> {
        match self.form {
            Form::Wide => {
                let (upper, result) = bottom(self.body, 9);
                let (tree, rest) = left(upper, 30);
                let (picture, inspector) = left(rest, rest.width.saturating_sub(36));
                vec![
                    (Panel::Tree, tree),
                    (Panel::Picture, picture),
                    (Panel::Inspector, inspector),
                    (Panel::Result, result),
                ]
            }
            Form::Medium => {
                let (upper, result) = bottom(self.body, 8);
                let (column, picture) = left(upper, 28);
                let (tree, inspector) = top(column, column.height.div_ceil(2) + 1);
                vec![
                    (Panel::Tree, tree),
                    (Panel::Inspector, inspector),
                    (Panel::Picture, picture),
                    (Panel::Result, result),
                ]
            }
            Form::Small => {
                let (upper, result) = bottom(self.body, 5);
                let (main, inspector) = bottom(upper, 4);
                let shown = if focused == Panel::Tree { Panel::Tree } else { Panel::Picture };
                vec![(shown, main), (Panel::Inspector, inspector), (Panel::Result, result)]
            }
            Form::Tabs => {
                let lines = if focused == Panel::Result { 0 } else { 4 };
                let (main, result) = bottom(self.body, lines);
                if focused == Panel::Result {
                    vec![(Panel::Result, main)]
                } else {
                    vec![(focused, main), (Panel::Result, result)]
                }
            }
            Form::Line => Vec::new(),
        }
    }

    /// The panels with their areas.
    pub(super) fn panels(&self) -> Vec<(Panel, Rect)> {
        self.panels.clone()
    }

    /// The cells of the picture, its frame left out.
    pub(super) fn picture_inner(&self) -> Option<Rect> {
        let found = self.panels.iter().find(|(p, _)| *p == Panel::Picture);
        found.map(|(_, area)| panel::inner(*area, self.form))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_stay_on_the_screen_and_do_not_overlap() {
        for w in 0..200 {
            for h in 0..70 {
                let areas = Areas::new((w, h), &Focus::default());
                let all = areas.panels();
                for (i, (panel, a)) in all.iter().enumerate() {
                    assert!(a.right() <= w && a.bottom() <= h, "{w}x{h} {panel:?} {a:?}");
                    for (_, b) in all.iter().skip(i + 1) {
                        assert!(a.intersection(*b).is_empty(), "{w}x{h} {a:?} {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_shape_follows_the_size() {
        let forms = [(160, 50), (120, 40), (80, 24), (60, 20), (39, 20)].map(Form::of);
        assert_eq!(forms, [Form::Wide, Form::Medium, Form::Small, Form::Tabs, Form::Line]);
    }
}
