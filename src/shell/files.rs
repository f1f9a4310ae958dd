//! Reading and writing files: bounded reads, all-or-nothing writes.

mod decode;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The largest file that is read by default, in bytes: far above any topology dump, far below the memory.
pub const MAX_BYTES: u64 = 256 << 20;

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is a folder or a device.
    #[error("{}: a folder; expected a file", path.display())]
    NotAFile {
        /// What was named.
        path: PathBuf,
    },
    /// It is larger than the reader takes.
    #[error("{}: larger than {}; nothing that this program reads is that large", path.display(), megabytes(*limit))]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// It is no text.
    #[error("{}: {reason}", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        reason: String,
    },
}

/// The text of a file of at most `limit` bytes.
///
/// # Errors
/// [`FileError`], one line with the path. A pipe is read like a file; a folder is refused.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileError> {
    let io = |source| FileError::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(io)?;
    if file.metadata().map_err(io)?.is_dir() {
        return Err(FileError::NotAFile { path: path.to_owned() });
    }
    read_stream(file, path, limit)
}

/// The same of what is open already, such as standard input; the path is for the message.
///
/// # Errors
/// [`FileError`], one line with the path.
pub fn read_stream(stream: impl Read, path: &Path, limit: u64) -> Result<String, FileError> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file of the limit from a longer one; sizes of devices and pipes say nothing.
    let read = stream.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|source| FileError::Io { path: path.to_owned(), source })?;
    if bytes.len() as u64 > limit {
        return Err(FileError::TooLarge { path: path.to_owned(), limit });
    }
    decode::text(bytes).map_err(|reason| FileError::NotText { path: path.to_owned(), reason })
}

/// `256 MiB`.
fn megabytes(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

/// Writes a file whole or not at all: into a temporary file in the same folder, then renamed over the old one. A
/// symbolic link keeps pointing where it did, an existing file keeps its permissions.
///
/// # Errors
/// [`FileError`]; the old file is then untouched.
pub fn write_atomic(path: &Path, contents: &[u8]) -> Result<(), FileError> {
    let io = |source| FileError::Io { path: path.to_owned(), source };
    if path.is_dir() {
        return Err(FileError::NotAFile { path: path.to_owned() });
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = target.file_name().ok_or_else(|| FileError::NotAFile { path: path.to_owned() })?;
    let mut temporary_name = std::ffi::OsString::from(".");
    temporary_name.push(name);
    temporary_name.push(format!(".{}.tmp", std::process::id()));
    let temporary = target.with_file_name(temporary_name);
    let result = write_and_rename(&temporary, &target, contents);
    if result.is_err() {
        // What is left of the attempt; that it may not exist is fine.
        let _ = fs::remove_file(&temporary);
    }
    result.map_err(io)
}

/// As [`write_atomic`], and makes the folders on the way: for files that the program itself keeps.
///
/// # Errors
/// [`FileError`].
pub fn write_atomic_with_folders(path: &Path, contents: &[u8]) -> Result<(), FileError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|source| FileError::Io { path: folder.to_owned(), source })?;
    }
    write_atomic(path, contents)
}

fn write_and_rename(temporary: &Path, target: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(temporary)?;
    file.write_all(contents)?;
    if let Ok(old) = fs::metadata(target) {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    fs::rename(temporary, target)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

    use super::*;

    /// A fresh folder of its own for each test, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("icx-tui-files-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn entries(&self) -> usize {
            fs::read_dir(&self.0).unwrap().count()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn writes_reads_and_replaces_without_leftovers() {
        let folder = Folder::new("replace");
        let path = folder.0.join("a.ron");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"two").unwrap();
        assert_eq!(read_text(&path, 3).unwrap(), "two");
        assert_eq!(folder.entries(), 1);
    }

    #[test]
    fn a_file_over_the_limit_is_refused() {
        let folder = Folder::new("limit");
        let path = folder.0.join("a");
        fs::write(&path, "1234").unwrap();
        let error = read_text(&path, 3).unwrap_err();
        assert!(matches!(error, FileError::TooLarge { limit: 3, .. }));
        assert!(error.to_string().contains("larger than 3 bytes"));
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_line() {
        let folder = Folder::new("text");
        let path = folder.0.join("a");
        fs::write(&path, b"one\ntwo \xff\xfe\xfd\xfc\n").unwrap();
        let error = read_text(&path, MAX_BYTES).unwrap_err();
        assert!(error.to_string().ends_with("line 2: not text in UTF-8 or UTF-16"), "{error}");
    }

    #[test]
    fn folders_and_missing_files_are_refused_by_name() {
        let folder = Folder::new("missing");
        assert!(matches!(read_text(&folder.0, 9), Err(FileError::NotAFile { .. })));
        assert!(matches!(write_atomic(&folder.0, b""), Err(FileError::NotAFile { .. })));
        let missing = folder.0.join("none/a");
        assert!(read_text(&missing, 9).unwrap_err().to_string().contains("none"));
        assert!(write_atomic(&missing, b"").is_err());
        write_atomic_with_folders(&missing, b"x").unwrap();
        assert_eq!(read_text(&missing, 9).unwrap(), "x");
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_stays_one_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("link");
        let (file, link) = (folder.0.join("file"), folder.0.join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        write_atomic(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
