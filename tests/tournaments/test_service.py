"""Tournaments in a store: each step happens once, with any number of workers and despite kills."""

import pytest

from kaboom.accounts import login, merge
from kaboom.db.database import Database
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import from_json
from kaboom.errors import InvalidState, NotPermitted, TableNotFound
from kaboom.lobby import service as lobby
from kaboom.lobby import table_settings
from kaboom.lobby.seat_transfer import service as seat_transfer
from kaboom.social.clubs import invitations
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import queries as friends
from kaboom.social.friends import service as friends_service
from kaboom.table_page import hint_service, vote_service
from kaboom.tables import start_match
from kaboom.tables.maintenance.cleanup import expire
from kaboom.tables.seats import leaving
from kaboom.tables.snapshot import PasswordRequired
from kaboom.tables.table import Hints
from kaboom.tournaments import organizer, round_tables
from kaboom.tournaments import queries as store
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.cache import TournamentNotFound
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.rules.events import Format, How, PodOver, Ruling, Verb
from kaboom.tournaments.rules.pairing import champions, pairing
from kaboom.tournaments.rules.standings import standings
from kaboom.tournaments.scheduler import direct, direct_all
from tests.support.effort import LONG
from tests.support.fake_ids import FakeIds
from tests.support.tournaments import (
    all_pods,
    all_ready,
    end,
    ended,
    opened,
    played,
    players,
    pods,
    settings,
    settled,
)

FOUR = ("Ann", "Ben", "Cat", "Dan")


@pytest.fixture
def cup(tables):
    """A knockout of four at GOPS that has begun, its tables open."""
    code, ids = opened(tables, *FOUR)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    return code, ids


# A whole tournament


def test_knockout_is_played_to_its_end(tables, cup):
    code, _ = cup
    seen = played(tables, code)
    assert champions(seen.of) == [1] and len(seen.of.rounds) == 2
    assert standings(seen.of, seen.draw())[0].entrant == 1
    assert seen.row.ended and get_tournament(tables, code).row.due_at is None


@pytest.mark.slow
@pytest.mark.parametrize("game", ["gops", "kaboom", "koth", "taken"])
@pytest.mark.parametrize("format", Format)
def test_every_format_is_played_to_its_end(tables, game, format):
    code, ids = opened(tables, *FOUR, "Eve", game=game, format=format)
    organizer.begin(tables, code, ids[0])
    seen = played(tables, code)
    assert seen.of.over and not seen.of.cancelled
    if format == Format.KNOCKOUT:
        assert champions(seen.of) == [1]
    results = [it.event for it in seen.log if isinstance(it.event, PodOver)]
    assert len({(it.round, it.pod) for it in results}) == len(results)


def test_tournament_table_offers_no_hints(tables, cup):
    code, (ann, *_) = cup
    all_ready(tables, code)
    playing = next(
        table for _, table, _ in pods(tables, code) if tables.get(table).table.seat_of(ann) == 0
    )
    assert tables.get(playing).table.playing
    with pytest.raises(InvalidState, match="Hints are off"):
        hint_service.ask_hint(tables, playing, ann)
    with pytest.raises(NotPermitted):
        table_settings.arrange_bots(tables, playing, ann, Pace.BRISK, Hints.ALL, True)


def test_timed_check_in_excludes_absent_entrants(tables, fake_clock):
    code, ids = opened(tables, *FOUR, begins_at=fake_clock.time + 600, check_in=20, most=3)
    assert not settled(tables, code).of.check_in_until
    with pytest.raises(InvalidState):
        tournaments.check_in(tables, code, ids[0])
    fake_clock.sleep(600)
    assert settled(tables, code).of.check_in_until == fake_clock.time + 1200
    for player in (ids[0], ids[2], ids[3]):
        tournaments.check_in(tables, code, player)
    tournaments.check_in(tables, code, ids[0])  # repeating has no effect
    fake_clock.sleep(1199)
    assert not settled(tables, code).of.begun
    fake_clock.sleep(1)
    direct_all(tables)
    seen = get_tournament(tables, code)
    assert sorted(seen.of.field) == [1, 3, 4]  # the waiting list has moved up
    with pytest.raises(InvalidState):
        tournaments.come_back(tables, code, ids[1])


