"""TakeN: numbered worked examples of its rules, then its edge cases, secrets and bots."""

from collections import Counter
from dataclasses import replace
from functools import partial
from random import Random
from statistics import fmean

import pytest

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.evaluate import RANDOM, Match, Player, in_field
from kaboom.engine.engine import clocks, prompt, start, step, waiting_for
from kaboom.engine.log_replay import replay
from kaboom.engine.moves import CLOCK, IllegalMove, Move, NotOnOffer, StaleMove
from kaboom.engine.play import Play
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import NAMES, random_match
from kaboom.engine.views import Saying, View
from kaboom.games.taken import GAME
from kaboom.games.taken.bot import BOT, Table
from kaboom.games.taken.habits import BEFOREHAND, believed, pasts, starts_of, urn
from kaboom.games.taken.imagined import KEEPS, Deal, Rival
from kaboom.games.taken.memory import Laid
from kaboom.games.taken.playouts import cards_tried
from kaboom.games.taken.risks import Risks, Rows
from kaboom.games.taken.rules import (
    HIGHEST,
    Options,
    Played,
    State,
    cost,
    game_points,
    place_the_queue,
    points_of,
    take,
)
from tests.baseline_bots.taken import HIGHEST_CARD, NEAREST_FIT, ONE_STEP_RISK
from tests.games import positions
from tests.games.positions import seed
from tests.games.sealed_choices import check_that_choices_stay_sealed
from tests.support.effort import often, some

A, B, C, D = 0, 1, 2, 3
RANDOM_MATCHES = often(5, soak=200)
RANDOM_ROUNDS = often(3_000, soak=100_000)

after = partial(positions.after, GAME)


def position(rows, *hands, scores=None, **options):
    """Return a state in which all choose; `rows` as text: "12 | 37 | 61 62"."""
    hands = [list(hand) for hand in hands]
    return State(
        Options(**options),
        scores or [0] * len(hands),
        round=3,
        hands=hands,
        chosen=[None] * len(hands),
        rows=table(rows),
        taken=[[] for _ in hands],
    )


def table(rows):
    return [[int(card) for card in row.split()] for row in rows.split("|")]


def all_choose(state, *cards):
    return after(state, *(f"{seat} choose {card}" for seat, card in enumerate(cards)))


def revealed(rows, *cards, **options):
    """Return the state and events after the seats play these cards; each keeps a 104 that never
    matters.
    """
    return all_choose(position(rows, *([card, HIGHEST] for card in cards), **options), *cards)


# The worked examples


@pytest.mark.parametrize(
    ("card", "points"),
    [(5, 2), (10, 3), (11, 5), (50, 3), (55, 7), (66, 5), (99, 5), (100, 3), (104, 1)],
)
def test_example_1_each_card_has_its_points(card, points):
    assert points_of(card) == points


def test_example_2_the_whole_pack_costs_171_points():
    assert cost(range(1, HIGHEST + 1)) == 171


FOUR = "12 | 37 | 61 | 80"


@pytest.mark.parametrize(
    ("number", "rows", "cards", "then", "scores"),
    [
        (3, FOUR, [40], "12 | 37 40 | 61 | 80", [0]),
        (4, FOUR, [104], "12 | 37 | 61 | 80 104", [0]),
        (5, FOUR, [13], "12 13 | 37 | 61 | 80", [0]),
        (6, "12 | 37 | 70 71 88 90 91 | 80", [95], "12 | 37 | 95 | 80", [13]),
        (7, "12 | 37 | 61 | 62 63 64 65", [66], "12 | 37 | 61 | 62 63 64 65 66", [0]),
        (8, "12 | 37 | 61 | 62 63 64 65", [66, 67], "12 | 37 | 61 | 67", [0, 10]),
    ],
)
def test_examples_of_placing_hold(number, rows, cards, then, scores):
    s = revealed(rows, *cards)
    assert s.rows == table(then)
    assert s.scores == scores
    assert s.stage == "choose"


