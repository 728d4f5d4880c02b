"""The table of King of the Hill: what it says at each stage, and every kind of move by forms."""

import gzip
import re

import pytest

from kaboom.engine.toolkit.cards import pack, spoken
from kaboom.games import GAMES
from kaboom.games.koth.cards import hand_order, pairs_in
from kaboom.games.koth.regions import as_dealt
from kaboom.games.koth.state import Result, make_king
from kaboom.games.koth.tricks import seat_plays, winning_play
from kaboom.play import service as in_match
from kaboom.web.rules_pages import rules_of
from tests.support.browsing import BY_HTMX
from tests.support.effort import LONG

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve")
TAKE_BACK = 60  # more, where there is a button for it: the king has just buried
UPDATE = 2_650  # bytes of a whole table over the wire; most updates are a part of it
SHORT = {"end": "rounds", "rounds": "1", "deal_interval": "0", "pace": "untimed"}


class Match:
    """Five people at one table, by seats; each looks at the page before pressing anything."""

    def __init__(self, service, path, people, pressed) -> None:
        self.service, self.path, self.pressed = service, path, pressed
        self.people = people
        names = service.look(path[3:]).table.seats
        self.seats = [people[NAMES.index(name)] for name in names]

    @property
    def state(self):
        return self.service.look(self.path[3:]).state

    def at(self, seat):
        """Return the browser of a seat, showing the table as it is now."""
        self.seats[seat].open(self.path)
        return self.seats[seat]

    def button(self, seat, verb, choice=""):
        """Return the form and the button of a move on the page of a seat; raises LookupError.

        What is chosen is either the button's, or a card that is lifted first.
        """
        for form, button in self.at(seat).page.moves():
            _, found, *chosen = offered(form, button).split(" ")
            if found == verb and (
                not choice or chosen == [choice] or ("pick", choice) in form.boxes
            ):
                return form, button
        raise LookupError(f"{verb} {choice} is not on the page of seat {seat}")

    def may(self, seat, verb):
        """Say whether a move is on the page of a seat."""
        moves = self.at(seat).page.moves()
        return any(offered(form, button).split(" ")[1] == verb for form, button in moves)

    def press(self, seat, verb, choice="", ticked=()):
        """Press the button of a move, with these cards ticked and no others, and yes if asked."""
        form, button = self.button(seat, verb, choice)
        if lifts(form):
            ticked = ticked or [choice]
        somebody = self.seats[seat]
        somebody.send(form, button, [("pick", card) for card in ticked])
        if 'id="sure-go"' in somebody.html:
            somebody.press("Yes, do it")
        return somebody

    def make(self, seat, verb, *cards):
        """Make a move: by forms, where the match is `pressed`, or else without a page, to come to
        where a test begins.
        """
        if self.pressed:
            said = self.choose(seat, verb, *cards)
            assert said.status == 200, said.page.text
            return
        snapshot = self.service.look(self.path[3:])
        table, offer = snapshot.table, snapshot.prompts[seat].offer(verb)
        move, cmd = " ".join((verb, *cards)), f"made {snapshot.version}"
        player, revision = table.chair(seat).player, table.revision(seat)
        in_match.submit(
            self.service, self.path[3:], player, move, offer.token, cmd, table.match, revision
        )

    def all_ready(self):
        for seat in range(5):
            self.make(seat, "ready")

    def choose(self, seat, verb, *cards):
        """Press the button of a move: for a card that is lifted or pressed, or as many as are
        ticked.
        """
        form, _ = self.button(seat, verb, *cards[:1])
        return self.press(seat, verb, *cards[:1], ticked=cards if form.boxes else ())

    def play(self, seat, cards):
        return self.choose(seat, "play", *cards)

    def to_dead_hand(self, declare=True):
        """Go on until somebody is king and buries; return that seat."""
        self.all_ready()
        for seat in range(5) if declare else ():
            offer = self.service.look(self.path[3:]).prompts[seat].offer("declare")
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
        """Play a trick: a pair is led where there is one."""
        leader = self.state.leader
        pairs = pairs_in(self.state.hands[leader])
        self.make(leader, "play", *(pairs[:1] * 2 or self.state.hands[leader][:1]))
        for _ in range(4):
            seat = self.state.turn
            before = self.state.hands[seat]
            self.make(seat, "play", *seat_plays(self.state, seat)[0])
            assert len(self.state.hands[seat]) < len(before)