def test_scheduled_tournament_with_too_few_entrants_is_canceled(tables, fake_clock):
    code, _ = opened(tables, "Ann", begins_at=fake_clock.time + 60)
    fake_clock.sleep(60)
    assert settled(tables, code).of.cancelled


def test_start_missed_in_an_outage_is_postponed(tables, fake_clock):
    from kaboom.tables.clock.scheduler import Heartbeat

    heart = Heartbeat(tables)
    heart.beat()
    code, _ = opened(tables, *FOUR, begins_at=fake_clock.time + 60)
    fake_clock.sleep(3600)  # no server runs
    heart.beat()
    assert not settled(tables, code).of.begun
    for _ in range(8):
        fake_clock.sleep(10)
        heart.beat()
    assert settled(tables, code).of.begun


def test_no_show_is_absent_and_the_opponent_advances(tables, cup, fake_clock):
    code, ids = cup
    late = ids[1]
    all_ready(tables, code, missing={late})
    fake_clock.sleep(GRACE - 1)
    settled(tables, code)
    assert sorted(state for _, _, state in pods(tables, code)) == ["open", "playing"]
    fake_clock.sleep(1)
    seen = settled(tables, code)
    result = next(it.result for it in seen.of.rounds[0].pods if it.result)
    assert {it.entrant: it.how for it in result}[2] == How.ABSENT
    assert [it.how for it in result if it.entrant != 2] == [How.THROUGH]
    ended(tables, code)
    assert 2 not in settled(tables, code).of.rounds[1].pods[0].entrants


@pytest.mark.parametrize("game", ["kaboom", "koth"])
def test_a_smaller_table_is_played_short_or_filled_with_bots(tables, fake_clock, game):
    code, ids = opened(tables, *FOUR, "Eve", game=game, size=5 if game == "koth" else 4)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code, missing={ids[0]})
    fake_clock.sleep(GRACE)
    settled(tables, code)
    for _, table, _ in pods(tables, code):
        found = tables.get(table).table
        assert found.playing
        entrants = [occupant.entrant for _, occupant in found.sitting()]
        assert 1 not in entrants
        assert (0 in entrants) == (game == "koth")


def test_seat_played_by_a_bot_at_the_end_ranks_last(tables):
    code, ids = opened(tables, *FOUR, game="kaboom", format=Format.SWISS)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    ((_, table, _),) = pods(tables, code)
    leaving.leave(tables, table, ids[0])
    if tables.get(table).table.playing:
        end(tables, table)
    seen = settled(tables, code)
    found = {it.entrant: it.how for it in seen.of.rounds[0].pods[0].result}
    assert found[1] == How.LEFT and seen.of.round_shares(seen.of.rounds[0])[1] == 0


def test_round_at_its_time_limit_counts_as_it_stands(tables, fake_clock):
    code, ids = opened(tables, *FOUR, game="taken", format=Format.SWISS, size=4, limit=10)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    organizer.rule(tables, code, ids[0], Ruling(Verb.EXTEND, round=1, minutes=5))
    fake_clock.sleep(899)
    assert not settled(tables, code).of.is_over(get_tournament(tables, code).of.rounds[0])
    fake_clock.sleep(1)
    seen = settled(tables, code)
    assert sum(seen.of.round_shares(seen.of.rounds[0]).values()) == 2520 * 4


def test_late_entrant_plays_next_round_and_a_leaver_may_return(tables):
    code, ids = opened(tables, *FOUR, format=Format.SWISS, game="kaboom")
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    (late,) = players(tables, "Eve")
    tournaments.enter(tables, code, late, "Eve")
    tournaments.leave(tables, code, ids[1])
    all_ready(tables, code)
    ended(tables, code)
    seen = settled(tables, code)
    assert sorted(it for pod in seen.of.rounds[1].pods for it in pod.entrants) == [1, 3, 4, 5]
    tournaments.come_back(tables, code, ids[1])
    assert 2 in get_tournament(tables, code).of.active()