def test_example_5_card_below_all_rows_takes_a_row():
    s = all_choose(all_choose(position(FOUR, [11, 13, 104]), 13), 11)
    assert s.rows == table("12 13 | 37 | 61 | 80")
    assert s.stage == "take"
    assert waiting_for(GAME, s) == [A]
    assert prompt(GAME, s, A).offers[0].options == ("0", "1", "2", "3")


NINE = "5 | 20 31 | 46 | 70 71 88 90 91"


def test_example_9_lowest_card_chooses_before_others_are_placed():
    s = revealed(NINE, 33, 95, 2, 47)
    assert [played.seat for played in s.queue] == [C, A, D, B]
    assert waiting_for(GAME, s) == [C]
    assert s.rows == table(NINE)


@pytest.mark.parametrize(
    ("number", "row", "then", "scores"),
    [
        (10, 0, "2 | 20 31 33 | 46 47 | 95", [0, 13, 2, 0]),
        (11, 2, "5 | 20 31 33 47 | 2 | 95", [0, 13, 1, 0]),
    ],
)
def test_examples_of_taking_a_row_hold(number, row, then, scores):
    s = after(revealed(NINE, 33, 95, 2, 47), f"2 take {row}")
    assert s.rows == table(then)
    assert s.scores == scores


def test_example_12_later_cards_see_the_changed_table():
    s = after(revealed("10 | 30 | 60 | 80", 3, 31, 12), "0 take 1")
    assert s.rows == table("10 12 31 | 3 | 60 | 80")
    assert s.scores == [3, 0, 0]


def test_example_13_refused_card_leaves_the_seat_still_asked():
    s = position(FOUR, [7, 9, 15], [20, 21, 22])
    with pytest.raises(IllegalMove):
        after(s, "0 choose 8")
    assert waiting_for(GAME, s) == [A, B]


def test_example_14_a_choice_is_final():
    s = after(position(FOUR, [7, 9, 15], [20, 21, 22]), "0 choose 7")
    with pytest.raises(NotOnOffer):
        after(s, "0 choose 9")
    assert s.chosen == [7, None]


def test_example_15_only_the_player_asked_takes_one_of_the_rows():
    s = revealed(NINE, 33, 95, 2, 47)
    with pytest.raises(NotOnOffer):
        after(s, "1 take 1")
    with pytest.raises(IllegalMove):
        after(s, "2 take 4")


def test_example_16_timeout_takes_the_cheapest_shortest_row():
    s = revealed("60 | 41 42 | 45 | 70", 3, take_seconds=20)
    [clock] = clocks(GAME, s)
    assert clock.after == 20
    s = after(s, str(clock.clock_move))
    assert s.rows == table("60 | 41 42 | 3 | 70")
    assert s.scores == [2]


def test_example_17_threshold_is_checked_only_after_the_game():
    s = position("1 2 5 15 16 | 99", [17, 101], [100, 102], scores=[60, 40])
    s = all_choose(s, 17, 100)
    assert s.scores == [67, 40]
    assert s.stage == "choose"
    assert GAME.outcome(s) is None


@pytest.mark.parametrize(
    ("number", "scores", "winners"),
    [
        (18, [67, 40, 12], (2,)),
        (19, [66, 12], (1,)),
        (20, [65, 12], None),
        (21, [70, 68, 90], (1,)),
        (22, [70, 12, 12], (1, 2)),
    ],
)
def test_examples_of_the_end_of_a_game_hold(number, scores, winners):
    last = [[60 + seat] for seat in range(len(scores))]
    s = all_choose(position("1 | 2 | 3 | 4", *last, scores=scores), *(card for [card] in last))
    end = GAME.outcome(s)
    if winners is None:
        assert (end, s.stage) == (None, "ready")
        s = after(s, "0 ready", "1 ready")
        assert (s.scores, s.round, [len(hand) for hand in s.hands]) == (scores, 1, [10, 10])
    else:
        assert (end.winners, end.reason, list(end.scores)) == (winners, "won", scores)


