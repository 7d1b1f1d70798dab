"""What the workers share: the data, timing, recall, and the conversation with the benchmark.

A worker builds one index, says what that cost, then answers each line of its input (`{"search": {…}}` with the settings
of a search, and `"queries"` where their number is known) by a line: how long that many queries took, and, if
`"recall"` is asked for, which share of the true answers is found.
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np

ENOUGH = 0.3
"""Seconds that a timing should take."""
JUDGED = 4000
"""Queries that recall is measured with, at most."""
FIRST = 64


class Data:
    """The codes, the queries, and the true answers of the first queries."""

    def __init__(self, arguments):
        self.folder = Path(arguments["folder"])
        self.bits, self.radius = arguments["bits"], arguments["radius"]
        self.codes = self._packed("codes.bin")
        self.queries = self._packed("queries.bin")
        if (self.folder / "truth.bin").is_file():
            self.rows = np.fromfile(self.folder / "truth.bin", "<u4").astype(np.int64)
            self.limits = np.arange(len(self.rows) + 1)
        else:
            self.rows = np.fromfile(self.folder / "rows.bin", "<u4").astype(np.int64)
            self.limits = np.fromfile(self.folder / "limits.bin", "<u8").astype(np.int64)
        self.owners = np.repeat(np.arange(len(self.limits) - 1), np.diff(self.limits))

    def _packed(self, name):
        return np.fromfile(self.folder / name, np.uint8).reshape(-1, self.bits // 8)

    def only_first(self, count):
        """Keep that many codes, and the queries with a true answer among them."""
        self.codes = self.codes[:count]
        kept = self.rows < count
        some, self.owners = np.unique(self.owners[kept], return_inverse=True)
        self.rows = self.rows[kept]
        self.queries = self.queries[some]
        self.limits = np.concatenate([[0], np.cumsum(np.bincount(self.owners, minlength=len(some)))])

    def recall(self, answer, count):
        """Which share of the true answers of the first `count` queries is in `answer`: (limits, rows)."""
        limits, rows = answer
        found = np.repeat(np.arange(count), np.diff(limits).astype(np.int64)) << 32 | rows.astype(np.int64)
        end = self.limits[count]
        true = self.owners[:end] << 32 | self.rows[:end]
        return float(np.isin(true, found).mean()) if end else None


def resident():
    """The memory of this process now, in bytes; None where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


def peak():
    """The most memory that this process had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def timed(search, queries):
    """CPU seconds of a search, and its answer."""
    start = time.process_time()
    answer = search(queries)
    return time.process_time() - start, answer


def measure(search, data, count):
    """How long `count` queries take; without a count, as many as fill the time."""
    if count:
        return count, timed(search, data.queries[:count])[0]
    count = min(FIRST, len(data.queries))
    while True:
        seconds, _ = timed(search, data.queries[:count])
        if seconds >= ENOUGH or count == len(data.queries):
            return count, seconds
        count = min(len(data.queries), max(2 * count, int(count * 1.3 * ENOUGH / max(seconds, 1e-3))))


def serve(build, searcher, rows_of):
    """Build, then answer until the input ends.

    `build(data, arguments)` gives the index, `searcher(index, data, settings)` a function of queries, and
    `rows_of(answer)` what that found as (limits, rows).
    """
    arguments = json.loads(sys.argv[1])
    data = Data(arguments)
    if arguments.get("first"):
        data.only_first(arguments["first"])
    before = resident()
    start = time.process_time()
    index = build(data, arguments)
    seconds = time.process_time() - start
    say({"build_seconds": seconds, "index_bytes": None if before is None else resident() - before,
         "codes": len(data.codes)})
    for line in sys.stdin:
        wish = json.loads(line)
        search = searcher(index, data, wish["search"])
        count, seconds = measure(search, data, wish.get("queries"))
        said = {"queries": count, "seconds": seconds}
        if wish.get("recall"):
            judged = min(JUDGED, len(data.limits) - 1, wish.get("judged") or JUDGED)
            limits, rows = rows_of(search(data.queries[:judged]))
            said |= {"judged": judged, "answers": len(rows), "recall": data.recall((limits, rows), judged)}
        say(said | {"peak_bytes": peak()})


def say(answer):
    """A line of output."""
    print(json.dumps(answer), flush=True)