def test_waves_open_a_few_tables_at_a_time(tables, cup):
    tables.tournament_tables = 1
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    assert len(pods(tables, code)) == 1
    all_ready(tables, code)
    ended(tables, code)
    settled(tables, code)
    assert len(pods(tables, code)) == 2


# Tournament tables


def test_tournament_table_has_no_host(tables, cup):
    code, _ = cup
    (_, table, _), _ = pods(tables, code)
    found = tables.get(table).table
    first, second = (occupant.player for _, occupant in found.sitting())
    (stranger,) = players(tables, "Eve")
    for refused in (
        lambda: lobby.sit(tables, table, stranger, "Eve"),
        lambda: lobby.add_bot(tables, table, first),
        lambda: start_match.start(tables, table, first),
        lambda: leaving.remove(tables, table, first, 1),
    ):
        with pytest.raises((InvalidState, NotPermitted)):
            refused()
    start_match.ready(tables, table, first)
    start_match.ready(tables, table, second)
    assert tables.get(table).table.playing
    for about in ("pause", "end", "bot"):
        with pytest.raises(InvalidState):
            vote_service.propose_vote(tables, table, first, about, 1)
    end(tables, table)
    with pytest.raises(InvalidState):
        start_match.ready(tables, table, first)
        start_match.ready(tables, table, second)
    assert tables.get(table).table.match == 1


def test_seat_transfer_moves_the_tournament_entry(tables, cup):
    code, ids = cup
    table, player = next(
        (table, occupant.player)
        for _, table, _ in pods(tables, code)
        for _, occupant in tables.get(table).table.sitting()
        if occupant.player == ids[0]
    )
    secret = seat_transfer.new_transfer(tables, table, player)
    seat_transfer.use_transfer(tables, table, secret, "key of another device")
    (other,) = {it.player_id for it in get_tournament(tables, code).entrants.values()} - set(ids)
    assert get_tournament(tables, code).number_of(other) == 1
    seen = played(tables, code)
    assert champions(seen.of) == [1]


def test_results_outlive_the_tables(tables, cup, fake_clock):
    code, _ = cup
    before = played(tables, code).of
    fake_clock.sleep(40 * 24 * 3600)
    assert expire(tables, 30) == 3
    assert get_tournament(tables, code).of == before
    assert settled(tables, code).of == before


def test_deals_are_derived_from_the_committed_seed(tables, cup):
    code, _ = cup
    seen = get_tournament(tables, code)
    seeds = [tables.get(table).table.next_seed for _, table, _ in pods(tables, code)]
    assert seeds == [seen.draw()(f"pod|1|{number}") for number in range(2)]
    assert len(seen.row.commitment) == 64


# Rulings


def test_rulings_are_public_undoable_and_the_organizers_only(tables, cup):
    code, ids = cup
    with pytest.raises(NotPermitted):
        organizer.rule(tables, code, ids[1], Ruling(Verb.ANNOUNCE, "tea"))
    with pytest.raises(InvalidState):
        organizer.rule(tables, code, ids[0], Ruling(Verb.REMOVE, "", entrants=(2,)))
    organizer.rule(tables, code, ids[0], Ruling(Verb.REMOVE, "rude", entrants=(2,)))
    seen = get_tournament(tables, code)
    assert 2 not in seen.of.active() and len(seen.of.rulings) == 1
    (number,) = seen.of.rulings
    organizer.rule(tables, code, ids[0], Ruling(Verb.UNDO, undone=number))
    seen = get_tournament(tables, code)
    assert 2 in seen.of.active() and len(seen.of.rulings) == 2
    with pytest.raises(InvalidState):
        organizer.rule(tables, code, ids[0], Ruling(Verb.UNDO, undone=number))


