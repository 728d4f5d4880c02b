"""Clubs and friends at their limits: permissions, numbers, durations and reasons."""

import pytest

from kaboom.accounts import players
from kaboom.accounts.login import LinkExpired
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidFields, InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.social.clubs import invitations, roles
from kaboom.social.clubs import queries as store
from kaboom.social.clubs import service as clubs
from kaboom.social.clubs.models import Standing
from kaboom.social.clubs.service import ClubNotFound
from kaboom.social.friends import queries as friend_queries
from kaboom.social.friends import service as friends
from kaboom.tables.seats import leaving
from tests.support.members import KEYS

ONLY_MEMBERS = "Only members of the club can do that."
ONLY_OFFICERS = "Only officers of the club can do that."
NO_PLAYER = "There is no such player here."
NOT_NOW = "You cannot do that now."
FRIENDS_LINK = "This link has been used or has expired. Ask your friend for a new one."
CLUBS_LINK = "This link is no longer valid. Ask the club for a new one."


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough, since other tests run these statements on both."""
    return open_tables(sqlite_url)


def refused(kind, sentence, deed, *given, **more):
    """Assert that a call raises this refusal with this sentence."""
    with pytest.raises(Refusal) as no:
        deed(*given, **more)
    assert (type(no.value), str(no.value)) == (kind, sentence)


def look(tables, club, name="Ann"):
    return clubs.get(tables, club, KEYS.get(name, ""))


def standings(tables, club):
    rows = tables.database.read(lambda c: store.members_of(c, store.by_code(c, club).id))
    return {it.name: it.standing for it in rows}


def word(tables, club, name):
    found = look(tables, club)
    listed = (*found.members, *found.asked, *found.removed)
    return next(it.word for it in listed if it.name == name)


def test_name_of_a_tables_club_is_visible_to_members_only(tables, club):
    asking = [(club, KEYS["Ben"]), (club, KEYS["Dan"]), (club, ""), ("", KEYS["Ben"])]
    assert [clubs.name_to(tables, *it) for it in asking] == ["The Gulls", "", "", ""]


# Officers


@pytest.fixture
def four(tables, ids, club):
    """Return Ann's club with Ben, an officer, and Cleo; Dan has asked, Eve was removed."""
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=True, phrases=False)
    for name in ("Dan", "Eve"):
        invitations.ask(tables, club, ids[name], name)
    roles.change_role(tables, club, KEYS["Ann"], "officer", word(tables, club, "Ben"))
    roles.change_role(tables, club, KEYS["Ann"], "yes", word(tables, club, "Eve"))
    roles.change_role(tables, club, KEYS["Ann"], "remove", word(tables, club, "Eve"))
    return club


def test_club_lists_members_and_shows_officers_requests_and_bans(tables, four):
    def told(name):
        found = look(tables, four, name)
        lists = (found.members, found.asked, found.removed)
        return [[(it.name, it.officer, it.me) for it in some] for some in lists]

    members = [("Ann", True), ("Ben", True), ("Cleo", False)]
    for name, officer in members:
        others = [[("Dan", False, False)], [("Eve", False, False)]] if officer else [[], []]
        assert told(name) == [[(it, of, it == name) for it, of in members], *others]
        found = look(tables, four, name)
        assert (found.called, found.inside, found.officer) == (name, True, officer)
    for name in ("Dan", "Eve", "nobody"):
        assert told(name) == [[], [], []]
        assert (look(tables, four, name).called, look(tables, four, name).inside) == ("", False)


DONE = {
    ("yes", "Dan"): Standing.MEMBER,
    ("no", "Dan"): None,
    ("officer", "Cleo"): Standing.OFFICER,
    ("member", "Ben"): Standing.MEMBER,
    ("remove", "Cleo"): Standing.REMOVED,
    ("remove", "Ben"): Standing.REMOVED,
    ("welcome", "Eve"): None,
}