@pytest.mark.parametrize(
    ("scores", "viewer", "told"),
    [
        ([5, 12], 1, "Game 1 is over. Fewest points: Ann, 5. Ready for the next one?"),
        ([5, 12], 0, "Game 1 is over. You have the fewest points, 5. Ready for the next one?"),
        ([5, 5], 0, "Game 1 is over. Fewest points: Ann and Ben, 5. Ready for the next one?"),
    ],
)
def test_fewest_points_are_announced_between_games(scores, viewer, told):
    s = all_choose(position("1 | 2 | 3 | 4", [60], [61], scores=scores), 60, 61)
    now = GAME.view(s, viewer).saying
    assert GAME.words.say(now.kind, now.facts, Names(("Ann", "Ben"), viewer)) == told


def test_example_23_ten_players_use_the_whole_pack():
    s = start(GAME, 10, Options(), seed(1)).state
    assert [len(hand) for hand in s.hands] == [10] * 10
    assert [len(row) for row in s.rows] == [1] * 4
    assert s.undealt == []


def test_example_24_too_many_cards_are_refused():
    assert "114" in GAME.why_not(Options(hand_size=11), 10)
    assert GAME.why_not(Options(), 10) is None


def test_example_25_a_tight_deck_has_only_the_cards_in_play():
    s = start(GAME, 3, Options(deck="tight"), seed(1)).state
    cards = [card for cards in (*s.hands, *s.rows) for card in cards]
    assert sorted(cards) == list(range(1, 35))
    assert s.undealt == []
    assert GAME.view(s, 0).facts["highest"] == 34


# Edge cases


def test_card_below_all_rows_does_not_take_a_full_row_by_itself():
    s = revealed("20 21 22 23 24 | 50", 3)
    assert s.stage == "take"
    assert after(s, "0 take 1").rows == table("20 21 22 23 24 | 3")


def test_row_taken_earlier_counts_as_its_single_card():
    s = revealed("10 11 12 13 14 | 90", 15, 16)
    assert s.rows == table("15 16 | 90")


def test_the_rows_keep_the_order_in_which_they_were_turned_up():
    s = start(GAME, 2, Options(rows=8), seed(4)).state
    assert s.rows != sorted(s.rows)
    assert [zone.owner for zone in GAME.view(s, None).zones_named("row")] == [None] * 8


def test_match_ends_after_the_maximum_number_of_games():
    moves, last = random_match(GAME, 3, Options(max_games=2, threshold=500), seed(3))
    assert len(last.past) + 1 == 2
    assert sum("ready" in text for text in moves) == 3
    assert GAME.outcome(last)


def test_scores_are_the_points_of_all_games():
    _, last = random_match(GAME, 4, Options(), seed(3))
    assert last.scores == [sum(each) for each in zip(*last.past, game_points(last), strict=True)]


def test_a_choice_for_an_earlier_round_is_too_late():
    s = position("1 | 2 | 3 | 4", [50, 60], [70, 80])
    token = prompt(GAME, s, A).offers[0].token
    s = all_choose(s, 50, 70)
    with pytest.raises(StaleMove):
        step(GAME, s, Move.parse("0 choose 60"), Rng(seed(0), 9), token)


def test_choice_is_confirmed_to_its_player():
    assert prompt(GAME, position(FOUR, [7, 9], [8, 10]), A).offers[0].confirm


def test_choice_timeout_plays_random_cards():
    s = after(position("1 | 2 | 3 | 4", [50, 60], [70, 80], choose_seconds=9), "0 choose 60")
    [clock] = clocks(GAME, s)
    assert (clock.after, str(clock.clock_move)) == (9, "-1 lapse 1.3")
    played = set()
    for number in range(20):
        later = step(GAME, s, clock.clock_move, Rng(seed(number), 1)).state
        assert later.hands[A] == [50]
        played.add(later.hands[B][0])
    assert played == {70, 80}


