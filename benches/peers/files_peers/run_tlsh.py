"""py-tlsh: the digests of files.

usage: run_tlsh.py PATHS

PATHS has one path per line. Prints JSON: {path: digest}, null for a file without one.
"""

import json
import sys

import tlsh

digests = {}
with open(sys.argv[1], encoding="utf-8", errors="surrogateescape") as file:
    for path in file.read().split("\n")[:-1]:
        with open(path, "rb") as opened:
            digest = tlsh.hash(opened.read())
        digests[path] = None if digest in ("", "TNULL") else digest
json.dump(digests, sys.stdout)
