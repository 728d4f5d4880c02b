"""The table of King of the Hill: its texts at each stage, and every kind of move by forms."""

import gzip
import re

import pytest

from kaboom.engine.toolkit.cards import pack, spoken
from kaboom.engine.toolkit.tricks import LOW_TO_HIGH
from kaboom.games import GAMES
from kaboom.games.koth.cards import hand_order, pairs_in
from kaboom.games.koth.regions import as_dealt
from kaboom.games.koth.state import Result, make_king
from kaboom.games.koth.tricks import seat_plays, winning_play
from kaboom.table_page import service as match_service
from kaboom.tables.table import Hints
from kaboom.web.rules_pages import rules_of
from tests.support.browsing import BY_HTMX, settle
from tests.support.effort import LONG

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve")
CALLING = 370  # additional bytes for the hand below the cards to call, and the takeback button
UPDATE = 2_680  # bytes of a whole table over the wire; most updates are partial
SHORT = {"end": "rounds", "rounds": "1", "deal_interval": "0", "pace": "untimed"}


class Match:
    """Five people at one table, by seats. Each loads the page before pressing a button."""

    def __init__(self, service, path, people, pressed) -> None:
        self.service, self.path, self.pressed = service, path, pressed
        self.people = people
        names = service.get(path[3:]).table.seats
        self.seats = [people[NAMES.index(name)] for name in names]

    @property
    def state(self):
        return self.service.get(self.path[3:]).state

    def at(self, seat):
        """Return the browser of a seat, showing the current table."""
        self.seats[seat].open(self.path)
        return self.seats[seat]

    def button(self, seat, verb, choice=""):
        """Return the form and the button of a move on the page of a seat; raises LookupError.

        The choice is either the button's value, or a card that is lifted first.
        """
        for form, button in self.at(seat).page.moves():
            _, found, *chosen = offered(form, button).split(" ")
            if found == verb and (
                not choice or chosen == [choice] or ("pick", choice) in form.boxes
            ):
                return form, button
        raise LookupError(f"{verb} {choice} is not on the page of seat {seat}")

    def may(self, seat, verb):
        """Return True if a move is on the page of a seat."""
        moves = self.at(seat).page.moves()
        return any(offered(form, button).split(" ")[1] == verb for form, button in moves)

    def press(self, seat, verb, choice="", ticked=()):
        """Press the button of a move with exactly these cards ticked, and confirm if asked."""
        form, button = self.button(seat, verb, choice)
        if lifts(form):
            ticked = ticked or [choice]
        seated = self.seats[seat]
        seated.send(form, button, [("pick", card) for card in ticked])
        if 'id="sure-go"' in seated.html:
            seated.press("Yes, do it")
        return seated

    def make(self, seat, verb, *cards):
        """Make a move: by forms if the match is `pressed`, otherwise directly, to reach a test's
        start.
        """
        if self.pressed:
            said = self.choose(seat, verb, *cards)
            assert said.status == 200, said.page.text
            return
        snapshot = self.service.get(self.path[3:])
        table, offer = snapshot.table, snapshot.prompts[seat].offer(verb)
        move, cmd = " ".join((verb, *cards)), f"made {snapshot.version}"
        player, revision = table.occupant(seat).player, table.revision(seat)
        match_service.submit(
            self.service, self.path[3:], player, move, offer.token, cmd, table.match, revision
        )

    def all_ready(self):
        for seat in range(5):
            self.make(seat, "ready")

    def choose(self, seat, verb, *cards):
        """Press the button of a move, after lifting or ticking the cards."""
        choice = cards[:1] if len(cards) == 1 else ()
        form, _ = self.button(seat, verb, *choice)
        return self.press(seat, verb, *choice, ticked=picks(form, cards) if form.boxes else ())

    def play(self, seat, cards):
        return self.choose(seat, "play", *cards)

    def to_dead_hand(self, declare=True):
        """Play until a seated player is king and buries; return that seat."""
        self.all_ready()
        for seat in range(5) if declare else ():
            offer = self.service.get(self.path[3:]).prompts[seat].offer("declare")
            if offer and not self.state.declarations:
                self.make(seat, "declare", *offer.options[: offer.least])
        for seat in range(5):
            self.make(seat, "pass")
        assert self.state.stage == "dead_hand"
        return self.state.king

    def to_tricks(self, call="AC"):
        king = self.to_dead_hand()
        self.make(king, "bury", *self.state.hands[king][-8:])
        self.make(king, "call", call)
        self.all_ready()
        return king

    def tricks(self):
        """Play the round to its end, the first trick and the last by forms."""
        self.trick()
        self.pressed = LONG
        while max(map(len, self.state.hands)) > 2:
            self.trick()
        self.pressed = True
        while self.state.stage == "trick":
            self.trick()

    def trick(self):
        """Play a trick, leading a pair if there is one."""
        leader = self.state.leader
        pairs = pairs_in(self.state.hands[leader])
        self.make(leader, "play", *(pairs[:1] * 2 or self.state.hands[leader][:1]))
        for _ in range(4):
            seat = self.state.turn
            before = self.state.hands[seat]
            self.make(seat, "play", *seat_plays(self.state, seat)[0])
            assert len(self.state.hands[seat]) < len(before)


def offered(form, button):
    """Return the parts of a button's value: token, verb and choice."""
    return button[1] or form.hidden["offer"]


def picks(form, cards):
    """Return what is chosen to play these cards: a pair may be one choice, and a compulsory card is
    sent by the form itself.
    """
    if ("pick", " ".join(cards)) in form.boxes:
        return [" ".join(cards)]
    due = form.hidden.get("offer", "").split(" ")[2:]
    return [card for card in cards if card not in due]


