"""A pytest plugin that runs the tests named in chosen.txt, in that order.

They are not command-line arguments, because a change may remove a test's parameter; a missing test
must not count as a failure.
"""

from pathlib import Path

CHOSEN = Path("chosen.txt")


def pytest_collection_modifyitems(config, items):
    order = {name: at for at, name in enumerate(CHOSEN.read_text().splitlines())}
    chosen = sorted((it for it in items if it.nodeid in order), key=lambda it: order[it.nodeid])
    config.hook.pytest_deselected(items=[it for it in items if it.nodeid not in order])
    items[:] = chosen
