"""Kaboom as it is, and how many greenlets its worker has.

`gunicorn tests.chaos.counted:app` serves it.
"""

import gc

from greenlet import greenlet

from wsgi import app

__all__ = ["app"]


@app.get("/greenlets")
def greenlets() -> str:
    """Return how many greenlets are alive."""
    gc.collect()
    return str(sum(isinstance(each, greenlet) and not each.dead for each in gc.get_objects()))
