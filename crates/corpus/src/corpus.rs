use crate::blocks::Sizes;
use crate::expansion::Expansion;
use crate::inputs::{self, Expanded, Input};
use crate::json::Fields;
use crate::stream::Raw;
use crate::{Error, FieldPath, File, Options, Reader, names};
use std::io::Write;
use std::path::PathBuf;

/// Documents in files, in a stated order.
///
/// The order is that of the inputs; the files of a folder (all below it) and of a glob
/// are sorted by path. Of a folder the files of one [format](Options::format) are read, and
/// hidden files are left out unless they are named. A file is the same whether it is
/// compressed or not.
#[derive(Debug)]
pub struct Corpus {
    files: Vec<File>,
    /// How many files are not [beside](Options::beside).
    own: usize,
    ignored: Vec<PathBuf>,
    pub(crate) options: Options,
    pub(crate) fields: Fields,
    pub(crate) sizes: Sizes,
    pub(crate) expansion: Expansion,
}

impl Corpus {
    /// Opens files, folders, globs, and stdin where an input is `-`.
    ///
    /// An input with `*`, `?`, `[` or `{` that is not a file's name is a glob: `*` and `?` stay within one folder, `**`
    /// goes through folders, `[a-c]` is one of some characters, `{a,b}` is one of some texts.
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
        options.limits.check()?;
        if options.record_bytes == Some(0) {
            return Err(Error::Parameter {
                name: "record_bytes",
                value: "0".to_owned(),
                expected: "1 or more",
            });
        }
        let Expanded {
            own,
            beside,
            ignored,
        } = inputs::expand(inputs, &options)?;
        let base = options.folder.as_deref();
        let open = |input: &Input| {
            let file = File::open(input, base, &options, &stdin)?;
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
        let expansion = Expansion::new(options.limits);
        let sizes = Sizes {
            record: options.limits.max_record,
            ..Sizes::default()
        };
        Ok(Self {
            files,
            own,
            ignored,
            options,
            fields,
            sizes,
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

    /// The files of folders that are not read, because they are hidden or of another format.
    pub fn ignored(&self) -> &[PathBuf] {
        &self.ignored
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
        let mut stored = self.file(file)?.stored(self)?;
        let mut buffer = vec![0; self.sizes.block.max(1)];
        loop {
            let filled = stored.fill(&mut buffer)?;
            out.write_all(&buffer[..filled])
                .map_err(|reason| Error::Write { reason })?;
            if filled < buffer.len() {
                return Ok(());
            }
        }
    }

    /// Refuses files that are not what they were when they were opened: documents that were read again by their places
    /// may have been others.
    ///
    /// # Errors
    ///
    /// If the length of a file or its time of modification has changed.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let on_disk = self.files.iter().filter(|file| file.bytes().is_some());
        on_disk
            .map(File::reopened)
            .try_for_each(|file| file.map(drop))
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
