"""Karata's page: its texts at each stage, and every kind of move by plain forms."""

import gzip
import re
from dataclasses import asdict, replace
from itertools import pairwise

import pytest

from kaboom.engine.codec import copied
from kaboom.engine.engine import prompt
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import pack
from kaboom.games import GAMES
from kaboom.games.karata.breaches import RULES
from kaboom.games.karata.legal_plays import first_card_breaks
from kaboom.games.karata.options import Options
from kaboom.games.karata.state import facing
from kaboom.web.rules_pages import rules_of
from tests.games.test_karata import table as position
from tests.support.browsing import BY_HTMX

KARATA = GAMES["karata"]
OTHERS = ("4H 6H 7H", "2H 3H", "TD JD QD KD JH")
FINES = Options(fine=2)


def facing_three(hand, **state):
    """Return a position with Ann to move and three others."""
    return position(hand, *OTHERS, **state)


@pytest.fixture
def seated(table, monkeypatch):
    """Return a function that seats players at a table with this position, in their browsers."""

    def sat(state):
        def setup(play, seats, options):
            play.state = copied(state)

        monkeypatch.setitem(GAMES, "karata", replace(KARATA, setup=setup))
        names = ["Ann", "Ben", "Cid", "Dot"][: len(state.hands)]
        options = {key: str(value) for key, value in asdict(state.options).items()}
        path, people = table(*names, game="karata", **options)
        return Sat(path, people)

    return sat


class Sat:
    """People with browsers at a table of Karata."""

    def __init__(self, path, people):
        self.path, self.people = path, people
        self.ann = people[0]

    def press(self, verb, option="", who=0):
        """Press the button that sends this move; it must be there."""
        person = self.people[who]
        person.open(self.path)
        for form, button in person.page.moves():
            if button[1].split(" ")[1:] == [verb, *option.split()]:
                person.send(form, button)
                return words(person)
        raise LookupError(f"no {verb} {option} on {[b[1] for _, b in person.page.moves()]}")

    def reads(self, who=0):
        """Return a player's page as words."""
        self.people[who].open(self.path)
        return words(self.people[who])


def words(person):
    return re.sub(r"\s+", " ", person.page.text)


def verbs(person):
    return {button[1].split(" ")[1] for _, button in person.page.moves()}


def buttons(person):
    return {button[2] for _, button in person.page.moves()}


def section(html, name):
    """Return the part of the page from the element with this id to the next section's end."""
    return html.split(f'id="{name}"', 1)[1].split("</section>", 1)[0]


# What is on the table


def test_table_is_described_in_words(seated):
    state = facing_three(
        "9C 5S", pile="4C 8C 9S", played=["8C", "9S"], last_card=(2,), direction=-1
    )
    state.hands[1] = []
    sat = seated(state)
    text = sat.reads()
    assert "Your turn: play one or more cards, or draw one. On top: 9 of Spades." in text
    assert "Anticlockwise, next: Dot" in text
    middle = section(sat.ann.html, "middle")
    assert "On top: " in middle
    assert middle.index("8 of Clubs") < middle.index("9 of Spades")
    assert "4 of Clubs" not in middle
    assert 'Pile <span class="count">3<span class="visually-hidden"> cards' in middle
    assert 'class="way anti"' in middle
    assert "no cards" in section(sat.ann.html, "seat-1")
    assert "last card" in section(sat.ann.html, "seat-2")
    assert "2 cards" in section(sat.ann.html, "seat-2")
    assert "next" in section(sat.ann.html, "seat-3")
    assert "to play" not in section(sat.ann.html, "seat-0"), "the rail says it"


