"""The packages of the peers, and the versions that are said beside the figures."""

import shutil

from common import machine

PEERS = {"gaoya": "gaoya==0.2.2", "rensa": "rensa==0.5.0", "datasketch": "datasketch==2.0.0"}
FASTSKETCH = "FastSketchLSH==1.0.1"
# gaoya and rensa bring nothing along; orjson reads the corpora for all, numpy serves generator and verification.
SUPPORT = ["orjson", "numpy"]
WAYS = {peer: f"give --skip {peer}" for peer in PEERS} | {"fastsketch": "leave out --with-fastsketch"}
"""How to do without a peer."""


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


def facts(options, venv, root):
    """Where and with what the figures were got."""
    versions = dict(venv.versions)
    if "lookalike" not in options.skip:
        said = machine.answer([options.binary, "--version"]) or "unknown"
        versions["lookalike"] = said.removeprefix("lookalike ")
        commit = machine.commit(root) if options.build else None
        versions["lookalike"] += f" ({commit})" if commit else ""
    if "wc" not in options.skip:
        versions["wc"] = (machine.answer(["wc", "--version"]) or "not GNU").removeprefix("wc ")
    versions["python"] = machine.python_version(venv)
    return machine.facts(versions)
