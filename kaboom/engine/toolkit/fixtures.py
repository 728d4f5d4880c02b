"""What a test must be told of a game, because no rule says it: a game's own `sample.py` holds it.

All of it has a default, under which a game is tried as it comes. What is written down makes the
tests quicker (a short match), sharper (which choices are secret, where the cards lie), or lets them
reach more of the game (options under which its corners turn up).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from kaboom.engine.options import Option, contradictions, declared

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
    contract once more; `needs`: what other options must be before an option changes anything;
    `unseen`: those whose effect random players hardly ever meet, so that the game's own tests show
    it.
    `sealed`: verbs of which others learn only that they were used, each with the stage in which
    that is so ("" is any); `together`: those of them that the last one to answer opens for all;
    `opened(before, *after)` says whether a move opened something by the rules.
    `rare`: verbs that end something early, and in how many chances a random player takes one.
    `for_good`: hardly any of its moves can be taken back.
    `places`: the fields of the state that hold all cards, each of them once; `packs`: how many
    cards may be equal; `count(state, seats)`: how many cards may lie there in all. Without these
    the zones that OPEN sees must hold the same cards from one deal to the next, unless `conserved`
    is False: then cards come and go, or lie in two zones at once.
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
    unseen: Collection[str] = ()
    sealed: Mapping[str, str] = field(default_factory=dict)
    together: frozenset[str] = frozenset()
    opened: Callable[..., bool] = lambda before, *after: False
    rare: Mapping[str, int] = field(default_factory=dict)
    for_good: bool = False
    places: Sequence[str] = ()
    packs: int = 1
    count: Callable[[Any, int], Collection[int]] | None = None
    conserved: bool = True
    going_on: str = ""
    glimpses: Sequence[Glimpse] = ()
    wishes: Sequence[str] = ()
    sends: str = ""
    done: str = ""


# All pairs of options

Pair = tuple[tuple[str, Any], tuple[str, Any]]  # two options, each with a value


def tried(option: Option) -> Sequence[Any]:
    """Return the values of an option worth trying: all, but of a number the default and both ends.

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
    """Return few sets of options in which every pair of values occurs that can occur.

    A pair that contradicts itself is left out, even with what its options need (`Sample.needs`).
    Greedy: each set begins with the first pair that is left, and every other option gets the value
    that makes the most new pairs with those chosen before.
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