@pytest.mark.parametrize(
    ("hand", "gold"), [("5H 5D", ["yes"]), ("5H 6D 9C", ["no"]), ("TD", ["yes"])]
)
def test_last_card_is_proposed_only_if_the_hand_can_go_out(seated, hand, gold):
    html = seated(facing_three(hand, stage="last_card")).ann.html
    buttons = re.findall(r"<button[^>]* last_card (?:yes|no)[^>]*>", html)
    assert len(buttons) == 2
    primary = [it for it in buttons if "btn-secondary" not in it]
    assert [re.search("yes|no", it)[0] for it in primary] == gold
    state = facing_three(hand, stage="last_card")
    tips = KARATA.tips_for(KARATA.view(state, 0), prompt(KARATA, state, 0), state.options)
    assert ("call" in dict(tips)) == (gold == ["yes"]), "the tip contradicts the rail"


def test_only_a_bomb_for_the_viewer_is_marked_as_theirs(seated):
    """The table's edge is red while it is."""
    bomb = {"pile": "2H", "pick": 2, "played": ["2H"]}
    sat = seated(facing_three("5S 6D", **bomb))
    assert "A bomb for you" in sat.reads()
    assert 'class="for-me"' in sat.ann.html
    sat.reads(1)
    assert 'class="for-me"' not in sat.people[1].html


def test_bomb_that_awaits_the_last_card_answer_is_for_the_next(seated):
    sat = seated(facing_three("5S", pile="2H", pick=2, played=["2H"], stage="last_card"))
    assert "Ben must pick" in sat.reads()
    assert 'class="for-me"' not in sat.ann.html


@pytest.mark.parametrize(("hand", "due"), [("9C 5S", False), ("7C 5D", True)])
def test_draw_is_the_primary_button_only_if_nothing_fits(seated, hand, due):
    html = seated(facing_three(hand, pile="9S")).ann.html
    button = re.search(r'<button id="b-[^>]*>Draw 1 card', html)[0]
    deck = section(html, "middle")
    assert ("btn-secondary" not in button) == due
    assert ("must" in re.search(r"<button[^>]*>Draw 1 card from the deck", deck)[0]) == due


def lately(page):
    """Return what the rail says has happened, the latest first."""
    said = re.search(r'class="lately" aria-hidden="true">(.*?)</p>', page.html)[1]
    return re.findall(r"<span>(.*?)</span>", said)


def nines_are_played(sat):
    """Ann and Ben play their nines without calling last card, and Cid draws."""
    sat.press("add", "9C")
    sat.press("play")
    sat.press("last_card", "no")
    sat.press("add", "9D", who=1)
    sat.press("play", who=1)
    sat.press("last_card", "no", who=1)
    sat.press("draw", who=2)
    sat.reads()


def test_rail_says_what_the_others_have_done(seated):
    sat = seated(position("9C 5S 6D", "9D 4H 6H", "2H 3H", deck="4S 7S", pile="9S"))
    assert 'class="lately"' not in sat.ann.html
    nines_are_played(sat)
    assert lately(sat.ann) == [
        "Cid draws 1 card.",
        "Ben plays the 9 of Diamonds.",
    ], "one line for each opponent, the latest first"
    sat.reads(1)
    waiting = re.search(r'class="lately" aria-hidden="true">(.*?)</p>', sat.people[1].html)[1]
    assert "You play the 9 of Diamonds." in waiting
    assert "is not on last card" not in waiting
    sat.press("add", "6D")
    assert 'class="lately"' not in sat.ann.html, "the effect of the row takes its place"


def test_rail_says_that_an_opponent_has_not_called_last_card(seated):
    sat = seated(position("9C 5S 6D", "9D 4H", "2H 3H", deck="4S 7S", pile="9S"))
    nines_are_played(sat)
    assert lately(sat.ann) == [
        "Cid draws 1 card.",
        "Ben does not say last card.",
    ]


def test_fined_wrong_plays_leave_buttons_without_hints(seated):
    buttons = [
        re.sub(r'"[^"]*"', "", re.search(r'<button id="b-[^>]*>Draw 1 card', it.ann.html)[0])
        for it in (
            seated(facing_three(hand, pile="9S", options=FINES)) for hand in ("9C 5S", "7C 5D")
        )
    ]
    assert buttons[0] == buttons[1]


