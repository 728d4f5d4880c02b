"""What leaves the engine: views built up from zones, prompts made of offers, and the outcome."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct, structs

from kaboom.engine.moves import Choices, Seat
from kaboom.engine.toolkit.cards import Card

Points = int | float  # whole points or halves; whole ones are stored as they always were

DOWN: Card = "?"  # a card of which this viewer sees only the back
EMPTY: Card = "_"  # a place without a card

OPEN: Seat = -2  # a viewer of a finished match who sees every card


class Saying(Struct, frozen=True):
    """Something to be said in words: a key of the game's sentences and the facts in it."""

    kind: str
    facts: dict[str, Any] = {}


class Zone(Struct, frozen=True):
    """A place with cards as one viewer sees it.

    `cards` holds faces, `?` for a back (DOWN) and `_` for a place without a card (EMPTY); `places`
    names each of them ("1.4", or the card itself in a hand) where a move can point at it; otherwise
    it is empty. `marks` are public remarks on places (place to word), such as "seen": a card on a
    phone has room for six letters or so. `middle`: it lies in the middle of the table, in front of
    its owner, as a card played to a trick does.
    """

    name: str
    owner: Seat | None
    cards: tuple[Card, ...]
    places: tuple[str, ...] = ()
    marks: dict[str, str] = {}
    middle: bool = False

    @classmethod
    def up(
        cls, name: str, owner: Seat | None, cards: Sequence[Card], middle: bool = False
    ) -> "Zone":
        """Return a zone whose faces are shown; moves name each card by its face."""
        return cls(name, owner, tuple(cards), tuple(cards), middle=middle)

    @classmethod
    def down(cls, name: str, owner: Seat | None, count: int) -> "Zone":
        """Return a zone of which only the number of cards is known."""
        return cls(name, owner, (DOWN,) * count)

    def marked(self, places: Iterable[str], word: str) -> "Zone":
        """Return the same zone with a remark on these places."""
        return structs.replace(self, marks={**self.marks, **dict.fromkeys(places, word)})

    @classmethod
    def pile(cls, name: str, owner: Seat | None, cards: Sequence[Card], open: bool) -> "Zone":
        """Return a pile that cards are not taken from: its faces, or how many cards it has."""
        return cls(name, owner, tuple(cards)) if open else cls.down(name, owner, len(cards))

    @classmethod
    def hand(cls, owner: Seat, cards: Sequence[Card], viewer: Seat | None) -> "Zone":
        """Return a zone "hand": face up for its owner and OPEN, face down for all others."""
        if viewer in (owner, OPEN):
            return cls.up("hand", owner, cards)
        return cls.down("hand", owner, len(cards))


