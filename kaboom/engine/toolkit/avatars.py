"""Avatars: the style sheet's classes for a player's name, and the colours at a table."""

from functools import lru_cache
from zlib import crc32

COLOURS = 10  # the number of avatar colours in the style sheet


@lru_cache(maxsize=1024)
def face(name: str, colour: int, level: str) -> str:
    """Return the CSS classes of an avatar; all but the colour and a bot's level depend on the name.

    The classes of a bot end with its level.
    """
    number = crc32(name.encode())
    bot = (f"a{number % 2}", f"v{number // 2 % 2}", level)
    parts = bot if level else _features(number)
    return " ".join(("face", f"c{colour}", *parts))


@lru_cache(maxsize=1024)
def colours(names: tuple[str, ...], levels: tuple[str, ...] = ()) -> tuple[int, ...]:
    """Return the colour of each avatar at a table; `levels` are those of bots, empty for people.

    It does not depend on the seats, so it stays from match to match. No two are alike while there
    are enough colours. People choose first: beside bots, a person has the colour that they have
    everywhere.
    """
    bots = {name for name, level in zip(names, levels, strict=False) if level}
    free = set(range(COLOURS))
    found = {}
    for name in sorted(set(names), key=lambda name: (name in bots, name)):
        wished = crc32(name.encode()) // 12 % COLOURS
        after = ((wished + step) % COLOURS for step in range(COLOURS))
        found[name] = next((it for it in after if it in free), wished)
        free.discard(found[name])
    return tuple(found[name] for name in names)


def face_of(name: str, level: str = "") -> str:
    """Return the CSS classes of the avatar for a name outside a table; a bot has a level."""
    return face(name, colours((name,))[0], level)


def _features(number: int) -> tuple[str, str, str]:
    return f"t{number % 3}", f"e{number // 3 % 2}", f"m{number // 6 % 2}"