def test_bomb_names_the_player_who_must_pick(seated):
    sat = seated(facing_three("9C 5S", pile="3S", pick=3))
    text = sat.reads()
    assert "Pick 3 cards: nothing in your hand gets you past the 3 of Spades." in text
    assert "Pick 3" in buttons(sat.ann) or "Pick 3 cards" in buttons(sat.ann)
    assert "Ann must pick, block or counter" in sat.reads(1)


def test_bomb_waits_for_next_player_while_last_card_is_asked(seated):
    sat = seated(facing_three("3S 4C", pile="9S"))
    sat.press("add", "3S")
    sat.press("play")
    assert "Ann’s turn is ending." in sat.reads(1)
    assert "A bomb for you" in sat.reads(1)
    assert "Ben must pick, block or counter" in sat.reads(2)
    assert "Ben must pick, block or counter" in sat.reads(0)


def test_drawn_card_is_played_or_kept_without_revealing_fit(seated):
    options = Options(play_drawn=True)
    for deck, may_lay in (("7D 9H", True), ("9H 7D", False)):
        sat = seated(facing_three("2C 5D", deck=deck, options=options))
        sat.press("draw")
        assert "You may lay the card you have drawn, or keep it." in sat.reads()
        assert verbs(sat.ann) >= {"keep"}
        assert ("lay_drawn" in verbs(sat.ann)) == may_lay
        assert ("It does not fit." in words(sat.ann)) != may_lay
        assert "Ann may lay the card just drawn." in sat.reads(1)
    sat.press("keep")
    assert "Ann keeps the drawn card." in sat.reads(1)


def test_jumped_player_may_stop_the_jump_or_pass(seated):
    state = facing_three("JS 2C", options=Options(stops="pass_on"))
    state.hands[1] = ["JH", "JD", "2D"]
    sat = seated(state)
    sat.press("add", "JS")
    sat.press("play")
    assert "Ann jumps you. You may stop that with a jump of your own." in sat.reads(1)
    assert {button for button in buttons(sat.people[1]) if "Stop" in button} == {
        "Stop it with the Jack of Hearts",
        "Stop it with the Jack of Diamonds",
        "Stop it with the Jack of Hearts and Jack of Diamonds",
    }
    sat.press("stop", "JH JD", who=1)
    assert "Ben jumps you" in sat.reads(2)
    assert {it for it in verbs(sat.people[2]) if it in ("stop", "let")} == {"let"}
    sat.press("let", who=2)
    assert "Your turn" in sat.reads(0)


def test_cut_suit_and_points_are_shown(seated):
    options = Options(ranks="uganda", cut=25, games=2)
    sat = seated(facing_three("7H 5C", pile="9H", cut_suit="H", options=options))
    assert "The 7 of Hearts cuts" in sat.reads(1)
    sat.press("add", "7H")
    assert "You cut with 5 points in hand." in sat.reads()
    sat.press("play")
    assert "Ann wins game 1 of 2" in sat.reads(1)
    assert "Points" in words(sat.ann)


def test_question_for_the_next_player_is_shown(seated):
    sat = seated(facing_three("QS 2C", options=Options(open_question="next")))
    sat.press("add", "QS")
    sat.press("play")
    assert "You must answer it or draw" in sat.reads(1)
    assert "answer the Queen of Spades that was left to you" in words(sat.people[1])
    assert "Ben must answer it or draw" in sat.reads(0)


@pytest.mark.parametrize(
    "pending", [{"pile": "3S", "pick": 3}, {"pile": "AD", "request": "H"}], ids=["bomb", "request"]
)
def test_remaining_player_is_told_that_the_match_was_stopped(seated, pending):
    sat = seated(position("9C 5S", "4H 6H 7H", **pending))
    ben = sat.people[1]
    sat.ann.open(f"{sat.path}/leave")
    sat.ann.send(next(form for form in sat.ann.page.forms if form.action.endswith("/leave")))
    assert "The match was stopped" in sat.reads(1)
    for path in ("/view", "/now", "/rules"):
        assert ben.client.get(sat.path + path).status_code == 200, path
    for path in ("/sit", "/start", "/house"):
        answer = ben.client.post(sat.path + path, data={"name": "Ben", "move": "a b"})
        assert answer.status_code < 500, path
    assert "must pick" not in words(ben)
    assert "Asked for" not in words(ben)


