"""A corpus of Zipf-distributed words in which every fiftieth document is a near copy of an earlier one.

usage: generate.py CORPUS DOCUMENTS WORDS

The same bytes every time: all draws are raw outputs of PCG64, a generator a batch. A copy has 0 to 8 words replaced,
which for 200 words is a Jaccard similarity of 5-grams between 1 and about .66.
"""

import json
import sys

import numpy as np

BATCH = 10_000
VOCABULARY = 50_000
COPY_EVERY = 50
TABLE_BITS = 20


def vocabulary():
    """Made-up words, short ones first, as the bytes of a matrix (each with a space after it) and their lengths."""
    onsets = ["b", "br", "c", "ch", "d", "f", "g", "gr", "h", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "v", "w"]
    syllables = [onset + nucleus + coda for coda in ["", "n", "r", "s", "t"] for nucleus in "aeiou" for onset in onsets]
    words = {}
    number = 0
    while len(words) < VOCABULARY:
        word, rest = "", number
        while not word or rest:
            word += syllables[rest % len(syllables) * 7 % len(syllables)]
            rest //= len(syllables)
        words.setdefault(word + " ", None)
        number += 1
    lengths = np.array([len(word) for word in words])
    matrix = np.zeros((VOCABULARY, lengths.max()), np.uint8)
    for row, word in enumerate(words):
        matrix[row, :len(word)] = np.frombuffer(word.encode(), np.uint8)
    return matrix, lengths


def zipf_table():
    """Quantiles of the rank of a word, P(rank) ∝ 1 / (rank + 2.7): a draw is a look-up."""
    weights = 1 / (np.arange(VOCABULARY) + 2.7)
    share = np.cumsum(weights) / weights.sum()
    size = 1 << TABLE_BITS
    return np.searchsorted(share, (np.arange(size) + 0.5) / size).astype(np.int32)


def batch_of_words(number, documents, words, table):
    """The word numbers of a batch, a row a document, copies planted."""
    source = np.random.PCG64([number, words])
    drawn = table[source.random_raw(documents * words) >> (64 - TABLE_BITS)].reshape(documents, words)
    for row in range(COPY_EVERY - 1, documents, COPY_EVERY):
        original, edits = (int(raw) for raw in source.random_raw(2))
        drawn[row] = drawn[original % row]
        edits %= 9
        places = (source.random_raw(edits) % words).astype(int) if edits else []
        drawn[row, places] = table[source.random_raw(edits) >> (64 - TABLE_BITS)] if edits else []
    return drawn


def main():
    """Write the corpus."""
    path, documents, words = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    matrix, lengths = vocabulary()
    table = zipf_table()
    columns = np.arange(matrix.shape[1])
    with open(path, "wb") as file:
        for number, first in enumerate(range(0, documents, BATCH)):
            drawn = batch_of_words(number, min(BATCH, documents - first), words, table)
            size = lengths[drawn]
            letters = matrix[drawn.ravel()][columns < size.reshape(-1, 1)].tobytes()
            ends = np.cumsum(size.sum(axis=1)).tolist()
            starts = [0, *ends[:-1]]
            file.writelines(b'{"id": "g%d", "text": "%s"}\n' % (first + row, letters[start:end - 1])
                            for row, (start, end) in enumerate(zip(starts, ends)))
    json.dump({"documents": documents}, sys.stdout)


main()