def offered(form, button):
    """Return what a button answers: its token, the verb and what is chosen by it."""
    return button[1] or form.hidden["offer"]


def lifts(form):
    """Say whether one card of the form is lifted, then sent by its only button."""
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
    """Return the cards of the own hand as the page draws them, in order."""
    own = browser.html.split('class="my-cards', 1)[1]
    own = own.split("</section>", 1)[0].split("<details", 1)[0]
    return re.findall(r">(?:<input[^>]*>)? ?(?:Play )?([A-Z0-9][a-z0-9]* (?:of )?[A-Z][a-z]+)", own)


def weight(match, seat):
    """Return the bytes of a seat's fragment as they go over the wire."""
    address = f"{match.path}/view?v=0"
    answer = match.seats[seat].client.get(address, headers=BY_HTMX)
    assert answer.status_code == 200
    return len(gzip.compress(answer.get_data(), 6, mtime=0))


# The deal


def test_the_deal_shows_the_hand_growing_and_leaves_the_log_alone(sit, service, watch):
    match = sit(deal_interval="0.3")
    match.all_ready()
    lines = len(log_lines(match.at(0)))
    for dealt in range(1, 31):
        watch.sleep(0.3)
        assert service.lapse(match.path[3:])
        if dealt % 10 == 0:
            assert f"{dealt} of 100 cards dealt" in text(match.at(0))
            assert shown(match.at(0)) == [spoken(card) for card in match.state.hands[0]]
    assert len(log_lines(match.at(0))) == lines
    assert "6 cards face down" in match.at(1).html


def test_only_who_may_declare_finds_the_button_and_all_see_what_was_shown(sit):
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
    name = match.service.look(match.path[3:]).table.seats[seat]
    assert f"{name} declared" in text(other)
    assert other.html.count(f">{spoken(two)}<") >= made.cards
    assert "king" in text(other)
    assert match.state.koth == seat


def test_who_cannot_override_is_told_why(sit):
    match = sit()
    match.all_ready()
    seat = next(s for s in range(5) if any(c[0] == "2" for c in match.state.hands[s]))
    match.press(seat, "declare")
    for other in range(5):
        own = "Yours stands unless it is overridden."
        why = (
            own
            if other == seat
            else ("Only two 2s of one suit override it: you hold no such pair.")
        )
        assert match.may(other, "declare") != (why in text(match.at(other)))


# The dead hand and the call


def test_a_draft_is_kept_ticked_counted_and_can_be_changed(sit):
    match = sit()
    king = match.to_dead_hand()
    hand = match.state.hands[king]
    assert len(shown(match.at(king))) == 28
    assert "0 of 8 kept so far" in text(match.at(king))
    first = match.press(king, "draft", ticked=hand[:3]).html
    assert "3 of 8 kept so far" in text(match.at(king))
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
    assert "Your dead hand: " in text(match.at(king))
    assert "Your dead hand" not in text(match.at((king + 1) % 5))


@pytest.mark.parametrize("lifting", [True, False])
def test_any_card_can_be_called_and_the_page_says_which_ones_the_king_has(sit, lifting):
    match = sit(lifting=lifting)
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    asked = match.at(king)
    form, _ = match.button(king, "call")
    assert lifts(form) == lifting
    cards = form.boxes if lifting else [button[1].split(" ")[2:] for button in form.buttons]
    assert [card for *_, card in cards] == pack()
    mine = match.state.hands[king] + match.state.dead_hand
    end = "label" if lifting else "button"
    for card in pack():
        said = spoken(card) if lifting else f"Call {spoken(card)}"
        after = re.search(rf"> ?{said}</{end}>(.{{,40}})", asked.html)[1]
        count = mine.count(card)
        assert after.lstrip().startswith(
            f'<small class="mark">have {count}<' if count else "</span>"
        )
    match.press(king, "call", "RJ")
    for seat in range(5):
        assert "called the Red Joker" in text(match.at(seat))
        assert "teammate unknown" in text(match.at(seat))


def test_whoever_calls_sees_the_own_cards_only_once_and_gets_a_light_page(sit):
    match = sit()
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    page = match.at(king).html
    assert page.count('class="mark">have ') == len(
        {*match.state.hands[king], *match.state.dead_hand}
    )
    assert 'aria-label="Trumps' not in page
    assert weight(match, king) <= UPDATE + TAKE_BACK
    match.press(king, "call", "RJ")
    assert 'aria-label="Trumps' in match.at(king).html


