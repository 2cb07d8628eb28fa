//! The one place that writes files: staged beside their target, then renamed.
//!
//! A reader never sees half a file. Staged files that were not renamed are
//! removed again, whatever happens in between; bytes that are already there are
//! not written again, so that their time stamps stay and nothing downstream of
//! them is made anew.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// What may be done to files that are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Overwrite {
    /// Replace files, but not read-only ones.
    #[default]
    Ordinary,
    /// Replace read-only files too.
    ReadOnly,
}

/// A set of files that appear together.
#[derive(Debug, Default)]
pub(crate) struct Staged {
    files: Vec<(PathBuf, PathBuf)>,
}

impl Staged {
    /// Writes `bytes` beside `target`; [`Staged::commit`] puts them in place.
    pub(crate) fn add(
        &mut self,
        target: &Path,
        bytes: &[u8],
        overwrite: Overwrite,
    ) -> Result<(), Error> {
        let fail = |why: String| Error::Unwritable { path: target.to_owned(), why };
        let say = |error: &io::Error| fail(explain(error, bytes.len()));
        match fs::symlink_metadata(target) {
            Ok(found) if found.is_dir() => return Err(fail("a folder has that name".to_owned())),
            Ok(found) if found.is_file() => {
                if holds(target, bytes) {
                    return Ok(());
                }
                if found.permissions().readonly() && overwrite == Overwrite::Ordinary {
                    let why = "it is read-only; pass `--overwrite` to replace it";
                    return Err(fail(why.to_owned()));
                }
            }
            _ => {}
        }
        let folder = target.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(|error| say(&error))?;
        let (mut file, staged) = create_beside(target).map_err(|error| say(&error))?;
        self.files.push((staged, target.to_owned()));
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|error| say(&error))
    }

    /// Renames every staged file onto its target.
    pub(crate) fn commit(mut self) -> Result<(), Error> {
        for (staged, target) in std::mem::take(&mut self.files) {
            if let Err(error) = fs::rename(&staged, &target) {
                let _ = fs::remove_file(&staged);
                return Err(Error::Unwritable { why: explain(&error, 0), path: target });
            }
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for (staged, _) in &self.files {
            let _ = fs::remove_file(staged);
        }
    }
}

/// A new file in the folder of `target`, under a name that nobody else has.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    let folder = target.parent().unwrap_or(Path::new("."));
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    for attempt in 0..1000_u32 {
        let staged = folder.join(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&staged) {
            Ok(file) => return Ok((file, staged)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("a thousand staged files are in the way"))
}

fn holds(target: &Path, bytes: &[u8]) -> bool {
    let same_length = fs::metadata(target).is_ok_and(|found| found.len() == bytes.len() as u64);
    same_length && fs::read(target).is_ok_and(|found| found == bytes)
}

fn explain(error: &io::Error, bytes: usize) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull => format!("the disk has no room for its {bytes} bytes"),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// The bytes of a regular file of at most `limit` bytes. Devices and pipes are
/// refused: reading one may never end.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadProblem> {
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(ReadProblem::Missing),
        Err(error) => return Err(ReadProblem::Other(explain(&error, 0))),
    };
    if found.is_dir() {
        return Err(ReadProblem::Other("it is a folder".to_owned()));
    }
    if !found.is_file() {
        return Err(ReadProblem::Other("it is no regular file".to_owned()));
    }
    if found.len() > limit {
        let why = format!("it has {} bytes; at most {limit} are read", found.len());
        return Err(ReadProblem::Other(why));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(limit).read_to_end(&mut bytes))
        .map_err(|error| ReadProblem::Other(explain(&error, 0)))?;
    Ok(bytes)
}

/// Why a file was not read.
#[derive(Debug)]
pub(crate) enum ReadProblem {
    Missing,
    Other(String),
}

impl ReadProblem {
    /// For a file that a command line names.
    pub(crate) fn at(self, path: &Path) -> Error {
        let why = match self {
            Self::Missing => "there is no such file".to_owned(),
            Self::Other(why) => why,
        };
        Error::Unreadable { path: path.to_owned(), why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let name = |entry: io::Result<fs::DirEntry>| {
            entry.expect("an entry").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_set_that_fails_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (folder.path().join("a.txt"), folder.path().join("b.txt"));
        fs::write(&first, "old").expect("writes");
        fs::create_dir(&second).expect("makes");
        let mut staged = Staged::default();
        staged.add(&first, b"new", Overwrite::Ordinary).expect("stages");
        assert!(staged.add(&second, b"new", Overwrite::Ordinary).is_err());
        drop(staged);
        assert_eq!(fs::read(&first).expect("reads"), b"old");
        assert_eq!(names(folder.path()), ["a.txt", "b.txt"]);
    }

    #[test]
    fn unchanged_bytes_are_not_written_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        fs::write(&path, "same").expect("writes");
        let mut staged = Staged::default();
        staged.add(&path, b"same", Overwrite::Ordinary).expect("stages");
        assert!(staged.files.is_empty());
    }

    #[test]
    fn a_read_only_file_is_replaced_only_on_demand() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").expect("writes");
        let mut permissions = fs::metadata(&path).expect("is there").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("sets");
        let mut staged = Staged::default();
        let refused = staged.add(&path, b"new", Overwrite::Ordinary).expect_err("is refused");
        assert!(refused.to_string().contains("--overwrite"), "{refused}");
        staged.add(&path, b"new", Overwrite::ReadOnly).expect("stages");
        staged.commit().expect("commits");
        assert_eq!(fs::read(&path).expect("reads"), b"new");
    }

    #[test]
    fn folders_and_oversized_files_are_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(read(folder.path(), 10), Err(ReadProblem::Other(_))));
        let path = folder.path().join("a.txt");
        assert!(matches!(read(&path, 10), Err(ReadProblem::Missing)));
        fs::write(&path, "eleven byte").expect("writes");
        assert!(matches!(read(&path, 10), Err(ReadProblem::Other(_))));
        assert_eq!(read(&path, 11).expect("reads"), b"eleven byte");
    }
}