def test_taken_table_of_idle_players_still_ends_a_game():
    s = start(GAME, 3, Options(choose_seconds=5, take_seconds=5, max_games=1), seed(4)).state
    number = 0
    while GAME.outcome(s) is None:
        [clock] = clocks(GAME, s)
        number += 1
        s = step(GAME, s, clock.clock_move, Rng(seed(4), number)).state
    assert number >= 10


# What the table shows


def test_reveal_has_one_event_per_step():
    s = revealed(NINE, 33, 95, 2, 47)
    facts = GAME.view(s, None).facts
    assert facts["queue"][0] == {"card": "2", "seat": C}
    assert facts["turn"] == C
    assert facts["row_points"] == [2, 4, 1, 13]
    assert facts["reveal"] == []
    facts = GAME.view(after(s, "2 take 0"), None).facts
    assert [(turn["card"], turn["row"], turn["points"]) for turn in facts["reveal"]] == [
        ("2", 0, 2),
        ("33", 1, 0),
        ("47", 2, 0),
        ("95", 3, 13),
    ]
    assert [(turn["chosen"], turn["forced"]) for turn in facts["reveal"]] == [
        (True, False),
        (False, False),
        (False, False),
        (False, True),
    ]
    assert facts["rows_before"][1] == ["20", "31"]
    assert facts["reveal"][3]["taken"] == ["70", "71", "88", "90", "91"]


def test_every_open_card_has_its_points():
    for _, done in replay(
        GAME, 3, Options(), seed(5), random_match(GAME, 3, Options(), seed(5))[0]
    ):
        for viewer in (0, None):
            view = GAME.view(done.state, viewer)
            cards = {card for zone in view.zones for card in zone.cards} - {"?"}
            cards |= {played["card"] for played in view.facts["queue"]}
            cards |= {turn["card"] for turn in view.facts["reveal"]}
            assert cards <= view.facts["points"].keys()


def test_events_describe_every_turn():
    s = after(position(NINE, [33, 99], [95, 98], [2, 97]), "0 choose 33", "1 choose 95")
    done = step(GAME, s, Move.parse("2 choose 2"), Rng(seed(0), 9))
    assert [event.kind for event in done.events] == [
        "choice_made",
        "choice_yours",
        "revealed",
        "row_asked",
    ]
    done = step(GAME, done.state, Move.parse("2 take 0"), Rng(seed(0), 10))
    assert [event.kind for event in done.events] == [
        "row_taken",
        "placed",
        "row_taken",
        "round_over",
    ]
    assert [event.facts["chosen"] for event in done.events if event.kind == "row_taken"] == [
        True,
        False,
    ]


# Leaving


def test_absent_player_plays_at_random_and_takes_cheapest_row():
    s = after(position("60 | 41 42 | 45 | 70", [3], [80], [90]), "-1 leave 0")
    assert waiting_for(GAME, s) == [B, C]
    [clock] = clocks(GAME, s)
    assert clock.after == 0
    s = after(s, str(clock.clock_move), "1 choose 80", "2 choose 90")
    assert (s.stage, waiting_for(GAME, s)) == ("take", [])
    [clock] = clocks(GAME, s)
    assert clock.after == 0
    s = after(s, str(clock.clock_move))
    assert s.scores == [2, 0, 0]


def test_row_is_taken_for_a_player_who_leaves_while_asked():
    s = after(revealed(NINE, 33, 95, 2, 47, take_seconds=30), "-1 leave 2")
    [clock] = clocks(GAME, s)
    assert after(s, str(clock.clock_move)).scores == [0, 13, 1, 0]


def test_absent_player_ranks_below_a_present_one_on_a_tie():
    last = [[60], [61], [62], [63]]
    s = position("1 | 2 | 3 | 4", *last, scores=[5, 20, 70, 70], max_games=1)
    s = after(s, "0 choose 60", "3 choose 63", "-1 leave 0", "-1 leave 3")
    end = GAME.outcome(after(s, "1 choose 61", "2 choose 62"))
    assert end.winners == (B,)
    assert end.places == (2, 1, 3, 4)


