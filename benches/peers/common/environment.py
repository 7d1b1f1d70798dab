"""A virtual environment for the peers, and the variables that their processes get."""

import json
import os
import subprocess
import sys

from .failure import Failure

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


class Environment:
    """A folder with a Python and the packages asked for, which runs the scripts of another folder."""

    def __init__(self, folder, scripts):
        self.folder = folder
        self.scripts = scripts
        self.python = folder / "bin" / "python"
        self.versions = {}

    def prepare(self, needs, ways):
        """Install what is not there yet: {peer or None for all: [requirement]}.

        The peers that could not be installed, with how to fix it; `ways` says how to do without one.
        """
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
            missing[peer] = f"{fault}\nrun that command by hand to mend it, or {ways[peer]}"
        self._lacking(sum(needs.values(), []))
        return missing

    def command(self, script, *arguments):
        """The command that runs a script."""
        return [self.python, "-B", self.scripts / script, *map(str, arguments)]

    def run(self, script, *arguments):
        """The answer, as JSON, of a script."""
        done = subprocess.run(self.command(script, *arguments), capture_output=True, text=True)
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


def variables(threads):
    """The variables of a child: as many threads as said, and nothing of the caller's Python."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    pools = ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]
    return kept | dict.fromkeys(pools, str(threads))


def tail(text, lines=6):
    """The end of what a command said."""
    return "\n".join(text.strip().splitlines()[-lines:])
