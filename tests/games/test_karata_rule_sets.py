"""Karata's rule sets: the worked examples of each, and other cases."""

import random
import re
from pathlib import Path

import pytest

from kaboom.engine.codec import from_json
from kaboom.engine.engine import clocks, start
from kaboom.engine.options import InvalidOptions, contradictions, read, written
from kaboom.engine.toolkit.fixtures import pairs
from kaboom.games import sample
from kaboom.games.karata import GAME
from kaboom.games.karata.house import house_of
from kaboom.games.karata.options import CONTRADICTIONS, Options
from kaboom.games.karata.presets import PRESETS, RULE_SETS
from kaboom.games.karata.state import State
from kaboom.games.karata.view import view
from tests.games import karata_oracle as oracle
from tests.games.test_karata import (
    after,
    last_step,
    match,
    offered,
    random_cards,
    random_position,
    refused,
    seed,
    table,
    told,
    verdict,
    ways_of,
)
from tests.support.effort import often

WAYS = {way.key: way for way in (*RULE_SETS, *PRESETS)}


def of(way, **changes):
    """Return the options of a preset."""
    return Options(**{**WAYS[way].values, **changes})


def play(s, cards):
    return after(s, f"0 lay {cards}")


# number: preset, hands, other facts of the position, the play, the state after it
LEGAL = {
    1: ("usual", ["QS 8S 8D 5D KC", "4C"], {}, "QS 8S 8D 5D", {"seat": 1}),
    2: ("usual", ["QS KC", "4C"], {}, "QS", {"held": 2, "seat": 1}),
    3: ("usual", ["3S KC", "4C"], {"pile": "2S", "pick": 2}, "3S", {"pick": 3, "seat": 1}),
    5: ("usual", ["KS KH JC", "4C", "5C"], {}, "KS KH", {"seat": 0, "direction": 1}),
    6: (
        "usual",
        ["AC KC", "4C"],
        {"pile": "AD", "request": "S"},
        "AC",
        {"request": None, "stage": "turn", "seat": 1},
    ),
    10: ("karatah", ["5C KC", "4C"], {"pile": "8C"}, "5C", {"seat": 1}),
    11: ("karatah", ["KS", "4C"], {}, "KS", {"winner": 0}),
    12: ("karatah", ["QS", "4C"], {}, "QS", {"held": 1, "winner": None, "seat": 1}),
    14: (
        "jcardif",
        ["AH KC", "4C 9S 9H"],
        {"pile": "2S", "pick": 2},
        "AH",
        {"pick": 0, "request": "S", "stage": "last_card"},
    ),
    17: ("jcardif", ["AH", "4C"], {"pile": "9H", "last_card": [0]}, "AH", {"winner": 0}),
    18: (
        "jcardif",
        ["5H", "4C", ""],
        {"pile": "9H", "last_card": [0]},
        "5H",
        {"winner": None, "held": 0},
    ),
    20: ("w3ndo", ["8S 4S KC", "4C"], {}, "8S 4S", {"seat": 1}),
    22: ("w3ndo", ["3H KC", "4C"], {"pile": "2H", "pick": 2}, "3H", {"pick": 3, "seat": 1}),
    23: ("w3ndo", ["6H", "4C"], {"pile": "9H"}, "6H", {"winner": 0}),
    24: ("w3ndo", ["KH", "4C"], {"pile": "9H"}, "KH", {"winner": None, "held": 0}),
    25: ("wufwuf", ["QS QH 8H 8D 7D KC", "4C"], {}, "QS QH 8H 8D 7D", {"top": "7D"}),
    27: (
        "wufwuf",
        ["RJ KC", "4C"],
        {"pile": "AD", "request": "S"},
        "RJ",
        {"request": None, "pick": 5},
    ),
    28: (
        "wufwuf",
        ["AC KC", "4C"],
        {"pile": "AD", "request": "S"},
        "AC",
        {"request": None, "stage": "request", "level": 1},
    ),
    29: (
        "wufwuf",
        ["AC KC", "4C"],
        {"pile": "AD", "request": "9S"},
        "AC",
        {"request": "S", "stage": "last_card"},
    ),
    31: ("street", ["3H KC 4D", "4C"], {"pile": "2S", "pick": 2}, "3H", {"pick": 5, "seat": 1}),
    32: ("street", ["BJ KC 4D", "4C"], {"pile": "3H", "pick": 5}, "BJ", {"pick": 10, "seat": 1}),
    33: ("street", ["AD KC 4D", "4C"], {"pile": "BJ", "pick": 10}, "AD", {"pick": 0, "seat": 1}),
    34: ("street", ["KS KH JC 4D", "4C", "5C"], {}, "KS KH", {"seat": 1, "direction": 1}),
    35: ("street", ["5H 6H 9H", "4C"], {"pile": "9S"}, "9H", {"seat": 1, "stage": "turn"}),
    36: ("street", ["5H", "4C"], {"pile": "9H"}, "5H", {"winner": None, "held": 1}),
    37: ("matatu", ["8S 4C", "5C"], {}, "8S", {"seat": 0, "stage": "turn"}),
    38: ("matatu", ["JS 4C", "5C", "6C"], {}, "JS", {"seat": 2, "direction": -1}),
    40: ("matatu", ["2H KC", "4C"], {"pile": "2S", "pick": 2}, "2H", {"pick": 2, "seat": 1}),
    41: (
        "matatu",
        ["7H 5C 4D", "KC KS"],
        {"pile": "9H", "cut_suit": "H"},
        "7H",
        {"winner": 0, "counted": [9, 26]},
    ),
    42: (
        "matatu",
        ["7H KC KS", "4C"],
        {"pile": "9H", "cut_suit": "H"},
        "7H",
        {"winner": None, "seat": 1, "stage": "turn"},
    ),
}

