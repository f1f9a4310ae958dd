//! The pictures as scenes.
use super::*;
use crate::system::fixture::{bridged_pairs, switched_node};
use crate::system::{ClassIx, LeafIx, LinkIx, System};
use crate::units::Share;

struct Busy;
impl Loads for Busy {
    fn link(&self, _: ClassIx, l: LinkIx) -> Option<[Share; 2]> {
        let p = f64::from(l.0 * 7 % 100);
        Some([Share::from_percent(p), Share::from_percent(p / 2.0)])
    }
    fn uplink(&self, _: LeafIx) -> Option<[Share; 2]> {
        Some([Share::from_percent(64.0), Share::from_percent(64.0)])
    }
}

fn scene(system: &System, size: (u16, u16)) -> Scene {
    let marks = Marks::default();
    layout(
        &PictureInput {
            system,
            scope: Scope::Node { unit: 0, node: 0 },
            lens: Lens::Load,
            plane: Plane::All,
            cell: PairCell::Usable,
            selection: None,
            loads: &Busy,
            baseline: None,
            bottleneck: &marks,
            edited: &marks,
            captions: &[],
            glyphs: crate::tui::glyphs::Glyphs::Unicode,
        },
        size,
    )
}

#[test]
fn show() {
    for s in [switched_node(4), bridged_pairs()] {
        for size in [(110, 24), (90, 20), (78, 12), (58, 10), (30, 8), (20, 1)] {
            let sc = scene(&s, size);
            eprintln!("{} [{}] {:?}\n{}", sc.title, sc.unit, size, sc.canvas.to_text());
        }
    }
}
