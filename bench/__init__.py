"""What Kaboom must reach, measured: `python -m bench`, or single rows by `python -m bench rules`.

Two noisy cores are enough: what is compared runs in turns within one run, and medians are printed.
"""