def test_departed_players_are_listed_in_seat_order():
    s = position("1 | 2 | 3 | 4", [60], [61], [62], [63])
    assert after(s, "-1 leave 2", "-1 leave 0").absent == [0, 2]


def test_with_fewer_than_two_players_the_match_is_stopped():
    s = after(position(FOUR, [7, 9], [20, 21]), "-1 leave 0")
    end = GAME.outcome(s)
    assert (end.reason, end.winners) == ("abandoned", ())


def test_the_next_game_does_not_wait_for_an_absent_player():
    s = all_choose(position("1 | 2 | 3 | 4", [60], [61], [62]), 60, 61, 62)
    s = after(s, "0 ready", "2 ready", "-1 leave 1")
    assert (s.stage, s.round, len(s.past)) == ("choose", 1, 1)


# Invariants and secrets

EVERY_OPTION = [
    (2, Options()),
    (4, Options(deck="tight", hand_size=5, choose_seconds=9, take_seconds=9)),
    (10, Options(max_games=1)),
    (3, Options(rows=1, row_size=2, threshold=30)),
    (3, Options(rows=8, row_size=10, hand_size=20, max_games=2)),
]


@pytest.mark.parametrize(("seats", "options"), EVERY_OPTION)
def test_cards_and_points_are_conserved(seats, options):
    highest = seats * options.hand_size + options.rows if options.deck == "tight" else HIGHEST
    for number in range(max(1, RANDOM_MATCHES // 10)):
        moves, last = random_match(GAME, seats, options, seed(number))
        assert GAME.outcome(last)
        for _, done in replay(GAME, seats, options, seed(number), moves):
            s = done.state
            piles = [*s.hands, *s.rows, *s.taken, s.undealt, [played.card for played in s.queue]]
            cards = [card for pile in piles for card in pile]
            assert sorted(cards) == list(range(1, highest + 1))
            assert len(s.rows) == options.rows
            assert all(row == sorted(row) for row in s.rows)
            assert all(1 <= len(row) <= options.row_size for row in s.rows)
            assert len({len(hand) for hand in s.hands}) == 1
            # At most once a round a row must be chosen, and only for the lowest card.
            assert not [turn for turn in s.turns[1:] if turn.chosen]
            if s.stage == "take":
                assert s.turns == []


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), EVERY_OPTION)
def test_sealed_choice_changes_no_byte_for_others(seats, options):
    assert check_that_choices_stay_sealed(GAME, "choose", seats, options, seed(8), 60) > 20


@pytest.mark.parametrize(("seats", "options"), EVERY_OPTION)
def test_every_option_combination_is_put_into_words(seats, options):
    moves, _ = random_match(GAME, seats, options, seed(10), 200)
    for viewer in [0, seats - 1, None]:
        names = Names(NAMES[:seats], viewer)
        for _, done in replay(GAME, seats, options, seed(10), moves):
            saying = GAME.view(done.state, viewer).saying
            assert GAME.words.say(saying.kind, saying.facts, names).endswith((".", "?"))
            for event in done.events:
                if event.heard_by(viewer):
                    assert GAME.words.say(event.kind, event.facts, names).endswith(".")


# Comparison with an independent implementation

BULLS = {5: 2, 10: 3, 11: 5, 55: 7}


def bulls(card):
    """Return a card's points directly from the table in the rules, the rarest line first."""
    for divisor in (55, 11, 10, 5):
        if card % divisor == 0:
            return BULLS[divisor]
    return 1


def placed_by_the_book(rows, cards, size, row_if_asked):
    """Place the cards (seat to card) as the rules describe it; return the rows and each seat's
    points.

    It shares no code with the game. The smallest difference decides. A full row, or a chosen one,
    is removed before the card is laid there.
    """
    rows = [list(row) for row in rows]
    points = dict.fromkeys(cards, 0)
    for seat in sorted(cards, key=cards.get):
        card = cards[seat]
        differences = {card - row[-1]: index for index, row in enumerate(rows) if row[-1] < card}
        index = differences[min(differences)] if differences else row_if_asked
        if not differences or len(rows[index]) >= size:
            points[seat] += sum(map(bulls, rows[index]))
            rows[index].clear()
        rows[index].append(card)
    return rows, list(points.values())


