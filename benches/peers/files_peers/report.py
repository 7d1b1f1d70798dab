"""The table, the line on the machine, the targets; and all of it as JSON."""

import json

from common import machine, targets
from common.table import aligned, digits
from common.targets import Target, quotient

FASTER, RECALL = 30, 0.99


def mean(numbers):
    """The mean, None of nothing."""
    return sum(numbers) / len(numbers) if numbers else None


def judge(equality, joined):
    """The targets, measured."""
    data = f"{joined['digests']} files"
    whole = joined["planning_s"] + joined["search_s"]
    return [
        Target(f"{equality['files']} files", "digests that are not py-tlsh's", 0, equality["different"], at_most=True),
        Target(data, "recall, mean of the seeds", RECALL, mean(joined["recalls"])),
        Target(data, "search, times as fast as brute force", FASTER, quotient(joined["brute_force_s"], joined["search_s"])),
        Target(data, "search with planning, the same", FASTER, quotient(joined["brute_force_s"], whole)),
    ]


def show(equality, joined, judged, facts, folders):
    """Print everything for people."""
    print(f"files of {', '.join(map(str, folders))}")
    print(f"{equality['files']} digests compared with py-tlsh's: {equality['equal']} equal, {equality['none']} files "
          f"have none by either, {equality['different']} different")
    for path, ours, theirs in equality["examples"]:
        print(f"  {path}: {ours} instead of {theirs}")
    print()
    recalls = joined["recalls"]
    rows = [
        [f"all pairs within {joined['distance']}, {joined['distinct']} distinct digests", "CPU s", "pairs", "recall"],
        ["brute force", digits(joined["brute_force_s"]), str(joined["pairs"]), "1"],
        [f"lookalike, {joined['scheme']}", digits(joined["search_s"]), "", f"{mean(recalls):.4f}"],
        ["  the same with planning", digits(joined["planning_s"] + joined["search_s"]), "", ""],
    ]
    print(aligned(rows))
    print(f"CPU time of one thread, from digests in memory to pairs in memory; recall: mean of {len(recalls)} seeds, "
          f"{min(recalls):.4f} to {max(recalls):.4f}; the plan states {joined['stated']:.4f}")
    print()
    print(machine.line(facts))
    if judged:
        print()
        print(targets.table(judged, "data"))


def write_json(path, equality, joined, judged, facts, folders):
    """The same for programs."""
    whole = facts | {"folders": list(map(str, folders)), "equality": equality, "pairs": joined,
                     "targets": targets.as_json(judged, "data")}
    path.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
