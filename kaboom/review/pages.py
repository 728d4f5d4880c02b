"""The pages of a review: the replay of the match, with the people and remarks around it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from flask import url_for

from kaboom.engine.i18n import gettext as _
from kaboom.engine.views import OPEN
from kaboom.records.access import RecordNotFound
from kaboom.records.pages import MatchPage
from kaboom.records.routes import found_here
from kaboom.review import service
from kaboom.review.service import Place, Remark, Review
from kaboom.social.chat.room import presence
from kaboom.tables.context import tables


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """A review of a match as one reader sees it; with `follow`, the page follows the leader."""

    match: MatchPage  # its URL is the review's
    it: Review
    follow: bool = False

    @property
    def at(self) -> str:
        """Return the URL of the review, which redirects to the leader's place."""
        return self.match.at

    @property
    def place(self) -> Place:
        """Return the reader's place."""
        return Place(self.match.step, self.match.eyes or "")

    @property
    def here(self) -> Sequence[Remark]:
        """Return the remarks on the reader's step."""
        return [it for it in self.it.remarks if it.place.step == self.match.step]

    def eyes(self, eyes: str) -> str:
        """Return the point of view of a step in words."""
        return eyes_in_words(self.match, eyes)


def eyes_in_words(page: MatchPage, eyes: str) -> str:
    """Return the point of view of a step in words."""
    if not eyes:
        return _("with all cards open")
    if eyes == "watch":
        return _("as a spectator saw it")
    return _("as {name} saw it", name=page.record.names[int(eyes)])


def is_place(page: MatchPage, place: Place) -> bool:
    """Return True if the match has that step and that point of view."""
    eyes = ("", "watch", *map(str, range(len(page.record.names))))
    return 0 <= place.step <= page.replay.last and place.eyes in eyes


def match_here(code: str) -> MatchPage:
    """Return the match if it may be reviewed.

    Raises RecordNotFound while its deal is still being played at other tables, or if the match
    cannot be replayed.
    """
    page = found_here(code)
    if page.around.own is not None:
        raise RecordNotFound(_("This deal is still being played at other tables."))
    if not page.replay.is_genuine:
        raise RecordNotFound(_("This match can no longer be replayed."))
    return page


def present(code: str) -> Collection[int] | None:
    """Return the ids of the players present in a review, or None while presence is unknown."""
    found = presence()
    return None if found.young else found.here(service.topic_of(code))


def review_here(code: str, review: str) -> ReviewPage:
    """Return a review at the leader's place, and record that the reader is present.

    Raises RecordNotFound or ReviewNotFound.
    """
    page = match_here(code)
    it = service.find(tables(), page.code, review, page.around.player, present(review))
    if it.me is not None:
        presence().request(service.topic_of(review), it.me.player)
    at = url_for("review.show", code=page.code, review=review)
    return placed(ReviewPage(replace(page, at=at), it), it.place)


def placed(page: ReviewPage, place: Place, follow: bool = False) -> ReviewPage:
    """Return a review at another place."""
    eyes = {"": OPEN, "watch": None}
    seat = eyes[place.eyes] if place.eyes in eyes else int(place.eyes)
    return replace(page, match=replace(page.match, step=place.step, seat=seat), follow=follow)


def remarks_at(page: MatchPage) -> Sequence[Remark]:
    """Return the remarks, from all reviews, that the reader may see on the step of a replay."""
    if page.around.imported or page.around.own is not None or page.around.player is None:
        return ()
    remarks = service.remarks_of(tables(), page.code, page.around.player)
    return [it for it in remarks if it.place.step == page.step]
