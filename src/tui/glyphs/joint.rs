//! Which box-drawing character has which arms.

/// The weight of one arm of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Weight {
    /// No arm.
    #[default]
    None,
    /// A thin line.
    Light,
    /// A thick line.
    Heavy,
    /// Two thin lines.
    Double,
}

impl Weight {
    const ALL: [Self; 4] = [Self::None, Self::Light, Self::Heavy, Self::Double];
}

/// The characters of the box-drawing block by their arms. A row is: weight of the arms up, right, down, left as
/// digits (0 none, 1 light, 2 heavy, 3 double), and the character.
#[rustfmt::skip]
const TABLE: [(&str, char); 110] = [
    ("0000", ' '),
    // Halves and straight lines.
    ("1000", '╵'), ("0100", '╶'), ("0010", '╷'), ("0001", '╴'),
    ("2000", '╹'), ("0200", '╺'), ("0020", '╻'), ("0002", '╸'),
    ("0101", '─'), ("0202", '━'), ("1010", '│'), ("2020", '┃'),
    ("0201", '╼'), ("0102", '╾'), ("1020", '╽'), ("2010", '╿'),
    // Corners.
    ("0110", '┌'), ("0210", '┍'), ("0120", '┎'), ("0220", '┏'),
    ("0011", '┐'), ("0012", '┑'), ("0021", '┒'), ("0022", '┓'),
    ("1100", '└'), ("1200", '┕'), ("2100", '┖'), ("2200", '┗'),
    ("1001", '┘'), ("1002", '┙'), ("2001", '┚'), ("2002", '┛'),
    // Tees to the right.
    ("1110", '├'), ("1210", '┝'), ("2110", '┞'), ("1120", '┟'),
    ("2120", '┠'), ("2210", '┡'), ("1220", '┢'), ("2220", '┣'),
    // Tees to the left.
    ("1011", '┤'), ("1012", '┥'), ("2011", '┦'), ("1021", '┧'),
    ("2021", '┨'), ("2012", '┩'), ("1022", '┪'), ("2022", '┫'),
    // Tees down.
    ("0111", '┬'), ("0112", '┭'), ("0211", '┮'), ("0212", '┯'),
    ("0121", '┰'), ("0122", '┱'), ("0221", '┲'), ("0222", '┳'),
    // Tees up.
    ("1101", '┴'), ("1102", '┵'), ("1201", '┶'), ("1202", '┷'),
    ("2101", '┸'), ("2102", '┹'), ("2201", '┺'), ("2202", '┻'),
    // Crosses.
    ("1111", '┼'), ("1112", '┽'), ("1211", '┾'), ("1212", '┿'),
    ("2111", '╀'), ("1121", '╁'), ("2121", '╂'), ("2112", '╃'),
    ("2211", '╄'), ("1122", '╅'), ("1221", '╆'), ("2212", '╇'),
    ("1222", '╈'), ("2122", '╉'), ("2221", '╊'), ("2222", '╋'),
    // Double lines.
    ("0303", '═'), ("3030", '║'),
    ("0310", '╒'), ("0130", '╓'), ("0330", '╔'),
    ("0013", '╕'), ("0031", '╖'), ("0033", '╗'),
    ("1300", '╘'), ("3100", '╙'), ("3300", '╚'),
    ("1003", '╛'), ("3001", '╜'), ("3003", '╝'),
    ("1310", '╞'), ("3130", '╟'), ("3330", '╠'),
    ("1013", '╡'), ("3031", '╢'), ("3033", '╣'),
    ("0313", '╤'), ("0131", '╥'), ("0333", '╦'),
    ("1303", '╧'), ("3101", '╨'), ("3303", '╩'),
    ("1313", '╪'), ("3131", '╫'), ("3333", '╬'),
];

const fn digit(weight: Weight) -> u8 {
    b'0' + weight as u8
}

fn look_up(arms: [Weight; 4]) -> Option<char> {
    let key = arms.map(digit);
    TABLE.iter().find(|(row, _)| row.as_bytes() == key).map(|(_, glyph)| *glyph)
}