@pytest.mark.parametrize("suit", "SHDC")
def test_no_card_of_a_hand_changes_its_place_when_a_suit_is_declared(suit):
    def drawn(trumps):
        hand = sorted(pack(), key=hand_order("2", trumps).__getitem__)
        return as_dealt(hand, "2")

    assert drawn(suit) == drawn(None)


def test_all_trumps_stand_together_once_they_are_settled_and_one_is_ready(sit):
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
    assert not together(other)
    match.press(king, "bury", ticked=match.state.hands[king][-8:])
    match.press(king, "no_call")
    assert not together(other)
    assert 'id="dealt"' in match.at(other).html
    match.press(other, "ready")
    assert together(other)
    assert 'id="hand"' in match.at(other).html, "cards would be seen to jump"


def test_each_suit_says_how_many_trumps_it_would_give(sit):
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
        assert bool(suits) == ("its suit is trumps, you are king" in text(match.at(seat)))


def test_who_buries_or_calls_has_the_table_laid_out_for_many_cards(sit):
    match = sit()
    king = match.to_dead_hand()
    burying, playing = 'class="ring koth choosing">', 'class="ring koth">'
    assert burying in match.at(king).html
    assert playing in match.at((king + 1) % 5).html
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    assert 'class="ring koth choosing calling">' in match.at(king).html
    match.press(king, "no_call")
    assert playing in match.at(king).html


def test_calling_nobody_is_playing_alone(sit):
    match = sit()
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    match.press(king, "no_call")
    match.all_ready()
    assert "King: you, alone." in text(match.at(king))


def test_trumps_that_may_not_be_called_are_not_shown(sit):
    match = sit(call_rule="no_trump")
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    calls = match.button(king, "call")[0].boxes
    assert len(calls) == 36
    assert ("pick", "RJ") not in calls


# Tricks


def test_leading_is_by_boxes_and_two_different_cards_are_refused_with_the_rule(sit):
    match = sit()
    king = match.to_tricks()
    hand = match.state.hands[king]
    assert "lead to the next trick" in text(match.at(king))
    refused = match.press(king, "play", ticked=[hand[0], hand[-1]])
    assert refused.status == 422
    assert "Two cards can be led only as a pair" in text(refused)
    assert "#leading" in refused.html
    assert len(re.findall(r'name="pick"[^>]* checked', refused.html)) == 2
    match.play(king, hand[:1])
    assert len(match.state.trick) == 1


def test_who_leads_with_one_card_left_is_told_of_no_pair(sit):
    match = sit()
    match.to_tricks()
    assert "or two that are exactly alike" in text(match.at(match.state.leader))
    while match.state.trick or len(match.state.hands[match.state.leader]) > 1:
        seat = match.state.turn
        match.play(seat, next(it for it in seat_plays(match.state, seat) if len(it) == 1))
    said = text(match.at(match.state.leader))
    assert "lead to the next" in said
    assert "or a pair" not in said
    assert "or two that are exactly alike" not in said


def test_ticks_for_a_question_that_is_over_are_not_put_into_the_next(sit):
    match = sit()
    king = match.to_dead_hand()
    form, button = match.button(king, "bury")
    match.press(king, "bury", ticked=match.state.hands[king][-8:])
    match.press(king, "no_call")
    match.all_ready()
    late = match.seats[king]
    late.send(form, button, [("pick", card) for card in match.state.hands[king][:2]])
    assert late.status == 409
    assert "lead to the next trick" in text(late)
    assert 'name="pick"' in late.html
    assert " checked" not in late.html


@pytest.mark.parametrize("lifting", [True, False])
def test_following_only_what_may_be_played_is_lifted_or_a_button_and_the_rest_is_refused(
    sit, lifting
):
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
            assert match.at(seat).html.count(f"{spoken(card)}, pair<") == 2


