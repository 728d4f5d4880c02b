"""Older releases of Python, which clients support."""

import shutil
import subprocess
import sys
from pathlib import Path


def python_of(release):
    """Return the program of a release of Python, such as "3.8", or else of the one that runs."""
    installed = Path.home().glob(f".pyenv/versions/{release}*/bin/python")
    for program in filter(None, [shutil.which(f"python{release}"), *installed]):
        if subprocess.run([program, "--version"], capture_output=True).returncode == 0:
            return str(program)
    return sys.executable