def lifts(form):
    """Return True if a card of the form is lifted and then sent by its only button."""
    return "offer" in form.hidden


@pytest.fixture
def sit(table, service):
    def sat(lifting=True, pressed=False, **options):
        path, people = table(*NAMES, game="koth", **(SHORT | options))
        for person in people if not lifting else ():
            person.client.post("/settings", data={"confirm": "0"})
        return Match(service, path, people, pressed)

    return sat


def text(browser):
    return " ".join(browser.page.text.split())


def log_lines(browser):
    return re.findall(r'<li id="ev-\d+"', browser.html)


def shown(browser):
    """Return the cards of the player's hand in the page's order."""
    own = browser.html.split('class="my-cards', 1)[1]
    own = own.split("</section>", 1)[0].split("<details", 1)[0]
    return re.findall(r">(?:<input[^>]*>)? ?(?:Play )?([A-Z0-9][a-z0-9]* (?:of )?[A-Z][a-z]+)", own)


def weight(match, seat):
    """Return the size in bytes of a seat's fragment over the wire."""
    address = f"{match.path}/view?v=0"
    answer = match.seats[seat].client.get(address, headers=BY_HTMX)
    assert answer.status_code == 200
    return len(gzip.compress(answer.get_data(), 6, mtime=0))


# The deal


def test_deal_page_shows_the_hand_growing_without_log_lines(sit, service, fake_clock):
    match = sit(deal_interval="0.3")
    match.all_ready()
    lines = len(log_lines(match.at(0)))
    for dealt in range(1, 31):
        fake_clock.sleep(0.3)
        assert service.run_due(match.path[3:])
        if dealt % 10 == 0:
            assert f"{dealt} of 100 cards dealt" in text(match.at(0))
            assert shown(match.at(0)) == [spoken(card) for card in match.state.hands[0]]
    assert len(log_lines(match.at(0))) == lines
    assert "6 cards face down" in match.at(1).html


def test_declare_button_is_only_for_players_who_may_declare(sit):
    match = sit()
    match.all_ready()
    holders = [seat for seat in range(5) if any(c[0] == "2" for c in match.state.hands[seat])]
    for seat in range(5):
        assert match.may(seat, "declare") == (seat in holders)
    seat = holders[0]
    two = next(card for card in match.state.hands[seat] if card[0] == "2")
    match.press(seat, "declare", two[1])
    made = match.state.declarations[-1]
    other = match.at((seat + 1) % 5)
    name = match.service.get(match.path[3:]).table.seats[seat]
    assert f"{name} declared" in text(other)
    assert other.html.count(f">{spoken(two)}<") >= made.cards
    assert "king" in text(other)
    assert match.state.koth == seat


def test_pass_is_primary_only_for_players_who_cannot_declare(sit):
    match = sit()
    match.all_ready()
    for seat in range(5):
        _, button = match.button(seat, "pass")
        primary = (
            "btn-secondary"
            not in re.search(
                rf'<button id="[^"]*"[^>]*value="{re.escape(button[1])}"[^>]*>', match.at(seat).html
            )[0]
        )
        assert primary != match.may(seat, "declare")


def test_blocked_override_is_explained(sit):
    match = sit()
    match.all_ready()
    seat = next(s for s in range(5) if any(c[0] == "2" for c in match.state.hands[s]))
    match.press(seat, "declare")
    for other in range(5):
        own = "Yours stands unless another player shows a pair of 2s."
        pair = "Only two 2s exactly alike override it: you have no such pair."
        why = own if other == seat else pair
        assert match.may(other, "declare") != (why in text(match.at(other)))
        asked = "Override it, or pass." if match.may(other, "declare") else "Pass to go on."
        assert asked in text(match.at(other))


def test_first_declarer_is_king_unless_overridden(sit):
    match = sit()
    match.all_ready()
    seat = next(s for s in range(5) if any(c[0] == "2" for c in match.state.hands[s]))
    match.press(seat, "declare")
    assert "King unless overridden: you" in text(match.at(seat))
    assert "Yours stands unless another player shows a pair of 2s." in text(match.at(seat))
    match.press(seat, "pass")
    assert "Yours stands" not in text(match.at(seat))


# The dead hand and the call


def test_chosen_hand_order_puts_trumps_last_in_groups(sit):
    match = sit()
    king = match.to_dead_hand()
    page, rank = match.at(king), match.state.trump_rank
    before = sorted(shown(page))
    settle(page, order="rank", high="right", trumps="last")
    after = match.at(king)
    assert sorted(shown(after)) == before
    assert re.findall(r'role="group" aria-label="([^"]+)"', after.html)[0] == "No trumps"
    cards = [card for name, card in after.page.form("/move").boxes if name == "pick"]
    plain = [
        card for card in cards if card[0] != rank and card[1] not in ("J", match.state.trump_suit)
    ]
    assert cards[: len(plain)] == plain
    assert plain == sorted(plain, key=lambda card: LOW_TO_HIGH.index(card[0]))


def test_draft_stays_ticked_is_counted_and_can_be_changed(sit):
    match = sit()
    king = match.to_dead_hand()
    hand = match.state.hands[king]
    assert len(shown(match.at(king))) == 28
    assert "of 8 saved" not in text(match.at(king))
    first = match.press(king, "draft", ticked=hand[:3]).html
    assert "3 of 8 saved" in text(match.at(king))
    assert len(re.findall(r'name="pick"[^>]* checked', match.at(king).html)) == 3
    match.press(king, "draft", ticked=hand[:3])
    match.press(king, "draft", ticked=hand[5:10])
    assert match.state.draft == hand[5:10]
    ids = [
        re.search(r'<form class="my-cards" id="([^"]+)"', html)[1]
        for html in (first, match.at(king).html)
    ]
    assert ids[0] != ids[1], "each draft is a new form: no refresh brings back the older ticks"
    assert "kept so far" not in text(match.at((king + 1) % 5))


