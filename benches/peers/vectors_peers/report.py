"""The tables, the line on the machine, the targets; and all of it as JSON."""

import dataclasses
import json
import math
import sys

from common import machine, targets
from common.table import aligned, digits

from . import indexes
from .measure import JOINS
from .targets import exponent


def show(measured, judged, facts, options):
    """Print everything for people."""
    for block in blocks(measured):
        print(aligned(block))
        print()
    print("seconds: CPU time on one thread, from vectors in memory to pairs in memory, planning and building included;")
    print(f"the best of {options.rounds} rounds, of exact joins {min(options.exact_rounds, options.rounds)}.")
    print("Two threads: by the clock. Recall of a join: of the pairs of the exact product.")
    print()
    print(machine.line(facts))
    if judged:
        print()
        print(targets.table(judged, "data"))
    sys.stdout.flush()
    for failure in measured.failures:
        print(f"error: {failure}", file=sys.stderr)


def blocks(measured):
    """The tables, each as rows of cells."""
    for cosine, rows in measured.joins.items():
        product = rows["gemm"].seconds
        yield [[f"{measured.size} × 100, cosine ≥ {cosine}", "seconds", "× product", "recall", "stated", "how"],
               *([row.label, "failed" if row.failure else digits(row.seconds), digits(ratio(product, row.seconds)),
                  share(row.recall), share(row.stated), row.parameters] for row in rows.values())]
    if measured.growth:
        sizes = [size for size, _ in next(iter(measured.growth.values()))]
        yield [["seconds by vectors", *map(str, sizes), "exponent", ""],
               *([f"{JOINS[name]}, cosine ≥ {cosine}", *(digits(seconds) for _, seconds in times),
                  digits(exponent(times)), ""] for (name, cosine), times in measured.growth.items())]
    if measured.threads:
        yield [["seconds by the clock", "1 thread", "2 threads", "times", ""],
               *([f"{JOINS[name]}, cosine ≥ {cosine}", digits(one), digits(two), digits(one / two), ""]
                 for (name, cosine), (one, two) in measured.threads.items())]
    if measured.proof:
        yield [["proved join, one row per seed", "stated", "formula", "measured", "std. errors above", "how"],
               *([f"cosine ≥ {cosine}", share(one["stated"]), share(one["formula"]), share(one["recall"]),
                  f"{one['deviations']:.2f}", f"tables {one['tables']}, bits {one['bits']}"]
                 for cosine, seeds in measured.proof.items() for one in seeds)]
    for data, best in measured.nearest.items():
        flat = best["faiss Flat"]
        yield [[f"{data}: {best['rows']} vectors, {best['measure']}, k = 10", "batch q/s", "single q/s", "× faiss batch",
                "× faiss single", "same ids"],
               *([name, digits(best[name]["batch"]), digits(best[name]["single"]),
                  digits(ratio(best[name]["batch"], flat["batch"])),
                  digits(ratio(best[name]["single"], flat["single"])), share(best[name].get("recall"))]
                 for name in best if name not in ("rows", "measure"))]
    yield from indexes.blocks(measured)
    yield from indexes.stated_blocks(measured)


def ratio(above, below):
    """above ÷ below, where both are known."""
    return above / below if above and below and math.isfinite(above) and math.isfinite(below) else None


def share(number):
    """A share with four digits."""
    return "" if number is None else f"{number:.4f}"


def write_json(path, measured, judged, facts):
    """The same for programs."""
    finite = lambda number: number if math.isfinite(number) else None  # noqa: E731
    whole = facts | {
        "vectors": measured.size,
        "joins": [{"cosine": cosine, "contender": key, **dataclasses.asdict(row), "seconds": finite(row.seconds)}
                  for cosine, rows in measured.joins.items() for key, row in rows.items()],
        "growth": [{"join": name, "cosine": cosine, "seconds": dict(times), "exponent": exponent(times)}
                   for (name, cosine), times in measured.growth.items()],
        "threads": [{"join": name, "cosine": cosine, "seconds": best}
                    for (name, cosine), best in measured.threads.items()],
        "proof": measured.proof, "nearest": measured.nearest, "sketches": indexes.as_json(measured),
        "targets": targets.as_json(judged, "data"),
    }
    path.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
