"""Clubs: who comes in, who sees whom, what a block holds, and that none is without officers."""

import hashlib
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kaboom.accounts import login as coming_in
from kaboom.accounts import merge, players
from kaboom.accounts.login import LinkExpired
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import seat_transfer
from kaboom.lobby import service as seating
from kaboom.records.service import Library
from kaboom.social.chat import service as chat
from kaboom.social.clubs import queries as store
from kaboom.social.clubs import service as clubs
from kaboom.social.clubs.roles import INSIDE, Standing
from kaboom.social.clubs.service import ClubNotFound
from kaboom.social.friends import service as people
from kaboom.tables.maintenance.cleanup import stop
from kaboom.tables.snapshot import PasswordRequired
from tests.support.members import KEYS

FRESH = hashlib.sha256(b"fresh").hexdigest()


def look(tables, code, name):
    return clubs.look(tables, code, KEYS.get(name, ""))


def members(tables, code, asker="Ann"):
    return [it.name for it in look(tables, code, asker).members]


def word(tables, code, asker, name):
    found = look(tables, code, asker)
    return next(it.word for it in (*found.members, *found.asked, *found.removed) if it.name == name)


def do(tables, code, asker, what, name, known_by="Ann"):
    clubs.do(tables, code, KEYS[asker], what, word(tables, code, known_by, name))


def opened(tables, club, name, ids, **more):
    return seating.open(
        tables, "taken", GAMES["taken"].options(), ids[name], name, club=club, **more
    )


def found_by(tables, club, name):
    return [it.code for it in clubs.tables_of(tables, club, KEYS[name])]


# Coming in


def test_a_link_lets_everybody_in_for_a_week_until_a_new_one_is_made(tables, ids, watch):
    code = clubs.found(tables, ids["Ann"], "The Gulls", "Ann")
    first = clubs.new_link(tables, code, KEYS["Ann"])
    assert clubs.name_on_link(tables, first, KEYS["Ben"]) == "The Gulls"
    for _ in range(2):
        assert clubs.join(tables, first, ids["Ben"], "Ben") == code
    second = clubs.new_link(tables, code, KEYS["Ann"])
    clubs.join(tables, second, ids["Cleo"], "Cleo")
    assert members(tables, code) == ["Ann", "Ben", "Cleo"]
    gone = [first, "made up"]
    watch.sleep(clubs.LINK_DAYS * clubs.DAY + 1)
    gone.append(second)
    third = clubs.new_link(tables, code, KEYS["Ann"])
    clubs.end_link(tables, code, KEYS["Ann"])
    for secret in (*gone, third):
        with pytest.raises(LinkExpired):
            clubs.join(tables, secret, ids["Dan"], "Dan")


def test_one_asks_where_the_club_lets_one_and_an_officer_answers(tables, ids, club):
    with pytest.raises(InvalidState):
        clubs.ask(tables, club, ids["Dan"], "Dan")
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=True, phrases=False)
    for _ in range(2):
        clubs.ask(tables, club, ids["Dan"], "Ben")  # a name that another has
        clubs.ask(tables, club, ids["Eve"], "Eve")
    assert [it.name for it in look(tables, club, "Ann").asked] == ["Ben 2", "Eve"]
    assert look(tables, club, "Ben").asked == ()  # who is no officer
    do(tables, club, "Ann", "yes", "Ben 2")
    do(tables, club, "Ann", "no", "Eve")
    assert members(tables, club) == ["Ann", "Ben", "Cleo", "Ben 2"]
    assert look(tables, club, "Eve").standing is None


def test_who_is_outside_sees_the_name_alone(tables, ids, club):
    for name in ("Dan", "nobody at all"):
        seen = look(tables, club, name)
        assert (seen.name, seen.inside, seen.members, seen.asked) == ("The Gulls", False, (), ())
        assert clubs.tables_of(tables, club, KEYS.get(name, "")) == []
    with pytest.raises(ClubNotFound):
        look(tables, "NOTACLUB", "Ann")


