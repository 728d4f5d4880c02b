"""Taking a move back at a table: who may, what the log and its record say, what time does."""

import pytest

from kaboom.accounts import players as keys
from kaboom.engine.codec import to_json
from kaboom.engine.moves import NotOnOffer, StaleMove
from kaboom.engine.takeback import standing
from kaboom.engine.views import OPEN
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.play import votes
from kaboom.records.replay import check, checked
from kaboom.tables import queries, sittings
from kaboom.tables.match_record import record_of, text_of
from static import verify
from tests.tables.test_service import moves_of, press

NAMES = ("Ann", "Ben", "Cid")


def seated(tables, game="taken", names=NAMES, **options):
    """Return the code of a table of a game, and the players."""
    ids = [keys.player(tables, f"key of {name}", name)[0] for name in names]
    found = GAMES[game].options(**options)
    code = seating.open(tables, game, found, ids[0], names[0], 0)
    for player, name in zip(ids[1:], names[1:], strict=True):
        seating.sit(tables, code, player, name)
    for player in ids:
        seating.ready(tables, code, player)
    return code, ids


def choose(tables, code, player, place=0):
    snapshot = tables.look(code)
    seat = snapshot.table.seat_of(player)
    card = snapshot.prompts[seat].offer("choose").options[place]
    press(tables, code, player, "choose", card, f"{seat} {card} {snapshot.table.seq}")
    return tables.look(code).table.seq


def backs(tables, code):
    found = tables.look(code).table.back
    return {seat: [it.number for it in moves] for seat, moves in found.items()}


def take_back(tables, code, player, number, match=1):
    return in_match.take_back(tables, code, player, number, f"back {number}", match)


def test_the_last_move_is_taken_back_and_the_log_goes_on(tables):
    code, (ann, *_) = seated(tables)
    before = tables.look(code)
    number = choose(tables, code, ann)
    assert backs(tables, code) == {0: [1]}
    taken = take_back(tables, code, ann, number)
    assert to_json(taken.state) == to_json(before.state)
    assert [row.text for row in moves_of(tables, code)][1:] == ["0 take_back 1"]
    assert taken.table.seq == 2
    assert backs(tables, code) == {0: []}
    assert check(tables, code).wrong == []
    kinds = [said.kind for _, said in taken.table.lines(1)]
    assert kinds[-1] == "taken_back", "who heard of the choice hears of it"
    again = choose(tables, code, ann, 1)
    assert backs(tables, code) == {0: [again]}


def test_asked_twice_it_is_done_once(tables):
    code, (ann, *_) = seated(tables)
    choose(tables, code, ann)
    take_back(tables, code, ann, 1)
    assert take_back(tables, code, ann, 1).table.seq == 2


def test_nothing_is_taken_back_once_another_has_acted(tables):
    code, (ann, ben, _) = seated(tables)
    first = choose(tables, code, ann)
    second = choose(tables, code, ben)
    assert backs(tables, code) == {1: [second]}
    for player, number in ((ann, first), (ann, second), (ben, first), (ben, 7)):
        with pytest.raises(NotOnOffer, match="no longer"):
            take_back(tables, code, player, number)
    assert tables.look(code).table.seq == 2


def test_nothing_is_taken_back_once_the_cards_are_shown(tables):
    code, ids = seated(tables)
    for player in ids:
        choose(tables, code, player)
    assert not any(backs(tables, code).values())


def test_who_drew_a_card_is_known_to_have_seen_it_without_a_look_at_all_cards(tables, monkeypatch):
    """All cards are looked at only where nobody sees more than before: a move is made often."""
    code, players = seated(tables, "kaboom")
    for player in players:
        press(tables, code, player, "ready")
    game, asked = GAMES["kaboom"], []
    view = game.view
    monkeypatch.setitem(
        vars(game), "view", lambda state, viewer: (asked.append(viewer), view(state, viewer))[1]
    )
    seat = tables.look(code).state.turn
    press(tables, code, players[seat], "draw")
    assert asked
    assert OPEN not in asked
    assert not backs(tables, code)


def test_others_and_another_match_and_a_pause_are_refused(tables):
    code, (ann, ben, cid) = seated(tables)
    choose(tables, code, ann)
    stranger = keys.player(tables, "key of Eve", "Eve")[0]
    with pytest.raises(NotPermitted):
        take_back(tables, code, stranger, 1)
    with pytest.raises(StaleMove):
        take_back(tables, code, ann, 1, match=2)
    votes.propose(tables, code, ann, "pause", None)
    for player in (ben, cid):
        votes.answer(tables, code, player, tables.look(code).table.vote.number, True)
    assert tables.look(code).table.paused
    with pytest.raises(InvalidState, match="paused"):
        take_back(tables, code, ann, 1)


def test_a_deadline_does_not_start_again(tables, watch):
    code, (king, *_others) = seated(tables, choose_seconds=60)
    first = {text: timer.due for text, timer in tables.look(code).table.timers.items()}
    choose(tables, code, king)
    watch.sleep(20)
    taken = take_back(tables, code, king, 1)
    assert {text: timer.due for text, timer in taken.table.timers.items()} == first


