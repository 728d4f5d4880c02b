"""What newcomers are told at a table, and what they have read of it.

A newcomer to a game has finished no match of it. What was read is kept by the browser in a cookie,
as its looks are: "gops.ties" is one sentence, "gops" all of that game.
"""

from collections.abc import Iterable, Set
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
REMEMBERED = 10_000  # newcomers and others, of whom a worker need not ask the store again


def init_app(app: Flask) -> None:
    """Let an application remember who is a newcomer, as `extensions["kaboom.newcomers"]`."""
    app.extensions["kaboom.newcomers"] = lru_cache(maxsize=REMEMBERED)(_is_newcomer)
    app.jinja_env.globals["tips_read"] = read


def _is_newcomer(player: int, game: str, match: str) -> bool:
    """Say whether a player had finished no match of a game when this match was first looked at."""
    return not tables().database.read(lambda c: match_queries.has_finished(c, player, game))


def is_newcomer(snapshot: TableSnapshot) -> bool:
    """Say whether the viewer had finished no match of this game when this one began."""
    newcomers = current_app.extensions["kaboom.newcomers"]
    match = f"{snapshot.code} {snapshot.table.match}"
    return bool(snapshot.player and newcomers(snapshot.player, snapshot.game.key, match))


def tip_of(
    snapshot: TableSnapshot, view: View | None, prompt: Prompt | None, options: Any, names: Names
) -> TipLine | None:
    """Return what a player is told at this moment of a match; None for those who are no newcomers
    or want no more tips.
    """
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
    """Return the first tip of the moment that was not read yet, or else the last: what wins."""
    for told in moment:
        if f"{game}.{told[0]}" not in known:
            break
    return told


def aim(page: TablePage) -> str:
    """Return what wins, for “What is going on?”; nothing if no tip says so."""
    if page.view is None or page.viewer is None or not page.playing or not page.game.tips:
        return ""
    *_, (key, facts) = page.game.tips_for(page.view, page.prompt, page.options)
    return page.game.words.fill(page.game.tips[key].text, facts, page.names)


def rule(page: TablePage) -> str:
    """Return the heading of the rules page that this moment is about; nothing where none is."""
    if page.view is None or page.viewer is None or not page.playing:
        return ""
    for key, _ in page.game.tips_for(page.view, page.prompt, page.options):
        return page.game.tips[key].rule
    return ""


def read() -> Set[str]:
    """Return the tips that this browser's owner has read, as far as they exist."""
    found: Set[str] | None = g.get("tips")
    if found is None:
        found = g.tips = _known(request.cookies.get(cookie_name(COOKIE), ""))
    return found


@lru_cache(maxsize=1000)
def _known(cookie: str) -> Set[str]:
    return frozenset(cookie.split("&")).intersection(_all())


@lru_cache(maxsize=1)
def _all() -> Set[str]:
    sentences = (f"{key}.{name}" for key, game in GAMES.items() for name in game.tips)
    return frozenset(GAMES).union(sentences)


def keep(response: Response) -> None:
    """Have the browser keep what was read."""
    keep_cookie(response, COOKIE, "&".join(sorted(read())))


def mark_as_read(what: str) -> None:
    """Count a tip, or all tips of a game, as read from now on."""
    game = what.split(".")[0]
    whole = {known for known in read() if what == game and known.startswith(f"{game}.")}
    g.tips = ((read() - whole) | {what}) & _all()


def mark_as_unread(game: str) -> None:
    """Count nothing of a game as read: its tips begin again."""
    g.tips = frozenset(known for known in read() if known.split(".")[0] != game)
