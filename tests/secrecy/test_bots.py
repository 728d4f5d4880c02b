"""A bot's decision depends only on what its seat may know, at every level; so does its pace.

In two worlds that its seat cannot tell apart, a bot has the same thoughts for the same reasons.
`make test` compares 300 decisions in deep positions, `make soak` 6,000. Matches are played by bots
and at random, which reaches positions that bots would avoid.
"""

from collections import Counter
from dataclasses import replace
from zlib import crc32

import pytest

from kaboom.engine.bots import delays as pace
from kaboom.engine.bots.bot import Bot, Level, Thought
from kaboom.engine.bots.delays import Pace
from kaboom.engine.bots.names import Temper
from kaboom.engine.codec import copied, to_json
from kaboom.engine.engine import prompt, start, step
from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from tests.secrecy.states import SEED, next_move, redealt, seed, tables_of
from tests.support.effort import often

WITH_BOTS = [key for key in GAMES if GAMES[key].bot]
DECISIONS = often(300, soak=6_000) // len(WITH_BOTS)  # of each game
ONE_IN = 4  # decisions that are checked
MOST = 400  # moves of a match


def decisions(game, number):
    """Yield (state, part of a prompt, memory of its seat, move number): bots' decisions in a match,
    turns and races separately.
    """
    kinds = tables_of(game)
    options, seats = kinds[number % len(kinds)]
    key = seed(SEED + number)
    done = start(game, seats, options, key)
    memories = [game.bot.memory() for _ in range(seats)]
    for n in range(1, MOST):
        for seat, memory in enumerate(memories):
            for event in done.events:
                if event.heard_by(seat):
                    game.bot.notice(memory, event, seat)
        if game.outcome(done.state) is not None:
            return
        move = None
        for seat, memory in enumerate(memories):
            for part in prompt(game, done.state, seat).parted():
                if part.offers:
                    yield done.state, part, memory, n
                    if part.waited_for and n % 2:
                        own, luck = game.view(done.state, seat), Rng(key, n, "bots")
                        move = move or game.bot.choose(memory, own, part, luck, Level.EASY)
        move = move or next_move(game, done.state, seats, Rng(key, n, "players"))
        done = step(game, done.state, move, Rng(key, n))


def thoughts(bot, game, state, part, memory, level, n):
    """Return all stored thoughts of a bot, and its decision."""
    view, before = game.view(state, part.seat), to_json(memory)
    known = copied(memory)
    found = [
        (str(it.move), it.worth, to_json(it.reason))
        for it in bot.weigh(known, view, part, Rng(seed(2), n, "bot"), level)
    ]
    done = bot.choose(known, view, part, Rng(seed(2), n, "bot"), level)
    assert to_json(known) == before, "thinking changes no memory"
    return found, str(done)


def paces(game, state, seats, viewer):
    """Return the thinking time of each bot in the other seats, with the same random draws."""
    found = {}
    for seat in range(seats):
        if seat == viewer:
            continue
        asked, race = prompt(game, state, seat).parted()
        dice = Rng(seed(3), seat, "pace")
        if asked.openly_waited_for:
            found[seat] = pace.decision_seconds(
                Pace.NATURAL, asked, bool(race.offers), game.quick, Temper(), dice
            )
        found[seat, "race"] = bool(race.offers)
    return found


def unfair(game, bot, count):
    """Describe each of `count` bot decisions that depends on what its seat cannot know."""
    made, changed, number, met = 0, 0, 0, 0
    levels, verbs = Counter(), Counter()
    while made < count:
        assert number < 20 + count, "matches are too short"
        for state, part, memory, n in decisions(game, number):
            met += 1
            if met % ONE_IN or made >= count:
                continue
            level = list(Level)[made % 3]
            other = redealt(game, state, part.seat, met)
            changed += to_json(other) != to_json(state)
            made += 1
            levels[level] += 1
            verbs[tuple(offer.verb for offer in part.offers)] += 1
            here = thoughts(bot, game, state, part, memory, level, n)
            stored = memory if level in bot.remembers else bot.memory()
            there = thoughts(bot, game, other, part, stored, level, n)
            if here != there:
                yield f"match {number}, move {n}, seat {part.seat}, {level}: {here} or {there}"
        number += 1
    assert len(levels) == 3
    assert changed > made / 4, "hardly anything was redealt, so this proves little"
    print(f"{game.name}: {made} decisions, {changed} redealt, {len(verbs)} kinds, {number} matches")


