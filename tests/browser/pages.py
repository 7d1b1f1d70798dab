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
}
"""What is traced of the other families."""
CONTROLLED = {
    "page.html", "run.html", "dedup.html", "trace.html", "sweep-text.html", "compare-hamming.html",
    "trace-codes.html", "trace-planes.html", "trace-lines.html",
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
        for name, arguments in FAMILIES.items():
            page, drawing = folder / f"{name}.html", folder / f"{name}.svg"
            self.lookalike("trace", *arguments.split(), "--html", page, "--svg", drawing)
            yield page
            yield drawing

    def all(self, folder, small=True):
        """Every page and drawing."""
        pages = [self.run(folder, small), self.dedup(folder), self.evaluate(folder), self.trace(folder)]
        pages += self.families(folder)
        return [*pages, *self.others(folder), folder / "trace.svg", *sorted((folder / "evaluate").glob("*.svg"))]


def specimen(folder):
    """The example's page and its drawings."""
    cargo("run", "--release", "-q", "-p", "lookalike-report", "--example", "specimen", "--", folder)
    return [folder / "page.html", *sorted(folder.glob("*.svg"))]


def cargo(*arguments):
    """Runs cargo in the repository."""
    subprocess.run(["cargo", *arguments], cwd=ROOT, check=True)
