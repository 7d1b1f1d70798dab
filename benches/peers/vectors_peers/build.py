"""The executables: the benchmark of the workspace, and the exact product."""

from common.cargo import benchmark, cargo, executable


def ours(root):
    """The benchmark `vectors`."""
    return benchmark(root, "vectors")


def nearest(root):
    """The benchmark `nearest` of the crate of vectors."""
    return executable(root, "bench", "-p", "lookalike-vector", "--bench", "nearest", "--no-run", name="nearest", kind="bench")


def compiled(package, folder):
    """The exact product on the crate gemm, as it is published and with AVX-512: {contender: path}."""
    builds = {"gemm": [], "gemm-avx512": ["--features", "avx512"]}
    for name, features in builds.items():
        cargo("build", "--release", "--target-dir", folder / name, *features, folder=package)
    return {name: folder / name / "release" / "vectors-peers" for name in builds}
