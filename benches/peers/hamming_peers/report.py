"""The tables, the line on the machine, the targets; and all of it as JSON."""

import json
import sys

from common import machine, targets
from common.table import aligned, digits

from .contenders import ENOUGH
from .data import SAMPLE

HEADINGS = ["contender", "queries/s", "× flat", "recall", "build s", "index MB", "RSS MB", "note"]


def show(results, judged, facts, options):
    """Print everything for people."""
    for data, field in results:
        print(f"{data.name} bits: {data.codes} codes, radius {data.radius}")
        print(aligned([HEADINGS, *(cells(row) for row in figures(field))]))
        print()
    print("\n".join(legend(results, options)))
    print()
    print(machine.line(facts))
    if judged:
        print()
        print(targets.table(judged, "data"))
    for data, field in results:
        for contender in field:
            if contender.failure:
                sys.stdout.flush()
                print(f"\nerror: {data.name}: {contender.label}: {contender.failure}", file=sys.stderr)


def figures(field):
    """What is said of the contenders, by name."""
    flat = next((contender.speed for contender in field if contender.key == "flat"), None)
    for contender in field:
        # Fewer codes are another task.
        comparable = flat and contender.speed and contender.codes is None
        yield {
            "contender": contender.label,
            "kind": contender.kind,
            "queries_per_s": contender.speed,
            "times_flat": contender.speed / flat if comparable else None,
            "recall": contender.recall,
            "exact": contender.wanted == 1,
            "suffices": contender.suffices,
            "build_s": contender.build_seconds,
            "index_mb": contender.index_bytes / 1e6 if contender.index_bytes is not None else None,
            "peak_rss_mb": contender.peak_bytes / 1e6 if contender.peak_bytes else None,
            "queries": contender.queries,
            "cpu_s": contender.seconds,
            "rounds": contender.rounds,
            "codes": contender.codes,
            "note": "; ".join(notes(contender)),
            "tried": contender.tried,
            "failure": contender.failure,
        }


def notes(contender):
    """What a reader must know of a row."""
    if contender.note:
        yield contender.note
    if contender.codes is not None:
        yield f"{contender.codes} codes only"
    if contender.key == "usearch":
        yield "no range search: nearest k, those within the radius kept"
    if contender.recall is not None and not contender.suffices:
        yield f"recall below {contender.wanted:g}"


def cells(row):
    """A row of the table."""
    if row["failure"]:
        return [row["contender"], "failed"] + [""] * (len(HEADINGS) - 2)
    return [
        row["contender"],
        "" if row["queries_per_s"] is None else f"{row['queries_per_s']:.0f}",
        digits(row["times_flat"]),
        "" if row["recall"] is None else f"{row['recall']:.4f}",
        digits(row["build_s"]),
        "" if row["index_mb"] is None else f"{row['index_mb']:.0f}",
        "" if row["peak_rss_mb"] is None else f"{row['peak_rss_mb']:.0f}",
        row["note"],
    ]


def legend(results, options):
    """What rows and columns mean."""
    yield ("queries/s: CPU time of the search calls alone, one thread, distances given, "
           f"the best of {options.rounds} rounds and the first try.")
    yield "× flat: queries/s ÷ those of faiss BinaryFlat on the same data. MB = 10⁶ bytes."
    yield (f"faiss and usearch: the fastest setting of those tried that finds {ENOUGH} of the true answers, "
           "or all (exact); all queries in one call.")
    if any(data.kind == "random" for data, _ in results):
        yield ("random: a query is a code with exactly as many bits flipped as the radius; "
               "recall: how many find that code.")
    if any(data.kind == "clustered" for data, _ in results):
        yield (f"clustered: recall is the share of all codes within the radius that {SAMPLE} queries find; "
               "no targets.")
    yield ("build s: CPU time. index MB: memory that building took (faiss: with the codes); "
           "of lookalike as it says, without them.")


def write_json(path, results, judged, facts):
    """The same for programs, with every setting that was tried."""
    sets = [{"name": data.name, "kind": data.kind, "bits": data.bits, "radius": data.radius, "codes": data.codes,
             "rows": list(figures(field))} for data, field in results]
    whole = facts | {"data": sets, "targets": targets.as_json(judged, "data")}
    path.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