@pytest.mark.parametrize("name", ["Ben", "Cleo", "Dan", "Eve"])
def test_officer_actions_fit_the_members_status(tables, four, name):
    before = standings(tables, four)
    its = word(tables, four, name)
    for what in ("yes", "no", "officer", "member", "remove", "welcome", "dance", ""):
        if (what, name) not in DONE:
            refused(InvalidState, NOT_NOW, roles.change_role, tables, four, KEYS["Ann"], what, its)
            refused(
                NotPermitted,
                NO_PLAYER,
                roles.change_role,
                tables,
                four,
                KEYS["Ann"],
                what,
                "nobody",
            )
            refused(
                NotPermitted, ONLY_MEMBERS, roles.change_role, tables, four, KEYS["Dan"], what, its
            )
            refused(NotPermitted, ONLY_MEMBERS, roles.change_role, tables, four, "", what, its)
        refused(
            NotPermitted,
            NO_PLAYER if name == "Cleo" else ONLY_OFFICERS,  # no player does this to themselves
            *(roles.change_role, tables, four, KEYS["Cleo"], what, its),
        )
        assert standings(tables, four) == before


@pytest.mark.parametrize(("what", "name"), DONE)
def test_action_affects_only_its_target(tables, four, what, name):
    before = standings(tables, four)
    roles.change_role(tables, four, KEYS["Ann"], what, word(tables, four, name))
    after = standings(tables, four)
    assert after.pop(name, None) == DONE[what, name]
    del before[name]
    assert after == before


def test_block_by_a_member_is_independent_of_the_club(tables, ids, four):
    before = standings(tables, four)
    roles.change_role(tables, four, KEYS["Cleo"], "block", word(tables, four, "Ben"))
    assert standings(tables, four) == before
    assert [it.name for it in friends.get_relations(tables, KEYS["Cleo"]).blocked] == ["Ben"]
    assert [it.name for it in look(tables, four, "Cleo").members] == ["Ann", "Cleo"]
    assert [it.name for it in look(tables, four, "Ben").members] == ["Ann", "Ben", "Cleo"]


def test_departed_member_is_out_and_applicant_may_withdraw(tables, four):
    for name in ("Cleo", "Dan"):
        clubs.leave(tables, four, KEYS[name])
        assert name not in standings(tables, four)
        refused(NotPermitted, ONLY_MEMBERS, clubs.leave, tables, four, KEYS[name])
    refused(NotPermitted, ONLY_MEMBERS, clubs.leave, tables, four, KEYS["Eve"])
    assert standings(tables, four)["Eve"] == Standing.REMOVED


def test_only_officers_change_any_club_setting(tables, four):
    settle = (clubs.settle, tables, four)
    refused(NotPermitted, ONLY_OFFICERS, *settle, KEYS["Cleo"], "Mine", asking=False, phrases=True)
    refused(NotPermitted, ONLY_MEMBERS, *settle, KEYS["Dan"], "Mine", asking=False, phrases=True)
    sentence = "The club’s name needs at least one visible character."
    refused(InvalidState, sentence, *settle, KEYS["Ann"], " \u200b", asking=False, phrases=True)
    found = look(tables, four)
    assert (found.name, found.asking, found.phrases) == ("The Gulls", True, False)
    clubs.settle(tables, four, KEYS["Ben"], " " + "x" * 41, asking=False, phrases=True)
    found = look(tables, four)
    assert (found.name, found.asking, found.phrases) == ("x" * 40, False, True)


# Joining


def test_club_link_admits_any_holder_for_seven_days(tables, ids, four, fake_clock):
    secret = invitations.new_link(tables, four, KEYS["Ben"])
    fake_clock.sleep(7 * 24 * 3600 - 1)
    for name in ("Dan", "nobody"):
        assert invitations.name_on_link(tables, secret, KEYS.get(name, "")) == "The Gulls"
    refused(LinkExpired, CLUBS_LINK, invitations.name_on_link, tables, secret, KEYS["Eve"])
    assert invitations.join(tables, secret, ids["Dan"], "Dan") == four
    assert standings(tables, four)["Dan"] == Standing.MEMBER
    fake_clock.sleep(2)
    refused(LinkExpired, CLUBS_LINK, invitations.name_on_link, tables, secret, "")


def test_player_blocking_an_officer_cannot_join_by_their_link(tables, ids, four):
    secret = invitations.new_link(tables, four, KEYS["Ben"])
    friends.block(tables, ids["Dan"], ids["Ben"])
    refused(LinkExpired, CLUBS_LINK, invitations.join, tables, secret, ids["Dan"], "Dan")
    secret = invitations.new_link(tables, four, KEYS["Ann"])
    assert invitations.join(tables, secret, ids["Dan"], "Dan") == four


