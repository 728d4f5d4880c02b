"""The application, with a page that shows the number of greenlets of its worker.

`gunicorn tests.chaos.counted:app` serves it.
"""

import gc

from greenlet import greenlet

from wsgi import app

__all__ = ["app"]


@app.get("/greenlets")
def greenlets() -> str:
    """Return the number of living greenlets."""
    gc.collect()
    return str(sum(isinstance(each, greenlet) and not each.dead for each in gc.get_objects()))
