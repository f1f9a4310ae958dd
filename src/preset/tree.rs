//! The outline of a RON text: which value stands where. Made only when something is wrong, to point at it.

use std::ops::Range;

use super::lex::{Fault, Kind, Lexer, Token};

/// Deepest nesting followed; the same as `ron`'s own limit.
const MAX_DEPTH: usize = 128;

/// A value and its bytes in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    /// Where it is, in bytes.
    pub(super) span: Range<usize>,
    /// What is inside.
    pub(super) inside: Inside,
}

/// What a value is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Inside {
    /// A number, a text, a word.
    Scalar,
    /// A list or a tuple.
    Items(Vec<Node>),
    /// A struct or a map: keys and values.
    Fields(Vec<(Node, Node)>),
}

/// One step down: a field (or map key), or an entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// By name.
    Field(String),
    /// By index, from 0.
    Index(usize),
}

/// What a system's file that begins with something else is told.
pub(super) const NO_BRACKETS: &str =
    "not a system in RON; expected round brackets: ( name: ..., title: ..., node: (...) )";

/// Reads the outline. The first thing that is not RON is the error.
pub(super) fn outline(text: &str) -> Result<Node, Fault> {
    let mut lexer = Lexer::new(text);
    lexer.skip_attributes()?;
    let mut reader = Reader { text, ahead: lexer.next()?, lexer, last: 0..0 };
    let node = reader.value(0)?;
    if node.inside == Inside::Scalar {
        return Err(Fault::new(NO_BRACKETS, node.span));
    }
    match reader.take()? {
        None => Ok(node),
        Some(t) => Err(Fault::new(
            "there is more after the end of the system; expected nothing after the last bracket",
            t.span,
        )),
    }
}

struct Reader<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    ahead: Option<Token>,
    /// The token taken last.
    last: Range<usize>,
}

impl Reader<'_> {
    fn take(&mut self) -> Result<Option<Token>, Fault> {
        let token = self.ahead.take();
        if let Some(t) = &token {
            self.last = t.span.clone();
            self.ahead = self.lexer.next()?;
        }
        Ok(token)
    }

    fn ahead(&self) -> Option<Kind> {
        self.ahead.as_ref().map(|t| t.kind)
    }

    fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        let Some(token) = self.take()? else {
            let end = self.text.len();
            return Err(Fault::new("the text ends here; expected a value", end..end));
        };
        match token.kind {
            Kind::Open(bracket) => self.group(&token.span, token.span.start, bracket, depth),
            Kind::Word if self.ahead() == Some(Kind::Open('(')) => {
                let open = self.take()?.map_or(token.span.clone(), |t| t.span);
                self.group(&open, token.span.start, '(', depth)
            }
            Kind::Word | Kind::Quoted => Ok(Node { span: token.span, inside: Inside::Scalar }),
            Kind::Close(_) | Kind::Colon | Kind::Comma => {
                let found = self.text.get(token.span.clone()).unwrap_or_default();
                Err(Fault::new(format!("found {found}; expected a value"), token.span))
            }
        }
    }

    /// What stands between two brackets; the opening one is taken already.
    fn group(&mut self, open: &Range<usize>, start: usize, bracket: char, depth: usize) -> Result<Node, Fault> {
        if depth >= MAX_DEPTH {
            return Err(Fault::new(format!("brackets nested more than {MAX_DEPTH} deep"), open.clone()));
        }
        let mut items = Vec::new();
        let mut fields = Vec::new();
        loop {
            match self.ahead() {
                None => return Err(never_closed(open, bracket)),
                Some(Kind::Close(c)) => {
                    self.close(open, bracket, c)?;
                    let inside = if fields.is_empty() { Inside::Items(items) } else { Inside::Fields(fields) };
                    return Ok(Node { span: start..self.last.end, inside });
                }
                Some(_) => {}
            }
            let item = self.value(depth + 1)?;
            if bracket != '[' && self.ahead() == Some(Kind::Colon) {
                self.take()?;
                if self.ahead().is_none() {
                    return Err(never_closed(open, bracket));
                }
                fields.push((item, self.value(depth + 1)?));
            } else {
                items.push(item);
            }
            self.separator(open, bracket)?;
        }
    }

    /// A comma, or the closing bracket ahead.
    fn separator(&mut self, open: &Range<usize>, bracket: char) -> Result<(), Fault> {
        match self.ahead() {
            None => Err(never_closed(open, bracket)),
            Some(Kind::Close(_)) => Ok(()),
            Some(Kind::Comma) => self.take().map(|_| ()),
            Some(_) => {
                let before = self.text.get(self.last.clone()).unwrap_or_default();
                if before.starts_with('"') && before.contains('\n') {
                    let end = self.last.start + before.find(['\n', '\r']).unwrap_or(before.len());
                    return Err(Fault::new(
                        "this text runs over several lines; expected a quote at its end",
                        self.last.start..end,
                    ));
                }
                Err(self.no_comma(bracket))
            }
        }
    }

    /// What stands where a comma should: an equals sign, a semicolon, or simply the next thing.
    fn no_comma(&self, bracket: char) -> Fault {
        let next = self.ahead.as_ref().map_or(self.last.clone(), |t| t.span.clone());
        let sign = next.start..next.start + 1;
        match self.text.get(sign.clone()) {
            Some("=") => Fault::new("found =; expected : between a name and its value", sign),
            Some(";") => Fault::new("found a semicolon; expected a comma", sign),
            _ => {
                let message = format!("missing comma; expected , or {} here", closing(bracket));
                Fault::new(message, self.last.end..self.last.end)
            }
        }
    }

    fn close(&mut self, open: &Range<usize>, bracket: char, found: char) -> Result<(), Fault> {
        let token = self.take()?;
        let wanted = closing(bracket);
        if found == wanted {
            return Ok(());
        }
        let line = self.text.get(..open.start).unwrap_or_default().matches('\n').count() + 1;
        let span = token.map_or(open.clone(), |t| t.span);
        Err(Fault::new(format!("found {found}; expected {wanted} to close the {bracket} of line {line}"), span))
    }
}