def test_result_can_be_set_until_a_knockouts_next_round(tables, cup):
    code, ids = cup
    all_ready(tables, code)
    (_, one, _), (_, two, _) = pods(tables, code)
    end(tables, one)
    pod = settled(tables, code).of.rounds[0].pods[0]
    last = max(pod.entrants)
    seats = organizer.places_of(pod.entrants, [1 if it == last else 2 for it in pod.entrants])
    ruling = Ruling(Verb.RESULT, "a slip", round=1, pod=0, seats=seats)
    organizer.rule(tables, code, ids[0], ruling)
    end(tables, two)
    seen = settled(tables, code)
    assert last in seen.of.rounds[1].pods[0].entrants
    assert pod.result == seen.of.rounds[0].pods[0].result  # results already played stay
    with pytest.raises(InvalidState):
        organizer.rule(tables, code, ids[0], ruling)


def test_round_is_re_paired_only_before_it_is_played(tables, cup):
    code, ids = cup
    before = get_tournament(tables, code).of.rounds[0]
    a, b = before.pods[0].entrants[0], before.pods[1].entrants[0]
    old = [table for _, table, _ in pods(tables, code)]
    organizer.rule(tables, code, ids[0], Ruling(Verb.SWAP, "cousins", entrants=(a, b)))
    seen = settled(tables, code)
    assert seen.of.rounds[0].pods[0].entrants[0] == b
    for table in old:
        with pytest.raises(LookupError):
            tables.get(table)
    assert len(pods(tables, code)) == 2
    all_ready(tables, code)
    with pytest.raises(InvalidState):
        organizer.rule(tables, code, ids[0], Ruling(Verb.SWAP, "no", entrants=(a, b)))
    assert champions(played(tables, code).of) == [1]


def test_table_of_a_re_paired_round_cannot_begin(tables, cup):
    code, ids = cup
    (_, old, _), _ = pods(tables, code)
    round = get_tournament(tables, code).of.rounds[0]
    a, b = round.pods[0].entrants[0], round.pods[1].entrants[0]
    organizer.rule(tables, code, ids[0], Ruling(Verb.SWAP, "cousins", entrants=(a, b)))
    first, second = (occupant.player for _, occupant in tables.get(old).table.sitting())
    start_match.ready(tables, old, first)
    with pytest.raises(InvalidState):
        start_match.ready(tables, old, second)


def test_waiting_tournament_causes_no_write(tables, cup, monkeypatch):
    code, _ = cup
    monkeypatch.setattr(tables.database, "write", pytest.fail)
    assert not direct(tables, code)


def test_pause_delays_the_next_round_and_end_ends_the_tournament(tables, cup):
    code, ids = cup
    all_ready(tables, code)
    organizer.rule(tables, code, ids[0], Ruling(Verb.PAUSE))
    ended(tables, code)
    seen = settled(tables, code)
    assert len(seen.of.rounds) == 1 and seen.of.paused
    (number,) = seen.of.rulings
    organizer.rule(tables, code, ids[0], Ruling(Verb.UNDO, undone=number))
    assert len(settled(tables, code).of.rounds) == 2
    organizer.rule(tables, code, ids[0], Ruling(Verb.END, "rain"))
    assert get_tournament(tables, code).of.ended


def test_tournament_begins_once_and_not_after_its_end(tables, cup):
    code, ids = cup
    before = get_tournament(tables, code).of.seq
    with pytest.raises(InvalidState, match="already begun"):
        organizer.begin(tables, code, ids[0])
    other, (host, *_) = opened(tables, *FOUR)
    organizer.rule(tables, other, host, Ruling(Verb.END, "rain"))
    with pytest.raises(InvalidState, match="is over"):
        organizer.begin(tables, other, host)
    assert get_tournament(tables, code).of.seq == before


def test_repeated_pause_is_refused(tables, cup):
    code, ids = cup
    organizer.rule(tables, code, ids[0], Ruling(Verb.PAUSE))
    with pytest.raises(InvalidState):
        organizer.rule(tables, code, ids[0], Ruling(Verb.PAUSE))


