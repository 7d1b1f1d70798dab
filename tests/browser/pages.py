"""The pages that are looked at: the specimen of all blocks, and those that the command writes."""

import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAMILIES = {
    "trace-codes": "--code 10111 --code 10011 --code 01100",
    "trace-planes": "--vector 3,4 --vector 4,1 --vector -2,3",
    "trace-lines": "--vector 1,1 --vector 3,1.5 --vector -2,4 --by lines --bucket-width 2",
    "trace-edits": "--string kitten --string sitting",
    "trace-prints": "--print examples/prints/0_1.xyt --print examples/prints/0_2.xyt",
    "trace-simhash": "--set a,d --set c --set b,d,e --set a,c,d --by simhash",
    "trace-blocks": "--code 1011100011010010 --code 1001100011010010 --code 0110011100101100 --by blocks --blocks 4",
    "trace-probes": "--code 10111000 --code 10011001 --code 01100111 --by multi-probe",
    "trace-polytope": "--vector 3,4,5 --vector 3,-4,5 --by cross-polytope",
    "trace-cauchy": "--vector 1,1 --vector 3,1.5 --vector -2,4 --by cauchy-lines --bucket-width 4",
    "trace-parts": "--string rose --string roses --string nose --by partitions",
    "trace-walks": "--string rose --string roses --by cgk",
    "trace-grams": "--string rose --string prose --by order-minhash",
    "trace-digests": "--digest examples/versions/draft.txt --digest examples/versions/second.txt --bands 3 --rows 4",
}
"""What is traced of the other families."""
CURVES = {
    "sensitivity": "sensitivity universal --d1 0.2 --d2 0.6 --amplify and:5,or:20",
    "sensitivity-cascade": "sensitivity universal --d1 0.2 --d2 0.6 --amplify and:4,or:4,and:4,or:4",
    "sensitivity-one": "sensitivity random-lines --set width=4 --d1 2 --d2 8",
    "sensitivity-bits": "sensitivity bit-sampling --bits 64 --d1 6 --d2 24 --amplify and:8,or:10",
    "sensitivity-prints": "sensitivity grid-squares --squares 1024 --d1 0.84 --d2 0.96 --amplify or:1024,and:2",
    "curve": "curve --bands 20 --rows 5 --threshold 0.6",
    "curves": "curve --bands 20,10,5 --rows 5,10,20 --amplify and:4,or:4",
    "tune": "tune --threshold 0.8",
    "tune-split": "tune --threshold 0.8 --budget 100 --avoid false-negatives",
    "tune-bits": "tune --hamming 6 --bits 64",
}
"""Promises and curves."""
CONTROLLED = {
    "page.html", "run.html", "dedup.html", "trace.html", "sweep-text.html", "compare-hamming.html",
    "trace-codes.html", "trace-planes.html", "trace-lines.html", "trace-polytope.html", "trace-cauchy.html",
    "curve.html", "curves.html", "tune.html", "tune-split.html", "tune-bits.html",
}
"""Pages on which bands and rows can be moved."""

TEXTS = [
    "the ship left the harbour at noon",
    "three recipes for lemon cake",
    "a storm closed the old harbour",
    "the ship left the harbour at dawn",
    "recipes for a lemon cake",
    "the lemon trees of the harbour",
]
"""What is traced: two pairs that are alike, and one that shares a bucket by chance."""
TRACE = ["--shingle", "chars:3", "--bands", "3", "--rows", "2", "--seed", "9"]


class Tool:
    """The command, compiled from this repository or given, and an example that writes prints."""

    def __init__(self, binary=None):
        release = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").absolute() / "release"
        if binary is None:
            cargo("build", "--release", "-q", "-p", "lookalike-cli")
        cargo("build", "--release", "-q", "-p", "lookalike-fingerprint", "--example", "generated_prints")
        self.binary = binary.absolute() if binary else release / "lookalike"
        self.prints = release / "examples" / "generated_prints"

    def lookalike(self, *arguments):
        subprocess.run([self.binary, *map(str, arguments)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)

    def run(self, folder, small):
        """The measured S-curve."""
        extra = ["--small"] if small else []
        self.lookalike("run", "configs/s-curve.toml", *extra, "--quiet", "--out", folder / "run")
        return shutil.copy(folder / "run" / "report.html", folder / "run.html")

    def others(self, folder):
        """Worked examples with signatures, and runs side by side: of texts with controls, of codes and of prints without."""
        for name in ["matrix-2", "sweep-text", "compare-hamming", "compare-fingerprints"]:
            self.lookalike("run", f"configs/{name}.toml", "--quiet", "--out", folder / name)
            yield shutil.copy(folder / name / "report.html", folder / f"{name}.html")

    def dedup(self, folder):
        """A deduplicated corpus."""
        self.lookalike("dedup", "examples/corpus", "--quiet", "--out", folder / "dedup")
        return shutil.copy(folder / "dedup" / "report.html", folder / "dedup.html")

    def evaluate(self, folder, fingers=40, impressions=4):
        """Fingerprints, with pairs laid over each other; these also as drawings."""
        prints = [self.prints, folder / "prints", fingers, impressions]
        subprocess.run(list(map(str, prints)), check=True, stdout=subprocess.DEVNULL)
        self.lookalike("fingerprint", "evaluate", folder / "prints", "--quiet", "--out", folder / "evaluate")
        return shutil.copy(folder / "evaluate" / "report.html", folder / "evaluate.html")

    def trace(self, folder):
        """A small input step by step; in one picture also as a drawing."""
        texts = [part for text in TEXTS for part in ("--text", text)]
        page, drawing = folder / "trace.html", folder / "trace.svg"
        self.lookalike("trace", *texts, *TRACE, "--html", page, "--svg", drawing)
        return page

    def families(self, folder):
        """The other families step by step, as pages and as drawings."""
        return self.drawn(folder, {name: f"trace {arguments}" for name, arguments in FAMILIES.items()})

    def curves(self, folder):
        """What families promise, and curves of bands and rows."""
        return self.drawn(folder, CURVES)

    def drawn(self, folder, commands):
        """The page and the drawing of each command."""
        for name, command in commands.items():
            page, drawing = folder / f"{name}.html", folder / f"{name}.svg"
            self.lookalike(*command.split(), "--html", page, "--svg", drawing)
            yield page
            yield drawing

    def all(self, folder, small=True):
        """Every page and drawing."""
        pages = [self.run(folder, small), self.dedup(folder), self.evaluate(folder), self.trace(folder)]
        pages += self.families(folder)
        pages += self.curves(folder)
        return [*pages, *self.others(folder), folder / "trace.svg", *sorted((folder / "evaluate").glob("*.svg"))]


def specimen(folder):
    """The example's page and its drawings."""
    cargo("run", "--release", "-q", "-p", "lookalike-report", "--example", "specimen", "--", folder)
    return [folder / "page.html", *sorted(folder.glob("*.svg"))]


def cargo(*arguments):
    """Runs cargo in the repository."""
    subprocess.run(["cargo", *arguments], cwd=ROOT, check=True)
