"""Executables that cargo builds."""

import json
import subprocess
from pathlib import Path

from .failure import Failure


def cargo(*arguments, folder):
    """What cargo says on stdout."""
    command = ["cargo", *map(str, arguments)]
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    except FileNotFoundError:
        raise Failure("no `cargo`: install a Rust toolchain") from None
    if done.returncode != 0:
        raise Failure(f"`{' '.join(command)}` failed: see above")
    return done.stdout


def executable(root, *arguments, name, kind):
    """The executable that a build makes of a target."""
    said = cargo(*arguments, "--message-format=json", folder=root)
    for message in map(json.loads, said.splitlines()):
        target = message.get("target", {})
        if message.get("executable") and target["name"] == name and kind in target["kind"]:
            return Path(message["executable"])
    raise Failure(f"`cargo {' '.join(arguments)}` names no executable")


def command(root):
    """The command `lookalike`."""
    return executable(root, "build", "--release", "-p", "lookalike-cli", name="lookalike", kind="bin")


def benchmark(root, name):
    """A benchmark of the workspace."""
    return executable(root, "bench", "--bench", name, "--no-run", name=name, kind="bench")
