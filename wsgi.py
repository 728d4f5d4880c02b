"""For `gunicorn -c kaboom/gunicorn_conf.py wsgi:app` and `flask --app wsgi` in a checkout."""

from kaboom.wsgi import app

__all__ = ["app"]
