"""The general table renders everything that a game shows and offers to a player."""

import re
from dataclasses import replace

import pytest
from msgspec.structs import replace as replace_struct

from kaboom.engine.table_view import SeatLine, Settings, TablePage
from kaboom.engine.texts import Names
from kaboom.engine.views import Offer, Outcome, Prompt, Saying, Scores, View, Zone
from kaboom.table_page.table_html import game_table
from tests.engine.sealed_bids import SEALED_BIDS, Options

WORDS = replace(
    SEALED_BIDS.words,
    sayings={**SEALED_BIDS.words.sayings, "passing": "Waiting for {waiting:names} to pass."},
    offers={"bid": "Bid", "put": "Put it in a place", "throw": "Throw it away and turn up a card"},
)
GAME = replace(SEALED_BIDS, words=WORDS)
PLACES = ("0.0", "0.1", "0.2")
BIDDING = Saying("bidding")


def offer(verb, *options, most=1):
    return Offer(0, verb, options, 1, most, False, "", True, False, verb * 2, playable=options)


@pytest.fixture
def drawn(app):
    """Return a function that renders the table for a player with these zones and offers."""

    def table(zones, offers, confirm=False, saying=BIDDING, waiting=(0,), outcome=None, **shown):
        page = TablePage(
            "CODE",
            "/t/CODE",
            GAME,
            Options(),
            "1",
            [SeatLine(0, "Ann", mine=True), SeatLine(1, "Ben")],
            Names(("Ann", "Ben"), 0),
            Settings(confirm=confirm),
            me=0,
            playing=True,
            match=1,
            view=View(0, zones, saying, **shown),
            prompt=Prompt(0, offers),
            waiting=waiting,
            outcome=outcome,
        )
        with app.test_request_context():
            return game_table(page)

    return table


def boxes(html):
    """Return the rows of checkboxes: values and labels."""
    box = re.compile(r'<input type="checkbox"[^>]* value="([^"]+)"> ([^<]+)<')
    return [box.findall(row) for row in re.findall(r"<ul.*?</ul>", html, re.S) if box.search(row)]


def grid(*cards):
    return Zone("grid", 0, cards, PLACES)


def pressed(html):
    """Return the values and labels of a page's buttons."""
    return dict(re.findall(r'<button [^>]*name="move" value="\w+ ([^"]+)"[^>]*>([^<]*)<', html))


def test_two_offers_for_the_same_places_can_both_be_answered(drawn):
    html = drawn((grid("9C", "?", "?"),), (offer("put", *PLACES), offer("throw", *PLACES[1:])))
    assert set(pressed(html)) == {"put 0.0", "put 0.1", "put 0.2", "throw 0.1", "throw 0.2"}
    assert pressed(html)["throw 0.1"] == "Throw it away and turn up a card: 0.1"
    assert "Put it in a place: press the card." in html
    assert "Throw it away and turn up a card: press the card." not in html


def test_press_on_a_place_names_its_card(drawn):
    said = pressed(drawn((grid("9C", "?", "?"),), (offer("put", *PLACES),)))
    assert said["put 0.0"] == "Put it in a place: 0.0, 9 of Clubs"
    assert said["put 0.1"] == "Put it in a place: 0.1, face down"


def test_lifted_place_names_its_card(drawn):
    html = drawn((grid("9C", "?", "?"),), (offer("put", *PLACES),), confirm=True)
    assert re.findall(r'name="pick" value="[^"]+"> ([^<]+)<', html) == [
        "0.0, 9 of Clubs",
        "0.1, face down",
        "0.2, face down",
    ]


def test_card_with_its_name_as_choice_is_named_once(drawn):
    html = drawn((Zone.up("hand", 0, ("9C",)),), (offer("put", "9C"),))
    assert pressed(html)["put 9C"] == "Put it in a place: 9C"


@pytest.mark.parametrize("confirm", [False, True])
def test_owner_only_card_is_rendered_without_a_move_on_it(drawn, confirm):
    zones = (grid("?", "?", "?"), Zone("held", 0, ("6H",)), Zone.down("won", 0, 4))
    html = drawn(zones, (offer("put", *PLACES),), confirm)
    assert "6 of Hearts" in html
    assert "Won 4" in html
    assert "Held 1" not in html


