//! The page of keys is what the table of commands says. `UPDATE_DOCS=1 cargo test --test keys_page` writes it anew.
#![expect(clippy::expect_used, reason = "a page that cannot be written is the failure of the test")]

use std::fs;
use std::path::Path;

use icx_tui::tui::commands::{TABLE, keys_page};

#[test]
fn the_page_of_keys_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keys.md");
    let page = keys_page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        written == page,
        "docs/keys.md is not what the table says; UPDATE_DOCS=1 cargo test --test keys_page writes it"
    );
}

#[test]
fn every_command_is_on_the_page_once() {
    let page = keys_page();
    for spec in TABLE {
        assert_eq!(page.matches(&format!("| `{}` |", spec.id)).count(), 1, "{}", spec.id);
    }
}
