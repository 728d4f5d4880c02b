"""Test data about a game beyond its rules, defined in the game's own `sample.py`.

All of it is optional. It makes the tests faster (a short match) and more precise (hidden choices,
places of cards), or lets them reach more of the game (options for rare situations).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from kaboom.engine.options import Option, contradictions, declared

Values = Mapping[str, bool | int | float | str]  # options by name


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A situation in a match for screenshots.

    It is the first one, `after` a minimum number of moves, in which a player who has to move has a
    status line of this `kind`; "over" is the end of the match.
    """

    name: str
    kind: str
    after: int = 0
    options: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sample:
    """Facts about a game for its tests.

    Without `places` or `count`, the zones that OPEN sees must hold the same cards from one deal to
    the next, unless `conserved` is False: then cards come and go, or lie in two zones together.
    """

    # Options of a match that is soon over, and of one that outlasts every test.
    short: Values = field(default_factory=dict)
    long: Values = field(default_factory=dict)
    # Options of the tables at which secrecy is tested, so that every stage and verb occurs.
    variants: Sequence[Values] = ({},)
    # Sets of options by name that change the game so much that the whole contract is tested again.
    apart: Mapping[str, Values] = field(default_factory=dict)
    # By option, the values that other options must have before it changes anything.
    needs: Mapping[str, Values] = field(default_factory=dict)
    # Options whose effect random players hardly ever meet, so that only the game's tests show it.
    unseen: Collection[str] = ()
    # Verbs whose use, but not whose choice, others notice, each with its stage ("" is any stage).
    sealed: Mapping[str, str] = field(default_factory=dict)
    # Those of them whose choices are revealed to all when the last player has answered.
    together: frozenset[str] = frozenset()
    # `opened(before, *after)` returns True if a move revealed something according to the rules.
    opened: Callable[..., bool] = lambda before, *after: False
    # Verbs that end something early; a random player uses one of this many opportunities.
    rare: Mapping[str, int] = field(default_factory=dict)
    # True if hardly any move can be taken back.
    for_good: bool = False
    # The fields of the state that together hold every card once.
    places: Sequence[str] = ()
    # How many identical cards there may be.
    packs: int = 1
    # `count(state, seats)` returns the possible total numbers of cards.
    count: Callable[[Any, int], Collection[int]] | None = None
    conserved: bool = True
    # A pattern of the text about the table, besides the turn, on the page.
    going_on: str = ""
    # Moments for screenshots, the first of them at a player's turn.
    glimpses: Sequence[Glimpse] = ()
    # For tests in text browsers, as patterns: what a person presses, in order of preference; what
    # submits checkboxes; and the text about the turn that the page then shows.
    wishes: Sequence[str] = ()
    sends: str = ""
    done: str = ""


# All pairs of options

Pair = tuple[tuple[str, Any], tuple[str, Any]]  # two options, each with a value


def tried(option: Option) -> Sequence[Any]:
    """Return the values of an option to test: all, or the default and both limits of a number.

    The default is the first.
    """
    if option.kind == "switch":
        return option.default, not option.default
    if option.kind == "choice":
        return option.default, *(each for each in option.values if each != option.default)
    kind = int if option.step == 1 else float
    ends = (kind(option.least), kind(option.most))
    return option.default, *(end for end in ends if end != option.default)


def pairs(options: type[Any], needs: Mapping[str, Values]) -> list[dict[str, Any]]:
    """Return a small number of option sets in which every possible pair of values occurs.

    A pair is omitted if it is contradictory even with what its options need (`Sample.needs`). The
    choice is greedy: each set begins with the first remaining pair, and every other option gets the
    value that makes the most new pairs with those chosen before.
    """
    values = {option.name: tried(option) for option in declared(options)}
    usual = {name: of[0] for name, of in values.items()}
    left: dict[Pair, None] = {
        ((one, this), (other, that)): None
        for one, other in combinations(values, 2)
        for this in values[one]
        for that in values[other]
    }
    sets = []
    while left:
        pair = next(iter(left))
        chosen = _with_needs(dict(pair), needs, usual)
        del left[pair]
        if contradictions(options(**chosen)):
            continue
        for name in values:
            if name not in chosen:
                ranked = sorted(values[name], key=lambda it: -_new(left, chosen, name, it))
                chosen[name] = next(
                    it for it in ranked if not contradictions(options(**chosen, **{name: it}))
                )
        sets.append(chosen)
        for done in _pairs_of(chosen, values):
            left.pop(done, None)
    return sets


def _with_needs(
    pair: dict[str, Any], needs: Mapping[str, Values], usual: Mapping[str, Any]
) -> dict[str, Any]:
    needed: dict[str, Any] = {}
    for name, value in pair.items():
        if value != usual[name]:
            needed |= needs.get(name, {})
    return needed | pair


def _new(left: Collection[Pair], chosen: Values, name: str, value: Any) -> int:
    return sum(
        ((name, value), other) in left or (other, (name, value)) in left for other in chosen.items()
    )


def _pairs_of(chosen: Mapping[str, Any], order: Collection[str]) -> Iterator[Pair]:
    return combinations([(name, chosen[name]) for name in order], 2)
