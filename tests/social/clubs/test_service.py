"""Clubs: joining, visibility, blocks, and that each club has an officer."""

import hashlib
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kaboom.accounts import login, merge, players
from kaboom.accounts.erase import erase
from kaboom.accounts.login import LinkExpired
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.lobby.seat_transfer import service as seat_transfer
from kaboom.social.chat import service as chat
from kaboom.social.clubs import invitations, roles
from kaboom.social.clubs import queries as store
from kaboom.social.clubs import service as clubs
from kaboom.social.clubs.models import INSIDE, Standing
from kaboom.social.clubs.service import ClubNotFound
from kaboom.social.friends import service as friends
from kaboom.tables import start_match
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.snapshot import PasswordRequired
from tests.support.members import KEYS

FRESH = hashlib.sha256(b"fresh").hexdigest()


def look(tables, code, name):
    return clubs.get(tables, code, KEYS.get(name, ""))


def members(tables, code, asker="Ann"):
    return [it.name for it in look(tables, code, asker).members]


def word(tables, code, asker, name):
    found = look(tables, code, asker)
    return next(it.word for it in (*found.members, *found.asked, *found.removed) if it.name == name)


def do(tables, code, asker, what, name, known_by="Ann"):
    roles.change_role(tables, code, KEYS[asker], what, word(tables, code, known_by, name))


def opened(tables, club, name, ids, **more):
    return lobby.open(tables, "taken", GAMES["taken"].options(), ids[name], name, club=club, **more)


def found_by(tables, club, name):
    return [it.code for it in clubs.tables_of(tables, club, KEYS[name])]


# Joining


def test_invite_link_admits_anyone_for_a_week_or_until_replaced(tables, ids, fake_clock):
    code = clubs.found(tables, ids["Ann"], "The Gulls", "Ann")
    first = invitations.new_link(tables, code, KEYS["Ann"])
    assert invitations.name_on_link(tables, first, KEYS["Ben"]) == "The Gulls"
    for _ in range(2):
        assert invitations.join(tables, first, ids["Ben"], "Ben") == code
    second = invitations.new_link(tables, code, KEYS["Ann"])
    invitations.join(tables, second, ids["Cleo"], "Cleo")
    assert members(tables, code) == ["Ann", "Ben", "Cleo"]
    gone = [first, "made up"]
    fake_clock.sleep(invitations.LINK_DAYS * clubs.DAY + 1)
    gone.append(second)
    third = invitations.new_link(tables, code, KEYS["Ann"])
    invitations.end_link(tables, code, KEYS["Ann"])
    for secret in (*gone, third):
        with pytest.raises(LinkExpired):
            invitations.join(tables, secret, ids["Dan"], "Dan")


def test_join_request_is_answered_by_an_officer(tables, ids, club):
    with pytest.raises(InvalidState):
        invitations.ask(tables, club, ids["Dan"], "Dan")
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=True, phrases=False)
    for _ in range(2):
        invitations.ask(tables, club, ids["Dan"], "Ben")  # the name of another member
        invitations.ask(tables, club, ids["Eve"], "Eve")
    assert [it.name for it in look(tables, club, "Ann").asked] == ["Ben 2", "Eve"]
    assert look(tables, club, "Ben").asked == ()  # Ben is not an officer
    do(tables, club, "Ann", "yes", "Ben 2")
    do(tables, club, "Ann", "no", "Eve")
    assert members(tables, club) == ["Ann", "Ben", "Cleo", "Ben 2"]
    assert look(tables, club, "Eve").standing is None


def test_non_member_sees_only_the_club_name(tables, ids, club):
    for name in ("Dan", "nobody at all"):
        seen = look(tables, club, name)
        assert (seen.name, seen.inside, seen.members, seen.asked) == ("The Gulls", False, (), ())
        assert clubs.tables_of(tables, club, KEYS.get(name, "")) == []
    with pytest.raises(ClubNotFound):
        look(tables, "NOTACLUB", "Ann")


