"""The contract tests of a game: the sample matches, and the messages of failed checks.

A check fails with one sentence that names the game and, if applicable, the seed, the number of
players, the move, the seat and the viewer. If several checks fail for the same reason, the first
one reports it; the others are skipped and refer to it.
"""

import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, wraps
from pathlib import Path
from typing import Any, NoReturn

import pytest

from kaboom.engine.codec import to_json
from kaboom.engine.engine import find, start, step
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Refusal, Seat
from kaboom.engine.options import contradictions, declared
from kaboom.engine.play import Event, Listener
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.fixtures import Sample, Values, tried
from kaboom.engine.toolkit.playthrough import NAMES, Stuck, random_turn
from kaboom.engine.views import DOWN, EMPTY, OPEN, Outcome
from kaboom.games import sample

# Matches between random players may be long; this many moves reach every part of a game.
MOST = 400
# After this many random moves, a match with the options `short` of a sample is over.
LONGEST = 5000
ENDS = 3  # complete matches per table size
TRIES = 6  # matches in which an option must make a difference
STEPS = 250  # moves of each of them

Step = tuple[Any, Sequence[Event], int]

# The check that reported a cause, by the key of the game and the cause.
TOLD: dict[tuple[str, str], str] = {}
# Trials with cached matches: a check may use one trial, and another of the same game under other
# options.
KEPT: deque["Trial"] = deque(maxlen=3)


STUCK = (
    "no seat can move and there is no outcome; `offers` must yield what may be done, or "
    "`outcome` must say how the match ended"
)


class Fault(Exception):
    """A fault in a game, as a sentence; the same `cause` may occur in several checks."""

    def __init__(self, sentence: str, cause: str = "") -> None:
        super().__init__(sentence)
        self.cause = cause


def seed(number: int) -> bytes:
    """Return the seed of the match with this number: 32 bytes."""
    return number.to_bytes(32, "big")


def with_options(game: Game[Any], values: Values) -> Game[Any]:
    """Return a game with these options as its defaults."""
    options: Any = game.options
    chosen: Any = partial(options, **known(game, values))
    return replace(game, options=chosen)


def known(game: Game[Any], values: Values) -> dict[str, Any]:
    """Return the values of existing options; another check reports unknown ones."""
    names = {option.name for option in declared(type(game.options()))}
    return {name: value for name, value in values.items() if name in names}


def sample_of(key: str) -> tuple[Sample, str]:
    """Return the sample of a game, with an error if it cannot be read; then the sample has
    defaults.
    """
    try:
        return sample(key), ""
    except Exception as error:  # importing it may raise anything
        return Sample(), f"{type(error).__name__}: {error}"


@dataclass(slots=True)
class Place:
    """The current position of a check, which its message names besides the game."""

    seed: int | None = None
    seats: int | None = None
    move: int | None = None
    seat: Seat | None = None
    viewer: str = ""

    def go(
        self, seed: int | None = None, seats: int | None = None, move: int | None = None
    ) -> None:
        """Set the current move, without a seat or viewer."""
        self.seed, self.seats, self.move, self.seat, self.viewer = seed, seats, move, None, ""

    def __str__(self) -> str:
        parts = [] if self.seed is None else [f"seed {self.seed}"]
        parts += [] if self.seats is None else [f"{self.seats} players"]
        parts += [] if self.move is None else [f"move {self.move}"]
        parts += [] if self.seat is None else [f"seat {self.seat}"]
        parts += [f"viewer {self.viewer}"] if self.viewer else []
        return "".join(f", {part}" for part in parts)


