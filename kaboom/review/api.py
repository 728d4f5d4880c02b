"""Reviews as JSON, text and speech."""

from collections.abc import Iterator, Sequence

from flask import Response

from kaboom.engine.i18n import gettext as _
from kaboom.records.pages import MatchPage
from kaboom.review import schemas
from kaboom.review.pages import ReviewPage, eyes_in_words
from kaboom.review.service import Listed, Place, Remark
from kaboom.web.api.responses import answer
from kaboom.web.links import rooted


def review(page: ReviewPage, status: int = 200) -> Response:
    """Return the response with a review as the requester may see it."""
    it, match = page.it, page.match
    at, record = page.at, rooted(f"/m/{match.code}")
    found = schemas.Review(
        code=it.code,
        match=match.code,
        step=it.place.step,
        eyes=it.place.eyes,
        last=match.replay.last,
        leader=it.leader.name if it.leader else "",
        leading=it.leads,
        asks=it.asks.name if it.asks else "",
        joined=it.me is not None,
        people=[
            schemas.ReviewPerson(who=one.word, name=one.name, here=one.here, me=one.me)
            for one in it.people
        ],
        remarks=list(map(_remark, it.remarks)),
        links={
            "self": f"{at}.json",
            "text": f"{at}.txt",
            "page": at,
            "step": _step(record, it.place, "json"),
            "events": f"{at}/events",
        },
    )
    response = answer(found, _told(page), status)
    if status == 201:
        response.headers["Location"] = found.links["self"]
    return response


def reviews(page: MatchPage, listed: Sequence[Listed], remarks: Sequence[Remark]) -> Response:
    """Return the response with the reviews of a match that the requester may see."""
    at = f"{page.at}/review"
    found = schemas.Reviews(
        match=page.code,
        reviews=[{"code": it.code, "people": list(it.names)} for it in listed],
        remarks=list(map(_remark, remarks)),
        links={"self": f"{at}.json", "text": f"{at}.txt", "page": at, "match": f"{page.at}.json"},
    )
    lines = [_("Look back together"), *(f"{it.code}: {', '.join(it.names)}" for it in listed)]
    return answer(found, [*lines, *map(_line, remarks)])


def _step(record: str, place: Place, suffix: str) -> str:
    return f"{record}/{place.step}.{suffix}" + (f"?seat={place.eyes}" if place.eyes else "")


def _remark(it: Remark) -> schemas.ReviewRemark:
    return schemas.ReviewRemark(
        number=it.number,
        review=it.review,
        name=it.name,
        step=it.place.step,
        eyes=it.place.eyes,
        text=it.text,
        at=it.at,
        own=it.own,
    )


def _line(it: Remark) -> str:
    return _("{number} step {step}, {name}: {text}", number=it.number, step=it.place.step,
             name=it.name, text=it.text)  # fmt: skip


def _told(page: ReviewPage) -> Iterator[str]:
    """Yield the people, the leader, the place, the events of the step and the remarks, in words."""
    it, match = page.it, page.match
    eyes = eyes_in_words(match, it.place.eyes)
    if it.leads:
        yield _("You lead: step {number}, {eyes}.", number=it.place.step, eyes=eyes)
    elif it.leader:
        name = it.leader.name
        yield _("{name} leads: step {number}, {eyes}.", name=name, number=it.place.step, eyes=eyes)
    if it.me is None:
        yield _("You are not in this review yet.")
    yield ", ".join(f"{one.name} ({_('away')})" if one.here is False else one.name
                    for one in it.people)  # fmt: skip
    if it.asks:
        yield _("{name} is asking to lead.", name=it.asks.name)
    yield from match.said(match.step)
    yield from map(_line, it.remarks)