def test_burying_seven_is_refused_and_the_ticks_stay(sit):
    match = sit()
    king = match.to_dead_hand()
    hand = match.state.hands[king]
    refused = match.press(king, "bury", ticked=hand[:7])
    assert refused.status == 422
    assert "Choose exactly 8, not 7." in text(refused)
    assert len(re.findall(r'name="pick"[^>]* checked', refused.html)) == 7
    match.press(king, "bury", ticked=hand[:8])
    assert match.state.dead_hand == hand[:8]
    assert "Your buried cards: " in text(match.at(king))
    assert "Your buried cards" not in text(match.at((king + 1) % 5))


@pytest.mark.parametrize("lifting", [True, False])
def test_any_card_can_be_called_and_the_kings_own_are_marked(sit, lifting):
    match = sit(lifting=lifting)
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    asked = match.at(king)
    form, _ = match.button(king, "call")
    assert lifts(form) == lifting
    cards = form.boxes if lifting else [button[1].split(" ")[2:] for button in form.buttons]
    order = [rank + suit for rank in reversed(LOW_TO_HIGH) for suit in "SHCD"]
    assert [card for *_, card in cards] == [*order, "BJ", "RJ"]
    assert asked.html.index("Other cards") > asked.html.index('value="JD"' if lifting else " JD")
    mine = match.state.hands[king] + match.state.dead_hand
    end = "label" if lifting else "button"
    for card in pack():
        said = spoken(card) if lifting else f"Call {spoken(card)}"
        after = re.search(rf"> ?{said}</{end}>(.{{,90}})", asked.html)[1]
        marks = ("</span>", '<small class="visually-hidden">have<', '<small class="mark">alone<')
        assert after.lstrip().startswith(marks[mine.count(card)])
    match.press(king, "call", "RJ")
    for seat in range(5):
        assert "called the Red Joker" in text(match.at(seat))
        told = "Your teammate is still secret." if seat == king else "Called: Red Joker"
        assert told in text(match.at(seat))


def test_king_with_both_called_cards_knows_they_play_alone(sit):
    match = sit()
    king = match.to_dead_hand()
    hand = match.state.hands[king]
    twice = next(card for card in hand if hand.count(card) == 2)
    match.press(king, "bury", ticked=[twice, *[card for card in hand if card != twice][:7]])
    assert "If you call one that you have twice, you play alone." in text(match.at(king))
    match.press(king, "call", twice)
    assert "You are king, alone: both called cards are yours." in text(match.at(king))
    assert "and have both: you play alone. Ready?" in text(match.at(king))
    for seat in set(range(5)) - {king}:
        assert "to find a teammate. Ready?" in text(match.at(seat))
        assert "have both" not in text(match.at(seat))  # the king's secret


def test_calling_page_also_shows_the_hand_and_is_small(sit):
    match = sit()
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    page = match.at(king).html
    held = {*match.state.hands[king], *match.state.dead_hand}
    assert page.count('class="visually-hidden">have<') + page.count('class="mark">alone<') == len(
        held
    )
    hand = page.split('class="fan', 3)[3].split("</section>")[0]
    assert hand.count('class="card') == 20
    assert weight(match, king) <= UPDATE + CALLING


def test_the_king_sees_which_cards_are_new(sit):
    match = sit()
    king = match.to_dead_hand()
    new = re.findall(
        r'value="(\w\w)"[^>]*>[^/]*</label> <small class="mark">new<', match.at(king).html
    )
    assert sorted(new) == sorted(match.state.taken_up)
    assert ">new<" not in match.at((king + 1) % 5).html
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    assert ">new<" not in match.at(king).html


def test_only_players_without_a_trump_rank_are_told_so(sit):
    match = sit()
    match.all_ready()
    holders = [seat for seat in range(5) if any(card[0] == "2" for card in match.state.hands[seat])]
    for seat in range(5):
        said = "You hold no 2 to declare with" in text(match.at(seat))
        assert said == (seat not in holders)


@pytest.mark.parametrize("suit", "SHDC")
def test_declared_suit_is_shown_with_the_other_trumps(suit):
    hand = sorted(pack(), key=hand_order("2", None).__getitem__)
    drawn = as_dealt(hand, "2", suit)
    assert {card[0] for card in drawn[2:6]} == {"2"}
    assert {card[1] for card in drawn[6:18]} == {suit}
    others = [card for card in drawn[18:] if card[1] != suit]
    assert others == [card for card in as_dealt(hand, "2", None)[6:] if card[1] != suit]


def test_declared_trumps_are_one_group_in_the_hand(sit):
    match = sit()
    match.all_ready()
    held = [(seat, card[1]) for seat in range(5) for card in match.state.hands[seat]]
    rank = match.state.trump_rank
    seat, suit = next((s, it) for s, it in held if it != "S" and rank + it in match.state.hands[s])
    match.press(seat, "declare", suit)
    for it in range(5):
        match.press(it, "pass")
    king, other = match.state.king, (match.state.king + 1) % 5

    def together(seat):
        groups = re.findall(r'role="group" aria-label="([^"]*)"', match.at(seat).html)
        trumps = [group.startswith("Trumps") for group in groups]
        return any(trumps) and trumps == sorted(trumps, reverse=True)

    assert together(king)
    assert together(other)
    match.press(king, "bury", ticked=match.state.hands[king][-8:])
    match.press(king, "no_call")
    assert 'id="dealt"' in match.at(other).html
    match.press(other, "ready")
    assert together(other)
    assert 'id="hand"' in match.at(other).html, "cards would jump visibly"