@pytest.mark.parametrize(("request_", "said"), [("H", "Hearts"), ("9D", "the 9 of Diamonds")])
def test_open_request_is_shown(seated, request_, said):
    sat = seated(facing_three("9C 5S", pile="AS", request=request_))
    assert f"Asked for: {said}" in sat.reads()
    assert f"Asked for: {said}" in sat.reads(2)


def test_page_has_its_parts_and_headings_in_order(seated):
    sat = seated(facing_three("9C 5S", pile="9S"))
    ids = re.findall(r'id="(prompt|seat-\d|middle|log)"', sat.ann.html)
    assert ids == ["prompt", "seat-0", "middle", "seat-1", "seat-2", "seat-3", "log"]
    levels = [int(n) for n in re.findall(r"<h(\d)", sat.ann.html)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = re.findall(r'\bid="([^"]*)"', sat.ann.html)
    assert len(ids) == len(set(ids))


# The row


def test_a_row_is_built_taken_back_and_played(seated):
    sat = seated(facing_three("QS 5S 5D KC", pile="9S"))
    assert "Queen of Spades, fits" in buttons(sat.ann)
    assert "King of Clubs" in buttons(sat.ann)
    assert verbs(sat.ann) == {"add", "draw"}
    sat.press("add", "QS")
    sat.press("add", "5S")
    text = sat.press("add", "5D")
    assert "In your row: Queen of Spades, 5 of Spades and 5 of Diamonds." in text
    assert "Then it is Ben’s turn." in text
    hand = " ".join(re.sub(r"<[^>]+>", " ", section(sat.ann.html, "seat-0")).split())
    for number, card in enumerate(("Queen of Spades", "5 of Spades", "5 of Diamonds"), 1):
        assert f"{card} in your row: {number}" in hand  # they stay in their places
    assert "Take back the 5 of Diamonds" in buttons(sat.ann)
    assert "In your row: Queen of Spades and 5 of Spades." in sat.press("back")
    assert "Play 2 cards" in buttons(sat.ann)
    assert "You play the Queen of Spades and 5 of Spades." in sat.press("play")
    assert "It is Ben’s turn." in sat.reads()


def test_row_effect_is_spoken_with_status_and_refusal_once(seated):
    sat = seated(facing_three("QS KC", pile="9S"))
    assert 'aria-describedby="told"' not in sat.ann.html
    sat.press("add", "KC")
    assert 'id="status" tabindex="-1" aria-describedby="told"' in sat.ann.html
    told = re.search(r'id="told">(.*?)</p>', sat.ann.html).group(1)
    assert "has neither the rank nor the suit of the 9 of Spades" in told
    sat.press("play")
    assert 'role="alert"' in sat.ann.html
    assert "aria-describedby" not in sat.ann.html
    assert words(sat.ann).count("has neither the rank nor the suit") == 1


def test_only_opponent_is_not_called_the_next_player(seated):
    sat = seated(position("QS KC", "4H 6H", pile="9S"))
    assert "Clockwise, next: Ben" in sat.reads()
    assert "next" not in section(sat.ann.html, "seat-1")


def test_repeated_text_is_not_announced_again(seated):
    """This covers whose turn it is, who comes next, the sizes of hands, and the card below the
    top."""
    sat = seated(facing_three("QS KC", pile="9S"))
    hidden = " ".join(re.findall(r'<(?:span|h2|table)[^>]*aria-hidden="true">.*?</', sat.ann.html))
    for word in ("next", "Players"):
        assert word in hidden
    assert "Clockwise, next: " in words(sat.ann)


def test_row_and_its_preview_are_private(seated):
    sat = seated(facing_three("QS 5S", pile="9S"))
    before = [sat.people[1].open(sat.path) and sat.people[1].html for _ in range(2)][1]
    sat.press("add", "QS")
    sat.reads(1)
    assert sat.people[1].html == before


def test_row_sent_from_an_outdated_page_is_too_late(seated):
    sat = seated(facing_three("QS 5S", pile="9S"))
    sat.press("add", "QS")
    form, button = next(m for m in sat.ann.page.moves() if m[1][1].split(" ")[1] == "play")
    sat.press("add", "5S")
    sat.ann.send(form, button)
    assert sat.ann.status == 409
    assert 'role="alert"' in sat.ann.html


def test_only_the_card_that_breaks_a_rule_is_marked(seated):
    sat = seated(facing_three("4C AC QS", pile="2C", pick=2))
    sat.press("add", "4C")
    sat.press("add", "AC")
    (marked,) = re.findall(r'(?s)<li id="row-\d" class="up misfit">.*?</li>', sat.ann.html)
    assert "4 of Clubs" in marked
    assert sat.ann.html.count('class="up') == 2
    assert re.search(r'aria-disabled="true"[^>]*>Play 2', sat.ann.html)
    sat.press("back")
    sat.press("back")
    sat.press("add", "AC")
    assert "misfit" not in sat.ann.html
    assert "aria-disabled" not in sat.ann.html


def test_question_left_open_is_not_marked(seated):
    sat = seated(facing_three("QS 4C", pile="9S", options=Options(open_question="refuse")))
    sat.press("add", "QS")
    assert "misfit" not in sat.ann.html
    assert re.search(r'aria-disabled="true"[^>]*>Play 1', sat.ann.html)


def test_page_has_no_button_for_several_cards(seated):
    sat = seated(facing_three("QS 5S", pile="9S"))
    assert " lay" not in "".join(button[1] for _, button in sat.ann.page.moves())
    assert not any(form.boxes for form in sat.ann.page.forms)


def test_a_drawn_card_ends_the_turn(seated):
    sat = seated(facing_three("KC KD", pile="9S"))
    assert "none of your cards fits, so draw a card. On top: 9 of Spades." in sat.reads()
    assert "You draw 1 card." in sat.press("draw")


# Refusals and fines: (rule, hand, state, the row)

BROKEN = [
    ("request", "9C 5S", {"request": "H"}, "9C"),
    ("bomb", "JS 5S", {"pile": "3S", "pick": 3}, "JS"),
    ("first_card", "TH 5S", {}, "TH"),
    ("answer", "QS 8D", {}, "QS 8D"),
    ("ace_or_joker_order", "5S AS", {}, "5S AS"),
    ("sequence", "5S TS", {}, "5S TS"),
]


def broken_play(seated, hand, state, row, options):
    sat = seated(facing_three(hand + " 4D 6C", **{"pile": "9S", "options": options} | state))
    for card in row.split():
        sat.press("add", card)
    return sat


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "hand", "state", "row"), BROKEN, ids=[b[0] for b in BROKEN])
def test_a_refused_play_names_its_rule_and_links_to_it(seated, rule, hand, state, row):
    sat = broken_play(seated, hand, state, row, Options())
    link = f'href="{sat.path}/rules#{RULES[rule]}"'
    assert link in sat.ann.html  # the preview shows it before the play is sent
    sat.press("play")
    assert sat.ann.status == 422
    notice = sat.ann.html.split('id="notice"')[1].split("</p>")[0]
    assert link in notice
    assert f'id="{RULES[rule]}"' in sat.ann.client.get(f"{sat.path}/rules").text


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "hand", "state", "row"), BROKEN, ids=[b[0] for b in BROKEN])
def test_fine_shows_the_rule_only_to_its_player(seated, rule, hand, state, row):
    sat = broken_play(seated, hand, state, row, FINES)
    assert f"rules#{RULES[rule]}" not in re.sub(
        r'(?s)<div class="tip">.*?</form>', "", sat.ann.html
    )
    sat.press("play")
    told = sat.ann.html.split('id="fined-1"')[1].split("</p>")[0]
    assert 'role="alert"' in told
    assert "Your play broke a rule: you draw 2 cards." in told
    assert f'href="{sat.path}/rules#{RULES[rule]}"' in told
    assert "Ann’s play broke a rule: Ann draws 2 cards. It is still Ann’s turn." in sat.reads(1)
    assert f"#{RULES[rule]}" not in sat.people[1].html
    sat.press("draw")
    assert "fined-1" not in sat.ann.html


