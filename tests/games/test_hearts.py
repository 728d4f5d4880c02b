"""Hearts, the example package: its rules on the general table."""

import re
from io import BytesIO

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from kaboom.engine.engine import prompt, start, step
from kaboom.engine.moves import CLOCK, IllegalMove, Move
from kaboom.engine.play import Play
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.games import GAMES, folder
from kaboom.translations.extract import extract
from tests.games.positions import after
from tests.support.api_clients import Program, at_table
from tests.support.browsing import browser, table
from tests.support.builtin_games import EXAMPLES

__all__ = ["browser", "table"]

pytestmark = pytest.mark.skipif("hearts" not in EXAMPLES, reason="make test installs Hearts")

SEED = bytes(32)
NAMES = ("Ann", "Ben", "Cid", "Dot")


@pytest.fixture
def game():
    return GAMES["hearts"]


def begun(game, **options):
    """Return the first state of a match."""
    return start(game, 4, game.options(**options), SEED).state


def playing(game, *hands, leader=0, tricks=1, **more):
    """Return a position after this many tricks with these hands, each a text."""
    state = begun(game)
    state.stage, state.leader = "play", leader
    state.hands = [hand.split() for hand in hands]
    state.taken = [["2C"] * 4 * tricks, [], [], []]
    for name, value in more.items():
        setattr(state, name, value)
    return state


def passed(game, state):
    """Return the state after every player has passed some cards."""
    for seat in range(4):
        choices = tuple(state.hands[seat][:3])
        state = step(game, state, Move(seat, "pass", choices), Rng(SEED, seat + 1)).state
    return state


@pytest.mark.parametrize(("deal", "giver_to"), [(1, 1), (2, 3), (3, 2)])
def test_three_cards_go_left_then_right_then_across(game, deal, giver_to):
    state = begun(game)
    state.deal = deal
    given = state.hands[0][:3]
    state = passed(game, state)
    assert set(given) <= set(state.hands[giver_to])
    assert [len(hand) for hand in state.hands] == [13] * 4


def test_no_cards_are_passed_in_the_fourth_deal(game):
    state = playing(game, "", "", "", "", deal=3, stage="ready")
    state = after(game, state, *(f"{seat} ready" for seat in range(4)))
    assert (state.deal, state.stage) == (4, "play")


def test_holder_of_the_two_of_clubs_must_lead_it(game):
    state = passed(game, begun(game))
    assert "2C" in state.hands[state.leader]
    (offer,) = prompt(game, state, state.leader).offers
    assert offer.playable == ("2C",)
    assert len(offer.options) == 13


def test_suit_must_be_followed(game):
    state = playing(game, "5D 6D", "7D 2S", "3S 4S", "AH KH", leader=0)
    state = after(game, state, "0 play 5D")
    with pytest.raises(IllegalMove, match="follow suit"):
        after(game, state, "1 play 2S")
    assert prompt(game, state, 1).offers[0].playable == ("7D",)


def test_first_trick_has_no_points_unless_a_hand_has_only_those(game):
    hands = ["2C 3D", "QS 4D", "5H QS", "6D 7D"]
    filler = " 8D 9D TD JD QD KD AD 8S 9S TS JS"
    hearts = " 2H 3H 4H 6H 7H 8H 9H TH JH QH KH"
    state = playing(game, *(h + (hearts if "5H" in h else filler) for h in hands), tricks=0)
    state = after(game, state, "0 play 2C")
    assert "QS" not in prompt(game, state, 1).offers[0].playable
    state = after(game, state, "1 play 4D")
    assert "QS" in prompt(game, state, 2).offers[0].playable


def test_hearts_are_led_only_if_broken_or_alone_in_the_hand(game):
    state = playing(game, "5H 6D", "7H", "8H", "9H")
    assert prompt(game, state, 0).offers[0].playable == ("6D",)
    state.hands[0] = ["5H", "6H"]
    assert prompt(game, state, 0).offers[0].playable == ("5H", "6H")
    state.hands[0], state.broken = ["5H", "6D"], True
    assert prompt(game, state, 0).offers[0].playable == ("5H", "6D")


@pytest.mark.parametrize(
    ("hands", "more", "text"),
    [
        (("2H 3C", "4D"), {}, "Your turn: you took the trick. Lead, but not a heart."),
        (
            ("2H 3C", "4D"),
            {"broken": True},
            "Your turn: you have taken the trick (0 points). Lead a card.",
        ),
        (
            ("2H 3D", "4D"),
            {"trick": [None, None, None, "9C"], "leader": 3},
            "Your turn: you have no Clubs, so play any card.",
        ),
    ],
)
def test_status_says_which_cards_may_be_played(game, hands, more, text):
    trick = ["3S", "4S", "5S", "6S"]
    state = playing(game, *hands, "5D", "6D", **({"trick": trick} | more))
    assert said(game, game.view(state, 0).saying, 0) == text


