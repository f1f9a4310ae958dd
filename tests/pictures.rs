//! The topology pictures as text, each looked at before it was accepted.
//!
//! Loads are made up per kind of link, so that a change of the cost model changes no picture.
#![expect(clippy::unwrap_used, reason = "a failed lookup fails the test")]

use std::sync::Arc;

use icx_tui::parts::Family;
use icx_tui::preset::load_shipped;
use icx_tui::system::{ClassIx, Cut, Health, LeafIx, LinkIx, RangeSet, Shape, System};
use icx_tui::tui::glyphs::Glyphs;
use icx_tui::tui::output;
use icx_tui::tui::picture::{
    Caption, End, Lens, Loads, Marks, PairCell, Pick, PictureInput, Plane, Scope, layout, paint,
};
use icx_tui::tui::theme::{Role, Theme};
use icx_tui::units::Share;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// A load for each family of links.
struct PerFamily<'a>(&'a System);

impl Loads for PerFamily<'_> {
    fn link(&self, class: ClassIx, link: LinkIx) -> Option<[Share; 2]> {
        let percent = match self.0.classes.get(class.0)?.shape.link(link)?.kind.family {
            Family::Nvlink | Family::Xgmi => 52.0,
            Family::Pcie => 44.0,
            Family::Network => 97.0,
            Family::C2c => 12.0,
            Family::Socket => 0.0,
        };
        Some([Share::from_percent(percent), Share::from_percent(percent / 2.0)])
    }

    fn uplink(&self, _: &System, _: LeafIx) -> Option<[Share; 2]> {
        Some([Share::from_percent(73.0); 2])
    }
}

struct Picture {
    system: System,
    scope: Scope,
    selection: Option<Pick>,
    hot: Marks,
    edited: Marks,
    captions: Vec<Caption>,
    lens: Lens,
    plane: Plane,
    glyphs: Glyphs,
}

impl Picture {
    fn of(name: &str, scope: Scope) -> Self {
        Self {
            system: load_shipped(name).unwrap(),
            scope,
            selection: None,
            hot: Marks::default(),
            edited: Marks::default(),
            captions: Vec::new(),
            lens: Lens::Load,
            plane: Plane::All,
            glyphs: Glyphs::Unicode,
        }
    }

    fn node(name: &str) -> Self {
        Self::of(name, Scope::Node { unit: 0, node: 0 })
    }

    /// Changes the health of one unit, which gets a class of its own.
    fn hurt(mut self, unit: u32, change: impl FnOnce(&Shape, &mut Health)) -> Self {
        let (ix, class) = self.system.class_of(unit).map(|(i, c)| (i, c.clone())).unwrap();
        let mut health = Health::clone(&class.health);
        change(&class.shape, &mut health);
        let mut own = class;
        own.members = RangeSet::from_range(unit..unit + 1);
        own.health = Arc::new(health);
        let rest = self.system.classes.get_mut(ix.0).unwrap();
        rest.members.remove(unit);
        if rest.members.is_empty() {
            *rest = own;
        } else {
            self.system.classes.push(own);
        }
        self
    }

    fn caption(mut self, text: &str, role: Role) -> Self {
        self.captions.push(Caption { text: text.to_owned(), role });
        self
    }

    fn text(&self, size: (u16, u16)) -> String {
        let loads = PerFamily(&self.system);
        let input = PictureInput {
            system: &self.system,
            scope: self.scope,
            lens: self.lens,
            plane: self.plane,
            cell: PairCell::Usable,
            selection: self.selection,
            loads: &loads,
            baseline: None,
            bottleneck: &self.hot,
            edited: &self.edited,
            pairs: None,
            captions: &self.captions,
            glyphs: self.glyphs,
        };
        let scene = layout(&input, size);
        let area = Rect::new(0, 0, size.0, size.1);
        let mut buffer = Buffer::empty(area);
        paint(&scene, &Theme::mono(), self.glyphs, area, &mut buffer);
        format!("{} | {}\n{}", scene.title, scene.unit, output::to_text(&buffer))
    }

    fn shape(&self) -> &Shape {
        &self.system.classes.first().unwrap().shape
    }

    fn link(&self, a: &str, b: &str) -> LinkIx {
        let s = self.shape();
        s.between(s.find(a).unwrap(), s.find(b).unwrap()).unwrap()
    }
}

fn between(s: &Shape, a: &str, b: &str) -> LinkIx {
    s.between(s.find(a).unwrap(), s.find(b).unwrap()).unwrap()
}

fn check(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("picture__{name}"), text));
}

/// Two edits, a bottleneck and a selection on a node of 8 GPUs.
fn faulty() -> Picture {
    let p = Picture::node("dgx-h100-superpod").hurt(0, |s, h| {
        h.set_link(s, between(s, "gpu3", "nvsw1"), None, false);
        h.degrade_link(s, between(s, "nic2", "fabric"), None, Cut::Share(Share::new(0.5)));
    });
    let class = ClassIx(p.system.classes.len() - 1);
    let (cable, bundle) = (p.link("nic2", "fabric"), p.link("gpu3", "nvsw1"));
    let mut p = p
        .caption("*off node0/gpu3--nvsw1     the other links carry its share", Role::WhatIf)
        .caption("*degrade node0/nic2 to 50%  shares are even: the other NICs wait", Role::WhatIf);
    p.hot.links.insert((class, cable));
    p.edited.links.extend([(class, cable), (class, bundle)]);
    p.selection = Some(Pick::Link { unit: 0, link: bundle });
    p
}

