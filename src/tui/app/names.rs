//! From an address to what it selects.

use crate::system::{Address, FabricTarget, System, Target};
use crate::tui::picture::Pick;

use super::Spot;

/// What a resolved address selects: of several things the first; a whole class of units where it names just that.
pub(crate) fn spot_of(system: &System, target: &Target) -> Option<Spot> {
    Some(Spot::Thing(match target {
        Target::Units(units) if units.len() > 1 => {
            return Some(Spot::of_run(Pick::Unit(units.first()?), Pick::Unit(units.iter().last()?)));
        }
        Target::Units(units) => Pick::Unit(units.first()?),
        Target::Devices(p) => {
            let (unit, device) = (p.units.first()?, *p.devices.first()?);
            let node = super::spot::shape_of(system, unit)?.device(device)?.node;
            match node {
                Some(node) if p.devices.len() > 1 && system.is_rack => Pick::Node { unit, node },
                _ => Pick::Device { unit, device },
            }
        }
        Target::Links(p) => Pick::Link { unit: p.units.first()?, link: *p.links.first()? },
        Target::Fabric(FabricTarget::Leaves(l)) => Pick::Leaf(*l.first()?),
        Target::Fabric(FabricTarget::Spines(s)) => Pick::Spine(*s.first()?),
        Target::Fabric(FabricTarget::Cores(c)) => Pick::Core(*c.first()?),
        Target::Fabric(FabricTarget::Uplinks(u)) => Pick::Uplink(u.first()?.0),
    }))
}

/// What a typed address selects.
pub(crate) fn lookup(system: &System, text: &str) -> Result<Spot, String> {
    // What the tree calls by a name of its own.
    match text.trim() {
        "fabric" if system.fabric.is_some() => return Ok(Spot::Fabric),
        "cluster" => return Ok(Spot::System),
        "services" if system.services.is_some() => return Ok(Spot::Services),
        _ => {}
    }
    let target = text.parse::<Address>().and_then(|a| a.resolve(system)).map_err(|e| e.to_string())?;
    spot_of(system, &target).ok_or_else(|| format!("{text} names nothing that can be selected"))
}