def test_a_move_of_the_clock_ends_it(tables, watch):
    code, (ann, *_) = seated(tables, choose_seconds=60)
    choose(tables, code, ann)
    watch.sleep(61)
    assert tables.lapse(code)
    assert not any(backs(tables, code).values())


def bid(tables, code, player):
    snapshot = tables.look(code)
    if snapshot.table.playing:
        seat = snapshot.table.seat_of(player)
        card = snapshot.prompts[seat].offer("bid").options[-1]
        press(tables, code, player, "bid", card, f"{seat} {snapshot.table.seq}")


def test_a_match_with_a_move_taken_back_has_a_true_record(tables, tmp_path):
    code, ids = seated(tables, "gops", NAMES[:2])
    while tables.look(code).table.playing:
        for player in ids:
            bid(tables, code, player)
            table = tables.look(code).table
            if table.back and table.seq < 9:
                take_back(tables, code, player, table.seq)
                bid(tables, code, player)
    table = tables.look(code).table
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


def test_what_names_no_move_in_a_log_takes_none_back():
    assert standing(["0 bid AS", "0 take_back 01", "0 take_back all"]) == [(1, "0 bid AS")]


# What was chosen for somebody who was away


def until_all_is_done(tables, code):
    tables.now.sleep(60)
    while tables.lapse(code):
        pass


@pytest.mark.parametrize(("game", "verb"), [("taken", "choose"), ("gops", "bid")])
def test_take_back_of_a_bots_choice_in_your_name_works(tables, game, verb):
    """Ben hands over, a bot chooses for him, he is back before Ann has chosen."""
    code, (_, ben) = seated(tables, game, NAMES[:2])
    before = tables.look(code)
    in_match.hand_over(tables, code, ben)
    until_all_is_done(tables, code)
    in_match.take_over(tables, code, ben)
    (back,) = tables.look(code).table.back[1]
    assert (back.number, back.move.verb, len(back.move.choices)) == (1, verb, 1)
    taken = take_back(tables, code, ben, 1)
    assert to_json(taken.state) == to_json(before.state)
    assert taken.waiting_for() == [0, 1]
    assert check(tables, code).wrong == []


@pytest.mark.parametrize(
    ("game", "verb", "options"), [("taken", "choose", {}), ("gops", "bid", {"players": 3})]
)
def test_take_back_of_a_lots_choice_in_your_name_works(tables, game, verb, options):
    """Ben leaves, so a card is drawn for him; he is back before the others have chosen."""
    code, (_, ben, _) = seated(tables, game, **options)
    before = tables.look(code)
    sittings.leave(tables, code, ben)
    until_all_is_done(tables, code)
    choices = choices_of(tables.look(code).state)
    assert [seat for seat, choice in enumerate(choices) if choice is not None] == [1]
    in_match.take_over(tables, code, ben)
    (back,) = tables.look(code).table.back[1]
    assert (back.move.verb, back.move.choices) == (verb, (str(choices[1]),))
    taken = take_back(tables, code, ben, back.number)
    assert to_json(taken.state) == to_json(before.state)
    assert [row.text for row in moves_of(tables, code)][-1] == f"1 take_back {back.number}"
    assert check(tables, code).wrong == []


def choices_of(state):
    return state.bids if hasattr(state, "bids") else state.chosen


def test_take_back_of_a_lots_choice_ends_when_another_acts(tables):
    code, (ann, ben, _) = seated(tables)
    sittings.leave(tables, code, ben)
    until_all_is_done(tables, code)
    number = backs(tables, code)[1][-1]
    in_match.take_over(tables, code, ben)
    choose(tables, code, ann)
    assert 1 not in backs(tables, code)
    with pytest.raises(NotOnOffer, match="no longer"):
        take_back(tables, code, ben, number)


def test_take_back_by_whoever_is_still_away_brings_them_back(tables):
    """An old page has the button; who presses it is there."""
    code, (_, ben, _) = seated(tables)
    sittings.leave(tables, code, ben)
    until_all_is_done(tables, code)
    take_back(tables, code, ben, backs(tables, code)[1][-1])
    table = tables.look(code)
    assert table.table.chairs[1].present and table.waiting_for() == [0, 1, 2]


def test_take_back_of_ones_own_choice_outlives_a_short_absence(tables):
    code, (_, ben, _) = seated(tables)
    number = choose(tables, code, ben)
    sittings.leave(tables, code, ben)
    in_match.take_over(tables, code, ben)
    assert backs(tables, code) == {1: [number]}
    assert take_back(tables, code, ben, number).waiting_for() == [0, 1, 2]
    assert check(tables, code).wrong == []


def test_take_back_of_anothers_lapse_is_refused(tables):
    code, (ann, ben, _) = seated(tables)
    sittings.leave(tables, code, ben)
    until_all_is_done(tables, code)
    with pytest.raises(NotOnOffer, match="no longer"):
        take_back(tables, code, ann, backs(tables, code)[1][-1])
