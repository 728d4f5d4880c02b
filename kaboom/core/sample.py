"""What a test must be told of a game, because no rule says it: a game's own `sample.py` holds it.

All of it has a default, under which a game is tried as it comes. What is written down makes the
tests quicker (a short match), sharper (which choices are secret, where the cards lie), or lets them
reach more of the game (options under which its corners turn up).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Values = Mapping[str, bool | int | float | str]  # options by name


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A moment of a match that is looked at in a browser.

    It is the first, after so many moves at least, at which a player who is asked reads a saying of
    that kind; "over" is the end of the match.
    """

    name: str
    kind: str
    after: int = 0
    options: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sample:
    """Facts about a game for its tests.

    `short`: options of a match that is soon over; `long`: of one that outlasts every test.
    `variants`: options of the tables at which secrecy is proved, so that every stage and verb turns
    up; `apart`: options, by a name, under which the game is so different that it keeps the whole
    contract once more; `needs`: what other options must be before an option changes anything.
    `sealed`: verbs of which others learn only that they were used, each with the stage in which
    that is so ("" is any); `together`: those of them that the last one to answer opens for all;
    `opened(before, *after)` says whether a move opened something by the rules.
    `rare`: verbs that end something early, and in how many chances a random player takes one.
    `places`: the fields of the state that hold all cards, each of them once; `packs`: how many
    cards may be equal; `count(state, seats)`: how many cards may lie there in all.
    `going_on`: a pattern of what is said of the table besides the turn; `glimpses`: moments to look
    at, the first one of somebody's turn. `wishes`: patterns of what a person in a text browser
    presses, the most wanted first; `sends`: of what sends boxes that were ticked; `done`: a pattern
    of what is then told of a turn.
    """

    short: Values = field(default_factory=dict)
    long: Values = field(default_factory=dict)
    variants: Sequence[Values] = ({},)
    apart: Mapping[str, Values] = field(default_factory=dict)
    needs: Mapping[str, Values] = field(default_factory=dict)
    sealed: Mapping[str, str] = field(default_factory=dict)
    together: frozenset[str] = frozenset()
    opened: Callable[..., bool] = lambda before, *after: False
    rare: Mapping[str, int] = field(default_factory=dict)
    places: Sequence[str] = ()
    packs: int = 1
    count: Callable[[Any, int], Collection[int]] | None = None
    going_on: str = ""
    glimpses: Sequence[Glimpse] = ()
    wishes: Sequence[str] = ()
    sends: str = ""
    done: str = ""
