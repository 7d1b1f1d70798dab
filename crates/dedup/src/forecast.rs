//! What a run would take, from a sample.

use std::time::{Duration, Instant};

use lookalike_corpus::Corpus;
use lookalike_engine::Join;
use lookalike_output::Inventory;
use lookalike_search::TextPlan;
use serde::Serialize;

use crate::{Config, Mode, Verification, sketch::Sketched};

/// How much of the input is read: so many bytes, or for so long.
const SAMPLE: u64 = 64 << 20;
const LONGEST: Duration = Duration::from_secs(3);

/// What a run would take, as far as the start of the input tells.
#[derive(Clone, Debug, Serialize)]
pub struct Forecast {
    /// The scheme and what to expect of it.
    pub plan: TextPlan,
    /// The files, and the documents to expect in them.
    pub inputs: Inventory,
    /// Bytes of the input, as they are on disk.
    pub bytes: u64,
    /// Those of them that were read for this.
    pub sampled_bytes: u64,
    /// The documents in them.
    pub sampled_documents: u64,
    /// Documents to expect.
    pub documents: u64,
    /// Bytes of text to expect.
    pub text_bytes: u64,
    /// Candidates to expect, if they are as frequent everywhere as within the sample.
    pub candidates: u64,
    /// Bytes of memory, about; each match takes some 80 more, and how many there are only a run can tell.
    pub memory: u64,
    /// Bytes on disk, for results and what is kept decompressed meanwhile.
    pub disk: u64,
    /// Time on as many threads.
    pub seconds: f64,
    /// Threads.
    pub threads: usize,
}

/// A sample that has been sketched.
pub(crate) struct Sample<'a> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) sketched: &'a Sketched,
    /// Bytes on disk: of the sample, of the input, and of its compressed files.
    pub(crate) read: u64,
    pub(crate) bytes: u64,
    pub(crate) compressed: u64,
    /// How long it took.
    pub(crate) time: Duration,
}

/// Whether a sample is large enough.
pub(crate) fn suffices(consumed: u64, start: Instant) -> bool {
    consumed >= SAMPLE || start.elapsed() >= LONGEST
}

impl Sample<'_> {
    /// What the whole would take.
    pub(crate) fn forecast(&self, config: &Config, plan: TextPlan) -> Forecast {
        let Self {
            sketched, bytes, ..
        } = *self;
        let scale = bytes as f64 / self.read.max(1) as f64;
        let scaled = |count: f64| (count * scale).round() as u64;
        let start = Instant::now();
        let join = Join::new(&sketched.columns).bucket_limit(config.max_bucket as usize);
        let summary = join.run(|_| None::<()>, |_, ()| ());
        let joined = start.elapsed();

        let text_bytes = scaled(sketched.text_bytes as f64);
        let documents = sketched.documents.len() as f64;
        let texts = sketched.columns.items() as f64;
        let bands = f64::from(plan.banding.map_or(1, |banding| banding.bands()));
        let signature = match config.verify.method {
            Verification::Signature => f64::from(plan.scheme.functions()),
            _ => 0.0,
        };
        // What documents and their texts leave in memory: `Documents`, `Columns`, `Texts`, `Copies` and the join.
        let of_document = 56.0 + sketched.documents.ids.bytes() as f64 / documents.max(1.0);
        let of_text = 8.0 * bands + signature + 62.0;
        let held = match config.verify.method {
            Verification::Exact => {
                scaled(sketched.held.bytes() as f64).min(crate::held::ROOM as u64)
            }
            _ => 0,
        };
        let threads = rayon::current_num_threads();
        // Each thread may have a long record before it at the same time.
        let mut lengths: Vec<u32> = sketched.documents.lengths.clone();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        let longest: u64 = lengths.iter().take(threads).map(|&n| u64::from(n)).sum();
        let candidates = scaled(summary.candidates as f64);
        let waiting = match config.verify.method {
            Verification::Exact => WAITING * candidates.min(crate::verify::BATCH as u64),
            _ => 0,
        };
        let memory = scaled(documents * of_document + texts * of_text)
            + held
            + waiting
            + longest
            + BUFFERS * threads as u64
            + PROGRAM;

        // Decompressed, files are about as large as the text in them.
        let spooled = (text_bytes as f64 * self.compressed as f64 / bytes.max(1) as f64) as u64;
        let disk = match config.output.mode {
            Mode::Report => spooled,
            _ => spooled + spooled.max(bytes),
        };
        // A candidate is read again and shingled, as in the sample; a byte is written about as fast as it is shingled.
        let a_byte = self.time.as_secs_f64() / sketched.text_bytes.max(1) as f64;
        let compared = match config.verify.method {
            Verification::Exact => {
                let a_text = sketched.text_bytes as f64 / texts.max(1.0);
                summary.candidates as f64 * a_text.min(1e6) * a_byte
            }
            _ => 0.0,
        };
        let sampled = self.time.as_secs_f64() + joined.as_secs_f64() + compared;
        let written = disk as f64 * WRITE;
        let formats = self.corpus.own_files().iter();
        let formats = formats.map(|file| file.format().name());
        let inputs = Inventory::new(scaled(documents), formats, self.corpus.ignored());
        Forecast {
            plan,
            inputs,
            bytes,
            sampled_bytes: self.read,
            sampled_documents: sketched.documents.len() as u64,
            documents: scaled(documents),
            text_bytes,
            candidates,
            memory,
            disk,
            seconds: sampled * scale + written,
            threads,
        }
    }
}

/// Bytes that a thread's buffers take, and what the program takes by itself.
const BUFFERS: u64 = 4 << 20;
const PROGRAM: u64 = 12 << 20;
/// Bytes that a candidate takes while it waits to be compared.
const WAITING: u64 = 32;
/// Seconds to write a byte: a gigabyte a second.
const WRITE: f64 = 1e-9;