def test_each_suit_shows_its_number_of_trumps(sit):
    match = sit()
    match.all_ready()
    for seat in range(5):
        hand, rank = match.state.hands[seat], match.state.trump_rank
        suits = [suit for suit in "SHCD" if rank + suit in hand]
        said = re.findall(r"Declare (\w+)(?: with a pair)? (\d+) trumps?", text(match.at(seat)))
        told = {name[0]: int(number) for name, number in said}
        high = [card for card in hand if card[0] == rank or card in ("BJ", "RJ")]
        for suit in suits:
            plain = [card for card in hand if card not in high and card[1] == suit]
            assert told[suit] == len(high) + len(plain)
        assert bool(suits) == ("makes its suit trumps and you king" in text(match.at(seat)))


def test_burying_and_calling_pages_use_the_many_card_layout(sit):
    match = sit()
    king = match.to_dead_hand()
    burying, playing = 'class="ring koth choosing burying">', 'class="ring koth">'
    assert burying in match.at(king).html
    assert playing in match.at((king + 1) % 5).html
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    assert 'class="ring koth choosing calling">' in match.at(king).html
    match.press(king, "no_call")
    assert playing in match.at(king).html


def test_calling_no_card_means_playing_alone(sit):
    match = sit()
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    match.press(king, "no_call")
    match.all_ready()
    assert "You are king, alone against four." in text(match.at(king))


def test_uncallable_trumps_are_not_offered(sit):
    match = sit(call_rule="no_trump")
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    calls = match.button(king, "call")[0].boxes
    assert len(calls) == 36
    assert ("pick", "RJ") not in calls


# Tricks


def test_leading_by_checkbox_refuses_two_different_cards(sit):
    match = sit()
    king = match.to_tricks()
    hand = match.state.hands[king]
    assert "lead to the first trick" in text(match.at(king))
    refused = match.press(king, "play", ticked=[hand[0], hand[-1]])
    assert refused.status == 422
    assert "Two cards can be led only as a pair" in text(refused)
    assert "#leading" in refused.html
    assert len(re.findall(r'name="pick"[^>]* checked', refused.html)) == 2
    match.play(king, hand[:1])
    assert len(match.state.trick) == 1


@pytest.mark.slow
def test_leader_with_one_card_left_is_offered_no_pair(sit):
    match = sit()
    match.to_tricks()
    assert "or a pair of two exactly alike" in text(match.at(match.state.leader))
    while match.state.trick or len(match.state.hands[match.state.leader]) > 1:
        seat = match.state.turn
        match.play(seat, next(it for it in seat_plays(match.state, seat) if len(it) == 1))
    said = text(match.at(match.state.leader))
    assert "lead to the next" in said
    assert "or a pair" not in said
    assert "or a pair of two exactly alike" not in said


def test_ticks_of_an_outdated_form_are_dropped(sit):
    match = sit()
    king = match.to_dead_hand()
    form, button = match.button(king, "bury")
    match.press(king, "bury", ticked=match.state.hands[king][-8:])
    match.press(king, "no_call")
    match.all_ready()
    late = match.seats[king]
    late.send(form, button, [("pick", card) for card in match.state.hands[king][:2]])
    assert late.status == 409
    assert "lead to the first trick" in text(late)
    assert 'name="pick"' in late.html
    assert " checked" not in late.html


@pytest.mark.slow
@pytest.mark.parametrize("lifting", [True, False])
def test_following_offers_legal_cards_and_refuses_the_rest(sit, lifting):
    match = sit(lifting=lifting)
    match.to_tricks()
    for _ in range(6):
        leader = match.state.leader
        match.play(leader, match.state.hands[leader][-1:])
        for _ in range(4):
            seat = match.state.turn
            legal = {cards[0] for cards in seat_plays(match.state, seat)}
            form, button = match.button(seat, "play")
            assert lifts(form) == lifting
            on_page = [b[1].split()[2] for b in form.buttons if not lifting]
            on_page += [card for _, card in form.boxes]
            assert set(on_page) == legal
            assert shown(match.at(seat)) == [spoken(card) for card in match.state.hands[seat]]
            others = [card for card in match.state.hands[seat] if card not in legal]
            if others:
                token = offered(form, button).split(" ")[0]
                forged = ("move", f"{token} play {others[0]}", "")
                refused = match.at(seat).send(form, forged)
                assert match.seats[seat].status == 422
                assert "so you must play a" in " ".join(refused.text.split())
                assert "#following" in match.seats[seat].html
            match.play(seat, [on_page[0]])


def test_only_a_leader_with_a_pair_ticks_boxes(sit):
    match = sit()
    match.to_tricks()
    while match.state.stage == "trick":
        leader = match.state.leader
        form, _ = match.button(leader, "play")
        assert lifts(form) == (not pairs_in(match.state.hands[leader]))
        match.trick()


def test_pairs_are_named_as_pairs(sit):
    match = sit()
    match.to_tricks()
    for seat in range(5):
        pairs = pairs_in(match.state.hands[seat])
        assert match.at(seat).html.count('<span class="pair"') == len(pairs)
        for card in pairs:
            assert match.at(seat).html.count(f"{spoken(card)}, one of a pair<") == 2