def test_fine_that_empties_the_deck_hides_its_count(seated):
    state = facing_three("TH 5S 4D", pile="9S", deck="4C", options=FINES)
    sat = seated(state)
    sat.press("add", "TH")
    assert "Your play broke a rule: you draw the cards that are left." in sat.press("play")
    assert "Ann’s play broke a rule: Ann draws the cards that are left." in sat.reads(2)


def test_with_fines_pages_do_not_mark_fitting_cards(seated):
    sat = seated(facing_three("QS 5S TH", pile="9S", options=FINES))
    assert 'class="card H may"' in sat.ann.html
    assert "must" not in section(sat.ann.html, "seat-0")
    assert "fit" not in sat.reads()
    sat.press("add", "TH")
    assert "Take back the 10 of Hearts" in buttons(sat.ann)
    assert "If the table’s rules allow it:" in words(sat.ann)
    assert "Then it is Ben’s turn." in words(sat.ann)


def test_strict_finish_is_refused_with_its_rule(seated):
    sat = seated(facing_three("5S", pile="9S", options=Options(strict_finish=True)))
    sat.press("add", "5S")
    sat.press("play")
    assert sat.ann.status == 422
    assert f"{sat.path}/rules#strict-finish" in sat.ann.html


# Requests, last card, the end


