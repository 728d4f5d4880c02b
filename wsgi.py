"""For `gunicorn -c kaboom/serving.py wsgi:app` and `flask --app wsgi` in a checkout."""

from kaboom.wsgi import app

__all__ = ["app"]
