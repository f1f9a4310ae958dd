//! The `icx-tui` program: hands over to the library and maps an error to an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    icx_tui::cli::main()
}