ILLEGAL = {
    4: ("usual", "3H KC", {"pile": "2S", "pick": 2}, "3H", "answering-a-bomb"),
    13: ("jcardif", "3S KC", {"pile": "2S", "pick": 2}, "3S", "answering-a-bomb"),
    19: ("w3ndo", "QS KC", {}, "QS", "questions"),
    21: ("w3ndo", "8S AS KC", {}, "8S AS", "questions"),
    26: ("wufwuf", "QS 8H 7H", {}, "QS 8H 7H", "questions"),
    39: ("matatu", "AS KC", {"pile": "2S", "pick": 2}, "AS", "answering-a-bomb"),
}


@pytest.mark.parametrize("number", LEGAL)
def test_worked_example_of_a_legal_play_holds(number):
    way, hands, facts, cards, expected = LEGAL[number]
    s = play(table(*hands, options=of(way), **facts), cards)
    found = {"top": s.pile[-1], "held": len(s.hands[0])}
    assert {name: found.get(name, getattr(s, name, None)) for name in expected} == expected


@pytest.mark.parametrize("number", ILLEGAL)
def test_worked_example_of_an_illegal_play_is_refused(number):
    way, hand, facts, cards, rule = ILLEGAL[number]
    options = of(way) if way != "jcardif" else of(way, fine=0, fine_ends_turn=False)
    assert refused(table(hand, "4C", options=options, **facts), f"0 lay {cards}").rule == rule


def test_example_7_without_jokers_five_of_52_cards_are_dealt():
    s = start(GAME, 4, of("karatah"), seed(1)).state
    assert [len(hand) for hand in s.hands] == [5] * 4
    cards = sum(s.hands, s.deck + s.pile)
    assert len(set(cards)) == len(cards) == 52
    assert not {"BJ", "RJ"} & set(cards)


def test_examples_8_and_9_jack_may_open_and_queen_may_not():
    seen = set()
    for number in range(300):
        s = start(GAME, 3, of("karatah", starter="turns"), seed(number)).state
        seen.add(s.pile[0][0])
        assert s.seat == 0
    assert seen == set("456789TJ")


