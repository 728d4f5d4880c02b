"""A premove waits, then is played like a person's quick move or is dropped."""

import pytest
from msgspec import structs

from kaboom.accounts import players
from kaboom.engine.codec import to_json
from kaboom.engine.moves import NOTHING, NotOnOffer, StaleMove, one_of
from kaboom.engine.premoves import Premove
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.table_page import service as match
from kaboom.tables import premoves
from kaboom.tables.premoves import can_plan
from kaboom.tables.table import PlannedMove
from tests.tables.test_service import moves_of, press
from tests.tables.test_takeback import choose, seated


def ways(tables, code, player):
    """Return the premoves open to a player: the token, verb and cards of each."""
    found = tables.get(code)
    seat = found.table.seat_of(player)
    offers = can_plan(found.table, found.position, seat)
    return [(it.token(seat), it.verb, it.pick.options, it.until) for it in offers]


def decide(tables, code, player, verb, card=None, until=False):
    (token, *_), *_ = [
        way for way in ways(tables, code, player) if way[1] == verb and way[3] == until
    ]
    choices = (card,) if card else ()
    return match.decide_ahead(tables, code, player, token, choices, 1)


def plans(tables, code):
    return {seat: (it.verb, *it.choices) for seat, it in tables.get(code).table.plans.items()}


def planned_timers(tables, code):
    timers = tables.get(code).table.timers
    return {text: timer for text, timer in timers.items() if text.startswith("ahead")}


@pytest.fixture
def karata(tables):
    """The code of a Karata table where the first seat is on turn, and its players by seat."""
    code, ids = seated(tables, "karata")
    table = tables.get(code).table
    assert tables.get(code).state.seat == 0
    return code, [table.chairs[seat].player for seat in range(len(ids))]


def fitting(tables, code, seat):
    """Return the cards of a seat that fit now, whichever seat is on turn, and those that do not."""
    s = tables.get(code).state
    fits = [
        c for c in s.hands[seat] if (c[0] == s.pile[-1][0] or c[1] == s.pile[-1][1]) and c[1] != "J"
    ]
    plain = [card for card in fits if card[0] in "45679T"]
    others = [card for card in s.hands[seat] if card[0] not in "AJRB8" and card not in fits]
    return plain, others


def test_premove_is_played_when_the_turn_comes(tables, karata, fake_clock):
    code, (ann, ben, cid) = karata
    plain, _ = fitting(tables, code, 1)
    card = plain[0]
    decide(tables, code, ben, "lay", card)
    assert plans(tables, code) == {1: ("lay", card)}
    assert not planned_timers(tables, code), "it is not his turn"
    press(tables, code, ann, "draw", cmd="1 1")
    ((_, timer),) = planned_timers(tables, code).items()
    assert 0.3 < timer.given < 4
    assert not tables.run_due(code), "not before its time"
    assert plans(tables, code), "still shown, and can be cancelled"
    fake_clock.sleep(timer.given)
    assert tables.run_due(code)
    last = moves_of(tables, code)[-1]
    assert last.text == f"1 lay {card}"
    assert last.cmd.startswith("1 ")
    assert len(last.cmd.split()) == 3, "as in the form of a lifted card"
    assert plans(tables, code) == {}
    assert not planned_timers(tables, code)
    assert ways(tables, code, cid) == [] or tables.get(code).state.seat != 2


def test_impossible_premove_is_dropped(tables, karata):
    code, (ann, ben, _) = karata
    _, others = fitting(tables, code, 1)
    decide(tables, code, ben, "lay", others[0])
    assert plans(tables, code)
    press(tables, code, ann, "draw", cmd="1 1")
    assert plans(tables, code) == {}
    assert not planned_timers(tables, code)


def test_premove_is_canceled_replaced_or_ended_by_a_move(tables, karata):
    code, (ann, ben, _) = karata
    decide(tables, code, ben, "draw")
    plain, _ = fitting(tables, code, 1)
    decide(tables, code, ben, "lay", plain[0])
    assert plans(tables, code) == {1: ("lay", plain[0])}
    match.decide_ahead(tables, code, ben, "", (), 1)
    assert plans(tables, code) == {}
    decide(tables, code, ben, "lay", plain[0])
    press(tables, code, ann, "draw", cmd="1 1")
    press(tables, code, ben, "draw", cmd="2 1")
    assert plans(tables, code) == {}
    assert not planned_timers(tables, code)


def test_premove_is_dropped_when_its_prompt_changed(tables, karata):
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
def test_malformed_premove_is_refused_and_keeps_the_old_one(tables, karata, token, choices):
    code, (_ann, ben, _) = karata
    decide(tables, code, ben, "draw")
    tokens = {verb: way for way, verb, *_ in ways(tables, code, ben)}
    with pytest.raises(NotOnOffer, match="moved on"):
        match.decide_ahead(tables, code, ben, tokens.get(token, token), choices, 1)
    assert plans(tables, code) == {1: ("draw",)}