def at_turn(match, lead, hand):
    """Let a pair be led, spades being trumps, and return the seat that follows with this hand."""
    match.to_tricks()

    def arrange(transaction):
        state = transaction.state
        state.trump_suit, state.trick = "S", [list(lead)]
        state.hands[state.turn] = list(hand)
        transaction.take(state, [])

    match.service.change(match.path[3:], arrange)
    return match.state.turn


LED = ("8H", "8H")


@pytest.mark.parametrize(
    ("hand", "choices", "said"),
    [
        (["9H", "7H", "AH", "KC"], {"9H", "7H", "AH"}, "the faded cards"),
        (["KS", "KS", "KC"], {"KS", "KC"}, "so play any two cards"),
        (["9H", "KC"], {"9H", "KC"}, "Choose two cards"),
    ],
)
def test_a_led_pair_must_be_followed_by_ticking_two_cards(sit, hand, choices, said):
    match = sit()
    seat = at_turn(match, LED, hand)
    assert said in text(match.at(seat))
    form, _ = match.button(seat, "play")
    assert {value for _, value in form.boxes} == choices
    refused = match.press(seat, "play", ticked=hand[:1])
    assert "Choose exactly 2, not 1." in text(refused)
    match.play(seat, hand[:2])
    assert match.state.trick == [list(LED), hand[:2]]


@pytest.mark.parametrize("lifting", [True, False])
def test_the_only_card_of_the_suit_of_a_led_pair_is_added(sit, lifting):
    match = sit(lifting=lifting)
    seat = at_turn(match, LED, ["9H", "KS", "KS", "3D"])
    page = match.at(seat)
    assert "You hold only one of them: play it with any other card." in text(page)
    assert re.search(r'due"[^>]*>9 of Hearts</span> <small class="mark">must<', page.html)
    form, _ = match.button(seat, "play")
    if lifting:
        assert {value for _, value in form.boxes} == {"KS", "3D"}
        match.press(seat, "play", ticked=["3D"])
    else:
        presses = [value.split()[2:] for _, value, _ in form.buttons if value]
        assert presses == [["9H", it] for it in ("KS", "KS", "3D")]
        page.send(form, next(it for it in form.buttons if it[1].endswith("3D")))
    assert match.state.trick == [list(LED), ["9H", "3D"]]


def test_the_literal_rule_adds_no_card(sit):
    match = sit(follow_rule="literal")
    seat = at_turn(match, LED, ["9H", "KS", "KS", "3D"])
    assert "only one of them" not in text(match.at(seat))
    match.play(seat, ["KS", "KS"])
    assert match.state.trick == [list(LED), ["KS", "KS"]]


@pytest.mark.parametrize("lifting", [True, False])
def test_a_pair_that_must_be_played_is_one_choice(sit, lifting):
    match = sit(lifting=lifting)
    seat = at_turn(match, LED, ["9H", "9H", "7H", "7H", "AH", "KC"])
    assert "You hold a pair of the suit led: you must play a pair." in text(match.at(seat))
    form, _ = match.button(seat, "play")
    if lifting:
        assert {value for _, value in form.boxes} == {"9H 9H", "7H 7H"}
        match.play(seat, ["7H", "7H"])
    else:
        match.seats[seat].send(form, next(it for it in form.buttons if it[1].endswith("7H 7H")))
    assert match.state.trick == [list(LED), ["7H", "7H"]]


@pytest.mark.parametrize(
    ("hand", "marked"),
    [
        (["9H", "9H", "7H", "7H", "AH", "KC"], "9H 9H|7H 7H"),
        (["9H", "KC", "3D"], "KC|3D"),
    ],
)
def test_hint_marks_what_is_chosen_after_a_pair(sit, hand, marked):
    match = sit()
    seat = at_turn(match, LED, hand)
    match.service.change(match.path[3:], lambda it: setattr(it.table, "hints", Hints.ALL))
    match.at(seat).press("Hint (what would you do?)")
    best = re.findall(r'name="pick" value="([^"]+)" data-best', match.at(seat).html)
    assert len(best) == (2 if " " in best[0] else 1)
    assert re.fullmatch(marked, best[0])


def test_finished_trick_stays_visible_then_on_request(sit):
    match = sit()
    match.to_tricks()
    match.trick()
    while not match.state.last_trick.points:
        match.trick()
    last = match.state.last_trick
    winner = match.service.get(match.path[3:]).table.seats[last.winner]
    seat = (last.winner + 1) % 5
    assert f"won: {last.points}" in text(match.at(seat))
    assert f"{winner} won {last.points} points and leads to the next trick." in text(match.at(seat))
    assert f"You won {last.points} points: lead" in text(match.at(last.winner))
    for looking in range(5):
        marked = re.findall(
            r'<p id="laid-(\d)(?:(?!</p>).)*?>won: <b>(\d+) ',
            match.at(looking).html,
        )
        assert marked == [(str(last.winner), str(last.points))]
    for cards in last.plays:
        assert f">{spoken(cards[0])}<" in match.at(seat).html
    match.play(match.state.leader, match.state.hands[match.state.leader][:1])
    assert f"Previous trick {winner} won {last.points} points." in text(match.at(seat))
    assert "led" in text(match.at(seat))


def test_trick_without_points_does_not_announce_0_points(sit):
    match = sit()
    match.to_tricks()
    match.trick()

    def empty(transaction):
        transaction.state.last_trick.points = 0
        transaction.take(transaction.state, [])

    match.service.change(match.path[3:], empty)
    last = match.state.last_trick
    winner = match.service.get(match.path[3:]).table.seats[last.winner]
    assert "You won the trick: lead" in text(match.at(last.winner))
    assert f"{winner} won the trick and leads to the next one." in text(
        match.at((last.winner + 1) % 5)
    )


