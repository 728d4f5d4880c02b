"""Puzzles: lists, the puzzle of the day, a position with its question and answer, and playing
on.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from flask import Blueprint, abort, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.accounts import players
from kaboom.accounts.api_keys.auth import require_person
from kaboom.accounts.current import ensure_key, known_player, name_in_header
from kaboom.accounts.names import require_readable_name
from kaboom.db.database import Unavailable
from kaboom.db.times import DAY, begins, day_of
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.engine.toolkit.cards import joined
from kaboom.games import GAMES
from kaboom.puzzles import api, service
from kaboom.puzzles.answers import meant, sent
from kaboom.puzzles.book import InvalidPuzzle, Puzzle, book, numbers, reached
from kaboom.puzzles.pages import STRENGTHS, PuzzlePage
from kaboom.records.play_on_routes import submitted_level, submitted_name
from kaboom.table_page.exercise_forms import LONGEST, made_in_form, made_in_query, sent_value
from kaboom.table_page.responses_api import opened
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.atom import Entry, feed, public_feed
from kaboom.web.errors import sentence_of
from kaboom.web.links import absolute
from kaboom.web.rules_pages import rules_of
from kaboom.web.session import command

bp = Blueprint("puzzles", __name__)

MISSED = 20  # missed puzzles in the list, at most


class Shelf(NamedTuple):
    """The puzzles of a game in the list: how many, by theme and strength, and the next one."""

    key: str
    every: int
    tried: int
    solved: int
    themes: Sequence[tuple[str, str, int]]  # anchor, words, number of puzzles
    strengths: Sequence[tuple[str, int]]
    untried: str


class Square(NamedTuple):
    """A puzzle in the grid of its game: its number within the game, the rank of its difficulty,
    and what the reader made of it.
    """

    puzzle: Puzzle
    number: int
    at: int
    solved: bool
    tried: bool


def today() -> date:
    """Return today's date in UTC, by the tables' clock."""
    return day_of(tables().now())


def _player() -> int | None:
    found = known_player()
    return found[0] if found else None


@bp.get("/puzzles")
@bp.get("/puzzles.json", endpoint="index_json")
@bp.get("/puzzles.txt", endpoint="index_text")
def index() -> Response:
    """Show the games with puzzles, the puzzle of the day, and the reader's results."""
    standing, daily = service.standing(tables(), _player()), service.of_day(today())
    if not wants_html():
        rate_limits.count_request()
        return api.listed([daily] if daily else [], standing)
    page = render(
        "puzzles/index.html",
        shelves=[_shelf(key, standing) for key in GAMES if book(key)],
        standing=standing,
        missed=[(it, *service.place(it)) for it in standing.missed[:MISSED]],
        daily=daily,
        without=[game.name for key, game in GAMES.items() if not book(key)],
        joined=joined,
    )
    return make_response(page)


def _shelf(key: str, standing: service.Standing) -> Shelf:
    own, headings = list(book(key).values()), _headings(GAMES[key])
    untried = service.after(tables(), key, standing)
    themes, strengths = Counter(it.theme for it in own), Counter(it.strength for it in own)
    return Shelf(
        key,
        len(own),
        sum(it.id in standing.tried for it in own),
        sum(it.solved for it in standing.tries if it.game == key),
        [(slug, headings.get(slug, slug), count) for slug, count in themes.most_common()],
        [(_(words), strengths[it]) for it, words in STRENGTHS.items() if strengths[it]],
        untried.id if untried else "",
    )


def _headings(game: Game[Any]) -> dict[str, str]:
    """Return the chapters of a game's rules by their anchors, which are the themes of puzzles."""
    return {slug: text for _level, slug, text in rules_of(game, game.options()).contents}


@bp.get("/puzzles/<key>")
@bp.get("/puzzles/<key>.json", endpoint="game_json")
@bp.get("/puzzles/<key>.txt", endpoint="game_text")
def game(key: str) -> Response:
    """Show the puzzles of a game, by theme and strength."""
    found = GAMES.get(key) or abort(404, _("There is no game with that name."))
    standing, own = service.standing(tables(), _player()), list(book(key).values())
    if not wants_html():
        rate_limits.count_request()
        return api.listed([(key, it) for it in own], standing)
    themes: dict[str, list[Square]] = {}
    order = list(STRENGTHS)
    for it in sorted(own, key=lambda it: order.index(it.strength)):
        of_theme = themes.setdefault(it.theme, [])
        at = order.index(it.strength)
        solved, tried = it.id in standing.solved, it.id in standing.tried
        of_theme.append(Square(it, numbers(key)[it.id], at, solved, tried))
    untried = service.after(tables(), key, standing)
    page = render(
        "puzzles/game.html",
        game=found,
        themes=themes,
        headings=_headings(found),
        strengths=STRENGTHS,
        standing=standing,
        tried=any(it.tried for own in themes.values() for it in own),
        untried=untried,
    )
    return make_response(page)


@bp.get("/puzzles/day")
def of_day() -> Response:
    """Redirect to the puzzle of the day."""
    daily = service.of_day(today()) or abort(404, _("There are no puzzles yet."))
    return redirect(url_for("puzzles.show", puzzle=daily[1].id), 303)