class Trial:
    """A game under test, with the options that `game.options()` returns; `name` is that of its
    test.
    """

    def __init__(self, name: str, game: Game[Any], place: Place | None = None) -> None:
        self.name, self.game = name, game
        self.place = place or Place()
        self.about, self.broken_sample = sample_of(game.key)
        self._matches: dict[tuple[int, int], Sequence[Step]] = {}

    def __str__(self) -> str:
        return f"{self.game.name} ({self.name}){self.place}"

    def under(self, game: Game[Any]) -> "Trial":
        """Return a trial of the same game with other options, for the same check."""
        return Trial(self.name, game, self.place)

    def fail(self, sentence: str, cause: str = "") -> NoReturn:
        """Raise Fault with a sentence that states the problem and what to do."""
        raise Fault(f"{self}: {sentence}.", cause)

    # Positions

    @property
    def sizes(self) -> list[int]:
        """Return the possible numbers of players for the game."""
        return list(self.game.seats(self.game.options()))

    def walk(self, number: int, seats: int) -> Iterator[Step]:
        """Yield (state, events, move number) for each step of a match between random players."""
        if self not in KEPT:
            if len(KEPT) == KEPT.maxlen:
                KEPT[0]._matches.clear()
            KEPT.append(self)
        if (number, seats) not in self._matches:
            self._matches[number, seats] = list(self._steps(number, seats))
        for step_ in self._matches[number, seats]:
            self.place.go(number, seats, step_[2])
            yield step_
        self.place.go()

    def positions(self, every: int = 7) -> Iterator[tuple[Any, int]]:
        """Yield (state, seats) for one position in `every`, and the last one, of a match at each
        table size.
        """
        for number, seats in enumerate(self.sizes):
            for state, _, n in self.walk(number, seats):
                if n % every == 0 or self.game.outcome(state) is not None:
                    yield state, seats

    def seats(self, seats: int) -> Iterator[Seat]:
        """Yield each seat; a check that fails meanwhile names it."""
        for seat in range(seats):
            self.place.seat = seat
            yield seat
        self.place.seat = None

    def viewers(self, seats: int) -> Iterator[Seat | None]:
        """Yield each viewer, a spectator last; a check that fails meanwhile names it."""
        for viewer in (*range(seats), None):
            self.place.viewer = "a spectator" if viewer is None else str(viewer)
            yield viewer
        self.place.viewer = ""

    def _steps(self, number: int, seats: int, most: int = 0) -> Iterator[Step]:
        game, key = self.game, seed(number)
        self.place.go(number, seats, 0)
        done = start(game, seats, game.options(), key)
        yield done.state, done.events, 0
        for n in range(1, (most or MOST) + 1):
            if game.outcome(done.state) is not None:
                return
            self.place.go(number, seats, n)
            move = random_turn(game, done.state, seats, Rng(key, n, "players"))
            done = step(game, done.state, move, Rng(key, n))
            yield done.state, done.events, n

    @cached_property
    def short(self) -> "Trial":
        """Return the same game with the sample's options for a short match."""
        usual = self.game.options()
        values = {it.name: getattr(usual, it.name) for it in declared(type(usual))}
        return self.under(with_options(self.game, {**values, **known(self.game, self.about.short)}))

    def ends(self) -> Iterator[tuple[Any, int, Outcome]]:
        """Yield the last state, the number of players and the outcome of short matches, ENDS of
        them at the smallest table and at the largest.
        """
        for seats in sorted({self.short.sizes[0], self.short.sizes[-1]}):
            for number in range(ENDS):
                *_, (state, _, n) = self.short._steps(number, seats, LONGEST)
                self.place.go(number, seats, n)
                outcome = self.game.outcome(state)
                if outcome is None:
                    self.fail(
                        f"there is no outcome after {n} moves; make sure that each round uses "
                        "something up and that `outcome` ends the match, or name options for a "
                        "shorter match in Sample.short",
                        "endless",
                    )
                yield state, seats, outcome
        self.place.go()

    # Texts

    def said(self, kind: str, facts: Mapping[str, Any], names: Names) -> str | None:
        """Return the sentence for an event or a saying, or None."""
        return self._spoken(kind, lambda: self.game.words.say(kind, facts, names))

    def looked_back(self, event: Event, names: Names) -> str | None:
        """Return the sentence for an event with all cards open, or None."""
        words = self.game.words
        return self._spoken(
            event.kind, lambda: words.look_back(event.kind, event.facts, event.to, names)
        )

    def _spoken(self, kind: str, sentence: Callable[[], str | None]) -> str | None:
        try:
            return sentence()
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            self.fail(
                f"the sentence for {kind!r} in words.sayings cannot be filled in "
                f"({type(error).__name__}: {error}); use only facts that come with it, and "
                "existing spellers",
                f"words {kind}",
            )

    def labelled(self, verb: str, names: Names, about: str = "") -> None:
        """Check that an offer has a label."""
        if not self.game.words.offers.get(verb):
            self.fail(
                f"the verb {verb!r} has no label; add {verb!r} to words.offers", f"label {verb}"
            )
        self._spoken(f"{verb} (offer)", lambda: self.game.words.offer(verb, names, about))

    def spelled(self, verb: str, option: str, names: Names) -> str:
        """Return one option of an offer in words."""
        try:
            return self.game.words.choice(verb, option, names)
        except Exception as error:  # a speller may raise anything
            self.fail(
                f"the choice {option!r} of {verb!r} cannot be put into words "
                f"({type(error).__name__}: {error}); name a suitable speller in words.choices",
                f"choice {verb}",
            )

    # Cards

    def cards(self, state: Any) -> Counter[Card]:
        """Return the number of times each card is on the table.

        It counts the fields that the sample names, or else the zones that OPEN sees.
        """
        if self.about.places:
            return cards_of(self.about.places, state)
        zones = self.game.view(state, OPEN).zones
        return Counter(card for zone in zones for card in zone.cards if card not in (DOWN, EMPTY))

    # Options

    def changes(self, name: str) -> bool:
        """Return True if an option changes play or views in one of several matches."""
        found = self._changes(name)
        self.place.go()
        return found

    def _changes(self, name: str) -> bool:
        game, needs = self.game, self.about.needs.get(name, {})
        (option,) = (it for it in declared(game.options) if it.name == name)
        for number in range(TRIES):
            short = self.about.short if number % 2 else {}
            values = {**known(game, short), **known(game, needs)}
            values.pop(name, None)
            usual = game.options(**values)
            for value in tried(option)[1:]:
                other = replace(usual, **{name: value})
                if contradictions(usual) or contradictions(other):
                    continue
                if list(game.seats(usual)) != list(game.seats(other)):
                    return True
                seats = list(game.seats(usual))[number % len(game.seats(usual))]
                if game.why_not(usual, seats) != game.why_not(other, seats):
                    return True
                if self._differs(name, usual, other, number, seats):
                    return True
        return False

    def _differs(self, name: str, usual: Any, other: Any, number: int, seats: int) -> bool:
        lines = (self._line(name, options, number, seats) for options in (usual, other))
        missing = object()
        one, two = lines
        while True:
            here, there = next(one, missing), next(two, missing)
            if here != there:
                return True
            if here is missing:
                return False

    def _line(self, name: str, options: Any, number: int, seats: int) -> Iterator[bytes]:
        """Yield the data of a match at each move, without text that only repeats the option."""
        chosen: Any = lambda: options  # noqa: E731
        game = replace(self.game, options=chosen)
        for state, events, _ in self.under(game)._steps(number, seats, STEPS):
            held = {field: getattr(state, field) for field in state.__struct_fields__}
            held = {field: value for field, value in held.items() if value is not options}
            view = game.view(state, None)
            facts = {
                fact: value
                for fact, value in view.facts.items()
                if fact != name and not (isinstance(value, dict) and name in value)
            }
            offers = [
                (it.seat, it.verb, it.pick.options, it.pick.least, it.pick.most, it.after)
                for it in game.listeners(state)
            ]
            yield to_json([held, offers, view.zones, facts, events, game.outcome(state)])

    # Failures

    def wrong(self, check: Callable[["Trial"], None]) -> tuple[str, str] | None:
        """Return the message of a failed check and the check that reported its cause, or None."""
        self.place.go()
        try:
            check(self)
            return None
        except Fault as fault:
            sentence, cause, lines = str(fault), fault.cause, ""
        except Stuck:
            sentence, cause, lines = f"{self}: {STUCK}.", "stuck", ""
        except Exception as error:  # the game's code may raise anything
            sentence, cause, lines = self._raised(error)
        name = check.__name__
        return sentence + lines, TOLD.setdefault((self.game.key, cause), name) if cause else name

    def _raised(self, error: Exception) -> tuple[str, str, str]:
        """Return an exception as a sentence, its cause, and its traceback through the game."""
        way = traceback.extract_tb(error.__traceback__)
        home = Path(sys.modules[self.game.setup.__module__].__file__ or "").parent
        own = [frame for frame in way if home in Path(frame.filename).parents]
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        last = (own or way)[-1]
        at = f"{Path(last.filename).name}, line {last.lineno}"
        who = f"`{own[0].name}` of the game" if own else "the engine"
        lines = "".join(traceback.format_list(own))
        sentence = (
            f"{self}: {who} raised {what} ({at}); fix it there, since no page may raise an "
            "exception."
        )
        cause = f"{type(error).__name__} {at}" if own else f"{what} {at}"
        return sentence, cause, f"\n{lines}" if lines else ""


