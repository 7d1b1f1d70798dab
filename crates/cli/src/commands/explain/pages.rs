//! How an explanation reads.

use std::io::Write;

use lookalike::dedup::{
    Verification,
    explain::{Explanation, Rows, Text},
};
use lookalike::{Scheme, Step};

use super::{marks::Marks, verdict};
use crate::number::probability;
use crate::table::{Align, Column, Table};

/// An explanation for people.
#[derive(Debug)]
pub(super) struct Page<'a> {
    /// What the two are called.
    pub(super) names: [&'a str; 2],
    pub(super) explanation: &'a Explanation,
    /// How many shingles are shown of each kind.
    pub(super) show: usize,
    pub(super) width: usize,
}

impl Page<'_> {
    /// Writes it.
    pub(super) fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        self.documents(out)?;
        self.rows(out)?;
        self.shingles(out)?;
        self.bands(out)?;
        verdict::write(self.explanation, out)
    }

    fn documents(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let family = &self.explanation.settings.family;
        let texts = [&self.explanation.a, &self.explanation.b];
        let Rows { a, b, c } = self.explanation.rows;
        let different = texts.into_iter().zip([a + b, a + c]);
        let columns = vec![
            Column::new("", Align::Left, ["A".into(), "B".into()]),
            Column::new("", Align::Left, self.names.map(str::to_owned)),
            Column::new("", Align::Right, texts.map(|text| bytes(text.bytes))),
            Column::new(
                "",
                Align::Left,
                different.map(|(text, n)| shingles(text, n)),
            ),
        ];
        write!(out, "{}", whole(columns))?;
        let tokens = match family.shingle {
            lookalike::minhash::Shingle::Chars(_) => String::new(),
            _ => format!(", tokens {}", family.tokens),
        };
        let steps: Vec<String> = family.normalize.iter().map(ToString::to_string).collect();
        let normalize = match steps.is_empty() {
            true => String::new(),
            false => format!(", normalized by {}", steps.join(", ")),
        };
        writeln!(out, "shingles {}{tokens}{normalize}", family.shingle)?;
        if self.explanation.same_text {
            writeln!(out, "the two texts are the same, byte for byte")?;
        }
        Ok(writeln!(out)?)
    }

    /// The textbook's table of row types, and the similarity.
    fn rows(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Explanation {
            rows,
            similarity,
            estimate,
            ..
        } = self.explanation;
        let counts = [rows.a, rows.b, rows.c];
        let largest = counts.into_iter().max().unwrap_or(0).max(1);
        let bar = |count: usize| "█".repeat((count * BAR).div_ceil(largest));
        let words = |words: [&str; 3]| words.map(str::to_owned);
        let columns = vec![
            Column::new("type", Align::Left, words(["a", "b", "c"])),
            Column::new("A", Align::Left, words(["1", "1", "0"])),
            Column::new("B", Align::Left, words(["1", "0", "1"])),
            Column::new("shingles", Align::Right, counts.map(|n| n.to_string())),
            Column::new(
                "",
                Align::Left,
                words(["in both", "only in A", "only in B"]),
            ),
            Column::new("", Align::Left, counts.map(bar)),
        ];
        writeln!(out, "{}", whole(columns))?;
        let Some(exact) = similarity else {
            return Ok(writeln!(out, "similarity  none: neither has a shingle\n")?);
        };
        let union = rows.a + rows.b + rows.c;
        let exact = small(*exact);
        writeln!(out, "similarity  {exact} = {}/{union} = a/(a+b+c)", rows.a)?;
        if let Some(estimate) = estimate {
            let by_chance = match self.explanation.settings.verify {
                Verification::Signature => " (a byte each, less what agrees by chance)",
                Verification::Exact | Verification::None => "",
            };
            writeln!(
                out,
                "estimate    {} = {}/{} functions agree{by_chance}",
                small(estimate.similarity),
                estimate.agreed,
                estimate.functions,
            )?;
            if let Some(off) = estimate.standard_errors_off {
                let error = small(estimate.standard_error);
                writeln!(
                    out,
                    "            standard error {error}; off by {off:+.2} of them"
                )?;
            }
        }
        Ok(writeln!(out)?)
    }

    fn shingles(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Explanation { rows, shingles, .. } = self.explanation;
        for (title, all, shown) in [
            ("in both", rows.a, &shingles.shared),
            ("only in A", rows.b, &shingles.only_in_a),
            ("only in B", rows.c, &shingles.only_in_b),
        ] {
            if self.show == 0 || all == 0 {
                continue;
            }
            match all - shown.len() {
                0 => writeln!(out, "{title}: {all}")?,
                _ => writeln!(out, "{title}: {all}, the first {}", shown.len())?,
            }
            for shingle in shown {
                writeln!(out, "  {}", cut(&format!("{shingle:?}"), self.width - 2))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn bands(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Explanation {
            settings,
            agreements,
            met,
            shared_keys,
            one_band,
            one_or_more_bands,
            no_band,
            ..
        } = self.explanation;
        let has_marks = !agreements.is_empty();
        if has_marks && self.explanation.estimate.is_none() {
            return Ok(());
        }
        let plan = &settings.plan;
        let scheme = match plan.banding {
            Some(banding) => banding.to_string(),
            None => plan.scheme.to_string(),
        };
        if has_marks {
            writeln!(out, "{scheme}: ● agree, ○ differ, ▶ the band meets")?;
            let marks = Marks {
                agreements,
                met,
                groups: &groups(&plan.scheme),
                width: self.width,
            };
            writeln!(out, "{marks}")?;
        } else {
            writeln!(out, "{}: {scheme}", settings.family.name)?;
        }
        let bands = match plan.scheme.steps() {
            [.., Step::Or(bands)] => *bands,
            _ => 1,
        };
        let numbers: Vec<String> = met.iter().map(u32::to_string).collect();
        let which = match met.is_empty() {
            true => String::new(),
            false => cut(&format!(": {}", numbers.join(", ")), self.width - 20),
        };
        writeln!(out, "met         {} of {bands}{which}", met.len())?;
        if plan.banding.is_none() {
            let keys: Vec<String> = shared_keys
                .iter()
                .map(|shared| format!("{}/{}", shared.band, shared.key))
                .collect();
            let which = cut(&keys.join(", "), self.width - 20);
            writeln!(out, "keys        {} shared: {which}", shared_keys.len())?;
        }
        let likely = (*one_band, *one_or_more_bands, *no_band);
        if let (None, Some(any), Some(none)) = likely {
            let any = probability(any, none);
            writeln!(out, "likely      at least {any} for a candidate")?;
        }
        if let (Some(band), Some(any), Some(none)) = likely {
            let t_to_the_r = match plan.banding {
                Some(banding) => format!(", t^{}", banding.rows()),
                None => String::new(),
            };
            let (band, any) = (small(band), probability(any, none));
            writeln!(out, "likely      {band} for a band{t_to_the_r}")?;
            writeln!(
                out,
                "            {any} for one band or more, hence a candidate"
            )?;
        }
        Ok(writeln!(out)?)
    }
}

/// Columns of the longest bar.
const BAR: usize = 30;

fn whole(columns: Vec<Column>) -> Table {
    let width = usize::MAX;
    Table { columns, width }
}

fn bytes(bytes: usize) -> String {
    let plural = if bytes == 1 { "" } else { "s" };
    format!("{bytes} byte{plural}")
}

fn shingles(text: &Text, different: usize) -> String {
    match (text.occurrences, text.is_short) {
        (0, _) if text.bytes == 0 => "empty: no shingle".into(),
        (0, true) => "too short for a shingle".into(),
        (0, false) => "no shingle".into(),
        (_, true) => "shorter than a shingle, so one as a whole".into(),
        (1, _) => "1 shingle".into(),
        (n, _) if n == different => format!("{n} shingles"),
        (n, _) => format!("{n} shingles, {different} of them different"),
    }
}

/// The sizes at which the functions of a band are set apart, level by level.
fn groups(scheme: &Scheme) -> Vec<usize> {
    let mut size = 1;
    let inside = match scheme.steps() {
        [inside @ .., Step::Or(_)] => inside,
        all => all,
    };
    let sizes = inside.iter().map(|step| {
        size *= step.size() as usize;
        size
    });
    sizes.collect()
}

/// A share as it is printed.
pub(super) fn small(share: f64) -> String {
    probability(share, 1.0 - share)
}

/// A text that fits, with a sign that it goes on.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let start: String = text.chars().take(width.saturating_sub(1)).collect();
    start + "…"
}
