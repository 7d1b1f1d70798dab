"""Running a command and what it cost: CPU and wall time, peak memory."""

import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

# wait4 counts kilobytes, but bytes on macOS.
RSS_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass
class Run:
    """One run that ended well: seconds, seconds, bytes."""

    cpu: float
    wall: float
    rss: int


class Broken(Exception):
    """A run that did not end well."""


def run(command, environment, folder, timeout):
    """Run `command` to its end, in `folder` (which keeps `stdout` and `stderr`)."""
    with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
        start = time.perf_counter()
        try:
            child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        except OSError as error:
            raise Broken(f"{command[0]}: {error.strerror}") from None
        expired = threading.Event()
        watch = threading.Timer(timeout, lambda: (expired.set(), os.kill(child.pid, 9)))
        watch.daemon = True
        watch.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            watch.cancel()
            child.kill()
            child.wait()
            raise
        wall = time.perf_counter() - start
        watch.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
    if expired.is_set():
        raise Broken(f"stopped after {timeout:g} s (--timeout)")
    if child.returncode != 0:
        said = (folder / "stderr").read_text(errors="replace").strip().splitlines()[-6:]
        raise Broken("\n".join([f"exit code {child.returncode}", *said]))
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * RSS_UNIT)


def emptied(folder):
    """The folder, new and empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def own_peak():
    """Peak memory of this process: a child cannot be seen to have had less."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT
