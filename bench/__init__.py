"""Benchmarks: `python -m bench`, or single rows such as `python -m bench rules`.

Two noisy cores suffice: the sides alternate within one run, and medians are printed.
"""