def test_a_pair_is_followed_by_ticking_two_and_one_is_not_enough(sit):
    match = sit()
    match.to_tricks()
    while not pairs_in(match.state.hands[match.state.leader]):
        match.trick()
    leader = match.state.leader
    match.play(leader, pairs_in(match.state.hands[leader])[:1] * 2)
    seat = match.state.turn
    assert re.search("were led. Play two cards|so play any two cards", text(match.at(seat)))
    plays = seat_plays(match.state, seat)
    boxes = {value for _, value in match.button(seat, "play")[0].boxes}
    assert boxes == {card for cards in plays for card in cards}
    refused = match.press(seat, "play", ticked=plays[0][:1])
    assert "Choose exactly 2, not 1." in text(refused)
    match.play(seat, plays[-1])
    assert len(match.state.trick) == 2


def test_a_finished_trick_stays_in_sight_then_on_request(sit):
    match = sit()
    match.to_tricks()
    match.trick()
    while not match.state.last_trick.points:
        match.trick()
    last = match.state.last_trick
    winner = match.service.look(match.path[3:]).table.seats[last.winner]
    seat = (last.winner + 1) % 5
    assert f"won {last.points}" in text(match.at(seat))
    assert f"{winner} won {last.points} points and leads to the next trick." in text(match.at(seat))
    assert f"You won {last.points} points: lead" in text(match.at(last.winner))
    for looking in range(5):
        marked = re.findall(
            r'<p id="laid-(\d)(?:(?!</p>).)*?>won (\d+)</small>', match.at(looking).html
        )
        assert marked == [(str(last.winner), str(last.points))]
    for cards in last.plays:
        assert f">{spoken(cards[0])}<" in match.at(seat).html
    match.play(match.state.leader, match.state.hands[match.state.leader][:1])
    assert f"Last trick {winner} won {last.points} points." in text(match.at(seat))
    assert "led" in text(match.at(seat))


def test_whoever_wins_a_trick_without_points_is_not_told_of_0_points(sit):
    match = sit()
    match.to_tricks()
    match.trick()

    def empty(transaction):
        transaction.state.last_trick.points = 0
        transaction.take(transaction.state, [])

    match.service.change(match.path[3:], empty)
    last = match.state.last_trick
    winner = match.service.look(match.path[3:]).table.seats[last.winner]
    assert "You won the trick: lead" in text(match.at(last.winner))
    assert f"{winner} won the trick and leads to the next one." in text(
        match.at((last.winner + 1) % 5)
    )


def test_the_cards_that_would_be_best_so_far_say_so(sit):
    match = sit()
    match.to_tricks()
    match.play(match.state.leader, match.state.hands[match.state.leader][-1:])
    state = match.state
    seat, taking = state.turn, []
    for (card,) in seat_plays(state, seat):
        if winning_play(state.ranking, [*state.trick, [card]]):
            taking.append(spoken(card))
    html = match.at(seat).html
    found = re.findall(r"([A-Z0-9][\w ]+)(?:, pair)?, best so far<", html)
    assert sorted(set(found)) == sorted(taking)
    assert len(re.findall(r'class="card [^"]* wins"', html)) == len(found)
    assert "best so far" not in match.at((seat + 1) % 5).html


@pytest.mark.parametrize(
    ("lead", "hand", "best"),
    [
        (["8H"] * 2, ["9H", "9H", "7H", "7H", "AH", "AS", "AS"], ["9 of Hearts"] * 2),
        (["8H"] * 2, ["AS", "AS", "KC", "KC", "RJ"], ["Ace of Spades"] * 2),  # trumps
        (["8H"] * 2, ["AS", "AS", "9H"], []),  # one heart has to be among the two
        (["8H"] * 2, ["AH", "KH", "AS", "AS"], []),
    ],
)
def test_pairs_that_would_be_best_so_far_say_so(sit, lead, hand, best):
    match = sit()
    match.to_tricks()

    def arrange(transaction):
        state = transaction.state
        state.trump_suit, state.trick = "S", [lead]
        state.hands[state.turn] = list(hand)
        transaction.take(state, [])

    match.service.change(match.path[3:], arrange)
    html = match.at(match.state.turn).html
    assert re.findall(r"([A-Z0-9][\w ]+), pair, best so far<", html) == best
    assert (
        len(re.findall(r'class="card [^"]* wins"', html)) == len(best) / 2
    )  # seen with the second


def test_a_king_who_is_ready_is_called_one_thing_beside_the_name(sit):
    match = sit()
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][-8:])
    match.press(king, "call", "AC")
    other = (king + 1) % 5
    seat = rf'<h2 id="seat-{king}".*?</h2>'
    assert ">king<" in re.search(seat, match.at(other).html, re.DOTALL)[0]
    match.press(king, "ready")
    assert re.findall(r'class="tag[^"]*">(\w+)<', re.search(seat, match.at(other).html)[0]) == [
        "ready"
    ]


