"""The table, the line on the machine, the targets; and all of it as JSON."""

import json
import sys

from common import machine, targets
from common.process import own_peak
from common.table import aligned, digits

from .contenders import SEEDS, THRESHOLD, WHITESPACE

HEADINGS = ["command", "runs", "CPU s", "wall s", "MB/s", "× wc -w", "ours ×", "documents/s", "RSS MB", "recall",
            "precision", "found"]


def show(results, judged, facts, options):
    """Print everything for people."""
    rows = [HEADINGS]
    for corpus, field in results:
        rows.append(f"{corpus.name}: {corpus.documents} documents, {corpus.bytes / 1e6:.1f} MB")
        rows += [cells(figures(contender, corpus, field)) for contender in field]
    print(aligned(rows))
    print()
    print("\n".join(legend(options)))
    print()
    print(machine.line(facts))
    if judged:
        print()
        print(targets.table(judged, "corpus"))
    for corpus, field in results:
        for contender in field:
            if contender.failure:
                sys.stdout.flush()
                print(f"\nerror: {corpus.name}: {contender.label}: {contender.failure}", file=sys.stderr)


def figures(contender, corpus, field):
    """What is said of a contender, by name."""
    others = {other.key: other for other in field if not other.failure}
    failed = contender.failure is not None
    cpu, wall = (None, None) if failed else (contender.cpu, contender.wall)
    # Several threads are there to save wall time.
    seconds = cpu if contender.threads == 1 else wall

    def ratio(above, below):
        return above / below if above and below else None

    return {
        "command": contender.label,
        "runs": len(contender.runs),
        "cpu_s": cpu,
        "wall_s": wall,
        "mb_per_s": ratio(corpus.bytes / 1e6, seconds),
        "times_wc": ratio(others["wc"].cpu if "wc" in others else None, cpu),
        "ours_times": ratio(cpu, others["whitespace"].cpu if "whitespace" in others else None),
        "documents_per_s": ratio(corpus.documents, seconds),
        "peak_rss_mb": None if failed or not contender.rss else contender.rss / 1e6,
        "recall": contender.recall,
        "precision": contender.precision,
        "found": contender.found,
        "failure": contender.failure,
    }


def cells(row):
    """A row of the table."""
    if row["failure"]:
        return [row["command"], str(row["runs"]), "failed"] + [""] * (len(HEADINGS) - 3)
    floor = own_peak() / 1e6
    memory = row["peak_rss_mb"]
    return [
        row["command"],
        str(row["runs"]),
        digits(row["cpu_s"]),
        digits(row["wall_s"]),
        digits(row["mb_per_s"]),
        digits(row["times_wc"]),
        digits(row["ours_times"]),
        "" if row["documents_per_s"] is None else f"{row['documents_per_s']:.0f}",
        "" if memory is None else f"< {floor:.0f}" if memory <= floor else f"{memory:.0f}",
        "" if row["recall"] is None else f"{row['recall']:.4f}",
        "" if row["precision"] is None else f"{row['precision']:.4f}",
        row["found"] or "",
    ]


def legend(options):
    """What rows and columns mean."""
    yield "CPU s (user + sys) and wall s: the best of the runs, whole processes, one thread unless said."
    yield "MB/s and documents/s: by CPU time, with two threads by wall time. RSS MB: the largest peak. MB = 10⁶ bytes."
    yield "× wc -w: CPU of `wc -w` (C.UTF-8) ÷ CPU of the row. ours ×: CPU of the row ÷ CPU of lookalike, whitespace."
    if options.million is None:
        yield (f"Recall, precision: of pairs of exact Jaccard ≥ {THRESHOLD}, whitespace word 5-grams; "
               "gaoya splits words its own way.")
    if options.quality and options.million is None and "lookalike" not in options.skip:
        yield f"Those of lookalike are means over --seed {SEEDS[0]} to {SEEDS[-1]}; found: by the last timed run."
    if "lookalike" not in options.skip:
        yield f"lookalike: dedup FILE --out DIR --threshold {THRESHOLD} --mode report --quiet --threads 1,"
        yield f"with whitespace also {' '.join(WHITESPACE)}."
    if options.million is None:
        yield "Peers: 128 hashes, 16 bands × 8 rows, whitespace word 5-grams, matches by signature."


def write_json(path, results, judged, facts):
    """The same for programs, with every run."""
    corpora = []
    for corpus, field in results:
        rows = []
        for contender in field:
            row = figures(contender, corpus, field)
            row |= {"key": contender.key, "threads": contender.threads, "argv": contender.argv,
                    "seeds": contender.seeds,
                    "every_run": [{"cpu_s": run.cpu, "wall_s": run.wall, "peak_rss_mb": run.rss / 1e6}
                                  for run in contender.runs]}
            rows.append(row)
        corpora.append({"name": corpus.name, "documents": corpus.documents, "bytes": corpus.bytes, "rows": rows})
    whole = facts | {"smallest_visible_rss_mb": own_peak() / 1e6, "corpora": corpora,
                     "targets": targets.as_json(judged, "corpus")}
    path.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
