"""Taking back a move: permissions, log and record, and clocks."""

import pytest

from kaboom.accounts import players as players_module
from kaboom.engine.codec import to_json
from kaboom.engine.moves import NotOnOffer, StaleMove
from kaboom.engine.takeback import standing
from kaboom.engine.views import OPEN
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.records.verify import check, checked
from kaboom.table_page import service as match_service
from kaboom.table_page import vote_service
from kaboom.tables import queries, start_match
from kaboom.tables.match_record import record_of, text_of
from kaboom.tables.seats import leaving
from static import verify
from tests.tables.test_service import moves_of, press

NAMES = ("Ann", "Ben", "Cid")


def seated(tables, game="taken", names=NAMES, **options):
    """Return the code of a table of a game, and the players."""
    ids = [players_module.player(tables, f"key of {name}", name)[0] for name in names]
    found = GAMES[game].options(**options)
    code = lobby.open(tables, game, found, ids[0], names[0], 0)
    for player, name in zip(ids[1:], names[1:], strict=True):
        lobby.sit(tables, code, player, name)
    for player in ids:
        start_match.ready(tables, code, player)
    return code, ids


def choose(tables, code, player, place=0):
    snapshot = tables.get(code)
    seat = snapshot.table.seat_of(player)
    card = snapshot.prompts[seat].offer("choose").options[place]
    press(tables, code, player, "choose", card, f"{seat} {card} {snapshot.table.seq}")
    return tables.get(code).table.seq


def backs(tables, code):
    found = tables.get(code).table.back
    return {seat: [it.number for it in moves] for seat, moves in found.items()}


def take_back(tables, code, player, number, match=1):
    return match_service.take_back(tables, code, player, number, f"back {number}", match)


def test_takeback_restores_the_state_and_is_logged(tables):
    code, (ann, *_) = seated(tables)
    before = tables.get(code)
    number = choose(tables, code, ann)
    assert backs(tables, code) == {0: [1]}
    taken = take_back(tables, code, ann, number)
    assert to_json(taken.state) == to_json(before.state)
    assert [row.text for row in moves_of(tables, code)][1:] == ["0 take_back 1"]
    assert taken.table.seq == 2
    assert backs(tables, code) == {0: []}
    assert check(tables, code).wrong == []
    kinds = [said.kind for _, said in taken.table.lines(1)]
    assert kinds[-1] == "taken_back", "viewers who were told of the choice are told of it"
    again = choose(tables, code, ann, 1)
    assert backs(tables, code) == {0: [again]}


def test_takeback_sent_twice_counts_once(tables):
    code, (ann, *_) = seated(tables)
    choose(tables, code, ann)
    take_back(tables, code, ann, 1)
    assert take_back(tables, code, ann, 1).table.seq == 2


def test_takeback_is_refused_once_another_has_acted(tables):
    code, (ann, ben, _) = seated(tables)
    first = choose(tables, code, ann)
    second = choose(tables, code, ben)
    assert backs(tables, code) == {1: [second]}
    for player, number in ((ann, first), (ann, second), (ben, first), (ben, 7)):
        with pytest.raises(NotOnOffer, match="no longer"):
            take_back(tables, code, player, number)
    assert tables.get(code).table.seq == 2


def test_takeback_is_refused_once_cards_are_shown(tables):
    code, ids = seated(tables)
    for player in ids:
        choose(tables, code, player)
    assert not any(backs(tables, code).values())


def test_drawn_card_rules_out_a_takeback_without_full_check(tables, monkeypatch):
    """The costly check of all cards is made only if no player sees more than before."""
    code, players = seated(tables, "kaboom")
    for player in players:
        press(tables, code, player, "ready")
    game, asked = GAMES["kaboom"], []
    view = game.view
    monkeypatch.setitem(
        vars(game), "view", lambda state, viewer: (asked.append(viewer), view(state, viewer))[1]
    )
    seat = tables.get(code).state.turn
    press(tables, code, players[seat], "draw")
    assert asked
    assert OPEN not in asked
    assert not backs(tables, code)


def test_takeback_of_others_or_in_a_pause_is_refused(tables):
    code, (ann, ben, cid) = seated(tables)
    choose(tables, code, ann)
    stranger = players_module.player(tables, "key of Eve", "Eve")[0]
    with pytest.raises(NotPermitted):
        take_back(tables, code, stranger, 1)
    with pytest.raises(StaleMove):
        take_back(tables, code, ann, 1, match=2)
    vote_service.propose_vote(tables, code, ann, "pause", None)
    for player in (ben, cid):
        vote_service.cast_vote(tables, code, player, tables.get(code).table.vote.number, True)
    assert tables.get(code).table.paused
    with pytest.raises(InvalidState, match="paused"):
        take_back(tables, code, ann, 1)


def test_takeback_does_not_restart_deadlines(tables, fake_clock):
    code, (king, *_others) = seated(tables, choose_seconds=60)
    first = {text: timer.due for text, timer in tables.get(code).table.timers.items()}
    choose(tables, code, king)
    fake_clock.sleep(20)
    taken = take_back(tables, code, king, 1)
    assert {text: timer.due for text, timer in taken.table.timers.items()} == first


def test_clock_move_ends_the_takeback(tables, fake_clock):
    code, (ann, *_) = seated(tables, choose_seconds=60)
    choose(tables, code, ann)
    fake_clock.sleep(61)
    assert tables.run_due(code)
    assert not any(backs(tables, code).values())


