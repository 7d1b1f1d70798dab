"""The parts of the benchmark `hamming`.

Two kinds of file live here. The modules that `hamming` imports need the standard library alone. Those that hold codes
are scripts that the Python of the virtual environment runs: `run_faiss.py` and `run_usearch.py` (workers that build one
index and answer until they are told to stop) with what they share, `serve.py`; and `generate.py`, `truth.py`.
"""