def test_name_without_a_visible_character_is_refused_in_a_club(tables, ids, four):
    secret = invitations.new_link(tables, four, KEYS["Ann"])
    before = standings(tables, four)
    sentence = "A name needs at least one visible character."
    fay, _ = players.player(tables, "key of Fay", "Fay")
    refused(InvalidFields, sentence, invitations.join, tables, secret, fay, " ")
    refused(InvalidFields, sentence, invitations.ask, tables, four, fay, " ")
    refused(InvalidFields, sentence, clubs.be_called, tables, four, KEYS["Cleo"], " ")
    refused(InvalidFields, sentence, clubs.found, tables, fay, "Terns", " ")
    assert standings(tables, four) == before


def test_members_and_requests_of_a_club_are_limited(tables, ids, four, monkeypatch):
    fay, _ = players.player(tables, "key of Fay", "Fay")
    monkeypatch.setattr(invitations, "MOST_ASKING", 1)
    sentence = "Too many requests are waiting for an answer. Try again later."
    refused(InvalidState, sentence, invitations.ask, tables, four, fay, "Fay")
    monkeypatch.setattr(invitations, "MOST_ASKING", 2)
    invitations.ask(tables, four, fay, "Fay")
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 4)
    roles.change_role(tables, four, KEYS["Ann"], "yes", word(tables, four, "Dan"))
    sentence = "The club is full: it has 4 members."
    yes = (roles.change_role, tables, four, KEYS["Ann"], "yes", word(tables, four, "Fay"))
    refused(InvalidState, sentence, *yes)
    assert standings(tables, four)["Fay"] == Standing.ASKED


def test_clubs_per_player_are_limited(tables, ids, four, monkeypatch):
    monkeypatch.setattr(clubs, "MOST_CLUBS", 2)
    clubs.found(tables, ids["Dan"], "Terns", "Dan")
    sentence = "You can be in at most 2 clubs."
    yes = (roles.change_role, tables, four, KEYS["Ann"], "yes", word(tables, four, "Dan"))
    clubs.found(tables, ids["Cleo"], "Terns", "Cleo")
    refused(InvalidState, sentence, clubs.found, tables, ids["Cleo"], "Auks", "Cleo")
    secret = invitations.new_link(tables, four, KEYS["Ann"])
    fay, _ = players.player(tables, "key of Fay", "Fay")
    for name in ("Terns", "Auks"):
        clubs.found(tables, fay, name, "Fay")
    refused(InvalidState, sentence, invitations.join, tables, secret, fay, "Fay")
    refused(InvalidState, sentence, invitations.ask, tables, four, fay, "Fay")
    monkeypatch.setattr(clubs, "MOST_CLUBS", 3)
    roles.change_role(*yes[1:])


def test_club_is_joined_by_request_only_if_it_allows_requests(tables, ids, four):
    sentence = "You need a link to join this club. Ask one of its officers for it."
    invitations.require_membership_request(tables, four)
    clubs.settle(tables, four, KEYS["Ann"], "The Gulls", asking=False, phrases=False)
    refused(InvalidState, sentence, invitations.require_membership_request, tables, four)
    fay, _ = players.player(tables, "key of Fay", "Fay")
    refused(InvalidState, sentence, invitations.ask, tables, four, fay, "Fay")
    invitations.ask(tables, four, ids["Eve"], "Eve")  # a removed player is not told
    gone = "There is no club at this address."
    refused(ClubNotFound, gone, invitations.require_membership_request, tables, "NOTACLUB")
    clubs.dissolve(tables, four)
    refused(ClubNotFound, gone, clubs.get, tables, four, KEYS["Ann"])


def test_club_tables_are_listed_latest_first_up_to_a_limit(
    tables, ids, club, fake_clock, monkeypatch
):
    codes = []
    for _ in range(3):
        fake_clock.sleep(1)
        codes.append(
            lobby.open(tables, "taken", GAMES["taken"].options(), ids["Ann"], "Ann", club=club)
        )
    shown = lambda: [it.code for it in clubs.tables_of(tables, club, KEYS["Ben"])]  # noqa: E731
    assert shown() == codes[::-1]
    monkeypatch.setattr(clubs, "MOST_TABLES", 2)
    assert shown() == codes[:0:-1]
    (first, *_) = clubs.tables_of(tables, club, KEYS["Ben"])
    assert first.player == ids["Ben"]
    monkeypatch.setattr(clubs, "MOST_TABLES", 3)
    fake_clock.sleep(clubs.SHOWN_FOR - 2)
    assert shown() == codes[:0:-1]


