"""The same parts as bench.frozen, as they are today: for the reference's second column."""

from kaboom.push import Hub, TableEvents
from kaboom.store.database import Database
from kaboom.web.guard import HEADERS

__all__ = ["HEADERS", "Database", "Hub", "TableEvents"]
