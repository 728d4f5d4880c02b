"""The published schemas of reviews; docs/api.md lists the guarantees."""

from msgspec import Struct

from kaboom.web.api.schemas import VERSION


class ReviewRemark(Struct, kw_only=True):
    """A remark on a `step`, made while viewing it with the `eyes` of a seat, "watch", or "" for
    all cards.
    """

    number: int
    review: str
    name: str
    step: int
    eyes: str
    text: str
    at: float
    own: bool


class ReviewPerson(Struct, kw_only=True):
    """A player in a review: `who` identifies them in forms; `here` is null while presence is
    unknown.
    """

    who: str
    name: str
    here: bool | None
    me: bool


class Review(Struct, kw_only=True):
    """A match that several people review together: `step` and `eyes` are the leader's. `remarks`
    are shown to those who are in the review or played the match.
    """

    format: str = "kaboom review"
    version: int = VERSION
    code: str
    match: str
    step: int
    eyes: str
    last: int
    leader: str
    leading: bool
    asks: str
    joined: bool
    people: list[ReviewPerson]
    remarks: list[ReviewRemark]
    links: dict[str, str]


class Reviews(Struct, kw_only=True):
    """The reviews of a match that you may list (codes and participants), and the remarks that you
    may see.
    """

    format: str = "kaboom reviews"
    version: int = VERSION
    match: str
    reviews: list[dict[str, str | list[str]]]
    remarks: list[ReviewRemark]
    links: dict[str, str]
