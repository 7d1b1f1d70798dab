//! TLSH digests of files: their distance, and bands of sampled buckets.

use lookalike::KeySource;
use lookalike::digest::{Digest, DistanceParts, MedianBits};
use lookalike::report::{Cell, Error, Step, Steps, Table, TableColumn};

use super::functions::{By, Functions};
use super::input::Digests;
use super::keyed::{Apart, Keyed, of_band};
use super::lesson::Lesson;
use super::{counted, pairs};
use crate::usage::Usage;

pub(super) fn lesson(given: &Digests, options: &Functions) -> anyhow::Result<Lesson> {
    let banding = options.banding(By::Tlsh)?;
    let tables = MedianBits.tables(banding.bands(), banding.rows(), options.seed);
    let tables = tables.map_err(|error| Usage(format!("--{error}")))?;
    let digests = &given.digests;
    let names: Vec<String> = (1..=digests.len()).map(|i| format!("D{i}")).collect();
    let key = |band: usize, digest: &Digest| {
        let buckets = tables.buckets(band).iter();
        let bit = |bucket: &u32| {
            if digest.quartile(*bucket) >= 2 {
                '1'
            } else {
                '0'
            }
        };
        let bits: String = buckets.map(bit).collect();
        of_band(
            band as u32,
            &format!("cell {}, {bits}", tables.cell(band, digest)),
        )
    };
    let of_digest = |digest| (0..tables.bands()).map(|band| key(band, digest)).collect();
    let keyed = Keyed {
        items: names.clone(),
        stored: digests.iter().map(of_digest).collect(),
        asked: None,
    };
    let looks = (0..tables.bands()).map(|band| {
        let buckets = tables.buckets(band).iter().map(Cell::new);
        vec![Cell::new(band + 1), Cell::parts(buckets)]
    });
    let columns = [TableColumn::number("band"), TableColumn::text("buckets")];
    let looks = Step::new("What is looked at")
        .text(format!(
            "Each band looks at {}, drawn at random, and at the cell in which the length lies.",
            counted(banding.rows() as usize, "bucket")
        ))
        .block(Table::new(columns, looks)?);
    let apart = Apart {
        measure: "TLSH distance",
        distance: &|a, b| lookalike::digest::distance(&digests[a], &digests[b]).into(),
        promise: None,
    };
    let text = "A key is the cell of the length and, for each of the buckets, 1 if it is above the median.";
    let steps = Steps::new().step(start(given, &names)?);
    let steps = match names.len() {
        1 => steps,
        _ => steps.step(distances(digests, &names)?),
    };
    let steps = steps
        .step(looks)
        .step(keyed.keys("Keys", text.into(), "keys")?);
    let steps = match names.len() {
        1 => steps,
        _ => {
            let text = "Nothing is promised: how many buckets of similar files differ depends on the files. A search measures \
                        it on a sample of them.";
            steps.step(keyed.candidates(text.into(), &apart)?)
        }
    };
    let summary = format!("{}, {banding}", counted(digests.len(), "digest"));
    Ok(Lesson::new("TLSH digests, step by step", summary, steps))
}

fn start(given: &Digests, names: &[String]) -> Result<Step, Error> {
    let files = names.iter().zip(&given.names).zip(&given.digests);
    let rows = files.map(|((name, file), digest)| {
        let quartile = |n: u8| {
            let buckets = (0..Digest::BUCKETS).filter(move |it| digest.quartile(*it) == n);
            buckets.count().to_string()
        };
        vec![
            Cell::new(name),
            Cell::new(file),
            Cell::new(digest.length_step()),
            Cell::new([0, 1, 2, 3].map(quartile).join(" ")),
        ]
    });
    let columns = [
        TableColumn::text(""),
        TableColumn::text("file"),
        TableColumn::number("length step"),
        TableColumn::number("buckets by quartile"),
    ];
    let text = names.iter().zip(&given.digests);
    let text = text.map(|(name, digest)| vec![Cell::new(name), Cell::new(digest)]);
    let digests = Table::new(["", "digest"].map(TableColumn::text), text)?;
    Ok(Step::new("Digests")
        .text(
            "A file is read in windows of five bytes. Triples of bytes of a window are counted in 128 buckets, and a digest \
             keeps the quartile of each, next to a checksum, the logarithm of the length in steps, and two ratios of the \
             quartiles.",
        )
        .block(Table::new(columns, rows)?)
        .block(digests))
}

fn distances(digests: &[Digest], names: &[String]) -> Result<Step, Error> {
    let rows = pairs(digests.len()).map(|[a, b]| {
        let parts = DistanceParts::of(&digests[a], &digests[b]);
        let DistanceParts {
            length,
            ratios,
            checksum,
            buckets,
        } = parts;
        let sum = length + ratios + checksum + buckets;
        let name = Cell::new(format!("{} {}", names[a], names[b]));
        let numbers = [length, ratios, checksum, buckets, sum].map(Cell::new);
        [name].into_iter().chain(numbers).collect::<Vec<Cell>>()
    });
    let mut columns = vec![TableColumn::text("pair")];
    let heads = ["length", "ratios", "checksum", "buckets", "distance"];
    columns.extend(heads.map(TableColumn::number));
    Ok(Step::new("Distance")
        .text(
            "Each part costs something where it differs: a bucket 1 per quartile, but 6 for three; the length 1 for one step \
             and 12 per step for more; a ratio 1 for one step and 12 for each further one; the checksum 1. The distance is \
             their sum.",
        )
        .block(Table::new(columns, rows)?))
}
