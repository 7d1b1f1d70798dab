"""A Redis server on loopback, for one run: nothing of it is left."""

import contextlib
import socket
import subprocess
import tempfile
import time

from common.failure import Failure


@contextlib.contextmanager
def running(program):
    """A server with a free port of its own; the port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                   "--dir", folder]
        try:
            server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError as error:
            raise Failure(f"{program}: {error.strerror} (on Debian: apt-get install redis-server, or --skip datasketch)") from None
        try:
            wait_for(port, server)
            yield port
        finally:
            server.terminate()
            server.wait()


def wait_for(port, server):
    """Until it answers."""
    for _ in range(200):
        if server.poll() is not None:
            raise Failure(f"the Redis server ended with exit code {server.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise Failure("the Redis server does not answer")
