"""Lookalike: the benchmark `hamming` of the workspace, a process a round."""

import json
import os
import subprocess
import sys

from common.environment import tail, variables
from common.failure import Failure
from common.process import Broken, emptied, run

from .contenders import ENOUGH, Contender

WANTED = {"brute-force": 1, "blocks": 1, "bit-sampling": ENOUGH}


def build(root):
    """Compile the benchmark; where its executable is."""
    command = ["cargo", "bench", "--bench", "hamming", "--no-run", "--message-format=json"]
    try:
        done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True)
    except FileNotFoundError:
        raise Failure("no `cargo`: install a Rust toolchain, or give --binary PATH, or --skip lookalike") from None
    if done.returncode != 0:
        raise Failure(f"`{' '.join(command)}` failed: see above, or --skip lookalike")
    for line in done.stdout.splitlines():
        message = json.loads(line)
        target = message.get("target", {})
        if message.get("executable") and target["name"] == "hamming" and "bench" in target["kind"]:
            return message["executable"]
    raise Failure(f"`{' '.join(command)}` names no executable: give --binary PATH, or --skip lookalike")


def check(binary):
    """An executable must be there."""
    if not os.access(binary, os.X_OK):
        raise Failure(f"no executable at {binary}: leave out --binary to build it, or --skip lookalike")


class Ours:
    """The rows of lookalike for one data set."""

    def __init__(self, binary, scratch, timeout):
        self.binary, self.folder, self.timeout = binary, scratch / "lookalike", timeout
        self.methods = {}
        self.recalls = None
        self.peak_bytes = 0
        self.failure = None

    @property
    def field(self):
        """A contender a method, or the failure."""
        if self.failure:
            return [Contender("lookalike", "lookalike", kind="lookalike", failure=self.failure)]
        methods = list(self.methods.values())
        if methods:
            methods[0].note = f"process of all methods: {self.peak_bytes / 1e6:.0f} MB RSS"
        return methods

    def round(self, data):
        """Run everything once and take in what is better than before."""
        if self.failure:
            return
        try:
            if self.recalls is None:
                self.recalls = {} if data.kind == "random" else self._recalls(data)
            for said in self._run(data, "queries.bin"):
                self._hear(said)
        except Broken as fault:
            self.failure = str(fault)
            print(f"{data.name}: lookalike: failed", file=sys.stderr)

    def _hear(self, said):
        name = said["method"]
        if name not in self.methods:
            self.methods[name] = Contender(name, f"lookalike {name}", said["kind"], WANTED.get(said["kind"], ENOUGH))
        method = self.methods[name]
        method.heard(said["queries"], said["seconds"])
        method.recall = said["recall"] if said["recall"] is not None else self.recalls.get(name)
        method.index_bytes = said["index_bytes"]
        builds = [method.build_seconds, said["build_seconds"]]
        method.build_seconds = min((seconds for seconds in builds if seconds is not None), default=None)

    def _recalls(self, data):
        """Recall of each method on the sample: all that it answers is true, so counting is enough."""
        shares = {}
        for said in self._run(data, "sample.bin"):
            true = data.answers_of_first(said["queries"])
            shares[said["method"]] = said["answers"] / true if true else None
        return shares

    def _run(self, data, queries):
        command = [self.binary, "--codes", data.folder / "codes.bin", "--queries", data.folder / queries,
                   "--bits", str(data.bits), "--radius", str(data.radius), "--json"]
        if data.kind == "random":
            command += ["--truth", data.folder / "truth.bin"]
        cost = run(command, variables(1), emptied(self.folder), self.timeout)
        self.peak_bytes = max(self.peak_bytes, cost.rss)
        text = (self.folder / "stdout").read_text()
        try:
            lines = [json.loads(line) for line in text.splitlines() if line.strip()]
            fields = {"method", "kind", "build_seconds", "queries", "seconds", "recall", "answers", "index_bytes"}
            if not lines or any(fields - set(line) for line in lines):
                raise ValueError
        except ValueError:
            raise Broken(f"`{self.binary} --json` did not print a JSON object a line:\n{tail(text)}") from None
        return lines
