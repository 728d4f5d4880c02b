"""Kinds of due items at a table: a clock move, a bot's decision, the end of a player's days.

Each is stored as a string. Items due at the same time are handled in the order of their text, which
therefore must not change: replays of recorded matches depend on it. Only this module parses it.
"""

from dataclasses import dataclass

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
class Thinking:
    """A bot's pending decision; `token` identifies the prompt."""

    seat: Seat
    token: str

    def __str__(self) -> str:
        return f"bot {self.seat} {self.token}"


@dataclass(frozen=True, slots=True)
class Reaction:
    """The moment at which a bot notices a race it can enter; `token` identifies the prompt."""

    seat: Seat
    token: str

    def __str__(self) -> str:
        return f"race {self.seat} {self.token}"


@dataclass(frozen=True, slots=True)
class Planned:
    """A premove of a player; `token` is the token of the offer that it answers."""

    seat: Seat
    token: str

    def __str__(self) -> str:
        return f"ahead {self.seat} {self.token}"


@dataclass(frozen=True, slots=True)
class CorrespondenceTimer:
    """The deadline of a player's decision in correspondence play; `asked` identifies the
    decision.
    """

    seat: Seat
    asked: str

    def __str__(self) -> str:
        return f"days {self.seat} {self.asked}"


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


def timed_from(text: str) -> Timed:
    """Return the due item that a stored text denotes."""
    match text.split():
        case ["bot", seat, *token] if seat.isdecimal():
            return Thinking(int(seat), " ".join(token))
        case ["race", seat, *token] if seat.isdecimal():
            return Reaction(int(seat), " ".join(token))
        case ["days", seat, asked] if seat.isdecimal():
            return CorrespondenceTimer(int(seat), asked)
        case ["ahead", seat, token] if seat.isdecimal():
            return Planned(int(seat), token)
        case [verb, *choices]:
            return ClockMove(verb, tuple(choices))
        case _:
            return ClockMove("")
