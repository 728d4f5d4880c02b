"""Statements: compiled once for all stores of a test process, and all told by SQLAlchemy's events.

SQLAlchemy compiles a statement where an engine first runs it, and nearly every test has a store of
its own.
"""

from typing import Any

from sqlalchemy import Dialect

from kaboom.db.database import Database
from kaboom.tables import queries

COMPILED: dict[tuple[bool, str], tuple[Dialect, dict[Any, Any]]] = {}


def prepared(database: Database) -> Database:
    """Let a store take what was compiled for another of its kind; return it."""
    for role, engine in (("reads", database._reader), ("writes", database._writer)):
        kind = (database.sqlite, role)
        if kind not in COMPILED:
            engine.connect().close()  # a dialect learns from its first connection
            COMPILED[kind] = (engine.dialect, {})
        engine.dialect, compiled = COMPILED[kind]
        engine.update_execution_options(compiled_cache=compiled)
    return database


def by_sqlalchemy(patched: Any) -> None:
    """Let no statement go past SQLAlchemy (kaboom.db.fast_path), so that its events tell of all."""
    patched.setattr(queries, "rows", lambda at, asked, values: at.execute(asked, values).all())
    patched.setattr(queries, "change", lambda at, asked, values: at.execute(asked, values))