def test_example_14_after_a_block_the_bombs_suit_is_due():
    hands = ["AH KC", "4C 9S 9H"]
    options = of("jcardif", fine=0, fine_ends_turn=False)
    s = play(table(*hands, pile="2S", pick=2, options=options), "AH")
    s = after(s, "0 last_card no")
    assert refused(s, "1 lay 9H").rule == "meeting-a-request"
    assert after(s, "1 lay 9S").request is None


def test_example_15_a_jack_passes_a_jump_on():
    s = table("JS 4C", "JH 5C", "6C", "7C", options=of("jcardif"))
    s = after(s, "0 lay JS", "0 last_card no")
    assert (s.stage, s.asked, offered(s, 1)) == ("stop", 1, {"stop", "let"})
    s = after(s, "1 stop JH", "1 last_card no")
    assert (s.stage, s.asked, offered(s, 2)) == ("stop", 2, {"let"})
    s = after(s, "2 let")
    assert (s.seat, s.stage) == (3, "turn")


def test_example_16_a_false_play_costs_a_card_and_the_turn():
    done = last_step(table("TH KC", "4C", options=of("jcardif")), "0 lay TH")
    assert (len(done.state.hands[0]), done.state.seat, done.state.stage) == (3, 1, "turn")
    assert told(done) == ["fined"]


def test_example_30_jack_undoes_a_jump_and_takes_a_turn():
    s = table("JS 4C", "JH 5C", "6C", options=of("wufwuf"))
    s = after(s, "0 lay JS", "0 last_card no", "1 stop JH")
    assert (s.seat, s.stage, s.pile[-1]) == (1, "turn", "JH")


def test_every_worked_example_has_its_test():
    named = {*LEGAL, *ILLEGAL}
    for found in re.finditer(
        r"def test_examples?_(\d+)(?:_and_(\d+))?", Path(__file__).read_text()
    ):
        named |= {int(number) for number in found.groups() if number}
    assert named == set(range(1, 43))


def test_rule_set_lists_only_differences_from_karata_classic():
    assert "house" not in view(table("4C", "5C", options=Options()), None).facts
    plain = Options(fine=2, deal=5, strict_finish=True, max_players=5)  # shown at every table
    assert "house" not in view(table("4C", "5C", options=plain), None).facts
    of_house = Options(add_up=not Options().add_up)
    told_of = view(table("4C", "5C", options=of_house), None).facts["house"]
    assert told_of == {"add_up": of_house.add_up}


# Contradictory options


TOGETHER = {
    "joker_ignores_request": [{"jokers": False, "joker_ignores_request": True}],
    "joker_match": [
        {"jokers": False, "joker_match": "colour"},
        {"jokers": False, "joker_match": "under"},
    ],
    "forgot": [{"call": "none", "forgot": 1}],
    "strict_finish": [{"strict_finish": True, "forgot": 2}],
    "wait_cardless": [{"strict_finish": True, "wait_cardless": True}],
    "fine_ends_turn": [{"fine_ends_turn": True}],
    "cut": [{"cut": 20}],
    "stops": [{"ranks": "uganda", "stops": "cancel"}],
    "answer": [{"ranks": "uganda", "answer": "plain"}],
    "open_question": [{"ranks": "uganda", "open_question": "next"}],
    "kings_again": [{"ranks": "uganda", "kings_again": False}],
    "end_on": [
        {"call": "none", "end_on": "any", "strict_finish": True},
        {"call": "none", "end_on": "any", "wait_cardless": True},
    ],
    "seating": [{"seating": "first", "starter": "random"}],
}


@pytest.mark.parametrize("name", TOGETHER)
def test_contradictory_options_are_refused_with_a_sentence(name):
    for values in TOGETHER[name]:
        form = written(values)
        if "kings_again" in values:
            form = {"ranks": "uganda", "kings_again.asked": "1"}
        with pytest.raises(InvalidOptions) as bad:
            read(Options, form)
        assert list(bad.value.sentences) == [name]
        assert bad.value.sentences[name].endswith(".")
        for one in values:  # each alone is valid, or needs only another one that is named here
            rest = {other: value for other, value in values.items() if other != one}
            assert name not in contradictions(Options(**rest)) or len(values) == 1


