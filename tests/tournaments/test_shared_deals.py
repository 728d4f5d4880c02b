"""Tournaments on shared cards: tables are dealt together, results shown together."""

import json
from functools import partial

import pytest

from kaboom.engine.codec import to_json
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.records.access import RecordNotFound
from kaboom.records.service import MatchArchive
from kaboom.tables import queries, start_match
from kaboom.tables.maintenance.interventions import delete
from kaboom.tables.match_record import text_of
from kaboom.tables.seats import leaving
from kaboom.tables.shared_deals import queries as store
from kaboom.tournaments import organizer, round_tables
from kaboom.tournaments import service as tournaments_service
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.rules.draw import board_cut, board_label, board_secret
from kaboom.tournaments.rules.events import BoardClosed, Dealt, Format, Ruling, Verb
from kaboom.tournaments.rules.matchpoints import AVERAGE_PLUS
from kaboom.tournaments.rules.pairing import champions
from kaboom.tournaments.rules.points import WHOLE
from kaboom.tournaments.scheduler import LATEST, direct
from static import verify
from tests.support import tournaments
from tests.support.builtin_games import OURS
from tests.support.effort import LONG, often
from tests.support.finished_matches import finish
from tests.support.tournaments import (
    FOUR,
    all_ready,
    ended,
    opened,
    pods,
    settings,
    settled,
)
from tests.tournaments import test_service as test_tournaments
from tests.tournaments.test_service import Dying, Killed, played_dying

# docs/chance.md has these.
SECRET = "b76aab5c32f1bc11a691d70cf316de9c1cc714fa03d89647e69e0e3da4b94c45"
CUT = "508961ff91b8c7a476acffbeee484bed745df2fc427c389180de0ec34544171b"


@pytest.fixture
def tables(open_tables, sqlite_url):
    """Tests with kills and with two workers, below, cover the differences between stores."""
    return open_tables(sqlite_url)


begun = partial(tournaments.begun, format=Format.SWISS, duplicate=True)


@pytest.fixture
def cup(tables):
    return begun(tables, *FOUR)


def dealt(tables, code, missing=()):
    """Make all players ready and deal; return the codes of the tables."""
    all_ready(tables, code, missing)
    settled(tables, code)
    return [table for _, table, _ in pods(tables, code)]


def end(tables, table, *scores):
    """End a match with these points by seat; the more the better."""
    places = tuple(1 + sum(other > mine for other in scores) for mine in scores)
    tables.change(table, lambda transaction: transaction.end(Outcome(scores, places, "won")))


def events(seen, kind):
    return [it.event for it in seen.log if isinstance(it.event, kind)]


def percent(seen, number=0):
    shares = seen.of.round_shares(seen.of.rounds[number])
    return {it: round(100 * share / WHOLE) for it, share in sorted(shares.items())}


# Dealing


def test_all_tables_are_dealt_once_every_player_is_ready(tables, cup):
    code, ids = cup
    all_ready(tables, code, missing={ids[3]})
    seen = settled(tables, code)
    assert not events(seen, Dealt)
    assert sorted(state for _, _, state in pods(tables, code)) == ["open", "ready"]
    label = board_label(code, 1, 0)
    assert tables.database.read(lambda c: store.board(c, label)) is None  # there is no deal yet
    one, two = dealt(tables, code)
    first, second = tables.get(one), tables.get(two)
    assert first.table.playing and second.table.playing
    assert to_json(first.state) == to_json(second.state)
    assert len(events(get_tournament(tables, code), Dealt)) == 1


def test_player_who_cancels_readiness_is_waited_for(tables, cup):
    code, ids = cup
    all_ready(tables, code)
    for _, table, _ in pods(tables, code):
        if tables.get(table).table.seat_of(ids[0]) is not None:
            start_match.ready(tables, table, ids[0], ready=False)
    assert not events(settled(tables, code), Dealt)


