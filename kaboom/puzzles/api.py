"""Puzzles as JSON and as text."""

from collections.abc import Iterator, Sequence

from flask import Response

from kaboom.engine.bots.analysis import analysis_of
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.games import GAMES
from kaboom.puzzles.book import Puzzle, book
from kaboom.puzzles.pages import PuzzlePage
from kaboom.puzzles.schemas import (
    PuzzleLine,
    PuzzleMove,
    PuzzlePosition,
    Puzzles,
    PuzzleValue,
)
from kaboom.puzzles.service import Standing
from kaboom.table_page.text import text_of
from kaboom.web.api.negotiation import columns
from kaboom.web.api.responses import answer
from kaboom.web.api.schemas import Told
from kaboom.web.links import rooted


def listed(some: Sequence[tuple[str, Puzzle]], standing: Standing) -> Response:
    """Return the response with a list of puzzles and the reader's results."""
    shape = Puzzles(
        puzzles=[_line(key, it, standing) for key, it in some],
        games={key: len(book(key)) for key in GAMES if book(key)},
        rating=standing.rating.points,
        spread=standing.rating.spread,
        tried=len(standing.tries),
        right=standing.right,
        streak=standing.streak,
        missed=[it.id for it in standing.missed],
    )
    return answer(shape, _told(some))


def _line(key: str, puzzle: Puzzle, standing: Standing) -> PuzzleLine:
    at = rooted(f"/puzzle/{puzzle.id}")
    return PuzzleLine(
        id=puzzle.id,
        game=key,
        theme=puzzle.theme,
        strength=puzzle.strength,
        tried=puzzle.id in standing.tried,
        links={"self": f"{at}.json", "text": f"{at}.txt", "page": at},
    )


def _told(some: Sequence[tuple[str, Puzzle]]) -> Iterator[str]:
    yield _("Puzzles")
    for key in (it for it in GAMES if book(it)):
        count = len(book(key))
        yield f"{GAMES[key].name}: " + ngettext("{count} puzzle", "{count} puzzles", count)
        yield f"GET {rooted(f'/puzzles/{key}')}.txt"
    for key, it in some:
        yield f"{GAMES[key].name} {it.id}: {it.theme}, {it.strength}"
        yield f"GET {rooted(f'/puzzle/{it.id}')}.txt"


def puzzle(page: PuzzlePage, onward: str, status: int = 200) -> Response:
    """Return the response with a puzzle; `onward` is the URL of the next one, or empty."""
    table = page.table(asks=False)
    view = table.seen
    links = {"self": f"{page.at}.json", "text": f"{page.at}.txt", "page": page.at}
    links |= {"answer": f"{page.at}/answer", "show": f"{page.at}.json?show=1"}
    links["play"] = f"{page.at}/play"
    if page.answered and onward:
        links["next"] = f"{onward}.json"
    shape = PuzzlePosition(
        id=page.puzzle.id,
        game=page.game.key,
        theme=page.puzzle.theme,
        strength=page.puzzle.strength,
        saying=table.saying,
        names=list(page.names.seats),
        me=page.puzzle.seat,
        zones=view.zones,
        facts=view.facts,
        heard=[Told(line.kind, line.text) for line in table.log],
        known=page.known,
        moves=[PuzzleMove(move=move, label=label) for move, label in page.moves],
        unit=analysis_of(page.game).unit,
        tried=page.tried,
        right=page.right if page.tried else None,
        values=_values(page) if page.answered else [],
        why=page.why if page.answered else "",
        links=links,
    )
    return answer(shape, _lines(page, onward), status)


def _values(page: PuzzlePage) -> list[PuzzleValue]:
    return [
        PuzzleValue(
            move=it.text,
            label=page.label(it.value),
            worth=it.value.worth,
            spread=it.value.spread,
            low=it.value.low,
            high=it.value.high,
            deals=it.value.deals,
            right=it.right,
        )
        for it in page.lines
    ]


def _lines(page: PuzzlePage, onward: str) -> Iterator[str]:
    """Yield the lines of a puzzle: the question, the table, the moves, and the answer if shown."""
    yield f"{page.game.name}: {page.theme} ({page.strength})"
    yield _("What do you play?")
    yield from text_of(page.table(asks=False), columns()).splitlines()[1:]
    yield from page.known
    for move, label in page.moves:
        yield f"{move}: {label}"
    yield f"answer: POST {page.at}/answer move=…"
    if not page.answered:
        yield f"show: GET {page.at}.txt?show=1"
        return
    if page.tried:
        yield _("Right.") if page.right else _("Another move is worth more.")
    yield page.why
    yield f"{page.unit}:"
    for it in page.lines:
        margin = f" (± {it.margin})" if it.margin else ""
        yield f"{'*' if it.right else '-'} {page.label(it.value)}: {it.told}{margin}"
    if onward:
        yield f"next: GET {onward}.txt"
