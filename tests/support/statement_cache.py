"""Statements compiled once for all stores of a test process, all of them visible to SQLAlchemy's
events.

SQLAlchemy compiles a statement on an engine's first use, and nearly every test has a new store.
"""

from typing import Any

from sqlalchemy import Dialect

from kaboom.db.database import Database
from kaboom.tables import queries

COMPILED: dict[tuple[bool, str], tuple[Dialect, dict[Any, Any]]] = {}


def prepared(database: Database) -> Database:
    """Let a store use statements compiled for another of its kind; return it."""
    for role, engine in (("reads", database._reader), ("writes", database._writer)):
        kind = (database.sqlite, role)
        if kind not in COMPILED:
            engine.connect().close()  # a dialect learns from its first connection
            COMPILED[kind] = (engine.dialect, {})
        engine.dialect, compiled = COMPILED[kind]
        engine.update_execution_options(compiled_cache=compiled)
    return database


def by_sqlalchemy(patched: Any) -> None:
    """Disable the fast path (kaboom.db.fast_path), so that SQLAlchemy's events see every
    statement.
    """
    patched.setattr(queries, "rows", lambda at, asked, values: at.execute(asked, values).all())
    patched.setattr(queries, "change", lambda at, asked, values: at.execute(asked, values))