def test_best_cards_so_far_are_marked(sit):
    match = sit()
    match.to_tricks()
    match.play(match.state.leader, match.state.hands[match.state.leader][-1:])
    state = match.state
    seat, taking = state.turn, []
    for (card,) in seat_plays(state, seat):
        if winning_play(state.ranking, [*state.trick, [card]]):
            taking.append(spoken(card))
    html = match.at(seat).html
    found = re.findall(r"([A-Z0-9][\w ]+)(?:, one of a pair)?, best so far<", html)
    assert sorted(set(found)) == sorted(taking)
    assert len(re.findall(r'class="card [^"]* wins"', html)) == len(found)
    assert "best so far" not in match.at((seat + 1) % 5).html


@pytest.mark.parametrize(
    ("lead", "hand", "best"),
    [
        (["8H"] * 2, ["9H", "9H", "7H", "7H", "AH", "AS", "AS"], ["9 of Hearts"] * 2),
        (["8H"] * 2, ["AS", "AS", "KC", "KC", "RJ"], ["Ace of Spades"] * 2),  # trumps
        (["8H"] * 2, ["AS", "AS", "9H"], []),  # one heart must be among the two
        (["8H"] * 2, ["AH", "KH", "AS", "AS"], []),
    ],
)
def test_best_pairs_so_far_are_marked(sit, lead, hand, best):
    match = sit()
    html = match.at(at_turn(match, lead, hand)).html
    assert re.findall(r"([A-Z0-9][\w ]+), one of a pair, best so far<", html) == best
    # Of two ticked cards, the second one shows it.
    marked = len(best) / (1 if "twos" in html else 2)
    assert len(re.findall(r'class="card [^"]* wins"', html)) == marked


def test_ready_king_has_only_the_king_label(sit):
    match = sit()
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][-8:])
    match.press(king, "call", "AC")
    other = (king + 1) % 5
    seat = rf'<h2 id="seat-{king}".*?</h2>'
    assert ">king<" in re.search(seat, match.at(other).html, re.DOTALL)[0]
    match.press(king, "ready")
    said = re.search(seat, match.at(other).html, re.DOTALL)[0]
    assert re.findall(r'class="tag[^"]*">(\w+)<', said) == ["king"]


def test_partner_is_named_once_the_called_card_is_out(sit):
    match = sit()
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][-8:])
    mine = match.state.hands[king] + match.state.dead_hand
    card = next(c for c in match.state.hands[(king + 1) % 5] if c not in mine)
    match.press(king, "call", card)
    match.all_ready()
    king_name = match.service.get(match.path[3:]).table.seats[king]
    for seat in range(5):
        marked = ">called</small>" in match.at(seat).html
        assert marked == (card in match.state.hands[seat])
        if seat != king:
            both = match.state.hands[seat].count(card) == 2
            told = (
                f"You are the secret teammate of {king_name}."
                if both
                else f"You hold a called card: play it first to join {king_name}."
                if marked
                else f"You are a challenger against {king_name}."
            )
            assert told in text(match.at(seat))
    while match.state.called:
        assert "Your teammate is still secret." in text(match.at(king))
        assert "tag foe" not in match.at(king).html  # the teammate is among them
        match.trick()
    mate = match.state.defenders[1]
    name = match.service.get(match.path[3:]).table.seats[mate]
    assert f"You are king, and {name} is your teammate." in text(match.at(king))
    assert f"You are on the king’s side, with {king_name}." in text(match.at(mate))
    other = next(seat for seat in range(5) if seat not in match.state.defenders)
    assert f"Challenger against {king_name} + {name}" in text(match.at(other))
    assert match.at(king).html.count('"tag foe">challenger<') == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "hidden", "looks", "said"),
    [
        ((0, 40, 39, 0, 0), True, 0, "Challengers: 79 of 80 points"),
        ((0, 50, 40, 0, 0), True, 0, "Hill perhaps taken: 90."),
        ((0, 50, 40, 40, 0), True, 0, "Hill taken: 130; 120 to rise."),
        ((0, 50, 40, 0, 0), False, 0, "Hill taken: 90; 120 to rise."),
        ((0, 90, 0, 0, 0), True, 0, "Hill perhaps taken: 90."),
        (
            (0, 90, 0, 0, 0),
            True,
            1,
            "Hill taken: 90; 120 to rise.",
        ),  # the challengers', as they know
        ((90, 0, 0, 0, 0), False, 0, "Challengers: 0 of 80 points"),
    ],
)
def test_table_shows_if_the_hill_fell_with_a_hidden_teammate(sit, points, hidden, looks, said):
    match = sit()
    king = match.to_tricks()

    def score(transaction):
        state = transaction.state
        state.points = [points[(seat - king) % 5] for seat in range(5)]
        mine, theirs = (state.hands[(king + step) % 5] for step in (1, 2))
        state.called = next(card for card in theirs if card not in mine) if hidden else None
        transaction.take(state, [])

    match.service.change(match.path[3:], score)
    assert said in text(match.at((king + looks) % 5))


# The end of rounds and of the match


def test_first_round_explains_how_to_become_king(sit):
    match = sit()
    assert "Show one of the 2s while the cards are dealt" in text(match.at(0))
    match.all_ready()
    assert "Who will be king?" not in text(match.at(0))


YOU = 3