def test_every_contradiction_has_a_test():
    assert set(TOGETHER) == {name for name, _, _ in CONTRADICTIONS}


@pytest.mark.parametrize("key", WAYS)
def test_no_preset_contradicts_itself(key):
    assert contradictions(of(key)) == {}


@pytest.mark.parametrize("key", [way.key for way in RULE_SETS])
def test_options_identify_their_rule_set_at_any_length(key):
    assert of(key).rule_set.key == key
    assert of(key, games=5, turn_seconds=20, max_players=5).rule_set.key == key
    assert of(key, sets=key == "matatu").rule_set is None


# States stored before these options existed

BEFORE = b"""{"options":{"fine":1,"deal":4,"games":2,"turn_seconds":0,"joker_ignores_request":true,
"strict_finish":false},"hands":[["4S"],["5S"]],"deck":["6S"],"pile":["9S"],"seat":0,
"last_card":[false,false],"fined":[0,0],"wins":[0,0],"ready":[false,false],"absent":[],
"stage":"turn","direction":1,"pick":0,"request":null,"row":[],"level":0,"steps":1,"decision":1,
"tries":0,"played":[],"played_by":null,"game":1,"winner":null,"abandoned":false}"""


def test_a_state_stored_before_these_options_can_be_continued():
    s = from_json(BEFORE, State)
    assert s.options == Options(fine=1, games=2, joker_ignores_request=True)
    assert after(s, "0 lay 4S").pile[-1] == "4S"


# Comparison with the oracle under all pairs of options

SETS = [Options(**values) for values in pairs(Options, sample("karata").needs)]
PLAYS = often(60, soak=20_000)


def some_position(rng, options):
    """Return a random position for the oracle, with its additional facts."""
    ways = ways_of(options)
    top, pick, request, _ = random_position(rng)
    if pick and top not in oracle.bombs(ways):
        pick = 0
    if not options.jokers and top in oracle.JOKERS:
        top = "9S"
        pick = 0
    asked = (options.asks == "suit" or not options.jokers) and len(request) > 1
    facts = {"two": rng.random() < 0.5}
    if options.joker_match == "under" and top in oracle.JOKERS:
        facts["under"] = rng.choice(sorted(oracle.ALL - oracle.JOKERS))
    if options.open_question == "next" and not pick and rng.random() < 0.4:
        top, request, facts["left"] = rng.choice(sorted(oracle.QUESTIONS)), "-", True
        facts.pop("under", None)
    return (top, pick, "S" if asked else request), facts


@pytest.mark.parametrize("options", SETS, ids=range(len(SETS)))
def test_game_and_oracle_agree_under_every_pair_of_options(options):
    rng = random.Random(3)
    legal = 0
    for _ in range(PLAYS):
        position, facts = some_position(rng, options)
        opening = {name: fact for name, fact in facts.items() if name != "two"}
        cards = random_cards(rng, *position, options, **opening)
        cards = [card for card in cards if options.jokers or card not in oracle.JOKERS]
        if not cards:
            continue
        expected = oracle.judge(*position, cards, ways_of(options), **facts)
        found = verdict(*position, cards, options, **facts)
        assert found == expected, (options, position, facts, cards)
        legal += not expected.breaks
    assert legal > PLAYS / 8, "the plays prove too little"


@pytest.mark.slow
@pytest.mark.parametrize("options", SETS, ids=range(len(SETS)))
def test_every_play_matches_the_oracle_under_option_pairs(options):
    seats = 2 + SETS.index(options) % (options.max_players - 1)
    for number in range(often(1, soak=30)):
        for before, move, done in match(number, seats, options, most=120):
            if move.verb in ("lay", "play", "lay_drawn"):
                cards = move.choices or tuple(before.row)
                check_faced(before, cards, done.state)


