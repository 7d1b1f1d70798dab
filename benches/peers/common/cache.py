"""Files that are made once and kept."""

import os


def fresh(made, source):
    """Whether a cached file is there and not older than what it was made from."""
    return made.is_file() and made.stat().st_mtime >= source.stat().st_mtime


class replacing:
    """A temporary name beside `path` that takes its place when all went well."""

    def __init__(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.part = path.with_name(f"{path.name}.{os.getpid()}.part")

    def __enter__(self):
        return self.part

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.part.touch()
            self.part.replace(self.path)
        else:
            self.part.unlink(missing_ok=True)