/// The character whose arms up, right, down and left have these weights.
///
/// Every mix of light and heavy has one. Double mixes with light alone, and only when both arms of an axis agree, so
/// otherwise: a heavy arm that meets a double one becomes light; an axis with a light and a double arm becomes double;
/// a lone double arm is drawn as the whole double line.
pub fn joint(up: Weight, right: Weight, down: Weight, left: Weight) -> char {
    let arms = [up, right, down, left];
    if let Some(glyph) = look_up(arms) {
        return glyph;
    }
    let [up, right, down, left] = arms.map(|arm| if arm == Weight::Heavy { Weight::Light } else { arm });
    let (up, down) = even(up, down);
    let (right, left) = even(right, left);
    look_up([up, right, down, left]).unwrap_or_else(|| whole_double_line([up, right, down, left]))
}

/// Both arms of an axis double when one is double and the other is there at all.
fn even(a: Weight, b: Weight) -> (Weight, Weight) {
    let mixed = a != b && a != Weight::None && b != Weight::None;
    if mixed { (Weight::Double, Weight::Double) } else { (a, b) }
}

fn whole_double_line([up, _, down, _]: [Weight; 4]) -> char {
    if up == Weight::None && down == Weight::None { '═' } else { '║' }
}

/// The arms (up, right, down, left) of a solid box-drawing character with square corners; `None` for any other.
pub fn arms_of(glyph: char) -> Option<[Weight; 4]> {
    let (row, _) = TABLE.iter().find(|(_, candidate)| *candidate == glyph && glyph != ' ')?;
    let mut arms = [Weight::None; 4];
    for (arm, digit) in arms.iter_mut().zip(row.bytes()) {
        *arm = *Weight::ALL.get(usize::from(digit - b'0'))?;
    }
    Some(arms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn combinations() -> impl Iterator<Item = [Weight; 4]> {
        let all = Weight::ALL;
        all.into_iter().flat_map(move |a| {
            all.into_iter()
                .flat_map(move |b| all.into_iter().flat_map(move |c| all.into_iter().map(move |d| [a, b, c, d])))
        })
    }

    fn of([up, right, down, left]: [Weight; 4]) -> char {
        joint(up, right, down, left)
    }

    #[test]
    fn every_mix_of_light_and_heavy_has_its_own_character() {
        let mut seen = BTreeSet::new();
        for arms in combinations().filter(|arms| !arms.contains(&Weight::Double)) {
            let glyph = of(arms);
            assert!(seen.insert(glyph), "{arms:?} shares {glyph}");
            if glyph != ' ' {
                assert_eq!(arms_of(glyph), Some(arms));
            }
        }
        assert_eq!(seen.len(), 81);
    }

    #[test]
    fn every_combination_has_a_character_with_arms_where_they_were_asked_for() {
        for arms in combinations() {
            let glyph = of(arms);
            let Some(drawn) = arms_of(glyph) else {
                assert_eq!(arms, [Weight::None; 4]);
                continue;
            };
            let lone_double = arms.iter().filter(|a| **a != Weight::None).count() == 1;
            for (asked, got) in arms.into_iter().zip(drawn) {
                let same_place = (asked == Weight::None) == (got == Weight::None);
                assert!(same_place || (lone_double && asked == Weight::None), "{arms:?} -> {glyph}");
                // What was asked double is double, whatever else had to give way.
                assert!(asked != Weight::Double || got == Weight::Double, "{arms:?} -> {glyph}");
            }
        }
    }

    #[test]
    fn a_heavy_wire_taps_a_double_bar_with_a_light_arm() {
        use Weight::{Double, Heavy, None};
        assert_eq!(joint(None, Double, Heavy, Double), '╤');
        assert_eq!(joint(Heavy, Double, None, Double), '╧');
        assert_eq!(joint(Heavy, Double, Heavy, Double), '╪');
    }

    #[test]
    fn the_table_covers_the_solid_square_part_of_the_block() {
        let dashed = ['┄', '┅', '┆', '┇', '┈', '┉', '┊', '┋', '╌', '╍', '╎', '╏'];
        for glyph in '\u{2500}'..='\u{257f}' {
            let other = dashed.contains(&glyph) || ('\u{256d}'..='\u{2573}').contains(&glyph);
            assert_eq!(arms_of(glyph).is_some(), !other, "{glyph}");
        }
    }
}
