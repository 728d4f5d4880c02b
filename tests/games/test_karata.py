"""Karata: worked examples of its rules, an independent implementation, and edge cases."""

import os
import random
import re
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import pytest
from msgspec import structs

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.evaluate import RANDOM, Player, in_field, interval
from kaboom.engine.codec import copied, to_json
from kaboom.engine.engine import clocks, find, prompt, random_move, start, step, waiting_for
from kaboom.engine.moves import CLOCK, IllegalMove, Move, NotOnOffer, StaleMove
from kaboom.engine.play import Play
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import pack
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.engine.views import EMPTY
from kaboom.games.karata import GAME, bot, rules
from kaboom.games.karata.breaches import RULES, RowPick
from kaboom.games.karata.house import house_of
from kaboom.games.karata.legal_plays import Broken, Facing, broken, effect_of, legal_plays
from kaboom.games.karata.options import Options
from kaboom.games.karata.state import State
from kaboom.games.karata.view import view
from kaboom.games.karata.words import WORDS
from tests.games import karata_oracle as oracle
from tests.games.positions import seed
from tests.support.effort import often

CASES = (Path(__file__).parent / "karata_cases.txt").read_text().splitlines()
RANDOM_PLAYS = often(3_000, soak=1_000_000)
DUEL_PAIRS = int(os.environ.get("KARATA_DUEL_PAIRS", often(15, soak=30)))
CLASSIC = Options()
IGNORING = Options(joker_ignores_request=True)
NAMES = ("Ann", "Ben", "Cid", "Dot")


def table(*hands, pile="9S", deck=None, options=None, last_card=(), **changes):
    """Return a position: hands and pile as texts (top card last), the deck has all other cards."""
    dealt = [hand.split() for hand in hands]
    piled = pile.split()
    used = {card for hand in dealt for card in hand} | set(piled)
    rest = [card for card in pack() if card not in used]
    seats = len(hands)
    return State(
        options=options or Options(),
        hands=dealt,
        deck=rest if deck is None else deck.split(),
        pile=piled,
        seat=0,
        last_card=[seat in last_card for seat in range(seats)],
        fined=[0] * seats,
        wins=[0] * seats,
        ready=[False] * seats,
        game=1,
        decision=1,
        **changes,
    )


def after(state, *moves):
    """Return the state after moves given as text."""
    return last_step(state, *moves).state


def last_step(state, *moves):
    done = None
    for number, text in enumerate(moves, start=1):
        done = step(GAME, state, Move.parse(text), Rng(seed(7), number))
        state = done.state
    return done


def refused(state, text):
    """Return the refusal of a move that breaks a rule."""
    with pytest.raises(IllegalMove) as caught:
        step(GAME, state, Move.parse(text), Rng(seed(0), 1))
    return caught.value


def told(done):
    return [event.kind for event in done.events if event.to is None]


def offered(state, seat=0):
    return {offer.verb for offer in prompt(GAME, state, seat).offers}


def faced(top, pick, request, under=None, left=False, two=False):
    """Return a position of the oracle as the game's state."""
    return Facing(top, under or top, pick, None if request == "-" else request, left, two)


def evaluate(house, facing, cards):
    """Return the effect of the play, or the rule it breaks."""
    return broken(house, facing, cards) or effect_of(house, facing, cards)


def verdict(top, pick, request, cards, options=CLASSIC, **facts):
    """Return the game's verdict on a play in the oracle's words."""
    facing = faced(top, pick, request, **facts)
    found = broken(house_of(options), facing, cards) or effect_of(house_of(options), facing, cards)
    if isinstance(found, Broken):
        return oracle.Verdict(found.rule, found.index)
    left = "-" if found.request is None else found.request
    return oracle.Verdict(
        "",
        0,
        left,
        found.level,
        found.pick,
        found.draws,
        found.steps,
        found.reverses,
        found.question,
    )


def ways_of(options):
    """Return the options in the oracle's form."""
    return oracle.Ways(**{name: getattr(options, name) for name in oracle.Ways._fields})


# The worked examples


EXAMPLES = {
    2: "9S - - | 9H 9D | moves 1",
    3: "9S - - | TH | breaks first_card at 1",
    4: "9S - - | 5S TS | breaks sequence at 2",
    5: "9S - - | QS 8S 8D 5D | moves 1",
    6: "9S - - | QS 8D | breaks answer at 2",
    7: "9S - - | QS | moves 1, draws 1",
    8: "9S - - | QS AH | moves 1, asks 1",
    9: "9S - - | QS RJ | moves 1, pick 5",
    10: "9S - - | 5S AS | breaks ace_or_joker_order at 2",
    11: "9S - - | 2S BJ | breaks ace_or_joker_order at 2",
    12: "9S - - | JS JH | moves 3",
    13: "9S - - | KS | moves 1, flips",
    14: "9S - - | KS KH | moves 0",
    15: "9S - - | KS KH KD | moves 1, flips",
    16: "9S - - | QS KS KH | moves 0",
    17: "9S - - | 2S 2D | moves 1, pick 2",
    19: "3S 3 - | 2S | moves 1, pick 2",
    20: "3S 3 - | 3D | moves 1, pick 3",
    21: "3S 3 - | 2H | breaks bomb at 1",
    22: "3S 3 - | JS | breaks bomb at 1",
    22.1: "3S 3 - | KS | breaks bomb at 1",
    23: "3S 3 - | BJ | moves 1, pick 5",
    24: "BJ 5 - | 2S | breaks bomb at 1",
    25: "BJ 5 - | AD | moves 1",
    26: "BJ 5 - | AS | moves 1, asks 1",
    27: "BJ - - | 4C | moves 1",
    28: "9S - - | AD AC AH | moves 1, asks 2",
    29: "AD - S | 6S | moves 1",
    30: "AD - S | 9D | breaks request at 1",
    30.1: "AD - S | BJ | breaks request at 1",
    31: "AD - S | AC AH | moves 1, asks 1",
    32: "AD - 9S | AC | moves 1, request S",
    33: "AD - 9S | AS AC | moves 1, asks 1",
    34: "AS - H | AH | moves 1, asks 1",
    35: "AD - RJ | AC | moves 1",
    35.1: "AD - RJ | AC AH | moves 1",
}


@pytest.mark.parametrize("number", EXAMPLES)
def test_worked_example_of_one_play_holds(number):
    *position, expected = oracle.read(EXAMPLES[number])
    assert verdict(*position) == expected
    assert oracle.judge(*position) == expected


def test_example_1_drawing_takes_one_card_and_leaves_the_top():
    s = after(table("TH KD", "4C"), "0 draw")
    assert len(s.hands[0]) == 3
    assert s.pile[-1] == "9S"
    assert s.seat == 1


