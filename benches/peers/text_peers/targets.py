"""The figures that the project sets itself, and whether they were reached."""

from common.targets import Target, quotient

from .contenders import OURS


def judge(results):
    """The targets of every corpus that has some."""
    fields = {corpus.name: {contender.key: contender for contender in field} for corpus, field in results}
    sizes = {corpus.name: corpus.documents for corpus, _ in results}
    targets = []
    for name, field in fields.items():
        if name in OF_CORPUS:
            targets += OF_CORPUS[name](field)
        elif name == "million" and sizes[name] == 1_000_000:
            targets += of_million(field, fields["quarter"], sizes[name] / sizes["quarter"])
    return targets


def of_docs(field):
    """The multilingual pages: the corpus on which the peers are compared."""
    def target(*figures, **more):
        return Target("docs-20k", *figures, **more)

    rensa = least(faster(field, "whitespace", "rensa-lsh"), faster(field, "whitespace", "rensa-dedup"))
    threads = quotient(value(field, "whitespace", "wall"), value(field, "whitespace-2", "wall"))
    yield target("whitespace, times as fast as wc -w", 2, faster(field, "whitespace", "wc"))
    yield target("whitespace, times as fast as gaoya", 15, faster(field, "whitespace", "gaoya"))
    yield target("whitespace, times as fast as rensa (its faster way)", 15, rensa)
    yield target("whitespace, times as fast as datasketch", 50, faster(field, "whitespace", "datasketch"))
    yield target("default tokens, times as fast as wc -w", 1.5, faster(field, "default", "wc"))
    yield target("two threads, times as fast as one (wall)", 1.7, threads)
    yield target("peak RSS of lookalike, MB", 150, peak(field), at_most=True)
    yield from of_quality("docs-20k", field, 0.985)


def of_manual(field):
    """One manual in several versions: many true pairs, ASCII."""
    yield Target("manual-pages-3k", "default tokens, times as fast as wc -w", 2, faster(field, "default", "wc"))
    yield from of_quality("manual-pages-3k", field, 0.997)


def of_planted(field):
    """Twenty planted copies, all to be found."""
    yield from of_quality("planted-2500", field, 1)


def of_quality(name, field, recall):
    """Recall as given; nothing but true pairs."""
    yield Target(name, "recall", recall, value(field, "whitespace", "recall"))
    yield Target(name, "precision", 1, value(field, "whitespace", "precision"))


def of_million(field, quarter, size):
    """A million short documents: cost in proportion to the input."""
    growth = quotient(value(field, "whitespace", "cpu"), value(quarter, "whitespace", "cpu"))
    yield Target("million", "CPU a document, of the whole ÷ of its first quarter", 1.2, quotient(growth, size), True)
    yield Target("million", "whitespace, times as fast as wc -w", 2, faster(field, "whitespace", "wc"))
    yield Target("million", "peak RSS of lookalike, MB", 600, peak(field), True)


def value(field, key, name):
    """A figure of a contender, or None."""
    contender = field.get(key)
    return getattr(contender, name) if contender and not contender.failure else None


def faster(field, key, than):
    """By which factor one needs less CPU than another."""
    return quotient(value(field, than, "cpu"), value(field, key, "cpu"))


def least(*figures):
    """The smallest, if all are known."""
    return None if None in figures else min(figures)


def peak(field):
    """The largest peak memory of our runs, in MB, if all ran."""
    peaks = [value(field, key, "rss") for key in OURS]
    return None if None in peaks else max(peaks) / 1e6


OF_CORPUS = {"docs-20k": of_docs, "manual-pages-3k": of_manual, "planted-2500": of_planted}