def tried_on(trials: Mapping[str, Trial]) -> Callable[[Callable[[Trial], None]], Any]:
    """Return a decorator that runs a check as a test for each of these trials, by name.

    All tests of a game run together, because they share the same matches.
    """

    def tests_of(check: Callable[[Trial], None]) -> Any:
        @wraps(check)
        def test(trial: Trial) -> None:
            if (wrong := trial.wrong(check)) is None:
                return
            sentence, told = wrong
            if told != check.__name__:
                pytest.skip(f"{trial.game.name}: {told} reports what is wrong; fix that first")
            pytest.fail(sentence, pytrace=False)

        mark = pytest.mark.parametrize("trial", trials.values(), ids=list(trials), scope="module")
        return mark(test)

    return tests_of


def refusal_of(
    game: Game[Any],
    state: Any,
    move: Move,
    token: str | None = None,
    listeners: Sequence[Listener] | None = None,
) -> Refusal | None:
    """Return the reason why a move is refused, or None if it is accepted."""
    try:
        find(game, state, move, token, listeners)
    except Refusal as no:
        return no
    return None


def names(seats: int, viewer: Seat | None = None) -> Names:
    """Return the names at a trial's table."""
    return Names(NAMES[:seats], viewer)


def cards_of(places: Sequence[str], state: Any) -> Counter[Card]:
    """Return the number of each card in these fields of a state."""
    return Counter(card for place in places for card in _flat(getattr(state, place)))


def _flat(value: Any) -> Iterator[Any]:
    """Yield the cards contained in nested lists and records."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)
    elif isinstance(value, (str, int)):
        yield value
    elif hasattr(value, "card"):
        yield value.card
