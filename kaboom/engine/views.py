"""The engine's output: views made of zones, prompts made of offers, and the outcome."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct, structs

from kaboom.engine.moves import Choices, Move, Seat
from kaboom.engine.toolkit.cards import Card

Points = int | float  # whole points or halves; whole ones are stored as integers

DOWN: Card = "?"  # a card of which this viewer sees only the back
EMPTY: Card = "_"  # a place without a card

OPEN: Seat = -2  # a viewer of a finished match who sees every card


class Saying(Struct, frozen=True):
    """A sentence that is yet to be put into words: its key among the game's sentences, and its
    facts.
    """

    kind: str
    facts: dict[str, Any] = {}


class Zone(Struct, frozen=True):
    """A place with cards, as one viewer sees it.

    `cards` holds faces, `?` for a back (DOWN) and `_` for a place without a card (EMPTY); `places`
    names each of them ("1.4", or the card itself in a hand) if a move can refer to it; otherwise it
    is empty. `marks` are public remarks on places (place to word), such as "seen"; a card on a
    phone has room for about six characters. `middle` is True if the zone lies in the middle of the
    table, in front of its owner, as a card played to a trick does.
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
        """Return a zone of face-down cards; only their number is known."""
        return cls(name, owner, (DOWN,) * count)

    def marked(self, places: Iterable[str], word: str) -> "Zone":
        """Return the same zone with a remark on these places."""
        return structs.replace(self, marks={**self.marks, **dict.fromkeys(places, word)})

    @classmethod
    def pile(cls, name: str, owner: Seat | None, cards: Sequence[Card], open: bool) -> "Zone":
        """Return a pile whose cards no move refers to: its faces, or only the number of cards."""
        return cls(name, owner, tuple(cards)) if open else cls.down(name, owner, len(cards))

    @classmethod
    def hand(cls, owner: Seat, cards: Sequence[Card], viewer: Seat | None) -> "Zone":
        """Return a zone "hand": face up for its owner and OPEN, face down for all others."""
        if viewer in (owner, OPEN):
            return cls.up("hand", owner, cards)
        return cls.down("hand", owner, len(cards))


class Scores(Struct, frozen=True):
    """The points around the table: headings ("This deal", "Match"), and a row of points by seat.

    None means no score, and is shown as a dash.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[Points | None, ...], ...]


class View(Struct, frozen=True):
    """Everything that one viewer may see of a game: zones, public facts, and the status line.

    `saying` is the status line; `facts` must be plain JSON values. `scores` are shown beside the
    generic table; a game that renders its own table may omit them. `standing` is a short text for
    each seat, shown beside its name at the generic table, such as "Tricks: 0 of 1", or None.
    `settled` is True between two deals or rounds: `scores` are then the result of the last one, and
    the generic table shows them in the middle.
    """

    viewer: Seat | None
    zones: tuple[Zone, ...]
    saying: Saying
    facts: dict[str, Any] = {}
    scores: Scores | None = None
    standing: tuple[Saying | None, ...] = ()
    settled: bool = False

    def zone(self, name: str, owner: Seat | None = None) -> Zone:
        """Return the zone of that name and owner; raises KeyError when there is none."""
        for zone in self.zones:
            if zone.name == name and zone.owner == owner:
                return zone
        raise KeyError(f"no zone {name!r} with owner {owner}")

    def zones_named(self, name: str) -> list[Zone]:
        """Return all zones of that name, in the order the game lists them."""
        return [zone for zone in self.zones if zone.name == name]


def with_hands(public: View, opened: View) -> View:
    """Return a spectator's view in which every zone with an owner is shown face up.

    `opened` is the view of OPEN at the same moment. Zones without an owner, such as the stock, stay
    as they are, since their order reveals what comes next.
    """
    held: dict[Any, Zone] = {
        (zone.name, zone.owner): zone for zone in opened.zones if zone.owner is not None
    }
    zones = [held.pop((zone.name, zone.owner), zone) for zone in public.zones]
    return structs.replace(public, zones=(*zones, *held.values()))


class Offer(Struct, frozen=True):
    """One thing a seat may do now: a listener as its seat sees it, without the handler.

    `playable` are the options that are part of some legal choice; a page marks these. `token` is a
    hash of what the offer answers, and stays the same as long as that does. `numbers` is True if
    the options are whole numbers and do not refer to cards or places on the table.
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
        """Return True if one press answers the offer: it has no choice, or one option to choose."""
        return self.most == 0 or self.chooses_one

    @property
    def chooses_one(self) -> bool:
        """Return True if exactly one option is chosen."""
        return self.least == self.most == 1


