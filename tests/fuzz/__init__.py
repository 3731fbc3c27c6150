"""
Hostile and broken input: what is read of people is handed what nobody would write.

``python -m tests.fuzz ENTRY --minutes M`` runs one entry point, by coverage where atheris is installed (the extra
``fuzz``), else by Hypothesis; what it finds is kept in a folder. A finding that was mended stays as a file in
``tests/data/fuzz/ENTRY``, and `tests/test_fuzz.py` runs all of these.
"""