# Friends


def circle(tables, name):
    found = friends.get_relations(tables, KEYS[name])
    return [[it.name for it in some] for some in (found.friends, found.asking, found.blocked)]


def ask_word(tables, name, other):
    (found,) = (it for it in friends.get_relations(tables, KEYS[name]).asking if it.name == other)
    return found.word


def test_friend_link_works_once_and_for_seven_days(tables, ids, fake_clock):
    secret = friends.new_link(tables, KEYS["Ann"])
    fake_clock.sleep(7 * 24 * 3600 - 1)
    assert friends.name_on_link(tables, secret, "") == "Ann"
    sentence = "This is your own link: send it to a friend."
    refused(InvalidState, sentence, friends.take_link, tables, secret, ids["Ann"])
    late = friends.new_link(tables, KEYS["Ann"])
    friends.take_link(tables, secret, ids["Ben"])
    refused(LinkExpired, FRIENDS_LINK, friends.take_link, tables, secret, ids["Cleo"])
    friends.block(tables, ids["Dan"], ids["Ann"])
    refused(LinkExpired, FRIENDS_LINK, friends.name_on_link, tables, late, KEYS["Dan"])
    refused(LinkExpired, FRIENDS_LINK, friends.take_link, tables, late, ids["Dan"])
    fake_clock.sleep(7 * 24 * 3600 + 1)
    refused(LinkExpired, FRIENDS_LINK, friends.name_on_link, tables, late, "")
    assert circle(tables, "Ann") == [["Ben"], [], []]


def test_friends_per_player_are_limited_on_both_sides(tables, ids, monkeypatch):
    monkeypatch.setattr(friends, "MOST_FRIENDS", 1)
    sentence = "One of you already has 1 friends, which is the maximum."
    friends.ask(tables, ids["Ann"], ids["Ben"])
    friends.ask(tables, ids["Ben"], ids["Ann"])
    assert circle(tables, "Ann") == [["Ben"], [], []]
    for one, other in (("Ann", "Cleo"), ("Cleo", "Ann")):
        secret = friends.new_link(tables, KEYS[one])
        refused(InvalidState, sentence, friends.take_link, tables, secret, ids[other])
        assert friends.name_on_link(tables, secret, "") == one, "it may be used by another"
    friends.ask(tables, ids["Cleo"], ids["Ann"])
    its = ask_word(tables, "Ann", "Cleo")
    refused(InvalidState, sentence, friends.answer, tables, KEYS["Ann"], its, yes=True)
    assert circle(tables, "Ann") == [["Ben"], ["Cleo"], []]


def test_answered_friend_request_makes_room_for_another(tables, ids):
    for name in ("Ben", "Cleo", "Dan"):
        for _ in range(2):  # repeating a request has no effect
            friends.ask(tables, ids["Ann"], ids[name])
    sentence = "You already have 3 unanswered friend requests."
    refused(InvalidState, sentence, friends.ask, tables, ids["Ann"], ids["Eve"])
    friends.answer(tables, KEYS["Ben"], ask_word(tables, "Ben", "Ann"), yes=False)
    assert circle(tables, "Ben") == [[], [], []]
    friends.ask(tables, ids["Ann"], ids["Eve"])
    friends.answer(tables, KEYS["Cleo"], ask_word(tables, "Cleo", "Ann"), yes=True)
    assert circle(tables, "Cleo") == [["Ann"], [], []]
    friends.ask(tables, ids["Cleo"], ids["Ann"])  # friends cannot ask again
    assert circle(tables, "Ann") == [["Cleo"], [], []]


def test_blocked_player_cannot_be_asked_and_request_is_hidden(tables, ids):
    friends.block(tables, ids["Ann"], ids["Ben"])
    sentence = "You have blocked this player. Unblock them first."
    refused(InvalidState, sentence, friends.ask, tables, ids["Ann"], ids["Ben"])
    friends.ask(tables, ids["Ben"], ids["Ann"])
    assert circle(tables, "Ann") == [[], [], ["Ben"]]
    blocked = friends.get_relations(tables, KEYS["Ann"]).blocked[0].word
    friends.unblock(tables, KEYS["Ann"], blocked)
    assert circle(tables, "Ann")[2] == []


