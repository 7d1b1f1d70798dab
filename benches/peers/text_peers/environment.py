"""The virtual environment of the peers, and what is said of machine and versions."""

import datetime
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from .failure import Failure

PEERS = {"gaoya": "gaoya==0.2.2", "rensa": "rensa==0.5.0", "datasketch": "datasketch==2.0.0"}
FASTSKETCH = "FastSketchLSH==1.0.1"
# gaoya and rensa bring nothing along; orjson reads the corpora for all, numpy serves generator and verification.
SUPPORT = ["orjson", "numpy"]

VERSIONS = """
import json, sys
from importlib.metadata import PackageNotFoundError, version
found = {}
for name in sys.argv[1:]:
    try:
        found[name] = version(name)
    except PackageNotFoundError:
        pass
print(json.dumps(found))
"""


def wanted(options):
    """The requirements of a run: {peer or None for all: [requirement]}."""
    needs = {None: list(SUPPORT)}
    if not shutil.which("zstd"):
        needs[None].append("zstandard")
    for peer, requirement in PEERS.items():
        if peer not in options.skip:
            needs[peer] = [requirement]
    if "datasketch" in needs:
        needs["datasketch"].append("scipy")
    if options.with_gaoya_whitespace:
        needs["gaoya"] = [PEERS["gaoya"]]
    if options.with_fastsketch:
        needs["fastsketch"] = [FASTSKETCH]
    return needs


class Environment:
    """A folder with a Python and the packages asked for."""

    def __init__(self, folder):
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.versions = {}

    def prepare(self, needs):
        """Install what is not there yet. The peers that could not be installed, with how to fix it."""
        if self._lacking(sum(needs.values(), [])) is None:
            print(f"making a virtual environment in {self.folder}", file=sys.stderr)
            done = subprocess.run([sys.executable, "-m", "venv", "--clear", self.folder],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                raise Failure(f"`{sys.executable} -m venv` failed (on Debian and its kin: install python3-venv):\n"
                              f"{tail(done.stdout + done.stderr)}")
        missing = {}
        for peer, requirements in needs.items():
            lacking = self._lacking(requirements)
            if not lacking:
                continue
            print(f"installing {', '.join(lacking)}", file=sys.stderr)
            done = subprocess.run([self.python, "-m", "pip", "install", "--quiet", *lacking],
                                  capture_output=True, text=True)
            if done.returncode == 0 and not self._lacking(requirements):
                continue
            fault = f"`{self.python} -m pip install {' '.join(lacking)}` failed:\n{tail(done.stderr)}"
            if peer is None:
                raise Failure(fault)
            way = f"give --skip {peer}" if peer in PEERS else f"leave out --with-{peer}"
            missing[peer] = f"{fault}\nrun that command by hand to mend it, or {way}"
        self._lacking(sum(needs.values(), []))
        return missing

    def run(self, script, *arguments):
        """The answer, as JSON, of a script of this folder."""
        command = [self.python, "-B", Path(__file__).with_name(script), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"{script} failed:\n{tail(done.stderr)}")
        return json.loads(done.stdout)

    def _lacking(self, requirements):
        """Which requirements are not met; None where there is no working Python."""
        names = [requirement.split("==")[0] for requirement in requirements]
        try:
            done = subprocess.run([self.python, "-c", VERSIONS, *names], capture_output=True, text=True)
        except OSError:
            return None
        if done.returncode != 0:
            return None
        self.versions = json.loads(done.stdout)
        return [requirement for requirement, name in zip(requirements, names)
                if self.versions.get(name) is None
                or "==" in requirement and requirement != f"{name}=={self.versions[name]}"]


def facts(options, venv, root):
    """Where and with what the figures were got."""
    versions = dict(venv.versions)
    if "lookalike" not in options.skip:
        versions["lookalike"] = (answer([options.binary, "--version"]) or "unknown").removeprefix("lookalike ")
        commit = answer(["git", "-C", root, "describe", "--always", "--dirty"]) if options.build else None
        versions["lookalike"] += f" ({commit})" if commit else ""
    if "wc" not in options.skip:
        versions["wc"] = (answer(["wc", "--version"]) or "not GNU").removeprefix("wc ")
    versions["python"] = answer([venv.python, "-c", "import platform; print(platform.python_version())"])
    return {
        "machine": {
            "cpu": cpu_model(),
            "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
            "system": f"{platform.system()} {platform.release()}",
            "load": round(os.getloadavg()[0], 2),
        },
        "date": datetime.datetime.now().astimezone().isoformat(timespec="minutes"),
        "versions": versions,
    }


def cpu_model():
    """What the processor calls itself."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def answer(command):
    """The first line a command prints, or None."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return None
    lines = done.stdout.splitlines()
    return lines[0].strip() if done.returncode == 0 and lines else None


def tail(text, lines=6):
    """The end of what a command said."""
    return "\n".join(text.strip().splitlines()[-lines:])