def test_the_partner_is_named_when_the_called_card_is_out_and_only_its_holder_sees_it_marked(sit):
    match = sit()
    king = match.to_dead_hand()
    match.press(king, "bury", ticked=match.state.hands[king][-8:])
    mine = match.state.hands[king] + match.state.dead_hand
    card = next(c for c in match.state.hands[(king + 1) % 5] if c not in mine)
    match.press(king, "call", card)
    match.all_ready()
    king_name = match.service.look(match.path[3:]).table.seats[king]
    for seat in range(5):
        marked = ">called</small>" in match.at(seat).html
        assert marked == (card in match.state.hands[seat])
        told = f"play it first to be {king_name}’s teammate" in match.at(seat).html
        assert told == (marked and seat != king)
    while match.state.called:
        assert "teammate unknown" in text(match.at(king))
        match.trick()
    mate = match.state.defenders[1]
    name = match.service.look(match.path[3:]).table.seats[mate]
    assert f"with {name}." in text(match.at(king))
    assert "with you." in text(match.at(mate))


@pytest.mark.parametrize(
    ("points", "hidden", "looks", "said"),
    [
        ((0, 40, 39, 0, 0), True, 0, "Challengers: 79, need 80."),
        ((0, 50, 40, 0, 0), True, 0, "Hill perhaps taken: 90."),
        ((0, 50, 40, 40, 0), True, 0, "Hill taken: 130; 120 to rise."),
        ((0, 50, 40, 0, 0), False, 0, "Hill taken: 90; 120 to rise."),
        ((0, 90, 0, 0, 0), True, 0, "Hill perhaps taken: 90."),
        ((0, 90, 0, 0, 0), True, 1, "Hill taken: 90; 120 to rise."),  # theirs, as they know
        ((90, 0, 0, 0, 0), False, 0, "Challengers: 0, need 80."),
    ],
)
def test_the_table_says_whether_the_hill_has_fallen_while_a_teammate_may_be_hidden(
    sit, points, hidden, looks, said
):
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


def test_the_first_round_opens_with_the_cards_that_make_a_king(sit):
    match = sit()
    assert "Whoever shows one of the 2s while the cards are dealt" in text(match.at(0))
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
def test_between_two_rounds_the_table_says_why_somebody_is_the_next_king(
    sit, king, mate, following, said
):
    match = sit(rounds="3")
    score = 60 if following in (king, mate) else 100

    def end_round(transaction):
        last = Result(1, king, mate, "2", "S", [score, 0, 0, 0, 0], 0, score, [0] * 5)
        transaction.state.results = [last]
        make_king(transaction.state, following)
        transaction.take(transaction.state, [])

    match.service.change(match.path[3:], end_round)
    seats = match.service.look(match.path[3:]).table.seats
    for seat, name in enumerate(NAMES):
        said = said.replace(name, f"<{seat}>")
    for seat, name in enumerate(seats):
        said = said.replace(f"<{seat}>", name)
    assert said in text(match.at(YOU))


