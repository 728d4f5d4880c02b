"""Comparison of two matches with the same cards: the first of a seat's decisions that differs."""

from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from kaboom.engine.moves import Seat
from kaboom.engine.takeback import standing
from kaboom.engine.texts import Names
from kaboom.records.replay import Replay


@dataclass(frozen=True, slots=True)
class Parting:
    """The first decision in which two matches differ, by its step in each.

    A step is None if that match was already over; the decision is then only in the other one.
    """

    decision: int  # the number of the decision, from 1
    one: int | None
    other: int | None


def decisions(replay: Replay, seat: Seat) -> list[tuple[int, str]]:
    """Return the decisions of a seat, each with its step.

    Moves taken back, drafts, and “ready” are left out.
    """
    passed_over = replay.game.quick | replay.game.drafts
    texts = [move.text for move in replay.record.moves[: replay.last]]
    found = []
    for step, text in standing(texts):
        who, verb, *_choices = text.split()
        if who == str(seat) and verb not in passed_over:
            found.append((step, text))
    return found


def parting(one: Replay, other: Replay, seat: Seat) -> Parting | None:
    """Return the first of a seat's decisions that differs between two matches, or None."""
    both = zip_longest(decisions(one, seat), decisions(other, seat))
    for number, (first, second) in enumerate(both, 1):
        if first is None or second is None or first[1] != second[1]:
            return Parting(number, first and first[0], second and second[0])
    return None


def told(replay: Replay, step: int, seat: Seat, own: bool = False) -> str:
    """Return a sentence about a seat's action in a step, from that seat's point of view; if the
    seat is the reader's `own`, it addresses the reader.
    """
    names = Names(tuple(replay.record.names), seat if own else None)
    words = replay.game.words
    move = replay.steps[step].move
    assert move is not None
    for event in sorted(replay.steps[step].events, key=lambda event: event.to != seat):
        if event.heard_by(seat) and event.to == seat:
            say = words.say if own else partial(words.look_back, to=event.to)
            sentence = say(event.kind, event.facts, names=names)
            if sentence:
                return sentence
        elif event.to is None and (sentence := words.say(event.kind, event.facts, names)):
            return sentence
    return str(move)