@pytest.mark.parametrize("key", WITH_BOTS)
def test_every_bot_uses_only_what_its_seat_may_know(key):
    game = GAMES[key]
    assert next(unfair(game, game.bot, DECISIONS), None) is None


@pytest.mark.parametrize("key", WITH_BOTS)
def test_bot_pace_does_not_reveal_its_hand(key):
    """For every other viewer, seated or not, and whatever is hidden from them."""
    game, compared = GAMES[key], 0
    for number in range(3 + DECISIONS):
        for state, part, _, n in decisions(game, number):
            compared += 1
            if compared % ONE_IN:
                continue
            seats = game.seated(state)
            for viewer in (None, (part.seat + 1) % seats):
                other = redealt(game, state, viewer, compared)
                here, there = (paces(game, it, seats, viewer) for it in (state, other))
                assert here == there, f"match {number}, move {n}, to {viewer}"
        if compared > ONE_IN * DECISIONS:
            return


# Planted cheats


class Peeping:
    """A game whose bot sees the state behind its view."""

    def __init__(self, game) -> None:
        self.state = None
        self.game = replace(game, view=self._view)
        self._of = game.view

    def _view(self, state, viewer):
        self.state = state
        return self._of(state, viewer)

    def hidden(self):
        """Return a number that depends on every card, including cards that no player may know."""
        return crc32(to_json(self.state))


def cheating(peeping, how):
    """Return the game's bot with one decision changed by hidden cards."""
    own = peeping.game.bot

    def weigh(memory, view, part, rng, level):
        found = list(own.weigh(memory, view, part, rng, level))
        odd = peeping.hidden() % 2
        if how == "move" and odd and len(found) > 1:
            found[0], found[1] = found[1], found[0]
        elif how == "move" and odd and found:
            found = []
        elif how == "worth" and found:
            found[0] = Thought(found[0].move, found[0].worth + odd, found[0].reason)
        elif how == "reason" and found and odd:
            found[0] = Thought(found[0].move, found[0].worth, peeping.game.view(
                peeping.state, None).saying)  # fmt: skip
        return found

    return Bot(own.memory, own.notice, weigh, own.bound)


@pytest.mark.parametrize("how", ["move", "worth", "reason"])
@pytest.mark.parametrize("key", [key for key in ("kaboom", "gops") if key in GAMES])
def test_bot_that_sees_hidden_cards_is_detected(key, how):
    peeping = Peeping(GAMES[key])
    assert next(unfair(peeping.game, cheating(peeping, how), 60), None)


def test_pace_that_depends_on_the_hand_is_detected(monkeypatch):
    """For example a time that grows with the number of options."""
    real = pace.decision_seconds

    def closer(speed, own, *more):
        return real(speed, own, *more) + 0.01 * sum(len(it.playable) for it in own.offers)

    monkeypatch.setattr(pace, "decision_seconds", closer)
    with pytest.raises(AssertionError, match="match"):
        test_bot_pace_does_not_reveal_its_hand("karata")


def test_pace_that_depends_on_a_secret_verb_is_detected(monkeypatch):
    """A player who can only keep or discard a drawn card has drawn one without an ability."""
    secret = frozenset({"ready", "keep", "discard", "replace"})
    monkeypatch.setitem(GAMES, "kaboom", replace(GAMES["kaboom"], quick=secret))
    with pytest.raises(AssertionError, match="match"):
        test_bot_pace_does_not_reveal_its_hand("kaboom")