def test_event_log_is_append_only(tables, cup):
    """No statement changes or deletes an event."""
    import inspect

    text = inspect.getsource(store)
    assert "update(tournament_events)" not in text and "delete(" not in text


# Two workers, and kills


def test_two_workers_do_each_step_once(open_tables, store_url):
    one, two = open_tables(store_url), open_tables(store_url)
    code, ids = opened(one, *FOUR, format=Format.SWISS, game="kaboom")
    organizer.begin(one, code, ids[0])
    for _ in range(40):
        for tables in (one, two):
            direct(tables, code)
        if get_tournament(two, code).of.ended:
            break
        for tables in (two, one):
            if get_tournament(tables, code).of.rounds:
                all_ready(tables, code)
                ended(tables, code)
    seen = get_tournament(one, code)
    assert seen.of == get_tournament(two, code).of and seen.of.over
    assert [it.seq for it in seen.log] == list(range(1, len(seen.log) + 1))


class Killed(Exception):
    """The worker has died here."""


class Dying:
    """Makes a worker die at its n-th commit: just before or just after it."""

    def __init__(self, monkeypatch, at, after):
        self.left = at
        write = Database.write

        def dies(database, work):
            self.left -= 1
            if self.left == 0 and not after:

                def torn(connection):
                    work(connection)
                    raise Killed

                return write(database, torn)
            done = write(database, work)
            if self.left == 0:
                raise Killed
            return done

        monkeypatch.setattr(Database, "write", dies)


def story(open_tables, url, at=0, after=False):
    """Play a knockout of bots and people with one crash; return the result and the commits."""
    tables, code, commits = played_dying(open_tables, url, at, after, "Ann", "Ben", bots=2)
    seen = get_tournament(tables, code)
    found = seen, all_pods(tables, seen.row.id), commits
    tables.database.close()
    return found


def played_dying(open_tables, url, at, after, *names, **more):
    """Play a tournament to its end, with one death; return the service that saw it, the
    tournament's code, and the commits.
    """
    fake_ids = FakeIds(seed=lambda: bytes(32), cut=lambda: "cut")
    tables = open_tables(url, ids=fake_ids)
    code, ids = opened(tables, *names, **more)
    organizer.begin(tables, code, ids[0])
    with pytest.MonkeyPatch.context() as patch:
        dying = Dying(patch, at, after)
        for _ in range(30):
            try:
                seen = settled(tables, code)
                if seen.of.ended:
                    break
                all_ready(tables, code)
                if seen.of.settings.duplicate:
                    settled(tables, code)  # it deals
                ended(tables, code)
            except Killed:
                tables.database.close()
                tables = open_tables(url, ids=fake_ids)  # another worker with empty caches
        return tables, code, -dying.left


def test_kill_at_any_commit_leaves_the_same_bracket(open_tables, store_url):
    """`make test` tries a seventh of them, KABOOM_LONG=1 all."""
    undisturbed, _, commits = story(open_tables, store_url)
    assert commits > 15
    wanted = [it.event for it in undisturbed.log]
    for at in range(1, commits + 1):
        for after in (False, True):
            if not LONG and (2 * at + after) % 7:
                continue
            seen, rows, _ = story(open_tables, store_url, at, after)
            found = [it.event for it in seen.log]
            assert [_plain(it) for it in found] == [_plain(it) for it in wanted], (at, after)
            assert rows == [
                (it.pairing, number, "done")
                for it in seen.of.rounds
                for number in range(len(it.pods))
            ]


def _plain(event):
    """Return an event without the random codes of records."""
    return {k: v for k, v in from_json(_text(event), dict).items() if k not in ("record", "print")}


def _text(event):
    from kaboom.tournaments.rules.events import written

    return written(event)


# For a club