def test_independent_placing_agrees_over_random_rounds():
    random = Random(6)
    asked = taken = 0
    for _ in range(RANDOM_ROUNDS):
        seats, count, size = random.randint(2, 10), random.randint(1, 6), random.randint(2, 6)
        lengths = [random.randint(1, size) for _ in range(count)]
        cards = random.sample(range(1, HIGHEST + 1), seats + sum(lengths))
        played = cards[:seats]
        rest = iter(cards[seats:])
        rows = [sorted(next(rest) for _ in range(length)) for length in lengths]
        row = random.randrange(count)
        expected = placed_by_the_book(rows, dict(enumerate(played)), size, row)

        play = Play(CLOCK, Rng(seed(0), 0))
        s = play.state = State(
            Options(row_size=size),
            [0] * seats,
            hands=[[HIGHEST]] * seats,  # another card is left: the game is not over
            rows=rows,
            taken=[[] for _ in played],
            queue=sorted(map(Played, played, range(seats)), key=lambda each: each.card),
        )
        place_the_queue(play)
        if s.stage == "take":
            asked += 1
            take(play, str(row))
        taken += sum(bool(turn.taken) for turn in s.turns)
        assert (s.rows, s.scores) == expected
    assert asked > RANDOM_ROUNDS / 20
    assert taken > RANDOM_ROUNDS / 2


# The bot


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "options"),
    [(10, Options(max_games=1, hand_size=3)),
     (2, Options(max_games=1, hand_size=20, rows=8, row_size=2)),
     (2, Options(max_games=1, hand_size=1, rows=1, deck="tight"))],
    ids=["ten", "many rows", "one card"],
)  # fmt: skip
@pytest.mark.parametrize("level", some(Level, every=2))
def test_bots_of_each_level_play_with_any_options(level, seats, options):
    bots = Player(BOT, level)
    assert len(in_field(GAME, bots, bots, [1], seats, options).shares) == 1


def thought(s, level=Level.HARD, number=0):
    """Return the thoughts of a bot in seat 0, with reasons in words."""
    own = prompt(GAME, s, 0)
    bot, rng = replace(BOT, decide=None), Rng(seed(0), number, "bot")
    found = bot.think(BOT.memory(), GAME.view(s, 0), own, rng, level)
    names = Names(("Ann", "Ben"), 0)
    said = found.reason and GAME.words.say(found.reason.kind, found.reason.facts, names)
    return found.move.choices[0], said


def dealt(mine, rows, **options):
    """Return a position in which seat 0 chooses a card."""
    s = start(GAME, 2, Options(hand_size=len(mine), rows=len(rows), **options), seed(1)).state
    return State(s.options, [0, 0], hands=[mine, s.hands[1]], rows=rows, chosen=[None, None],
                 taken=[[], []], round=1)  # fmt: skip


def test_bot_predicts_where_its_card_goes():
    s = dealt([2, 104], [[99, 100, 101, 103], [50, 55, 60]])
    card, why = thought(s)
    assert card == "104"
    assert why.startswith(
        "Play 104: it should come fifth in the row of the 103; 2 would cost about "
    ), why


def test_bot_states_the_cost_of_a_row():
    s = dealt([61, 103], [[10, 20, 30, 40, 50], [55, 60]])
    s.stage, s.queue = "take", [Played(2, 0), Played(70, 1)]
    assert thought(s)[0] == "1"
    assert thought(s)[1].startswith("Take row 2 for 10 points: row 1 would cost about ")


@pytest.mark.parametrize(
    ("more", "said"), [(1.0, "1 point"), (0.4, "0.4 points"), (3.0, "3 points")]
)
def test_bot_states_whole_points_without_a_fraction(more, said):
    facts = {"row": 0, "points": 2, "other": 1, "more": more}
    told = GAME.words.say("think.row_and", facts, Names(("Ann", "Ben"), 0))
    assert told == f"Take row 1 for 2 points: row 2 would cost about {said} more in the end."