def check_faced(before, cards, now):
    """Check the effects of a play that the oracle knows."""
    options, seat, top = before.options, before.seat, before.pile[-1]
    lower = [card for card in before.pile if card not in oracle.JOKERS]
    under = lower[-1] if options.joker_match == "under" and lower else None
    said = oracle.judge(
        top,
        before.pick,
        before.request or "-",
        cards,
        ways_of(options),
        under=under if top in oracle.JOKERS else None,
        left=before.question,
        two=len(before.hands) == 2,
    )
    assert bool(said.breaks) == (now.pile[-1] != cards[-1]), (options, cards, said)
    if said.breaks:
        assert options.fine and set(before.hands[seat]) <= set(now.hands[seat])
        return
    if now.stage in ("ready", "over"):
        return
    assert (now.request or "-", now.pick, now.question) == (said.request, said.pick, said.leaves)
    forgot = len(cards) == len(before.hands[seat]) and not before.last_card[seat]
    drawn = said.draws + (options.forgot if forgot and not said.draws else 0)
    assert len(now.hands[seat]) == len(before.hands[seat]) - len(cards) + drawn
    assert now.direction == (-before.direction if said.flips else before.direction)
    assert (now.stage == "request") == (said.asks > 0)
    if now.stage == "turn":
        came_to = oracle.next_seat(seat, len(now.hands), [], before.direction, said)
        assert now.seat == came_to


# Cases beyond the worked examples


def test_random_starter_may_be_any_player():
    starts = {start(GAME, 4, Options(starter="random"), seed(n)).state.seat for n in range(40)}
    assert starts == {0, 1, 2, 3}


def test_the_last_winner_starts_the_next_game():
    options = Options(starter="winner", games=3)
    s = table("4C", "5H KC", "6C", pile="9H", options=options, last_card=[0])
    assert s.seat == 0
    s = table("9C", "4C", "6C", pile="9H", options=options, last_card=[0])
    s.wins, s.seat = [0, 0, 0], 2
    s.hands[2], s.last_card = ["9D"], [False, False, True]
    s = after(s, "2 lay 9D", "0 ready", "1 ready", "2 ready")
    assert (s.seat, s.game, s.winner) == (2, 2, None)


def test_without_sets_cards_go_one_by_one_except_answers():
    s = table("9H 9D QS 4S", "4C", options=Options(sets=False))
    assert refused(s, "0 lay 9H 9D").rule == "several-cards-in-one-play"
    assert play(s, "QS 4S").pile[-1] == "4S"


def test_question_left_to_the_next_player_binds_its_suit():
    options = Options(open_question="next")
    s = after(table("QS KC", "4S QH 8S KD", "4C 8C KH", options=options), "0 lay QS")
    assert (s.seat, s.question, len(s.hands[0])) == (1, True, 1)
    assert refused(s, "1 lay QH").rule == "questions"
    assert after(s, "1 lay 4S").question is False
    passed = after(s, "1 lay 8S")
    assert (passed.seat, passed.question) == (2, True)
    drawn = after(s, "1 draw")
    assert (drawn.question, len(drawn.hands[1])) == (False, 5)


def test_pick_drawn_with_a_fine_does_not_cancel_a_bomb():
    options = Options(fine=1, fine_ends_turn=True)
    s = after(table("KS 4H", "4C", pile="3S", pick=3, options=options), "0 lay KS")
    assert (s.seat, s.pick, len(s.hands[0])) == (1, 0, 6)


def test_bombs_of_one_play_add_up():
    assert play(table("2S 2D KC", "4C", options=Options(add_up=True)), "2S 2D").pick == 4
    assert play(table("2S 2D KC", "4C", options=Options()), "2S 2D").pick == 2


def test_ace_blocks_a_bomb_even_without_counters():
    options = Options(counter="none")
    s = table("2H AD BJ", "4C", pile="2S", pick=2, options=options)
    for cards in ("2H", "BJ"):
        no = refused(s, f"0 lay {cards}")
        assert "an ace blocks it; no bomb counters it" in str(no)
    assert play(s, "AD").pick == 0