def test_only_officers_arrange_things(tables, ids, club):
    for deed in (
        lambda: do(tables, club, "Ben", "remove", "Cleo"),
        lambda: do(tables, club, "Ben", "officer", "Cleo"),
        lambda: do(tables, club, "Dan", "remove", "Cleo"),
        lambda: clubs.settle(tables, club, KEYS["Ben"], "Mine", asking=True, phrases=True),
        lambda: clubs.new_link(tables, club, KEYS["Ben"]),
        lambda: clubs.end_link(tables, club, KEYS["Ben"]),
        lambda: clubs.be_called(tables, club, KEYS["Dan"], "Ann"),
        lambda: clubs.leave(tables, club, KEYS["Dan"]),
        lambda: do(tables, club, "Ann", "remove", "Ann"),  # oneself one does not remove
    ):
        with pytest.raises(NotPermitted):
            deed()
    do(tables, club, "Ann", "officer", "Ben")
    do(tables, club, "Ben", "remove", "Cleo")
    do(tables, club, "Ben", "member", "Ann")
    assert look(tables, club, "Ann").officer is False
    with pytest.raises(InvalidState):
        do(tables, club, "Ben", "yes", "Ann", known_by="Ben")  # who has not asked


def test_a_link_of_somebody_who_is_no_officer_any_more_leads_nowhere(tables, ids, club):
    do(tables, club, "Ann", "officer", "Ben")
    secret = clubs.new_link(tables, club, KEYS["Ben"])
    do(tables, club, "Ann", "member", "Ben")
    with pytest.raises(LinkExpired):
        clubs.join(tables, secret, ids["Dan"], "Dan")


def test_who_is_removed_comes_back_only_when_an_officer_lets_them(tables, ids, club):
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=True, phrases=False)
    old = clubs.new_link(tables, club, KEYS["Ann"])
    table = opened(tables, club, "Ann", ids, password="x")
    clubs.enter(tables, table, KEYS["Ben"])
    tables.look(table, KEYS["Ben"])
    do(tables, club, "Ann", "remove", "Ben")
    with pytest.raises(PasswordRequired):  # what they had been let in to by the club
        tables.look(table, KEYS["Ben"])
    for secret in (old, clubs.new_link(tables, club, KEYS["Ann"])):
        with pytest.raises(LinkExpired):
            clubs.join(tables, secret, ids["Ben"], "Ben")
    clubs.ask(tables, club, ids["Ben"], "Ben")
    with pytest.raises(NotPermitted):
        clubs.leave(tables, club, KEYS["Ben"])  # which would be a way to be forgotten there
    assert look(tables, club, "Ann").asked == []
    assert clubs.clubs_of(tables, KEYS["Ben"]) == []
    do(tables, club, "Ann", "welcome", "Ben")
    clubs.ask(tables, club, ids["Ben"], "Ben")
    do(tables, club, "Ann", "yes", "Ben")
    assert "Ben" in members(tables, club)


def test_names_in_a_club_are_told_apart_and_stay_in_it(tables, ids, club):
    clubs.be_called(tables, club, KEYS["Cleo"], "Bеn")  # with a Cyrillic letter
    assert members(tables, club) == ["Ann", "Ben", "Bеn 2"]
    with pytest.raises(InvalidState):
        clubs.be_called(tables, club, KEYS["Cleo"], "\u200b")
    assert people.name_of(tables, KEYS["Cleo"]) == "Cleo"
    table = opened(tables, club, "Ann", ids)
    seating.sit(tables, table, ids["Cleo"], "Cleopatra")
    assert [chair.name for _, chair in tables.look(table).table.sitting()] == ["Ann", "Bеn 2"]


def test_there_is_an_end_to_clubs_and_members(tables, ids, club, monkeypatch):
    for number in range(clubs.MOST_CLUBS - 1):
        clubs.found(tables, ids["Ann"], f"Club {number}", "Ann")
    with pytest.raises(InvalidState):
        clubs.found(tables, ids["Ann"], "One more", "Ann")
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 3)
    secret = clubs.new_link(tables, club, KEYS["Ann"])
    with pytest.raises(InvalidState):
        clubs.join(tables, secret, ids["Dan"], "Dan")
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=True, phrases=False)
    monkeypatch.setattr(clubs, "MOST_ASKING", 1)
    clubs.ask(tables, club, ids["Dan"], "Dan")
    with pytest.raises(InvalidState):
        clubs.ask(tables, club, ids["Eve"], "Eve")
    for name in ("", "\u200b"):
        with pytest.raises(InvalidState):
            clubs.found(tables, ids["Dan"], name, "Dan")


# Tables


