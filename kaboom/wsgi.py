"""Production entry for gunicorn: gevent's patches first, then the application."""

from gevent import monkey

monkey.patch_all()

from kaboom.web.app import create_app  # noqa: E402  (everything must be imported patched)

app = create_app()
