use crate::blocks::Sizes;
use crate::expansion::Expansion;
use crate::inputs::{self, Input};
use crate::json::Fields;
use crate::stream::Raw;
use crate::{Error, FieldPath, File, Options, Reader, names};
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// Documents in files, in a stated order.
///
/// The order is that of the inputs; the files of a folder (all below it) and of a glob
/// are sorted by path. Hidden files are left out unless they are named. A file is the
/// same whether it is compressed or not.
#[derive(Debug)]
pub struct Corpus {
    files: Vec<File>,
    /// How many files are not [beside](Options::beside).
    own: usize,
    pub(crate) options: Options,
    pub(crate) fields: Fields,
    pub(crate) sizes: Sizes,
    pub(crate) expansion: Expansion,
}

impl Corpus {
    /// Opens files, folders, globs, and stdin where an input is `-`.
    ///
    /// An input with `*`, `?` or `[` that is not a file's name is a glob.
    ///
    /// # Errors
    ///
    /// If an input is missing or names no file, if a file is named twice, if one cannot
    /// be read, or if one has rows of numbers and [texts](Options::values) are wanted.
    pub fn open(inputs: &[String], options: Options) -> Result<Self, Error> {
        Self::open_with(inputs, options, || Box::new(std::io::stdin()))
    }

    pub(crate) fn open_with(
        inputs: &[String],
        options: Options,
        stdin: impl Fn() -> Raw,
    ) -> Result<Self, Error> {
        if options.max_expansion == 0 {
            return Err(Error::Parameter {
                name: "max_expansion",
                value: "0".to_owned(),
                expected: "1 or more",
            });
        }
        if options.record_bytes == Some(0) {
            return Err(Error::Parameter {
                name: "record_bytes",
                value: "0".to_owned(),
                expected: "1 or more",
            });
        }
        let (own, beside) = inputs::expand(inputs, &options.beside)?;
        let open = |input: &Input| {
            let file = File::open(input, options.format, &stdin)?;
            match file.format().is_array() && !options.values {
                true => Err(Error::NotText {
                    file: file.name().to_owned(),
                    format: file.format().name(),
                }),
                false => Ok(file),
            }
        };
        let mut files = own.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let formats: Vec<_> = own
            .iter()
            .zip(&files)
            .map(|(input, file)| (input, file.format()))
            .collect();
        for (file, mirror) in files.iter_mut().zip(names::mirrors(&formats)) {
            file.set_mirror(mirror);
        }
        let own = files.len();
        for input in &beside {
            files.push(open(input)?);
        }
        let fields = Fields {
            text: options.text.clone(),
            text_option: options.text_option,
            id: options
                .id
                .clone()
                .unwrap_or_else(|| FieldPath::single("id")),
            id_required: options.id.is_some(),
            more: options.fields.clone(),
            values: options.values,
            record_bytes: options.record_bytes,
        };
        let expansion = Expansion::new(options.max_expansion);
        Ok(Self {
            files,
            own,
            options,
            fields,
            sizes: Sizes::default(),
            expansion,
        })
    }

    /// The files, in order; those [beside](Options::beside) come last.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The files that are not [beside](Options::beside).
    pub fn own_files(&self) -> &[File] {
        &self.files[..self.own]
    }

    /// What the files take on disk; unknown with stdin or a pipe among them.
    pub fn bytes(&self) -> Option<u64> {
        self.files.iter().map(File::bytes).sum()
    }

    /// Copies a file as it is on disk, compressed if it is.
    ///
    /// # Errors
    ///
    /// If it is stdin or a pipe, if it is not what it was, or if reading or writing fails.
    pub fn copy(&self, file: u32, out: &mut dyn Write) -> Result<(), Error> {
        let of = self.file(file)?;
        let mut disk = of.reopened()?;
        let mut buffer = vec![0; self.sizes.block.max(1)];
        loop {
            let part = match disk.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(n) => &buffer[..n],
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(Error::read(of.name(), e)),
            };
            out.write_all(part)
                .map_err(|reason| Error::Write { reason })?;
        }
    }

    /// What reads single documents again; one for each thread.
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(self)
    }

    pub(crate) fn file(&self, number: u32) -> Result<&File, Error> {
        self.files.get(number as usize).ok_or(Error::Parameter {
            name: "file",
            value: number.to_string(),
            expected: "the number of a file of this corpus",
        })
    }

    /// Reads the head of a file that has one, if no scan has.
    pub(crate) fn load_head(&self, file: &File) -> Result<(), Error> {
        if !file.format().layout().facts().has_head || file.head().is_some() {
            return Ok(());
        }
        let mut stream = file.stream(self)?;
        let mut head = Vec::new();
        loop {
            let start = head.len();
            head.resize(2 * start + self.sizes.block.max(1), 0);
            let filled = stream.fill(&mut head[start..])?;
            let is_whole = start + filled < head.len();
            head.truncate(start + filled);
            let read = file.read_head(&head, is_whole, &self.fields)?;
            if read.is_some() || is_whole {
                return Ok(());
            }
        }
    }

    pub(crate) fn spool_folder(&self) -> PathBuf {
        let folder = self.options.spool.clone();
        folder.unwrap_or_else(std::env::temp_dir)
    }
}