def test_example_2_two_nines_go_on_a_nine():
    s = after(table("9H 9D KC", "4C"), "0 lay 9H 9D")
    assert s.pile == ["9S", "9H", "9D"]
    assert s.hands[0] == ["KC"]


def test_example_7_an_open_question_costs_its_player_a_card():
    done = last_step(table("QS KC", "4C"), "0 lay QS")
    assert len(done.state.hands[0]) == 2
    assert done.state.seat == 1
    assert "unanswered" in told(done)


@pytest.mark.parametrize("seats, comes_to", [(2, 1), (3, 0), (4, 3)])
def test_example_12_two_jacks_move_the_turn_three_seats_on(seats, comes_to):
    others = ["4C", "5C", "6C"][: seats - 1]
    assert after(table("JS JH KC", *others), "0 lay JS JH").seat == comes_to


def test_jack_between_two_players_gives_the_same_player_a_turn():
    s = after(table("JS 4H", "4C"), "0 lay JS")
    assert s.stage == "last_card"  # a separate turn, with the question at its end
    s = after(s, "0 last_card yes")
    assert (s.seat, s.stage, s.last_card[0]) == (0, "turn", True)


@pytest.mark.parametrize("seats, comes_to", [(2, 1), (3, 2), (4, 3)])
def test_example_13_a_king_reverses_the_direction(seats, comes_to):
    others = ["4C", "5C", "6C"][: seats - 1]
    s = after(table("KS JC", *others), "0 lay KS")
    assert (s.direction, s.seat) == (-1, comes_to)


@pytest.mark.parametrize("cards", ["KS KH", "QS KS KH"])
def test_examples_14_and_16_two_kings_give_a_new_turn(cards):
    s = after(table("QS KS KH JC", "4C", "5C"), f"0 lay {cards}")
    assert (s.direction, s.seat, s.stage) == (1, 0, "turn")


def test_example_17_bombs_are_never_summed():
    assert after(table("2S 2D KC", "4C"), "0 lay 2S 2D").pick == 2


def test_example_18_drawing_settles_the_pick():
    s = after(table("TH KD", "4C", pile="3S", pick=3), "0 draw")
    assert len(s.hands[0]) == 5
    assert (s.pick, s.pile[-1], s.seat) == (0, "3S", 1)


@pytest.mark.parametrize("card", ["2H", "JS", "KS"])
def test_examples_21_and_22_a_pick_stays_after_a_refused_play(card):
    s = table(f"{card} 4D", "4C", pile="3S", pick=3)
    assert refused(s, f"0 lay {card}").rule == "answering-a-bomb"
    assert s.pick == 3


def test_examples_25_and_26_ace_blocks_and_rest_of_rank_asks():
    assert after(table("AD KC", "4C", pile="BJ", pick=5), "0 lay AD").stage == "turn"
    s = after(table("AS KC", "4C", pile="BJ", pick=5), "0 lay AS")
    assert (s.stage, s.level, s.pick) == ("request", 1, 0)


@pytest.mark.parametrize(("aces", "may_ask_for"), [("AC", {"suit"}), ("AC AH", {"suit", "card"})])
def test_one_ace_asks_for_a_suit_and_two_also_for_a_card(aces, may_ask_for):
    s = after(table(f"{aces} KC", "4C", pile="4C"), f"0 lay {aces}")
    assert s.stage == "request"
    assert offered(s) == {*may_ask_for, "no_request"}


def test_example_28_three_aces_ask_for_a_card_and_no_more():
    s = after(table("AD AC AH KC", "4C"), "0 lay AD AC AH")
    assert offered(s) == {"suit", "card", "no_request"}
    assert len(prompt(GAME, s, 0).offer("card").options) == 54
    assert after(s, "0 card BJ").request == "BJ"


def test_example_32_one_ace_makes_a_card_request_a_suit_request():
    s = after(table("AC KC", "4C", pile="AD", request="9S"), "0 lay AC")
    assert (s.request, s.seat) == ("S", 1)


def test_example_36_a_question_does_not_forbid_last_card():
    s = after(table("9H 5H QD", "4C"), "0 lay 9H", "0 last_card yes")
    assert s.last_card == [True, False]


@pytest.mark.parametrize("card", ["KD", "JD", "AD", "2D", "3D", "RJ"])
def test_example_37_special_card_forbids_last_card(card):
    s = after(table(f"9H 5H {card}", "4C", last_card=[0]), "0 lay 9H")
    assert (s.seat, s.stage, s.last_card) == (1, "turn", [False, False])


def test_example_38_two_fives_win_on_last_card():
    s = after(table("5H 5D", "4C", pile="9H", last_card=[0]), "0 lay 5H 5D")
    assert GAME.outcome(s).winners == (0,)


def test_example_39_without_last_card_the_player_is_cardless():
    s = after(table("5H", "4C", pile="9H", deck="7C KD"), "0 lay 5H")
    assert GAME.outcome(s) is None
    assert view(s, None).facts["cardless"] == [True, False]
    s = after(s, "1 draw")
    assert offered(s, 0) == {"draw"}


def test_example_40_a_question_and_its_plain_answer_win():
    s = after(table("QH 7H", "4C", pile="9H", last_card=[0]), "0 lay QH 7H")
    assert GAME.outcome(s).winners == (0,)


def test_example_41_an_open_question_does_not_win():
    s = after(table("QH", "4C", pile="9H", last_card=[0]), "0 lay QH")
    assert GAME.outcome(s) is None
    assert len(s.hands[0]) == 1


def test_example_42_a_fine_costs_a_card_and_the_last_card_status():
    s = table("TH", "4C", options=Options(fine=1), last_card=[0])
    done = last_step(s, "0 lay TH")
    assert len(done.state.hands[0]) == 2
    assert done.state.last_card == [False, False]
    assert (done.state.seat, done.state.stage) == (0, "turn")
    assert told(done) == ["fined"]
    assert "TH" not in str([event for event in done.events if event.to is None])


def test_example_43_pile_below_its_top_becomes_the_deck():
    s = table("TH KD", "4C", pile="4S 5S 6S 3S", deck="7D", pick=3)
    s = after(s, "0 draw")
    assert len(s.hands[0]) == 5
    assert s.pile == ["3S"]
    assert len(s.deck) == 1
    assert sorted(s.hands[0][2:] + s.deck) == sorted(["4S", "5S", "6S", "7D"])