def test_bots_replace_missing_players_after_three_minutes(tables, fake_clock):
    code, ids = begun(tables, *FOUR, "Eve", "Fay", game="kaboom", size=3)
    made = get_tournament(tables, code).of.rounds[0].pods
    absent = {made[0].entrants[0], made[1].entrants[1]}
    all_ready(tables, code, missing={ids[it - 1] for it in absent})
    fake_clock.sleep(GRACE)
    settled(tables, code)
    for _, table, _ in pods(tables, code):
        found = tables.get(table).table
        assert found.playing and len(found.seats) == 3
        seated = [it.entrant for it in found.chairs]
        pod = next(it for it in made if {*seated} & {*it.entrants})
        assert seated == [0 if it in absent else it for it in pod.entrants]  # none has moved up


def test_tables_share_deals_and_house_bots_have_no_results(tables):
    code, _ = begun(tables, *FOUR, "Eve", "Fay", "Gus", game="kaboom", size=4)
    sizes = []
    for table in dealt(tables, code):
        sizes.append(len(tables.get(table).table.seats))
        finish(tables, table)
    assert sizes == [4, 4]
    seen = settled(tables, code)
    assert sorted(seen.of.round_shares(seen.of.rounds[0])) == [1, 2, 3, 4, 5, 6, 7]


def test_lone_player_scores_60_per_cent_and_gets_no_later_deal(tables, fake_clock, cup):
    code, ids = cup
    one = next(t for _, t, _ in pods(tables, code) if tables.get(t).table.seat_of(ids[1]) is None)
    pod = next(
        it.entrants for it in get_tournament(tables, code).of.rounds[0].pods if 2 in it.entrants
    )
    (alone,) = set(pod) - {2}
    all_ready(tables, code, missing={ids[1]})
    fake_clock.sleep(GRACE)
    settled(tables, code)
    end(tables, one, 9, 5)
    seen = settled(tables, code)
    shares = seen.of.round_shares(seen.of.rounds[0])
    assert (shares.pop(2), shares.pop(alone)) == (0, AVERAGE_PLUS)
    assert sorted(shares.values()) == [0, WHOLE]  # a single table counts by its places


def test_table_not_dealt_with_the_others_is_never_dealt(tables, cup, fake_clock, monkeypatch):

    code, _ = cup
    (_, one, _), (_, two, _) = pods(tables, code)
    begin = round_tables.begin

    def fails(service, at, removed, late):
        if at == two and not late:
            raise OSError("the disk is full")
        return begin(service, at, removed, late)

    monkeypatch.setattr(round_tables, "begin", fails)
    dealt(tables, code)
    assert [tables.get(it).table.playing for it in (one, two)] == [True, False]
    fake_clock.sleep(LATEST + 1)
    settled(tables, code)
    assert not tables.get(two).table.match
    end(tables, one, 9, 5)
    seen = settled(tables, code)
    assert sorted(percent(seen).values()) == [0, 60, 60, 100]


def test_nothing_is_dealt_during_a_pause_or_after_the_end(tables, cup, fake_clock):
    code, ids = cup
    organizer.rule(tables, code, ids[0], Ruling(Verb.PAUSE))
    fake_clock.sleep(GRACE + 1)
    dealt(tables, code)
    assert not events(get_tournament(tables, code), Dealt)
    organizer.rule(tables, code, ids[0], Ruling(Verb.END, "rain"))
    assert not events(settled(tables, code), Dealt)


def test_dealt_round_is_not_re_paired(tables, cup):
    code, ids = cup
    pod, other = get_tournament(tables, code).of.rounds[0].pods
    swap = Ruling(Verb.SWAP, "cousins", entrants=(pod.entrants[0], other.entrants[0]))
    organizer.rule(tables, code, ids[0], swap)
    settled(tables, code)
    dealt(tables, code)
    with pytest.raises(InvalidState):
        organizer.rule(tables, code, ids[0], swap)


def test_game_without_boards_has_no_shared_deals(tables, cup, monkeypatch):
    from dataclasses import replace

    from kaboom.games import GAMES

    monkeypatch.setitem(GAMES, "gops", replace(GAMES["gops"], board=None))
    with pytest.raises(InvalidState):
        tournaments_service.open(tables, cup[1][0], settings(duplicate=True))


# Publishing results


