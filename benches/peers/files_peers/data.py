"""The files, and their digests by `lookalike codes`, made once."""

import json
import os
import random
import shutil
import stat
import sys
import zlib

from common.cache import replacing
from common.environment import variables
from common.failure import Failure
from common.process import Broken, emptied, run

SHORTEST = 50
"""Files of fewer bytes have no digest."""


class Files:
    """Files of some folders, and the digests that Lookalike gives them."""

    def __init__(self, folders, cache, binary, timeout):
        self.folders = folders
        sizes = sorted(found for folder in folders for found in regular(folder))
        self.paths = [path for path, _ in sizes]
        # Other files, or files of other sizes, have other digests.
        kept = cache / "files" / f"digests-{zlib.crc32(repr(sizes).encode()):08x}.jsonl"
        if not kept.is_file():
            print(f"digests of {len(self.paths)} files", file=sys.stderr)
            with replacing(kept) as part:
                self._write(part, cache, binary, timeout)
        self.digests = {}
        with open(kept, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                self.digests[record["id"]] = record["tlsh"]

    def _write(self, out, cache, binary, timeout):
        scratch = emptied(cache / f"codes-{os.getpid()}")
        try:
            made = scratch / "digests.jsonl"
            command = [binary, "codes", *self.folders, "--family", "tlsh", "--out", made, "--quiet"]
            run(command, variables(os.cpu_count()), scratch, timeout)
            made.replace(out)
        except Broken as fault:
            raise Failure(f"`lookalike codes` failed: {fault}") from None
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def digest(self, path):
        """The digest of a file, None if it has none. Lookalike names a file by its path from its folder."""
        for folder in self.folders:
            if path.startswith(f"{folder}/"):
                names = (path, path[len(str(folder)) + 1:])
                return next((self.digests[name] for name in names if name in self.digests), None)
        return None

    def sampled(self, count, seed=1):
        """Some paths, drawn with one seed."""
        if count > len(self.paths):
            names = ", ".join(map(str, self.folders))
            raise Failure(f"{names}: {len(self.paths)} files of {SHORTEST} bytes or more, but {count} are needed; "
                          "name more folders with --data")
        return random.Random(seed).sample(self.paths, count)


def regular(folder):
    """The files of a folder that can be read, without links and hidden ones, as Lookalike takes them: (path, bytes)."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.startswith("."):
                continue
            path = os.path.join(place, name)
            try:
                about = os.lstat(path)
            except OSError:
                continue
            is_enough = stat.S_ISREG(about.st_mode) and about.st_size >= SHORTEST
            if is_enough and os.access(path, os.R_OK) and "\n" not in path:
                yield path, about.st_size
