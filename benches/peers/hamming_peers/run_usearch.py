"""A worker with the graph of usearch: it has no range search, so the nearest `"k"`, those within the radius kept.

Arguments: `"threads"` of the building. A search has `"expansion"`, how many nodes of the graph are kept in view.
"""

import numpy as np
from serve import serve
from usearch.index import Index


def build(data, arguments):
    """The graph, with the settings that usearch proposes."""
    index = Index(ndim=data.bits, metric="hamming", dtype="b1", connectivity=16, expansion_add=128)
    index.add(np.arange(len(data.codes)), data.codes, threads=arguments["threads"])
    return index


def searcher(index, data, settings):
    """The nearest k of each query, as many of them as are within the radius."""
    def search(queries):
        index.expansion_search = settings["expansion"]
        found = index.search(queries, settings["k"], threads=1)
        near = (found.distances <= data.radius) & (np.arange(settings["k"]) < found.counts[:, None])
        return np.concatenate([[0], np.cumsum(near.sum(axis=1))]), found.keys[near], found.distances[near]
    return search


def rows_of(answer):
    """Limits and rows."""
    return answer[0], answer[1]


serve(build, searcher, rows_of)