def test_only_officers_manage_a_club(tables, ids, club):
    for deed in (
        lambda: do(tables, club, "Ben", "remove", "Cleo"),
        lambda: do(tables, club, "Ben", "officer", "Cleo"),
        lambda: do(tables, club, "Dan", "remove", "Cleo"),
        lambda: clubs.settle(tables, club, KEYS["Ben"], "Mine", asking=True, phrases=True),
        lambda: invitations.new_link(tables, club, KEYS["Ben"]),
        lambda: invitations.end_link(tables, club, KEYS["Ben"]),
        lambda: clubs.be_called(tables, club, KEYS["Dan"], "Ann"),
        lambda: clubs.leave(tables, club, KEYS["Dan"]),
        lambda: do(tables, club, "Ann", "remove", "Ann"),  # officers do not remove themselves
    ):
        with pytest.raises(NotPermitted):
            deed()
    do(tables, club, "Ann", "officer", "Ben")
    do(tables, club, "Ben", "remove", "Cleo")
    do(tables, club, "Ben", "member", "Ann")
    assert look(tables, club, "Ann").officer is False
    with pytest.raises(InvalidState):
        do(tables, club, "Ben", "yes", "Ann", known_by="Ben")  # Ann has not asked to join


def test_link_of_a_former_officer_is_invalid(tables, ids, club):
    do(tables, club, "Ann", "officer", "Ben")
    secret = invitations.new_link(tables, club, KEYS["Ben"])
    do(tables, club, "Ann", "member", "Ben")
    with pytest.raises(LinkExpired):
        invitations.join(tables, secret, ids["Dan"], "Dan")


def test_removed_member_returns_only_with_an_officers_consent(tables, ids, club):
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=True, phrases=False)
    old = invitations.new_link(tables, club, KEYS["Ann"])
    table = opened(tables, club, "Ann", ids, password="x")
    clubs.enter(tables, table, KEYS["Ben"])
    tables.get(table, KEYS["Ben"])
    do(tables, club, "Ann", "remove", "Ben")
    with pytest.raises(PasswordRequired):  # tables to which the club admitted them
        tables.get(table, KEYS["Ben"])
    for secret in (old, invitations.new_link(tables, club, KEYS["Ann"])):
        with pytest.raises(LinkExpired):
            invitations.join(tables, secret, ids["Ben"], "Ben")
    invitations.ask(tables, club, ids["Ben"], "Ben")
    with pytest.raises(NotPermitted):
        clubs.leave(tables, club, KEYS["Ben"])  # leaving would erase the ban
    assert look(tables, club, "Ann").asked == []
    assert clubs.clubs_of(tables, KEYS["Ben"]) == []
    do(tables, club, "Ann", "welcome", "Ben")
    invitations.ask(tables, club, ids["Ben"], "Ben")
    do(tables, club, "Ann", "yes", "Ben")
    assert "Ben" in members(tables, club)


def test_lookalike_member_names_are_distinguished(tables, ids, club):
    clubs.be_called(tables, club, KEYS["Cleo"], "Bеn")  # with a Cyrillic letter
    assert members(tables, club) == ["Ann", "Ben", "Bеn 2"]
    with pytest.raises(InvalidState):
        clubs.be_called(tables, club, KEYS["Cleo"], "\u200b")
    assert players.known(tables, KEYS["Cleo"])[1] == "Cleo"
    table = opened(tables, club, "Ann", ids)
    lobby.sit(tables, table, ids["Cleo"], "Cleopatra")
    assert [occupant.name for _, occupant in tables.get(table).table.sitting()] == ["Ann", "Bеn 2"]