def test_beginner_bot_plays_the_nearest_card_it_notices():
    s = dealt([12, 30, 52], [[10, 11], [50], [20]])
    own = prompt(GAME, s, 0)
    firsts = {
        BOT.weigh(BOT.memory(), GAME.view(s, 0), own, Rng(seed(0), number), Level.EASY)[0].move
        for number in range(60)
    }
    assert {move.choices[0] for move in firsts} == {"12", "52"}


def test_risk_grows_with_cards_between_and_fuller_rows():
    rows = Rows.of([[8, 9, 10], [20, 21, 22, 23], [60, 61, 62, 63, 64]], 5)
    mine = [5, 11, 19, 40, 70]
    risks = Risks([card for card in range(1, 105) if card not in (10, 23, 64, *mine)], 3, 5)
    lowest, close, far, tight, full = risks.costs(rows, risks.lines(rows), mine)
    assert close == 0 < far < tight < full
    assert lowest == min(rows.points)


def test_cost_of_a_row_is_shown_before_taking_it():
    s = position("10 20 | 33 | 55 | 90", [1], [70])
    view = GAME.view(s, 0)
    told = [GAME.preview(view, "take", (str(row),)).facts for row in range(4)]
    assert told == [
        {"row": 0, "points": 6},
        {"row": 1, "points": 5},
        {"row": 2, "points": 7},
        {"row": 3, "points": 3},
    ]
    assert GAME.preview(view, "ready", ("0",)) is None


# A hard bot's memory and its use


def remembered(*rivals, games=1, number=5):
    """Return a bot's match in seat 0 after this many games, and its memory after each round."""
    players = [Player(BOT), *rivals]
    match = Match(GAME, players, Options(max_games=games), seed(number))
    match.played()
    return match


def test_bot_remembers_who_played_what_and_the_first_rows():
    match = Match(GAME, [Player(BOT)] * 3, Options(max_games=1), seed(6))
    began = dict(enumerate(row[0] for row in match.state.rows))
    match.played()
    memory, s = match.memories[0], match.state
    assert len(memory.rounds) == 10 and not memory.before
    for seat in range(3):
        laid = [each.card for laid in memory.rounds for each in laid if each.seat == seat]
        assert len(laid) == len(set(laid)) == 10
    assert starts_of(memory.rounds, s.rows) == began
    assert any(each.first for laid in memory.rounds for each in laid)


@pytest.mark.slow
def test_bot_remembers_only_the_latest_games():
    match = remembered(Player(BOT), games=6)
    memory = match.memories[0]
    games = [*memory.before, memory.rounds]
    assert [len(rounds) for rounds in games] == [10] * 5
    assert len({str(rounds) for rounds in games}) == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rival", "way"),
    [
        (Player(ONE_STEP_RISK), "low"),
        (Player(NEAREST_FIT), "nearest"),
        (Player(HIGHEST_CARD), "highest"),
        (RANDOM, "random"),
    ],
)
def test_a_bot_sees_how_a_rival_chooses_its_cards(rival, way):
    """It learns from the cards that the rival keeps, because the nearest card is often also the
    safest."""
    told = []
    for number in range(8):
        match = remembered(rival, rival, number=number)
        rounds = match.memories[0].rounds
        game = list(pasts(rounds, starts_of(rounds, match.state.rows), 2, 5, HIGHEST))
        told += [believed([game], seat)[way] for seat in (1, 2)]
    assert fmean(told) > 1.5 * BEFOREHAND[way], told


def test_cautious_rival_rarely_holds_the_safer_card():
    """Rows of two cards, 9 and 50, have room for one: 20 is riskier than 51, and so was 10."""
    rounds = [[Laid(1, 20, 0, 0), Laid(0, 52, 1, 0)]]
    game = list(pasts(rounds, {0: 9, 1: 50}, 3, 2, HIGHEST))
    held = Counter(urn(game, 1, "low", [10, 51, 30, 49]))
    assert held[30] == held[49] > 2 * max(held[10], held[51]) > 0