def test_example_44_too_few_cards_end_the_game_without_a_winner():
    done = last_step(table("TH KD", "4C", pile="4S 5S BJ", deck="7D", pick=5), "0 draw")
    outcome = GAME.outcome(done.state)
    assert (outcome.reason, outcome.winners) == ("deck_exhausted", ())
    assert "exhausted" in told(done)
    assert len(done.state.hands[0]) == 2


def test_every_worked_example_has_its_test():
    text = Path(__file__).read_text()
    named = {int(number) for number in EXAMPLES}
    for match in re.finditer(r"def test_examples?_(\d+)(?:_and_(\d+))?", text):
        named |= {int(number) for number in match.groups() if number}
    assert named == set(range(1, 45))


# Comparison with the oracle


def test_table_of_cases_is_large_and_repeats_none():
    assert len({case.rpartition("|")[0] for case in CASES}) == len(CASES) >= 200


@pytest.mark.parametrize("case", CASES)
def test_game_and_oracle_agree_with_the_table(case):
    *position, expected = oracle.read(case)
    assert verdict(*position) == expected
    assert oracle.judge(*position) == expected
    assert oracle.line(*position, expected) == case


def random_position(rng):
    """Return a random possible (top, pick, request), and whether jokers ignore requests."""
    deck = pack()
    top, pick, request = rng.choice(deck), 0, "-"
    kind = rng.randrange(4)
    if kind == 0:
        top = rng.choice(sorted(oracle.TWOS_AND_THREES | oracle.JOKERS))
        pick = 5 if top in oracle.JOKERS else int(top[0])
    elif kind == 1:
        request = rng.choice("SHDC")
    elif kind == 2:
        request = rng.choice(deck)
    return top, pick, request, IGNORING if rng.random() < 0.2 else CLASSIC


def random_cards(rng, top, pick, request, options, **facts):
    """Return one to six cards, each with a probability of one half of fitting the previous one."""
    ways = ways_of(options)
    opening = sorted(oracle.openers(top, pick, request, ways, **facts)[0])
    cards = []
    fitting = rng.random() < 0.6
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 6))):
        pool = pack()
        if fitting and rng.random() < 0.9:
            pool = sorted(oracle.followers(cards[-1], ways)) if cards else opening
        pool = [card for card in pool if card not in cards]
        if pool:
            cards.append(rng.choice(pool))
    return cards


def test_game_and_oracle_agree_on_random_plays():
    rng = random.Random(1)
    legal = 0
    for _ in range(RANDOM_PLAYS):
        position = random_position(rng)
        cards = random_cards(rng, *position)
        if not cards:
            continue
        top, pick, request, options = position
        expected = oracle.judge(top, pick, request, cards, ways_of(options))
        assert verdict(top, pick, request, cards, options) == expected, (position, cards)
        legal += not expected.breaks
    assert RANDOM_PLAYS / 4 < legal < RANDOM_PLAYS * 3 / 4, "the plays prove too little"


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("fine", [0, 1])
def test_every_matched_play_agrees_with_the_oracle(seats, fine):
    checked = 0
    for number in range(12):
        for before, move, done in match(number, seats, Options(fine=fine), most=250):
            if move.verb not in ("lay", "play"):
                continue
            cards = move.choices or tuple(before.row)
            request = before.request or "-"
            said = oracle.judge(before.pile[-1], before.pick, request, cards)
            check_play(before, cards, said, done.state)
            checked += 1
    assert checked > 150


def test_playable_marks_are_on_cards_in_some_legal_play():
    """With six cards or more, some marked ones may fit no play, and with fines all of a hand are
    marked.
    """
    none = some = 0
    for number in range(6):
        for before, move, _ in match(number, 3, Options(), most=120):
            pick = RowPick.of(before)
            if move.verb not in ("lay", "draw") or not pick.options:
                continue
            held = {card for cards in islice(pick.legal(), 20_000) for card in cards}
            exact = len(pick.options) <= 5
            assert set(pick.playable()) == held if exact else set(pick.playable()) >= held
            none += not held
            some += 0 < len(held) < len(pick.options)
            fined = structs.replace(before, options=replace(before.options, fine=2))
            assert RowPick.of(fined).playable() == pick.options
    assert none > 20
    assert some > 20


def check_play(before, cards, said, now):
    seat, hand = before.seat, before.hands[before.seat]
    if said.breaks:
        assert before.options.fine
        assert now.seat == seat
        assert now.pick == before.pick
        assert set(hand) <= set(now.hands[seat])
        return
    assert now.pile[-1] == cards[-1]
    if before.last_card[seat] and len(hand) == len(cards) and cards[-1][0] in "45679T":
        assert now.winner == seat
        return
    if now.stage == "over":  # no card left for an open question
        assert said.draws
        return
    assert (now.request or "-", now.pick) == (said.request, said.pick)
    assert len(now.hands[seat]) == len(hand) - len(cards) + said.draws
    assert now.direction == (-before.direction if said.flips else before.direction)
    assert (now.stage == "request") == (said.asks > 0)
    if now.stage == "request":
        assert now.level == said.asks
    if now.stage == "turn":
        came_to = oracle.next_seat(seat, len(now.hands), [], before.direction, said)
        assert now.seat == came_to


def test_found_plays_are_those_the_oracle_calls_legal():
    rng = random.Random(2)
    for _ in range(60):
        top, pick, request, options = random_position(rng)
        hand = rng.sample([card for card in pack() if card != top], 5)
        found = set(legal_plays(house_of(options), faced(top, pick, request), hand))
        assert found == set(oracle_plays(hand, top, pick, request, ways_of(options)))


def oracle_plays(hand, *position, row=()):
    for card in hand:
        longer = (*row, card)
        if card not in row and not oracle.judge(*position[:3], longer, position[3]).breaks:
            yield longer
            yield from oracle_plays(hand, *position, row=longer)


# Matches of random players


def match(number, seats, options, most=400):
    """Yield (state before, move, step) of a match between random players."""
    key = seed(number)
    state = start(GAME, seats, options, key).state
    for n in range(1, most + 1):
        if GAME.outcome(state) is not None:
            return
        move = random_turn(GAME, state, seats, Rng(key, n, "players"))
        done = step(GAME, state, move, Rng(key, n))
        yield state, move, done
        state = done.state


ALL_OPTIONS = [
    Options(),
    Options(fine=2, strict_finish=True),
    Options(deal=7, games=2, joker_ignores_request=True, turn_seconds=20),
    Options(fine=1, deal=3, games=3),
]


@pytest.mark.slow
@pytest.mark.parametrize("options", ALL_OPTIONS)
@pytest.mark.parametrize("seats", [2, 4])
def test_54_cards_are_conserved(options, seats):
    for number in range(3):
        for _, _, done in match(number, seats, options):
            s = done.state
            assert sorted(chain(*s.hands, s.deck, s.pile)) == sorted(pack())
            assert not (s.request and s.pick), "a bomb only follows a first card that matches"
            assert set(s.row) <= set(s.hands[s.seat])


