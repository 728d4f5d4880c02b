"""Ways to damage stored data: changed bytes, missing rows, values of another type."""

from sqlalchemy import text

from kaboom.engine.codec import from_json, to_json
from kaboom.tables import queries
from kaboom.tables.table import Table


def run(tables, statement, **values):
    """Change the database directly, behind the server's back, and clear the caches.

    The triggers that keep the log append-only are disabled meanwhile, since a failing disk ignores
    them.
    """

    def work(connection):
        guards = []
        if tables.database.sqlite:
            found = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            guards = connection.execute(text(found)).all()
            for name, _ in guards:
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        connection.execute(text(statement), values)
        for _, guard in guards:
            connection.exec_driver_sql(guard)

    tables.database.write(work)
    tables.seen.clear()


def flipped(data: bytes, at: int) -> bytes:
    """Return the bytes with one bit flipped."""
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]


def stored(tables, code):
    return tables.database.read(lambda connection: queries.table(connection, code))


def flip_body(tables, code, at=40):
    sealed = tables.database.read(
        lambda c: c.execute(text("SELECT body FROM tables WHERE code = :code"), {"code": code})
    )
    run(
        tables,
        "UPDATE tables SET body = :body, version = version + 1 WHERE code = :code",
        body=flipped(bytes(sealed.scalar()), at),
        code=code,
    )


def flip_move(tables, code, seq=3, at=15):
    match_id = stored(tables, code).match_id
    keys = {"match_id": match_id, "seq": seq}
    where = "WHERE match_id = :match_id AND seq = :seq"
    sealed = tables.database.read(
        lambda c: c.execute(text(f"SELECT text FROM moves {where}"), keys).scalar()
    )
    run(tables, f"UPDATE moves SET text = :text {where}", text=flipped(bytes(sealed), at), **keys)


def drop_move(tables, code, seq=3):
    match_id = stored(tables, code).match_id
    run(tables, "DELETE FROM moves WHERE match_id = :m AND seq = :seq", m=match_id, seq=seq)


def flip_seed(tables, code, at=20):
    match_id = stored(tables, code).match_id
    sealed = tables.database.read(
        lambda c: c.execute(text("SELECT seed FROM matches WHERE id = :m"), {"m": match_id})
    )
    seed = flipped(bytes(sealed.scalar()), at)
    run(tables, "UPDATE matches SET seed = :seed WHERE id = :m", seed=seed, m=match_id)
    touch(tables, code)


def other_rules(tables, code, version=0):
    """As after installing a game's next version."""
    match_id = stored(tables, code).match_id
    run(tables, "UPDATE matches SET game_version = :v WHERE id = :m", v=version, m=match_id)
    touch(tables, code)


def touch(tables, code):
    run(tables, "UPDATE tables SET version = version + 1 WHERE code = :code", code=code)


def change_body(tables, code, change):
    """Store the table's body after `change`, as another release would have written it."""
    row = stored(tables, code)
    table = from_json(row.body, Table)
    change(table)

    def work(connection):
        values = {"body": to_json(table), "version": row.version + 1}
        queries.save_table(connection, row.id, values)

    tables.database.write(work)
    tables.seen.clear()