def test_status_says_that_the_first_trick_is_free_of_points(game):
    state = begun(game)
    state.stage, state.leader = "play", 3
    state.hands[0] = ["2H", *(f"{rank}S" for rank in "23456789TJQK")]
    state.trick[3] = "2C"
    text = "Your turn: you have no Clubs. Play a card without points."
    assert said(game, game.view(state, 0).saying, 0) == text


def test_cards_received_are_marked_for_their_owner_until_the_first_play(game):
    state = passed(game, begun(game))
    seat = state.leader
    giver = next(it for it in range(4) if state.getter(it) == seat)
    hand = game.view(state, seat).zone("hand", seat)
    assert hand.marks == dict.fromkeys(state.given[giver], "new")
    assert not game.view(state, giver).zone("hand", seat).marks
    state = after(game, state, f"{seat} play 2C")
    assert not game.view(state, seat).zone("hand", seat).marks


def test_last_trick_of_a_deal_is_told_before_its_result(game):
    state = playing(game, "2H", "KH", "3H", "4C", tricks=12)
    state = after(game, state, "0 play 2H", "1 play KH", "2 play 3H")
    assert game.result(game.view(state, 0)) is None
    state = after(game, state, "3 play 4C")
    assert said(game, game.result(game.view(state, 0)), 0) == "Ben takes the trick: 3 points."


def test_bots_wait_while_a_finished_trick_lies(game):
    state = playing(game, "2H", "KH", "3H", "4C", tricks=12, broken=True)
    assert not game.to_be_seen(state)
    state = playing(game, "2C", "KH", "3H", "4C", trick=["2S", "3S", "4S", "5S"])
    assert game.to_be_seen(state)


def test_highest_of_the_suit_led_takes_the_trick_and_points(game):
    state = playing(game, "5D 2S", "KD 3S", "QS 4S", "AH 5S")
    state = after(game, state, "0 play 5D", "1 play KD", "2 play QS", "3 play AH")
    assert state.leader == 1
    assert [row[0] for row in game.view(state, None).scores.rows] == [0, 14, 0, 0]
    assert prompt(game, state, 1).offers[0].verb == "play"


def said(game, saying, me=None):
    """Return a saying in words, as a seat reads it."""
    return game.words.say(saying.kind, saying.facts, Names(NAMES, me))


def test_winning_card_is_marked_and_the_taker_is_told_once(game):
    state = playing(game, "5D 2S", "KD 3S", "QS 4S", "AH 5S")
    marks = []
    for move in ("0 play 5D", "1 play KD", "2 play QS", "3 play AH"):
        state = after(game, state, move)
        marks.append([zone.marks for zone in game.view(state, None).zones_named("played")])
    led, winning = {"5D": "led"}, {"KD": "highest"}
    assert marks[:3] == [[led, {}, {}, {}], *[[led, winning, {}, {}]] * 2]
    assert marks[3] == [{}, {"KD": "won"}, {}, {}]
    assert said(game, game.view(state, None).saying) == "Ben takes the trick: 14 points."


def test_points_of_match_and_deal_are_shown_at_each_seat(game):
    state = playing(game, "5D", "KD", "QS", "AH", scores=[0, 20, 0, 5])
    state = after(game, state, "0 play 5D", "1 play KD", "2 play QS")
    assert said(game, game.view(state, None).standing[1]) == "Points: 20"
    state = after(game, state, "3 play AH")
    view = game.view(state, 1)
    assert said(game, view.saying, 1) == "14 points for you. The Queen of Spades went to you."
    assert said(game, view.standing[1]) == "34 (+14: Q♠)"


def test_points_of_match_are_the_same_beside_the_name_and_in_the_table(game):
    state = playing(game, "5D", "KD", "2D", "AH", scores=[0, 20, 0, 5])
    for move in ("0 play 5D", "1 play KD", "2 play 2D", "3 play AH"):
        state = after(game, state, move)
        view = game.view(state, None)
        assert view.scores.rows[1][1] == view.standing[1].facts["score"]
    assert view.scores.rows[1] == (1, 21)


HEARTS = [f"{rank}H" for rank in "23456789TJQK"]


def test_player_who_takes_all_points_gives_them_to_others(game):
    state = playing(game, "AS", "2S", "3S", "AH", taken=[[*HEARTS, "QS"], [], [], []])
    state = after(game, state, "0 play AS", "1 play 2S", "2 play 3S", "3 play AH")
    assert state.scores == [0, 26, 26, 26]


def test_match_ends_at_the_limit_and_fewest_points_win(game):
    state = playing(game, "AS", "2S", "3S", "AH", scores=[99, 5, 60, 5])
    state = after(game, state, "0 play AS", "1 play 2S", "2 play 3S", "3 play AH")
    assert state.scores == [100, 5, 60, 5]
    outcome = game.outcome(state)
    assert (outcome.reason, outcome.winners) == ("draw", (1, 3))


