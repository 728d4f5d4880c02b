"""A plugin of pytest: runs the tests that chosen.txt names, in its order.

They are not named as arguments: a change may take away what a test is run with, and then it is not
run, which is not to be taken for its failure.
"""

from pathlib import Path

CHOSEN = Path("chosen.txt")


def pytest_collection_modifyitems(config, items):
    order = {name: at for at, name in enumerate(CHOSEN.read_text().splitlines())}
    chosen = sorted((it for it in items if it.nodeid in order), key=lambda it: order[it.nodeid])
    config.hook.pytest_deselected(items=[it for it in items if it.nodeid not in order])
    items[:] = chosen
