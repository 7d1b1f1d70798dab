//! The first pass: blocks worked on by all threads, taken in order.
//!
//! Each block is a task: it reads the next block of the input, works on it while it is
//! in the cache of its core, and leaves the result for the calling thread, which takes
//! results in the order of the input and starts a task for each. Tasks wait for nothing
//! but their turn to read, so that `work` may itself use rayon; there is no barrier
//! between waves of blocks. How far tasks run ahead is bounded by the number started.

use crate::blocks::{Buffer, Cut, Cutter};
use crate::lines::Scratch;
use crate::{Block, Corpus, Documents, Error};
use rayon::{Scope, Yield};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Tasks for each thread: one at work, the others to go on with while results are taken.
const AHEAD: usize = 4;

impl Corpus {
    /// Goes through all documents.
    ///
    /// `work` is called on the threads of the current rayon pool, once a block, with the
    /// block's documents and a state that `init` made and no other thread uses meanwhile.
    /// `take` is called on the calling thread, with what `work` gave, in the order of the
    /// input. Blocks, order and the error, if any, are the same for every number of
    /// threads.
    ///
    /// ```
    /// # use lookalike_corpus::{Corpus, Error, Options};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("notes.jsonl");
    /// # std::fs::write(&path, "{\"text\": \"a b\"}\n{\"text\": \"c\"}\n").unwrap();
    /// # let inputs = [path.display().to_string()];
    /// let corpus = Corpus::open(&inputs, Options::default())?;
    /// let mut words = 0;
    /// corpus.scan(
    ///     || (),
    ///     |(), documents| {
    ///         let mut words = 0;
    ///         while let Some(document) = documents.next()? {
    ///             words += document.text.split_whitespace().count();
    ///         }
    ///         Ok::<_, Error>(words)
    ///     },
    ///     |_block, of_block| {
    ///         words += of_block;
    ///         Ok(())
    ///     },
    /// )?;
    /// assert_eq!(words, 3);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first error in the order of the input: of reading, of `work` or of `take`.
    pub fn scan<S, T, E>(
        &self,
        init: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &mut Documents<'_>) -> Result<T, E> + Sync,
        mut take: impl FnMut(Block, T) -> Result<(), E>,
    ) -> Result<(), E>
    where
        S: Send,
        T: Send,
        E: From<Error> + Send,
    {
        let scan = Scan {
            corpus: self,
            init,
            work,
            input: Mutex::new(Sequence {
                cutter: Some(Cutter::new(self)),
                next: 0,
            }),
            idle: Mutex::new(Vec::new()),
            results: Mutex::new(BTreeMap::new()),
            ready: Condvar::new(),
            stop: AtomicBool::new(false),
        };
        rayon::in_place_scope(|scope| {
            for _ in 0..AHEAD * rayon::current_num_threads() {
                scan.start(scope);
            }
            let mut next = 0;
            let result = loop {
                match scan.wait(next) {
                    Outcome::Done(block, result) => {
                        scan.start(scope);
                        if let Err(e) = take(block, result) {
                            break Err(e);
                        }
                    }
                    Outcome::Failed(e) => break Err(e),
                    // The scope goes on with the panic when it ends.
                    Outcome::End | Outcome::Panicked => break Ok(()),
                }
                next += 1;
            };
            scan.stop.store(true, Ordering::Relaxed);
            result
        })
    }
}

/// What tasks and the calling thread share.
struct Scan<'c, I, W, S, T, E> {
    corpus: &'c Corpus,
    init: I,
    work: W,
    input: Mutex<Sequence<'c>>,
    idle: Mutex<Vec<Worker<S>>>,
    results: Mutex<BTreeMap<u64, Outcome<T, E>>>,
    ready: Condvar,
    stop: AtomicBool,
}

/// The blocks with their numbers, until there are no more.
struct Sequence<'c> {
    cutter: Option<Cutter<'c>>,
    next: u64,
}

/// What a task needs for itself; used again by later tasks.
struct Worker<S> {
    state: S,
    buffer: Buffer,
    scratch: Scratch,
}

enum Outcome<T, E> {
    Done(Block, T),
    Failed(E),
    End,
    Panicked,
}

impl<'c, I, W, S, T, E> Scan<'c, I, W, S, T, E>
where
    I: Fn() -> S + Sync,
    W: Fn(&mut S, &mut Documents<'_>) -> Result<T, E> + Sync,
    S: Send,
    T: Send,
    E: From<Error> + Send,
{
    fn start<'s>(&'s self, scope: &Scope<'s>) {
        scope.spawn(|_| self.task());
    }

    fn task(&self) {
        if self.stop.load(Ordering::Relaxed) {
            return;
        }
        let idle = lock(&self.idle).pop();
        let mut worker = idle.unwrap_or_else(|| Worker {
            state: (self.init)(),
            buffer: Buffer::default(),
            scratch: Scratch::default(),
        });
        let Some((number, cut)) = self.read(&mut worker.buffer) else {
            return;
        };
        let mut publish = Publish {
            scan: self,
            number,
            outcome: Some(Outcome::Panicked),
        };
        publish.outcome = Some(match cut {
            Err(e) => Outcome::Failed(e.into()),
            Ok(None) => Outcome::End,
            Ok(Some(cut)) => {
                let lines = cut.lines(&worker.buffer, self.corpus);
                let mut documents = Documents::new(lines, self.corpus, &mut worker.scratch);
                match (self.work)(&mut worker.state, &mut documents) {
                    Ok(result) => Outcome::Done(cut.block, result),
                    Err(e) => Outcome::Failed(e),
                }
            }
        });
        lock(&self.idle).push(worker);
    }

    /// The next block and its number; none once the input has ended or failed.
    fn read(&self, buffer: &mut Buffer) -> Option<(u64, Result<Option<Cut>, Error>)> {
        let mut input = lock(&self.input);
        let cut = input.cutter.as_mut()?.next(buffer);
        if !matches!(cut, Ok(Some(_))) {
            input.cutter = None;
        }
        let number = input.next;
        input.next += 1;
        Some((number, cut))
    }

    /// The outcome of a block; a thread of the pool works while it waits.
    fn wait(&self, number: u64) -> Outcome<T, E> {
        loop {
            if let Some(outcome) = lock(&self.results).remove(&number) {
                return outcome;
            }
            if rayon::yield_now() == Some(Yield::Executed) {
                continue;
            }
            // Nothing is left to start, so the block is at work on another thread.
            let results = lock(&self.results);
            if !results.contains_key(&number) {
                drop(self.ready.wait(results));
            }
        }
    }
}

/// Leaves the outcome of a block, even if working on it panicked: the calling thread
/// waits for each.
struct Publish<'a, 'c, I, W, S, T, E> {
    scan: &'a Scan<'c, I, W, S, T, E>,
    number: u64,
    outcome: Option<Outcome<T, E>>,
}

impl<I, W, S, T, E> Drop for Publish<'_, '_, I, W, S, T, E> {
    fn drop(&mut self) {
        if let Some(outcome) = self.outcome.take() {
            lock(&self.scan.results).insert(self.number, outcome);
            self.scan.ready.notify_all();
        }
    }
}

/// A panic elsewhere is passed on by the scope; what a lock guards stays whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
