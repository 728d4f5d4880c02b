"""The events of a tournament. Its log is append-only, and everything else is computed from it.

Entrants are numbers from 1, in order of entry. Their names are stored elsewhere, so that a player
can be erased. Times are table time, in seconds since 1970.
"""

from enum import StrEnum
from typing import Any

from msgspec import Struct

from kaboom.engine.codec import from_json, to_json

Number = int  # an entrant's number


class Format(StrEnum):
    """The tournament's pairing system."""

    SWISS = "swiss"  # players with equal points meet
    LEAGUE = "league"  # all players meet, as far as possible
    KNOCKOUT = "knockout"  # players who do not qualify are out


class Spare(StrEnum):
    """What to do if the field cannot be divided into playable pods."""

    BYE = "bye"  # one or more players sit out
    HOUSE = "house"  # bots fill the pods


class How(StrEnum):
    """How an entrant's result in a pod came about."""

    PLAYED = "played"
    LEFT = "left"  # a bot finished for them: they rank behind all who played
    ABSENT = "absent"  # no share, and not counted as an opponent
    THROUGH = "through"  # no opponents were present
    RULED = "ruled"  # set by the organiser


class Settings(Struct, frozen=True):
    """A tournament's settings. `options` are the game's, as JSON."""

    name: str
    game: str
    options: str
    format: Format
    size: int  # people in a full pod
    playable: tuple[int, ...]  # the numbers of seats that the game allows
    most: int = 128  # entrants who play, at most
    rounds: int = 0  # rounds of a Swiss; 0: as many as the field needs
    spare: Spare = Spare.BYE
    begins_at: float = 0.0  # when check-in opens; 0: the organiser opens it
    check_in: int = 0  # minutes; 0: without check-in
    limit: int = 0  # minutes of a round; 0: no limit
    between: int = 1  # minutes from one round to the next
    late: bool = True  # late entry to a Swiss, until half of its rounds are over
    accounts: bool = False  # only for players with a secured account
    duplicate: bool = False  # all pods of a round have the same cards
    club: str = ""  # the code of a club; only its members see it and enter
    begins_full: bool = False  # begins once `most` have entered


class SeatResult(Struct, frozen=True):
    """The result of one seat in a pod. `entrant` 0 is a built-in bot that fills the pod."""

    entrant: Number
    how: How
    place: int = 0  # 1 is first; several may share it
    score: int | None = None  # on a board, compared with others in this seat


class Changed(Struct, frozen=True, tag=True):
    """The organiser has changed the settings before the tournament began."""

    settings: Settings


class Entered(Struct, frozen=True, tag=True):
    """An entrant has entered; `bot` is the level of a built-in bot."""

    entrant: Number
    bot: str = ""


class Left(Struct, frozen=True, tag=True):
    """An entrant has left the tournament."""

    entrant: Number


class Returned(Struct, frozen=True, tag=True):
    """An entrant who had left or was absent has returned."""

    entrant: Number


class CheckInOpened(Struct, frozen=True, tag=True):
    """Check-in has opened and is open until that time."""

    until: float


class CheckedIn(Struct, frozen=True, tag=True):
    """An entrant has checked in."""

    entrant: Number


class Began(Struct, frozen=True, tag=True):
    """The field (best seed first) is fixed, and with it all draws."""

    field: tuple[Number, ...]


class Paired(Struct, frozen=True, tag=True):
    """A round was paired, or paired again. Pods are numbered from 0; their entrants are listed by
    seat.

    `print` is the SHA-256 of the data used for the pairing.
    """

    round: int
    pods: tuple[tuple[Number, ...], ...]
    byes: tuple[Number, ...] = ()
    wave: int = 1_000_000  # pods that play at the same time
    print: str = ""


class WaveStarted(Struct, frozen=True, tag=True):
    """The tables of a wave have been opened."""

    round: int
    wave: int
    starts_at: float
    ends_at: float = 0.0  # 0: no limit


class Dealt(Struct, frozen=True, tag=True):
    """All tables of a wave were dealt the same cards, to the players who were present."""

    round: int
    wave: int
    at: float


class BoardClosed(Struct, frozen=True, tag=True):
    """All tables of a wave have played their shared cards, which are now public."""

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
    """The tournament is over."""


class Cancelled(Struct, frozen=True, tag=True):
    """The tournament was cancelled for lack of players."""


class Verb(StrEnum):
    """A kind of ruling."""

    ANNOUNCE = "announce"
    EXTEND = "extend"  # extends the time limit of a round by a number of minutes
    PAUSE = "pause"  # keeps new matches from beginning
    CLOSE = "close"  # ends late entry
    REMOVE = "remove"  # removes an entrant
    APART = "apart"  # keeps two entrants out of the same pod
    RESULT = "result"  # sets the result of a pod
    PAIR = "pair"  # pairs the round again, before play has begun in it
    SWAP = "swap"  # swaps two entrants of the round, before play has begun in it
    END = "end"  # ends the tournament with the present standings
    UNDO = "undo"  # undoes an earlier ruling


class Ruling(Struct, frozen=True, tag=True):
    """A public ruling by the organiser. Another ruling can undo it."""

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
    """An event with its number in the log, from 1, and the time at which it was written (seconds
    since 1970).
    """

    seq: int
    event: Event
    at: float = 0.0


def written(event: Event) -> bytes:
    """Return the stored form of an event, as JSON."""
    return to_json(event)


def read(text: bytes) -> Event:
    """Return the event from its stored form; raises msgspec.DecodeError."""
    kind: Any = Event
    found: Event = from_json(text, kind)
    return found
