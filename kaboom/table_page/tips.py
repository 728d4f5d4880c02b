"""Tips for newcomers at a table, and which of them have been read.

A newcomer is a player who has not finished a match of the game. A cookie stores what was read:
"gops.ties" is one tip, "gops" all tips of that game.
"""

from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import Any

from flask import Flask, current_app, g, request
from werkzeug.wrappers import Response

from kaboom.engine.table_view import TablePage
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.tips import TipLine, Told
from kaboom.engine.views import Prompt, View
from kaboom.games import GAMES
from kaboom.tables import match_queries
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.session import cookie_name, keep_cookie

COOKIE = "kb-tips"
REMEMBERED = 10_000  # players, per worker, of whom it is cached how many matches they have finished
# All tips of each game, and each of them.
ALL = frozenset(GAMES).union(f"{key}.{tip}" for key, game in GAMES.items() for tip in game.tips)
FIRST_MATCHES = 3  # of a game, in which risky moves are to be confirmed (Asking.FIRST)


def init_app(app: Flask) -> None:
    """Create the record of newcomers, `extensions["kaboom.newcomers"]`."""
    app.extensions["kaboom.newcomers"] = lru_cache(maxsize=REMEMBERED)(_finished_before)
    app.jinja_env.globals["tips_read"] = read


def _finished_before(player: int, game: str, match: str) -> int:
    """Return the number of matches of a game that a player had finished when this match was first
    shown, counted up to FIRST_MATCHES.
    """
    return tables().database.read(
        lambda c: match_queries.finished_of_game(c, player, game, FIRST_MATCHES)
    )


def is_newcomer(snapshot: TableSnapshot, matches: int = 1) -> bool:
    """Return True if this is one of the viewer's first `matches` of this game, at most
    FIRST_MATCHES.
    """
    finished_before = current_app.extensions["kaboom.newcomers"]
    match = f"{snapshot.code} {snapshot.table.match}"
    if not snapshot.player:
        return False
    return bool(finished_before(snapshot.player, snapshot.game.key, match) < matches)


def tip_of(
    snapshot: TableSnapshot, view: View | None, prompt: Prompt | None, options: Any, names: Names
) -> TipLine | None:
    """Return the tip for a newcomer at this moment of a match, or None."""
    game, player = snapshot.game, snapshot.player
    if not (game.tips and snapshot.table.playing and view and player and names.me is not None):
        return None
    known = read()
    if game.key in known or snapshot.frozen or snapshot.closed:
        return None
    if not is_newcomer(snapshot):
        return None
    key, facts = _first_new(game.tips_for(view, prompt, options), game.key, known)
    tip, again = game.tips[key], f"{game.key}.{key}" in known
    return TipLine(key, game.words.fill(tip.text, facts, names), tip.rule, again)


def _first_new(moment: Iterable[Told], game: str, known: Set[str]) -> Told:
    """Return the first unread tip for this moment, or else the last tip, which says how to win."""
    for told in moment:
        if f"{game}.{told[0]}" not in known:
            break
    return told


def aim(page: TablePage) -> str:
    """Return the tip about how to win, for “What is going on?”; "" if there is none."""
    told = _that_fit(page)
    if not told:
        return ""
    key, facts = told[-1]
    return page.game.words.fill(page.game.tips[key].text, facts, page.names)


def rule(page: TablePage) -> str:
    """Return the heading of the rules page for this moment, or ""."""
    told = _that_fit(page)
    return page.game.tips[told[0][0]].rule if told else ""


def _that_fit(page: TablePage) -> Sequence[Told]:
    """Return the tips that fit a player's moment in a match, the most urgent first."""
    if page.view is None or page.viewer is None or not page.playing:
        return ()
    return tuple(page.game.tips_for(page.view, page.prompt, page.options))


def read() -> Set[str]:
    """Return the tips that this browser's player has read and that still exist."""
    found: Set[str] | None = g.get("tips")
    if found is None:
        cookie = request.cookies.get(cookie_name(COOKIE), "")
        found = g.tips = ALL.intersection(cookie.split("&"))
    return found


def keep(response: Response) -> None:
    """Set the cookie that stores which tips have been read."""
    keep_cookie(response, COOKIE, "&".join(sorted(read())))


def mark_as_read(what: str) -> None:
    """Mark a tip, or all tips of a game, as read."""
    game = what.split(".")[0]
    whole = {known for known in read() if what == game and known.startswith(f"{game}.")}
    g.tips = ((read() - whole) | {what}) & ALL


def mark_as_unread(game: str) -> None:
    """Mark all tips of a game as unread."""
    g.tips = frozenset(known for known in read() if known.split(".")[0] != game)
