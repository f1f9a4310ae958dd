//! The words of NCCL's XML for parts: PCI ids and classes, capabilities, CPU models, link speeds.

use crate::parts::{Family, GpuPart};
use crate::system::{Device, DeviceKind};

/// Rate per lane to the wording of a kernel, by `PCIe` generation.
const SPEEDS: [&str; 7] = [
    "2.5 GT/s PCIe",
    "5.0 GT/s PCIe",
    "8.0 GT/s PCIe",
    "16.0 GT/s PCIe",
    "32.0 GT/s PCIe",
    "64.0 GT/s PCIe",
    "128.0 GT/s PCIe",
];

/// The kernel's words for the speed of a `PCIe` generation; empty for one that it does not know.
pub(super) fn speed(generation: u32) -> &'static str {
    SPEEDS.get(generation.saturating_sub(1) as usize).copied().unwrap_or("")
}

/// The word for a family.
pub(super) const fn family(f: Family) -> &'static str {
    match f {
        Family::Pcie => "pcie",
        Family::Nvlink => "nvlink",
        Family::Xgmi => "xgmi",
        Family::Socket => "socket",
        Family::C2c => "c2c",
        Family::Network => "network",
    }
}

/// The part of a GPU.
pub(super) fn gpu(d: &Device) -> Option<&GpuPart> {
    if let DeviceKind::Gpu(p) = &d.kind { Some(p) } else { None }
}

/// Whether a GPU is AMD's.
pub(super) fn is_amd(p: &GpuPart) -> bool {
    p.arch.starts_with("cdna")
}

/// Name of a device's part.
pub(super) fn part_name(k: &DeviceKind) -> &str {
    match k {
        DeviceKind::Gpu(p) => &p.name,
        DeviceKind::Nic(p) => &p.name,
        DeviceKind::Cpu(p) => &p.name,
        DeviceKind::PcieSwitch(p) | DeviceKind::ScaleUpSwitch(p) => &p.name,
        DeviceKind::Fabric => "",
    }
}

/// PCI class, vendor and device number; `0xffff` where the part's aliases have no PCI id.
pub(super) fn ids(k: &DeviceKind) -> (&'static str, String, String) {
    let (class, aliases): (_, &[String]) = match k {
        DeviceKind::Gpu(p) if p.arch == "cdna2" => ("0x038000", &p.aliases),
        DeviceKind::Gpu(p) if is_amd(p) => ("0x120000", &p.aliases),
        DeviceKind::Gpu(p) => ("0x030200", &p.aliases),
        DeviceKind::Nic(p) => ("0x020700", &p.aliases),
        _ => ("0x060400", &[]),
    };
    let hex = |s: &str| s.len() == 4 && s.bytes().all(|b| b.is_ascii_hexdigit());
    let id = aliases.iter().filter_map(|a| a.split_once(':')).find(|(v, d)| hex(v) && hex(d));
    let (vendor, device) = id.unwrap_or(("ffff", "ffff"));
    (class, format!("0x{vendor}"), format!("0x{device}"))
}

/// What tells the architecture: the compute capability, or AMD's name.
pub(super) fn sm(arch: &str) -> &'static str {
    match arch {
        "volta" => "sm=\"70\"",
        "turing" => "sm=\"75\"",
        "ampere" => "sm=\"80\"",
        "ada" => "sm=\"89\"",
        "hopper" => "sm=\"90\"",
        "blackwell" => "sm=\"100\"",
        "blackwell-rtx" => "sm=\"120\"",
        "cdna2" => "sm=\"104\" gcn=\"gfx90a\"",
        "cdna3" => "sm=\"304\" gcn=\"gfx942\"",
        "cdna4" => "sm=\"256\" gcn=\"gfx950\"",
        _ => "sm=\"0\"",
    }
}

/// Architecture, vendor, family and model of a CPU, as NCCL reads them.
pub(super) fn cpu_words(part: &str) -> &'static str {
    let table = [
        ("broadwell", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"79\""),
        ("skylake", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"85\""),
        ("cascade", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"85\""),
        ("ice-lake", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"106\""),
        ("sapphire", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\""),
        ("emerald", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"207\""),
        ("naples", "arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"143\" modelid=\"1\""),
        ("rome", "arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"143\" modelid=\"49\""),
        ("milan", "arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"175\" modelid=\"1\""),
        ("genoa", "arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"175\" modelid=\"17\""),
        ("turin", "arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"191\" modelid=\"2\""),
        ("power", "arch=\"ppc64\""),
        ("grace", "arch=\"arm64\""),
        ("gb10", "arch=\"arm64\""),
    ];
    table
        .iter()
        .find(|(word, _)| part.contains(word))
        .map_or("arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\"", |(_, w)| w)
}

/// Text inside an attribute.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
