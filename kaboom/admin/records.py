"""What the record of a match shows to the server's hosts."""

from sqlalchemy import Connection

from kaboom.admin import match_queries
from kaboom.admin.pages import by_host
from kaboom.ratings import queries as ratings
from kaboom.tables.context import tables


def state_of_record(code: str) -> str:
    """Return "out" if a host has removed a match from the ratings, "rated" if the requester is a
    host who could do so, otherwise "".
    """
    host = by_host()

    def work(connection: Connection) -> str:
        if match_queries.taken_out(connection, [code]):
            return "out"
        return "rated" if host and ratings.counted(connection, [code]) else ""

    return tables().database.read(work)


def ended_by_host(code: str) -> bool:
    """Return True if a host has ended this match; False once its table is deleted."""
    return bool(tables().database.read(lambda c: match_queries.ended_by(c, [code])))
