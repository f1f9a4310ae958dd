//! Laws that every picture keeps, on every shipped system and at every size.
#![expect(clippy::unwrap_used, reason = "a failed lookup fails the test")]

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::preset::{load_shipped, shipped};
use crate::system::{ClassIx, Cut, DeviceKind, Health, LeafIx, LinkIx, System};
use crate::tui::glyphs::Glyphs;
use crate::units::Share;

/// Loads that tell links of different kinds apart.
struct Busy;

impl Loads for Busy {
    fn link(&self, _: ClassIx, l: LinkIx) -> Option<[Share; 2]> {
        let p = f64::from(l.0 * 7 % 100);
        Some([Share::from_percent(p), Share::from_percent(p / 2.0)])
    }

    fn uplink(&self, _: &System, _: LeafIx) -> Option<[Share; 2]> {
        Some([Share::from_percent(64.0), Share::from_percent(64.0)])
    }
}

/// What a test varies.
struct Asked<'a> {
    system: &'a System,
    scope: Scope,
    plane: Plane,
    selection: Option<Pick>,
    hot: Marks,
    glyphs: Glyphs,
}

impl<'a> Asked<'a> {
    fn node(system: &'a System) -> Self {
        let scope = Scope::Node { unit: 0, node: 0 };
        Self { system, scope, plane: Plane::All, selection: None, hot: Marks::default(), glyphs: Glyphs::Unicode }
    }

    fn scene(&self, size: (u16, u16)) -> Scene {
        let edited = Marks::default();
        let input = PictureInput {
            system: self.system,
            scope: self.scope,
            lens: Lens::Load,
            plane: self.plane,
            cell: PairCell::Usable,
            selection: self.selection,
            loads: &Busy,
            baseline: None,
            bottleneck: &self.hot,
            edited: &edited,
            pairs: None,
            captions: &[],
            glyphs: self.glyphs,
        };
        layout(&input, size)
    }
}

fn systems() -> impl Iterator<Item = System> {
    shipped().iter().map(|s| load_shipped(s.name).unwrap())
}

const SIZES: [(u16, u16); 6] = [(130, 40), (110, 24), (78, 12), (58, 10), (40, 9), (24, 5)];

/// Devices and links that a node picture must have: everything in the node, its cables, its scale-up links.
pub(in crate::tui) fn wanted(system: &System) -> BTreeSet<Pick> {
    let shape = &system.classes.first().unwrap().shape;
    let here = |d| shape.device(d).is_some_and(|k| k.node == Some(0));
    let chip = |d| shape.device(d).is_some_and(|k| matches!(k.kind, DeviceKind::ScaleUpSwitch(_)));
    let linked = |d| shape.around(d).iter().any(|(_, o)| here(*o));
    let devices = shape.device_ixs().filter(|d| here(*d) || (chip(*d) && linked(*d)));
    let mut all: BTreeSet<Pick> = devices.map(|device| Pick::Device { unit: 0, device }).collect();
    let touches = |l: &LinkIx| shape.link(*l).is_some_and(|k| here(k.a) || here(k.b));
    all.extend(shape.link_ixs().filter(touches).map(|link| Pick::Link { unit: 0, link }));
    all
}

/// Every pick that the scene's items stand for, with how often.
fn shown(scene: &Scene) -> BTreeMap<Pick, u32> {
    let mut all = BTreeMap::new();
    for i in &scene.items {
        for p in std::iter::once(&i.pick).chain(&i.also) {
            *all.entry(*p).or_insert(0) += 1;
        }
    }
    all
}

/// Labels that lie over each other, or outside.
fn clash(scene: &Scene) -> Option<String> {
    let (w, h) = scene.size();
    let mut taken: BTreeMap<(i32, i32), &str> = BTreeMap::new();
    for l in &scene.labels {
        let width = crate::tui::text::width(&l.text) as i32;
        if l.x < 0 || l.y < 0 || l.x + width > i32::from(w) || l.y >= i32::from(h) {
            return Some(format!("{:?} at {},{} is outside", l.text, l.x, l.y));
        }
        for x in l.x..l.x + width {
            if let Some(other) = taken.insert((x, l.y), &l.text) {
                return Some(format!("{:?} over {other:?}", l.text));
            }
        }
    }
    None
}