def test_a_match_of_two_rounds_is_played_by_forms_to_its_end(sit):
    """All but the tricks in the middle of a round, which are made without a page at the gate."""
    match = sit(rounds="2", pressed=True)
    match.to_tricks()
    match.tricks()
    assert match.state.stage == "ready_round"
    result = match.state.results[0]
    page = text(match.at(3))
    held = {result.koth, result.teammate} - {None}
    assert f"Round 1: {result.score} points against " in page
    assert ("The hill has fallen" in page) == (result.score >= 80 and 3 in held)
    assert ("You took the hill" in page) == (result.score >= 80 and 3 not in held)
    assert ("You held the hill" in page) == (result.score < 80 and 3 in held)
    assert ("The hill was held" in page) == (result.score < 80 and 3 not in held)
    assert "Next round: jokers and" in page
    assert "No king yet" not in page
    assert "Rounds so far" in page
    assert "The dead hand was" in page
    last, seats = match.state.last_trick, match.service.look(match.path[3:]).table.seats
    won = "you" if last.winner == 3 else seats[last.winner]
    assert f"Last trick: {won} won {last.points} point" in page
    final = match.at(3).html.split('class="final"', 1)[1].split("The dead hand was", 1)[0]
    for place, cards in enumerate(last.plays):
        seat = (last.leader + place) % 5
        lay = f'data-from="laid-{seat}-0 laid-{seat}-{len(cards)}" data-stays>'
        assert f">{'You' if seat == 3 else seats[seat]}</small> " in final
        assert all(f">{spoken(card)}<" in final.split(lay, 1)[1] for card in cards)
    assert final.count('class="best"') == 1
    rising = page.partition("Rising in rank: ")[2].partition(".")[0]
    for seat, gain in enumerate(result.gains):
        name = match.service.look(match.path[3:]).table.seats[seat]
        assert (f"{name} +{gain}" in page) == bool(gain)
        assert (f"{'you' if seat == 3 else name} to {2 + gain}" in rising) == bool(gain)
    match.all_ready()
    for seat in range(5):
        match.press(seat, "pass")
    king = match.state.king
    assert match.state.stage == "choose_trump"
    match.press(king, "trump", "H")
    match.press(king, "bury", ticked=match.state.hands[king][:8])
    match.press(king, "no_call")
    match.all_ready()
    match.tricks()
    over = match.at(0)
    assert "The match is over. Highest in rank:" in text(over)
    assert "Last trick: " in over.html.split('class="final"', 1)[1].split('class="podium"')[0]
    assert over.html.count("Last trick: ") == 1  # not once more where the cards lay
    ending = over.html.split('class="podium"', 1)[1].split("</ul>", 1)[0]
    ranks = sorted((str(rank) for rank in match.state.ranks), reverse=True)
    assert re.findall(r"Rank (\w+)<", ending) == ranks
    assert "Look back at this match" in text(over)
    over.send(over.page.form("/rematch"))
    assert "Ann will play again. Waiting for Ben, Cid, Dot, Eve." in text(match.at(0))


def test_time_left_is_text_and_anybody_seated_may_give_more_once(sit, browser, watch):
    match = sit(pace="seed")
    king = match.to_dead_hand()
    watch.sleep(20)
    other = match.at((king + 1) % 5)
    assert "40 seconds left" in text(other)
    someone = browser()
    someone.open(match.path)
    assert "Give more time" not in text(someone)
    other.press("Give more time")
    assert "100 seconds left" in text(match.at(king))
    assert "More time" not in text(match.at(king))


def test_a_page_is_told_the_seconds_of_its_own_decision_only(sit, watch):
    match = sit(pace="seed")
    king = match.to_dead_hand()
    watch.sleep(20.5)
    assert 'data-left="39.5" data-own><b>40</b>' in match.at(king).html
    assert 'data-left="39.5"><b>40</b>' in match.at((king + 1) % 5).html


def test_where_nobody_is_hurried_there_is_no_clock(sit):
    match = sit()
    king = match.to_dead_hand()
    assert "data-left" not in match.at(king).html


# Many rounds


def with_rounds(match, rounds):
    """Make it so that many rounds have been played, without playing them."""

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
    table = match.at(0).html.split("places small", 1)[1].split("</table>", 1)[0]
    shown_rounds = [int(n) for n in re.findall(r'<th scope="row">(\d+): ', table)]
    assert shown_rounds == list(range(first, rounds + 1))
    assert caption in table


def test_the_pages_of_a_long_match_stay_light(sit):
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
    assert weights.pop("call") <= UPDATE + TAKE_BACK
    assert max(weights.values()) <= UPDATE, weights


# What the host may ask for


def test_the_host_can_let_the_match_end_after_some_rounds(sit):
    match = sit(end="past_ace")
    host, other = match.people[0], match.people[1]
    host.open(match.path)
    assert (f"{match.path}/house", "What you, the host, may decide") in host.page.links
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


def test_nobody_but_the_host_can(sit, browser):
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


# Others


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


def test_names_are_text(table, service):
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
def test_the_rules_speak_of_what_holds_at_the_table(options, says, not_says):
    game = GAMES["koth"]
    page = rules_of(game, game.options(**options))
    words = " ".join(re.sub(r"<[^>]+>", "", page.html).split())
    body, _, _ = words.partition("These are chosen when a table is opened.")
    assert says in body
    assert not_says not in body
    assert {"leading", "following"} <= {anchor for _, anchor, _ in page.contents}
