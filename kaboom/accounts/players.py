"""Players, identified by the session keys of their browsers."""

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.names import require_readable_name
from kaboom.db.services import Services


def player(services: Services, key_hash: str, name: str) -> tuple[int, str]:
    """Return the id and cleaned name of that session key's player, who is stored or renamed as
    needed. Raises InvalidState if the name has no visible character.
    """
    name = require_readable_name(name)

    def work(connection: Connection) -> tuple[int, str]:
        known = player_queries.acting(connection, key_hash, services.now())
        if known is None:
            return player_queries.add_player(connection, key_hash, name, services.now()), name
        if known[1] != name:
            player_queries.rename(connection, known[0], name)
        return known[0], name

    return services.database.write(work)


def known(services: Services, key_hash: str) -> tuple[int, str] | None:
    """Return the id and name of the player with that session key, or None.

    Without a key there is no query.
    """
    if not key_hash:
        return None
    return services.database.read(lambda connection: player_queries.player(connection, key_hash))


def knows(services: Services, key_hash: str) -> bool:
    """Return True if a player has that key."""
    return known(services, key_hash) is not None


def note_active(services: Services, key_hash: str) -> None:
    """Record that the player with that session key is active now."""
    services.database.write(lambda c: player_queries.acting(c, key_hash, services.now()))
