"""symspellpy: all words within some edits of each query.

usage: run_symspellpy.py WORDS QUERIES EDITS

Prints JSON: seconds of all look-ups, and how many words they gave.
"""

import json
import sys
import time

from symspellpy import SymSpell, Verbosity

words, queries, edits = sys.argv[1], sys.argv[2], int(sys.argv[3])
symspell = SymSpell(max_dictionary_edit_distance=edits, prefix_length=7)
with open(words, encoding="utf-8") as file:
    for word in file.read().splitlines():
        symspell.create_dictionary_entry(word, 1)
with open(queries, encoding="utf-8") as file:
    asked = file.read().splitlines()
start = time.process_time()
found = sum(len(symspell.lookup(query, Verbosity.ALL, max_edit_distance=edits)) for query in asked)
json.dump({"seconds": time.process_time() - start, "found": found}, sys.stdout)