/// Every scope that a system has.
fn scopes(system: &System) -> Vec<Scope> {
    let shape = &system.classes.first().unwrap().shape;
    let gpu = |i: usize, unit| End { unit, device: *shape.gpus().get(i).or(shape.gpus().last()).unwrap() };
    let far = system.units - 1;
    let mut all = vec![
        Scope::Node { unit: 0, node: 0 },
        Scope::Matrix { unit: 0, node: 0 },
        Scope::Path { from: gpu(0, 0), to: gpu(shape.gpus().len() - 1, 0) },
        Scope::Path { from: gpu(1, 0), to: gpu(6, far) },
        Scope::Fabric,
        Scope::Classes,
    ];
    if system.is_rack {
        all.push(Scope::Rack { unit: 0 });
    }
    all
}

#[test]
fn every_device_and_link_has_one_item_and_nothing_overlaps() {
    for system in systems() {
        for size in SIZES {
            for scope in scopes(&system) {
                let scene = Asked { scope, ..Asked::node(&system) }.scene(size);
                let name = format!("{} {scope:?} {size:?}\n{}", system.name, scene.canvas.to_text());
                assert_eq!(clash(&scene), None, "{name}");
                let all = shown(&scene);
                let twice: Vec<_> = all.iter().filter(|(_, n)| **n > 1).collect();
                assert!(twice.is_empty(), "{twice:?} {name}");
                assert!(!scene.items.is_empty(), "{name}");
                if matches!(scope, Scope::Node { .. }) && size.0 >= 110 && size.1 >= 40 {
                    let missing: Vec<_> = wanted(&system).into_iter().filter(|p| !all.contains_key(p)).collect();
                    assert!(missing.is_empty(), "{missing:?} {name}");
                }
            }
        }
    }
}

#[test]
fn a_rack_and_a_fabric_show_all_their_parts() {
    let system = load_shipped("gb200-nvl72").unwrap();
    let shape = &system.classes.first().unwrap().shape;
    for size in [(100, 30), (60, 16)] {
        let scene = Asked { scope: Scope::Rack { unit: 0 }, ..Asked::node(&system) }.scene(size);
        let all = shown(&scene);
        let devices = shape.gpus().iter().chain(shape.nics()).copied().chain(shape.scale_up_switches());
        let links = shape.scale_up_switches().flat_map(|s| shape.around(s).iter().map(|(l, _)| *l));
        let wanted = devices.map(|device| Pick::Device { unit: 0, device });
        for pick in wanted.chain(links.map(|link| Pick::Link { unit: 0, link })) {
            assert!(all.contains_key(&pick), "{pick:?} at {size:?}");
        }
    }
    let system = load_shipped("dgx-h100-superpod").unwrap();
    let fabric = system.fabric.as_ref().unwrap();
    for size in [(112, 30), (80, 14), (60, 14)] {
        let all = shown(&Asked { scope: Scope::Fabric, ..Asked::node(&system) }.scene(size));
        let leaves = (0..fabric.leaves()).map(|l| Pick::Leaf(LeafIx(l)));
        let spines = (0..fabric.levels().get(1).unwrap().count).map(Pick::Spine);
        for pick in leaves.chain(spines).chain((0..system.units).map(Pick::Unit)) {
            assert!(all.contains_key(&pick), "{pick:?} at {size:?}");
        }
    }
}

#[test]
fn arrows_reach_every_item_and_left_undoes_right() {
    use Direction::{Down, Left, Right, Up};
    for system in systems() {
        for size in [(130, 40), (58, 10)] {
            for scope in scopes(&system) {
                let scene = Asked { scope, ..Asked::node(&system) }.scene(size);
                let mut seen = BTreeSet::new();
                let mut open: Vec<Pick> = scene.step(None, Down).into_iter().collect();
                while let Some(p) = open.pop() {
                    if seen.insert(p) {
                        open.extend([Up, Down, Left, Right].iter().filter_map(|d| scene.step(Some(p), *d)));
                        assert_eq!(scene.step(scene.step(Some(p), Right), Left), Some(p));
                    }
                }
                let lost: Vec<_> = scene.items.iter().filter(|i| !seen.contains(&i.pick)).collect();
                assert!(lost.is_empty(), "{} {scope:?} {lost:?}\n{}", system.name, scene.canvas.to_text());
            }
        }
    }
}

