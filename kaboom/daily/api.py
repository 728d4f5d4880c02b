"""The daily deal and its calendar as JSON, text and speech."""

from collections.abc import Iterator, Sequence
from datetime import date

from flask import Response

from kaboom.daily import schemas
from kaboom.daily.service import Day
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.table_page.page_data import day as in_words
from kaboom.web.api.negotiation import Format, response_format
from kaboom.web.api.responses import answer
from kaboom.web.links import rooted

COMING, TODAY, OVER = "to-come", "today", "over"


def deal_of(
    chosen: date, it: Day | None, today: date, seats: int, calendar: Sequence[Day], result: str
) -> Response:
    """Return the response for a day's deal; `result` is the current player's result in words."""
    at = rooted(f"/daily/{chosen.isoformat()}")
    found = schemas.Day(
        date=chosen.isoformat(),
        stage=stage_of(chosen, today) if it else "",
        game=it.board.game if it else "",
        bots=seats - 1 if it else 0,
        table=it.at if it else "",
        finished=it is not None and it.result is not None,
        others=it.tries - 1 if it and it.result is not None else None,
        worse=it.worse if it and it.result is not None else None,
        commitment=it.board.commitment if it else "",
        cut=it.board.cut if it and it.open else "",
        secret=it.board.secret.hex() if it and it.closed else "",
        days=[
            schemas.OtherDay(other.date.isoformat(), other.board.game, stage_of(other.date, today))
            for other in calendar
        ],
        links={"self": f"{at}.json", "text": f"{at}.txt", "page": at}
        | ({"play": at} if it and it.open else {})
        | ({"table": rooted(f"/t/{it.at}.json")} if it and it.at else {})
        | ({"replay": rooted(f"/m/{it.record}/0.json")} if it and it.record else {}),
    )
    return answer(found, _told(chosen, it, today, seats, calendar, result))


def stage_of(chosen: date, today: date) -> str:
    """Return the API's name for the stage of a day."""
    return COMING if chosen > today else TODAY if chosen == today else OVER


def _told(
    chosen: date, it: Day | None, today: date, seats: int, calendar: Sequence[Day], result: str
) -> Iterator[str]:
    aloud = response_format() is Format.SAY
    if it is None:
        yield _("Today’s deal is not ready yet. Try again in an hour.")
    else:
        when = in_words(it.board.opens_at) if aloud else chosen.isoformat()
        yield _("Daily deal for {day}: {game}", day=when, game=it.game.name)
        yield ngettext("You against {count} bot.", "You against {count} bots.", seats - 1)
        yield _of_yours(it, today)
        if it.beaten is not None:
            yield result
        if it.open:
            yield beside_others(it)
    if aloud:
        return  # hashes and URLs are not read aloud
    if it is not None:
        if it.at:
            yield f"table: GET {rooted(f'/t/{it.at}')}.txt"
        if it.record:
            yield f"replay: GET {rooted(f'/m/{it.record}')}.txt"
        if it.open:
            yield f"play: POST {rooted(f'/daily/{chosen.isoformat()}')} name="
        yield f"{_('SHA-256 of the secret, published in advance:')} {it.board.commitment}"
        if it.board.cut and it.open:
            yield f"{_('The cut, drawn when the deal was first played that day:')} {it.board.cut}"
        if it.closed:
            yield f"{_('The secret:')} {it.board.secret.hex()}"
    for other in calendar:
        if other.date != chosen:
            about = f"{other.date.isoformat()} {other.game.name}"
            yield f"{about}, {_('today')}" if other.date == today else about


def beside_others(it: Day) -> str:
    """Return a sentence comparing a player's finished attempt with others.

    Players who have not finished are shown no other results, only that they can compare later.
    """
    if it.result is None:
        return _(
            "When you finish, you can compare your result with others and replay your match "
            "step by step."
        )
    if it.tries == 1:
        if it.closed:
            return _("No one else has finished this deal.")
        return _("No one else has finished yet.")
    if it.tries == 2:
        return (
            _("One other player has finished, and did worse.")
            if it.worse
            else _("One other player has finished, and did as well or better.")
        )
    return _(
        "{worse} of the {others} other players did worse.", others=it.tries - 1, worse=it.worse
    )


def _of_yours(it: Day, today: date) -> str:
    """Return a sentence about a player's progress with a day's deal."""
    if it.result is not None:
        return _("You have played this deal.")
    if it.at:
        return _("You have started. This attempt counts, even if you leave.")
    if not it.open:
        return _(
            "The cards do not exist yet. They are created when the deal is first played that "
            "day. The day begins at midnight UTC."
        )
    if it.date == today:
        return _(
            "Your first attempt counts, even if you leave. After that you can play the deal "
            "again for fun."
        )
    return _("This deal no longer counts. You can still play it for fun.")
