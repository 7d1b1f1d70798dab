"""What is said of machine and versions beside the figures."""

import datetime
import os
import platform
import subprocess
from pathlib import Path


def facts(versions):
    """Where, when and with what the figures were got."""
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


def line(facts):
    """The same for people."""
    machine = facts["machine"]
    return (f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}, load {machine['load']}; "
            f"{facts['date']}; "
            + ", ".join(f"{name} {version}" for name, version in sorted(facts["versions"].items())))


def python_version(venv):
    """Of the virtual environment."""
    return answer([venv.python, "-c", "import platform; print(platform.python_version())"])


def commit(root):
    """The commit that is checked out."""
    return answer(["git", "-C", root, "describe", "--always", "--dirty"])


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
