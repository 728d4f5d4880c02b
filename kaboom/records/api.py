"""A finished match for API clients: its record, its log, or one step."""

from collections.abc import Iterable, Iterator

from flask import Response

from kaboom.engine.i18n import gettext as _
from kaboom.engine.views import OPEN
from kaboom.records.pages import FORGED, MatchPage
from kaboom.table_page.text import lines_of
from kaboom.web.api.responses import answer
from kaboom.web.api.schemas import Forged, Step, Told


def match(page: MatchPage, title: str, lines: Iterable[str]) -> Response:
    """Return a finished match as a response: its record as JSON, or its log as text."""
    record = page.replay.record
    if not page.wrong:
        return answer(record, [title, *lines])
    return answer(Forged(wrong=page.wrong, claims=record), _forged(page, [title, *lines]))


def _forged(page: MatchPage, lines: Iterable[str]) -> Iterator[str]:
    """Yield the faults of a record, and then its lines, each marked as not genuine."""
    yield f"{_('This record is not genuine:')} {' '.join(page.wrong)}"
    yield from (line if _(FORGED) in line else page.marked(line) for line in lines)


def step(page: MatchPage) -> Response:
    """Return a step of a finished match as a response."""
    at, game, view, table = page.step, page.replay.game, page.view(), page.table()
    links = {"self": page.link(at, ".json"), "text": page.link(at, ".txt"), "page": page.link(at)}
    if at > 0:
        links["before"] = page.link(at - 1, ".json")
    if at < page.replay.last:
        links["after"] = page.link(at + 1, ".json")
    if page.may_play_on(at):
        links["play_on"] = f"{page.at}/play"
    found = Step(
        code=page.code,
        game=game.key,
        game_version=page.record.game_version,
        genuine=not page.wrong,
        wrong=page.wrong,
        step=at,
        last=page.replay.last,
        seat=page.names.me,
        open=page.seat == OPEN,
        names=list(page.names.seats),
        text=table.saying,
        zones=view.zones,
        facts=view.facts,
        scores=view.scores,
        said=[Told(kind, text) for kind, text in page.heard(at)],
        links=links | ({} if page.around.own is not None else {"record": f"{page.at}.json"}),
    )
    where = _("step {number} of {last}", number=at, last=page.replay.last)
    lines = [f"{game.name} {page.code}, {where}", *lines_of(table)]
    return answer(found, _forged(page, lines) if page.wrong else lines)