def test_members_find_a_club_s_tables_and_enter_them_without_the_password(tables, ids, club):
    table = opened(tables, club, "Ann", ids, password="sesame")
    assert found_by(tables, club, "Ben") == [table]
    with pytest.raises(PasswordRequired):
        tables.look(table, KEYS["Ben"])
    for outside in ("Dan", "nobody"):
        with pytest.raises(NotPermitted):
            clubs.enter(tables, table, KEYS.get(outside, ""))
    clubs.enter(tables, table, KEYS["Ben"])
    assert tables.look(table, KEYS["Ben"]).player == ids["Ben"]
    assert clubs.name_to(tables, club, KEYS["Ben"]) == "The Gulls"
    assert clubs.name_to(tables, club, KEYS["Dan"]) == ""
    other = seating.open(
        tables, "taken", GAMES["taken"].options(), ids["Ann"], "Ann", password="sesame"
    )
    with pytest.raises(NotPermitted):  # a table of no club
        clubs.enter(tables, other, KEYS["Ben"])
    with pytest.raises(NotPermitted):
        opened(tables, club, "Dan", ids)


def test_a_club_s_old_tables_are_not_listed(tables, ids, club, watch):
    opened(tables, club, "Ann", ids)
    watch.sleep(clubs.SHOWN_FOR + 1)
    new = opened(tables, club, "Ann", ids)
    assert found_by(tables, club, "Ben") == [new]


def test_where_only_phrases_are_said_nothing_else_is_nor_sits_a_guest(tables, ids, club):
    table = opened(tables, club, "Ann", ids)
    chat.speak(tables, table, ids["Ann"], "Ann", text="Well")
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=False, phrases=True)
    later = opened(tables, club, "Ann", ids)
    for code in (table, later):  # at once, at the tables that there are
        with pytest.raises(NotPermitted):
            chat.speak(tables, code, ids["Ann"], "Ann", text="Well")
        chat.speak(tables, code, ids["Ann"], "Ann", phrase="hello")
        with pytest.raises(InvalidState):
            seating.sit(tables, code, ids["Dan"], "Dan")
        seating.sit(tables, code, ids["Ben"], "Ben")
        seating.cut(tables, code, ids["Ben"], "I write this instead")
        assert tables.look(code).table.chairs[1].cut != "I write this instead"
        secret = seat_transfer.new_pass(tables, code, ids["Ben"])
        with pytest.raises(InvalidState):  # a seat that is carried would let a guest in
            seat_transfer.use_pass(tables, code, secret, "key of a stranger")
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=False, phrases=False)
    chat.speak(tables, table, ids["Ann"], "Ann", text="Well")
    seating.sit(tables, table, ids["Dan"], "Dan")


# Blocks


def test_a_block_holds_in_a_club_on_every_worker_at_once(tables, ids, club, open_tables, store_url):
    again = open_tables(store_url)
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=True, phrases=False)
    table = opened(tables, club, "Ben", ids, password="x")
    assert found_by(again, club, "Cleo") == [table]
    do(tables, club, "Cleo", "block", "Ben")
    for one, other in (("Cleo", "Ben"), ("Ben", "Cleo")):
        assert members(again, club, one) == ["Ann", one]
        assert other in members(again, club, "Ann")
    assert found_by(again, club, "Cleo") == []
    with pytest.raises(NotPermitted):
        clubs.enter(again, table, KEYS["Cleo"])
    secret = clubs.new_link(tables, club, KEYS["Ann"])
    people.block(tables, ids["Ann"], ids["Dan"])
    clubs.ask(again, club, ids["Dan"], "Dan")  # is taken, and Ann does not see it
    assert look(tables, club, "Ann").asked == []
    with pytest.raises(LinkExpired):
        clubs.join(again, secret, ids["Dan"], "Dan")
    do(tables, club, "Ann", "officer", "Cleo")
    assert [it.name for it in look(tables, club, "Cleo").asked] == ["Dan"]


# Leaving, forgetting, becoming one


def test_without_officers_whoever_is_there_longest_is_one_and_without_members_it_ends(
    tables, ids, club
):
    clubs.leave(tables, club, KEYS["Ann"])
    assert look(tables, club, "Ben").officer is True
    table = opened(tables, club, "Ben", ids)
    Library(tables).forget(KEYS["Ben"])
    assert look(tables, club, "Cleo").officer is True
    assert members(tables, club, "Cleo") == ["Cleo"]
    clubs.leave(tables, club, KEYS["Cleo"])
    with pytest.raises(ClubNotFound):
        look(tables, club, "Cleo")
    assert tables.look(table).table.club == club  # which leads nowhere, and is no error
    seating.sit(tables, table, ids["Dan"], "Dan")
    assert clubs.name_to(tables, club, KEYS["Dan"]) == ""


