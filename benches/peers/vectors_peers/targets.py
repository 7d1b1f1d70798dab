"""The figures that the project sets itself."""

import math

from common.targets import Target, quotient

from . import indexes
from .measure import COSINES, EXACT, JOINS

TIMES_PRODUCT = {0.9: 40, 0.95: 50}
CALIBRATED, PROVED = JOINS
DEVIATIONS = 3
"""Standard errors that a sum of draws may be below its mean."""


def exponent(times):
    """Of the power of n with which time grows, from the first size to the last."""
    (few, fast), *_, (many, slow) = times
    return math.log(slow / fast) / math.log(many / few)


def judge(measured):
    """The targets of everything that was measured."""
    for cosine in COSINES:
        name = f"cosine ≥ {cosine}"
        rows = measured.joins.get(cosine, {})
        if rows:
            for product in ("gemm", "gemm-avx512"):
                times = quotient(seconds(rows[product]), seconds(rows[CALIBRATED]))
                yield Target(name, f"join, times as fast as the {EXACT[product]}", TIMES_PRODUCT[cosine], times)
            yield Target(name, "its recall", 0.95, rows[CALIBRATED].recall)
        for one in measured.proof.get(cosine, [])[:1]:
            worst = min(one["deviations"] for one in measured.proof[cosine])
            yield Target(name, "proved join, standard errors above its formula, the least of all seeds", -DEVIATIONS,
                         worst)
        for key in JOINS:
            if (key, cosine) in measured.growth:
                yield Target(name, f"{JOINS[key]}: growth, exponent", 1.3, exponent(measured.growth[key, cosine]),
                             at_most=True)
            if (key, cosine) in measured.threads:
                one, two = measured.threads[key, cosine]
                yield Target(name, f"{JOINS[key]}: two threads, times as fast as one", 1.8, quotient(one, two))
    for data, best in measured.nearest.items():
        for how in ("batch", "single"):
            yield Target(data, f"brute force, {how}, of the speed of faiss Flat", 0.8,
                         quotient(best["lookalike, brute force"][how], best["faiss Flat"][how]))
    yield from indexes.judge(measured)


def seconds(row):
    """Of a contender that ran."""
    return None if row.failure or math.isinf(row.seconds) else row.seconds
