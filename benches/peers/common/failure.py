"""The one error that ends the benchmark with a message."""


class Failure(Exception):
    """Something could not be prepared; the message says how to go on."""