@pytest.mark.slow
def test_empty_hand_is_never_on_last_card_at_turn_start():
    for number in range(6):
        for _, _, done in match(number, 3, Options(deal=3)):
            s = done.state
            if s.stage == "turn":
                assert all(hand or not on for hand, on in zip(s.hands, s.last_card, strict=True))


# Setup


def test_the_first_card_is_plain_and_each_player_has_four():
    for number in range(40):
        s = start(GAME, 4, Options(), seed(number)).state
        assert s.pile[0][0] in "45679T"
        assert [len(hand) for hand in s.hands] == [4] * 4
        assert s.seat == 0


def test_the_number_of_cards_dealt_is_an_option():
    s = start(GAME, 4, Options(deal=7), seed(1)).state
    assert [len(hand) for hand in s.hands] == [7] * 4


def test_the_start_moves_on_by_one_seat_with_each_game():
    s = table("5H", "4C", "6C", pile="9H", last_card=[0], options=Options(games=3))
    s = after(s, "0 lay 5H")
    assert (s.stage, s.wins, s.winner) == ("ready", [1, 0, 0], 0)
    s = after(s, "2 ready", "0 ready", "1 ready")
    assert (s.stage, s.seat, s.game) == ("turn", 1, 2)


def test_players_who_won_equally_many_games_share_the_win():
    options = Options(games=2)
    s = table("5H", "4C", pile="9H", last_card=[0], options=options)
    s.game, s.wins = 2, [0, 1]
    outcome = GAME.outcome(after(s, "0 lay 5H"))
    assert (outcome.scores, outcome.winners, outcome.reason) == ((1, 1), (0, 1), "won")


# Turns


def test_only_the_seat_on_turn_may_do_anything():
    s = table("9H 4D", "9D 4C", "9C 5C")
    assert waiting_for(GAME, s) == [0]
    with pytest.raises(NotOnOffer):
        step(GAME, s, Move.parse("1 lay 9D"), Rng(seed(0), 1))


def test_after_drawing_the_turn_is_over():
    s = after(table("4D KC", "4C"), "0 draw")
    assert s.seat == 1


def test_drawing_is_allowed_though_a_card_would_fit():
    assert after(table("9H KC", "4C"), "0 draw").seat == 1


def test_player_may_decline_a_request_at_both_levels():
    for cards in ("AD", "AD AH"):
        s = after(table("AD AH KC", "4C"), f"0 lay {cards}", "0 no_request")
        assert (s.request, s.seat) == (None, 1)


def test_a_level_two_request_for_a_suit_is_an_ordinary_one():
    s = after(table("AS KC", "AH 4C"), "0 lay AS", "0 suit D")
    assert s.request == "D"
    assert after(s, "1 lay AH").request is None


ASKED = {"Hearts": "H", "9 of Spades": "9S"}
LEFT = {
    "nothing": (None, 0),
    "a request for Spades": ("S", 0),
    "nothing, and you may ask for a suit": (None, 1),
}


@pytest.mark.parametrize("asks, count", [("card", 5), ("renew", 4)])
def test_rules_page_describes_requests_as_the_game_does(asks, count):
    text = (Path(rules.__file__).parent / "rules.md").read_text()
    section = text.split("### Meeting a request")[1].split("##")[0]
    table = section.split(f'if options.asks == "{asks}"')[1].split("{%")[0]
    rows = re.findall(r"^\| ([^|]+) \| `([^`]+)` \| ([^|]+) \|$", table, re.M)
    assert len(rows) == count
    house = house_of(Options(asks=asks))
    for asked, cards, left in rows:
        facing = faced("AD", 0, ASKED[asked])
        assert broken(house, facing, cards.split()) is None, cards
        effect = effect_of(house, facing, cards.split())
        assert (effect.request, effect.level) == LEFT[left], cards


def test_a_request_stays_until_it_is_met():
    s = table("KC 4H", "KD 4D", request="S")
    s = after(s, "0 draw")
    assert s.request == "S"
    assert refused(s, "1 lay 4D").rule == "meeting-a-request"


def test_request_may_name_a_card_in_the_askers_hand():
    s = after(table("AS KC", "4C"), "0 lay AS", "0 card KC")
    assert s.request == "KC"


def test_declining_last_card_ends_the_last_card_status():
    s = after(table("9H 5H 5D", "4C", last_card=[0]), "0 lay 9H", "0 last_card no")
    assert s.last_card == [False, False]


def test_a_jumped_player_keeps_the_last_card_status():
    s = after(table("JS KC", "4C", "5C", last_card=[1]), "0 lay JS")
    assert (s.seat, s.last_card[1]) == (2, True)


def test_first_of_two_turns_may_declare_and_the_second_win():
    s = after(table("KS KH 4H", "4C"), "0 lay KS KH", "0 last_card yes", "0 lay 4H")
    assert GAME.outcome(s).winners == (0,)


def test_winning_needs_last_card_before_the_turn_begins():
    s = table("5H 5D", "4C", pile="9H", options=Options(fine=1), last_card=[0])
    s = after(s, "0 lay 5D 5H")  # the five of diamonds does not fit: a fine
    assert s.last_card == [False, False]
    s = after(s, "0 draw")
    assert GAME.outcome(s) is None


@pytest.mark.parametrize("card", ["KS", "JS", "2S", "RJ", "AD"])
def test_special_card_as_the_last_one_does_not_win(card):
    s = after(table(card, "4C", last_card=[0]), f"0 lay {card}")
    assert GAME.outcome(s) is None
    assert s.hands[0] == []


def test_bomb_that_empties_the_hand_still_takes_effect():
    s = after(table("2S", "4C", last_card=[0]), "0 lay 2S")
    assert (s.pick, s.seat) == (2, 1)


def test_bomb_is_an_ordinary_card_once_it_was_picked():
    s = after(table("TH KD", "3H 3C 4C", pile="3S", pick=3), "0 draw")
    assert after(s, "1 lay 3H").pick == 3
    assert refused(s, "1 lay 4C").rule == "the-first-card"


def test_a_question_chain_may_end_in_a_bomb():
    assert after(table("QS 2S KC", "4C"), "0 lay QS 2S").pick == 2


# Building a row by hand


