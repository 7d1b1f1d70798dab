"""The strings: files of lines, made once from those of a folder."""

import random

from common.cache import fresh, replacing
from common.failure import Failure

WORDS, TITLES, QUERIES = 100_000, 60_000, 2000
JOINS = {"words": [1, 2], "titles": [2, 4, 8], "reads": [2, 8]}
"""Edits of each file within which pairs are looked for."""


def prepare(folder, cache, quick):
    """{name: path}: words and titles of one size, drawn with one seed; queries with two random edits."""
    made = {}
    for name in JOINS:
        source = folder / f"{name}.txt"
        if not source.is_file():
            raise Failure(f"{source}: no such file; --data DIR names a folder with words.txt, titles.txt and reads.txt")
        most = {"words": WORDS, "titles": TITLES}.get(name)
        if quick:
            most = 5000
        path = cache / "strings" / f"{name}-{most or 'all'}.txt"
        if not fresh(path, source):
            lines = [line for line in source.read_text().splitlines() if line.strip()]
            if most and len(lines) > most:
                lines = random.Random(1).sample(lines, most)
            with replacing(path) as part:
                part.write_text("".join(f"{line}\n" for line in lines))
        made[name] = path
    made["queries"] = cache / "strings" / f"queries-{made['words'].stem}.txt"
    if not fresh(made["queries"], made["words"]):
        rng = random.Random(2)
        words = rng.sample(made["words"].read_text().splitlines(), QUERIES)
        with replacing(made["queries"]) as part:
            part.write_text("".join(f"{edited(edited(word, rng), rng)}\n" for word in words))
    return made


def edited(word, rng):
    """A word after one random edit; never blank."""
    place, letter = rng.randrange(len(word)), rng.choice("abcdefghijklmnopqrstuvwxyz")
    kind = rng.randrange(3 if len(word) > 1 else 2)
    return word[:place] + ["" if kind == 2 else letter][0] + word[place + (kind > 0):]
