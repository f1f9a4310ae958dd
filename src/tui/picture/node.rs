//! The picture of one node: host tree above, scale-up links below, and what gives way when room ends.

use super::brackets::Brackets;
use super::chart::{CIRCLE, Chart, draw_circle, has_circle};
use super::crossbar::Crossbar;
use super::grid::{Grid, SCALES, Scale};
use super::hidden::{self, Note};
use super::host::Host;
use super::reading::Look;
use super::sketch::{Sketch, short_name};
use super::tree::{Style, Tree};
use super::up::{Form, ScaleUp};
use super::{PictureInput, Plane, Scene, frame};
use crate::system::{Device, DeviceIx, LinkIx};
use crate::tui::text;
use crate::tui::theme::Role;

/// What is known of the node before anything has a place.
struct Facts<'a> {
    look: Look<'a>,
    node: u32,
    host: Host,
    merged: Host,
    gpus: Host,
    gpus_merged: Host,
    up: ScaleUp,
    form: Form,
    /// Cells of the widest token.
    token: i32,
    size: (u16, u16),
}

/// Which host tree is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Upper {
    Full,
    /// Alike branches once.
    Merged,
    /// GPUs in a row, no host.
    Gpus,
    /// The same, alike GPUs once.
    GpusMerged,
    /// No tree at all.
    Nothing,
}

/// What is drawn below the endpoints.
#[derive(Debug, Clone, Copy)]
enum Lower {
    Nothing,
    Crossbar { merge: bool, blank: i32 },
    Brackets,
    Grid(Scale),
    Chart { narrow: bool },
}

/// One way to draw the node.
#[derive(Debug, Clone, Copy)]
struct Recipe {
    upper: Upper,
    style: Style,
    lower: Lower,
}

/// The lower part with its places.
enum Below<'a> {
    Nothing,
    Crossbar(Crossbar),
    Brackets(Brackets),
    Grid(Grid<'a>),
    Chart(Chart<'a>),
}

struct Plan<'a> {
    recipe: Recipe,
    tree: Option<Tree>,
    below: Below<'a>,
    width: i32,
    height: i32,
}

/// Lays a node out.
pub(super) fn layout(input: &PictureInput, (unit, node): (u32, u32), size: (u16, u16)) -> Scene {
    let mut sketch = Sketch::new(size, input.selection);
    let Some(look) = Look::new(input, unit) else { return sketch.scene() };
    let facts = Facts::new(look, node, size);
    let plan = facts.recipes().into_iter().find_map(|r| facts.fitting(r));
    title(&facts, &mut sketch, plan.as_ref());
    match plan {
        Some(plan) => facts.draw(&mut sketch, &plan),
        None => super::matrix::below_line(facts.look, node, &mut sketch),
    }
    sketch.scene()
}

fn title(facts: &Facts, sketch: &mut Sketch, plan: Option<&Plan>) {
    let system = facts.look.input.system;
    let unit = system.unit_name(facts.look.unit);
    let name = if system.is_rack { format!("{unit}/node{}", facts.node) } else { unit };
    let plane = match plan.map(|p| (p.recipe.upper, p.recipe.lower)) {
        Some((Upper::Gpus | Upper::Nothing, _)) => format!("   {} plane", facts.up.family(&facts.look)),
        Some((Upper::GpusMerged, _)) => format!("   {} plane, alike once", facts.up.family(&facts.look)),
        Some((_, Lower::Nothing)) if facts.form != Form::None => "   host plane".to_owned(),
        Some((Upper::Merged, _)) => "   alike drawn once".to_owned(),
        _ => String::new(),
    };
    sketch.title = format!("{name}   {}{plane}", system.title);
    facts.look.input.lens.title().clone_into(&mut sketch.unit);
}

impl<'a> Facts<'a> {
    fn new(look: Look<'a>, node: u32, size: (u16, u16)) -> Self {
        let host = Host::of(&look, node);
        let up = ScaleUp::of(&look, node);
        let form = up.form(&look);
        let names = host.endpoints().into_iter().flat_map(|b| b.devices.clone());
        let token = 2 + names.map(|d| text::width(&short_name(&look, d)) as i32).max().unwrap_or(2);
        let (merged, gpus) = (host.merged(&look), Host::gpus_of(&look, node));
        let gpus_merged = gpus.merged(&look);
        Self { look, node, host, merged, gpus, gpus_merged, up, form, token, size }
    }

