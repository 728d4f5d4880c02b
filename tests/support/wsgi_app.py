"""Kaboom as it is; its templates are compiled once for all servers of a test run.

`gunicorn tests.support.wsgi_app:app` serves it.
"""

from tests.support.template_cache import compiled_once
from wsgi import app

__all__ = ["app"]

compiled_once(app)