def test_the_matches_of_a_club_s_tables_belong_to_it(tables, ids, club):
    table = opened(tables, club, "Ann", ids, bots=1)
    seating.start(tables, table, ids["Ann"])
    match = tables.look(table).table.match_id
    read = tables.database.read

    def of_club(connection):
        return connection.exec_driver_sql(
            f"SELECT club_id FROM matches WHERE id = {match}"
        ).scalar()

    assert read(of_club) == read(lambda c: store.by_code(c, club)).id
    clubs.dissolve(tables, club)
    assert read(of_club) is None
    stop(tables, table)
    seating.start(tables, table, ids["Ann"])  # the table goes on without a club


def brought(tables, guest, other):
    """Make a guest one with another player."""
    secret = coming_in.arrive(tables, other, KEYS[guest], FRESH).secret
    assert merge.bring_along(tables, secret, KEYS[guest]) is True


@pytest.mark.parametrize(
    ("ann", "ben", "kept"),
    [
        ("officer", "member", "officer"),
        ("member", "officer", "officer"),
        (None, "officer", "officer"),
        ("asked", "member", "member"),
        ("removed", "member", "removed"),
        ("member", "removed", "member"),
        ("removed", None, "removed"),
    ],
)
def test_who_become_one_keep_the_higher_standing_but_never_undo_a_removal(
    tables, ids, ann, ben, kept
):
    code = clubs.found(tables, ids["Cleo"], "The Gulls", "Cleo")
    club = tables.database.read(lambda c: store.by_code(c, code))
    for name, standing in (("Ann", ann), ("Ben", ben)):
        if standing:
            tables.database.write(
                lambda c, n=name, s=standing: store.put(c, club.id, ids[n], s, n, 1.0)
            )
    brought(tables, "Ben", ids["Ann"])
    found = tables.database.read(lambda c: store.members_of(c, club.id))
    assert [(it.player_id, it.standing) for it in found if it.player_id != ids["Cleo"]] == [
        (ids["Ann"], kept)
    ]


DEEDS = ("link", "leave", "forget", "merge", "officer", "member", "remove", "welcome")


@pytest.fixture
def one_store(open_tables, sqlite_url):
    """One service for all that is tried, and numbers of people who are new to it."""
    return open_tables(sqlite_url), count()


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    deeds=st.lists(
        st.tuples(st.sampled_from(DEEDS), st.integers(0, 3), st.integers(0, 3)), max_size=10
    )
)
def test_whatever_people_do_a_club_has_an_officer_or_is_gone(one_store, deeds):
    service, numbers = one_store

    def somebody():
        key = hashlib.sha256(f"somebody {next(numbers)}".encode()).hexdigest()
        return key, players.player(service, key, "Zoe")[0]

    crowd = [somebody() for _ in range(4)]
    code = clubs.found(service, crowd[0][1], "Club", "Zoe")
    for deed, who, other in deeds:
        try:
            _done(service, code, crowd, who, other, deed, somebody)
        except (ClubNotFound, InvalidState, NotPermitted, LinkExpired):
            continue
        club = service.database.read(lambda c: store.by_code(c, code))
        if club is None:
            return
        rows = service.database.read(lambda c, it=club.id: store.members_of(c, it))
        assert any(it.standing == Standing.OFFICER for it in rows)
        shown = [it.name for it in rows if it.standing in INSIDE]
        assert len(set(shown)) == len(shown)


def _done(service, code, crowd, who, other, deed, somebody):
    key, player = crowd[who]
    if deed == "link":
        officer = next(k for k, _ in crowd if clubs.look(service, code, k).officer)
        clubs.join(service, clubs.new_link(service, code, officer), player, "Zoe")
    elif deed == "leave":
        clubs.leave(service, code, key)
    elif deed == "forget":
        Library(service).forget(key)
        crowd[who] = somebody()
    elif deed == "merge" and who != other:
        fresh = hashlib.sha256(f"fresh {key}".encode()).hexdigest()
        secret = coming_in.arrive(service, crowd[other][1], key, fresh).secret
        merge.bring_along(service, secret, key)
        crowd[who] = somebody()
    elif deed in ("officer", "member", "remove", "welcome"):
        found = clubs.look(service, code, key)
        for it in (*found.members, *found.removed):
            clubs.do(service, code, key, deed, it.word)