@pytest.fixture
def club(tables):
    """A club of Ann's in which Ben is called Benny, and Eve is not a member: its code, and the
    players.
    """
    ids = dict(zip(("Ann", "Ben", "Eve"), players(tables, "Ann", "Ben", "Eve"), strict=True))
    code = clubs.found(tables, ids["Ann"], "The Gulls", "Ann", phrases=True)
    invitations.join(tables, invitations.new_link(tables, code, "key of Ann"), ids["Ben"], "Benny")
    return code, ids


def test_club_tournament_is_for_its_members_only(tables, club):
    of_club, ids = club
    made = settings(club=of_club)
    with pytest.raises(NotPermitted):
        tournaments.open(tables, ids["Eve"], made)
    code = tournaments.open(tables, ids["Ann"], made, listed=True)
    for name in ("Ann", "Ben"):
        tournaments.enter(tables, code, ids[name], name)
    with pytest.raises(NotPermitted):
        tournaments.enter(tables, code, ids["Eve"], "Eve")
    seen = get_tournament(tables, code)
    assert [it.name for it in seen.entrants.values()] == ["Ann", "Benny"] and not seen.row.listed
    may = [tournaments.may_see(tables, seen, it) for it in (ids["Ben"], ids["Eve"], None)]
    assert may == [True, False, False]
    listed = [
        tournaments.of_club(tables, of_club, f"key of {it}") for it in ("Ben", "Eve", "Nobody")
    ]
    assert [[it.code for it in found] for found in listed] == [[code], [], []]
    organizer.begin(tables, code, ids["Ann"])
    settled(tables, code)
    ((_, table, _),) = pods(tables, code)
    found = tables.get(table).table
    assert found.phrases and found.club == of_club
    with pytest.raises(PasswordRequired):
        tables.get(table, "key of Eve")
    assert clubs.tables_of(tables, of_club, "key of Ben") == []  # they are found by the tournament
    assert champions(played(tables, code).of) == [1]
    assert tournaments.of_club(tables, of_club, "key of Ben") == []


def test_block_hides_each_others_tournaments(tables, club):
    of_club, ids = club
    code = tournaments.open(tables, ids["Ann"], settings(club=of_club))
    assert [it.code for it in tournaments.of_club(tables, of_club, "key of Ben")] == [code]
    tables.database.write(lambda c: friends.block(c, ids["Ann"], ids["Ben"], tables.now()))
    assert tournaments.of_club(tables, of_club, "key of Ben") == []


# Bad input


def test_impossible_requests_are_refused(tables, cup):
    code, ids = cup
    with pytest.raises(TournamentNotFound):
        get_tournament(tables, "NOTHING2")
    with pytest.raises(NotPermitted):
        tournaments.leave(tables, code, 999)
    for more in ({"size": 3}, {"most": 1}, {"most": 10**6}):
        with pytest.raises(InvalidState):
            tournaments.open(tables, ids[0], settings(**more))
    for ruling in (
        Ruling(Verb.EXTEND, round=1, minutes=5),  # there is no limit
        Ruling(Verb.EXTEND, round=9, minutes=5),
        Ruling(Verb.SWAP, "x", entrants=(1, 1)),
        Ruling(Verb.SWAP, "x", entrants=(1, 99)),
        Ruling(Verb.APART, entrants=(1,)),
        Ruling(Verb.REMOVE, "x", entrants=(0,)),
        Ruling(Verb.RESULT, "x", round=1, pod=7),
        Ruling(Verb.RESULT, "x", round=0, pod=0),
        Ruling(Verb.UNDO, undone=4),
    ):
        with pytest.raises(InvalidState):
            organizer.rule(tables, code, ids[0], ruling)


# Abuse and mistakes


def test_merging_two_entrants_leaves_the_tournament_whole(tables):
    """Their two entries are in its log, so both stay; no player waits for the second."""
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    organizer.begin(tables, code, ids[0])
    seen = settled(tables, code)
    secret = login.arrive(tables, ids[1], "key of Dan", "fresh key").secret
    assert merge.merge_guest(tables, secret, "key of Dan")
    seen = get_tournament(tables, code)
    assert seen.number_of(ids[1]) == 2 and seen.number_of(ids[3]) is None
    assert seen.entrants[4].name == "Dan" and seen.of.active() == [
        it for it in seen.of.field if it != 4
    ]
    assert len(standings(seen.of, seen.draw())) == 4


