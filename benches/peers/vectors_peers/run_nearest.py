"""The k nearest of queries by an index of a peer, on one thread.

usage: run_nearest.py PEER STORED QUERIES DIMENSIONS MEASURE K INDEX OUT ROUNDS

The index is built once and kept as INDEX; INDEX.json has the CPU seconds that it took. Each setting is asked ROUNDS
times. Prints JSON: the build, bytes next to the vectors, and for each setting queries per CPU second. OUT-NUMBER gets the
ids of each query for a setting, as 32-bit integers.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np


def timed(work):
    """CPU seconds of some work, and what it gives."""
    start = time.process_time()
    answer = work()
    return time.process_time() - start, answer


class Hnswlib:
    """A graph: M 16, efConstruction 200."""

    has_vectors = True
    settings = {100: [20, 40, 60, 80, 100, 160, 200, 320, 640], 784: [10, 14, 20, 30, 40, 80]}

    def __init__(self, rows, dimensions, measure):
        import hnswlib
        self.index = hnswlib.Index(space="cosine" if measure == "cosine" else "l2", dim=dimensions)
        self.index.set_num_threads(1)
        self.rows = rows

    def build(self, vectors):
        self.index.init_index(max_elements=self.rows, M=16, ef_construction=200)
        self.index.add_items(vectors, num_threads=1)

    def save(self, path):
        self.index.save_index(str(path))

    def load(self, path, _):
        self.index.load_index(str(path))
        self.index.set_num_threads(1)

    def search(self, queries, k, ef):
        self.index.set_ef(max(ef, k))
        return self.index.knn_query(queries, k, num_threads=1)[0]


class Faiss:
    """An index of faiss by its factory's name."""

    has_vectors = True
    names = {}
    settings = {}

    def __init__(self, _, dimensions, measure):
        import faiss
        faiss.omp_set_num_threads(1)
        self.faiss = faiss
        metric = faiss.METRIC_INNER_PRODUCT if measure == "cosine" else faiss.METRIC_L2
        self.index = faiss.index_factory(dimensions, self.names[dimensions], metric)

    def build(self, vectors):
        self.index.train(vectors)
        self.index.add(vectors)

    def save(self, path):
        self.faiss.write_index(self.index, str(path))

    def load(self, path, _):
        self.index = self.faiss.read_index(str(path))

    def search(self, queries, k, setting):
        self.faiss.ParameterSpace().set_index_parameters(self.index, setting)
        return self.index.search(queries, k)[1]


class IvfFlat(Faiss):
    names = {100: "IVF1024,Flat", 784: "IVF256,Flat"}
    settings = {dimensions: [f"nprobe={n}" for n in probes] for dimensions, probes in
                {100: [8, 16, 24, 32, 48, 64, 128, 192], 784: [2, 3, 4, 6, 8, 16]}.items()}


class IvfPqFastScan(Faiss):
    names = {100: "IVF1024,PQ50x4fs,RFlat", 784: "IVF256,PQ196x4fs,RFlat"}
    settings = {dimensions: [f"nprobe={n},k_factor_rf={factor}" for n, factor in pairs] for dimensions, pairs in
                {100: [(16, 10), (24, 10), (24, 20), (32, 12), (32, 20), (48, 20), (48, 30), (64, 30), (96, 40), (192, 60)],
                 784: [(3, 2), (3, 3), (4, 3), (6, 3), (6, 4), (8, 4), (12, 6), (24, 8)]}.items()}


class FaissHnsw(Faiss):
    names = {100: "HNSW16,Flat", 784: "HNSW16,Flat"}
    settings = {dimensions: [f"efSearch={ef}" for ef in efs] for dimensions, efs in
                {100: [20, 40, 80, 160, 320, 640], 784: [8, 10, 14, 20, 40, 80]}.items()}

    def build(self, vectors):
        self.index.hnsw.efConstruction = 200
        self.index.add(vectors)


class FaissLsh(Faiss):
    """Sketches of 512 bits, and an exact comparison of the nearest of them."""

    has_vectors = False
    names = {100: "LSH512r", 784: "LSH512r"}
    settings = {100: [50, 100, 200, 500, 1000], 784: [20, 50, 100, 200, 500]}

    def __init__(self, rows, dimensions, measure):
        super().__init__(rows, dimensions, "euclidean")
        self.index = self.faiss.IndexLSH(dimensions, 512, True)
        self.is_cosine = measure == "cosine"

    def build(self, vectors):
        self.vectors = vectors
        super().build(vectors)

    def load(self, path, vectors):
        self.vectors = vectors
        super().load(path, vectors)

    def search(self, queries, k, wanted):
        ids = self.index.search(queries, wanted)[1]
        found = np.empty((len(queries), k), ids.dtype)
        for row, (query, near) in enumerate(zip(queries, ids)):
            own = self.vectors[near]
            score = -(own @ query) if self.is_cosine else ((own - query) ** 2).sum(axis=1)
            found[row] = near[np.argpartition(score, k - 1)[:k]]
        return found