#[test]
fn node_with_switches() {
    check("dgx_h100_110x24", &Picture::node("dgx-h100-superpod").text((110, 24)));
    check("dgx_h100_fault_110x28", &faulty().text((110, 28)));
    check("dgx_h100_fault_80x13", &faulty().text((80, 13)));
    check("dgx_h100_fault_58x12", &faulty().text((58, 12)));
    check("dgx_h100_fault_20x1", &faulty().text((20, 1)));
    let mut ascii = faulty();
    ascii.glyphs = Glyphs::Ascii;
    check("dgx_h100_fault_ascii_110x28", &ascii.text((110, 28)));
    check("dgx_2_160x30", &Picture::node("dgx-2").text((160, 30)));
    check("nvl72_tray_110x18", &Picture::node("gb200-nvl72").text((110, 18)));
}

#[test]
fn node_with_bridges_and_meshes() {
    check("bridged_100x22", &Picture::node("pcie-a100x8-bridged").text((100, 22)));
    let mut cube = Picture::node("dgx-1").hurt(0, |s, h| {
        h.set_link(s, between(s, "gpu0", "gpu3"), Some(1), false);
        h.set_link(s, between(s, "gpu6", "gpu7"), None, false);
    });
    cube.plane = Plane::ScaleUp;
    cube.selection = Some(Pick::Device { unit: 0, device: cube.shape().find("gpu3").unwrap() });
    check("dgx_1_fault_72x22", &cube.text((72, 22)));
    let mut rate = Picture::node("lumi-g");
    rate.lens = Lens::Rate;
    check("lumi_g_rate_100x40", &rate.text((100, 40)));
    let mut mesh = Picture::node("mi300x").hurt(0, |s, h| {
        h.set_link(s, between(s, "gpu2", "gpu5"), None, false);
        h.degrade_link(s, between(s, "gpu1", "gpu4"), None, Cut::Share(Share::new(0.75)));
    });
    mesh.plane = Plane::ScaleUp;
    mesh.hot.links.insert((ClassIx(0), mesh.link("gpu2", "gpu6")));
    check("mi300x_fault_102x20", &mesh.text((102, 20)));
    check("mi300x_40x10", &mesh.text((40, 10)));
}

#[test]
fn rack() {
    let p = Picture::of("gb200-nvl72", Scope::Rack { unit: 0 }).hurt(0, |s, h| {
        h.set_device(s.find("nvsw11").unwrap(), false);
        h.set_device(s.find("node4/gpu2").unwrap(), false);
        h.set_link(s, between(s, "node12/gpu0", "nvsw6"), None, false);
        h.set_link(s, between(s, "node12/gpu1", "nvsw6"), None, false);
    });
    let mut p = p.caption("*off nvsw11   *off node4/gpu2   *off node12/gpu[0-1]--nvsw6", Role::WhatIf);
    p.selection = Some(Pick::Node { unit: 0, node: 9 });
    check("nvl72_fault_96x26", &p.text((96, 26)));
    check("nvl72_fault_60x14", &p.text((60, 14)));
    p.glyphs = Glyphs::Ascii;
    check("nvl72_fault_ascii_96x26", &p.text((96, 26)));
}

#[test]
fn fabric_and_classes() {
    check("fabric_112x28", &Picture::of("dgx-h100-superpod", Scope::Fabric).text((112, 28)));
    let mut p = Picture::of("dgx-h100-superpod", Scope::Fabric).hurt(20, |s, h| {
        let gpus = s.gpus().to_vec();
        for g in &gpus {
            assert!(h.set_device(*g, false));
        }
    });
    let fabric = p.system.fabric.as_mut().unwrap();
    fabric.health.leaves.insert(11, Share::ZERO);
    fabric.health.spines.insert(9, Share::ZERO);
    let mut p = p.caption("*off leaf11   *off spine9   *off node20", Role::WhatIf);
    p.hot.uplinks.extend((8..16).map(LeafIx));
    check("fabric_fault_112x30", &p.text((112, 30)));
    check("fabric_fault_80x14", &p.text((80, 14)));
    p.scope = Scope::Classes;
    check("classes_108x26", &p.text((108, 26)));
}

#[test]
fn path_and_matrix() {
    let p = Picture::node("dgx-h100-superpod");
    let end = |unit, name: &str| End { unit, device: p.shape().find(name).unwrap() };
    let far = Scope::Path { from: end(0, "gpu1"), to: end(70, "gpu6") };
    check("path_108x28", &Picture::of("dgx-h100-superpod", far).text((108, 28)));
    check("path_62x16", &Picture::of("dgx-h100-superpod", far).text((62, 16)));
    let pairs = Scope::Matrix { unit: 0, node: 0 };
    let mut m = Picture::of("pcie-a100x8-bridged", pairs);
    let gpu = |n: &str| m.shape().find(n).unwrap();
    m.selection = Some(Pick::Pair { unit: 0, from: gpu("gpu5"), to: gpu("gpu2") });
    check("matrix_112x20", &m.text((112, 20)));
    check("matrix_dgx_1_110x20", &Picture::of("dgx-1", pairs).text((110, 20)));
    check("matrix_dgx_2_40x10", &Picture::of("dgx-2", pairs).text((40, 10)));
}