    /// Ways to draw it, the best first.
    fn recipes(&self) -> Vec<Recipe> {
        let plane = self.look.input.plane;
        let mut all = Vec::new();
        let shared = matches!(self.form, Form::Crossbar | Form::Brackets);
        if plane == Plane::Host || self.form == Form::None {
            self.push_styles(&mut all, Upper::Full, &[Lower::Nothing]);
            self.push_merged(&mut all, Upper::Merged, &[Lower::Nothing]);
        } else if plane == Plane::All {
            let lowers = self.lowers();
            self.push_styles(&mut all, Upper::Full, &lowers);
            if shared {
                self.push_merged(&mut all, Upper::Merged, &lowers);
            }
        }
        if plane != Plane::Host && self.form != Form::None {
            self.push_plane(&mut all, shared);
        }
        all
    }

    fn lowers(&self) -> Vec<Lower> {
        match self.form {
            Form::None => vec![Lower::Nothing],
            Form::Crossbar => vec![
                Lower::Crossbar { merge: false, blank: 1 },
                Lower::Crossbar { merge: false, blank: 0 },
                Lower::Crossbar { merge: true, blank: 0 },
            ],
            Form::Brackets => vec![Lower::Brackets],
            Form::Grid(_) => SCALES.map(Lower::Grid).to_vec(),
            Form::Chart => vec![Lower::Chart { narrow: false }, Lower::Chart { narrow: true }],
        }
    }

    /// The scale-up plane without the host.
    fn push_plane(&self, all: &mut Vec<Recipe>, shared: bool) {
        let lowers = self.lowers();
        if shared {
            self.push_styles(all, Upper::Gpus, &lowers);
            if self.form == Form::Crossbar {
                self.push_merged(all, Upper::GpusMerged, &lowers);
            }
        } else {
            let style = self.style((self.token + 1, false), (1, false, 1));
            all.extend(lowers.into_iter().map(|lower| Recipe { upper: Upper::Nothing, style, lower }));
        }
        if self.form != Form::Crossbar {
            let style = self.style((self.token, false), (1, false, 1));
            all.push(Recipe { upper: Upper::Nothing, style, lower: Lower::Chart { narrow: true } });
        }
    }

    /// Wide tokens before narrow ones; with each, the rows from many to few.
    fn push_styles(&self, all: &mut Vec<Recipe>, upper: Upper, lowers: &[Lower]) {
        let t = self.token;
        for slot in [(t + 4, false), (t + 1, false), (t, false), (t - 1, true)] {
            for rows in [(3, true, 2), (2, true, 2), (1, true, 2), (1, false, 2), (1, false, 1)] {
                let style = self.style(slot, rows);
                for lower in lowers {
                    // Alike chips are merged only when nothing else helps.
                    let last = matches!(lower, Lower::Crossbar { merge: true, .. }) && rows != (1, false, 1);
                    let spread = matches!(lower, Lower::Crossbar { blank: 1, .. }) && rows.0 < 3;
                    if !last && !spread {
                        all.push(Recipe { upper, style, lower: *lower });
                    }
                }
            }
        }
    }

    fn push_merged(&self, all: &mut Vec<Recipe>, upper: Upper, lowers: &[Lower]) {
        for slot in [(self.token + 4, false), (self.token + 2, false), (self.token, false)] {
            for rows in [(2, false, 2), (1, false, 1)] {
                let style = self.style(slot, rows);
                all.extend(lowers.iter().filter_map(|lower| match lower {
                    Lower::Crossbar { merge: false, .. } | Lower::Brackets => None,
                    lower => Some(Recipe { upper, style, lower: *lower }),
                }));
            }
        }
    }