#[test]
fn no_scope_panics_at_any_size_and_the_selection_stays_visible() {
    for name in ["gb200-nvl72-ib", "dgx-h100-superpod", "lumi-g"] {
        let system = load_shipped(name).unwrap();
        for scope in scopes(&system) {
            let mut asked = Asked { scope, ..Asked::node(&system) };
            for w in [1, 9, 20, 45, 61, 80] {
                for h in [1, 3, 8, 14, 24] {
                    asked.selection = None;
                    let items = asked.scene((w, h)).items;
                    for item in [items.first(), items.get(items.len() / 2), items.last()].into_iter().flatten() {
                        asked.selection = Some(item.pick);
                        let scene = asked.scene((w, h));
                        assert_eq!(clash(&scene), None, "{name} {scope:?} {w}x{h}\n{}", scene.canvas.to_text());
                        let text = scene.canvas.to_text();
                        let told = text.contains('►') || w < 20;
                        assert!(told, "{name} {scope:?} {:?} {w}x{h}\n{text}", item.pick);
                    }
                }
            }
        }
    }
}

/// The system with one change to the health of its only class.
fn hurt(system: &System, change: impl FnOnce(&crate::system::Shape, &mut Health)) -> System {
    let mut out = system.clone();
    let class = out.classes.first_mut().unwrap();
    let mut health = Health::clone(&class.health);
    change(&class.shape, &mut health);
    class.health = std::sync::Arc::new(health);
    out
}

#[test]
fn an_edit_on_any_link_shows_without_colour() {
    let some = ["dgx-1", "dgx-2", "lumi-g", "mi300x", "aws-p4d", "pcie-a100x8-bridged", "gh200-slingshot"];
    for system in some.map(|n| load_shipped(n).unwrap()) {
        let shape = std::sync::Arc::clone(&system.classes.first().unwrap().shape);
        for size in [(140, 40), (78, 12)] {
            let before = Asked::node(&system).scene(size).canvas.to_text();
            for link in shape.link_ixs() {
                let down = hurt(&system, |s, h| assert!(h.set_link(s, link, None, false)));
                let slow = hurt(&system, |s, h| assert!(h.degrade_link(s, link, None, Cut::Share(Share::new(0.5)))));
                for (what, edited) in [("down", down), ("slow", slow)] {
                    let after = Asked::node(&edited).scene(size).canvas.to_text();
                    assert_ne!(before, after, "{} {} {what} at {size:?}", system.name, shape.link_name(link));
                }
            }
        }
    }
}

#[test]
fn no_size_panics_and_marks_survive_on_one_line() {
    for name in ["dgx-h100", "dgx-1", "mi300x", "pcie-a100x8-bridged", "gb200-nvl72"] {
        let system = load_shipped(name).unwrap();
        let shape = std::sync::Arc::clone(&system.classes.first().unwrap().shape);
        let (link, device) = (LinkIx(0), *shape.gpus().get(1).unwrap());
        let bad = hurt(&system, |s, h| {
            h.set_device(device, false);
            h.degrade_link(s, link, None, Cut::Share(Share::new(0.5)));
        });
        let mut asked = Asked::node(&bad);
        asked.hot.links.insert((ClassIx(0), LinkIx(1)));
        asked.selection = Some(Pick::Device { unit: 0, device: *shape.gpus().first().unwrap() });
        for w in (0..=170).step_by(17).chain([20, 21, 60, 80, 120]) {
            for h in (0..=55).step_by(9).chain([1, 2, 3, 22, 24]) {
                let text = asked.scene((w, h)).canvas.to_text();
                if w >= 20 && h >= 1 {
                    for mark in ['╳', '▼', '◄', '►'] {
                        assert!(text.contains(mark), "{name} {w}x{h} lost {mark}\n{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn unicode_and_ascii_have_one_geometry() {
    for system in systems() {
        let mut asked = Asked::node(&system);
        let unicode = asked.scene((130, 40));
        asked.glyphs = Glyphs::Ascii;
        let ascii = asked.scene((130, 40));
        let barred = crate::tui::glyphs::first_barred(&unicode.canvas.to_text());
        assert_eq!(barred, None, "{}", unicode.canvas.to_text());
        // The circle alone is missing, and the chart moves into its place.
        if unicode.canvas.to_text().chars().all(|c| !('\u{2801}'..='\u{28ff}').contains(&c)) {
            assert_eq!(unicode.items, ascii.items, "{}", system.name);
            assert_eq!(unicode.labels, ascii.labels);
        }
    }
}

#[test]
fn what_is_under_the_pointer_is_found() {
    let system = load_shipped("dgx-h100").unwrap();
    let scene = Asked::node(&system).scene((120, 40));
    for item in scene.items.iter().filter(|i| i.rect.height == 1) {
        assert_eq!(scene.hit(item.rect.x, item.rect.y).map(|i| i.pick), Some(item.pick));
        assert_eq!(scene.find(item.pick).map(|i| i.rect), Some(item.rect));
    }
    assert_eq!(scene.hit(500, 500), None);
}