class Scann:
    """A tree, anisotropic hashing and reordering."""

    has_vectors = True
    settings = {100: [16, 24, 32, 48, 64, 96, 160, 256], 784: [2, 3, 4, 5, 7, 10, 16]}
    trees = {100: (1024, 100), 784: (256, 100)}

    def __init__(self, rows, dimensions, measure):
        self.rows, self.dimensions = rows, dimensions
        self.measure = "dot_product" if measure == "cosine" else "squared_l2"

    def build(self, vectors):
        import scann
        leaves, reordered = self.trees[self.dimensions]
        builder = scann.scann_ops_pybind.builder(vectors, 10, self.measure)
        builder = builder.set_n_training_threads(1).tree(num_leaves=leaves, num_leaves_to_search=32, training_sample_size=self.rows)
        threshold = 0.2 if self.measure == "dot_product" else float("nan")
        self.index = builder.score_ah(2, anisotropic_quantization_threshold=threshold).reorder(reordered).build()

    def save(self, path):
        path.mkdir(exist_ok=True)
        self.index.serialize(str(path))

    def load(self, path, _):
        import scann
        self.index = scann.scann_ops_pybind.load_searcher(str(path))

    def search(self, queries, k, leaves):
        return self.index.search_batched(queries, k, leaves_to_search=leaves)[0]


class Annoy:
    """Trees of random splits."""

    has_vectors = True
    settings = {100: [2000, 5000, 10000, 20000, 50000, 100000], 784: [500, 1000, 2000, 5000, 10000]}

    def __init__(self, _, dimensions, measure):
        from annoy import AnnoyIndex
        self.index = AnnoyIndex(dimensions, "angular" if measure == "cosine" else "euclidean")
        self.index.set_seed(1)

    def build(self, vectors):
        for row, vector in enumerate(vectors):
            self.index.add_item(row, vector)
        self.index.build(50, n_jobs=1)

    def save(self, path):
        self.index.save(str(path))

    def load(self, path, _):
        self.index.load(str(path))

    def search(self, queries, k, nodes):
        return np.array([self.index.get_nns_by_vector(query, k, search_k=nodes) for query in queries])


class Usearch:
    """A graph: connectivity 16."""

    has_vectors = True
    settings = {100: [16, 32, 64, 128, 256, 512], 784: [8, 12, 16, 32, 64]}

    def __init__(self, _, dimensions, measure):
        from usearch.index import Index
        self.index = Index(ndim=dimensions, metric="cos" if measure == "cosine" else "l2sq", dtype="f32",
                           connectivity=16, expansion_add=200)

    def build(self, vectors):
        self.index.add(np.arange(len(vectors)), vectors, threads=1)

    def save(self, path):
        self.index.save(str(path))

    def load(self, path, _):
        self.index.load(str(path))

    def search(self, queries, k, expansion):
        self.index.expansion_search = expansion
        return self.index.search(queries, k, threads=1).keys


PEERS = {"hnswlib": Hnswlib, "faiss-ivf": IvfFlat, "faiss-ivfpqfs": IvfPqFastScan, "faiss-lsh": FaissLsh,
         "faiss-hnsw": FaissHnsw, "scann": Scann, "annoy": Annoy, "usearch": Usearch}


def size(path):
    """Bytes of a file or a folder."""
    return sum(part.stat().st_size for part in path.rglob("*")) if path.is_dir() else path.stat().st_size


def main(name, stored, queries, dimensions, measure, k, path, out, rounds):
    dimensions, k, path = int(dimensions), int(k), Path(path)
    vectors, queries = (np.fromfile(it, "<f4").reshape(-1, dimensions) for it in (stored, queries))
    peer, said = PEERS[name](len(vectors), dimensions, measure), path.with_name(path.name + ".json")
    if said.exists():
        peer.load(path, vectors)
    else:
        seconds, _ = timed(lambda: peer.build(vectors))
        peer.save(path)
        said.write_text(json.dumps({"build": seconds}))
    settings = peer.settings[dimensions]
    best, found = [0.0] * len(settings), [None] * len(settings)
    for _ in range(int(rounds)):
        for number, setting in enumerate(settings):
            seconds, found[number] = timed(lambda setting=setting: peer.search(queries, k, setting))
            best[number] = max(best[number], len(queries) / seconds)
    for number, ids in enumerate(found):
        np.ascontiguousarray(ids).astype("<u4").tofile(f"{out}-{number}")
    extra = size(path) - (vectors.nbytes if peer.has_vectors else 0)
    json.dump(json.loads(said.read_text()) | {
        "bytes": extra, "speeds": [{"setting": str(setting), "speed": speed} for setting, speed in zip(settings, best)],
    }, sys.stdout)


main(*sys.argv[1:])
