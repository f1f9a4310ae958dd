//! Whether the arrow keys reach everything, at sizes at which alike things are drawn once.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use std::collections::BTreeSet;

use super::{App, Options, Spot};
use crate::preset::load_shipped;
use crate::question::Question;
use crate::system::LeafIx;
use crate::tui::picture::tests::wanted;
use crate::tui::picture::{Direction, Pick, Plane, Scope};
use crate::tui::update::{Action, update};
use crate::tui::view;

fn app(name: &str, size: (u16, u16)) -> App {
    let mut app = App::new(load_shipped(name).unwrap(), Question::default(), Options::default());
    update(&mut app, Action::Resize(size.0, size.1));
    app
}

/// Everything that the arrow keys come to from what is selected.
fn reached(start: &App) -> BTreeSet<Pick> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<Pick> = start.selection.pick().into_iter().collect();
    let mut app = start.clone();
    while let Some(pick) = open.pop() {
        if !seen.insert(pick) {
            continue;
        }
        app.selection = Spot::Thing(pick);
        let scene = view::walked(&app);
        let all = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];
        open.extend(all.iter().filter_map(|d| scene.step(Some(pick), *d)));
    }
    seen
}

/// Everything that is drawn or merged in the node of rack or cluster: in each of its planes.
fn reached_in_node(app: &App) -> BTreeSet<Pick> {
    let mut all = BTreeSet::new();
    for plane in [Plane::All, Plane::ScaleUp, Plane::Host] {
        let mut app = app.clone();
        app.plane = plane;
        all.extend(reached(&app));
    }
    all
}

fn names(app: &App, lost: impl Iterator<Item = Pick>) -> Vec<String> {
    lost.map(|p| Spot::Thing(p).name(app.system())).collect()
}

#[test]
fn no_device_or_link_of_a_node_is_out_of_reach_at_any_size() {
    for name in ["dgx-h100-superpod", "dgx-1", "dgx-2", "mi300x", "gh200-slingshot", "gb200-nvl72"] {
        for size in [(120, 40), (60, 20), (40, 12)] {
            let mut app = app(name, size);
            app.walk_into();
            app.scope = Scope::Node { unit: 0, node: 0 };
            let got = reached_in_node(&app);
            let lost = names(&app, wanted(app.system()).into_iter().filter(|p| !got.contains(p)));
            assert!(lost.is_empty(), "{name} {size:?}: {lost:?}");
        }
    }
}

#[test]
fn no_switch_of_a_fabric_and_no_tray_of_a_rack_is_out_of_reach_at_any_size() {
    for size in [(80, 24), (40, 12)] {
        for name in ["h100-roce-2to1", "gb200-nvl72-ib"] {
            let mut app = app(name, size);
            app.select(Spot::Fabric);
            app.step(Direction::Down, 1);
            let got = reached(&app);
            let fabric = app.system().fabric.clone().unwrap();
            let leaves = (0..fabric.leaves()).map(|l| Pick::Leaf(LeafIx(l)));
            let spines = (0..fabric.levels().get(1).map_or(0, |l| l.count)).map(Pick::Spine);
            let lost = names(&app, leaves.chain(spines).filter(|p| !got.contains(p)));
            assert!(lost.is_empty(), "{name} {size:?}: {lost:?}");
        }
        let app = app("gb200-nvl72", size);
        let got = reached(&app);
        let shape = &app.system().classes.first().unwrap().shape;
        let devices = shape.gpus().iter().chain(shape.nics()).copied().chain(shape.scale_up_switches());
        let lost = names(&app, devices.map(|device| Pick::Device { unit: 0, device }).filter(|p| !got.contains(p)));
        assert!(lost.is_empty(), "rack {size:?}: {lost:?}");
    }
}