def test_king_reverses_a_kickback_without_another_question():
    s = table("KS JC", "KH JD", "6C", "KD 7C", options=Options(stops="pass_on"))
    s = after(s, "0 lay KS")
    assert (s.stage, s.asked, s.direction) == ("stop", 1, -1)
    s = after(s, "1 stop KH")
    assert (s.direction, s.seat, s.stage) == (1, 2, "turn")


def test_two_players_are_asked_about_a_jump_not_a_kickback():
    options = Options(stops="cancel")
    assert after(table("KS 4C", "KH 5C", options=options), "0 lay KS", "0 last_card no").seat == 1
    s = after(table("JS 4C", "JH 5C", options=options), "0 lay JS", "0 last_card no")
    assert (s.stage, s.asked) == ("stop", 1)
    assert after(s, "1 let").seat == 0


def test_asked_player_who_leaves_passes_the_jump_on():
    s = table("JS KC", "JH 5C", "6C", "7C", options=Options(stops="cancel"))
    s = after(s, "0 lay JS", "-1 leave 1")
    assert (s.stage, s.asked) == ("stop", 2)
    assert after(s, "2 let").seat == 3
    s = table("JS KC", "JH 5C", "6C", "7C", options=Options(stops="cancel"))
    s = after(s, "0 lay JS", "-1 leave 0")
    assert (s.stage, s.asked) == ("stop", 1)
    assert after(s, "1 let").seat == 2


def test_several_jacks_pass_a_jump_on_by_as_many_seats():
    s = table("JS KC", "JH JD 5C", "6C", "7C", options=Options(stops="pass_on"))
    s = after(s, "0 lay JS", "1 stop JH JD", "1 last_card no")
    assert (s.stage, s.asked) == ("stop", 2)
    assert after(s, "2 let").seat == 0


def test_undoing_a_jump_with_an_uncalled_last_card_costs_cards():
    s = table("JS KC", "JH", "6C", options=Options(stops="cancel", forgot=2))
    s = after(s, "0 lay JS", "1 stop JH")
    assert (s.seat, s.stage, len(s.hands[1])) == (1, "turn", 2)
    s = table("JS KC", "JH", "6C", options=Options(stops="cancel", forgot=2), last_card=[1])
    assert after(s, "0 lay JS", "1 stop JH").hands[1] == []  # last card was called


@pytest.mark.parametrize(
    ("call", "moves", "kind"),
    [("harmless", ["0 lay JS", "0 last_card no"], "wins"), ("none", ["0 lay JS"], "wins_out")],
    ids=["called", "uncalled"],
)
def test_undoing_a_jump_with_the_very_last_card_wins(call, moves, kind):
    options = Options(stops="cancel", call=call, end_on="any")
    s = after(table("JS KC", "JH", "6C", options=options, last_card=[1]), *moves)
    done = last_step(s, "1 stop JH")
    assert told(done) == ["played", "undone", kind]
    assert GAME.outcome(done.state).winners == (1,)


def test_ugandan_threes_are_bombs_only_with_jokers():
    for jokers in (True, False):
        house = house_of(Options(ranks="uganda", jokers=jokers))
        assert ("3S" in house.bombs) == jokers
        assert ("3S" in house.plain) != jokers


def test_timeout_lets_the_jump_pass():
    options = Options(stops="cancel", turn_seconds=9)
    s = after(table("JS KC", "JH 5C", "6C", options=options), "0 lay JS")
    (clock,) = clocks(GAME, s)
    assert after(s, str(clock.clock_move)).seat == 2


@pytest.mark.parametrize("way", ["own", "match"])
def test_ace_that_requests_nothing_is_matched_like_any_card(way):
    s = table("4C 4S KC", "4D", pile="AS", options=Options(aces=way))
    assert refused(s, "0 lay 4C").rule == "the-first-card"
    assert play(s, "4S").pile[-1] == "4S"


def test_an_ace_that_must_match_may_still_end_a_request():
    s = table("AC KC", "4D", pile="9S", options=Options(aces="match"))
    assert "an ace must match as well" in str(refused(s, "0 lay AC"))
    s = table("AC KC", "4D", pile="9S", request="H", options=Options(aces="match"))
    assert play(s, "AC").request is None