def test_form_id_of_a_player_works_only_for_its_viewer(tables, ids):
    for name in ("Ben", "Cleo"):
        friends.ask(tables, ids[name], ids["Ann"])
    ben, cleo = (ask_word(tables, "Ann", name) for name in ("Ben", "Cleo"))
    for deed in (
        lambda it: friends.answer(tables, KEYS["Dan"], it, yes=True),
        lambda it: friends.part(tables, KEYS["Ann"], it),
        lambda it: friends.unblock(tables, KEYS["Ann"], it),
        lambda it: friends.block_known(tables, KEYS["Dan"], it),
    ):
        refused(NotPermitted, NO_PLAYER, deed, ben)
    friends.answer(tables, KEYS["Ann"], ben, yes=True)
    friends.block_known(tables, KEYS["Ann"], cleo)
    assert circle(tables, "Ann") == [["Ben"], [], ["Cleo"]]
    friends.part(tables, KEYS["Ann"], ben)
    assert circle(tables, "Ann") == [[], [], ["Cleo"]]
    assert circle(tables, "Ben") == [[], [], []]
    assert (
        friends.get_relations(tables, "") is None
        and friends.get_relations(tables, "nobody's") is None
    )


def test_table_shows_each_players_relation_to_the_viewer(tables, ids):
    code = lobby.open(tables, "taken", GAMES["taken"].options(), ids["Ann"], "Ann", bots=1)
    for name in ("Ben", "Cleo"):
        lobby.sit(tables, code, ids[name], name)
    friends.ask(tables, ids["Ann"], ids["Ben"])

    def read(asker):
        found = friends.people_at(tables, tables.get(code, KEYS[asker]))
        return [(it.name, it.friend, it.asked, it.blocked) for it in found]

    assert read("Ann") == [("Ben", False, True, False), ("Cleo", False, False, False)]
    friends.ask(tables, ids["Ben"], ids["Ann"])
    friends.block(tables, ids["Ann"], ids["Cleo"])
    assert read("Ann") == [("Ben", True, False, False), ("Cleo", False, False, True)]
    assert read("Ben") == [("Ann", True, False, False), ("Cleo", False, False, False)]
    sentence = "Only players at this table, or in its last match, can open this page."
    for asker in ("Dan", None):
        snapshot = tables.get(code, KEYS[asker] if asker else None)
        refused(NotPermitted, sentence, friends.people_at, tables, snapshot)
    leaving.remove(tables, code, ids["Ann"], tables.get(code).table.seat_of(ids["Cleo"]))
    assert [it[0] for it in read("Ann")] == ["Ben", "Cleo"], "the host may readmit them"
    assert [it[0] for it in read("Ben")] == ["Ann"]
    away = friends.people_at(tables, tables.get(code, KEYS["Ann"]))[1]
    refused(
        *(NotPermitted, "Only the host can do that."),
        *(leaving.readmit, tables, code, ids["Ben"], away.player),
    )
    assert tables.get(code).table.shown_out == [ids["Cleo"]]
    leaving.readmit(tables, code, ids["Ann"], away.player)
    assert tables.get(code).table.shown_out == []
    refused(
        *(NotPermitted, NO_PLAYER),
        *(friends.person_at, tables, tables.get(code, KEYS["Ann"]), "nobody"),
    )


def test_presence_is_visible_to_friends_by_choice(tables, ids):
    friends.ask(tables, ids["Ann"], ids["Ben"])
    friends.ask(tables, ids["Ben"], ids["Ann"])
    assert not friends.get_relations(tables, KEYS["Ann"]).present
    for shows in (True, False):
        friends.be_seen(tables, KEYS["Ann"], shows)
        assert friends.get_relations(tables, KEYS["Ann"]).present == shows
        (ann,) = friends.get_relations(tables, KEYS["Ben"]).friends
        assert (ann.name, ann.player, ann.present, ann.friend) == ("Ann", ids["Ann"], shows, True)
    assert friends.is_friend(tables, KEYS["Ben"], ids["Ann"])
    assert not friends.is_friend(tables, KEYS["Cleo"], ids["Ann"])
    assert not friends.is_friend(tables, "", ids["Ann"])
    assert tables.database.read(lambda c: friend_queries.are_friends(c, ids["Ben"], ids["Ann"]))
