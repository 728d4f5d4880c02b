"""The application for tests, with templates compiled once for all servers of a run.

`gunicorn tests.support.wsgi_app:app` serves it.
"""

from tests.support.template_cache import compiled_once
from wsgi import app

__all__ = ["app"]

compiled_once(app)
