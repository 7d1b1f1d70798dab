"""What every peer is given: the texts of a corpus, and its word 5-grams."""

import orjson

WORDS = 5


def texts(path):
    """The field `text` of every line."""
    with open(path, "rb") as file:
        return [orjson.loads(line)["text"] for line in file]


def shingles(text):
    """Every 5 consecutive whitespace-separated words; a shorter text is one shingle. (zip is the fastest way here.)"""
    return joined(text.split(), " ")


def byte_shingles(text):
    """The same as UTF-8."""
    return joined([word.encode() for word in text.split()], b" ")


def joined(words, space):
    """The 5-grams of a list of words."""
    if len(words) < WORDS:
        return [space.join(words)]
    return list(map(space.join, zip(*(words[start:] for start in range(WORDS)))))


def batches(texts, size):
    """(first row, texts) of consecutive batches."""
    for first in range(0, len(texts), size):
        yield first, texts[first:first + size]


def write_pairs(path, pairs):
    """A pair of rows a line; says how many."""
    with open(path, "w") as file:
        file.writelines(f"{a}\t{b}\n" for a, b in pairs)
    print(len(pairs), "pairs")
