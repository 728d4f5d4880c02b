"""Run work that must not block gevent's loop in separate native threads."""

from collections.abc import Callable
from contextvars import copy_context
from threading import BoundedSemaphore
from typing import Any


class Full(Exception):
    """Too much work is waiting, so no more is accepted."""


def here(work: Callable[..., Any], *args: Any) -> Any:
    """Return work(*args), called in the current thread."""
    return work(*args)


def threads(count: int = 1) -> Callable[..., Any]:
    """Return a function (work, *args) that runs work in this many threads, first come, first
    served.

    The calling greenlet waits, while the others continue; the work sees the caller's context
    variables (such as the current language). Without gevent it runs in the calling thread.
    """
    try:
        from gevent.monkey import is_module_patched
        from gevent.threadpool import ThreadPool
    except ImportError:
        return here
    if not is_module_patched("threading"):
        return here
    pool: Any = ThreadPool(count)

    def there(work: Callable[..., Any], *args: Any) -> Any:
        result, error = pool.apply(copy_context().run, (_done, work, *args))
        if error is not None:
            raise error
        return result

    return there


def bounded(run: Callable[..., Any], most: int) -> Callable[..., Any]:
    """Return `run` with a limit on its work, including waiting work; beyond it, Full is raised."""
    free = BoundedSemaphore(most)

    def admitted(work: Callable[..., Any], *args: Any) -> Any:
        if not free.acquire(blocking=False):
            raise Full
        try:
            return run(work, *args)
        finally:
            free.release()

    return admitted


def _done(work: Callable[..., Any], *args: Any) -> tuple[Any, Exception | None]:
    """Return the result of the work (or None) and the error it raised (or None).

    gevent logs whatever is raised in its threads, with its message. But a refused move is not an
    error, and its message may name a card.
    """
    try:
        return work(*args), None
    except Exception as error:
        return None, error
