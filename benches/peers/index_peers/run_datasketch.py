"""datasketch's MinHashLSH over Redis: insert, query, remove. Arguments: folder, number of texts, port.

Sets are those of our default tokens: runs of letters and digits in lower case, five in a row. A query is the signature of a text and
the keys that Redis returns; nothing is compared.
"""

import json
import re
import sys
import time

import numpy
from datasketch import MinHash, MinHashLSH

FOLDER, COUNT, PORT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
FUNCTIONS = 128
BATCH = 10_000
WORD = re.compile(r"[a-z0-9]+")


def shingles(text):
    """The set of a text, as bytes."""
    words = WORD.findall(text.lower())
    return {" ".join(words[place:place + 5]).encode() for place in range(max(1, len(words) - 4))}


def records(name):
    """Ids and texts of a file."""
    with open(f"{FOLDER}/{name}", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            yield str(record["id"]), record["text"]


def signatures(texts):
    """The signatures of many texts, by the fastest call there is."""
    return MinHash.bulk([shingles(text) for text in texts], num_perm=FUNCTIONS)


lsh = MinHashLSH(threshold=0.5, num_perm=FUNCTIONS, storage_config={
    "type": "redis", "basename": b"bench", "redis": {"host": "127.0.0.1", "port": PORT}})


def insert(records):
    """Adds records in sessions; the seconds."""
    start = time.perf_counter()
    records = list(records)
    with lsh.insertion_session(buffer_size=50_000) as session:
        for first in range(0, len(records), BATCH):
            run = records[first:first + BATCH]
            for (name, _), signature in zip(run, signatures(text for _, text in run)):
                session.insert(name, signature)
    return time.perf_counter() - start


build = insert(records(f"texts-{COUNT}.jsonl"))
queries = list(records(f"texts-{COUNT}-queries.jsonl"))
# Half of them near, half strangers, spread over the file.
times = []
for _, text in queries[::5]:
    start = time.perf_counter()
    signature = MinHash(num_perm=FUNCTIONS)
    signature.update_batch(shingles(text))
    lsh.query(signature)
    times.append(time.perf_counter() - start)
adds = [insert(records(f"texts-{COUNT}-more-{batch}.jsonl")) for batch in range(5)]
start = time.perf_counter()
for number in range(1000):
    lsh.remove(str(number))
remove = time.perf_counter() - start
p50, p99 = numpy.percentile(times, [50, 99]) * 1e6
print(json.dumps({
    "items": COUNT, "build_s": build, "warm_p50_us": p50, "warm_p99_us": p99, "queries_per_s": len(times) / sum(times),
    "add_1000_ms": sorted(adds)[2] * 1e3, "remove_1000_ms": remove * 1e3}))
