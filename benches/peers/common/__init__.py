"""What the benchmarks of this folder share. It needs the standard library alone."""
