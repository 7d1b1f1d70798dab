"""The exact Jaccard similarity of all pairs that share a shingle, if at least .5.

usage: truth.py CORPUS PAIRS        writes row, row, similarity
"""

import json
import sys
from collections import Counter, defaultdict

from documents import shingles, texts

LEAST = 0.5

corpus, out = sys.argv[1:]
sets = [set(shingles(text)) if text.split() else set() for text in texts(corpus)]
earlier = defaultdict(list)
found = 0
with open(out, "w") as file:
    for row, own in enumerate(sets):
        shared = Counter()
        for shingle in own:
            shared.update(earlier[shingle])
            earlier[shingle].append(row)
        for other, both in sorted(shared.items()):
            similarity = both / (len(own) + len(sets[other]) - both)
            if similarity >= LEAST:
                file.write(f"{other}\t{row}\t{similarity:.9f}\n")
                found += 1
json.dump({"pairs": found}, sys.stdout)