def test_place_checkboxes_are_the_cards_row_by_row(drawn):
    upper, lower = Zone("upper", 0, ("9C", "?"), PLACES[:2]), Zone("lower", 0, ("_",), PLACES[2:])
    html = drawn((upper, lower), (offer("put", *PLACES, most=2),))
    assert boxes(html) == [
        [("0.0", "0.0, 9 of Clubs"), ("0.1", "0.1, face down")],
        [("0.2", "0.2, empty")],
    ]
    assert html.count("9 of Clubs") == 1  # the cards are not shown twice


def test_boxes_for_absent_cards_are_labeled(drawn):
    html = drawn((grid("?", "?", "?"),), (offer("put", "9C", "pass", most=2),))
    assert boxes(html) == [[("9C", "9 of Clubs"), ("pass", "pass")]]


@pytest.mark.parametrize("confirm", [False, True])
def test_one_card_can_be_pressed_where_several_can_be_ticked(drawn, confirm):
    html = drawn(
        (Zone.up("hand", 0, ("9C", "TC")),),
        (offer("put", "9C", "TC"), offer("throw", "9C", "TC", most=2)),
        confirm,
    )
    assert set(pressed(html)) == {"put 9C", "put TC"}
    assert [option for row in boxes(html) for option, _ in row] == ["9C", "TC"]


def test_general_table_names_awaited_players_once(drawn):
    """In the current status, or otherwise on a separate line."""
    line = '<p class="waiting">Waiting for Ben.</p>'
    assert line in drawn((), (), waiting=(1,))
    assert line in drawn((), (), waiting=(1,), saying=Saying("passing", {"waiting": [0]}))
    told = drawn((), (), waiting=(1,), saying=Saying("passing", {"waiting": [1]}))
    assert "Waiting for Ben to pass." in told
    assert line not in told


def test_own_place_in_a_trick_is_not_lit_for_a_number(drawn):
    empty = tuple(Zone.up("played", seat, (), middle=True) for seat in (0, 1))
    assert "by0 turn" not in drawn(empty, (number_offer(3),), waiting=(0,))


def test_own_place_in_a_trick_is_not_lit_while_cards_are_to_be_passed(drawn):
    laid = tuple(Zone.up("played", seat, (), middle=True) for seat in (0, 1))
    hand = Zone.up("hand", 0, ("9C", "TC"))
    assert "by0 turn" in drawn((*laid, hand), (offer("put", "9C", "TC"),))
    assert "by0 turn" not in drawn((*laid, hand), (offer("put", "9C", "TC", most=2),))


def test_last_trick_stays_at_its_place_before_the_result(drawn):
    laid = tuple(
        Zone.up("played", seat, (card,), middle=True) for seat, card in enumerate(("9C", "TC"))
    )
    scores = Scores(("This deal",), ((3,), (10,)))
    html = drawn((laid[0], laid[1].marked(["TC"], "won")), (), scores=scores, settled=True)
    assert 'data-from="laid-1-TC slot-1" data-stays' in html
    assert html.index('id="final"') < html.index("This deal")
    assert re.findall(r'class="best"><small>([^<]+)<', html) == ["Ben"]


@pytest.mark.parametrize("settled", [True, False])
def test_scores_are_in_the_middle_once_a_deal_is_settled(drawn, settled):
    scores = Scores(("This deal",), ((3,), (10,)))
    laid = Zone.up("played", 0, ("9C",), middle=True)
    board, beside = drawn((laid,), (), scores=scores, settled=settled).split('id="side"')
    assert ("This deal" in board, "This deal" in beside) == (settled, not settled)


def test_players_are_in_the_order_of_their_points_after_a_deal(drawn):
    scores = Scores(("This deal", "Match"), ((9, 3), (1, 10)))
    html = drawn((), (), scores=scores, settled=True)
    assert "Your place: 2 of 2." in html
    assert re.findall(r"</i> (Ben|You)</th>", html) == ["Ben", "You"]
    html = drawn((), (), scores=scores)
    assert "Your place" not in html and "♔" not in html
    tied = drawn((), (), scores=Scores(("Match",), ((3,), (3,))), settled=True)
    assert "Your place: 1 of 2, shared." in tied and "♔" not in tied


def test_end_of_a_deal_says_which_it_was_and_once_who_took_its_last_trick(drawn):
    scores = Scores(("Points",), ((3,), (10,)))
    html = drawn((), (), scores=scores, settled=True, facts={"deal": 2, "deals": 7})
    assert "<span>Deal 2 of 7 is over.</span> <span>Your place: 2 of 2.</span>" in html
    assert 'class="came"' not in html
    assert "The deal is over." in drawn((), (), scores=scores, settled=True)


