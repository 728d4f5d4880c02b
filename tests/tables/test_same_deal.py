"""Repeating a deal with the same people: permission, agreement, dealing, and what counts."""

import pytest

from kaboom.accounts import players
from kaboom.engine.views import DOWN
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES, sample
from kaboom.lobby import service as lobby
from kaboom.ratings import queries as rating_queries
from kaboom.ratings.queries import PreferenceRow
from kaboom.records.service import MatchArchive
from kaboom.records.verify import checked
from kaboom.tables import start_match
from kaboom.tables.match_record import record_from, text_of
from kaboom.tables.seats import leaving
from tests.support.finished_matches import finish, play_to_the_end

GAMES_PLAYED = ["gops", "kaboom", "karata", "koth", "taken"]


@pytest.fixture
def over(service):
    """A function: play a match to its end; return the table's code, the people, the record."""

    def played(key="taken", names=("Ann", "Ben"), bots=1, **options):
        code, ids = play_to_the_end(service, key, bots=bots, names=names, **options)
        return code, ids, service.get(code).table.record

    return played


def agree(service, code, ids, record, moved=False):
    """Let the first propose the same deal, and all others agree; return the table."""
    start_match.propose_same_deal(service, code, ids[0], record, moved)
    for player in ids[1:]:
        start_match.ready(service, code, player)
    return service.get(code)


def dealt(service, record):
    """Return the state after the deal of a match, and its names by seat."""
    replay = MatchArchive(service).find(record, "key of Ann")[0]
    return replay.state(0), replay.record.names


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES_PLAYED)
@pytest.mark.parametrize("moved", [False, True])
def test_same_deal_gives_each_seat_the_same_cards(service, over, key, moved):
    least = GAMES[key].seats(GAMES[key].options(**sample(key).short))[0]
    code, ids, record = over(key, bots=least - 2)
    first, names = dealt(service, record)
    begun = agree(service, code, ids, record, moved)
    assert begun.state == first, "the deal is another one"
    assert begun.table.seats == ([names[-1], *names[:-1]] if moved else names)
    assert [begun.table.seat_of(it) for it in ids] == [
        begun.table.seats.index(name) for name in ("Ann", "Ben")
    ]
    finish(service, code)
    replay, _around = MatchArchive(service).find(service.get(code).table.record)
    assert not replay.wrong
    origin = replay.record.came_from
    assert (origin.code, origin.step, origin.as_it_was) == (record, 0, True)
    assert not checked(record_from(text_of(replay.record))).wrong


def test_same_deal_needs_everyones_agreement(service, over):
    code, (ann, ben), record = over()
    start_match.ready(service, code, ben)  # for a new deal
    start_match.propose_same_deal(service, code, ann, record, moved=True)
    table = service.get(code).table
    assert not table.playing and table.same_deal.by == "Ann"
    assert not table.occupant_of(ben).ready, "Ben was ready for another deal"
    assert any(line.kind == "table.propose_moved" for line in table.told)


def test_same_deal_with_bots_alone_begins_at_once(service, over):
    code, (ann,), record = over(names=("Ann",), bots=2)
    start_match.propose_same_deal(service, code, ann, record, moved=False)
    assert service.get(code).table.playing


def test_any_player_may_ask_for_a_new_deal_instead(service, over):
    code, (ann, ben), record = over()
    start_match.propose_same_deal(service, code, ann, record, moved=False)
    start_match.withdraw_same_deal(service, code, ben)
    start_match.ready(service, code, ben)
    table = service.get(code).table
    assert table.playing and table.origin is None and table.same_deal is None


def test_same_deal_of_an_earlier_match_can_be_proposed(service, over):
    code, ids, record = over()
    for player in ids:
        start_match.ready(service, code, player)
    finish(service, code)
    first, _names = dealt(service, record)
    assert agree(service, code, ids, record).state == first


def test_repeated_same_deal_names_the_first_match(service, over):
    code, ids, record = over()
    for _unused in range(7):  # more than the number of matches that may continue one another
        latest = service.get(code).table.record
        assert agree(service, code, ids, latest, moved=True).table.origin.code == record
        finish(service, code)