def bid(tables, code, player):
    snapshot = tables.get(code)
    if snapshot.table.playing:
        seat = snapshot.table.seat_of(player)
        card = snapshot.prompts[seat].offer("bid").options[-1]
        press(tables, code, player, "bid", card, f"{seat} {snapshot.table.seq}")


def test_match_with_a_takeback_has_a_valid_record(tables, tmp_path):
    code, ids = seated(tables, "gops", NAMES[:2])
    while tables.get(code).table.playing:
        for player in ids:
            bid(tables, code, player)
            table = tables.get(code).table
            if table.back and table.seq < 9:
                take_back(tables, code, player, table.seq)
                bid(tables, code, player)
    table = tables.get(code).table
    assert not table.playing
    match, log = tables.database.read(
        lambda c: (queries.match(c, table.match_id), queries.log(c, table.match_id))
    )
    record = record_of(match, log)
    assert sum("take_back" in made.text for made in record.moves) == 2
    replay = checked(record)
    assert replay.wrong == []
    assert verify.problems(text_of(record).encode(), verify.read(text_of(record).encode())) == []
    for number in range(replay.last + 1):
        assert replay.state(number) is not None
    taking = next(n for n, made in enumerate(record.moves, 1) if "take_back" in made.text)
    assert to_json(replay.state(taking)) == to_json(replay.state(taking - 2))


def test_takeback_of_an_unknown_move_does_nothing():
    assert standing(["0 bid AS", "0 take_back 01", "0 take_back all"]) == [(1, "0 bid AS")]


# Choices made for an absent player


def until_all_is_done(tables, code):
    tables.now.sleep(60)
    while tables.run_due(code):
        pass


@pytest.mark.parametrize(("game", "verb"), [("taken", "choose"), ("gops", "bid")])
def test_returning_player_takes_a_bots_choice_back(tables, game, verb):
    """Ben lets a bot play for him. It chooses, and he returns before Ann has chosen."""
    code, (_, ben) = seated(tables, game, NAMES[:2])
    before = tables.get(code)
    match_service.start_stand_in(tables, code, ben)
    until_all_is_done(tables, code)
    match_service.end_stand_in(tables, code, ben)
    (back,) = tables.get(code).table.back[1]
    assert (back.number, back.move.verb, len(back.move.choices)) == (1, verb, 1)
    taken = take_back(tables, code, ben, 1)
    assert to_json(taken.state) == to_json(before.state)
    assert taken.waiting_for() == [0, 1]
    assert check(tables, code).wrong == []


@pytest.mark.parametrize(
    ("game", "verb", "options"), [("taken", "choose", {}), ("gops", "bid", {"players": 3})]
)
def test_returning_player_takes_a_random_choice_back(tables, game, verb, options):
    """Ben leaves, so a random card is chosen for him. He returns before the others have chosen."""
    code, (_, ben, _) = seated(tables, game, **options)
    before = tables.get(code)
    leaving.leave(tables, code, ben)
    until_all_is_done(tables, code)
    choices = choices_of(tables.get(code).state)
    assert [seat for seat, choice in enumerate(choices) if choice is not None] == [1]
    match_service.end_stand_in(tables, code, ben)
    (back,) = tables.get(code).table.back[1]
    assert (back.move.verb, back.move.choices) == (verb, (str(choices[1]),))
    taken = take_back(tables, code, ben, back.number)
    assert to_json(taken.state) == to_json(before.state)
    assert [row.text for row in moves_of(tables, code)][-1] == f"1 take_back {back.number}"
    assert check(tables, code).wrong == []


def choices_of(state):
    return state.bids if hasattr(state, "bids") else state.chosen


def test_random_choice_is_final_once_another_acts(tables):
    code, (ann, ben, _) = seated(tables)
    leaving.leave(tables, code, ben)
    until_all_is_done(tables, code)
    number = backs(tables, code)[1][-1]
    match_service.end_stand_in(tables, code, ben)
    choose(tables, code, ann)
    assert 1 not in backs(tables, code)
    with pytest.raises(NotOnOffer, match="no longer"):
        take_back(tables, code, ben, number)


def test_take_back_by_an_absent_player_brings_them_back(tables):
    """An outdated page still has the button, and the player presses it."""
    code, (_, ben, _) = seated(tables)
    leaving.leave(tables, code, ben)
    until_all_is_done(tables, code)
    take_back(tables, code, ben, backs(tables, code)[1][-1])
    table = tables.get(code)
    assert table.table.chairs[1].present and table.waiting_for() == [0, 1, 2]


def test_players_choice_can_be_taken_back_after_a_short_absence(tables):
    code, (_, ben, _) = seated(tables)
    number = choose(tables, code, ben)
    leaving.leave(tables, code, ben)
    match_service.end_stand_in(tables, code, ben)
    assert backs(tables, code) == {1: [number]}
    assert take_back(tables, code, ben, number).waiting_for() == [0, 1, 2]
    assert check(tables, code).wrong == []


def test_random_choice_of_another_seat_cannot_be_taken_back(tables):
    code, (ann, ben, _) = seated(tables)
    leaving.leave(tables, code, ben)
    until_all_is_done(tables, code)
    with pytest.raises(NotOnOffer, match="no longer"):
        take_back(tables, code, ann, backs(tables, code)[1][-1])
