"""Recall and precision of found pairs, the mean over the files given.

usage: quality.py CORPUS TRUTH THRESHOLD FOUND…

FOUND is rows (`.tsv`) or ids (`.jsonl`: a and b); the corpus maps ids to rows.
"""

import json
import sys

import orjson

# The truth is written with six decimals.
ROUNDING = 1e-6


def rows_of(corpus):
    """{id: row}."""
    rows = {}
    with open(corpus, "rb") as file:
        for row, line in enumerate(file):
            name = orjson.loads(line).get("id")
            if name is None or str(name) in rows:
                note = f"row {row} has no id of its own, so the rows of a pair of ids are unknown"
                json.dump({"note": note}, sys.stdout)
                sys.exit()
            rows[str(name)] = row
    return rows


def found_in(path, rows):
    """The pairs of a file, smaller row first."""
    with open(path, "rb") as file:
        if path.endswith(".jsonl"):
            pairs = ((rows[str(pair["a"])], rows[str(pair["b"])]) for pair in map(orjson.loads, file))
        else:
            pairs = (tuple(map(int, line.split())) for line in file)
        return {(min(pair), max(pair)) for pair in pairs}


corpus, truth, threshold, *files = sys.argv[1:]
with open(truth) as file:
    known = [line.split() for line in file]
true = {(min(int(a), int(b)), max(int(a), int(b))) for a, b, similarity in known
        if float(similarity) >= float(threshold) - ROUNDING}
rows = rows_of(corpus) if any(path.endswith(".jsonl") for path in files) else {}
recalls, precisions = [], []
for path in files:
    found = found_in(path, rows)
    right = len(found & true)
    recalls.append(right / len(true) if true else 1.0)
    precisions.append(right / len(found) if found else 1.0)
json.dump({"recall": sum(recalls) / len(files), "precision": sum(precisions) / len(files)}, sys.stdout)
