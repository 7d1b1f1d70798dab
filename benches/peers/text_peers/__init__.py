"""The parts of the benchmark `text`.

Two kinds of file live here. The modules that `text` imports need the standard library alone and stay small in memory:
a child starts its life with the peak memory of its parent. Those that read corpora are scripts that the Python of the
virtual environment runs: `run_*.py` (one peer each, as a user would write it), `generate.py`, `truth.py`, `quality.py`,
and what they share, `documents.py`.
"""
