"""The parts of the benchmark `vectors`.

build.py compiles, data.py and generate.py make the vectors, measure.py runs the contenders, judge.py counts what they
found, targets.py and report.py say what came of it. run_faiss.py is the peer in Python, compiled/ the one in Rust.
"""