def test_a_row_is_built_card_by_card_and_taken_back():
    s = table("QS 8S 8D 5D KC", "4C")
    assert offered(s) == {"add", "lay", "draw"}
    s = after(s, "0 add QS", "0 add 8S", "0 add 5D", "0 back", "0 add 8D", "0 add 5D")
    assert s.row == ["QS", "8S", "8D", "5D"]
    mine = view(s, 0)
    assert mine.zone("row", 0).cards == ("QS", "8S", "8D", "5D")
    assert [card for card in mine.zone("hand", 0).cards if card != EMPTY] == ["KC"]
    assert prompt(GAME, s, 0).offer("add").options == ("KC",)
    s = after(s, "0 play")
    assert s.pile[-4:] == ["QS", "8S", "8D", "5D"]
    assert s.row == []


def test_a_card_of_the_hand_is_pressed_into_the_row():
    s = table("QS KC", "4C")
    own = prompt(GAME, s, 0)
    assert "KC" in own.offer("add").playable
    assert set(view(s, 0).zone("hand", 0).places) == {"QS", "KC"}


def test_in_a_request_no_card_of_the_hand_can_be_pressed():
    s = after(table("AS KC", "4C"), "0 lay AS")
    assert view(s, 0).zone("hand", 0).places == ()


def test_row_in_progress_is_invisible_to_others():
    options = Options(turn_seconds=30)
    before = table("QS 8S KC", "4C", "5C", options=options)
    done = last_step(before, "0 add QS")
    assert all(event.to == 0 for event in done.events)
    for viewer in (1, 2, None):
        assert to_json(view(done.state, viewer)) == to_json(view(before, viewer))
    assert waiting_for(GAME, done.state) == waiting_for(GAME, before)
    assert [li.clock_move for li in clocks(GAME, done.state)] == [
        li.clock_move for li in clocks(GAME, before)
    ]


def test_two_quick_presses_count_and_play_the_row_as_shown():
    s = table("QS 8S KC", "4C")
    token = prompt(GAME, s, 0).offer("add").token
    one = after(s, "0 add QS")
    find(GAME, one, Move.parse("0 add 8S"), token)
    shown = prompt(GAME, one, 0).offer("play").token
    two = after(one, "0 add 8S")
    with pytest.raises(StaleMove):
        find(GAME, two, Move.parse("0 play"), shown)


def test_drawing_puts_the_row_back_into_the_hand():
    s = after(table("QS 8S KC", "4C"), "0 add QS", "0 draw")
    assert s.row == []
    assert len(s.hands[0]) == 4


def preview(state):
    names = Names(NAMES, 0)
    return [WORDS.say(p["kind"], p["facts"], names) for p in view(state, 0).facts["preview"]]


def built(cards, state):
    return after(state, *(f"0 add {card}" for card in cards.split()))


@pytest.mark.parametrize(
    "cards, state, words",
    [
        (
            "QS 3S",
            table("QS 3S KC", "4C", "5C"),
            [
                "A bomb: Ben picks 3 cards, unless they block or counter it.",
                "Then it is Ben’s turn.",
            ],
        ),
        (
            "KS",
            table("KS KC", "4C", "5C"),
            ["The direction of play is reversed.", "Then it is Cid’s turn."],
        ),
        ("KS KC", table("KS KC 4H", "4C", "5C"), ["Two Kings cancel out, so you play again."]),
        ("JS", table("JS 4H", "4C", "5C"), ["The jump passes over Ben.", "Then it is Cid’s turn."]),
        (
            "JS",
            table("JS 4H", "4C"),
            ["The jump passes over Ben.", "All the others are jumped, so you play again."],
        ),
        (
            "JS JC",
            table("JS JC 4H", "4C", "5C", options=Options(ranks="uganda")),
            ["Two Jacks cancel out, so you play again."],
        ),
        (
            "JS",
            table("JS 4H", "4C", options=Options(ranks="uganda")),
            ["With two players, a Jack gives you another turn."],
        ),
        (
            "AH AD",
            table("AH AD 4H", "4C"),
            ["Two aces let you ask for one card, or for a suit.", "Then it is Ben’s turn."],
        ),
        (
            "QS",
            table("QS 4H", "4C"),
            [
                "A Queen or 8 needs an answer of its rank or suit: you lay none and draw a card.",
                "Then it is Ben’s turn.",
            ],
        ),
        (
            "AH",
            table("AH 4H", "4C", pile="BJ", pick=5),
            ["The ace blocks the pick.", "Then it is Ben’s turn."],
        ),
        (
            "AH",
            table("AH 4H", "4C"),
            ["The ace lets you ask for a suit.", "Then it is Ben’s turn."],
        ),
        (
            "AH",
            table("AH 4H", "4C", request="9S"),
            [
                "The ace turns the request for the 9 of Spades into one for Spades.",
                "Then it is Ben’s turn.",
            ],
        ),
        ("5S", table("5S", "4C", last_card=[0]), ["You go out on last card and win the game."]),
        (
            "5S",
            table("5S", "4C"),
            [
                "You have no cards left, but had not called last card, so that does not win: next "
                "turn you draw.",
                "Then it is Ben’s turn.",
            ],
        ),
        (
            "KS",
            table("KS", "4C", "5C", last_card=[0]),
            [
                "The direction of play is reversed.",
                "You have no cards left, but the King of Spades does not win as the last card: "
                "next turn you draw.",
                "Then it is Cid’s turn.",
            ],
        ),
        (
            "TH",
            table("TH KC", "4C"),
            ["The 10 of Hearts has neither the rank nor the suit of the 9 of Spades."],
        ),
    ],
)
def test_preview_describes_the_effect_of_the_row(cards, state, words):
    assert preview(built(cards, state)) == words


def test_preview_equals_the_resulting_events():
    """The preview and the refusal come from one function; fines are off, so that every row is legal
    or refused.
    """
    rng = random.Random(3)
    for number in range(6):
        for before, move, _ in match(number, 3, Options(), most=120):
            if before.stage != "turn" or move.verb != "lay" or rng.random() < 0.5:
                continue
            s = built(" ".join(move.choices), before_with_empty_row(before))
            shown = view(s, s.seat).facts["preview"]
            events = last_step(s, f"{s.seat} play").events
            said = [(event.kind, event.facts) for event in events]
            assert all((p["kind"], p["facts"]) in said for p in shown if p["kind"] != "next")


def before_with_empty_row(state):
    s = copied(state)
    turned = s.seat  # put the active seat first, so that its moves read "0 add"
    s.hands = s.hands[turned:] + s.hands[:turned]
    s.last_card = s.last_card[turned:] + s.last_card[:turned]
    s.seat, s.row = 0, []
    return s


def test_only_its_owner_has_a_preview():
    s = after(table("QS KC", "4C"), "0 add QS")
    assert view(s, 1).facts["preview"] == []
    assert view(s, None).facts["preview"] == []