def test_number_of_the_deal_and_own_points_are_on_the_table(drawn):
    laid, scores = (
        Zone.up("played", 0, ("9C",), middle=True),
        Scores(("Bid", "Points"), ((1, 3),) * 2),
    )
    html = drawn((laid,), (), scores=scores, facts={"deal": 2})
    assert "<b>Deal 2</b> <span>Points <b>3</b></span>" in html
    assert "count-of-deal" not in drawn((laid,), (), scores=scores)


def test_pile_is_left_out_where_the_game_says_what_it_is_worth(drawn):
    pile = Zone.down("won", 1, 4)
    said = Saying("bidding")
    assert "4 cards face down" in drawn((pile,), ())
    assert "4 cards face down" not in drawn((pile,), (), standing=(said, said))


@pytest.mark.parametrize(("word", "best"), [("led", False), ("led, highest", True), ("won", True)])
def test_marked_card_of_a_trick_has_a_ring_unless_only_led(drawn, word, best):
    html = drawn((Zone.up("played", 0, ("9C",), middle=True).marked(["9C"], word),), ())
    assert (" best" in html) == best


@pytest.mark.parametrize(("facts", "said"), [({"points": 13}, "+13"), ({}, "won")])
def test_mark_of_a_trick_that_is_taken_says_its_points(drawn, facts, said):
    """To win a trick may be bad."""
    laid = Zone.up("played", 0, ("9C",), middle=True).marked(["9C"], "won")
    html = drawn((laid,), (), saying=Saying("bidding", facts))
    assert f'<small class="mark">{said}</small>' in html


def test_trick_without_points_has_no_badge(drawn):
    laid = Zone.up("played", 0, ("9C",), middle=True).marked(["9C"], "won")
    assert 'class="mark"' not in drawn((laid,), (), saying=Saying("bidding", {"points": 0}))


def test_place_in_a_trick_is_lit_only_for_one_player(drawn):
    empty = tuple(Zone.up("played", seat, (), middle=True) for seat in (0, 1))
    assert "by0 turn" in drawn(empty, (), waiting=(0,))
    assert "by0 turn" not in drawn(empty, (), waiting=(0, 1))


def number_offer(most):
    return replace_struct(offer("bid", *map(str, range(most + 1))), numbers=True)


def test_numbers_are_small_buttons_under_one_label(drawn):
    html = drawn((), (number_offer(7),))
    assert pressed(html) == {f"bid {number}": str(number) for number in range(8)}
    assert re.findall(r'<p class="hint" id="n-bidbid">([^<]+)</p>', html) == ["Bid."]
    assert html.count("Bid") == 1
    assert 'role="group" aria-labelledby="n-bidbid"' in html


def test_many_numbers_are_one_input_field(drawn):
    html = drawn((), (number_offer(11),))
    (field,) = re.findall(r'<input [^>]*type="number"[^>]*>', html)
    assert 'name="pick" min="0" max="11" aria-labelledby="n-bidbid" required' in field
    assert 'name="offer" value="bidbid bid"' in html
    assert not pressed(html)


def test_numbers_are_not_pressed_by_cards_of_that_name(drawn):
    html = drawn((Zone.up("hand", 0, ("3", "55")),), (number_offer(3),), confirm=True)
    assert re.findall(r'value="\w+ bid 3"[^>]*>([^<]+)<', html) == ["3"]
    assert 'name="pick"' not in html


@pytest.mark.parametrize(("points", "dear"), [(13, True), (9, False)])
def test_trick_of_many_points_stands_out(drawn, points, dear):
    laid = Zone.up("played", 0, ("9C",), middle=True).marked(["9C"], "won")
    assert (" dear" in drawn((laid,), (), saying=Saying("bidding", {"points": points}))) == dear


@pytest.mark.parametrize(("facts", "lit"), [({"led": None}, True), ({"bid": 2}, False)])
def test_place_of_another_player_is_lit_only_for_a_card(drawn, facts, lit):
    empty = tuple(Zone.up("played", seat, (), middle=True) for seat in (0, 1))
    assert ("by1 turn" in drawn(empty, (), waiting=(1,), saying=Saying("bidding", facts))) == lit


def test_end_of_a_match_names_who_reached_its_limit(drawn):
    over = Outcome((3, 12), (1, 2), "won")
    scores = Scores(("Points",), ((3,), (12,)))
    html = drawn((), (), scores=scores, facts={"limit": 10}, outcome=over)
    assert "Limit of 10 reached: Ben." in html
    assert "Limit" not in drawn((), (), scores=scores, facts={"limit": 20}, outcome=over)
