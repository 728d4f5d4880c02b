"""Work that must not stop gevent's loop, done in a native thread of its own."""

from collections.abc import Callable
from contextvars import copy_context
from typing import Any


def here(work: Callable[..., Any], *args: Any) -> Any:
    """Return work(*args), done where it is asked for."""
    return work(*args)


def one_thread() -> Callable[..., Any]:
    """Return a function (work, *args) that runs work in one thread, a piece after the other.

    The greenlet that asks waits, the others go on; the work finds its context variables (such as
    the language spoken). Without gevent it runs where it is asked for.
    """
    try:
        from gevent.monkey import is_module_patched
        from gevent.threadpool import ThreadPool
    except ImportError:
        return here
    if not is_module_patched("threading"):
        return here
    pool: Any = ThreadPool(1)

    def there(work: Callable[..., Any], *args: Any) -> Any:
        result, error = pool.apply(copy_context().run, (_done, work, *args))
        if error is not None:
            raise error
        return result

    return there


def _done(work: Callable[..., Any], *args: Any) -> tuple[Any, Exception | None]:
    """Return what work returns, and what it raises.

    gevent writes whatever is raised in its threads to the log, with the sentence: a refused move
    is no error, and its sentence may name a card.
    """
    try:
        return work(*args), None
    except Exception as error:
        return None, error
