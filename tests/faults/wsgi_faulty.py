"""What gunicorn loads for servers that are to fail: everything imported, and no application yet."""

from typing import Any

from gevent import monkey

monkey.patch_all()

from tests.faults.points import faulty_app  # noqa: E402  (everything must be imported patched)

__all__ = ["app", "faulty_app"]


def app(environ: dict[str, Any], start_response: Any) -> Any:
    """Stand in until a worker has its own (tests/faults/gunicorn_faulty.py)."""
    raise RuntimeError("the worker has not begun")
