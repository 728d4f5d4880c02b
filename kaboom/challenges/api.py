"""Challenges as JSON, text and speech."""

from collections.abc import Iterator, Sequence

from flask import Response
from msgspec import convert

from kaboom.challenges import schemas
from kaboom.challenges.day_comparison_service import DayBoard
from kaboom.challenges.pages import Compared, beside
from kaboom.challenges.round_service import RoundBoard
from kaboom.challenges.service import Challenge, Line
from kaboom.engine.i18n import gettext as _
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.web.api.negotiation import Format, response_format
from kaboom.web.api.responses import answer
from kaboom.web.links import rooted


def challenge(it: Challenge, lines: Sequence[Compared], status: int = 200) -> Response:
    """Return the response with a challenge as the requesting player may see it."""
    at = rooted(f"/challenge/{it.code}")
    found = schemas.Challenge(
        code=it.code,
        game=it.game.key,
        seat=it.seat,
        level=it.level,
        step=it.step,
        origin=it.origin,
        as_it_was=it.as_it_was,
        closes_at=it.closes_at,
        closed=it.closed,
        table=it.at,
        done=it.done,
        finished=it.finished,
        playing=it.playing,
        lines=[_line(each.line) for each in lines],
        commitment=it.commitment,
        cut=it.cut,
        secret=it.secret,
        links={"self": f"{at}.json", "text": f"{at}.txt", "page": at, "play": f"{at}/play"}
        | ({"table": rooted(f"/t/{it.at}.json")} if it.at else {}),
    )
    response = answer(found, _told(it, lines), status)
    if status == 201:
        response.headers["Location"] = found.links["self"]
    return response


def day(it: DayBoard, lines: Sequence[Compared]) -> Response:
    """Return the response with the comparison of a daily deal."""
    when = it.day.date.isoformat()
    daily = rooted(f"/daily/{when}")
    at = f"{daily}/compare"
    found = schemas.DayCompared(
        date=when,
        game=it.day.game.key,
        beaten=it.day.beaten,
        bars=convert(it.bars, list[schemas.DayBar], from_attributes=True),
        lines=[_line(each.line) for each in lines],
        links={"self": f"{at}.json", "text": f"{at}.txt", "page": at, "day": f"{daily}.json"},
    )
    title = _("Daily deal for {day}: {game}", day=when, game=it.day.game.name)
    return answer(found, [title, *_results(lines)])


def tournament_round(
    seen: TournamentSnapshot, it: RoundBoard, lines: Sequence[Compared]
) -> Response:
    """Return the response with the comparison of results on the cards of a tournament round."""
    at = rooted(f"/tournaments/{seen.code}/round/{it.round}/compare")
    found = schemas.RoundCompared(
        code=seen.code,
        round=it.round,
        open=it.open,
        seat=it.seat,
        lines=[_line(each.line) for each in lines],
        links={"self": f"{at}.json", "text": f"{at}.txt", "page": at},
    )
    return answer(found, [_("Round {round}, compared", round=it.round), *_results(lines)])


def _line(line: Line) -> schemas.ChallengeLine:
    parted = line.parted
    return schemas.ChallengeLine(
        name=line.name,
        mine=line.mine,
        place=line.place,
        points=line.points,
        left=line.left,
        record=line.record,
        compared=line.compared,
        parted=None if parted is None else [parted.decision, parted.one, parted.other],
    )


def _results(lines: Sequence[Compared]) -> Iterator[str]:
    for each in lines:
        line = each.line
        told = {"name": line.name, "place": line.place, "points": line.points}
        yield _("{name}: place {place}, points {points}", **told)
        yield from each.sentences


def _told(it: Challenge, lines: Sequence[Compared]) -> Iterator[str]:
    yield _("A challenge: {game}", game=it.game.name)
    yield beside(it)
    yield from _results(lines)
    if response_format() is not Format.SAY:
        yield f"{_('SHA-256 of the secret, published in advance:')} {it.commitment}"