class Prompt(Struct, frozen=True):
    """All offers of one seat, in the order the game lists them."""

    seat: Seat
    offers: tuple[Offer, ...] = ()

    @property
    def waited_for(self) -> bool:
        """Return True if the game is waiting for this seat, even if that is secret."""
        return any(offer.blocks for offer in self.offers)

    @property
    def openly_waited_for(self) -> bool:
        """Return True if the game is waiting for this seat and every player may know it."""
        return any(offer.blocks and not offer.sealed for offer in self.offers)

    @property
    def token(self) -> str:
        """Return a hash of the whole prompt, made from the tokens of its offers."""
        return token_of(offer.token for offer in self.offers)

    def parted(self) -> tuple["Prompt", "Prompt"]:
        """Return two prompts: the decisions of the seat, and the races it can enter."""
        races = tuple(offer for offer in self.offers if offer.race)
        rest = tuple(offer for offer in self.offers if not offer.race)
        return Prompt(self.seat, rest), Prompt(self.seat, races)

    def offer(self, verb: str) -> Offer | None:
        """Return the offer of that verb, or None."""
        return next((offer for offer in self.offers if offer.verb == verb), None)

    def without(self, verbs: Collection[str]) -> "Prompt":
        """Return the prompt without the offers of these verbs."""
        return Prompt(self.seat, tuple(it for it in self.offers if it.verb not in verbs))

    def are_same(self, one: Move, other: Move) -> bool:
        """Return True if two moves have the same effect; the order of their choices matters only if
        the offer is ordered.
        """
        if one.verb != other.verb:
            return False
        offer = self.offer(one.verb)
        if offer is not None and offer.ordered:
            return one.choices == other.choices
        return sorted(one.choices) == sorted(other.choices)


class Outcome(Struct, frozen=True):
    """The end of a match. `scores` and `places` (1 is first; ties share a place) are indexed by
    seat.

    Places follow scores: the most points win, or the fewest if `Game.lowest_wins` is set.

    `reason` is one of won, draw, forfeit, abandoned, deck_exhausted, and stopped: ended by the
    players, or by the host of the server, before the rules ended it.
    """

    scores: tuple[Points, ...]
    places: tuple[int, ...]
    reason: str = "won"

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Return the seats in first place; none if the match was abandoned or stopped, or the cards
        ran out.
        """
        if self.reason in ("abandoned", "deck_exhausted", "stopped"):
            return ()
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    @property
    def played_out(self) -> bool:
        """Return True if the match was played to its end."""
        return self.reason in ("won", "draw")

    @property
    def saying(self) -> Saying:
        """Return the line about the end: the reason, the winners and all scores."""
        return Saying(self.reason, {"winners": list(self.winners), "scores": list(self.scores)})


def places(
    scores: Sequence[Points], lowest_wins: bool = False, absent: Collection[Seat] = ()
) -> tuple[int, ...]:
    """Return the place of each seat (1 is first); equal scores share a place.

    An absent seat is never first: the best of those present are. Below first place, it ranks behind
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
    """Return the outcome for these scores: won, a draw if several seats are first, or abandoned if
    fewer than two are left.
    """
    ranking = places(scores, lowest_wins, absent)
    if len(scores) - len(absent) < 2:
        return Outcome(tuple(scores), ranking, "abandoned")
    return Outcome(tuple(scores), ranking, "draw" if ranking.count(1) > 1 else "won")


def token_of(parts: Iterable[object]) -> str:
    """Return a hash of the parts as 10 hexadecimal digits."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()[:10]