def test_one_ace_asks_for_a_suit(seated):
    sat = seated(facing_three("AH 4D", pile="9S"))
    sat.press("add", "AH")
    assert "The ace lets you ask for a suit." in words(sat.ann)
    assert "Your turn: ask for a suit, or for nothing." in sat.press("play")
    suits = {"Ask for Spades", "Ask for Hearts", "Ask for Diamonds", "Ask for Clubs"}
    assert buttons(sat.ann) == suits | {"Ask for nothing"}
    held = re.findall(r'class="btn-secondary ([SHDC])"(?: data-i="×(\d)")?', sat.ann.html)
    assert held == [("S", ""), ("H", ""), ("D", "1"), ("C", "")]
    assert "You ask for Diamonds." in sat.press("suit", "D")


def test_two_aces_ask_for_any_card_and_mark_those_in_hand(seated):
    sat = seated(facing_three("AS 4D", pile="9S"))
    sat.press("add", "AS")
    assert "The Ace of Spades counts as two aces: you may ask for one card" in words(sat.ann)
    sat.press("play")
    assert 'value="D" checked' in sat.ann.html, "the suit of which Ann holds most comes first"
    sent = [button[1].split(" ")[1:] for _, button in sat.ann.page.moves()]
    assert sorted(s[1] for s in sent if s[0] == "card") == sorted(pack())
    assert sum(len(form.buttons) > 0 for form in sat.ann.page.forms if "/move" in form.action) == 1
    assert "Ask for the 4 of Diamonds, yours" in buttons(sat.ann)
    assert "Ask for the Red Joker" in buttons(sat.ann)
    assert "You ask for the 4 of Diamonds." in sat.press("card", "4D")
    assert "Asked for: the 4 of Diamonds" in sat.reads(1)


def test_requests_are_optional(seated):
    sat = seated(facing_three("AS 4D", pile="9S", stage="request", level=2))
    assert "You ask for nothing." in sat.press("no_request")


@pytest.mark.parametrize("answer", ["yes", "no"])
@pytest.mark.parametrize("hand", ["9C 5S", "9C"])
def test_last_card_answer_is_announced_where_it_matters(seated, hand, answer):
    sat = seated(facing_three(hand, pile="9S", stage="last_card"))
    assert buttons(sat.ann) == {"Yes, last card", "No"}
    assert "not called" not in sat.reads(1)
    sat.press("last_card", answer)
    assert ("Ann is on last card!" in sat.reads(1)) == (answer == "yes")
    seat = section(sat.people[1].html, "seat-0")
    assert ("last card</span>" in seat) == (answer == "yes")
    assert ("not called</span>" in seat) == (answer == "no" and hand == "9C")