def test_a_joker_goes_with_its_color():
    options = Options(joker_match="colour")
    s = table("RJ BJ KC", "4D 4S", options=options)
    assert "have different colours" in str(refused(s, "0 lay RJ"))
    s = play(s, "BJ")
    s = after(s, "1 draw")
    assert s.pile[-1] == "BJ"
    s = after(table("KD 4D 4S", "4H", pile="RJ", options=options), "0 lay 4D")
    assert s.pile[-1] == "4D"


def test_card_under_a_joker_counts():
    options = Options(joker_match="under")
    s = table("4H 9D KC", "4D", pile="9S RJ BJ", options=options)
    assert "9 of Spades" in str(refused(s, "0 lay 4H"))
    assert play(s, "9D").pile[-1] == "9D"


def test_drawn_card_may_be_played_without_revealing_its_fit():
    options = Options(play_drawn=True)
    s = after(table("TH KD", "4C", deck="7D 9C", options=options), "0 draw")
    assert (s.stage, offered(s)) == ("drawn", {"lay_drawn", "keep"})
    assert after(s, "0 lay_drawn 9C").pile[-1] == "9C"
    assert after(s, "0 keep").seat == 1
    s = after(table("TH KD", "4C", deck="9C 7D", options=options), "0 draw")
    assert offered(s) == {"lay_drawn", "keep"}
    assert refused(s, "0 lay_drawn 7D").rule == "the-first-card"
    s = after(table("TH KD", "4C", pile="3S", pick=3, options=options), "0 draw")
    assert s.stage == "turn"


def test_with_fines_a_drawn_card_that_does_not_fit_ends_the_turn():
    options = Options(play_drawn=True, fine=1)
    s = after(table("TH KD", "4C", deck="9C 7D", options=options), "0 draw", "0 lay_drawn 7D")
    assert (s.seat, len(s.hands[0])) == (1, 4)


def test_in_uganda_with_jokers_only_the_ace_of_spades_blocks():
    options = Options(ranks="uganda")
    s = table("AH AS 3H KC", "4C", pile="3S", pick=3, options=options)
    assert "only the Ace of Spades blocks it" in str(refused(s, "0 lay AH"))
    assert play(s, "AS").pick == 0
    assert play(s, "3H").pick == 3


def test_jack_between_two_players_in_uganda_gives_a_new_turn():
    s = play(table("JS 4C 2C", "5C", options=Options(ranks="uganda")), "JS")
    assert s.stage == "turn" and s.seat == 0


def test_cutting_seven_never_opens_and_its_suit_is_public():
    options = Options(ranks="uganda", cut=25)
    for number in range(60):
        s = start(GAME, 2, options, seed(number)).state
        assert s.pile[0][0] in "4569TQK"
        assert view(s, None).facts["cut_suit"] == s.pile[0][1]


def test_equal_lowest_hands_share_a_cut_game():
    options = Options(ranks="uganda", cut=25)
    s = table("7H 5C", "5D", "KC", pile="9H", cut_suit="H", options=options)
    done = last_step(s, "0 lay 7H")
    assert GAME.outcome(done.state).winners == (0, 1)
    assert told(done) == ["played", "cuts", "counted"]
    done.state.stage = "ready"  # as if another game were to follow
    saying = view(done.state, None).saying
    assert (saying.kind, saying.facts["winners"]) == ("shared_game", [0, 1])


def test_last_card_is_not_required_if_no_win_was_possible():
    s = play(table("5H", "4C", pile="9H", options=Options(forgot=2), last_card=[0]), "5H")
    assert GAME.outcome(s).winners == (0,)
    s = play(table("KH", "4C", pile="9H", options=Options(forgot=2)), "KH")
    assert len(s.hands[0]) == 2


def test_five_players_are_allowed_by_an_option():
    assert list(GAME.seats(Options())) == [2, 3, 4]
    assert list(GAME.seats(Options(max_players=5))) == [2, 3, 4, 5]