    fn style(&self, (slot, bare): (i32, bool), (wire, boxed, exits): (i32, bool, i32)) -> Style {
        let name = |c| super::sketch::switch_names(&self.look, c)[0].chars().count() as i32;
        let chip = self.up.chips.iter().map(|c| name(*c)).max();
        let crossbar = self.look.input.plane != Plane::Host && self.form == Form::Crossbar;
        let margin = chip.filter(|_| crossbar).map_or(if bare { 1 } else { 3 }, |n| n + 2 + i32::from(!bare));
        let token = if bare { slot - 1 } else { self.token };
        Style { slot, token, bare, wire, boxed, exits, gap: if slot > self.token { 7 } else { 4 }, margin }
    }

    fn host_of(&self, upper: Upper) -> Option<&Host> {
        match upper {
            Upper::Full => Some(&self.host),
            Upper::Merged => Some(&self.merged),
            Upper::Gpus => Some(&self.gpus),
            Upper::GpusMerged => Some(&self.gpus_merged),
            Upper::Nothing => None,
        }
    }

    /// The plan of a recipe, if it fits with the captions that must stay.
    fn fitting(&self, recipe: Recipe) -> Option<Plan<'_>> {
        let plan = self.plan(recipe)?;
        let need = frame::needed_rows(self.look.input, i32::from(self.size.1));
        let fits = plan.width <= i32::from(self.size.0) && plan.height + need <= i32::from(self.size.1);
        (fits && plan.height > 0).then_some(plan)
    }

    fn plan(&self, recipe: Recipe) -> Option<Plan<'_>> {
        let look = &self.look;
        let tree = self.host_of(recipe.upper).map(|h| Tree::new(h, recipe.style));
        if tree.as_ref().is_some_and(|t| t.width + 2 > i32::from(self.size.0) || t.floor >= i32::from(self.size.1)) {
            return None;
        }
        let (mut width, mut height) = tree.as_ref().map_or((0, 0), |t| (t.width + 2, t.height(look)));
        let below = match (recipe.lower, &tree) {
            (Lower::Crossbar { merge, blank }, Some(t)) => {
                let c = Crossbar::new(look, t, &self.up, merge, blank);
                width = width.max(c.width());
                height = height.max(t.floor + 1 + c.height());
                Below::Crossbar(c)
            }
            (Lower::Brackets, Some(t)) => {
                let b = Brackets::new(look, t, &self.up);
                height = height.max(t.floor + 1 + b.height());
                Below::Brackets(b)
            }
            (Lower::Grid(scale), _) => {
                let Form::Grid(placement) = &self.form else { return None };
                let g = Grid::new(&self.up, placement, scale);
                width = width.max(g.width() + 2);
                height += g.height() + i32::from(tree.is_some());
                Below::Grid(g)
            }
            (Lower::Chart { narrow }, _) => {
                let c = Chart::new(look, &self.up, narrow);
                width = width.max(c.width() + 1);
                height += c.height() + i32::from(tree.is_some());
                Below::Chart(c)
            }
            _ => Below::Nothing,
        };
        height += i32::from(!self.extra(tree.as_ref(), &below).is_empty());
        height += i32::from(!self.hidden(recipe).is_empty());
        Some(Plan { recipe, tree, below, width, height })
    }

    /// Links that no rule has a place for: they are listed in a row.
    fn extra(&self, tree: Option<&Tree>, below: &Below) -> Vec<LinkIx> {
        let mut all = tree.map(|t| t.extra.clone()).unwrap_or_default();
        if let Below::Crossbar(c) = below {
            all.extend(c.undrawn(&self.look));
            all.extend(self.up.direct.iter().map(|d| d.0));
        }
        all
    }

    fn draw(&self, sketch: &mut Sketch, plan: &Plan) {
        let (w, h) = (i32::from(self.size.0), i32::from(self.size.1));
        let (top, bottom) = frame::draw(&self.look, sketch, plan.height);
        let shift = ((w - plan.width) / 2).max(0);
        let mut recipe = plan.recipe;
        recipe.style.margin += shift;
        let extra = self.extra(plan.tree.as_ref(), &plan.below);
        let Some(plan) = self.plan(recipe) else { return };
        let mut floor = top;
        let mut storey = 0;
        if let Some(tree) = &plan.tree {
            tree.draw(&self.look, sketch, top);
            if recipe.upper == Upper::GpusMerged {
                // No switch above them tells how many there are.
                let many = tree.ends().map(|s| s.devices.len()).filter(|n| *n > 1);
                let counts: Vec<String> = many.map(|n| format!("x{n}")).collect();
                sketch.text_free(tree.width + 1, top + tree.floor, &[format!("g* {}", counts.join(" "))], Role::Dim);
            }
            floor = top + tree.floor;
            storey = tree.storey() + 2;
            if let Below::Grid(_) | Below::Chart(_) | Below::Nothing = plan.below {
                tree.label_exits(&self.look, sketch, top);
                floor = top + tree.height(&self.look) + 1;
            }
        }
        self.draw_below(sketch, &plan, (floor, bottom), storey);
        let hidden = self.hidden(plan.recipe);
        let mut last = (top + plan.height - 1).min(h - 1);
        if !hidden.is_empty() {
            hidden::draw(sketch, hidden, (1, last), storey + 41);
            last -= 1;
        }
        self.draw_extra(sketch, &extra, last, storey + 40);
    }

    fn draw_below(&self, sketch: &mut Sketch, plan: &Plan, (floor, bottom): (i32, i32), storey: u16) {
        let look = &self.look;
        let w = i32::from(self.size.0);
        let top = plan.tree.as_ref().map_or(0, |t| floor - t.floor);
        match (&plan.below, &plan.tree) {
            (Below::Crossbar(c), Some(t)) => {
                c.draw(look, sketch, t, floor, storey);
                t.label_exits(look, sketch, top);
            }
            (Below::Brackets(b), Some(t)) => {
                b.draw(look, sketch, floor, storey);
                t.label_exits(look, sketch, top);
            }
            (Below::Grid(g), _) => g.draw(look, sketch, ((w - g.width()) / 2, floor), storey),
            (Below::Chart(c), _) => {
                let room = bottom - floor;
                let both = c.width() + CIRCLE.0 + 4;
                if has_circle(look, self.up.gpus.len()) && both <= w && CIRCLE.1 <= room {
                    let left = (w - both) / 2;
                    draw_circle(look, sketch, &self.up, (left, floor));
                    c.draw(look, sketch, (left + CIRCLE.0 + 4, floor + (CIRCLE.1 - c.height()) / 2), storey);
                } else {
                    c.draw(look, sketch, ((w - c.width()) / 2, floor), storey);
                }
            }
            _ => {}
        }
    }

    /// Exceptions that the recipe has no place for.
    fn hidden(&self, recipe: Recipe) -> Vec<Note> {
        let host = matches!(recipe.upper, Upper::Gpus | Upper::GpusMerged | Upper::Nothing);
        let up = matches!(recipe.lower, Lower::Nothing) && self.form != Form::None;
        if !host && !up {
            return Vec::new();
        }
        let shape = self.look.shape();
        let here = |d: DeviceIx| shape.device(d).is_some_and(|k| k.node == Some(self.node));
        let chip = |d: DeviceIx| shape.device(d).is_some_and(Device::is_scale_up_switch);
        let gpu = |d: DeviceIx| shape.device(d).is_some_and(Device::is_gpu);
        let plane = self.up.links();
        let devices = shape
            .device_ixs()
            .filter(|d| (host && here(*d) && !gpu(*d) && !chip(*d)) || (up && self.up.chips.contains(d)));
        let links = shape.link_ixs().filter(|l| {
            let touches = shape.link(*l).is_some_and(|k| here(k.a) || here(k.b));
            touches && if plane.contains(l) { up } else { host }
        });
        hidden::notes(&self.look, devices, links)
    }

    fn draw_extra(&self, sketch: &mut Sketch, links: &[LinkIx], y: i32, storey: u16) {
        let note = |l: &LinkIx| {
            let reading = self.look.reading(*l);
            let text = hidden::link_text(&self.look, *l, &reading);
            Note { pick: self.look.link_pick(*l), text, role: reading.role() }
        };
        let notes: Vec<Note> = links.iter().map(note).collect();
        hidden::draw(sketch, notes, (3, y), storey);
    }
}