def test_results_are_hidden_until_the_last_table_ends(tables, cup):
    code, _ = cup
    one, two = dealt(tables, code)
    end(tables, one, 9, 5)
    before = get_tournament(tables, code)
    seen = settled(tables, code)
    assert seen.of == before.of and not seen.of.round_shares(seen.of.rounds[0])
    record = tables.get(one).table.record
    with pytest.raises(RecordNotFound):
        MatchArchive(tables).find(record, "key of Ann", host=True)
    end(tables, two, 7, 7)
    seen = settled(tables, code)
    first = seen.log[before.of.seq :]
    (closed,) = events(seen, BoardClosed)
    assert closed in [it.event for it in first[:3]]  # with the results, in one transaction
    assert MatchArchive(tables).find(record)[0].record.board.label == board_label(code, 1, 0)
    a, b = (it.entrants for it in seen.of.rounds[0].pods)
    assert percent(seen) == {a[0]: 100, b[0]: 0, a[1]: 0, b[1]: 100}


@pytest.mark.slow
@pytest.mark.parametrize("game", often(["gops", "kaboom", "koth"], soak=OURS))
def test_records_verify_against_the_seed_and_cuts(tables, game, tmp_path, capsys):
    size = 5 if game == "koth" else 2
    code, _ = begun(tables, *FOUR, game=game, size=size, rounds=1)
    records = []
    for table in dealt(tables, code):
        finish(tables, table)
        records.append(tables.get(table).table.record)
    seen = settled(tables, code)
    words = [f"cut of {name}" for name in FOUR]
    label = board_label(code, 1, 0)
    board = tables.database.read(lambda c: store.board(c, label))
    assert (board.secret, board.cut) == (board_secret(seen.row.seed, label), board_cut(words))
    draw = {
        "format": "kaboom draw", "version": 1, "code": code, "commitment": seen.row.commitment,
        "seed": seen.row.seed.hex(), "words": words,
    }  # fmt: skip
    files = [tmp_path / "draw.json"]
    files[0].write_text(json.dumps(draw))
    for record in records:
        replay, _ = MatchArchive(tables).find(record)
        assert replay.wrong == []
        files.append(tmp_path / f"{record}.json")
        files[-1].write_text(text_of(replay.record))
    assert verify.main([str(it) for it in files]) == 0, capsys.readouterr().out
    for change in ({"seed": "00" * 32}, {"words": words[::-1]}, {"code": "OTHER234"}):
        files[0].write_text(json.dumps(draw | change))
        assert verify.main([str(it) for it in files]) == 1, change
    files[0].write_text(json.dumps(draw | {"seed": ""}))
    assert verify.main([str(it) for it in files]) == 0
    assert "published when it is over" in capsys.readouterr().out


def test_board_secrets_are_independent():
    seed = bytes(range(32))
    secrets = {board_secret(seed, board_label("ABCD2345", n, w)) for n in (1, 2) for w in (0, 1)}
    assert len(secrets) == 4
    assert board_secret(seed, "tournament ABCD2345 1.1").hex() == SECRET
    assert board_cut(["a", "", "ß"]) == CUT


def test_each_wave_has_its_own_cards_and_comparison(tables):
    tables.tournament_tables = 2
    names = [*FOUR, "Eve", "Fay", "Gus", "Hal"]
    code, _ = begun(tables, *names)
    first = dealt(tables, code)
    assert len(first) == 2
    for number, table in enumerate(first):
        end(tables, table, number, 1 - number)
    seen = settled(tables, code)
    assert len(percent(seen)) == 4 and len(pods(tables, code)) == 4
    _, _, *second = dealt(tables, code)
    states = [tables.get(it).table for it in (first[0], second[0])]
    assert states[0].commitment != states[1].commitment
    for number, table in enumerate(second):
        end(tables, table, number, 1 - number)
    seen = settled(tables, code)
    assert sorted(percent(seen).values()) == [0, 0, 0, 0, 100, 100, 100, 100]