def test_with_fines_previews_and_offers_hide_legality():
    rng = random.Random(4)
    for _ in range(300):
        top, pick, request, _ = random_position(rng)
        if request != "-" or pick:
            continue
        hand = rng.sample([card for card in pack() if card != top], 4)
        row = rng.sample(hand, rng.randint(1, 4))
        seen = []
        for pile in (top, "AS" if "AS" not in hand else "AH" if "AH" not in hand else "AD"):
            if pile in hand:
                continue
            s = table(" ".join(hand), "", pile=pile, options=Options(fine=1))
            s = built(" ".join(row), s)
            seen.append((view(s, 0).facts["preview"], prompt(GAME, s, 0)))
            assert find(GAME, s, Move.parse("0 play"))
        assert all(one == seen[0] for one in seen)


# Refusals


@pytest.mark.parametrize(
    "cards, state, sentence",
    [
        ("TH", table("TH KC", "4C"), "The 10 of Hearts has neither the rank nor the suit"),
        (
            "KC",
            table("KC 4H", "4C", request="S"),
            "The first card must meet the request for Spades",
        ),
        ("KS", table("KS 4H", "4C", pile="3S", pick=3), "A bomb lies on top"),
        ("QS 8D", table("QS 8D KC", "4C"), "The 8 of Diamonds does not answer the Queen of Spades"),
        ("5S AS", table("5S AS KC", "4C"), "The Ace of Spades cannot follow the 5 of Spades"),
        ("5S TS", table("5S TS KC", "4C"), "The 10 of Spades cannot follow the 5 of Spades"),
    ],
)
@pytest.mark.parametrize("verb", ["lay", "play"])
def test_a_refused_play_names_the_rule(cards, state, sentence, verb):
    if verb == "play":
        no = refused(built(cards, state), "0 play")
    else:
        no = refused(state, f"0 lay {cards}")
    assert str(no).startswith(sentence)
    assert no.rule in headings()


def headings():
    text = (Path(rules.__file__).parent / "rules.md").read_text()
    found = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-") for heading in found}


def test_every_refusal_links_to_a_heading_of_the_rules():
    assert set(RULES.values()) <= headings()
    assert {f"broke_{rule}" for rule in RULES} <= set(WORDS.sayings)


# Options


def test_a_pick_stays_after_a_fine():
    s = table("KS 4H", "4C", pile="3S", pick=3, options=Options(fine=2))
    s = after(s, "0 lay KS")
    assert (s.pick, len(s.hands[0]), s.seat) == (3, 4, 0)
    assert view(s, None).facts["fined"] == [2, 0]


def test_fined_player_sees_the_rule_and_others_the_count():
    done = last_step(table("TH KC", "4C", options=Options(fine=2)), "0 lay TH")
    (whispered,) = [e for e in done.events if e.to == 0 and e.kind != "drew_cards"]
    assert "10 of Hearts" in WORDS.say(whispered.kind, whispered.facts, Names(NAMES, 0))
    (public,) = [e for e in done.events if e.to is None]
    assert (public.kind, public.facts) == ("fined", {"seat": 0, "count": 2})


def test_a_play_sent_twice_is_fined_once():
    s = table("TH KC", "4C", options=Options(fine=1))
    token = prompt(GAME, s, 0).offer("lay").token
    s = after(s, "0 lay TH")
    with pytest.raises(StaleMove):
        find(GAME, s, Move.parse("0 lay TH"), token)


@pytest.mark.parametrize("text", ["1 lay 4C", "0 lay 4C", "0 lay TH TH", "0 lay", "0 lay nonsense"])
def test_play_out_of_turn_or_of_unheld_cards_is_refused_unfined(text):
    s = table("TH KC", "4C", options=Options(fine=1))
    with pytest.raises((IllegalMove, NotOnOffer)):
        step(GAME, s, Move.parse(text), Rng(seed(0), 1))


def test_fine_takes_as_many_cards_as_are_left():
    s = table("TH KC", "4C", pile="4S 9S", deck="", options=Options(fine=2))
    s = after(s, "0 lay TH")
    assert s.hands[0] == ["TH", "KC", "4S"]
    s = after(s, "0 lay TH")
    assert (len(s.hands[0]), s.stage) == (3, "turn")


def test_a_fine_does_not_restart_the_turn():
    s = table("TH KC", "4C", options=Options(fine=1, turn_seconds=30))
    (clock,) = clocks(GAME, s)
    (still,) = clocks(GAME, after(s, "0 lay TH"))
    assert still.clock_move == clock.clock_move


def test_jokers_ignore_requests_only_if_the_option_says_so():
    s = table("RJ KC", "4C", request="S")
    assert refused(s, "0 lay RJ").rule == "meeting-a-request"
    s = table("RJ KC", "4C", request="S", options=Options(joker_ignores_request=True))
    s = after(s, "0 lay RJ")
    assert (s.request, s.pick) == (None, 5)


@pytest.mark.parametrize("fine", [0, 2])
def test_strict_finish_refuses_to_go_cardless_and_never_fines_it(fine):
    options = Options(strict_finish=True, fine=fine)
    assert refused(table("5S", "4C", options=options), "0 lay 5S").rule == "strict-finish"
    s = table("QS", "4C", options=options)
    assert len(after(s, "0 lay QS").hands[0]) == 1
    s = table("5S", "4C", options=options, last_card=[0])
    assert GAME.outcome(after(s, "0 lay 5S")).winners == (0,)
    s = table("KS", "4C", options=options, last_card=[0])
    assert refused(s, "0 lay KS").rule == "strict-finish"


def test_without_a_time_limit_there_is_no_clock():
    assert clocks(GAME, table("KC", "4C")) == []


def test_timeout_draws_requests_nothing_and_answers_no():
    options = Options(turn_seconds=5)
    s = table("AS 5H", "4C 6C", options=options, last_card=[0])
    s = after(s, "0 lay AS", lapse_of(after(s, "0 lay AS")))
    assert (s.stage, s.request) == ("last_card", None)
    s = after(s, lapse_of(s))
    assert (s.seat, s.last_card[0]) == (1, False)
    s = after(s, lapse_of(s))
    assert len(s.hands[1]) == 3


def lapse_of(state):
    (clock,) = clocks(GAME, state)
    return str(clock.clock_move)


def test_karata_table_of_idle_players_ends():
    s = start(GAME, 4, Options(turn_seconds=1, games=2), seed(1)).state
    for number in range(1, 1000):
        if GAME.outcome(s):
            break
        s = step(GAME, s, clocks(GAME, s)[0].clock_move, Rng(seed(1), number)).state
    assert GAME.outcome(s).reason == "deck_exhausted"


