"""A plugin of pytest: writes down which of our functions each test enters.

Each process writes a file of its own into the folder KABOOM_ENTERED, a line for each test that
passed: its name, its seconds of processor time, and [file, function] of all that it entered.
"""

import json
import os
import sys
import threading
import time
from functools import lru_cache
from pathlib import Path

import pytest

CACHED = type(lru_cache(len))
OURS = str(Path(__file__).parents[3] / "kaboom") + os.sep
FOLDER = Path(os.environ["KABOOM_ENTERED"])

entered: set[tuple[str, str]] = set()
passed: set[str] = set()


def note(frame, event, argument):
    """Note the function whose frame begins; its lines need not be traced."""
    code = frame.f_code
    if code.co_filename.startswith(OURS):
        entered.add((code.co_filename, code.co_qualname))


def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed:
        passed.add(report.nodeid)


def forget():
    """Empty our functions' caches, or of all tests that need a result only the first is seen to."""
    modules = [module for name, module in sys.modules.items() if name.startswith("kaboom")]
    for it in {id(it): it for module in modules for it in vars(module).values()}.values():
        if isinstance(it, CACHED):
            it.cache_clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    entered.clear()
    forget()
    began = time.process_time()
    threading.settrace(note)
    sys.settrace(note)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        threading.settrace(None)
        if item.nodeid in passed:
            functions = sorted((name[len(OURS) - 7 :], where) for name, where in entered.copy())
            line = json.dumps([item.nodeid, time.process_time() - began, functions])
            with (FOLDER / f"{os.getpid()}.jsonl").open("a") as file:
                file.write(line + "\n")
