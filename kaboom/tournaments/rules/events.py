"""What can happen in a tournament. The list of it is only ever added to; all else is computed.

Entrants are numbers from 1, in the order in which they entered: their names are kept elsewhere, so
that somebody can be forgotten. Times are table time, in seconds since 1970.
"""

from enum import StrEnum
from typing import Any

from msgspec import Struct

from kaboom.engine.codec import from_json, to_json

Number = int  # of an entrant


class Format(StrEnum):
    """How pods are made."""

    SWISS = "swiss"  # those who stand alike play each other
    LEAGUE = "league"  # everybody meets everybody, as far as that can be
    KNOCKOUT = "knockout"  # who does not qualify is out


class Spare(StrEnum):
    """What is done when the field does not divide into pods that can be played."""

    BYE = "bye"  # somebody sits out
    HOUSE = "house"  # bots sit down


class How(StrEnum):
    """How somebody came to their place in a pod."""

    PLAYED = "played"
    LEFT = "left"  # the house played their seat in the end: they rank behind all who played
    ABSENT = "absent"  # they did not come: no share, and they count for nobody
    THROUGH = "through"  # nobody was there to play against
    RULED = "ruled"  # the organiser has set it


class Settings(Struct, frozen=True):
    """What a tournament is, from its opening on. `options` are of the game, as JSON."""

    name: str
    game: str
    options: str
    format: Format
    size: int  # people of a full pod
    playable: tuple[int, ...]  # numbers of seats with which the game can be played
    most: int = 128  # people who can play in it
    rounds: int = 0  # of a Swiss; 0: as many as the field needs
    spare: Spare = Spare.BYE
    begins_at: float = 0.0  # when check-in opens; 0: when the organiser says so
    check_in: int = 0  # minutes; 0: whoever has entered plays
    limit: int = 0  # minutes of a round; 0: until all have finished
    between: int = 1  # minutes from one round to the next
    late: bool = True  # a Swiss may be entered until half of its rounds are over
    accounts: bool = False  # only for those who can come in again elsewhere
    duplicate: bool = False  # all pods of a round are dealt the same cards
    club: str = ""  # the code of the club whose members alone see it and enter


class SeatResult(Struct, frozen=True):
    """What one seat of a pod came to. `entrant` 0 is a bot that the house put there."""

    entrant: Number
    how: How
    place: int = 0  # 1 is first; several may share it
    score: int | None = None  # of a board: what it is worth beside others in this seat


class Changed(Struct, frozen=True, tag=True):
    """The organiser has changed what the tournament is, before it began."""

    settings: Settings


class Entered(Struct, frozen=True, tag=True):
    """Somebody enters; a bot says at which level it plays."""

    entrant: Number
    bot: str = ""


class Left(Struct, frozen=True, tag=True):
    """An entrant leaves the tournament."""

    entrant: Number


class Returned(Struct, frozen=True, tag=True):
    """An entrant who left, or was absent, is back."""

    entrant: Number


class CheckInOpened(Struct, frozen=True, tag=True):
    """Everybody who wants to play checks in by that time."""

    until: float


class CheckedIn(Struct, frozen=True, tag=True):
    """An entrant is here."""

    entrant: Number


class Began(Struct, frozen=True, tag=True):
    """The field is fixed, the best seed first, and with it all that is drawn."""

    field: tuple[Number, ...]


class Paired(Struct, frozen=True, tag=True):
    """A round is made, or made anew. Pods are numbered from 0, their entrants by seat.

    `print` is the SHA-256 of all that was read for it.
    """

    round: int
    pods: tuple[tuple[Number, ...], ...]
    byes: tuple[Number, ...] = ()
    wave: int = 1_000_000  # pods that play at the same time
    print: str = ""


class WaveStarted(Struct, frozen=True, tag=True):
    """The tables of a wave of the round are open."""

    round: int
    wave: int
    starts_at: float
    ends_at: float = 0.0  # 0: whenever they are over


class Dealt(Struct, frozen=True, tag=True):
    """All tables of a wave are dealt the same cards, and none later: who was there plays."""

    round: int
    wave: int
    at: float


class BoardClosed(Struct, frozen=True, tag=True):
    """All tables of a wave have played the same cards: now everything about them is told."""

    round: int
    wave: int


class PodOver(Struct, frozen=True, tag=True):
    """A pod has its result; `record` is the code of the match's record."""

    round: int
    pod: int
    seats: tuple[SeatResult, ...]
    at: float
    record: str = ""


class Over(Struct, frozen=True, tag=True):
    """All rounds are played."""


class Cancelled(Struct, frozen=True, tag=True):
    """There were too few to play."""


class Verb(StrEnum):
    """What an organiser may rule."""

    ANNOUNCE = "announce"
    EXTEND = "extend"  # the end of the running round, by minutes
    PAUSE = "pause"  # nothing new begins
    CLOSE = "close"  # nobody may enter late any more
    REMOVE = "remove"  # an entrant
    APART = "apart"  # two entrants are not put into one pod
    RESULT = "result"  # of a pod
    PAIR = "pair"  # the round anew, before anybody has played in it
    SWAP = "swap"  # two entrants of the round, before anybody has played in it
    END = "end"  # the tournament, as it stands
    UNDO = "undo"  # an earlier ruling


class Ruling(Struct, frozen=True, tag=True):
    """What the organiser has ruled, for all to read. It is undone by a counter-ruling."""

    verb: Verb
    why: str = ""
    entrants: tuple[Number, ...] = ()
    round: int = 0
    pod: int = 0
    seats: tuple[SeatResult, ...] = ()
    minutes: int = 0
    undone: int = 0  # the number of the ruling that this one undoes
    at: float = 0.0  # table time


Event = (
    Changed
    | Entered
    | Left
    | Returned
    | CheckInOpened
    | CheckedIn
    | Began
    | Paired
    | WaveStarted
    | Dealt
    | BoardClosed
    | PodOver
    | Over
    | Cancelled
    | Ruling
)


class Logged(Struct, frozen=True):
    """An event with its number in the log, from 1, and the time of day at which it was written."""

    seq: int
    event: Event
    at: float = 0.0


def written(event: Event) -> bytes:
    """Return an event as it is stored."""
    return to_json(event)


def read(text: bytes) -> Event:
    """Return a stored event; raises msgspec.ValidationError if it cannot be read."""
    kind: Any = Event
    found: Event = from_json(text, kind)
    return found