def test_player_without_cards_can_only_draw(seated):
    sat = seated(position("", *OTHERS, pile="9S"))
    assert "you have no card left" in sat.reads()
    assert verbs(sat.ann) == {"draw"}


def test_a_match_of_two_games_keeps_its_scores(seated):
    sat = seated(position("5S", "4H", pile="9S", last_card=(0,), options=Options(games=2)))
    sat.press("add", "5S")
    assert "You go out on last card and win the game." in words(sat.ann)
    text = sat.press("play")
    assert "You win game 1 of 2." in text
    assert "Game 1 of 2" in text
    assert re.search(r"You</th><td>0</td><td>1</td>", sat.ann.html)
    assert "1 won" in section(sat.ann.html, "seat-0")
    sat.press("ready")
    assert "ready</span>" in section(sat.ann.html, "seat-0")
    assert "Game 2 of 2" in sat.press("ready", who=1)


@pytest.mark.parametrize(
    ("options", "columns"),
    [
        (Options(), ["Cards"]),
        (FINES, ["Cards", "Fines"]),
        (Options(games=2), ["Cards", "Won"]),
        (replace(FINES, games=2), ["Cards", "Fines", "Won"]),
    ],
)
def test_standings_have_the_columns_of_their_options(seated, options, columns):
    sat = seated(position("5S 6S", "4H", pile="9S", options=options))
    (table,) = re.findall(r'(?s)<table class="scores".*?</table>', sat.ann.html)
    assert re.findall(r'<th scope="col">(.*?)</th>', table) == ["Player", *columns]


def test_multi_game_match_does_not_name_the_last_winning_card(seated):
    state = position("5S", "4H", pile="9S", last_card=(0,), options=Options(games=2))
    state.wins, state.game = [1, 0], 2
    sat = seated(state)
    sat.press("add", "5S")
    text = sat.press("play")
    assert "Place 1 of 2: " in text
    assert "Out with" not in text
    assert re.search(r"You</th><td>0</td><td>2</td>", sat.ann.html)


def test_a_bomb_is_shown_at_its_player_and_then_what_it_cost(seated):
    sat = seated(position("2S 5S 6D", "9D 4H 6H", "2H 3H", deck="4S 7S 8S TS", pile="9S"))
    sat.press("add", "2S")
    sat.press("play")
    sat.press("last_card", "no")
    sat.reads()
    assert ">Pick 2</span>" in section(sat.ann.html, "seat-1")
    sat.press("draw", who=1)
    sat.reads()
    assert ">+2</span>" in section(sat.ann.html, "seat-1")
    assert "Pick 2" not in sat.ann.html


def test_the_result_is_shown_when_the_match_is_over(seated):
    sat = seated(position("5S", "4H", pile="9S", last_card=(0,)))
    sat.press("add", "5S")
    text = sat.press("play")
    assert "Place 1 of 2: " in text
    assert "You win! Out with the 5 of Spades." in text
    assert "Play again" in text


def test_those_who_lose_a_game_share_a_place_by_fewest_cards(seated):
    sat = seated(position("5S", "4D 5D", "4H", pile="9S", last_card=(0,)))
    sat.press("add", "5S")
    sat.press("play")
    assert re.findall(r'data-place="(.*?)">(.*?)<', sat.ann.html) == [
        ("1", "0 cards"),
        ("2", "1 card"),
        ("2", "2 cards"),
    ]
    assert "Place 2 of 3, shared: 2 cards." in sat.reads(1)


def test_spectator_sees_backs_and_no_buttons(seated, browser):
    sat = seated(facing_three("9C 5S", pile="9S"))
    someone = browser()
    someone.open(sat.path)
    assert someone.page.moves() == []
    assert "9 of Clubs" not in someone.html.split('id="log"')[0]
    assert "2 cards" in section(someone.html, "seat-0")


