"""The coach's responses as JSON, text and speech."""

from collections.abc import Iterator

from flask import Response

from kaboom.coach import schemas
from kaboom.coach.judged_decision import GOOD
from kaboom.coach.pages import CoachPage, Listed, QuestionPage
from kaboom.coach.service import Coached
from kaboom.engine.bots.analysis import analysis_of
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.table_page.api import moves_of
from kaboom.table_page.text import text_of
from kaboom.web.api.negotiation import columns
from kaboom.web.api.responses import answer

NOT_YET = N_("The coach has not looked at your decisions in this match yet.")


def coaching(page: CoachPage) -> Response:
    """Return the response with the progress and results of coaching a match."""
    it, found = page.coached, page.coached.coaching
    links = {"self": f"{page.at}.json", "text": f"{page.at}.txt", "page": page.at}
    if found is None or found.given_up:
        links["ask"] = page.at
    shape = schemas.Coaching(
        match=page.match.code,
        game=page.game.key,
        seat=page.seat,
        state=_state(it),
        made=found.made if found else 0,
        steps=found.steps if found else None,
        text=page.summary if it.done else page.progress or _(NOT_YET),
        unit=str(analysis_of(page.game).unit),
        average=None if it.average is None or not it.done else round(it.average, 3),
        decisions=[_decision(page, each) for each in page.listed],
        costs=[
            schemas.CoachCost(match=each.code, at=each.ended_at, cost=round(each.cost, 3))
            for each in it.costs
        ],
        links=links,
    )
    return answer(shape, _told(page))


def _state(it: Coached) -> str:
    if it.coaching is None:
        return "none"
    if it.working:
        return "working" if it.coaching.made else "waiting"
    return "done" if it.done else "failed"


def _decision(page: CoachPage, it: Listed) -> schemas.CoachDecision:
    own = it.judged.own
    certain = it.judged.is_mistake and own is not None
    return schemas.CoachDecision(
        number=it.number,
        step=it.judged.step,
        move=it.judged.move.partition(" ")[2],
        text=it.move,
        closely=it.judged.deals > 0,
        mistake=it.judged.is_mistake,
        cost=round(it.judged.cost, 3),
        low=round(own.low, 3) if own and certain else 0.0,
        high=round(own.high, 3) if own and certain else 0.0,
        link=f"{page.at}/{it.number}.json",
    )


def _told(page: CoachPage) -> Iterator[str]:
    it = page.coached
    yield _("Coach: {game} {code}", game=page.game.name, code=page.match.code)
    if it.coaching is None:
        yield _(NOT_YET)
        yield f"ask: POST {page.at}"
        return
    yield page.summary if it.done else page.progress
    if it.done and page.why_nothing:
        yield page.why_nothing
    elif it.done:
        yield page.average
    for each in page.mistakes:
        yield f"{each.number}. {each.move}. {each.verdict}"
        yield f"GET {page.at}/{each.number}.txt"
    if it.judged:
        yield page.threshold
    for cost in it.costs if len(it.costs) > 1 else ():
        yield f"{cost.code}: {page.amount(cost.cost)}"


def question(page: QuestionPage) -> Response:
    """Return the response that presents a decision as a question."""
    table, coach = page.table(pieces=False), page.coach
    view = page.view
    links = {"self": f"{page.at}.json", "text": f"{page.at}.txt", "page": page.at,
             "coach": f"{coach.at}.json"}  # fmt: skip
    if page.asks:
        links |= {"move": f"{page.at}/move", "show": f"{page.at}.json?show=1"}
    shape = schemas.CoachQuestion(
        match=coach.match.code,
        game=page.game.key,
        number=page.number,
        last=page.last,
        step=page.judged.step,
        asks=page.asks,
        text=_sentence(page),
        chose=page.judged.move.partition(" ")[2],
        names=list(coach.names.seats),
        me=coach.seat,
        zones=view.zones,
        facts=view.facts,
        recalled=page.recalled(),
        moves=moves_of(table) if page.asks else [],
        menu=table.menu if page.asks else "",
        considered=[
            schemas.CoachMove(
                move=it.move.partition(" ")[2],
                text=page.in_words(it.move),
                less=None if it.less is None else round(it.less, 3),
                low=round(it.low, 3),
                high=round(it.high, 3),
                good=it.equal,
            )
            for it in (page.judged.moves if page.open else ())
        ],
        deals=page.judged.deals,
        reason=page.reason if page.open else "",
        links=links,
    )
    return answer(shape, _asked(page))


def _sentence(page: QuestionPage) -> str:
    return f"{page.sentence} {_('What would have been better?')}" if page.asks else page.sentence


def _asked(page: QuestionPage) -> Iterator[str]:
    yield f"{page.game.name}: {page.where}"
    yield _sentence(page)
    yield from page.said
    yield from page.recalled()
    if page.open:
        for bar in page.bars():
            mine = f" {_('(your move)')}" if bar.mine else ""
            yield f"- {bar.move}{mine}: {bar.told}"
        yield page.how
        if page.reason:
            yield page.reason
    yield from text_of(page.table(pieces=False), columns()).splitlines()[1:]
    if page.asks:
        yield f"answer: POST {page.at}/move"
        yield f"show: GET {page.at}.txt?show=1"
    _before, after = page.neighbours()
    if after:
        yield f"next: GET {page.coach.at}/{after}.txt"


def answered(page: QuestionPage) -> Response:
    """Return the response to a move the player tried."""
    links = {"question": f"{page.at}.json", "show": f"{page.at}.json?show=1"}
    _before, after = page.neighbours()
    if after:
        links["next"] = f"{page.coach.at}/{after}.json"
    text = " ".join(page.said)
    shape = schemas.CoachAnswer(kind=page.kind, right=page.kind == GOOD, text=text, links=links)
    return answer(shape, [*page.said, f"show: GET {page.at}.txt?show=1"])
