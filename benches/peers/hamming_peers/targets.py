"""The figures that the project sets itself: random codes, a million of them."""

from common.targets import Target, quotient

from .contenders import ENOUGH

CODES = 1_000_000
TIMES_FLAT = {256: 500, 64: 250}
FAISS = ["flat", "hash", "multihash", "multihash-exact"]


def judge(results):
    """The targets of every data set that has some."""
    return [target for data, field in results if data.kind == "random" and data.codes == CODES
            for target in of_random(data, field)]


def of_random(data, field):
    """Planted neighbours at exactly the radius."""
    peers = {contender.key: contender for contender in field if contender.kind == "peer"}
    flat = fastest([peers["flat"]] if "flat" in peers else [])
    exact = fastest([peers["multihash-exact"]] if "multihash-exact" in peers else [])
    # Without all of them the best is not known.
    faiss = [peers[key] for key in FAISS if key in peers and not peers[key].failure]
    best = fastest(faiss) if len(faiss) == len(FAISS) else None
    sampling, blocks, brute = (ours(field, kind) for kind in ("bit-sampling", "blocks", "brute-force"))

    def target(what, limit, above, below):
        return Target(data.name, what, limit, 0 if above == 0 and below else quotient(above, below))

    yield target("blocks, exact, times as fast as faiss BinaryMultiHash, exact", 10, blocks, exact)
    yield target(f"bit sampling, recall ≥ {ENOUGH}, times as fast as the best faiss index of that recall", 5,
                 sampling, best)
    yield target(f"bit sampling, recall ≥ {ENOUGH}, times as fast as faiss BinaryFlat", TIMES_FLAT[data.bits],
                 sampling, flat)
    yield target("brute force, times as fast as faiss BinaryFlat", 1, brute, flat)


def fastest(contenders):
    """Queries a second of the fastest that finds enough, or None."""
    return max((contender.speed for contender in contenders if contender.suffices and contender.speed), default=None)


def ours(field, kind):
    """The same of our methods of a kind; 0 where they ran but none finds enough."""
    methods = [contender for contender in field if contender.kind == kind and contender.speed]
    return (fastest(methods) or 0) if methods else None