@pytest.mark.parametrize(
    ("king", "mate", "following", "said"),
    [
        (0, 1, 1, "Next king: Ben, who held the hill with Ann."),
        (0, None, 0, "King again: Ann, for holding the hill alone."),
        (0, 1, 2, "Next king: Cid, the first challenger after Ann."),
        (YOU, None, 4, "Next king: Eve, the first challenger after you."),
        (2, YOU, YOU, "Next king: you, who held the hill with Cid."),
    ],
)
def test_between_rounds_the_table_explains_the_next_king(sit, king, mate, following, said):
    match = sit(rounds="3")
    score = 60 if following in (king, mate) else 100

    def end_round(transaction):
        last = Result(1, king, mate, "2", "S", [score, 0, 0, 0, 0], 0, score, [0] * 5)
        transaction.state.results = [last]
        make_king(transaction.state, following)
        transaction.take(transaction.state, [])

    match.service.change(match.path[3:], end_round)
    seats = match.service.get(match.path[3:]).table.seats
    for seat, name in enumerate(NAMES):
        said = said.replace(name, f"<{seat}>")
    for seat, name in enumerate(seats):
        said = said.replace(f"<{seat}>", name)
    assert said in text(match.at(YOU))


@pytest.mark.slow
def test_a_match_of_two_rounds_is_played_by_forms_to_its_end(sit):
    """Except for the tricks in the middle of a round, which `make test` plays without a page."""
    match = sit(rounds="2", pressed=True)
    match.to_tricks()
    match.tricks()
    assert match.state.stage == "ready_round"
    result = match.state.results[0]
    page = text(match.at(3))
    held = {result.koth, result.teammate} - {None}
    assert f"Round 1: {result.score} points against " in page
    assert ("You lost the hill" in page) == (result.score >= 80 and 3 in held)
    assert ("You took the hill" in page) == (result.score >= 80 and 3 not in held)
    assert ("You held the hill" in page) == (result.score < 80 and 3 in held)
    assert ("You did not take the hill" in page) == (result.score < 80 and 3 not in held)
    assert "Next round: jokers and" in page
    assert "No king yet" not in page
    assert "Rounds so far" in page
    buried = result.dead_hand_points
    tricks = f"{result.score - buried} in tricks + {buried} buried ({buried // 2} × 2)"
    total = f"{tricks} = {result.score}" if buried else "Buried: no points for the challengers"
    assert total in page
    rank = match.state.ranks[3]
    rise = f"You rise by {rank - 2} rank" if rank > 2 else "Round 1 is over. The challengers made"
    assert rise in match.at(3).page.text.split("What happened")[0]
    last, seats = match.state.last_trick, match.service.get(match.path[3:]).table.seats
    final = match.at(3).html.split('class="final"', 1)[1].split('class="buried"', 1)[0]
    for place, cards in enumerate(last.plays):
        seat = (last.leader + place) % 5
        lay = f'data-from="laid-{seat}-0 laid-{seat}-{len(cards)}" data-stays>'
        assert f">{'You' if seat == 3 else seats[seat]}</small> " in final
        assert all(f">{spoken(card)}<" in final.split(lay, 1)[1] for card in cards)
    assert final.count('class="best"') == 1
    rows = page.partition("PlayerPointsRank ")[2].partition("Last trick")[0]
    for seat, gain in enumerate(result.gains):
        name = match.service.get(match.path[3:]).table.seats[seat]
        assert (f"{name} +{gain}" in page) == bool(gain)
        side = "king" if seat == result.koth else "king’s side" if seat in held else "challenger"
        rank = f"2 → {2 + gain} ▲" if gain else "2"
        row = f"{'You' if seat == 3 else name} {side}{result.points[seat]}{rank}"
        assert row in rows
    match.all_ready()
    assert "You are king." in text(match.at(match.state.king))
    for seat in range(5):
        match.press(seat, "pass")
    king = match.state.king
    assert match.state.stage == "choose_trump"
    assert "You are king." in text(match.at(king))
    match.press(king, "trump", "H")
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    match.press(king, "no_call")
    match.all_ready()
    match.tricks()
    over = match.at(0)
    assert "The match is over. Highest in rank:" in text(over)
    assert "Last trick: " in over.html.split('class="final"', 1)[1].split('class="podium"')[0]
    assert over.html.count("Last trick: ") == 1  # it is not repeated where the cards lay
    ending = over.html.split('class="podium"', 1)[1].split("</ul>", 1)[0]
    ranks = sorted((str(rank) for rank in match.state.ranks), reverse=True)
    assert re.findall(r"Rank (\w+)<", ending) == ranks
    assert "Review this match" in text(over)
    over.send(over.page.form("/rematch"))
    assert "Ann will play again. Waiting for Ben, Cid, Dot, Eve." in text(match.at(0))


def test_any_seated_player_may_give_more_time_once(sit, browser, fake_clock):
    match = sit(pace="seed")
    king = match.to_dead_hand()
    fake_clock.sleep(20)
    other = match.at((king + 1) % 5)
    assert "40 seconds left" in text(other)
    someone = browser()
    someone.open(match.path)
    assert "Give more time" not in text(someone)
    other.press("Give more time")
    assert "100 seconds left" in text(match.at(king))
    assert "More time" not in text(match.at(king))


def test_page_shows_only_the_seconds_of_its_own_decision(sit, fake_clock):
    match = sit(pace="seed")
    king = match.to_dead_hand()
    fake_clock.sleep(20.5)
    assert 'data-left="39.5" data-own><b>40</b>' in match.at(king).html
    assert 'data-left="39.5"><b>40</b>' in match.at((king + 1) % 5).html