def test_clock_move_differs_for_each_decision():
    seen = []
    for _, move, done in match(3, 2, Options(turn_seconds=9, games=2), most=200):
        now = [str(li.clock_move) for li in clocks(GAME, done.state)]
        if now and (not seen or now != seen[-1]):
            assert now not in seen, move
            seen.append(now)


# Leaving


def test_absent_seat_is_skipped_and_not_counted_as_jumped():
    s = after(table("JS KC", "4C", "5C", "6C"), "-1 leave 1", "0 lay JS")
    assert s.seat == 3
    assert s.hands[1] == ["4C"]


def test_absent_seat_draws_its_pick_and_is_skipped():
    done = last_step(table("2S KC", "4C", "5C", last_card=[1]), "-1 leave 1", "0 lay 2S")
    s = done.state
    assert (len(s.hands[1]), s.pick, s.seat) == (3, 0, 2)
    assert s.last_card[1] is False
    assert "drew_away" in told(done)


def test_leaving_on_turn_passes_the_turn_without_a_draw():
    s = after(table("9H KC", "4C", "5C", last_card=[0]), "-1 leave 0")
    assert (s.seat, len(s.hands[0]), s.last_card[0]) == (1, 2, True)


def test_leaver_draws_the_open_pick():
    s = after(table("9H KC", "4C", "5C", pile="3S", pick=3), "-1 leave 0")
    assert (s.seat, len(s.hands[0]), s.pick) == (1, 5, 0)


@pytest.mark.parametrize("moves", [["0 lay AS"], ["0 lay AS", "0 no_request"]])
def test_leaver_requests_nothing_and_declines_last_card(moves):
    s = table("AS 5H", "4C", "5C", last_card=[0])
    s = after(s, *moves, "-1 leave 0")
    assert (s.seat, s.stage, s.request, s.last_card[0]) == (1, "turn", None, False)


def test_leaving_before_playing_again_passes_the_turn_on():
    s = after(table("KS KH 5H", "4C", "5C"), "0 lay KS KH", "-1 leave 0")
    assert (s.seat, s.stage) == (1, "turn")


def test_returning_player_gets_the_next_turn():
    s = after(table("9H KC", "4C", "5C"), "-1 leave 1", "0 draw", "-1 return 1", "2 draw")
    s = after(s, "2 last_card no") if s.stage == "last_card" else s
    s = after(s, "0 draw")
    assert (s.seat, s.absent) == (1, [])


def test_fewer_than_two_players_stop_the_match_without_a_winner():
    outcome = GAME.outcome(after(table("9H", "4C"), "-1 leave 1"))
    assert (outcome.reason, outcome.winners) == ("abandoned", ())


def test_next_game_waits_only_for_present_players():
    s = table("5H", "4C", "6C", pile="9H", last_card=[0], options=Options(games=3))
    s = after(s, "0 lay 5H", "0 ready", "1 ready", "-1 leave 2")
    assert (s.stage, s.game) == ("turn", 2)


def test_departed_player_is_not_asked_about_the_next_game():
    s = table("5H", "4C", "6C", pile="9H", last_card=[0], options=Options(games=3))
    s = after(s, "0 lay 5H", "-1 leave 2")
    assert ["ready" in offered(s, seat) for seat in range(3)] == [True, True, False]


def test_a_game_does_not_start_with_an_absent_seat():
    s = table("5H", "4C", "6C", pile="9H", last_card=[0], options=Options(games=3))
    s = after(s, "-1 leave 1", "0 lay 5H", "0 ready", "2 ready")
    assert (s.seat, s.game) == (2, 2)


def test_a_pick_of_an_absent_seat_can_exhaust_the_deck():
    s = table("RJ KC", "4C", "5C", pile="4S 9S", deck="")
    s = after(s, "-1 leave 1", "0 lay RJ")
    assert GAME.outcome(s).reason == "deck_exhausted"


# Hidden information


def test_opponents_and_spectators_see_counts_and_played_cards():
    s = after(table("QS 5S KC", "4C", "5C"), "0 lay QS 5S")
    for viewer in (1, 2, None):
        seen = view(s, viewer)
        assert seen.zone("hand", 0).cards == ("?",)
        assert seen.zone("pile").cards == ("QS", "5S")
        assert set(seen.zone("deck").cards) == {"?"}
        assert "KC" not in to_json(seen).decode()


def test_drawn_cards_are_private():
    done = last_step(table("TH KD", "4C", deck="7D 8D"), "0 draw")
    public = [event for event in done.events if event.to is None]
    assert "8D" not in str(public)
    assert any("8D" in str(event.facts) for event in done.events if event.to == 0)


def test_facts_cover_everything_on_the_table():
    facts = view(table("TH", "", pile="4S 3S", pick=3, last_card=[0]), None).facts
    assert facts["top"] == "3S"
    assert facts["pile_depth"] == 2
    assert facts["pick"] == 3
    assert facts["last_card"] == [True, False]
    assert facts["cardless"] == [False, True]
    assert facts["hand_counts"] == [1, 0]
    assert facts["direction"] == 1
    asked = view(table("TH", "", request="9S"), None).facts
    assert (asked["request"], asked["request_kind"]) == ("9S", "card")


def test_ace_request_choices_are_shown_only_while_asked():
    s = after(table("AS KC 5C", "4C"), "0 lay AS")
    assert view(s, None).facts["level"] == s.level > 0
    s = after(s, "0 card KC")
    assert (s.stage, view(s, None).facts["level"]) == ("turn", 0)


@pytest.mark.parametrize("is_on", ["called", "asked"])
def test_resampled_seat_on_last_card_has_no_forbidding_card(is_on):
    s = table("4C 5C", "6C QD", "AS KH 2D", last_card=[1] if is_on == "called" else [])
    if is_on == "asked":
        s.stage, s.seat = "last_card", 1
    for number in range(30):
        play = Play(CLOCK, Rng(seed(number), 0))
        play.state = copied(s)
        GAME.resample(play, 0)
        assert not {card[0] for card in play.state.hands[1]} & set("A23JK")
        assert "BJ" not in play.state.hands[1] and "RJ" not in play.state.hands[1]


# The bot


def choice(state, seat=0, level=Level.HARD):
    own = prompt(GAME, state, seat)
    move = GAME.bot.choose(bot.Memory(), view(state, seat), own, Rng(seed(0), 0), level)
    assert find(GAME, state, move)
    return " ".join((move.verb, *move.choices))


def test_the_bot_wins_when_it_can():
    assert choice(table("QS 7S 7D", "4C", last_card=[0])) == "lay QS 7S 7D"


