"""Deciding ahead: a plan waits, is carried out like a person's quick move, or is thrown away."""

import pytest
from msgspec import structs

from kaboom.accounts import players
from kaboom.engine.codec import to_json
from kaboom.engine.moves import NOTHING, NotOnOffer, StaleMove, one_of
from kaboom.engine.premoves import Ahead
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.play import service as in_match
from kaboom.tables import premoves as ahead
from kaboom.tables.premoves import can_plan
from kaboom.tables.table import Plan
from tests.tables.test_service import moves_of, press
from tests.tables.test_takeback import choose, seated


def ways(tables, code, player):
    """Return what a player may decide ahead: for each its token, verb and cards."""
    found = tables.look(code)
    seat = found.table.seat_of(player)
    offers = can_plan(found.table, found.position, seat)
    return [(it.token(seat), it.verb, it.pick.options, it.until) for it in offers]


def decide(tables, code, player, verb, card=None, until=False):
    (token, *_), *_ = [
        way for way in ways(tables, code, player) if way[1] == verb and way[3] == until
    ]
    choices = (card,) if card else ()
    return in_match.decide_ahead(tables, code, player, token, choices, 1)


def plans(tables, code):
    return {seat: (it.verb, *it.choices) for seat, it in tables.look(code).table.plans.items()}


def planned_timers(tables, code):
    timers = tables.look(code).table.timers
    return {text: timer for text, timer in timers.items() if text.startswith("ahead")}


@pytest.fixture
def karata(tables):
    """The code of a table of Karata at which the first seat is on turn, and its players by seat."""
    code, ids = seated(tables, "karata")
    table = tables.look(code).table
    assert tables.look(code).state.seat == 0
    return code, [table.chairs[seat].player for seat in range(len(ids))]


def fitting(tables, code, seat):
    """Return a card of a seat that may be played now, whoever is on turn, and one that may not."""
    s = tables.look(code).state
    fits = [
        c for c in s.hands[seat] if (c[0] == s.pile[-1][0] or c[1] == s.pile[-1][1]) and c[1] != "J"
    ]
    plain = [card for card in fits if card[0] in "45679T"]
    others = [card for card in s.hands[seat] if card[0] not in "AJRB8" and card not in fits]
    return plain, others


def test_a_card_decided_ahead_is_played_when_the_turn_has_come(tables, karata, watch):
    code, (ann, ben, cid) = karata
    plain, _ = fitting(tables, code, 1)
    card = plain[0]
    decide(tables, code, ben, "lay", card)
    assert plans(tables, code) == {1: ("lay", card)}
    assert not planned_timers(tables, code), "it is not his turn"
    press(tables, code, ann, "draw", cmd="1 1")
    ((_, timer),) = planned_timers(tables, code).items()
    assert 0.3 < timer.given < 4
    assert not tables.lapse(code), "not before its time"
    assert plans(tables, code), "still shown, and can be cancelled"
    watch.sleep(timer.given)
    assert tables.lapse(code)
    last = moves_of(tables, code)[-1]
    assert last.text == f"1 lay {card}"
    assert last.cmd.startswith("1 ")
    assert len(last.cmd.split()) == 3, "as the form of a lifted card has it"
    assert plans(tables, code) == {}
    assert not planned_timers(tables, code)
    assert ways(tables, code, cid) == [] or tables.look(code).state.seat != 2


def test_what_cannot_be_played_then_is_thrown_away(tables, karata):
    code, (ann, ben, _) = karata
    _, others = fitting(tables, code, 1)
    decide(tables, code, ben, "lay", others[0])
    assert plans(tables, code)
    press(tables, code, ann, "draw", cmd="1 1")
    assert plans(tables, code) == {}
    assert not planned_timers(tables, code)


def test_a_plan_is_cancelled_replaced_and_ended_by_a_move_of_ones_own(tables, karata):
    code, (ann, ben, _) = karata
    decide(tables, code, ben, "draw")
    plain, _ = fitting(tables, code, 1)
    decide(tables, code, ben, "lay", plain[0])
    assert plans(tables, code) == {1: ("lay", plain[0])}
    in_match.decide_ahead(tables, code, ben, "", (), 1)
    assert plans(tables, code) == {}
    decide(tables, code, ben, "lay", plain[0])
    press(tables, code, ann, "draw", cmd="1 1")
    press(tables, code, ben, "draw", cmd="2 1")
    assert plans(tables, code) == {}
    assert not planned_timers(tables, code)


def test_a_plan_goes_when_what_it_answers_has_changed(tables, karata):
    code, (_ann, ben, _) = karata
    decide(tables, code, ben, "draw")

    def bombed(transaction):
        transaction.state.pick = 2
        transaction.take(transaction.state, [])

    tables.change(code, bombed)
    assert plans(tables, code) == {}


