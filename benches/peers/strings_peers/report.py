"""The tables, the line on the machine, the targets; and all of it as JSON."""

import json
import sys

from common import machine, targets
from common.table import aligned, digits
from common.targets import Target, quotient

from .contenders import RECALL, SYMSPELLS

FASTER = {("words", 1): 60, ("words", 2): 60, ("titles", 2): 60, ("titles", 4): 40, ("titles", 8): 3}
"""How many times as fast as rapidfuzz `--exact` must be."""


def judge(joins, look_ups, edits):
    """The targets, measured."""
    judged = []
    for name, limit, field in joins:
        by_key = {contender.key: contender for contender in field if not contender.failure}
        cpu = {key: contender.cpu for key, contender in by_key.items()}
        data = f"{name}, {limit} edits"
        if (name, limit) in FASTER:
            times = quotient(cpu.get("rapidfuzz"), cpu.get("exact"))
            judged.append(Target(data, "exact, times as fast as rapidfuzz", FASTER[name, limit], times))
        if "exact" in by_key and "rapidfuzz" in by_key:
            judged.append(Target(data, "exact, the pairs of rapidfuzz (1: all)", 1, float(by_key["exact"].same)))
        if by_key.get("recall") and by_key["recall"].recalls:
            recalls = by_key["recall"].recalls
            mean = sum(recalls) / len(recalls)
            variance = sum((recall - mean) ** 2 for recall in recalls) / (len(recalls) - 1) / len(recalls)
            judged.append(Target(data, "recall over 5 seeds + 2 standard errors", RECALL, mean + 2 * variance ** 0.5))
        if (name, limit) == ("titles", 8):
            share = quotient(cpu.get("recall"), cpu.get("exact"))
            judged.append(Target(data, "time with a recall ÷ time of exact", 0.1, share, at_most=True))
    speed = {contender.key: contender.per_second for contender in look_ups if not contender.failure}
    compiled = [speed[key] for key in SYMSPELLS if key in speed]
    data = f"look-ups, {edits} edits"
    judged.append(Target(data, "times as fast as symspellpy", 20, quotient(speed.get("lookalike"), speed.get("symspellpy"))))
    judged.append(Target(data, "times as fast as the fastest compiled SymSpell", 2,
                         quotient(speed.get("lookalike"), max(compiled, default=None))))
    return judged


def show(joins, look_ups, judged, facts):
    """Print everything for people."""
    rows = [["command", "CPU s", "MB", "pairs", "recall", "same pairs"]]
    for name, limit, field in joins:
        rows.append(f"{name}, within {limit} edits")
        rows += [cells(contender) for contender in field]
    print(aligned(rows))
    print()
    rows = [["command", "look-ups/s", "found"]]
    rows += [[contender.label, "failed" if contender.failure else f"{contender.per_second:.0f}",
              str(contender.pairs or "")] for contender in look_ups]
    print(aligned(rows))
    print()
    print(machine.line(facts))
    print()
    print(targets.table(judged, "data"))
    for contender in everyone(joins, look_ups):
        if contender.failure:
            sys.stdout.flush()
            print(f"\nerror: {contender.label}: {contender.failure}", file=sys.stderr)


def cells(contender):
    """A row of the table of joins."""
    if contender.failure or not contender.runs:
        return [contender.label, "failed", "", "", "", ""]
    recalls = contender.recalls
    return [contender.label, digits(contender.cpu), f"{max(run.rss for run in contender.runs) / 1e6:.0f}",
            str(contender.pairs), f"{sum(recalls) / len(recalls):.4f}" if recalls else "",
            {True: "yes", False: "no", None: ""}[contender.same]]


def everyone(joins, look_ups):
    """All contenders."""
    return [contender for _, _, field in joins for contender in field] + look_ups


def write_json(path, joins, look_ups, judged, facts):
    """The same for programs."""
    def row(contender):
        return {"command": contender.label, "cpu_s": contender.cpu, "pairs": contender.pairs, "same": contender.same,
                "recalls": contender.recalls, "per_second": contender.per_second, "failure": contender.failure}

    whole = facts | {
        "joins": [{"data": name, "edits": limit, "rows": [row(contender) for contender in field]}
                  for name, limit, field in joins],
        "look_ups": [row(contender) for contender in look_ups],
        "targets": targets.as_json(judged, "data"),
    }
    path.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
