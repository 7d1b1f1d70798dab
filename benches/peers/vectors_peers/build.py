"""The executables: the benchmark of the workspace, and the exact product."""

import json
import subprocess
from pathlib import Path

from common.failure import Failure


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


def ours(root):
    """The benchmark `vectors`."""
    said = cargo("bench", "--bench", "vectors", "--no-run", "--message-format=json", folder=root)
    for message in map(json.loads, said.splitlines()):
        target = message.get("target", {})
        if message.get("executable") and target["name"] == "vectors" and "bench" in target["kind"]:
            return Path(message["executable"])
    raise Failure("`cargo bench --bench vectors --no-run` names no executable: give --binary PATH")


def compiled(package, folder):
    """The exact product on the crate gemm, as it is published and with AVX-512: {contender: path}."""
    builds = {"gemm": [], "gemm-avx512": ["--features", "avx512"]}
    for name, features in builds.items():
        cargo("build", "--release", "--target-dir", folder / name, *features, folder=package)
    return {name: folder / name / "release" / "vectors-peers" for name in builds}