def test_the_bot_holds_back_its_ace():
    assert choice(table("AH 9D 4C 5H", "4S 5S 6S 7S")) == "lay 9D"


def test_the_bot_answers_a_bomb_with_a_bomb_before_an_ace():
    assert choice(table("AH 3D 4C 6H", "4S 5S 6S 7S", pile="3S", pick=3)) == "lay 3D"


def test_the_bot_blocks_a_joker_with_an_ace():
    assert choice(table("AH 4C 6H", "4S 5S 6S 7S", pile="BJ", pick=5)) == "lay AH"


def test_the_bot_says_last_card_only_when_one_play_can_win():
    s = after(table("9H 5H 5D", "4S 6S"), "0 lay 9H")
    assert choice(s) == "last_card yes"
    s = after(table("9H 5H 6D", "4S 6S"), "0 lay 9H")
    assert choice(s) == "last_card no"


def test_the_bot_sets_up_its_finish():
    s = table("AS 5H", "4S 6S 7S 8S")
    assert choice(s) == "lay AS"
    s = after(s, "0 lay AS")
    assert choice(s) == "card 5H"
    s = after(s, "0 card 5H")
    assert choice(s) == "last_card yes"


def test_the_bot_does_not_let_the_next_player_finish():
    s = table("3S 4S 6D KH", "4C 4D", "5H 5D", last_card=[1])
    assert choice(s) == "lay 3S"


def test_bot_with_a_long_hand_tries_few_plays_and_its_row():
    questions = "QS QH QD QC 8S 8H 8D 8C"
    s = table(f"{questions} 4C", "5H 5D", last_card=[0])
    at = bot.Table(view(s, 0), 0, Level.HARD)
    plays = bot.rows(at, at.hand)
    assert len(plays) <= bot.MOST_PLAYS
    for cards in plays:
        assert broken(at.house, at.facing, cards) is None
    best = choice(s).split()[1:]
    assert sorted(best) == sorted([*questions.split(), "4C"]) and best[-1] == "4C"


def test_short_hand_tries_every_play_once_per_last_card():
    s = table("4S 4H 9D QS 6S", "5H 5D")
    at = bot.Table(view(s, 0), 0, Level.HARD)
    tried = {(frozenset(cards), cards[-1]) for cards in bot.rows(at, at.hand)}
    legal = legal_plays(at.house, at.facing, at.hand)
    assert tried == {(frozenset(cards), cards[-1]) for cards in legal}


def why(state, seat):
    """Return the first reason of a bot in this seat, in words."""
    own = prompt(GAME, state, seat)
    thoughts = GAME.bot.weigh(bot.Memory(), view(state, seat), own, Rng(seed(0), 0), Level.HARD)
    reason = thoughts[0].reason
    return WORDS.say(reason.kind, reason.facts, Names(("Ann", "Ben", "Cid"), seat))


def test_bot_explains_its_play():
    s = table("3S 4S 6D KH", "4C 4D", "5H 5D", last_card=[1])
    assert why(s, 0) == "Play the 3 of Spades: Ben is on last card, and this stands in the way."


def test_bot_names_the_card_that_stops_an_attack():
    s = table("JS KC", "JH 5C", "6C", options=Options(stops="cancel"))
    s = after(s, "0 lay JS")
    assert why(s, 1) == "Stop it with the Jack of Hearts, or you lose your turn."


def test_easy_bot_plays_a_pair_where_normal_plays_all():
    s = table("AH 4S 4H 4D 9C", "4C 5S 6S 7S")
    assert len(choice(s, level=Level.EASY).split()) == 1 + 2
    assert len(choice(s, level=Level.NORMAL).split()) == 1 + 3


@pytest.mark.parametrize("level", Level)
def test_only_a_hard_bot_says_last_card_with_several_cards(level):
    s = after(table("9H 5H 5D", "4S 6S"), "0 lay 9H")
    assert choice(s, level=level) == f"last_card {'yes' if level == Level.HARD else 'no'}"
    s = after(table("9H 5H", "4S 6S"), "0 lay 9H")
    assert choice(s, level=level) == "last_card yes"


@pytest.mark.parametrize("level", Level)
def test_bot_keeps_a_card_rather_than_going_cardless_in_vain(level):
    assert len(choice(table("4S 4H", "5C 5S"), level=level).split()) == 1 + 1


@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_the_bot_never_plays_what_is_fined_or_refused(options):
    key = seed(8)
    for seats in (2, 4):
        s = start(GAME, seats, options, key).state
        for n in range(1, 300):
            if GAME.outcome(s) is not None:
                break
            seat = waiting_for(GAME, s)[0]
            own = prompt(GAME, s, seat)
            move = GAME.bot.choose(bot.Memory(), view(s, seat), own, Rng(key, n, "bot"))
            if n % 3 == 0:  # some random players, for positions that bots would not reach
                move = random_move(GAME, s, seat, Rng(key, n, "players"))
            fined = sum(s.fined)
            s = step(GAME, s, move, Rng(key, n)).state
            assert n % 3 == 0 or sum(s.fined) <= fined


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_the_bot_beats_random_players(seats):
    hero = Player(GAME.bot, Level.NORMAL)
    found = in_field(GAME, hero, RANDOM, range(DUEL_PAIRS), seats, Options())
    mean, half = interval(found.shares)
    assert mean - half > 0.8, str(found)


def test_bomb_prompt_says_what_answers_it_or_that_nothing_does():
    helpless = table("4H 5H", "9C", pile="2S", pick=2)
    said = view(helpless, 0).saying
    assert WORDS.say(said.kind, said.facts, Names(("Ann", "Ben"), 0)) == (
        "Pick 2 cards: nothing in your hand gets you past the 2 of Spades."
    )
    said = view(table("AH 5H", "9C", pile="2S", pick=2), 0).saying
    assert "with the Ace of Hearts" in WORDS.say(said.kind, said.facts, Names(("Ann", "Ben"), 0))
    assert view(helpless, 1).saying.kind == "turn_pick"


@pytest.mark.parametrize(
    "row, said",
    [
        ("4H", "First take back the 4 of Hearts. Play the 7 of Spades"),
        ("7S", "Play the 7 of Spades"),
        ("7S KC", "First take back the King of Clubs. Play the 7 of Spades"),
    ],
)
def test_hint_starts_from_the_row(row, said):
    state = built(row, table("7S 4H KC QH", "4C 5C 6C", pile="9S"))
    own = prompt(GAME, state, 0)
    best, *_ = GAME.bot.weigh(bot.Memory(), view(state, 0), own, Rng(seed(0), 0), Level.HARD)
    assert WORDS.say(best.reason.kind, best.reason.facts, Names(NAMES, 0)).startswith(said)
