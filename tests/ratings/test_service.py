"""Which matches count, what they do, that folding them again gives the same digits."""

import random

import pytest
from sqlalchemy import insert, update

from kaboom.accounts import merge_queries
from kaboom.accounts import players as keys
from kaboom.db.models import matches, rating_steps, ratings
from kaboom.engine.bots.bot import Level
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.lobby.seat_transfer import new_pass, use_pass
from kaboom.play import service as in_match
from kaboom.ratings import leaderboards
from kaboom.ratings import queries as store
from kaboom.ratings.openskill import Rating, rated
from kaboom.ratings.queries import CLUBS, EVERYBODY, FRIENDS, NOBODY, RatingRow
from kaboom.ratings.service import (
    LATELY,
    counts,
    folded,
    manner,
    places_with_leavers_last,
    rate,
    said_before,
)
from kaboom.records.service import Library
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import queries as people
from kaboom.social.friends import service as commands_people
from kaboom.tables import queries, sittings
from kaboom.tables.maintenance.cleanup import stop
from kaboom.tables.table import Chair, Hints, Table
from tests.support.effort import LONG
from tests.support.finished_matches import finish

DAY = 24 * 3600.0


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


def somebody(tables, name, wants=True):
    player, _ = keys.player(tables, f"key of {name}", name)
    leaderboards.want(tables, f"key of {name}", wants, FRIENDS)
    return player


def opened(tables, *names, wants=None, bots=0):
    """Return the code of a table of GOPS where these people are about to begin, and their ids."""
    ids = [somebody(tables, name, wants is None or name in wants) for name in names]
    options = GAMES["gops"].options(players=len(names) + bots)
    code = seating.open(tables, "gops", options, ids[0], names[0])
    for player, name in zip(ids[1:], names[1:], strict=True):
        seating.sit(tables, code, player, name)
    for _ in range(bots):
        seating.add_bot(tables, code, ids[0], level=Level.EASY)
    return code, ids


def played_over_days(tables, *names):
    ids = [somebody(tables, name) for name in names]
    options = GAMES["gops"].options(players=len(names))
    code = seating.open(tables, "gops", options, ids[0], names[0], days=2)
    for player, name in zip(ids[1:], names[1:], strict=True):
        seating.sit(tables, code, player, name)
    seating.start(tables, code, ids[0])
    finish(tables, code)
    return tables.look(code).table.record, ids


def begun(tables, *names, **more):
    code, ids = opened(tables, *names, **more)
    seating.start(tables, code, ids[0])
    return code, ids


def known(tables, ids):
    return tables.database.read(lambda c: store.of_game(c, ids, "gops"))


def lines(tables, code):
    return [said.kind for said in tables.look(code).table.told]


def test_a_match_of_people_who_want_it_counts_and_says_so_before_the_deal(tables):
    code, ids = opened(tables, "Ann", "Ben")
    assert said_before(tables.look(code).table) == "This match counts for ratings."
    seating.start(tables, code, ids[0])
    assert "table.rated" in lines(tables, code)
    finish(tables, code)
    places = tables.look(code).table.outcome.places
    expected = rated([Rating(), Rating()], places)
    found = known(tables, ids)
    assert [Rating(found[it].mu, found[it].sigma) for it in ids] == expected
    assert {row.played for row in found.values()} == {1}


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"wants": ["Ann"]}, "Not all of you want"),
        ({"wants": []}, ""),
        ({"bots": 1}, "With a bot among you"),
    ],
)
def test_no_other_match_counts_and_it_says_why_where_anybody_cares(tables, more, why):
    code, ids = opened(tables, "Ann", "Ben", **more)
    said = said_before(tables.look(code).table)
    assert said.startswith(why) and bool(said) == bool(why)
    seating.start(tables, code, ids[0])
    assert "table.rated" not in lines(tables, code)
    finish(tables, code)
    assert known(tables, ids) == {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda table: setattr(table, "hints", Hints.ALL), "Where all may ask"),
        (lambda table: setattr(table, "board", "day x"), ""),
        (lambda table: setattr(table.chairs[0], "program", True), "With a bot"),
        (lambda table: setattr(table, "chairs", table.chairs[:1]), "Only matches of two"),
    ],
)
def test_what_else_keeps_a_match_from_counting(change, said):
    table = Table([Chair("Ann", 1, counts=True), Chair("Ben", 2, counts=True)], b"", 1)
    assert counts(table)
    change(table)
    assert not counts(table)
    assert said_before(table).startswith(said) and bool(said_before(table)) == bool(said)


