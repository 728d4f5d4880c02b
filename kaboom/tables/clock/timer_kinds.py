"""Kinds of due items at a table: a clock move, a bot's decision, the end of a player's days.

Each is stored as a string. Items due at the same time are handled in the order of their text, which
therefore must not change: replays of recorded matches depend on it. Only this module parses it.
"""

from dataclasses import dataclass
from typing import ClassVar

from kaboom.engine.moves import CLOCK, Choices, Move, Seat


@dataclass(frozen=True, slots=True)
class ClockMove:
    """A move that the game makes automatically when it is due."""

    verb: str
    choices: Choices = ()

    def __str__(self) -> str:
        return " ".join((self.verb, *self.choices))

    @property
    def move(self) -> Move:
        """Return the move of the clock to be played."""
        return Move(CLOCK, self.verb, self.choices)


@dataclass(frozen=True, slots=True)
class OfSeat:
    """A due item of a seat; `token` identifies what it answers."""

    seat: Seat
    token: str
    word: ClassVar[str]  # the first one of its text

    def __str__(self) -> str:
        return f"{self.word} {self.seat} {self.token}"


class Thinking(OfSeat):
    """A bot's pending decision; `token` identifies the prompt."""

    word = "bot"


class Reaction(OfSeat):
    """The moment at which a bot notices a race it can enter; `token` identifies the prompt."""

    word = "race"


class Planned(OfSeat):
    """A premove of a player; `token` is the token of the offer that it answers."""

    word = "ahead"


class CorrespondenceTimer(OfSeat):
    """The deadline of a player's decision in correspondence play; `token` identifies the
    decision.
    """

    word = "days"


@dataclass(frozen=True, slots=True)
class VacationOver:
    """The end of a player's vacation, when their clock runs again. It is not stored, because it can
    be derived from the vacation stored with the seat.
    """

    seat: Seat

    def __str__(self) -> str:
        return f"vacation {self.seat}"


@dataclass(frozen=True, slots=True)
class VoteLook:
    """The moment at which the open vote may have passed or expired. It is not stored, because it
    can be derived from the vote.
    """

    def __str__(self) -> str:
        return "vote"


Timed = ClockMove | Thinking | Reaction | Planned | CorrespondenceTimer  # these have a timer
Due = Timed | VoteLook | VacationOver

OF_SEATS = {it.word: it for it in (Thinking, Reaction, Planned, CorrespondenceTimer)}


def timed_from(text: str) -> Timed:
    """Return the due item that a stored text denotes."""
    match text.split():
        case [word, seat, *token] if word in OF_SEATS and seat.isdecimal():
            return OF_SEATS[word](int(seat), " ".join(token))
        case [verb, *choices]:
            return ClockMove(verb, tuple(choices))
        case _:
            return ClockMove("")
