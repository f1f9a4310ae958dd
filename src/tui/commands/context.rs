//! Where keys work, and under which heading the help has them.

/// A set of keys that is live at one time: which one follows from the top of the focus stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// The panels of a screen.
    Panel,
    /// A screen with a chart.
    Chart,
    /// A screen of rows: explain, impact, compare.
    Rows,
    /// A list over the screen: edits, choices.
    List,
    /// A list that is searched by typing: help, find.
    Search,
    /// The text of a lesson.
    Lesson,
    /// A line of text.
    Text,
    /// The quiz, where one chooses.
    Quiz,
    /// The quiz, where one types a number.
    Answer,
}

impl Context {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Panel,
        Self::Chart,
        Self::Rows,
        Self::List,
        Self::Search,
        Self::Text,
        Self::Lesson,
        Self::Quiz,
        Self::Answer,
    ];

    /// Whether characters are typed here, so that a plain letter is no command.
    pub const fn types(self) -> bool {
        matches!(self, Self::Search | Self::Text | Self::Answer)
    }
}

/// Heading of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Moving about.
    Move,
    /// Changing the machine.
    Edit,
    /// Changing what is asked.
    Question,
    /// Changing what is shown.
    View,
    /// Lessons.
    Learn,
    /// Files and clipboard.
    File,
    /// The program itself.
    Program,
    /// In lines and lists.
    Prompt,
}

impl Group {
    /// The heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Edit => "Edit the machine",
            Self::Question => "Ask",
            Self::View => "View",
            Self::Learn => "Learn",
            Self::File => "Files",
            Self::Program => "Program",
            Self::Prompt => "In lines and lists",
        }
    }
}
