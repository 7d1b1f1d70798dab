"""A process that holds one index of a peer and answers when asked."""

import json
import subprocess
import threading

from common.environment import tail, variables
from common.process import Broken


class Worker:
    """The conversation with a script of the virtual environment; `built` is what it said first."""

    def __init__(self, venv, script, arguments, errors, timeout):
        self.timeout = timeout
        self.errors = errors
        with open(errors, "wb") as file:
            self.child = subprocess.Popen(venv.command(script, json.dumps(arguments)), env=variables(1), text=True,
                                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file)
        try:
            self.built = self._listen()
        except BaseException:
            self.close()
            raise

    def ask(self, **wish):
        """What the worker answers to a wish."""
        try:
            print(json.dumps(wish), file=self.child.stdin, flush=True)
        except BrokenPipeError:
            pass  # it has ended: listening says why
        return self._listen()

    def _listen(self):
        expired = threading.Event()
        watch = threading.Timer(self.timeout, lambda: (expired.set(), self.child.kill()))
        watch.daemon = True
        watch.start()
        line = self.child.stdout.readline()
        watch.cancel()
        if line:
            return json.loads(line)
        if expired.is_set():
            raise Broken(f"stopped after {self.timeout:g} s (--timeout)")
        raise Broken(f"exit code {self.child.wait()}\n{tail(self.errors.read_text(errors='replace'))}")

    def close(self):
        """End the process."""
        self.child.kill()
        self.child.wait()
        self.child.stdin.close()
        self.child.stdout.close()
