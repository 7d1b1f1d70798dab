"""The corpora: given, unpacked from a data folder, or generated; each with its true pairs where they are known."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from common.cache import fresh, replacing
from common.failure import Failure

GENERATED = (5000, 300)
"""Documents and words a document of the corpus that stands in where no data is given."""

UNZSTD = """
import sys, zstandard
with open(sys.argv[1], "rb") as packed, open(sys.argv[2], "wb") as plain:
    zstandard.ZstdDecompressor().copy_stream(packed, plain)
"""


@dataclass
class Corpus:
    """An uncompressed JSONL file, a document a line."""

    name: str
    path: Path
    truth: Optional[Path]
    documents: int
    bytes: int

    def __init__(self, name, path, truth=None):
        self.name, self.path, self.truth = name, path, truth
        self.documents, self.bytes = count(path)


def pair_up(arguments):
    """`A.jsonl A.tsv B.jsonl` as [(A.jsonl, A.tsv), (B.jsonl, None)]."""
    files = []
    for argument in map(Path, arguments):
        if argument.suffix != ".tsv":
            files.append((argument, None))
        elif files and files[-1][1] is None:
            files[-1] = (files[-1][0], argument)
        else:
            raise ValueError(f"{argument}: a pairs file follows the corpus that it belongs to")
    return files


def collect(options, venv):
    """The corpora of a run, one at a time."""
    if options.million is not None:
        whole = generated(options.cache, venv, options.million, 200)
        yield Corpus("million", whole)
        yield Corpus("quarter", head(whole, options.million // 4))
    elif options.files:
        for path, truth in options.files:
            plain = unpacked(path, options.cache, venv)
            if truth is not None and not truth.is_file():
                raise Failure(f"{truth}: no such file")
            if truth is None and options.truth:
                truth = true_pairs(plain, options.cache, venv)
            yield Corpus(plain.stem, plain, truth)
    elif options.data:
        for name in filter(None, options.corpora.split(",")):
            folder = Path(options.data) / "text"
            truth = folder / f"{name}.pairs.tsv"
            if not truth.is_file():
                raise Failure(f"{truth}: no such file; --data (or LOOKALIKE_DATA) names the folder that holds `text`")
            yield Corpus(name, unpacked(folder / f"{name}.jsonl.zst", options.cache, venv), truth)
    else:
        print("no data given (--data, LOOKALIKE_DATA or files): a generated corpus stands in", file=sys.stderr)
        path = generated(options.cache, venv, *GENERATED)
        yield Corpus("generated", path, true_pairs(path, options.cache, venv))


def unpacked(path, cache, venv):
    """The file itself, or its unpacked copy in the cache."""
    if not path.is_file():
        raise Failure(f"{path}: no such file")
    if path.suffix != ".zst":
        return path
    plain = cache / "text" / path.stem
    if not fresh(plain, path):
        print(f"unpacking {path.name}", file=sys.stderr)
        with replacing(plain) as part:
            if shutil.which("zstd"):
                command = ["zstd", "-dqf", path, "-o", part]
            else:
                command = [venv.python, "-c", UNZSTD, path, part]
            if subprocess.run(command).returncode != 0:
                raise Failure(f"{path} could not be unpacked")
    return plain


def generated(cache, venv, documents, words):
    """A generated corpus, made once."""
    path = cache / "text" / f"generated-{documents}x{words}.jsonl"
    if not fresh(path, Path(__file__).with_name("generate.py")):
        print(f"generating {documents} documents of {words} words", file=sys.stderr)
        with replacing(path) as part:
            venv.run("generate.py", part, documents, words)
    return path


def head(path, documents):
    """The first documents of a corpus, as a file."""
    first = path.with_name(f"{path.stem}-first-{documents}.jsonl")
    if not fresh(first, path):
        with replacing(first) as part, open(path, "rb") as source, open(part, "wb") as target:
            for _ in range(documents):
                target.write(source.readline())
    return first


def true_pairs(path, cache, venv):
    """The pairs file of a corpus, by brute force, made once."""
    truth = cache / "text" / f"{path.stem}.pairs.tsv"
    if not fresh(truth, path):
        print(f"computing the true pairs of {path.name}", file=sys.stderr)
        with replacing(truth) as part:
            venv.run("truth.py", path, part)
    return truth


def count(path):
    """Lines and bytes; reading the file also brings it into the page cache."""
    lines = size = 0
    last = b"\n"
    with open(path, "rb") as file:
        while block := file.read(1 << 18):
            lines += block.count(b"\n")
            size += len(block)
            last = block[-1:]
    return lines + (last != b"\n"), size
