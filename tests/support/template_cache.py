"""Templates that are compiled once for all processes of a test run.

Jinja compiles a template where it is first drawn. A run starts some fifty servers, each of which
would do that for its first pages anew.
"""

import os
import shutil
import tempfile
from collections.abc import Callable

from flask import Flask
from jinja2 import FileSystemBytecodeCache

FOLDER = "KABOOM_TEST_TEMPLATES"


def folder_of_this_run() -> Callable[[], None]:
    """Make a folder for the templates of all processes this one starts; return what removes it."""
    path = os.environ[FOLDER] = tempfile.mkdtemp(prefix="kaboom-templates-")
    return lambda: shutil.rmtree(path)


def compiled_once(app: Flask) -> None:
    """Let an application take what another process of this run has compiled."""
    if FOLDER in os.environ:
        app.jinja_env.bytecode_cache = FileSystemBytecodeCache(os.environ[FOLDER])