def test_clubs_and_members_are_limited(tables, ids, club, monkeypatch):
    for number in range(clubs.MOST_CLUBS - 1):
        clubs.found(tables, ids["Ann"], f"Club {number}", "Ann")
    with pytest.raises(InvalidState):
        clubs.found(tables, ids["Ann"], "One more", "Ann")
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 3)
    secret = invitations.new_link(tables, club, KEYS["Ann"])
    with pytest.raises(InvalidState):
        invitations.join(tables, secret, ids["Dan"], "Dan")
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=True, phrases=False)
    monkeypatch.setattr(invitations, "MOST_ASKING", 1)
    invitations.ask(tables, club, ids["Dan"], "Dan")
    with pytest.raises(InvalidState):
        invitations.ask(tables, club, ids["Eve"], "Eve")
    for name in ("", "\u200b"):
        with pytest.raises(InvalidState):
            clubs.found(tables, ids["Dan"], name, "Dan")


# Tables


def test_member_enters_club_tables_without_the_password(tables, ids, club):
    table = opened(tables, club, "Ann", ids, password="sesame")
    assert found_by(tables, club, "Ben") == [table]
    with pytest.raises(PasswordRequired):
        tables.get(table, KEYS["Ben"])
    for outside in ("Dan", "nobody"):
        with pytest.raises(NotPermitted):
            clubs.enter(tables, table, KEYS.get(outside, ""))
    clubs.enter(tables, table, KEYS["Ben"])
    assert tables.get(table, KEYS["Ben"]).player == ids["Ben"]
    assert clubs.name_to(tables, club, KEYS["Ben"]) == "The Gulls"
    assert clubs.name_to(tables, club, KEYS["Dan"]) == ""
    other = lobby.open(
        tables, "taken", GAMES["taken"].options(), ids["Ann"], "Ann", password="sesame"
    )
    with pytest.raises(NotPermitted):  # a table of no club
        clubs.enter(tables, other, KEYS["Ben"])
    with pytest.raises(NotPermitted):
        opened(tables, club, "Dan", ids)


def test_old_club_tables_are_not_listed(tables, ids, club, fake_clock):
    opened(tables, club, "Ann", ids)
    fake_clock.sleep(clubs.SHOWN_FOR + 1)
    new = opened(tables, club, "Ann", ids)
    assert found_by(tables, club, "Ben") == [new]


def test_phrases_only_club_refuses_free_text_and_guests(tables, ids, club):
    table = opened(tables, club, "Ann", ids)
    chat.speak(tables, table, ids["Ann"], "Ann", text="Well")
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=False, phrases=True)
    later = opened(tables, club, "Ann", ids)
    for code in (table, later):  # existing tables, too, at once
        with pytest.raises(NotPermitted):
            chat.speak(tables, code, ids["Ann"], "Ann", text="Well")
        chat.speak(tables, code, ids["Ann"], "Ann", phrase="hello")
        with pytest.raises(InvalidState):
            lobby.sit(tables, code, ids["Dan"], "Dan")
        lobby.sit(tables, code, ids["Ben"], "Ben")
        start_match.cut(tables, code, ids["Ben"], "I write this instead")
        assert tables.get(code).table.chairs[1].cut != "I write this instead"
        secret = seat_transfer.new_transfer(tables, code, ids["Ben"])
        with pytest.raises(InvalidState):  # a seat transfer would admit a guest
            seat_transfer.use_transfer(tables, code, secret, "key of a stranger")
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=False, phrases=False)
    chat.speak(tables, table, ids["Ann"], "Ann", text="Well")
    lobby.sit(tables, table, ids["Dan"], "Dan")


# Blocks


def test_block_applies_in_a_club_on_every_worker_at_once(tables, ids, club, open_tables, store_url):
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
    secret = invitations.new_link(tables, club, KEYS["Ann"])
    friends.block(tables, ids["Ann"], ids["Dan"])
    invitations.ask(again, club, ids["Dan"], "Dan")  # accepted, but invisible to Ann
    assert look(tables, club, "Ann").asked == []
    with pytest.raises(LinkExpired):
        invitations.join(again, secret, ids["Dan"], "Dan")
    do(tables, club, "Ann", "officer", "Cleo")
    assert [it.name for it in look(tables, club, "Cleo").asked] == ["Dan"]


