"""The deal of a day, and the calendar of the others, as JSON, as text and for the ear."""

from collections.abc import Iterator, Sequence
from datetime import date

from flask import Response

from kaboom.engine.i18n import say, say_counted
from kaboom.play.page import day as in_words
from kaboom.tournaments.daily.service import Day
from kaboom.web.api import schemas as shapes
from kaboom.web.api.negotiation import Voice, voice
from kaboom.web.api.responses import answer

COMING, TODAY, OVER = "to-come", "today", "over"


def deal_of(
    chosen: date, it: Day | None, today: date, seats: int, calendar: Sequence[Day], result: str
) -> Response:
    """Answer with the deal of a day as whoever asks finds it; `result` is theirs, in words."""
    at = f"/day/{chosen.isoformat()}"
    found = shapes.Day(
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
            shapes.OtherDay(other.date.isoformat(), other.board.game, stage_of(other.date, today))
            for other in calendar
        ],
        links={"self": f"{at}.json", "text": f"{at}.txt", "page": at}
        | ({"play": at} if it and it.open else {})
        | ({"table": f"/t/{it.at}.json"} if it and it.at else {})
        | ({"replay": f"/m/{it.record}/0.json"} if it and it.record else {}),
    )
    return answer(found, _told(chosen, it, today, seats, calendar, result))


def stage_of(chosen: date, today: date) -> str:
    """Return whether a day is to come, is today, or is over."""
    return COMING if chosen > today else TODAY if chosen == today else OVER


def _told(
    chosen: date, it: Day | None, today: date, seats: int, calendar: Sequence[Day], result: str
) -> Iterator[str]:
    aloud = voice() is Voice.SAY
    if it is None:
        yield say("Today’s deal is not there yet. Look again in an hour.")
    else:
        when = in_words(it.board.opens_at) if aloud else chosen.isoformat()
        yield say("Deal of {day}: {game}", day=when, game=it.game.name)
        yield say_counted("You against {count} bot.", "You against {count} bots.", seats - 1)
        yield _of_yours(it, today)
        if it.beaten is not None:
            yield result
        if it.open:
            yield beside_others(it)
    if aloud:
        return  # hashes and addresses are nothing for the ear
    if it is not None:
        if it.at:
            yield f"table: GET /t/{it.at}.txt"
        if it.record:
            yield f"replay: GET /m/{it.record}.txt"
        if it.open:
            yield f"play: POST /day/{chosen.isoformat()} name="
        yield f"{say('SHA-256 of the secret, published beforehand:')} {it.board.commitment}"
        if it.board.cut and it.open:
            yield f"{say('The cut, drawn with the first deal of the day:')} {it.board.cut}"
        if it.closed:
            yield f"{say('The secret:')} {it.board.secret.hex()}"
    for other in calendar:
        if other.date != chosen:
            about = f"{other.date.isoformat()} {other.game.name}"
            yield f"{about}, {say('today')}" if other.date == today else about


def beside_others(it: Day) -> str:
    """Return how whoever has finished a day's deal did beside others; for anybody else, what there
    will be to see: they are told nothing of what others have done.
    """
    if it.result is None:
        return say(
            "When you have finished it, you see the result beside those of others, and your match "
            "again step by step."
        )
    if it.tries == 1:
        return say("You are the first to have finished it.")
    if it.tries == 2:
        return (
            say("One other has finished it, and did worse.")
            if it.worse
            else say("One other has finished it, and did as well or better.")
        )
    return say("Of {others} others {worse} did worse.", others=it.tries - 1, worse=it.worse)


def _of_yours(it: Day, today: date) -> str:
    """Return how far somebody is with a day's deal, or what comes of playing it."""
    if it.result is not None:
        return say("You have played this deal.")
    if it.at:
        return say("You have begun. This try counts, even if you leave it.")
    if not it.open:
        return say(
            "There are no cards yet: nobody knows them. They come into being with the first deal "
            "of that day, which begins at midnight, UTC."
        )
    if it.date == today:
        return say(
            "Your first try counts, even if you leave it. After that you may play "
            "the deal again for fun."
        )
    return say("This day is over. You can play its deal for fun.")