def test_chance_decides_for_absent_and_late_players(game):
    state = begun(game, pass_seconds=20)
    state = after(game, state, "-1 leave 2", "-1 lapse 1.0.2")
    assert len(state.passed[2]) == 3 and state.passed[0] is None
    state = after(game, state, "-1 lapse 1.0")
    assert state.stage == "play"


def test_match_is_abandoned_with_one_player_left(game):
    state = after(game, begun(game), "-1 leave 0", "-1 leave 1")
    assert game.outcome(state) is None
    assert game.outcome(after(game, state, "-1 leave 2")).reason == "abandoned"


def test_player_who_passed_a_card_knows_where_it_is(game):
    state = passed(game, begun(game))
    given = set(state.given[0])
    for number in range(5):
        play = Play(CLOCK, Rng(number.to_bytes(32, "big"), 1))
        play.state = state
        game.resample(play, 0)
        assert given <= set(state.hands[1])


# On the general table


def test_button_names_the_player_who_gets_the_cards(table, service):
    path, (ann, *_) = table(*NAMES, game="hearts")
    code = path[3:]
    hand = service.get(code).state.hands[0]
    form = ann.page.form("/move")
    assert "choose three cards to pass to Ben" in ann.page.text
    assert "Pass to Ben" in ann.page.text
    ann.send(form, form.buttons[0], [("pick", card) for card in hand[:3]])
    assert service.get(code).state.passed[0] == hand[:3]


def test_too_few_cards_are_refused_at_once(table):
    _, (ann, *_) = table(*NAMES, game="hearts")
    form = ann.page.form("/move")
    ann.send(form, form.buttons[0], form.boxes[:2])
    assert ann.status == 422
    assert "Choose exactly 3, not 2." in ann.page.text


def test_hand_checkboxes_appear_once(table, service):
    path, (ann, *_) = table(*NAMES, game="hearts")
    for card in service.get(path[3:]).state.hands[0]:
        name = GAMES["hearts"].words.choice("pass", card, None)
        assert len(re.findall(rf"[> ]{name}<", ann.html)) == 1


def test_the_page_marks_what_can_be_played_and_shows_the_scores(table, service):
    path, people = table(*NAMES, game="hearts")
    for person in people:
        form = person.page.form("/move")
        person.send(form, form.buttons[0], form.boxes[:3])
    leader = people[service.get(path[3:]).state.leader]
    leader.open(path)
    form = next(form for form, _ in leader.page.moves() if form.boxes)
    assert [card for _, card in form.boxes] == ["2C"]
    assert re.search(r"Player\s*This deal\s*Points", leader.page.text)


def test_finished_trick_shows_its_best_card_and_goes_to_the_taker(table, service):
    path, people = table(*NAMES, game="hearts")
    for person in people:
        form = person.page.form("/move")
        person.send(form, form.buttons[0], form.boxes[:3])
    for _turn in people:
        state = service.get(path[3:]).state
        player = people[state.turn]
        player.open(path)
        form = next(form for form, _ in player.page.moves() if form.boxes)
        player.send(form, form.buttons[0], form.boxes[:1])
    taker = service.get(path[3:]).state.leader
    viewer = people[(taker + 1) % 4]
    viewer.open(path)
    assert viewer.html.count(f'data-to="seat-{taker}"') == 4
    assert len(re.findall(r'class="zone by\d[^"]* best"', viewer.html)) == 1
    assert viewer.page.text.count(f"{NAMES[taker]} takes the trick: 0 points.") == 2  # also the log


def test_rules_page_says_when_the_clock_runs(app):
    page = app.test_client().get("/rules/hearts").text
    assert "The clock runs only while another person is kept waiting." in page


def test_package_has_all_its_kiswahili_texts_compiled(game):
    with (folder("hearts") / "translations/sw/LC_MESSAGES/messages.po").open("rb") as file:
        catalogue = read_po(file, locale="sw")
    texts = {text for _, _, text, _, _ in extract_from_dir(folder("hearts"), [("**.py", extract)])}
    assert not [text for text in texts - {""} if not (catalogue.get(text) or catalogue[""]).string]
    assert texts - {""} <= {message.id for message in catalogue}
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    built = folder("hearts") / "translations/sw/LC_MESSAGES/messages.mo"
    assert built.read_bytes() == compiled.getvalue()


def test_passed_cards_are_logged_in_one_language(app):
    people = [Program(app) for _ in NAMES]
    path = at_table("hearts", *people)
    ann = people[0]
    move = ann.table(path)["moves"][0]
    words = " ".join(("pass", *(it["choice"] for it in move["options"][:3])))
    ann.post(f"{path}/move", {"answers": move["answers"], "move": words})
    table = ann.get(f"{path}.json?lang=sw").json
    assert table["text"].startswith("Tunasubiri karata tatu")
    assert "Unapitisha " in " ".join(line["text"] for line in table["log"])