class Scores(Struct, frozen=True):
    """The points around the table: headings ("This deal", "Match"), and a row of points by seat.

    None is no score: it is shown as a dash.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[Points | None, ...], ...]


class View(Struct, frozen=True):
    """All that one viewer may see of a game: zones, public facts, and what is happening.

    `saying` is the line that says what is going on; `facts` must be plain JSON values. `scores` are
    shown beside the general table; a game with a table of its own may leave them out.
    """

    viewer: Seat | None
    zones: tuple[Zone, ...]
    saying: Saying
    facts: dict[str, Any] = {}
    scores: Scores | None = None

    def zone(self, name: str, owner: Seat | None = None) -> Zone:
        """Return the zone of that name and owner; raises KeyError when there is none."""
        for zone in self.zones:
            if zone.name == name and zone.owner == owner:
                return zone
        raise KeyError(f"no zone {name} of {owner}")

    def zones_named(self, name: str) -> list[Zone]:
        """Return all zones of that name, in the order the game lists them."""
        return [zone for zone in self.zones if zone.name == name]


def with_hands(public: View, opened: View) -> View:
    """Return a spectator's view in which every zone with an owner is shown face up.

    `opened` is the view of OPEN at the same moment. Zones without an owner, such as the stock, stay
    as they are, since their order is the future.
    """
    held: dict[Any, Zone] = {
        (zone.name, zone.owner): zone for zone in opened.zones if zone.owner is not None
    }
    zones = [held.pop((zone.name, zone.owner), zone) for zone in public.zones]
    return structs.replace(public, zones=(*zones, *held.values()))


class Offer(Struct, frozen=True):
    """One thing a seat may do now: a listener as its seat sees it, without the handler.

    `playable` are the options that are part of some legal choice; a page marks these. `token` is a
    hash of what the offer answers: it stays the same for as long as that does. `numbers`: the
    options are whole numbers, and no card or place of the table is meant by them.
    """

    seat: Seat
    verb: str
    options: Choices
    least: int
    most: int
    ordered: bool
    about: str
    blocks: bool
    confirm: bool
    token: str
    sealed: bool = False
    race: bool = False
    playable: Choices = ()
    numbers: bool = False

    @property
    def simple(self) -> bool:
        """Say whether one press answers it: nothing or exactly one option is chosen."""
        return self.most == 0 or self.chooses_one

    @property
    def chooses_one(self) -> bool:
        """Say whether exactly one option is chosen."""
        return self.least == self.most == 1


class Prompt(Struct, frozen=True):
    """All offers of one seat, in the order the game lists them."""

    seat: Seat
    offers: tuple[Offer, ...] = ()

    @property
    def waited_for(self) -> bool:
        """Say whether the game is waiting for this seat, which may be the seat's own secret."""
        return any(offer.blocks for offer in self.offers)

    @property
    def openly_waited_for(self) -> bool:
        """Say whether the game is waiting for this seat and everybody may know it."""
        return any(offer.blocks and not offer.sealed for offer in self.offers)

    @property
    def token(self) -> str:
        """Return a hash of everything the seat is asked, as an offer's token is of one thing."""
        return token_of(offer.token for offer in self.offers)

    def parted(self) -> tuple["Prompt", "Prompt"]:
        """Return two prompts: what the seat is asked, and the races it may be first in."""
        races = tuple(offer for offer in self.offers if offer.race)
        rest = tuple(offer for offer in self.offers if not offer.race)
        return Prompt(self.seat, rest), Prompt(self.seat, races)

    def offer(self, verb: str) -> Offer | None:
        """Return the offer of that verb, or None."""
        return next((offer for offer in self.offers if offer.verb == verb), None)

    def pressing(self, place: str) -> Offer | None:
        """Return the first offer that one press on this place or card answers, or None."""
        for offer in self.offers:
            if offer.simple and not offer.numbers and place in offer.playable:
                return offer
        return None


class Outcome(Struct, frozen=True):
    """How a match ended. `scores` and `places` (1 is first, equal places are shared) by seat.

    Places follow scores: the most points win, or the fewest where `Game.lowest_wins`.

    `reason` is one of won, draw, forfeit, abandoned, deck_exhausted, and stopped: ended by those at
    the table, or by the host of the server, before the rules did.
    """

    scores: tuple[Points, ...]
    places: tuple[int, ...]
    reason: str = "won"

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Return the seats in first place; none for an abandoned match."""
        if self.reason in ("abandoned", "deck_exhausted", "stopped"):
            return ()
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    @property
    def saying(self) -> Saying:
        """Return what is said of the end: its reason, with the winners and all scores."""
        return Saying(self.reason, {"winners": list(self.winners), "scores": list(self.scores)})


def places(
    scores: Sequence[Points], lowest_wins: bool = False, absent: Collection[Seat] = ()
) -> tuple[int, ...]:
    """Return the place of each seat (1 is first); equal scores share a place.

    An absent seat is never first: the best of those present are. Below first place it ranks behind
    a present seat with the same score.
    """
    ranks = [score if lowest_wins else -score for score in scores]
    first = min((rank for seat, rank in enumerate(ranks) if seat not in absent), default=None)
    order = [
        (seat in absent or rank != first, rank, seat in absent) for seat, rank in enumerate(ranks)
    ]
    return tuple(1 + sum(other < mine for other in order) for mine in order)


def outcome_of(
    scores: Sequence[Points], lowest_wins: bool = False, absent: Collection[Seat] = ()
) -> Outcome:
    """Return how a match has ended by its scores: won, a draw where several are first, or abandoned
    where fewer than two are left.
    """
    ranking = places(scores, lowest_wins, absent)
    if len(scores) - len(absent) < 2:
        return Outcome(tuple(scores), ranking, "abandoned")
    return Outcome(tuple(scores), ranking, "draw" if ranking.count(1) > 1 else "won")


def token_of(parts: Iterable[object]) -> str:
    """Return 10 hexadecimal digits that stand for the parts."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()[:10]
