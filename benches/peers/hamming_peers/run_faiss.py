"""A worker with a binary index of faiss: range search, all queries in one call.

Arguments: `"index"` is flat, hash or multihash, with `"bits_of_hash"` and, for multihash, `"hashes"`. A search has
`"flips"`, the bits of a hash that may differ.
"""

import faiss
from serve import serve


def build(data, arguments):
    """An index of the kind that the arguments name."""
    faiss.omp_set_num_threads(1)
    if arguments["index"] == "flat":
        index = faiss.IndexBinaryFlat(data.bits)
    elif arguments["index"] == "hash":
        index = faiss.IndexBinaryHash(data.bits, arguments["bits_of_hash"])
    else:
        index = faiss.IndexBinaryMultiHash(data.bits, arguments["hashes"], arguments["bits_of_hash"])
    index.add(data.codes)
    return index


def searcher(index, data, settings):
    """faiss wants a distance below the radius, so one more."""
    if "flips" in settings:
        index.nflip = settings["flips"]
    return lambda queries: index.range_search(queries, data.radius + 1)


def rows_of(answer):
    """Limits and rows; the distances lie between them."""
    return answer[0], answer[2]


serve(build, searcher, rows_of)