@bp.get("/puzzles.atom")
@rate_limits.limiter.limit("30 per minute")
def atom() -> Response:
    """Return the puzzles of the last days as an Atom feed."""
    entries = []
    for back in range(service.DAYS):
        day = today() - timedelta(days=back)
        if daily := service.of_day(day):
            title = _("Puzzle for {day}: {game}", day=day.isoformat(), game=GAMES[daily[0]].name)
            link = absolute("puzzles.show", puzzle=daily[1].id)
            entries.append(Entry(f"puzzle/{day.isoformat()}", title, begins(day), link))
    base, page = absolute("pages.home").rstrip("/"), absolute("puzzles.index")
    now = tables().now()
    updated = entries[0].updated if entries else now - now % DAY
    title = _("Kaboom: puzzle of the day")
    made = feed("puzzles", title, base, page, absolute("puzzles.atom"), updated, entries)
    return public_feed(made)


def _found(puzzle: str, show: bool = False, made: tuple[str, ...] = ()) -> PuzzlePage:
    found = service.find(puzzle) or abort(404, _("There is no such puzzle."))
    try:
        position = reached(found[0], found[1])
    except InvalidPuzzle:
        abort(404, _("There is no such puzzle."))
    at = url_for("puzzles.show", puzzle=puzzle)
    return PuzzlePage(found[1], position, at, show=show, made=made, name=name_in_header())


@bp.get("/puzzle/<puzzle>")
@bp.get("/puzzle/<puzzle>.json", endpoint="show_json")
@bp.get("/puzzle/<puzzle>.txt", endpoint="show_text")
@rate_limits.limiter.limit("120 per minute")
def show(puzzle: str) -> Response:
    """Show a position and its question; with `tried` or `show`, also the answer. `made` has moves
    that prepare one; with `list`, the moves are in a list.
    """
    page = _found(puzzle, "show" in request.args, made_in_query())
    page = replace(page, listed="list" in request.args and not page.show)
    if tried := request.args.get("tried", "")[:LONGEST]:
        try:
            page = _with(page, sent(meant(page.puzzle, page.position, tried)))
        except Refusal as no:
            return _answer(page, no)
    return _answer(page)


def _with(page: PuzzlePage, tried: str) -> PuzzlePage:
    return replace(page, tried=tried, made=(), listed=False)


def _answer(page: PuzzlePage, no: Refusal | Unavailable | None = None) -> Response:
    """Return the puzzle in the requested format; `no` is the reason for a refusal."""
    standing = service.standing(tables(), _player())
    onward = ""
    if page.answered:
        after = service.after(tables(), page.game.key, standing, page.puzzle)
        onward = url_for("puzzles.show", puzzle=after.id) if after else ""
    if not wants_html():
        if no is not None:
            raise no
        return api.puzzle(page, onward)
    html = render(
        "puzzles/show.html",
        page=page,
        table=page.table(),
        onward=onward,
        standing=standing,
        refused=sentence_of(no) if no else "",
    )
    return make_response(html, no.status if no else 200)


@bp.post("/puzzle/<puzzle>/answer")
@rate_limits.both(player="120 per minute", address="600 per minute")
def answer(puzzle: str) -> Response:
    """Check a move; the first attempt of a known player is stored."""
    return _checked(_found(puzzle), request.form.get("move", "")[:LONGEST].strip())


@bp.post("/puzzle/<puzzle>/move")
@rate_limits.both(player="120 per minute", address="600 per minute")
def move(puzzle: str) -> Response:
    """Check a move made on the table, like an answer, or show the table after one that prepares it.

    The forms are those of a table: a token before each move, and the moves so far in `v`.
    """
    page = _found(puzzle, made=made_in_form())
    _token, _unused, text = sent_value().strip().partition(" ")
    if text.split(" ")[0] in page.game.pieces:
        return redirect(url_for("puzzles.show", puzzle=puzzle, made=[*page.made, text]), 303)
    return _checked(page, text)


def _checked(page: PuzzlePage, text: str) -> Response:
    try:
        value = meant(page.puzzle, page.position, text, page.made)
    except Refusal as no:
        return _answer(page, no)
    page = _with(page, sent(value))
    try:
        player = _player() or _named()
    except (Refusal, Unavailable) as no:
        return _answer(page, no)
    if player is not None:
        service.note(tables(), player, page.game.key, page.puzzle, page.right)
    if not wants_html():
        return _answer(page)
    return redirect(url_for("puzzles.show", puzzle=page.puzzle.id, tried=page.tried), 303)


def _named() -> int | None:
    """Return the id of a new player of the name in the form, or None without one."""
    if not wants_html() or not (name := request.form.get("name", "")):
        return None
    return players.player(tables(), ensure_key(), require_readable_name(name))[0]


@bp.post("/puzzle/<puzzle>/play")
@rate_limits.both(player="15 per minute; 100 per hour", address="20 per minute; 200 per hour")
def play(puzzle: str) -> Response:
    """Open a table that continues from a puzzle, and redirect to it."""
    page = _found(puzzle)
    try:
        require_person()
        level = submitted_level()
        player, name = players.player(tables(), ensure_key(), submitted_name())
        at = service.play_on(tables(), page.position, page.puzzle, level, player, name, command())
    except (Refusal, Unavailable) as no:
        if not wants_html():
            raise  # answered by the application's error handler
        return _answer(page, no)
    return opened(at)
