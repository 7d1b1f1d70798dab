//! How far a run is, on a terminal.

use std::{
    io::{self, Write},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use lookalike::output::{Inventory, Progress, Stage};

use crate::interrupt::remove_when_interrupted;
use crate::inventory;
use crate::output::columns;

/// Columns below which a bar has no room.
const NARROW: usize = 70;
/// How long a stage must have run before the rest can be estimated.
const SETTLED: Duration = Duration::from_secs(2);

const BYTES: &str = "{msg:9} {wide_bar} {bytes:>10} of {total_bytes} {left}";
const COUNT: &str = "{msg:9} {wide_bar} {human_pos:>11} of {human_len} {left}";
const SHARE: &str = "{msg:9} {percent:>3}% {left}";
const BYTES_SO_FAR: &str = "{msg:9} {spinner} {bytes:>10} {elapsed}";
const CANDIDATES: &str = "{msg:9} {spinner} {human_pos:>11} candidates {elapsed}";
const ABOUT: &str = "{msg} {spinner} {elapsed}";

/// A bar on stderr, where that is a terminal; indicatif draws nothing elsewhere.
#[derive(Debug)]
pub(crate) struct Bar {
    shows: bool,
    /// What is planned, which is said when the inputs are known.
    plan: String,
    bar: Mutex<ProgressBar>,
}

impl Bar {
    pub(crate) fn new(shows: bool) -> Self {
        Self::with_plan(shows, String::new())
    }

    /// A bar that says the plan, in whole lines, as soon as the inputs have been read: an error in them comes alone.
    pub(crate) fn with_plan(shows: bool, plan: String) -> Self {
        Self {
            shows,
            plan,
            bar: Mutex::new(ProgressBar::hidden()),
        }
    }

    pub(crate) fn finish(&self) {
        self.bar().finish_and_clear();
    }

    fn bar(&self) -> MutexGuard<'_, ProgressBar> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws a bar of `total` steps, or a spinner if their number is not known.
    fn show(&self, message: &'static str, total: Option<u64>, template: &str) {
        self.finish();
        if self.shows {
            let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
            bar.set_style(style(template, columns(None)));
            bar.set_message(message);
            bar.enable_steady_tick(Duration::from_millis(200));
            *self.bar() = bar;
        }
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
            (Stage::Compare, _) => ("comparing", CANDIDATES),
            (Stage::Write, _) => ("writing", COUNT),
            (Stage::Measure, _) => ("running", COUNT),
        };
        self.show(message, total, template);
    }

    fn inputs(&self, inventory: &Inventory) {
        if self.shows {
            self.bar().suspend(|| {
                // What goes to a closed stderr is lost, and results are not.
                let _ = io::stderr().write_all(self.plan.as_bytes());
                match self.plan.is_empty() {
                    true => inventory::write_if_unclear(inventory, "documents", true),
                    false => inventory::write(inventory, "documents"),
                }
            });
        }
    }

    fn reach(&self, done: u64) {
        // Threads may report out of order.
        let bar = self.bar();
        bar.set_position(done.max(bar.position()));
    }
}

/// How a template is drawn on a terminal of this many columns.
fn style(template: &str, columns: usize) -> ProgressStyle {
    let template = match template.contains("wide_bar") && columns < NARROW {
        true => SHARE,
        false => template,
    };
    let style = ProgressStyle::with_template(template).expect("a template of ours");
    let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let text = left(state.pos(), state.elapsed(), state.eta());
        let _ = out.write_str(&text);
    };
    style.progress_chars("━╸─").with_key("left", left)
}

/// The time that is left, once it can be estimated.
fn left(done: u64, elapsed: Duration, left: Duration) -> String {
    if done == 0 || elapsed < SETTLED {
        return String::new();
    }
    let seconds = left.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02} left"),
        _ => format!("{hours}:{minutes:02}:{seconds:02} left"),
    }
}

/// What a command is about, on a terminal.
#[derive(Debug)]
pub(crate) struct Spinner(Bar);

impl Spinner {
    pub(crate) fn new(shows: bool) -> Self {
        Self(Bar::new(shows))
    }

    /// Whether it says anything.
    pub(crate) fn shows(&self) -> bool {
        self.0.shows
    }

    /// A line that stays, unless the command is to be quiet.
    pub(crate) fn note(&self, what: &str) {
        if self.shows() {
            // What goes to a closed stderr is lost, and results are not.
            let _ = writeln!(io::stderr(), "{what}");
        }
    }

    /// Something that takes a time nobody knows.
    pub(crate) fn say(&self, what: &'static str) {
        self.0.show(what, None, ABOUT);
    }

    /// Something with a number of steps.
    pub(crate) fn count(&self, what: &'static str, steps: u64) {
        self.0.show(what, Some(steps), COUNT);
    }

    /// Something that goes through bytes; how many in all, if that is known.
    pub(crate) fn bytes(&self, what: &'static str, total: Option<u64>) {
        let template = if total.is_some() { BYTES } else { BYTES_SO_FAR };
        self.0.show(what, total, template);
    }

    pub(crate) fn reach(&self, done: u64) {
        self.0.reach(done);
    }

    pub(crate) fn hide(&self) {
        self.0.finish();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// A terminal that remembers the lines that are drawn.
    #[derive(Clone, Debug)]
    struct Screen {
        width: u16,
        lines: Arc<Mutex<Vec<String>>>,
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            self.width
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write_str(line)
        }
        fn write_str(&self, line: &str) -> io::Result<()> {
            self.lines.lock().unwrap().push(line.to_owned());
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The line that is drawn for a stage.
    fn drawn(template: &str, width: u16, done: u64, total: u64) -> String {
        let lines = Arc::default();
        let screen = Screen {
            width,
            lines: Arc::clone(&lines),
        };
        let target = ProgressDrawTarget::term_like(Box::new(screen));
        let bar = ProgressBar::with_draw_target(Some(total), target);
        bar.set_style(style(template, width.into()));
        bar.set_message("comparing");
        bar.set_position(done);
        bar.tick();
        let lines = lines.lock().unwrap();
        let longest = lines.iter().max_by_key(|line| line.chars().count());
        longest.unwrap().trim_end().to_owned()
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in [40, 60, 69, 70, 80, 132] {
            for template in [BYTES, COUNT, BYTES_SO_FAR, CANDIDATES, ABOUT] {
                for done in [0, 1_234_567_890] {
                    let line = drawn(template, width, done, 9_876_543_210);
                    let columns = line.chars().count();
                    assert!(columns <= width.into(), "{width}: {columns}: {line}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_left_before_there_is_an_estimate() {
        let second = Duration::from_secs(1);
        assert_eq!(left(0, 60 * second, Duration::ZERO), "");
        assert_eq!(left(5, second, 9 * second), "");
        assert_eq!(left(5, 10 * second, 9 * second), "0:09 left");
        assert_eq!(left(5, 10 * second, 3661 * second), "1:01:01 left");
        let line = drawn(BYTES, 80, 0, 1000);
        assert!(!line.contains("left"), "{line}");
    }
}