@pytest.mark.slow
def test_bot_draws_all_rivals_from_the_unseen_cards():
    match = Match(GAME, [Player(BOT), *[Player(ONE_STEP_RISK)] * 2], Options(), seed(8))
    tables = []

    def weigh(memory, view, own, rng, level):
        if own.offer("choose"):
            tables.append(Table(view, memory, level))
        return BOT.weigh(memory, view, own, rng, level)

    match.players[0] = Player(replace(BOT, weigh=weigh, decide=None))
    match.played()
    assert len(tables) > 20
    for at in tables:
        held = [card for rival in at.rivals_drawn(Random(1)) for card in rival.hand]
        assert len(held) == len(set(held)) == 2 * len(at.hand)
        assert set(held) <= set(at.unseen)


def test_batched_deals_equal_single_playouts():
    """Rivals and own cards play at random, so that the order of the hands determines everything."""
    rng = Random(3)
    for _ in range(40):
        cards = rng.sample(range(1, HIGHEST + 1), 4 + 9)
        laid = [[card] * rng.randrange(1, 5) for card in cards[:4]]
        rows = Rows.of(laid, 5)
        mine = sorted(cards[4:7])
        hands = [cards[7 + 2 * n : 9 + 2 * n] for n in range(3)]
        risks = Risks([card for card in range(1, HIGHEST + 1) if card not in cards[:7]], 3, 5)
        later = [Rival(hand[1:], "random", [KEEPS]) for hand in hands]
        deal = Deal(later, [hand[0] for hand in hands], high_first=True)
        [[found]] = cards_tried(rows, risks, mine[:2], mine[:1], [deal])
        own = others = 0
        for number, card in enumerate(mine[:2]):
            took = rows.place(sorted([card, *(hand[number] for hand in hands)]), card)
            own, others = own + took[0], others + took[1]
        assert found == own - others / 3


def after_taking(*taken, has_chosen=(), viewer=0, chosen=False):
    """Return a view after a reveal in which these seats took these rows for these points."""
    reveal = [
        {"seat": seat, "card": "9", "row": row, "points": points, "taken": ["1"], "chosen": chosen}
        for seat, row, points in taken
    ]
    reveal.append({"seat": 1, "row": 2, "points": 0, "taken": []})
    facts = {"stage": "choose", "reveal": reveal, "has_chosen": list(has_chosen)}
    return View(viewer, (), Saying("choose_now"), facts)


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (after_taking(), "No one took a row."),
        (after_taking((0, 0, 7)), "Your 9 was the second card in row 1: you take 7 points."),
        (
            after_taking((1, 3, 1), (0, 0, 7), chosen=True),
            "Your 9 was below every row: you take row 1, for 7 points.",
        ),
        (
            after_taking((1, 0, 7), chosen=True),
            "Ben’s 9 was below every row and took row 1, for 7 points.",
        ),
        (
            after_taking((0, 0, 7), (1, 3, 1), viewer=None),
            "Rows taken: row 1 by Ann (7 points) and row 4 by Ben (1 point).",
        ),
        (
            after_taking((0, 0, 7), (1, 3, 1), (1, 0, 4), viewer=None),
            "Rows were taken 3 times, for 12 points in all.",
        ),
        (after_taking(has_chosen=[1]), "No one took a row."),
        (after_taking(has_chosen=[0]), None),
        (after_taking(has_chosen=[1], viewer=None), None),
        (after_taking((1, 0, 7)), "Ben’s 9 was the second card in row 1, for 7 points."),
    ],
)
def test_result_names_row_takers_until_a_choice(view, said):
    found = GAME.result(view)
    names = Names(("Ann", "Ben"), view.viewer)
    assert (found and GAME.words.say(found.kind, found.facts, names)) == said
