"""Templates compiled once for all processes of a test run.

Jinja compiles a template on first use, and a run starts some fifty servers that would each do so.
"""

import os
import shutil
import tempfile
from collections.abc import Callable

from flask import Flask
from jinja2 import FileSystemBytecodeCache

FOLDER = "KABOOM_TEST_TEMPLATES"


def folder_of_this_run() -> Callable[[], None]:
    """Create a folder for the templates of all child processes; return a function that
    removes it.
    """
    path = os.environ[FOLDER] = tempfile.mkdtemp(prefix="kaboom-templates-")
    return lambda: shutil.rmtree(path)


def compiled_once(app: Flask) -> None:
    """Let an application use templates compiled by another process of this run."""
    if FOLDER in os.environ:
        app.jinja_env.bytecode_cache = FileSystemBytecodeCache(os.environ[FOLDER])
