//! Processor time of a program, which other programs on the machine hardly change.

/// Seconds that all threads of this program took so far; Linux alone.
pub(crate) fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux's /proc");
    // The name of the program ends with the last parenthesis, and may hold spaces.
    let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = |place: usize| fields[place].parse::<f64>().expect("a number of ticks");
    // utime and stime, in hundredths of a second on every Linux.
    (ticks(11) + ticks(12)) / 100.0
}

/// Mean seconds of some runs.
pub(crate) fn mean_seconds(runs: u64, mut run: impl FnMut(u64)) -> f64 {
    let start = cpu_seconds();
    (0..runs).for_each(&mut run);
    (cpu_seconds() - start) / runs.max(1) as f64
}
