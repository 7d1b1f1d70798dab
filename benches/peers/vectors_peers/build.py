"""The executables: the benchmark of the workspace, and the exact product."""

from common.cargo import benchmark, cargo


def ours(root):
    """The benchmark `vectors`."""
    return benchmark(root, "vectors")


def compiled(package, folder):
    """The exact product on the crate gemm."""
    cargo("build", "--release", "--target-dir", folder, folder=package)
    return folder / "release" / "vectors-peers"
