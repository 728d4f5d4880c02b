"""What can be due at a table: a move of the clock, a bot's thinking, the end of somebody's days.

Each is stored as a text. Of two things due at the same time the smaller text comes first, so the
texts must stay as they are for recorded matches to be replayed. Only this module reads them.
"""

from dataclasses import dataclass

from kaboom.engine.moves import CLOCK, Choices, Move, Seat


@dataclass(frozen=True, slots=True)
class ClockMove:
    """A move the game makes by itself, once its time has come."""

    verb: str
    choices: Choices = ()

    def __str__(self) -> str:
        return " ".join((self.verb, *self.choices))

    @property
    def move(self) -> Move:
        """Return it as it is played."""
        return Move(CLOCK, self.verb, self.choices)


@dataclass(frozen=True, slots=True)
class Thinking:
    """A bot's thinking about what its seat is asked; `token` stands for the question."""

    seat: Seat
    token: str

    def __str__(self) -> str:
        return f"bot {self.seat} {self.token}"


@dataclass(frozen=True, slots=True)
class Reaction:
    """The moment in which a bot notices a race it could win; `token` is a hash of that."""

    seat: Seat
    token: str

    def __str__(self) -> str:
        return f"race {self.seat} {self.token}"


@dataclass(frozen=True, slots=True)
class Planned:
    """A move that somebody has decided ahead; `token` is that of the offer it answers."""

    seat: Seat
    token: str

    def __str__(self) -> str:
        return f"ahead {self.seat} {self.token}"


@dataclass(frozen=True, slots=True)
class DayClock:
    """The end of the days that somebody has for a decision; `asked` stands for it."""

    seat: Seat
    asked: str

    def __str__(self) -> str:
        return f"days {self.seat} {self.asked}"


@dataclass(frozen=True, slots=True)
class VacationOver:
    """The end of somebody's vacation, when their clock runs again. It is never stored, since their
    chair knows when that is.
    """

    seat: Seat

    def __str__(self) -> str:
        return f"vacation {self.seat}"


@dataclass(frozen=True, slots=True)
class VoteLook:
    """The open vote, which must be looked at: it may have passed or lapsed. It is never stored: the
    vote knows when that is.
    """

    def __str__(self) -> str:
        return "vote"


Timed = ClockMove | Thinking | Reaction | Planned | DayClock  # what has a timer
Due = Timed | VoteLook | VacationOver


def timed_from(text: str) -> Timed:
    """Return what a stored text stands for."""
    match text.split():
        case ["bot", seat, *token] if seat.isdecimal():
            return Thinking(int(seat), " ".join(token))
        case ["race", seat, *token] if seat.isdecimal():
            return Reaction(int(seat), " ".join(token))
        case ["days", seat, asked] if seat.isdecimal():
            return DayClock(int(seat), asked)
        case ["ahead", seat, token] if seat.isdecimal():
            return Planned(int(seat), token)
        case [verb, *choices]:
            return ClockMove(verb, tuple(choices))
        case _:
            return ClockMove("")
