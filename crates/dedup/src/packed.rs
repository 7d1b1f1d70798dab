//! Files of the result folder, compressed as the settings say.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use lookalike_corpus::{Codec, Packed};
use lookalike_output::{Error as OutputError, ResultFile, ResultFolder};

use crate::Error;

/// A file that is being written.
pub(crate) struct PackedFile {
    path: PathBuf,
    pub(crate) file: Packed<BufWriter<File>>,
}

impl PackedFile {
    /// A new file in the folder, compressed by `codec`.
    pub(crate) fn create(
        folder: &mut ResultFolder,
        name: &Path,
        codec: Option<Codec>,
    ) -> Result<Self, Error> {
        let ResultFile { path, writer } = folder.create(name)?;
        let file = Packed::new(writer, codec).map_err(OutputError::write(&path))?;
        Ok(Self { path, file })
    }

    /// The error of a copy: of this file, or of the one that was read.
    pub(crate) fn or_read(&self) -> impl FnOnce(lookalike_corpus::Error) -> Error {
        let path = self.path.clone();
        |error| match error {
            lookalike_corpus::Error::Write { reason } => OutputError::write(path)(reason).into(),
            error => error.into(),
        }
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        let flushed = self.file.finish().and_then(|mut file| file.flush());
        Ok(flushed.map_err(OutputError::write(self.path))?)
    }
}