def test_untimed_table_shows_no_clock(sit):
    match = sit()
    king = match.to_dead_hand()
    assert "data-left" not in match.at(king).html


# Many rounds


def with_rounds(match, rounds):
    """Set the number of rounds played, without playing them."""

    def work(transaction):
        transaction.state.results = [
            Result(
                n,
                n % 5,
                (n + 2) % 5,
                "23456789TJQKA"[n % 13],
                "SHCD"[n % 4],
                [0, 40, 35, 50, 75],
                0,
                5 * n,
                [n % 3, 0, n % 2, 1, 0],
            )
            for n in range(1, rounds + 1)
        ]
        transaction.state.round = rounds + 1
        make_king(transaction.state, 0)
        transaction.take(transaction.state, [])

    match.service.change(match.path[3:], work)


@pytest.mark.parametrize(
    ("rounds", "first", "caption"),
    [(10, 1, "Rounds so far"), (11, 2, "The last ten of 11 rounds"), (20, 11, "ten of 20 rounds")],
)
def test_the_last_ten_rounds_are_shown(sit, rounds, first, caption):
    match = sit()
    with_rounds(match, rounds)
    table = match.at(0).html.split('id="rounds-', 1)[1].split("</table>", 1)[0]
    shown_rounds = [int(n) for n in re.findall(r'<th scope="row">(\d+): ', table)]
    assert shown_rounds == list(range(first, rounds + 1))
    assert caption in table


def test_the_pages_of_a_long_match_stay_small(sit):
    match = sit(rounds="50")
    with_rounds(match, 20)
    king = match.to_dead_hand()
    weights = {"bury": weight(match, king), "beside": weight(match, (king + 1) % 5)}
    match.press(king, "bury", ticked=match.state.hands[king][-8:])
    weights["call"] = weight(match, king)
    match.press(king, "call", "AC")
    match.all_ready()
    for _ in range(3):
        match.trick()
    match.play(match.state.leader, match.state.hands[match.state.leader][:1])
    weights |= {f"trick {seat}": weight(match, seat) for seat in range(5)}
    assert weights.pop("call") <= UPDATE + CALLING
    assert max(weights.values()) <= UPDATE, weights


# The host's requests


def test_the_host_can_let_the_match_end_after_some_rounds(sit):
    match = sit(end="past_ace")
    host, other = match.people[0], match.people[1]
    host.open(match.path)
    assert (f"{match.path}/house", "Your options as host") in host.page.links
    host.open(f"{match.path}/house")
    assert "End the match after this round after 1 more round" in text(host)
    form = host.page.form("/house")
    host.send(form, move="fix_rounds 1")
    assert host.status == 200
    assert match.state.last_round == 2
    for person in (host, other):
        person.open(match.path)
        assert "Round 1 of 2" in text(person)
        assert "The match ends after round 2 at the latest." in text(person)
    assert f"{match.path}/house" not in [address for address, _ in other.page.links]
    for forged, status in (("fix_rounds 99", 422), ("leave 2", 422), ("deal 1", 422), ("x", 400)):
        host.send(form, move=forged)
        assert (host.status, match.state.last_round) == (status, 2)
        assert match.state.absent == []


def test_only_the_host_can_end_a_koth_match_early(sit, browser):
    match = sit(end="past_ace")
    match.people[0].open(f"{match.path}/house")
    form = match.people[0].page.form("/house")
    stranger = browser()
    stranger.open(match.path)
    for person in (*match.people[1:], stranger):
        person.open(f"{match.path}/house")
        assert person.status == 403
        person.send(form, move="fix_rounds 0")
        assert person.status == 403
    assert match.state.last_round is None


# Other parts


def test_a_spectator_sees_five_seats_and_no_hand(sit, browser):
    match = sit()
    match.to_tricks()
    match.trick()
    someone = browser()
    someone.open(match.path)
    assert someone.html.count(' class="seat p') == 5
    assert 'class="my-cards' not in someone.html
    assert not someone.page.moves()
    assert "Challengers:" in text(someone)


def test_markup_in_a_name_is_shown_as_text(table, service):
    names = ("<b>Ann</b>", "B&en", '"Cid"', "Dot", "Eve")
    path, people = table(*names, game="koth", **SHORT)
    for person in people:
        person.open(path)
        assert "<b>Ann" not in person.html
        assert all(name in person.page.text for name in names)


# The rules page


@pytest.mark.parametrize(
    ("options", "says", "not_says"),
    [
        ({}, "A pair overrides another pair", "any two cards. You never"),
        ({"pair_over_pair": False}, "with a pair stands", "A pair overrides another pair"),
        ({"follow_rule": "literal"}, "Otherwise you play any two cards", "Points 2 and 3"),
        ({"pace": "relaxed"}, "You have 30 seconds", "You have 10 seconds"),
        ({"pace": "untimed"}, "until all five have passed", "chance plays a card"),
        ({"end": "rounds", "rounds": 3}, "after 3 rounds", "rises past the ace"),
        ({"call_rule": "no_trump"}, "Any card that is not a trump may", "Any card may be called"),
        ({"must_defend_ace": True}, "The ace must be defended", "as a defender or as a challenger"),
    ],
)
def test_rules_page_follows_the_tables_options(options, says, not_says):
    game = GAMES["koth"]
    page = rules_of(game, game.options(**options))
    words = " ".join(re.sub(r"<[^>]+>", "", page.html).split())
    body, _, _ = words.partition("These are chosen when a table is opened.")
    assert says in body
    assert not_says not in body
    assert {"leading", "following"} <= {anchor for _, anchor, _ in page.contents}