def test_a_match_that_counts_stays_with_whoever_was_dealt_its_cards(tables):
    code, (_, ben) = opened(tables, "Ann", "Ben")
    made_before = new_pass(tables, code, ben)
    seating.start(tables, code, tables.look(code).table.host)
    for carried in (
        lambda: new_pass(tables, code, ben),
        lambda: use_pass(tables, code, made_before, "key of Cid"),
    ):
        with pytest.raises(InvalidState, match="counts for ratings"):
            carried()
    finish(tables, code)
    assert ben in known(tables, [ben])


def test_who_was_handed_a_seat_is_rated_only_if_they_want_it(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    somebody(tables, "Cid", wants=False)
    use_pass(tables, code, new_pass(tables, code, ben), "key of Cid")
    assert said_before(tables.look(code).table).startswith("Not all of you want")
    seating.start(tables, code, ann)
    assert "table.rated" not in lines(tables, code)


def test_a_match_that_was_stopped_changes_nothing(tables):
    code, ids = begun(tables, "Ann", "Ben")
    stop(tables, code)
    assert known(tables, ids) == {}


@pytest.mark.parametrize("way", ["leave", "hand over"])
def test_whoever_leaves_or_lets_a_bot_play_comes_last_and_is_remembered(tables, way):
    code, ids = begun(tables, "Ann", "Ben", "Cid")
    if way == "leave":
        sittings.leave(tables, code, ids[1])
    else:
        in_match.hand_over(tables, code, ids[1])
    finish(tables, code)
    found = known(tables, ids)
    assert found[ids[1]].mu < min(found[ids[0]].mu, found[ids[2]].mu)
    stays = [tables.database.read(lambda c, it=it: store.stays(c, it, 50)) for it in ids]
    assert stays == [[True], [False], [True]]


def test_leavers_tie_for_the_last_place():
    assert places_with_leavers_last((1, 2, 3, 4), [0, 1]) == [3, 3, 1, 2]
    assert places_with_leavers_last((1, 1, 3), []) == [1, 1, 3]
    assert places_with_leavers_last((1, 2), [1]) == [1, 2]


def test_the_same_people_again_weigh_less_from_the_fifth_match_and_after_a_month_do_not(
    tables,
):
    ids = [somebody(tables, name) for name in ("Ann", "Ben", "Cid")]
    chairs = [Chair(name, it, counts=True) for name, it in zip("AB", ids, strict=False)]
    table, outcome = Table(chairs, b"", ids[0]), Outcome((1, 0), (1, 2))

    def end(now, number, who=table):
        tables.database.write(lambda c: rate(c, number, "gops", who, outcome, now))

    def numbers():
        steps = tables.database.read(lambda c: store.steps(c, "gops"))
        return [step.nth for step in steps if step.seat == 0]

    with_matches(tables, 12)
    for number in range(1, 7):
        end(DAY * 100, number)
    others = Table([chairs[0], Chair("C", ids[2], counts=True)], b"", ids[0])
    end(DAY * 101, 7, others)
    end(DAY * (100 + LATELY), 8)
    end(DAY * (101 + LATELY), 9)
    assert numbers() == [1, 2, 3, 4, 5, 6, 1, 7, 2]
    of_cid = tables.database.read(lambda c: store.circles(c, ids[2], "gops", 0))
    assert of_cid == [{ids[0], ids[2]}]
    assert leaderboards.check(tables) == []


def with_matches(tables, count):
    """Keep as many matches for steps to refer to."""

    def work(connection):
        for number in range(1, count + 1):
            values = {"id": number, "code": f"M{number}", "table_id": None, "number": 1}
            values |= {"game": "gops", "game_version": 1, "options": "{}", "names": "[]"}
            values |= {"seed": b"x" * 32, "cuts": "[]", "started_at": 0.0, "hidden": False}
            connection.execute(insert(matches), values)

    tables.database.write(work)


def played_out(tables, people, count, seed=1):
    """Rate so many matches of two to five of these people, on days that go on; return the ids."""
    chance, ids = random.Random(seed), [somebody(tables, f"P{n}") for n in range(people)]
    with_matches(tables, count)

    def work(connection):
        for number in range(1, count + 1):
            seats = chance.sample(ids, chance.randint(2, min(5, people)))
            chairs = [Chair("x", it, present=chance.random() > 0.05) for it in seats]
            marks = [chance.randint(0, 4) for _ in seats]
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


def test_folding_the_steps_again_gives_the_stored_digits(tables):
    ids = played_out(tables, 8 if not LONG else 200, 100 if not LONG else 10_000)
    assert leaderboards.check(tables) == []
    steps, stored = everything(tables)
    found, right = folded(steps)
    assert sorted(right) == sorted(steps)
    assert sorted(tuple(row) for row in found.values()) == stored
    assert len(stored) == len(ids)


@pytest.mark.parametrize("what", ["rating", "step", "nth", "gone"])
def test_any_other_digit_is_found(tables, what):
    played_out(tables, 4, 12)
    change = {
        "rating": update(ratings).where(ratings.c.player_id == 1).values(mu=ratings.c.mu + 1),
        "step": update(rating_steps).where(rating_steps.c.seq == 5).values(sigma=1),
        "nth": update(rating_steps).where(rating_steps.c.seq == 5).values(nth=77),
        "gone": rating_steps.delete().where(rating_steps.c.match_id == 3),
    }[what]
    tables.database.write(lambda connection: connection.execute(change))
    assert leaderboards.check(tables)


def test_after_forgetting_merging_and_voiding_all_still_follows_from_the_steps(tables):
    ids = played_out(tables, 8, 60)
    before = dict(zip(ids, (known(tables, [it])[it] for it in ids), strict=True))
    Library(tables).forget("key of P0")
    assert known(tables, ids[:1]) == {}
    assert leaderboards.check(tables) == []
    steps, _ = everything(tables)
    assert ids[0] not in {step.who for step in steps}
    newcomer, _ = keys.player(tables, "key of new", "New")
    tables.database.write(lambda c: merge_queries.carry(c, ids[1], newcomer, "x", "nobody 1"))
    assert known(tables, [newcomer])[newcomer] == before[ids[1]]._replace(player_id=newcomer)
    assert leaderboards.check(tables) == []
    tables.database.write(lambda c: merge_queries.carry(c, ids[2], ids[3], "y", "nobody 2"))
    assert known(tables, ids[2:4]) == {ids[3]: before[ids[3]]}
    assert leaderboards.check(tables) == []
    assert leaderboards.void(tables, "M20") >= 2
    assert leaderboards.void(tables, "M20") == 0
    assert leaderboards.check(tables) == []


def test_a_void_match_leaves_what_there_would_be_without_it(tables):
    played_out(tables, 5, 30)
    steps, _ = everything(tables)
    without, _ = folded(step for step in steps if step.match_id != 9)
    leaderboards.void(tables, "M9")
    _, stored = everything(tables)
    assert stored == sorted(tuple(row) for row in without.values())


def test_both_stores_rate_alike(open_tables, store_url):
    tables = open_tables(store_url)
    played_out(tables, 4, 10)
    assert leaderboards.check(tables) == []
    assert leaderboards.void(tables, "M3")
    assert leaderboards.check(tables) == []


def test_who_is_shown_what(tables):
    ids = [somebody(tables, name) for name in ("Ann", "Ben", "Cid", "Dee")]
    today = int(tables.now() // DAY)

    def work(connection):
        for number, player in enumerate(ids):
            row = store.RatingRow(player, "gops", 27_000 + 100 * number, 3_000, 20, today)
            store.save(connection, row)
        people.befriend(connection, ids[0], ids[1], 0.0)
        people.befriend(connection, ids[0], ids[2], 0.0)

    tables.database.write(work)
    leaderboards.want(tables, "key of Ben", True, NOBODY)
    leaderboards.want(tables, "key of Dee", True, EVERYBODY)

    def seen(name, public):
        found = leaderboards.look(tables, f"key of {name}" if name else "", "gops", public)
        return [it.name for it in found.friends], [it.name for it in found.everybody]

    assert seen("Ann", True) == (["Cid", "Ann"], ["Dee"])
    assert seen("Ben", False) == (["Ben", "Ann"], [])
    assert seen("Dee", False) == (["Dee"], [])
    assert seen("", True) == ([], ["Dee"])
    assert seen("", False) == ([], [])
    people_of_nobody = leaderboards.look(tables, "nobody's", "gops", True)
    assert people_of_nobody.wish is None and people_of_nobody.own == []
    tables.database.write(lambda c: people.block(c, ids[0], ids[3], 0.0))
    assert seen("Ann", True)[1] == [] and seen("Ben", True)[1] == ["Dee"]


def test_of_whom_too_little_is_known_is_on_no_list(tables):
    ann = somebody(tables, "Ann")
    leaderboards.want(tables, "key of Ann", True, EVERYBODY)
    today = int(tables.now() // DAY)

    def listed(sigma, played, last_day):
        row = store.RatingRow(ann, "gops", 27_000, sigma, played, last_day)
        tables.database.write(lambda c: store.save(c, row))
        found = leaderboards.look(tables, "key of Ann", "gops", True)
        assert len(found.own) == 1
        return bool(found.friends), bool(found.everybody), found.own[0].provisional

    assert listed(3_000, 10, today) == (True, True, False)
    assert listed(3_000, 9, today) == (False, False, True)
    assert listed(5_100, 30, today) == (False, False, True)
    assert listed(4_900, 30, today - 400) == (False, False, True)


@pytest.mark.parametrize(
    ("stayed", "left", "word"),
    [
        (4, 0, ""),
        (5, 0, "stays"),
        (50, 0, "stays"),
        (45, 5, "mostly stays"),
        (3, 7, "often leaves"),
        (0, 50, "often leaves"),
    ],
)
def test_a_word_for_those_who_are_about_to_sit_together(stayed, left, word):
    assert manner([True] * stayed + [False] * left) == word


def test_the_word_is_on_the_chair_and_matches_with_bots_alone_say_nothing(tables):
    ann, ben = somebody(tables, "Ann"), somebody(tables, "Ben")

    def work(connection):
        for number in range(1, 8):
            queries.add_part(connection, number, 0, ann)
            if number < 6:
                queries.add_part(connection, number, 1, ben)
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
    chairs = tables.look(code).table.chairs
    assert [chair.manner for chair in chairs] == ["stays", "mostly stays"]


def test_forgetting_ratings_alone(tables):
    ids = played_out(tables, 3, 5)
    leaderboards.forget(tables, "key of P0")
    assert known(tables, ids[:1]) == {}
    assert not leaderboards.look(tables, "key of P0", "gops", False).wish.counts
    assert leaderboards.check(tables) == []


def test_a_clubs_list_has_the_members_who_show_theirs_under_their_names_there(tables):
    ids = {name: somebody(tables, name) for name in ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")}
    for number, (name, shown) in enumerate(
        {"Ann": NOBODY, "Ben": CLUBS, "Cat": FRIENDS, "Dan": EVERYBODY, "Eve": CLUBS}.items()
    ):
        leaderboards.want(tables, f"key of {name}", True, shown)
        row = RatingRow(ids[name], "gops", 30_000 - number, 1_000, 20, int(tables.now() // DAY))
        tables.database.write(lambda c, row=row: store.save(c, row))
    code = clubs.found(tables, ids["Ann"], "The Gulls", "Queen Ann")
    secret = clubs.new_link(tables, code, "key of Ann")
    for name in ("Ben", "Cat", "Dan"):
        clubs.join(tables, secret, ids[name], f"{name}ny")

    def listed(name):
        found = leaderboards.look(tables, f"key of {name}", "gops", False).clubs
        return [(club, [it.name for it in rows]) for club, rows in found]

    assert listed("Ann") == [("The Gulls", ["Queen Ann", "Benny", "Danny"])]
    assert listed("Ben") == [("The Gulls", ["Benny", "Danny"])]
    assert listed("Cat") == [("The Gulls", ["Benny", "Catny", "Danny"])]
    assert listed("Eve") == listed("Fay") == []  # not of the club
    of_friends = leaderboards.look(tables, "key of Ann", "gops", False).friends
    assert [it.name for it in of_friends] == ["Ann"]
    commands_people.block(tables, ids["Dan"], ids["Ann"])
    assert listed("Ann") == [("The Gulls", ["Queen Ann", "Benny"])]
    clubs.leave(tables, code, "key of Ben")
    assert listed("Ann") == [("The Gulls", ["Queen Ann"])]


def test_matches_over_days_are_rated_apart_and_checked_and_voided_like_all(tables):
    code, ids = begun(tables, "Ann", "Ben")
    finish(tables, code)
    before = known(tables, ids)
    record, ids = played_over_days(tables, "Ann", "Ben")
    assert known(tables, ids) == before
    own = leaderboards.look(tables, "key of Ann", "gops", False).own
    assert [(it.game, it.played) for it in own] == [("gops", 1), ("gops days", 1)]
    days = tables.database.read(lambda c: store.of_game(c, ids, "gops days"))
    assert {row.played for row in days.values()} == {1}
    for _ in range(5):  # among the same people they weigh less and less, as all do
        played_over_days(tables, "Ann", "Ben")
    steps = tables.database.read(lambda c: store.steps(c, "gops days"))
    assert [step.nth for step in steps if step.seat == 0] == [1, 2, 3, 4, 5, 6]
    assert leaderboards.check(tables) == []
    assert leaderboards.void(tables, record) == 2
    assert leaderboards.check(tables) == [] and known(tables, ids) == before


def test_who_shares_a_browser_is_not_rated_for_nobody_of_them_has_said_so(tables):
    """Pass and play: each has a player of their own, of whom no page of ratings knows."""
    ann = somebody(tables, "Ann")
    guest, _ = keys.player(tables, "key of a guest at the same browser", "Ben")
    code = seating.open(tables, "gops", GAMES["gops"].options(players=2), ann, "Ann")
    seating.sit(tables, code, guest, "Ben")
    assert not counts(tables.look(code).table)