# Leaving, erasing, merging


def test_club_promotes_a_member_or_ends_when_the_last_leaves(tables, ids, club):
    clubs.leave(tables, club, KEYS["Ann"])
    assert look(tables, club, "Ben").officer is True
    table = opened(tables, club, "Ben", ids)
    erase(tables, KEYS["Ben"])
    assert look(tables, club, "Cleo").officer is True
    assert members(tables, club, "Cleo") == ["Cleo"]
    clubs.leave(tables, club, KEYS["Cleo"])
    with pytest.raises(ClubNotFound):
        look(tables, club, "Cleo")
    assert tables.get(table).table.club == club  # it leads nowhere, without an error
    lobby.sit(tables, table, ids["Dan"], "Dan")
    assert clubs.name_to(tables, club, KEYS["Dan"]) == ""


def test_matches_at_club_tables_belong_to_the_club(tables, ids, club):
    table = opened(tables, club, "Ann", ids, bots=1)
    start_match.start(tables, table, ids["Ann"])
    match = tables.get(table).table.match_id
    read = tables.database.read

    def of_club(connection):
        return connection.exec_driver_sql(
            f"SELECT club_id FROM matches WHERE id = {match}"
        ).scalar()

    assert read(of_club) == read(lambda c: store.by_code(c, club)).id
    clubs.dissolve(tables, club)
    assert read(of_club) is None
    stop(tables, table)
    start_match.start(tables, table, ids["Ann"])  # the table continues without a club


def brought(tables, guest, other):
    """Merge a guest with another player."""
    secret = login.arrive(tables, other, KEYS[guest], FRESH).secret
    assert merge.merge_guest(tables, secret, KEYS[guest]) is True


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
def test_merged_players_keep_the_higher_role_and_any_ban(tables, ids, ann, ben, kept):
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
    """One service for all cases, and numbers of new players."""
    return open_tables(sqlite_url), count()


@pytest.mark.slow
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
def test_club_always_has_an_officer_or_is_deleted(one_store, deeds):
    service, numbers = one_store

    def new_player():
        key = hashlib.sha256(f"somebody {next(numbers)}".encode()).hexdigest()
        return key, players.player(service, key, "Zoe")[0]

    crowd = [new_player() for _ in range(4)]
    code = clubs.found(service, crowd[0][1], "Club", "Zoe")
    for deed, who, other in deeds:
        try:
            _done(service, code, crowd, who, other, deed, new_player)
        except (ClubNotFound, InvalidState, NotPermitted, LinkExpired):
            continue
        club = service.database.read(lambda c: store.by_code(c, code))
        if club is None:
            return
        rows = service.database.read(lambda c, it=club.id: store.members_of(c, it))
        assert any(it.standing == Standing.OFFICER for it in rows)
        shown = [it.name for it in rows if it.standing in INSIDE]
        assert len(set(shown)) == len(shown)


def _done(service, code, crowd, who, other, deed, new_player):
    key, player = crowd[who]
    if deed == "link":
        officer = next(k for k, _ in crowd if clubs.get(service, code, k).officer)
        invitations.join(service, invitations.new_link(service, code, officer), player, "Zoe")
    elif deed == "leave":
        clubs.leave(service, code, key)
    elif deed == "forget":
        erase(service, key)
        crowd[who] = new_player()
    elif deed == "merge" and who != other:
        fresh = hashlib.sha256(f"fresh {key}".encode()).hexdigest()
        secret = login.arrive(service, crowd[other][1], key, fresh).secret
        merge.merge_guest(service, secret, key)
        crowd[who] = new_player()
    elif deed in ("officer", "member", "remove", "welcome"):
        found = clubs.get(service, code, key)
        for it in (*found.members, *found.removed):
            roles.change_role(service, code, key, deed, it.word)
