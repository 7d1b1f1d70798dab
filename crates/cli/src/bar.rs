//! How far a run is, on a terminal.

use std::{
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use lookalike::output::{Progress, Stage};

use crate::interrupt::remove_when_interrupted;

/// A bar on stderr, where that is a terminal; indicatif draws nothing elsewhere.
#[derive(Debug)]
pub(crate) struct Bar {
    shows: bool,
    bar: Mutex<ProgressBar>,
}

const BYTES: &str =
    "{msg:9} {bar:30} {bytes:>10} of {total_bytes}  {bytes_per_sec:>12}  {eta_precise} left";
const BYTES_SO_FAR: &str = "{msg:9} {spinner} {bytes:>10}  {bytes_per_sec:>12}";
const COUNT: &str = "{msg:9} {bar:30} {human_pos:>10} of {human_len}  {eta_precise} left";
const COUNT_SO_FAR: &str = "{msg:9} {spinner} {human_pos:>10} candidates";

impl Bar {
    pub(crate) fn new(shows: bool) -> Self {
        Self {
            shows,
            bar: Mutex::new(ProgressBar::hidden()),
        }
    }

    fn bar(&self) -> MutexGuard<'_, ProgressBar> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn finish(&self) {
        self.bar().finish_and_clear();
    }

    fn show(&self, message: &'static str, total: Option<u64>, template: &str) {
        self.finish();
        if !self.shows {
            return;
        }
        let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let style = ProgressStyle::with_template(template).expect("a template of ours");
        bar.set_style(style.progress_chars("━╸─"));
        bar.set_message(message);
        bar.enable_steady_tick(Duration::from_millis(200));
        *self.bar() = bar;
    }
}

impl Progress for Bar {
    fn temporary(&self, folder: &Path) {
        remove_when_interrupted(folder);
    }

    fn start(&self, stage: Stage, total: Option<u64>) {
        let (message, template) = match (stage, total) {
            (Stage::Read, Some(_)) => ("reading", BYTES),
            (Stage::Read, None) => ("reading", BYTES_SO_FAR),
            (Stage::Compare, _) => ("comparing", COUNT_SO_FAR),
            (Stage::Write, _) => ("writing", COUNT),
            (Stage::Measure, _) => ("running", COUNT),
        };
        self.show(message, total, template);
    }

    fn reach(&self, done: u64) {
        self.bar().set_position(done);
    }
}

/// What a command is about, on a terminal.
#[derive(Debug)]
pub(crate) struct Spinner {
    shows: bool,
    bar: Mutex<ProgressBar>,
}

const ABOUT: &str = "{msg} {spinner} {elapsed}";

impl Spinner {
    pub(crate) fn new(shows: bool) -> Self {
        let bar = Mutex::new(ProgressBar::hidden());
        Self { shows, bar }
    }

    /// Something that takes a time nobody knows.
    pub(crate) fn say(&self, what: &'static str) {
        self.show(what, ProgressBar::new_spinner(), ABOUT);
    }

    /// Something with so many steps.
    pub(crate) fn count(&self, what: &'static str, steps: u64) {
        self.show(what, ProgressBar::new(steps), COUNT);
    }

    /// Something that goes through bytes; how many in all, if that is known.
    pub(crate) fn bytes(&self, what: &'static str, total: Option<u64>) {
        match total {
            Some(total) => self.show(what, ProgressBar::new(total), BYTES),
            None => self.show(what, ProgressBar::new_spinner(), BYTES_SO_FAR),
        }
    }

    pub(crate) fn reach(&self, done: u64) {
        self.bar().set_position(done);
    }

    pub(crate) fn hide(&self) {
        self.bar().finish_and_clear();
    }

    fn show(&self, what: &'static str, bar: ProgressBar, template: &str) {
        self.hide();
        if self.shows {
            let style = ProgressStyle::with_template(template).expect("a template of ours");
            bar.set_style(style.progress_chars("━╸─"));
            bar.set_message(what);
            bar.enable_steady_tick(Duration::from_millis(200));
            *self.bar() = bar;
        }
    }

    fn bar(&self) -> MutexGuard<'_, ProgressBar> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
