"""Rated matches and their effects; recomputing the ratings gives the same digits."""

import random

import pytest
from sqlalchemy import insert, update

from kaboom.accounts import merge_queries, players
from kaboom.accounts.erase import erase
from kaboom.engine.bots.bot import Level
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.lobby.seat_transfer.service import new_transfer, use_transfer
from kaboom.ratings import leaderboards, maintenance
from kaboom.ratings import queries as store
from kaboom.ratings.models import rating_steps, ratings
from kaboom.ratings.openskill import Rating, rated
from kaboom.ratings.queries import CLUBS, EVERYBODY, FRIENDS, NOBODY, RatingRow
from kaboom.ratings.service import (
    LATELY,
    counts,
    folded,
    places_with_leavers_last,
    rate,
    rated_sentence,
)
from kaboom.social.clubs import invitations
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import queries as friends
from kaboom.social.friends import service as friends_service
from kaboom.table_page import service as match
from kaboom.tables import queries, start_match
from kaboom.tables.access.reliability import in_words, is_reliable, manner
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.models import matches
from kaboom.tables.seats import leaving
from kaboom.tables.table import Hints, Occupant, Table
from tests.support.effort import LONG
from tests.support.finished_matches import finish

DAY = 24 * 3600.0


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


def new_player(tables, name, wants=True):
    player, _ = players.player(tables, f"key of {name}", name)
    leaderboards.want(tables, f"key of {name}", wants, FRIENDS)
    return player


def opened(tables, *names, wants=None, bots=0):
    """Return the code of a table of GOPS where these people are about to start, and their ids."""
    ids = [new_player(tables, name, wants is None or name in wants) for name in names]
    options = GAMES["gops"].options(players=len(names) + bots)
    code = lobby.open(tables, "gops", options, ids[0], names[0])
    for player, name in zip(ids[1:], names[1:], strict=True):
        lobby.sit(tables, code, player, name)
    for _ in range(bots):
        lobby.add_bot(tables, code, ids[0], level=Level.EASY)
    return code, ids


def played_over_days(tables, *names):
    ids = [new_player(tables, name) for name in names]
    options = GAMES["gops"].options(players=len(names))
    code = lobby.open(tables, "gops", options, ids[0], names[0], days=2)
    for player, name in zip(ids[1:], names[1:], strict=True):
        lobby.sit(tables, code, player, name)
    start_match.start(tables, code, ids[0])
    finish(tables, code)
    return tables.get(code).table.record, ids


def begun(tables, *names, **more):
    code, ids = opened(tables, *names, **more)
    start_match.start(tables, code, ids[0])
    return code, ids


def known(tables, ids):
    return tables.database.read(lambda c: store.of_game(c, ids, "gops"))


def void(tables, code):
    return tables.database.write(lambda c: maintenance.void(c, code))


def lines(tables, code):
    return [said.kind for said in tables.get(code).table.told]


def test_agreed_match_is_rated_and_says_so_before_the_deal(tables):
    code, ids = opened(tables, "Ann", "Ben")
    assert rated_sentence(tables.get(code).table) == "This match is rated."
    start_match.start(tables, code, ids[0])
    assert "table.rated" in lines(tables, code)
    finish(tables, code)
    places = tables.get(code).table.outcome.places
    expected = rated([Rating(), Rating()], places)
    found = known(tables, ids)
    assert [Rating(found[it].mu, found[it].sigma) for it in ids] == expected
    assert {row.played for row in found.values()} == {1}


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"wants": ["Ann"]}, "Not all players want"),
        ({"wants": []}, ""),
        ({"bots": 1}, "With a bot at the table"),
    ],
)
def test_unrated_match_explains_itself_to_its_players(tables, more, why):
    code, ids = opened(tables, "Ann", "Ben", **more)
    said = rated_sentence(tables.get(code).table)
    assert said.startswith(why) and bool(said) == bool(why)
    start_match.start(tables, code, ids[0])
    assert "table.rated" not in lines(tables, code)
    finish(tables, code)
    assert known(tables, ids) == {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda table: setattr(table, "hints", Hints.ALL), "When all players may ask"),
        (lambda table: setattr(table, "board", "day x"), ""),
        (lambda table: setattr(table.chairs[0], "program", True), "With a bot"),
        (lambda table: setattr(table, "chairs", table.chairs[:1]), "Only matches of two"),
    ],
)
def test_each_reason_for_an_unrated_match_is_stated(change, said):
    table = Table([Occupant("Ann", 1, counts=True), Occupant("Ben", 2, counts=True)], b"", 1)
    assert counts(table)
    change(table)
    assert not counts(table)
    assert rated_sentence(table).startswith(said) and bool(rated_sentence(table)) == bool(said)


