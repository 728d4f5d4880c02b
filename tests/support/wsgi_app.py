"""Kaboom as it is; its templates are compiled once for all servers of a test run.

`gunicorn tests.served:app` serves it.
"""

from tests.templates import compiled_once
from wsgi import app

__all__ = ["app"]

compiled_once(app)