def test_same_deal_needs_the_same_people(service, over):
    code, (ann, ben), record = over()
    leaving.leave(service, code, ben)
    with pytest.raises(InvalidState, match="same people"):
        start_match.propose_same_deal(service, code, ann, record, moved=False)
    zoe = players.player(service, "key of Zoe", "Zoe")[0]
    lobby.sit(service, code, zoe, "Zoe")
    with pytest.raises(NotPermitted, match="Only players"):
        start_match.propose_same_deal(service, code, zoe, record, moved=False)
    with pytest.raises(InvalidState, match="same people"):
        start_match.propose_same_deal(service, code, ann, record, moved=False)


def test_bot_takes_the_seat_of_a_player_who_left(service, over):
    code, (ann, ben), record = over()
    leaving.leave(service, code, ben)
    lobby.add_bot(service, code, ann)
    start_match.propose_same_deal(service, code, ann, record, moved=False)
    table = service.get(code).table
    assert table.playing and table.seats[0] == "Ann" and "Ben" not in table.seats


def test_changed_players_get_a_new_deal(service, over):
    code, (ann, ben), record = over()
    start_match.propose_same_deal(service, code, ann, record, moved=False)
    leaving.leave(service, code, ben)
    zoe = players.player(service, "key of Zoe", "Zoe")[0]
    lobby.sit(service, code, zoe, "Zoe")
    start_match.ready(service, code, zoe)
    table = service.get(code).table
    assert table.playing and table.origin is None
    assert any(line.kind == "table.not_same" for line in table.told)


def test_same_deal_of_another_table_is_refused(service, over):
    code, (ann, _ben), _record = over()
    _other, _ids, elsewhere = over()
    for record in (elsewhere, "XXXXXXXX", ""):
        with pytest.raises(NotPermitted):
            start_match.propose_same_deal(service, code, ann, record, moved=False)


def test_same_deal_is_refused_during_a_match(service, over):
    code, ids, record = over()
    for player in ids:
        start_match.ready(service, code, player)
    with pytest.raises(InvalidState):
        start_match.propose_same_deal(service, code, ids[0], record, moved=False)
    with pytest.raises(InvalidState):
        start_match.withdraw_same_deal(service, code, ids[0])


def test_same_deal_is_neither_rated_nor_counted(service, over):
    code, ids, record = over("gops", bots=0)
    for player in ids:
        service.database.write(
            lambda c, it=player: rating_queries.save_wish(c, it, PreferenceRow(True, "friends"))
        )
    for chair in service.get(code).table.chairs:
        chair.counts = True
    service.change(code, lambda it: [setattr(x, "counts", True) for x in it.table.chairs if x])
    archive = MatchArchive(service)
    before = archive.statistics("key of Ann", 10).total
    assert not agree(service, code, ids, record).table.rated
    finish(service, code)
    assert archive.statistics("key of Ann", 10).total == before
    for player in ids:
        start_match.ready(service, code, player)
    assert service.get(code).table.rated, "the next one counts again"


def test_same_deal_of_a_hidden_match_is_hidden(service, over):
    code, ids, record = over()
    archive = MatchArchive(service)
    archive.hide(record, "key of Ann", True)
    agree(service, code, ids, record)
    finish(service, code)
    with pytest.raises(LookupError):
        archive.find(service.get(code).table.record, "key of Zoe")


def test_same_deal_shows_each_seat_its_own_cards_alone(service, over):
    code, ids, record = over("taken")
    begun = agree(service, code, ids, record, moved=True)
    for seat in range(len(begun.table.seats)):
        zones = begun.position.view(seat).zones
        others = [z for z in zones if z.owner not in (None, seat) and z.name == "hand"]
        assert all(set(zone.cards) <= {DOWN} for zone in others)
    kaboom, people, last = over("kaboom", bots=0)
    again = agree(service, kaboom, people, last)
    whispered = {seat: [it.kind for it in lines] for seat, lines in again.table.whispered.items()}
    assert whispered == {} or set(whispered) <= {0, 1}
