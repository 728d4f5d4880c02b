"""A pytest plugin that records which of our functions each test enters.

Each process writes a file into the folder KABOOM_ENTERED, with one line for each passed test: its
name, its processor time in seconds, and [file, function] for each function entered.

A recording call is inserted into each function at import. Python's own tracing runs at every call
and makes the tests several times slower.
"""

import ast
import builtins
import json
import os
import sys
import time
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

CACHED = type(lru_cache(len))
OURS = str(Path(__file__).parents[2] / "kaboom") + os.sep
FOLDER = Path(os.environ["KABOOM_ENTERED"])
NOTE = "__entered__"  # the inserted call, with the name of the function

entered: set[tuple[str, str]] = set()
passed: set[str] = set()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests():
    """Insert the recording calls into our modules that are imported from now on."""
    vars(builtins)[NOTE] = entered.add
    found_before = SourceFileLoader.get_code

    def get_code(loader, name):
        path = loader.get_filename(name)
        return noting(path) if path.startswith(OURS) else found_before(loader, name)

    SourceFileLoader.get_code = get_code


def noting(path):
    """Return the code of a file whose functions record that they are entered."""
    tree = ast.parse(Path(path).read_bytes())
    place = path[len(OURS) - len("kaboom/") :]

    def put_into(node, inside, dot):
        for child in ast.iter_child_nodes(node):
            within, between = inside, dot
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                within = (
                    f"{inside}{dot}{child.name}"  # Python's qualified name of the inner function
                )
                between = "." if isinstance(child, ast.ClassDef) else ".<locals>."
            put_into(child, within, between)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                (note,) = ast.parse(f"{NOTE}(({place!r}, {within!r}))").body
                at = child.body[0]
                for part in ast.walk(note):
                    ast.copy_location(part, at)
                child.body.insert(ast.get_docstring(child, clean=False) is not None, note)

    put_into(tree, "", "")
    return compile(tree, path, "exec")


def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed:
        passed.add(report.nodeid)


def forget():
    """Clear our functions' caches; otherwise only the first test that needs a result would be
    recorded.
    """
    modules = [module for name, module in sys.modules.items() if name.startswith("kaboom")]
    for it in {id(it): it for module in modules for it in vars(module).values()}.values():
        if isinstance(it, CACHED):
            it.cache_clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    forget()
    entered.clear()
    began = time.process_time()
    try:
        return (yield)
    finally:
        if item.nodeid in passed:
            line = json.dumps([item.nodeid, time.process_time() - began, sorted(entered)])
            with (FOLDER / f"{os.getpid()}.jsonl").open("a") as file:
                file.write(line + "\n")