def test_departed_entrant_scores_nothing_and_is_not_compared(tables):
    code, _ = begun(tables, *FOUR, "Eve", "Fay", game="kaboom", size=2)
    tables_of = dealt(tables, code)
    gone = tables.get(tables_of[0]).table.chairs[0]
    leaving.leave(tables, tables_of[0], gone.player)
    for table in tables_of:
        if tables.get(table).table.playing:
            end(tables, table, 5, 5)
    found = percent(settled(tables, code))
    assert found.pop(gone.entrant) == 0
    assert sorted(found.values()) == [50] * 5


def test_match_on_shared_cards_counts_as_it_stands_at_its_limit(tables, fake_clock):
    code, _ = begun(tables, *FOUR, limit=10)
    one, _ = dealt(tables, code)
    end(tables, one, 9, 5)
    fake_clock.sleep(600)
    seen = settled(tables, code)
    assert seen.of.rounds[0].waves[0].closed
    assert sorted(percent(seen).values()) == [0, 50, 50, 100]


def test_early_end_keeps_the_seed_until_players_finish(tables, fake_clock):
    code, ids = begun(tables, *FOUR, limit=10)
    dealt(tables, code)
    organizer.rule(tables, code, ids[0], Ruling(Verb.END, "rain"))
    seen = settled(tables, code)
    assert seen.of.ended and seen.of.secret and seen.row.due_at
    fake_clock.sleep(600)
    assert not settled(tables, code).of.secret


def test_set_result_keeps_cards_secret_until_all_have_played(tables, cup):
    code, ids = cup
    one, two = dealt(tables, code)
    pod = get_tournament(tables, code).of.rounds[0].pods[0]
    seats = organizer.places_of(pod.entrants, [1, 2])
    organizer.rule(tables, code, ids[0], Ruling(Verb.RESULT, "x", round=1, pod=0, seats=seats))
    end(tables, two, 3, 4)
    assert settled(tables, code).of.secret
    end(tables, one, 3, 4)
    seen = settled(tables, code)
    assert not seen.of.secret
    (number,) = seen.of.rulings
    organizer.rule(tables, code, ids[0], Ruling(Verb.UNDO, undone=number))
    assert percent(settled(tables, code)) == dict.fromkeys((1, 2, 3, 4), 50)


def test_late_entrant_plays_next_boards_without_missed_scores(tables, cup):
    code, _ = cup
    from tests.support.tournaments import players

    (late,) = players(tables, "Eve")
    tournaments_service.enter(tables, code, late, "Eve", "a late word")
    words = get_tournament(tables, code).words
    assert "a late word" not in words and len(words) == 4
    for table in dealt(tables, code):
        end(tables, table, 1, 1)
    settled(tables, code)
    for table in dealt(tables, code)[-2:]:
        assert tables.get(table).table.playing
        end(tables, table, 1, 1)
    seen = settled(tables, code)
    assert seen.of.points()[5] == seen.of.round_shares(seen.of.rounds[1])[5]


@pytest.mark.slow
@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("game", ["gops", "kaboom"])
def test_every_format_with_shared_cards_is_played_to_its_end(tables, game, format):
    code, _ = begun(tables, *FOUR, "Eve", "Fay", game=game, format=format, size=2)
    for _ in range(60):
        seen = settled(tables, code)
        if seen.of.ended:
            break
        all_ready(tables, code)
        settled(tables, code)
        ended(tables, code)
    assert seen.of.over and not seen.of.secret
    if format == Format.KNOCKOUT:
        assert len(champions(seen.of)) == 1
    assert (
        len(events(seen, Dealt))
        == len(events(seen, BoardClosed))
        == len([it for it in seen.of.rounds if any(pod.record for pod in it.pods)])
    )


def test_knockout_advances_the_better_score_on_shared_cards(tables):
    code, _ = begun(tables, *FOUR, format=Format.KNOCKOUT)
    one, two = dealt(tables, code)
    end(tables, one, 9, 5)  # the first seat wins at both tables, but by more at this one
    end(tables, two, 6, 5)
    seen = settled(tables, code)
    (a, _), (_, d) = (it.entrants for it in seen.of.rounds[0].pods)
    assert set(seen.of.rounds[1].pods[0].entrants) == {a, d}
    first = seen.of.rounds[0]
    places = seen.of.places(first, 1, seen.of.round_shares(first))
    assert places == {d: 1, first.pods[1].entrants[0]: 2}