def test_premove_for_another_seat_or_match_is_refused(tables, karata):
    code, (ann, ben, cid) = karata
    token = next(way for way, verb, *_ in ways(tables, code, ben) if verb == "draw")
    with pytest.raises(NotOnOffer):
        match.decide_ahead(tables, code, cid, token, (), 1)
    assert ways(tables, code, ann) == []
    stranger = players.player(tables, "key of Eve", "Eve")[0]
    with pytest.raises(NotPermitted):
        match.decide_ahead(tables, code, stranger, token, (), 1)
    with pytest.raises(StaleMove):
        match.decide_ahead(tables, code, ben, token, (), 2)
    match.start_stand_in(tables, code, ben)
    assert ways(tables, code, ben) == [], "a bot plays for him"


def test_premove_is_invisible_to_others(tables, karata):
    code, (_ann, ben, _) = karata
    before = tables.get(code).table
    decide(tables, code, ben, "draw")
    after = tables.get(code).table
    for viewer in (0, 2, None):
        assert after.revision(viewer) == before.revision(viewer)
        assert after.lines(viewer) == before.lines(viewer)
    assert after.revision(1) != before.revision(1), "his own page shows it"
    assert after.clocks() == before.clocks()


def test_taken_premoves_the_next_rounds_card(tables, fake_clock):
    code, (ann, ben, cid) = seated(tables)
    choose(tables, code, ann)
    ((_, _, cards, _),) = ways(tables, code, ann)
    hand = tables.get(code).prompts[1].offer("choose").options
    assert len(cards) == len(hand) - 1, "all but the sealed one"
    decide(tables, code, ann, "choose", cards[-1])
    choose(tables, code, ben)
    choose(tables, code, cid)
    state = tables.get(code).state
    if state.stage == "choose":
        ((_, timer),) = planned_timers(tables, code).items()
        assert timer.given > 0.3, "a sealed answer takes time, too"
        fake_clock.sleep(5)
        assert tables.run_due(code)
        assert tables.get(code).state.chosen[0] == int(cards[-1])
    else:
        assert (0 in plans(tables, code)) == (state.queue[0].seat != 0)


def test_koth_pass_premove_lasts_until_the_tricks(tables, fake_clock):
    names = ("Ann", "Ben", "Cid", "Dot", "Eve")
    code, ids = seated(tables, "koth", names, deal_interval=0)
    for n, player in enumerate(ids):
        press(tables, code, player, "ready", cmd=f"{n} ready")
    assert tables.get(code).state.stage == "last_call"
    decide(tables, code, ids[0], "pass", until=True)
    assert len(planned_timers(tables, code)) == 1
    fake_clock.sleep(5)
    assert tables.run_due(code)
    assert tables.get(code).state.ready == [0]
    assert plans(tables, code) == {0: ("pass",)}, "it remains valid until declaring ends"
    assert not planned_timers(tables, code)


def test_match_end_drops_the_premove(tables, karata):
    code, (_ann, ben, _) = karata
    decide(tables, code, ben, "draw")
    tables.change(code, lambda transaction: transaction.stop())
    assert plans(tables, code) == {}
    with pytest.raises(InvalidState):
        match.decide_ahead(tables, code, ben, "", (), 1)


def test_table_without_premoves_stores_only_two_empty_fields(tables):
    code, _ = seated(tables, "gops", ("Ann", "Ben"))
    body = to_json(tables.get(code).table)
    assert b'"plans":{}' in body
    assert b'"back":{}' in body
    assert GAMES["gops"].ahead(tables.get(code).state, 0) == ()


@pytest.mark.parametrize("until", [False, True])
def test_standing_premove_runs_as_fast_as_a_forced_move(tables, monkeypatch, until):
    hands = []
    monkeypatch.setattr(premoves, "person_seconds", lambda quick, rng: hands.append(quick) or 1.0)
    code, _ = seated(tables, "karata")
    found = tables.get(code)
    table, position = found.table, found.position
    offer = next(it for it in found.prompts[0].offers if it.verb in ("draw", "add"))
    (option, *_) = offer.playable or ("",)
    choices = (option,) if option else ()
    it = Premove(
        verb=offer.verb,
        about="now",
        pick=one_of([option]) if option else NOTHING,
        until=until,
    )
    monkeypatch.setattr(type(position), "ahead", lambda self, seat: [it])
    table = structs.replace(table, plans={0: PlannedMove(it.verb, choices, it.token(0), until)})
    assert len(premoves.waiting(table, position, found.key)) == 1
    assert hands == [until or offer.verb in found.game.quick]