# The rules page


def test_karata_rules_page_follows_the_tables_options():
    plain = rules_of(KARATA, Options()).html
    full = Options(fine=1, deal=6, games=3, turn_seconds=40, strict_finish=True)
    chosen = rules_of(KARATA, full).html
    assert "Each player gets 4 cards" in plain
    assert "Each player gets 6 cards" in chosen
    assert 'id="fines"' not in plain
    assert "costs you <strong>one card</strong>" in chosen
    assert "costs you <strong>two cards</strong>" in rules_of(KARATA, FINES).html
    assert "40 seconds" in chosen
    assert "3 games" in chosen
    assert 'id="without-cards"' in plain
    assert 'id="strict-finish"' in chosen
    jokers = rules_of(KARATA, Options(joker_ignores_request=True)).html
    assert "A joker may start a play whatever was asked for" in jokers
    assert "//" not in re.sub(r"https?://", "", plain)


def test_every_rule_a_play_can_break_has_its_paragraph():
    slugs = {slug for _, slug, _ in rules_of(KARATA, Options(strict_finish=True)).contents}
    assert set(RULES.values()) <= slugs


# Whole matches


@pytest.mark.slow
def test_three_people_play_a_match_with_fines_by_forms(table, service):
    path, people = table("Ann", "Ben", "Cid", game="karata", fine="2", games="2", deal="3")
    pressed, fined, biggest = [], 0, 0
    while service.get(path[3:]).table.outcome is None:
        assert len(pressed) < 2500
        state = service.get(path[3:]).state
        seat = state.ready.index(False) if state.stage == "ready" else state.seat
        person = people[seat]
        assert person.open(path).title.startswith("Your turn")
        if len(pressed) % 8 == 0:
            fragment = person.client.get(f"{path}/view", headers=BY_HTMX).data
            biggest = max(biggest, len(gzip.compress(fragment, 6)))
        wanted = wish(state, seat, fined, len(pressed))
        person.send(*next(m for m in person.page.moves() if m[1][1].split(" ", 1)[1] == wanted))
        assert person.status == 200, words(person)
        fined += "Your play broke a rule: you draw" in words(person) and wanted == "play"
        pressed.append(wanted.split(" ")[0])
    assert set(pressed) >= {"add", "back", "play", "draw", "ready"}
    assert fined
    assert biggest <= 2500
    for person in people:
        person.open(path)
        assert "Play again" in words(person)
        assert re.search(r"Place \d of 3(, shared)?: ", words(person))


def wish(state, seat, fined, number):
    """Return the press of a player who knows the game, takes risks now and then, and hesitates."""
    state, row = copied(state), list(state.row)
    state.row = []  # the bot lays whole rows
    view, offers = KARATA.view(state, seat), prompt(KARATA, state, seat)
    rng = Rng(bytes(32), number, "wishes")
    best = KARATA.bot.choose(KARATA.bot.memory(), view, offers, rng)
    if best.verb not in ("lay", "draw"):
        return " ".join((best.verb, *best.choices))
    if not fined and not row:
        bad = [c for c in state.hands[seat] if first_card_breaks(state.house, facing(state), c)]
        if bad:
            return f"add {bad[0]}"
    if row and not fined and first_card_breaks(state.house, facing(state), row[0]):
        return "play"
    if best.verb == "draw":
        return "back" if row else "draw"
    wanted = list(best.choices)
    if row == wanted:
        return "back" if rng.randrange(8) == 0 else "play"
    return f"add {wanted[len(row)]}" if row == wanted[: len(row)] else "back"


def test_matching_suit_and_rank_are_stated_if_sufficient(seated):
    said = "Press a card of the suit or the rank of the 9 of Spades. 1 of your cards fits."
    assert said in seated(facing_three("5S KD", pile="9S")).reads()
    for state in (facing_three("5S KD", pile="AS"), facing_three("2S KD", pile="3S", pick=3)):
        assert "the suit or the rank" not in seated(state).reads()