def test_result_of_a_rebuilt_table_is_still_waited_for(tables):
    code, ids = opened(tables, *FOUR[:3], bots=1, format=Format.SWISS, duplicate=True)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    one, two = dealt(tables, code)
    before = [it.entrant for it in tables.get(one).table.chairs]

    def spoil(connection):
        row = queries.table(connection, one)
        queries.save_table(connection, row.id, {"body": b"{", "version": row.version + 1})

    tables.database.write(spoil)
    after = tables.get(one).table
    assert [it.entrant for it in after.chairs] == before and after.by_house
    end(tables, one, 9, 5)
    end(tables, two, 9, 5)
    assert percent(settled(tables, code)) == dict.fromkeys((1, 2, 3, 4), 50)


def test_deleted_table_does_not_delay_the_results(tables, cup):
    code, ids = cup
    one, two = dealt(tables, code)
    end(tables, two, 3, 4)
    delete(tables, one)
    assert settled(tables, code).of.secret
    pod = get_tournament(tables, code).of.rounds[0].pods[0]
    seats = organizer.places_of(pod.entrants, [1, 2])
    organizer.rule(tables, code, ids[0], Ruling(Verb.RESULT, "x", round=1, pod=0, seats=seats))
    assert not settled(tables, code).of.secret


# Two workers, and kills


def test_two_workers_deal_and_publish_once(open_tables, store_url):
    one, two = open_tables(store_url), open_tables(store_url)
    code, ids = opened(one, *FOUR, format=Format.SWISS, duplicate=True, rounds=2)
    organizer.begin(one, code, ids[0])
    for turn in range(60):
        for service in (one, two) if turn % 2 else (two, one):
            direct(service, code)
        if get_tournament(two, code).of.ended:
            break
        if get_tournament(one, code).of.rounds:
            all_ready(one, code)
            ended(one, code)
    seen = get_tournament(one, code)
    assert seen.of == get_tournament(two, code).of and seen.of.over
    assert len(events(seen, Dealt)) == len(events(seen, BoardClosed)) == 2


def story(open_tables, url, at=0, after=False):
    """Play one of its rounds with one crash; return the result and the commits."""
    more = {"format": Format.SWISS, "duplicate": True, "rounds": 1}
    tables, code, commits = played_dying(open_tables, url, at, after, *FOUR, **more)
    found = get_tournament(tables, code)
    rows = test_tournaments.all_pods(tables, found.row.id)
    closed = tables.database.read(lambda c: store.board(c, board_label(code, 1, 0))).closed_at
    tables.database.close()
    return found, rows, closed, commits


def test_kill_at_any_commit_leaves_the_same_result(open_tables, store_url):
    """`make test` tries a ninth of them, KABOOM_LONG=1 all."""
    undisturbed, rows, closed, commits = story(open_tables, store_url)
    assert commits > 12 and closed
    wanted = [test_tournaments._plain(it.event) for it in undisturbed.log]
    for at in range(1, commits + 1):
        for after in (False, True):
            if not LONG and (2 * at + after) % 9:
                continue
            seen, found, told, _ = story(open_tables, store_url, at, after)
            assert [test_tournaments._plain(it.event) for it in seen.log] == wanted, (at, after)
            assert told and [it[2] for it in found] == [it[2] for it in rows]


def test_kill_before_the_commit_publishes_no_results(tables, cup, monkeypatch):
    code, _ = cup
    one, two = dealt(tables, code)
    end(tables, one, 9, 5)
    end(tables, two, 7, 7)
    before = get_tournament(tables, code).of.seq
    with monkeypatch.context() as patch:
        Dying(patch, 1, False)
        with pytest.raises(Killed):
            direct(tables, code)
    label = board_label(code, 1, 0)
    assert tables.database.read(lambda c: store.board(c, label)).closed_at is None
    assert get_tournament(tables, code).of.seq == before
    direct(tables, code)
    seen = get_tournament(tables, code)
    assert tables.database.read(lambda c: store.board(c, label)).closed_at == tables.now()
    assert seen.of.seq == before + 3 and not seen.of.secret