@pytest.mark.parametrize(
    ("token", "choices"),
    [
        ("nonsense", ()),
        ("lay", ()),
        ("lay", ("ZZ",)),
        ("lay", ("4H", "5H")),
        ("draw", ("4H",)),
    ],
)
def test_nonsense_gets_a_sentence_and_keeps_the_plan_there_was(tables, karata, token, choices):
    code, (_ann, ben, _) = karata
    decide(tables, code, ben, "draw")
    tokens = {verb: way for way, verb, *_ in ways(tables, code, ben)}
    with pytest.raises(NotOnOffer, match="moved on"):
        in_match.decide_ahead(tables, code, ben, tokens.get(token, token), choices, 1)
    assert plans(tables, code) == {1: ("draw",)}


def test_nobody_decides_for_another_seat_on_their_own_turn_or_for_another_match(tables, karata):
    code, (ann, ben, cid) = karata
    token = next(way for way, verb, *_ in ways(tables, code, ben) if verb == "draw")
    with pytest.raises(NotOnOffer):
        in_match.decide_ahead(tables, code, cid, token, (), 1)
    assert ways(tables, code, ann) == []
    stranger = players.player(tables, "key of Eve", "Eve")[0]
    with pytest.raises(NotPermitted):
        in_match.decide_ahead(tables, code, stranger, token, (), 1)
    with pytest.raises(StaleMove):
        in_match.decide_ahead(tables, code, ben, token, (), 2)
    in_match.hand_over(tables, code, ben)
    assert ways(tables, code, ben) == [], "a bot plays for him"


def test_the_others_see_nothing_of_it(tables, karata):
    code, (_ann, ben, _) = karata
    before = tables.look(code).table
    decide(tables, code, ben, "draw")
    after = tables.look(code).table
    for viewer in (0, 2, None):
        assert after.revision(viewer) == before.revision(viewer)
        assert after.lines(viewer) == before.lines(viewer)
    assert after.revision(1) != before.revision(1), "his own page shows it"
    assert after.clocks() == before.clocks()


def test_in_taken_the_card_of_the_next_round_can_be_decided(tables, watch):
    code, (ann, ben, cid) = seated(tables)
    choose(tables, code, ann)
    ((_, _, cards, _),) = ways(tables, code, ann)
    hand = tables.look(code).prompts[1].offer("choose").options
    assert len(cards) == len(hand) - 1, "all but the sealed one"
    decide(tables, code, ann, "choose", cards[-1])
    choose(tables, code, ben)
    choose(tables, code, cid)
    state = tables.look(code).state
    if state.stage == "choose":
        ((_, timer),) = planned_timers(tables, code).items()
        assert timer.given > 0.3, "a sealed answer, too, takes its time"
        watch.sleep(5)
        assert tables.lapse(code)
        assert tables.look(code).state.chosen[0] == int(cards[-1])
    else:
        assert (0 in plans(tables, code)) == (state.queue[0].seat != 0)


def test_in_king_of_the_hill_one_passes_until_the_tricks_begin(tables, watch):
    names = ("Ann", "Ben", "Cid", "Dot", "Eve")
    code, ids = seated(tables, "koth", names, deal_interval=0)
    for n, player in enumerate(ids):
        press(tables, code, player, "ready", cmd=f"{n} ready")
    assert tables.look(code).state.stage == "last_call"
    decide(tables, code, ids[0], "pass", until=True)
    assert len(planned_timers(tables, code)) == 1
    watch.sleep(5)
    assert tables.lapse(code)
    assert tables.look(code).state.ready == [0]
    assert plans(tables, code) == {0: ("pass",)}, "it stands for the rest of the declaring"
    assert not planned_timers(tables, code)


def test_the_end_forgets_it(tables, karata):
    code, (_ann, ben, _) = karata
    decide(tables, code, ben, "draw")
    tables.change(code, lambda transaction: transaction.stop())
    assert plans(tables, code) == {}
    with pytest.raises(InvalidState):
        in_match.decide_ahead(tables, code, ben, "", (), 1)


def test_a_table_without_plans_is_stored_as_before_but_for_two_empty_fields(tables):
    code, _ = seated(tables, "gops", ("Ann", "Ben"))
    body = to_json(tables.look(code).table)
    assert b'"plans":{}' in body
    assert b'"back":{}' in body
    assert GAMES["gops"].ahead(tables.look(code).state, 0) == ()


@pytest.mark.parametrize("until", [False, True])
def test_what_is_done_every_time_is_done_as_quickly_as_what_needs_no_thought(
    tables, monkeypatch, until
):
    hands = []
    monkeypatch.setattr(ahead, "by_hand", lambda quick, chance: hands.append(quick) or 1.0)
    code, _ = seated(tables, "karata")
    found = tables.look(code)
    table, position = found.table, found.position
    offer = next(it for it in found.prompts[0].offers if it.verb in ("draw", "add"))
    (option, *_) = offer.playable or ("",)
    choices = (option,) if option else ()
    it = Ahead(
        verb=offer.verb,
        about="now",
        pick=one_of([option]) if option else NOTHING,
        until=until,
    )
    monkeypatch.setattr(type(position), "ahead", lambda self, seat: [it])
    table = structs.replace(table, plans={0: Plan(it.verb, choices, it.token(0), until)})
    assert len(ahead.waiting(table, position, found.key)) == 1
    assert hands == [until or offer.verb in found.game.quick]