fn never_closed(open: &Range<usize>, bracket: char) -> Fault {
    Fault::new(format!("this {bracket} is never closed; expected {} before the end", closing(bracket)), open.clone())
}

const fn closing(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

impl Node {
    /// The deepest value that exists on a path, and whether the whole path was found.
    pub(super) fn at(&self, path: &[Step], text: &str) -> (&Self, bool) {
        let mut node = self;
        for step in path {
            match node.child(step, text) {
                Some(child) => node = child,
                None => return (node, false),
            }
        }
        (node, true)
    }

    fn child(&self, step: &Step, text: &str) -> Option<&Self> {
        match (step, &self.inside) {
            (Step::Index(i), Inside::Items(items)) => items.get(*i),
            (Step::Field(name), Inside::Fields(fields)) => {
                fields.iter().rev().find(|(k, _)| k.name(text) == name).map(|(_, v)| v)
            }
            _ => None,
        }
    }

    /// The text of a key or a quoted value, without quotes or `r#`.
    pub(super) fn name<'a>(&self, text: &'a str) -> &'a str {
        let raw = text.get(self.span.clone()).unwrap_or_default();
        let plain = raw.strip_prefix("r#").unwrap_or(raw);
        plain.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(plain)
    }

    /// Calls a function with every key and value below this one.
    pub(super) fn walk<'n>(&'n self, visit: &mut impl FnMut(&'n Self, Role)) {
        match &self.inside {
            Inside::Scalar => {}
            Inside::Items(items) => {
                for item in items {
                    visit(item, Role::Value);
                    item.walk(visit);
                }
            }
            Inside::Fields(fields) => {
                for (key, value) in fields {
                    visit(key, Role::Key);
                    visit(value, Role::Value);
                    value.walk(visit);
                }
            }
        }
    }
}

/// Whether a node is a key or a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The name of a field, the key of a map.
    Key,
    /// Everything else.
    Value,
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed parse is the failure of the test")]
    use super::*;

    fn find<'a>(text: &'a str, path: &[Step]) -> &'a str {
        let tree = outline(text).unwrap();
        let (node, found) = tree.at(path, text);
        assert!(found, "{path:?}");
        &text[node.span.clone()]
    }

    fn f(name: &str) -> Step {
        Step::Field(name.to_owned())
    }

    #[test]
    fn values_are_found_by_name_and_index() {
        let text = "/* ( */ System( a: [1, (b: \"x),\", c: {\"k\": 7, \"l\": [8]})], // a: 9\n r#d: Some((2, 3)),)";
        assert_eq!(find(text, &[f("a"), Step::Index(0)]), "1");
        assert_eq!(find(text, &[f("a"), Step::Index(1), f("b")]), "\"x),\"");
        assert_eq!(find(text, &[f("a"), Step::Index(1), f("c"), f("l"), Step::Index(0)]), "8");
        assert_eq!(find(text, &[f("d"), Step::Index(0), Step::Index(1)]), "3");
        assert!(!outline(text).unwrap().at(&[f("a"), Step::Index(2)], text).1);
    }

    #[test]
    fn faults_name_their_place() {
        for (text, message, span) in [
            ("(a: 1 b: 2)", "missing comma; expected , or ) here", 5..5),
            ("(a: [1, 2)", "found ); expected ] to close the [ of line 1", 9..10),
            ("(a: [1, 2]", "this ( is never closed; expected ) before the end", 0..1),
            ("(a: )", "found ); expected a value", 4..5),
            ("(a: 1) x", "there is more after the end of the system; expected nothing after the last bracket", 7..8),
            ("", "the text ends here; expected a value", 0..0),
            ("(a = 1)", "found =; expected : between a name and its value", 3..4),
            ("(a: 1; b: 2)", "found a semicolon; expected a comma", 5..6),
            ("(a: [1] ; b: 2)", "found a semicolon; expected a comma", 8..9),
            ("<a>", "not a system in RON; expected round brackets: ( name: ..., title: ..., node: (...) )", 0..3),
            ("(a: \"x\n, b: \"y)", "this text runs over several lines; expected a quote at its end", 4..6),
        ] {
            let fault = outline(text).unwrap_err();
            assert_eq!((fault.message.as_str(), fault.span), (message, span), "{text}");
        }
        assert!(outline(&"(".repeat(5000)).unwrap_err().message.contains("128 deep"));
    }
}
