"""Invitations of friends to tables."""

import hashlib
import re

import pytest

from kaboom.accounts import players
from kaboom.accounts.erase import erase_player
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.social.friends import invitations
from kaboom.social.friends import queries as store
from kaboom.social.friends import service as friends_service

KEYS = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("Ann", "Ben", "Cleo")}


@pytest.fixture
def ids(tables):
    found = {name: players.player(tables, KEYS[name], name)[0] for name in KEYS}
    tables.database.write(lambda c: store.befriend(c, found["Ann"], found["Ben"], 1.0))
    return found


@pytest.fixture
def code(tables, ids):
    return lobby.open(tables, "gops", GAMES["gops"].options(), ids["Ann"], "Ann")


@pytest.fixture
def ben(ids):
    return friends_service.word_of(ids["Ann"], ids["Ben"])


def shown(tables, name):
    return [(it.name, it.game) for it in invitations.invitations(tables, KEYS[name])]


def test_invited_friend_sees_the_table_until_they_decline(tables, ids, code, ben):
    for _ in range(2):  # the second changes nothing
        invitations.invite(tables, code, ids["Ann"], ben)
    assert shown(tables, "Ben") == [("Ann", "GOPS")] and not shown(tables, "Cleo")
    assert [it.asked for it in invitations.to_invite(tables, tables.get(code, KEYS["Ann"]))] == [
        True
    ]
    told = invitations.told(tables, code, ids["Ben"])
    assert (told.names, told.title, told.path) == (("Ben",), "Ann", "/")
    invitations.decline(tables, code, KEYS["Ben"])
    assert not shown(tables, "Ben") and invitations.told(tables, code, ids["Ben"]) is None


def test_only_the_host_invites_and_only_friends(tables, ids, code, ben):
    stranger = friends_service.word_of(ids["Ann"], ids["Cleo"])
    for player, word in (
        (ids["Ann"], stranger),
        (ids["Ben"], friends_service.word_of(ids["Ben"], ids["Ann"])),
        (ids["Ann"], "x"),
    ):
        with pytest.raises(NotPermitted):
            invitations.invite(tables, code, player, word)
    with pytest.raises(NotPermitted):
        invitations.accept(tables, code, KEYS["Cleo"])


def test_block_hides_an_invitation(tables, ids, code, ben):
    invitations.invite(tables, code, ids["Ann"], ben)
    friends_service.block(tables, ids["Ben"], ids["Ann"])
    assert not shown(tables, "Ben") and invitations.told(tables, code, ids["Ben"]) is None
    with pytest.raises(NotPermitted):
        invitations.invite(tables, code, ids["Ann"], ben)


def test_invitation_admits_to_a_table_with_a_password(tables, ids, ben):
    options = GAMES["gops"].options()
    code = lobby.open(tables, "gops", options, ids["Ann"], "Ann", password="sesame")
    invitations.invite(tables, code, ids["Ann"], ben)
    invitations.accept(tables, code, KEYS["Ben"])
    assert tables.get(code, KEYS["Ben"]).code == code
    assert not shown(tables, "Ben")


def test_full_table_takes_no_invitation_and_shows_none(tables, ids, code, ben):
    invitations.invite(tables, code, ids["Ann"], ben)
    lobby.sit(tables, code, ids["Cleo"], "Cleo")
    assert not shown(tables, "Ben")
    with pytest.raises(InvalidState):
        invitations.invite(tables, code, ids["Ann"], ben)


def test_old_and_erased_invitations_are_gone(tables, ids, code, ben, fake_clock):
    invitations.invite(tables, code, ids["Ann"], ben)
    fake_clock.sleep(invitations.VALID_FOR + 1)
    assert not shown(tables, "Ben")
    tables.database.write(lambda c: erase_player(c, ids["Ann"]))
    assert not tables.database.read(lambda c: invitations.store.to_table(c, ids["Ben"], code))


def befriended(table):
    """Return the browsers of two friends."""
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    for person in (ann, ben):
        person.open(f"{path}/people")
        person.press("Add friend")
    return ann, ben


def test_host_invites_a_friend_from_the_waiting_room(table, browser):
    ann, ben = befriended(table)
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    ann.press("Invite Ben")
    assert "Ben: invited" in ann.page.text and "Invite Ben" not in ann.page.text
    ben.open("/")
    assert "Ann invites you to a table of GOPS." in ben.page.text
    ben.open(re.search(r"/t/\w+", ann.html)[0])
    assert "Ben: invited" not in ben.page.text


def test_friend_is_invited_from_the_friends_page_and_joins(table, browser):
    ann, ben = befriended(table)
    ann.open("/friends")
    ann.open(re.search(r"/friends/\w+/invite", ann.html)[0])
    assert "Invite Ben to a table" in ann.page.text and 'class="banner' in ann.html
    ann.press("Open a table and invite Ben")
    ben.open("/")
    assert "Ann invites you to a table of" in ben.page.text
    ben.press("Join")
    assert "Take a seat" in ben.page.text
