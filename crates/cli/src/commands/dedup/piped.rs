//! `dedup --stdout`: the documents that stay, as one stream.

use std::{fs::File, io, io::Write, path::Path};

use lookalike::dedup::{Mode, Report};

/// Copies what a run wrote, file after file in the order of the inputs.
pub(super) fn write(
    report: &Report,
    mode: Mode,
    folder: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if mode == Mode::Ids {
        io::copy(&mut File::open(folder.join("removed_ids.txt"))?, out)?;
        return Ok(());
    }
    let joins = |format: &str| matches!(format, "jsonl" | "lines");
    let formats = &report.inputs.formats;
    if let Some(of) = formats.iter().find(|of| !joins(of.format))
        && report.files.len() > 1
    {
        anyhow::bail!(
            "--stdout: {} files, some of the format {}, do not make one stream: name one file, or use --out",
            report.files.len(),
            of.format
        );
    }
    let kind = if mode == Mode::Annotate {
        "annotated"
    } else {
        "kept"
    };
    for file in &report.files {
        let path = folder.join(kind).join(&file.mirror);
        // A file that is one document may have been removed.
        if path.exists() {
            io::copy(&mut File::open(path)?, out)?;
        }
    }
    Ok(())
}