def test_match_ending_after_its_set_result_delays_no_one(tables):
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    (_, one, _), (_, two, _) = pods(tables, code)
    pod = get_tournament(tables, code).of.rounds[0].pods[0]
    seats = organizer.places_of(pod.entrants, (1, 2))
    ruling = Ruling(Verb.RESULT, "he is asleep", round=1, pod=0, seats=seats)
    organizer.rule(tables, code, ids[0], ruling)
    end(tables, two)
    assert len(settled(tables, code).of.rounds) == 2
    end(tables, one)
    seen = settled(tables, code)
    assert seen.of.result(seen.of.rounds[0], 0) == seats  # as ruled
    assert seen.of.rounds[0].pods[0].result is not None
    with_results = tables.database.read(lambda c: store.due(c, -1.0, 9))
    assert with_results == []  # otherwise it would be read again and again, before all others


def asleep(tables, code, host):
    """Set the result of the round's first table."""
    pod = get_tournament(tables, code).of.rounds[-1].pods[0]
    seats = organizer.places_of(pod.entrants, range(1, len(pod.entrants) + 1))
    of = {"round": len(get_tournament(tables, code).of.rounds), "pod": 0, "seats": seats}
    organizer.rule(tables, code, host, Ruling(Verb.RESULT, "he is asleep", **of))


def told(tables, table):
    """Return the log lines of a table about its result."""
    kinds = [said.kind for said in tables.get(table).table.told]
    return [kind for kind in kinds if kind in ("table.ruled", "table.not_ruled")]


def test_table_shows_a_set_result_until_it_is_undone(tables):
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    (_, one, _), (_, two, _) = pods(tables, code)
    asleep(tables, code, ids[0])
    for _ in range(2):
        settled(tables, code)
        assert (told(tables, one), told(tables, two)) == (["table.ruled"], [])
    undo = Ruling(Verb.UNDO, undone=get_tournament(tables, code).of.seq)
    organizer.rule(tables, code, ids[0], undo)
    settled(tables, code)
    assert told(tables, one) == ["table.ruled", "table.not_ruled"]
    assert tables.get(one).table.playing


@pytest.mark.parametrize("then", ["the next round is played", "it was ended"])
def test_a_match_whose_result_was_set_ends_with_its_round(tables, fake_clock, then):
    code, ids = opened(tables, *FOUR, format=Format.SWISS, limit=10)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    (_, one, _), (_, two, _) = pods(tables, code)
    asleep(tables, code, ids[0])
    if then == "it was ended":
        organizer.rule(tables, code, ids[0], Ruling(Verb.END, "rain"))
    else:
        end(tables, two)
        assert len(settled(tables, code).of.rounds) == 2
    assert tables.get(one).table.playing
    assert get_tournament(tables, code).row.due_at is not None
    fake_clock.sleep(600)
    assert code in tables.database.read(lambda c: store.due(c, fake_clock.time, 9))
    settled(tables, code)
    assert not tables.get(one).table.playing
    assert get_tournament(tables, code).of.rounds[0].pods[0].result is not None


def test_empty_table_is_deleted_once_its_result_is_set(tables):
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    (_, one, _), (_, two, _) = pods(tables, code)
    for _, occupant in tables.get(two).table.sitting():
        start_match.ready(tables, two, occupant.player)
    asleep(tables, code, ids[0])
    settled(tables, code)
    assert told(tables, one) == ["table.ruled"]
    end(tables, two)
    seen = settled(tables, code)
    assert len(seen.of.rounds) == 2
    with pytest.raises(TableNotFound):
        tables.get(one)
    assert played(tables, code).of.over
    # Otherwise the seed would never be shown.
    assert not tables.database.read(lambda c: store.is_played(c, seen.row.id))


