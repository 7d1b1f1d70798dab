//! What `dedup --dry-run` prints.

use std::io::Write;

use lookalike::dedup::{Config, Forecast};

use super::summary;
use crate::inventory;
use crate::number;
use crate::output::Plain;
use crate::table::{Align, Column, Table};

/// The plan, and what the run would take.
pub(super) fn write(
    forecast: &Forecast,
    config: &Config,
    output: Plain,
    has_chart: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if output.json {
        serde_json::to_writer_pretty(&mut *out, forecast)?;
        return Ok(writeln!(out)?);
    }
    summary::write_plan(&forecast.plan, config, has_chart, output.width(), out)?;
    writeln!(out)?;
    let threads = match forecast.threads {
        1 => "on 1 thread".to_owned(),
        n => format!("on {n} threads"),
    };
    let rows = [
        ("input", number::bytes(forecast.bytes), String::new()),
        (
            "documents",
            number::about(forecast.documents),
            format!(
                "{} of text, {}",
                number::bytes(forecast.text_bytes),
                inventory::units(&forecast.inputs)
            ),
        ),
        (
            "candidates",
            number::about(forecast.candidates),
            "or more, if duplicates are far apart in the input".into(),
        ),
        (
            "memory",
            number::bytes(forecast.memory),
            "about, and 80 bytes more for each match".into(),
        ),
        (
            "disk",
            number::bytes(forecast.disk),
            "for results and temporary files".into(),
        ),
        ("time", number::seconds(forecast.seconds), threads),
    ];
    let column = |align, cells: Vec<String>| Column::new("", align, cells);
    let columns = vec![
        column(Align::Left, rows.iter().map(|row| row.0.into()).collect()),
        column(Align::Right, rows.iter().map(|row| row.1.clone()).collect()),
        column(Align::Left, rows.iter().map(|row| row.2.clone()).collect()),
    ];
    let width = usize::MAX;
    write!(out, "{}", Table { columns, width })?;
    let share = 100.0 * forecast.sampled_bytes as f64 / forecast.bytes.max(1) as f64;
    writeln!(
        out,
        "\nfrom the first {} documents, {share:.0}% of the input; nothing was written",
        forecast.sampled_documents
    )?;
    if let Some(ignored) = inventory::ignored(&forecast.inputs) {
        writeln!(out, "{ignored}")?;
    }
    Ok(())
}
