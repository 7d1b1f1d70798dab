"""Which settings of faiss's hash indexes are worth a try.

Recall is known beforehand: a query and a code at distance d differ in d bits, any of them alike, and are compared when
some hash has at most as many of these as are flipped. The time is not, so a rough model (an access to memory a probe,
another a candidate, cheaper where the codes of a bucket lie together) chooses the few settings that are measured.
"""

from dataclasses import dataclass
from math import comb

MARGIN = 0.003
"""Above the wanted recall, so that the measured one does not fall below it by chance."""
MOST_PROBES = 100_000
TOGETHER = 0.03
"""The price of a candidate in IndexBinaryHash, which keeps codes in its buckets, in accesses to memory."""


@dataclass(frozen=True)
class Setting:
    """Hashes of some bits each, of which some may differ."""

    hashes: int
    bits_of_hash: int
    flips: int

    @property
    def probes(self):
        """Buckets that a query looks into."""
        return self.hashes * sum(comb(self.bits_of_hash, flips) for flips in range(self.flips + 1))

    def cost(self, codes, candidate):
        """In accesses to memory: the probes, and the codes that they find, at the price of each."""
        return self.probes * (1 + candidate * codes / 2**self.bits_of_hash)

    def finds_all(self, radius):
        """Whether some hash must have few enough of the differences: the pigeonhole principle."""
        return radius // self.hashes <= self.flips

    def recall(self, bits, distances):
        """The expected recall, where `distances` counts the true answers at each distance."""
        missed = missing(bits, self.hashes, self.bits_of_hash, self.flips, len(distances) - 1)
        found = sum(pairs * (1 - missed[distance] / comb(bits, distance))
                    for distance, pairs in enumerate(distances))
        return found / sum(distances)


def missing(bits, hashes, bits_of_hash, flips, most):
    """In how many ways d differing bits leave every hash with more than `flips` of them, for d up to `most`."""
    hash_ = [comb(bits_of_hash, bad) if bad > flips else 0 for bad in range(most + 1)]
    rest = bits - hashes * bits_of_hash
    ways = [comb(rest, others) for others in range(most + 1)]
    for _ in range(hashes):
        ways = [sum(ways[bad - own] * hash_[own] for own in range(bad + 1)) for bad in range(most + 1)]
    return ways


def single(bits, codes, distances, wanted, tries):
    """Settings of one hash (IndexBinaryHash): for each length the fewest flips that reach the recall."""
    settings = []
    for length in range(4, min(bits, 32) + 1):
        for flips in range(0, 7):
            setting = Setting(1, length, flips)
            if setting.recall(bits, distances) >= wanted + MARGIN:
                settings.append(setting)
                break
    return cheapest(settings, codes, tries, TOGETHER)


def several(bits, codes, distances, wanted, tries):
    """Settings of several hashes (IndexBinaryMultiHash): for each length and flips the fewest hashes."""
    settings = []
    for length in range(8, min(bits, 32) + 1):
        for flips in range(0, 4):
            for hashes in range(1, bits // length + 1):
                setting = Setting(hashes, length, flips)
                if setting.recall(bits, distances) >= wanted + MARGIN:
                    settings.append(setting)
                    break
    return cheapest(settings, codes, tries)


def exact(bits, codes, radius, tries):
    """Settings of several hashes that find everything: the fewest hashes for the flips, of any length."""
    settings = []
    for flips in range(0, 5):
        hashes = radius // (flips + 1) + 1
        settings += [Setting(hashes, length, flips) for length in range(6, min(bits // hashes, 32) + 1)]
    return cheapest(settings, codes, tries)


def cheapest(settings, codes, tries, candidate=1):
    """The best by the model, neighbours in length left out: they are much alike."""
    chosen = []
    for setting in sorted(settings, key=lambda setting: setting.cost(codes, candidate)):
        alike = any(setting.flips == other.flips and abs(setting.bits_of_hash - other.bits_of_hash) < 2
                    for other in chosen)
        if setting.probes <= MOST_PROBES and not alike:
            chosen.append(setting)
    return chosen[:tries]