def test_table_is_not_opened_for_a_re_paired_round(tables):
    code, ids = opened(tables, *FOUR)
    organizer.begin(tables, code, ids[0])
    for _ in range(9):
        seen = get_tournament(tables, code)
        if seen.of.rounds and seen.of.rounds[0].waves:
            break
        direct(tables, code)
    round = seen.of.rounds[0]
    a, b = round.pods[0].entrants[0], round.pods[1].entrants[0]
    organizer.rule(tables, code, ids[0], Ruling(Verb.SWAP, "cousins", entrants=(a, b)))
    assert not round_tables.open_table(tables, seen, round, 0)
    settled(tables, code)
    assert len(all_pods(tables, seen.row.id)) == 2


def test_re_pairing_removes_a_set_result_with_its_table(tables):
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    organizer.begin(tables, code, ids[0])
    round = settled(tables, code).of.rounds[0]
    seats = organizer.places_of(round.pods[0].entrants, (1, 2))
    ruling = Ruling(Verb.RESULT, "a slip", round=1, pod=0, seats=seats)
    organizer.rule(tables, code, ids[0], ruling)
    a, b = round.pods[0].entrants[0], round.pods[1].entrants[0]
    organizer.rule(tables, code, ids[0], Ruling(Verb.SWAP, "cousins", entrants=(a, b)))
    of = get_tournament(tables, code).of
    assert of.result(of.rounds[0], 0) is None


def test_break_between_rounds_also_follows_set_results(tables, fake_clock):
    code, ids = opened(tables, *FOUR, between=5)
    organizer.begin(tables, code, ids[0])
    round = settled(tables, code).of.rounds[0]
    fake_clock.sleep(600)
    for number, pod in enumerate(round.pods):
        seats = organizer.places_of(pod.entrants, (1, 2))
        ruling = Ruling(Verb.RESULT, "they agreed", round=1, pod=number, seats=seats)
        organizer.rule(tables, code, ids[0], ruling)
    fake_clock.sleep(299)
    assert len(settled(tables, code).of.rounds) == 1  # a mistake can still be corrected
    fake_clock.sleep(1)
    assert len(settled(tables, code).of.rounds) == 2


def test_erased_entrant_is_not_waited_for(tables):
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    tournaments.depart(tables, ids[1])
    assert 2 not in get_tournament(tables, code).of.active()
    tournaments.depart(tables, ids[0])
    assert not get_tournament(tables, code).of.ended  # it continues automatically


def test_tournament_ends_if_only_an_erased_player_could_start_it(tables, fake_clock):
    never, ids = opened(tables, *FOUR)
    by_the_clock = tournaments.open(tables, ids[0], settings(begins_at=fake_clock.time + 600))
    tournaments.depart(tables, ids[0])
    assert (
        get_tournament(tables, never).of.ended and not get_tournament(tables, by_the_clock).of.ended
    )


def test_end_cannot_be_undone_since_the_seed_is_public(tables, cup):
    code, ids = cup
    organizer.rule(tables, code, ids[0], Ruling(Verb.END, "rain"))
    (number,) = get_tournament(tables, code).of.rulings
    with pytest.raises(InvalidState):
        organizer.rule(tables, code, ids[0], Ruling(Verb.UNDO, undone=number))


def test_blocks_do_not_affect_pairings(tables):
    """Otherwise blocking would avoid opponents, and pairings would reveal blocks."""
    code, ids = opened(tables, *FOUR, "Eve", "Fay", format=Format.SWISS)
    for one in ids:
        for other in ids:
            if (one < other) and (one + other) % 2:
                friends_service.block(tables, one, other)
    organizer.begin(tables, code, ids[0])
    before = get_tournament(tables, code)
    seen = settled(tables, code)
    made = pairing(before.of, before.draw(), tables.tournament_tables)
    assert tuple(it.entrants for it in seen.of.rounds[0].pods) == made.pods
    met = {frozenset(ids[it - 1] for it in pod) for pod in made.pods}
    assert any(sum(pair) % 2 for pair in met)  # some of them have blocked the other
