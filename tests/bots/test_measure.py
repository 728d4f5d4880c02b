"""A player in a field of others: fair, repeatable, limited to each seat's view."""

import pytest

from kaboom.cli.develop import yardsticks
from kaboom.engine.bots.bot import Bot, Level, Thought
from kaboom.engine.bots.delays import MISSED
from kaboom.engine.bots.evaluate import RANDOM, Match, Measured, Player, in_field, interval, played
from kaboom.engine.moves import Move
from kaboom.games import GAMES, sample
from tests.engine.sealed_bids import SEALED_BIDS, Options

KABOOM = GAMES["kaboom"]


def test_equal_bots_get_a_fair_share():
    found = in_field(SEALED_BIDS, RANDOM, RANDOM, range(20), 2, Options())
    assert found.shares == [0.5] * 20
    assert found.leads == [0.0] * 20
    assert found.times == []


def test_the_same_seed_gives_the_same_match():
    ends = [played(SEALED_BIDS, [RANDOM, RANDOM], Options(), bytes(32)) for _ in range(2)]
    assert ends[0] == ends[1]


def test_mean_comes_with_its_confidence_interval():
    assert interval([0.5]) == (0.5, 0.0)
    assert interval([0.0, 1.0, 0.0, 1.0]) == (0.5, pytest.approx(0.566, abs=0.001))


def test_measured_share_is_printed_with_its_interval():
    found = Measured(4, [0.25, 0.75], [1.0, 3.0])
    said = "50.0 ± 49.0 % of the wins (fair 25.0 %), +2.00 ± 1.96 points beside the others"
    assert str(found).startswith(said)


def racing(memory, view, prompt, rng, level):
    """Flip the first card in every race; otherwise make the simplest move, and call late."""
    offered = {offer.verb: offer for offer in prompt.offers}
    if "kaboom" in offered and view.facts["stock_count"] < 25:
        return [Thought(Move(prompt.seat, "kaboom"))]
    verbs = ("flip", "ready", "draw", "discard", "no_give", "skip", "kaboom", "take", "replace")
    verb = next(verb for verb in verbs if verb in offered)
    choices = offered[verb].options[: offered[verb].least]
    return [Thought(Move(prompt.seat, verb, choices))]


@pytest.mark.parametrize("clocks", [False, True])
def test_race_is_won_by_chance_or_level_never_by_seat(clocks):
    """All players flip at the same time; the log shows whose flip was first."""
    bot = Bot(KABOOM.bot.memory, KABOOM.bot.notice, racing)
    levels = [Level.EASY, Level.HARD, Level.EASY]
    first = [0, 0, 0]
    for number in range(150):
        match = Match(
            KABOOM, [Player(bot, level) for level in levels], KABOOM.options(),
            number.to_bytes(32, "big"), clocks,
        )  # fmt: skip
        hear = match._hear

        def noted(events, hear=hear, first=first, match=match):
            for event in events:
                if event.kind in ("flipped", "wrong_flip"):
                    first[event.facts["seat"]] += 1
                    raise StopIteration
            hear(events)

        match._hear = noted
        with pytest.raises(StopIteration):
            match.played()
    if clocks:
        assert first[1] > 1.5 * max(first[0], first[2]), first
        assert abs(first[0] - first[2]) < 30, first
        assert MISSED[Level.HARD] < MISSED[Level.EASY]
    else:
        assert min(first) > 30, first


def test_bot_that_misses_a_race_is_asked_once_per_card():
    asked = []

    def patient(memory, view, prompt, rng, level):
        if any(offer.race for offer in prompt.offers):
            asked.append((prompt.seat, prompt.offers[0].token))
            return []
        return racing(memory, view, prompt, rng, level)

    bot = Bot(KABOOM.bot.memory, KABOOM.bot.notice, patient)
    played(KABOOM, [Player(bot)] * 2, KABOOM.options(rounds=1), bytes(32))
    assert asked and len(asked) == len(set(asked))


@pytest.mark.parametrize("key", [key for key in ("gops", "taken") if key in GAMES])
def test_bots_are_measured_against_yardsticks_found_by_name(key):
    game = GAMES[key]
    options = game.options(**sample(key).short)
    rival = Player(next(iter(yardsticks(key).values())))
    seats, ticks = game.seats(options)[0], iter(range(10**6))
    found = in_field(
        game, Player(game.bot), rival, range(1), seats, options, now=lambda: float(next(ticks))
    )
    assert len(found.shares) == 1 and found.fair == 1 / seats
    assert set(found.times) == {1.0}, "the time of each decision"