def test_rated_match_stays_with_the_players_dealt_in(tables):
    code, (_, ben) = opened(tables, "Ann", "Ben")
    made_before = new_transfer(tables, code, ben)
    start_match.start(tables, code, tables.get(code).table.host)
    for carried in (
        lambda: new_transfer(tables, code, ben),
        lambda: use_transfer(tables, code, made_before, "key of Cid"),
    ):
        with pytest.raises(InvalidState, match="is rated"):
            carried()
    finish(tables, code)
    assert ben in known(tables, [ben])


def test_player_given_a_seat_is_rated_only_by_consent(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    new_player(tables, "Cid", wants=False)
    use_transfer(tables, code, new_transfer(tables, code, ben), "key of Cid")
    assert rated_sentence(tables.get(code).table).startswith("Not all players want")
    start_match.start(tables, code, ann)
    assert "table.rated" not in lines(tables, code)


def test_a_match_that_was_stopped_changes_nothing(tables):
    code, ids = begun(tables, "Ann", "Ben")
    stop(tables, code)
    assert known(tables, ids) == {}


@pytest.mark.parametrize("way", ["leave", "hand over"])
def test_leaver_or_bot_substitute_ranks_last_and_is_recorded(tables, way):
    code, ids = begun(tables, "Ann", "Ben", "Cid")
    if way == "leave":
        leaving.leave(tables, code, ids[1])
    else:
        match.start_stand_in(tables, code, ids[1])
    finish(tables, code)
    found = known(tables, ids)
    assert found[ids[1]].mu < min(found[ids[0]].mu, found[ids[2]].mu)
    stays = [tables.database.read(lambda c, it=it: store.stays(c, it, 50)) for it in ids]
    assert stays == [[True], [False], [True]]


def test_leavers_tie_for_the_last_place():
    assert places_with_leavers_last((1, 2, 3, 4), [0, 1]) == [3, 3, 1, 2]
    assert places_with_leavers_last((1, 1, 3), []) == [1, 1, 3]
    assert places_with_leavers_last((1, 2), [1]) == [1, 2]


def test_repeated_opponents_count_less_until_a_month_passes(
    tables,
):
    ids = [new_player(tables, name) for name in ("Ann", "Ben", "Cid")]
    chairs = [Occupant(name, it, counts=True) for name, it in zip("AB", ids, strict=False)]
    table, outcome = Table(chairs, b"", ids[0]), Outcome((1, 0), (1, 2))

    def end(now, number, who=table):
        tables.database.write(lambda c: rate(c, number, "gops", who, outcome, now))

    def numbers():
        steps = tables.database.read(lambda c: store.steps(c, "gops"))
        return [step.nth for step in steps if step.seat == 0]

    with_matches(tables, 12)
    for number in range(1, 7):
        end(DAY * 100, number)
    others = Table([chairs[0], Occupant("C", ids[2], counts=True)], b"", ids[0])
    end(DAY * 101, 7, others)
    end(DAY * (100 + LATELY), 8)
    end(DAY * (101 + LATELY), 9)
    assert numbers() == [1, 2, 3, 4, 5, 6, 1, 7, 2]
    of_cid = tables.database.read(lambda c: store.circles(c, ids[2], "gops", 0))
    assert of_cid == [{ids[0], ids[2]}]
    assert maintenance.check(tables) == []


def with_matches(tables, count):
    """Store as many matches for rating steps to refer to."""

    def work(connection):
        for number in range(1, count + 1):
            values = {"id": number, "code": f"M{number}", "table_id": None, "number": 1}
            values |= {"game": "gops", "game_version": 1, "options": "{}", "names": "[]"}
            values |= {"seed": b"x" * 32, "cuts": "[]", "started_at": 0.0, "hidden": False}
            connection.execute(insert(matches), values)

    tables.database.write(work)


def played_out(tables, people, count, seed=1):
    """Rate this many matches of two to five of these people on successive days; return the ids."""
    rng, ids = random.Random(seed), [new_player(tables, f"P{n}") for n in range(people)]
    with_matches(tables, count)

    def work(connection):
        for number in range(1, count + 1):
            seats = rng.sample(ids, rng.randint(2, min(5, people)))
            chairs = [Occupant("x", it, present=rng.random() > 0.05) for it in seats]
            marks = [rng.randint(0, 4) for _ in seats]
            places = tuple(1 + sum(other > mine for other in marks) for mine in marks)
            outcome = Outcome(tuple(marks), places)
            rate(connection, number, "gops", Table(chairs, b"", 1), outcome, DAY * number / 7)

    tables.database.write(work)
    return ids


def everything(tables):
    def work(connection):
        return store.steps(connection, "gops"), [
            tuple(row) for row in connection.execute(ratings.select().order_by(ratings.c.player_id))
        ]

    return tables.database.read(work)


def test_recomputed_ratings_equal_the_stored_digits(tables):
    ids = played_out(tables, 8 if not LONG else 200, 100 if not LONG else 10_000)
    assert maintenance.check(tables) == []
    steps, stored = everything(tables)
    found, right = folded(steps)
    assert sorted(right) == sorted(steps)
    assert sorted(tuple(row) for row in found.values()) == stored
    assert len(stored) == len(ids)


@pytest.mark.parametrize("what", ["rating", "step", "nth", "gone"])
def test_any_changed_digit_is_detected(tables, what):
    played_out(tables, 4, 12)
    change = {
        "rating": update(ratings).where(ratings.c.player_id == 1).values(mu=ratings.c.mu + 1),
        "step": update(rating_steps).where(rating_steps.c.seq == 5).values(sigma=1),
        "nth": update(rating_steps).where(rating_steps.c.seq == 5).values(nth=77),
        "gone": rating_steps.delete().where(rating_steps.c.match_id == 3),
    }[what]
    tables.database.write(lambda connection: connection.execute(change))
    assert maintenance.check(tables)


def test_erasing_merging_voiding_leave_ratings_reproducible(tables):
    ids = played_out(tables, 8, 60)
    before = dict(zip(ids, (known(tables, [it])[it] for it in ids), strict=True))
    erase(tables, "key of P0")
    assert known(tables, ids[:1]) == {}
    assert maintenance.check(tables) == []
    steps, _ = everything(tables)
    assert ids[0] not in {step.who for step in steps}
    newcomer, _ = players.player(tables, "key of new", "New")
    tables.database.write(lambda c: merge_queries.carry(c, ids[1], newcomer, "x"))
    assert known(tables, [newcomer])[newcomer] == before[ids[1]]._replace(player_id=newcomer)
    assert maintenance.check(tables) == []
    tables.database.write(lambda c: merge_queries.carry(c, ids[2], ids[3], "y"))
    assert known(tables, ids[2:4]) == {ids[3]: before[ids[3]]}
    assert maintenance.check(tables) == []
    assert void(tables, "M20") >= 2
    assert void(tables, "M20") == 0
    assert maintenance.check(tables) == []


def test_ratings_ignore_a_voided_match(tables):
    played_out(tables, 5, 30)
    steps, _ = everything(tables)
    without, _ = folded(step for step in steps if step.match_id != 9)
    void(tables, "M9")
    _, stored = everything(tables)
    assert stored == sorted(tuple(row) for row in without.values())


def test_both_stores_give_the_same_ratings(open_tables, store_url):
    tables = open_tables(store_url)
    played_out(tables, 4, 10)
    assert maintenance.check(tables) == []
    assert void(tables, "M3")
    assert maintenance.check(tables) == []


def test_rating_is_visible_to_those_the_player_chose(tables):
    ids = [new_player(tables, name) for name in ("Ann", "Ben", "Cid", "Dee")]
    today = int(tables.now() // DAY)

    def work(connection):
        for number, player in enumerate(ids):
            row = store.RatingRow(player, "gops", 27_000 + 100 * number, 3_000, 20, today)
            store.save(connection, row)
        friends.befriend(connection, ids[0], ids[1], 0.0)
        friends.befriend(connection, ids[0], ids[2], 0.0)

    tables.database.write(work)
    leaderboards.want(tables, "key of Ben", True, NOBODY)
    leaderboards.want(tables, "key of Dee", True, EVERYBODY)

    def seen(name, public):
        found = leaderboards.get(tables, f"key of {name}" if name else "", "gops", public)
        return [it.name for it in found.friends], [it.name for it in found.everybody]

    assert seen("Ann", True) == (["Cid", "Ann"], ["Dee"])
    assert seen("Ben", False) == (["Ben", "Ann"], [])
    assert seen("Dee", False) == (["Dee"], [])
    assert seen("", True) == ([], ["Dee"])
    assert seen("", False) == ([], [])
    people_of_nobody = leaderboards.get(tables, "nobody's", "gops", True)
    assert people_of_nobody.wish is None and people_of_nobody.own == []
    tables.database.write(lambda c: friends.block(c, ids[0], ids[3], 0.0))
    assert seen("Ann", True)[1] == [] and seen("Ben", True)[1] == ["Dee"]


def test_player_with_a_provisional_rating_is_on_no_leaderboard(tables):
    ann = new_player(tables, "Ann")
    leaderboards.want(tables, "key of Ann", True, EVERYBODY)
    today = int(tables.now() // DAY)

    def listed(sigma, played, last_day):
        row = store.RatingRow(ann, "gops", 27_000, sigma, played, last_day)
        tables.database.write(lambda c: store.save(c, row))
        found = leaderboards.get(tables, "key of Ann", "gops", True)
        assert len(found.own) == 1
        return bool(found.friends), bool(found.everybody), found.own[0].provisional

    assert listed(3_000, 10, today) == (True, True, False)
    assert listed(3_000, 9, today) == (False, False, True)
    assert listed(5_100, 30, today) == (False, False, True)
    assert listed(4_900, 30, today - 400) == (False, False, True)


@pytest.mark.parametrize(
    ("stayed", "left", "word"),
    [
        (4, 0, "new here"),
        (5, 0, "finishes nearly every match"),
        (50, 0, "finishes nearly every match"),
        (45, 5, "left 5 of the last 50 matches"),
        (3, 7, "left 7 of the last 10 matches"),
        (0, 50, "left 50 of the last 50 matches"),
    ],
)
def test_reliability_is_shown_in_words(stayed, left, word):
    assert in_words(manner([True] * stayed + [False] * left)) == word


@pytest.mark.parametrize(
    ("stayed", "left", "reliable"), [(0, 4, True), (45, 5, True), (16, 4, True), (12, 8, False)]
)
def test_reliable_player_finishes_four_of_five_matches(stayed, left, reliable):
    assert is_reliable(manner([True] * stayed + [False] * left)) is reliable


def test_label_of_an_older_server_is_ignored():
    assert [in_words(it) for it in ("", "stays", "often leaves")] == [""] * 3
    assert is_reliable("often leaves")


def test_reliability_label_of_a_seat_ignores_bot_matches(tables):
    ann, ben = new_player(tables, "Ann"), new_player(tables, "Ben")

    def work(connection):
        for number in range(1, 8):
            queries.add_match_player(connection, number, 0, ann)
            if number < 6:
                queries.add_match_player(connection, number, 1, ben)
            if number in (2, 7):
                store.note_gone(connection, number, 0)
        connection.execute(update(matches).values(ended_at=matches.c.id))

    with_matches(tables, 7)
    tables.database.write(work)
    assert tables.database.read(lambda c: store.stays(c, ann, 50)) == [
        True,
        True,
        True,
        False,
        True,
    ]
    code, _ = opened(tables, "Ben", "Ann")
    chairs = tables.get(code).table.chairs
    assert [occupant.manner for occupant in chairs] == ["finishes", "left 1 5"]


def test_ratings_can_be_erased_alone(tables):
    ids = played_out(tables, 3, 5)
    leaderboards.forget(tables, "key of P0")
    assert known(tables, ids[:1]) == {}
    assert not leaderboards.get(tables, "key of P0", "gops", False).wish.counts
    assert maintenance.check(tables) == []


def test_club_leaderboard_lists_consenting_members_by_name(tables):
    ids = {name: new_player(tables, name) for name in ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")}
    for number, (name, shown) in enumerate(
        {"Ann": NOBODY, "Ben": CLUBS, "Cat": FRIENDS, "Dan": EVERYBODY, "Eve": CLUBS}.items()
    ):
        leaderboards.want(tables, f"key of {name}", True, shown)
        row = RatingRow(ids[name], "gops", 30_000 - number, 1_000, 20, int(tables.now() // DAY))
        tables.database.write(lambda c, row=row: store.save(c, row))
    code = clubs.found(tables, ids["Ann"], "The Gulls", "Queen Ann")
    secret = invitations.new_link(tables, code, "key of Ann")
    for name in ("Ben", "Cat", "Dan"):
        invitations.join(tables, secret, ids[name], f"{name}ny")

    def listed(name):
        found = leaderboards.get(tables, f"key of {name}", "gops", False).clubs
        return [(club, [it.name for it in rows]) for club, rows in found]

    assert listed("Ann") == [("The Gulls", ["Queen Ann", "Benny", "Danny"])]
    assert listed("Ben") == [("The Gulls", ["Benny", "Danny"])]
    assert listed("Cat") == [("The Gulls", ["Benny", "Catny", "Danny"])]
    assert listed("Eve") == listed("Fay") == []  # not members of the club
    of_friends = leaderboards.get(tables, "key of Ann", "gops", False).friends
    assert [it.name for it in of_friends] == ["Ann"]
    friends_service.block(tables, ids["Dan"], ids["Ann"])
    assert listed("Ann") == [("The Gulls", ["Queen Ann", "Benny"])]
    clubs.leave(tables, code, "key of Ben")
    assert listed("Ann") == [("The Gulls", ["Queen Ann"])]


def test_correspondence_rating_is_separate_checked_and_voided(tables):
    code, ids = begun(tables, "Ann", "Ben")
    finish(tables, code)
    before = known(tables, ids)
    record, ids = played_over_days(tables, "Ann", "Ben")
    assert known(tables, ids) == before
    own = leaderboards.get(tables, "key of Ann", "gops", False).own
    assert [(it.game, it.played) for it in own] == [("gops", 1), ("gops days", 1)]
    days = tables.database.read(lambda c: store.of_game(c, ids, "gops days"))
    assert {row.played for row in days.values()} == {1}
    for _ in range(5):  # repeated opponents weigh less and less
        played_over_days(tables, "Ann", "Ben")
    steps = tables.database.read(lambda c: store.steps(c, "gops days"))
    assert [step.nth for step in steps if step.seat == 0] == [1, 2, 3, 4, 5, 6]
    assert maintenance.check(tables) == []
    assert void(tables, record) == 2
    assert maintenance.check(tables) == [] and known(tables, ids) == before


def test_shared_browser_players_are_unrated_without_consent(tables):
    """Pass and play: each has a separate player, whom no page of ratings shows."""
    ann = new_player(tables, "Ann")
    guest, _ = players.player(tables, "key of a guest at the same browser", "Ben")
    code = lobby.open(tables, "gops", GAMES["gops"].options(players=2), ann, "Ann")
    lobby.sit(tables, code, guest, "Ben")
    assert not counts(tables.get(code).table)
