"""Clubs and friends at their bounds: who may do what about whom, how many, how long, why not."""

import pytest

from kaboom.accounts import players
from kaboom.accounts.login import LinkExpired
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidFields, InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.social.clubs import queries as store
from kaboom.social.clubs import service as clubs
from kaboom.social.clubs.roles import Standing
from kaboom.social.clubs.service import ClubNotFound
from kaboom.social.friends import queries as people_store
from kaboom.social.friends import service as people
from tests.support.members import KEYS

ONLY_MEMBERS = "Only members of the club can do that."
ONLY_OFFICERS = "Only officers of the club can do that."
NOBODY = "There is nobody like that here."
NOT_NOW = "That cannot be done now."
FRIENDS_LINK = "This link has been used or is too old. Ask your friend for a new one."
CLUBS_LINK = "This link leads nowhere any more. Ask the club for a new one."


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough: no statement is asked about here that others do not ask on both."""
    return open_tables(sqlite_url)


def refused(kind, sentence, deed, *given, **more):
    """Demand that something is refused so, with that sentence."""
    with pytest.raises(Refusal) as no:
        deed(*given, **more)
    assert (type(no.value), str(no.value)) == (kind, sentence)


def look(tables, club, name="Ann"):
    return clubs.look(tables, club, KEYS.get(name, ""))


def standings(tables, club):
    rows = tables.database.read(lambda c: store.members_of(c, store.by_code(c, club).id))
    return {it.name: it.standing for it in rows}


def word(tables, club, name):
    found = look(tables, club)
    listed = (*found.members, *found.asked, *found.removed)
    return next(it.word for it in listed if it.name == name)


def test_a_clubs_name_is_told_to_its_members_alone(tables, club):
    asking = [(club, KEYS["Ben"]), (club, KEYS["Dan"]), (club, ""), ("", KEYS["Ben"])]
    assert [clubs.name_to(tables, *it) for it in asking] == ["The Gulls", "", "", ""]


# What officers do


@pytest.fixture
def four(tables, ids, club):
    """The club of Ann's with Ben, an officer, and Cleo; Dan has asked, Eve was removed."""
    clubs.settle(tables, club, KEYS["Ann"], "The Gulls", asking=True, phrases=False)
    for name in ("Dan", "Eve"):
        clubs.ask(tables, club, ids[name], name)
    clubs.do(tables, club, KEYS["Ann"], "officer", word(tables, club, "Ben"))
    clubs.do(tables, club, KEYS["Ann"], "yes", word(tables, club, "Eve"))
    clubs.do(tables, club, KEYS["Ann"], "remove", word(tables, club, "Eve"))
    return club


def test_each_reads_who_is_in_a_club_and_officers_who_asked_and_was_removed(tables, four):
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
def test_what_officers_do_about_somebody_fits_what_they_are_to_the_club(tables, four, name):
    before = standings(tables, four)
    its = word(tables, four, name)
    for what in ("yes", "no", "officer", "member", "remove", "welcome", "dance", ""):
        if (what, name) not in DONE:
            refused(InvalidState, NOT_NOW, clubs.do, tables, four, KEYS["Ann"], what, its)
            refused(NotPermitted, NOBODY, clubs.do, tables, four, KEYS["Ann"], what, "nobody")
            refused(NotPermitted, ONLY_MEMBERS, clubs.do, tables, four, KEYS["Dan"], what, its)
            refused(NotPermitted, ONLY_MEMBERS, clubs.do, tables, four, "", what, its)
        refused(
            NotPermitted,
            NOBODY if name == "Cleo" else ONLY_OFFICERS,  # nobody does anything about themselves
            *(clubs.do, tables, four, KEYS["Cleo"], what, its),
        )
        assert standings(tables, four) == before


@pytest.mark.parametrize(("what", "name"), DONE)
def test_it_is_done_to_them_and_to_nobody_else(tables, four, what, name):
    before = standings(tables, four)
    clubs.do(tables, four, KEYS["Ann"], what, word(tables, four, name))
    after = standings(tables, four)
    assert after.pop(name, None) == DONE[what, name]
    del before[name]
    assert after == before


def test_a_members_block_stands_and_is_no_matter_of_the_club(tables, ids, four):
    before = standings(tables, four)
    clubs.do(tables, four, KEYS["Cleo"], "block", word(tables, four, "Ben"))
    assert standings(tables, four) == before
    assert [it.name for it in people.circle(tables, KEYS["Cleo"]).blocked] == ["Ben"]
    assert [it.name for it in look(tables, four, "Cleo").members] == ["Ann", "Cleo"]
    assert [it.name for it in look(tables, four, "Ben").members] == ["Ann", "Ben", "Cleo"]


def test_who_left_is_out_and_who_asked_takes_it_back_but_nobody_else_leaves(tables, four):
    for name in ("Cleo", "Dan"):
        clubs.leave(tables, four, KEYS[name])
        assert name not in standings(tables, four)
        refused(NotPermitted, ONLY_MEMBERS, clubs.leave, tables, four, KEYS[name])
    refused(NotPermitted, ONLY_MEMBERS, clubs.leave, tables, four, KEYS["Eve"])
    assert standings(tables, four)["Eve"] == Standing.REMOVED


def test_a_club_is_settled_by_officers_alone_and_all_of_it(tables, four):
    settle = (clubs.settle, tables, four)
    refused(NotPermitted, ONLY_OFFICERS, *settle, KEYS["Cleo"], "Mine", asking=False, phrases=True)
    refused(NotPermitted, ONLY_MEMBERS, *settle, KEYS["Dan"], "Mine", asking=False, phrases=True)
    sentence = "Please give the club a name that can be read."
    refused(InvalidState, sentence, *settle, KEYS["Ann"], " \u200b", asking=False, phrases=True)
    found = look(tables, four)
    assert (found.name, found.asking, found.phrases) == ("The Gulls", True, False)
    clubs.settle(tables, four, KEYS["Ben"], " " + "x" * 41, asking=False, phrases=True)
    found = look(tables, four)
    assert (found.name, found.asking, found.phrases) == ("x" * 40, False, True)


# Coming in


def test_a_clubs_link_leads_in_for_seven_days_whoever_has_it(tables, ids, four, watch):
    secret = clubs.new_link(tables, four, KEYS["Ben"])
    watch.sleep(7 * 24 * 3600 - 1)
    for name in ("Dan", "nobody"):
        assert clubs.name_on_link(tables, secret, KEYS.get(name, "")) == "The Gulls"
    refused(LinkExpired, CLUBS_LINK, clubs.name_on_link, tables, secret, KEYS["Eve"])
    assert clubs.join(tables, secret, ids["Dan"], "Dan") == four
    assert standings(tables, four)["Dan"] == Standing.MEMBER
    watch.sleep(2)
    refused(LinkExpired, CLUBS_LINK, clubs.name_on_link, tables, secret, "")


def test_one_who_blocked_an_officer_does_not_come_in_by_their_link(tables, ids, four):
    secret = clubs.new_link(tables, four, KEYS["Ben"])
    people.block(tables, ids["Dan"], ids["Ben"])
    refused(LinkExpired, CLUBS_LINK, clubs.join, tables, secret, ids["Dan"], "Dan")
    secret = clubs.new_link(tables, four, KEYS["Ann"])
    assert clubs.join(tables, secret, ids["Dan"], "Dan") == four


def test_a_name_that_cannot_be_read_lets_nobody_in(tables, ids, four):
    secret = clubs.new_link(tables, four, KEYS["Ann"])
    before = standings(tables, four)
    sentence = "Please give a name the others can read."
    fay, _ = players.player(tables, "key of Fay", "Fay")
    refused(InvalidFields, sentence, clubs.join, tables, secret, fay, " ")
    refused(InvalidFields, sentence, clubs.ask, tables, four, fay, " ")
    refused(InvalidFields, sentence, clubs.be_called, tables, four, KEYS["Cleo"], " ")
    refused(InvalidFields, sentence, clubs.found, tables, fay, "Terns", " ")
    assert standings(tables, four) == before


def test_a_club_takes_so_many_members_and_so_many_who_ask(tables, ids, four, monkeypatch):
    fay, _ = players.player(tables, "key of Fay", "Fay")
    monkeypatch.setattr(clubs, "MOST_ASKING", 1)
    sentence = "Too many have asked and were not answered yet. Try again later."
    refused(InvalidState, sentence, clubs.ask, tables, four, fay, "Fay")
    monkeypatch.setattr(clubs, "MOST_ASKING", 2)
    clubs.ask(tables, four, fay, "Fay")
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 4)
    clubs.do(tables, four, KEYS["Ann"], "yes", word(tables, four, "Dan"))
    sentence = "The club is full: it has 4 members."
    yes = (clubs.do, tables, four, KEYS["Ann"], "yes", word(tables, four, "Fay"))
    refused(InvalidState, sentence, *yes)
    assert standings(tables, four)["Fay"] == Standing.ASKED


def test_one_is_in_so_many_clubs(tables, ids, four, monkeypatch):
    monkeypatch.setattr(clubs, "MOST_CLUBS", 2)
    clubs.found(tables, ids["Dan"], "Terns", "Dan")
    sentence = "Nobody can be in more than 2 clubs."
    yes = (clubs.do, tables, four, KEYS["Ann"], "yes", word(tables, four, "Dan"))
    clubs.found(tables, ids["Cleo"], "Terns", "Cleo")
    refused(InvalidState, sentence, clubs.found, tables, ids["Cleo"], "Auks", "Cleo")
    secret = clubs.new_link(tables, four, KEYS["Ann"])
    fay, _ = players.player(tables, "key of Fay", "Fay")
    for name in ("Terns", "Auks"):
        clubs.found(tables, fay, name, "Fay")
    refused(InvalidState, sentence, clubs.join, tables, secret, fay, "Fay")
    refused(InvalidState, sentence, clubs.ask, tables, four, fay, "Fay")
    monkeypatch.setattr(clubs, "MOST_CLUBS", 3)
    clubs.do(*yes[1:])


def test_a_club_is_joined_by_asking_only_where_it_lets_one(tables, ids, four):
    sentence = "This club is joined by a link. Ask one of its officers for it."
    clubs.require_membership_request(tables, four)
    clubs.settle(tables, four, KEYS["Ann"], "The Gulls", asking=False, phrases=False)
    refused(InvalidState, sentence, clubs.require_membership_request, tables, four)
    fay, _ = players.player(tables, "key of Fay", "Fay")
    refused(InvalidState, sentence, clubs.ask, tables, four, fay, "Fay")
    clubs.ask(tables, four, ids["Eve"], "Eve")  # who was removed is not told so
    gone = "There is no club at this address."
    refused(ClubNotFound, gone, clubs.require_membership_request, tables, "NOTACLUB")
    clubs.dissolve(tables, four)
    refused(ClubNotFound, gone, clubs.look, tables, four, KEYS["Ann"])


def test_so_many_of_a_clubs_tables_are_shown_the_last_touched_first(
    tables, ids, club, watch, monkeypatch
):
    codes = []
    for _ in range(3):
        watch.sleep(1)
        codes.append(
            seating.open(tables, "taken", GAMES["taken"].options(), ids["Ann"], "Ann", club=club)
        )
    shown = lambda: [it.code for it in clubs.tables_of(tables, club, KEYS["Ben"])]  # noqa: E731
    assert shown() == codes[::-1]
    monkeypatch.setattr(clubs, "MOST_TABLES", 2)
    assert shown() == codes[:0:-1]
    (first, *_) = clubs.tables_of(tables, club, KEYS["Ben"])
    assert first.player == ids["Ben"]
    monkeypatch.setattr(clubs, "MOST_TABLES", 3)
    watch.sleep(clubs.SHOWN_FOR - 2)
    assert shown() == codes[:0:-1]


# Friends


def circle(tables, name):
    found = people.circle(tables, KEYS[name])
    return [[it.name for it in some] for some in (found.friends, found.asking, found.blocked)]


def ask_word(tables, name, other):
    (found,) = (it for it in people.circle(tables, KEYS[name]).asking if it.name == other)
    return found.word


def test_a_link_to_a_friend_leads_there_once_and_for_seven_days(tables, ids, watch):
    secret = people.new_link(tables, KEYS["Ann"])
    watch.sleep(7 * 24 * 3600 - 1)
    assert people.name_on_link(tables, secret, "") == "Ann"
    sentence = "This link is for somebody else: send it to a friend."
    refused(InvalidState, sentence, people.take_link, tables, secret, ids["Ann"])
    late = people.new_link(tables, KEYS["Ann"])
    people.take_link(tables, secret, ids["Ben"])
    refused(LinkExpired, FRIENDS_LINK, people.take_link, tables, secret, ids["Cleo"])
    people.block(tables, ids["Dan"], ids["Ann"])
    refused(LinkExpired, FRIENDS_LINK, people.name_on_link, tables, late, KEYS["Dan"])
    refused(LinkExpired, FRIENDS_LINK, people.take_link, tables, late, ids["Dan"])
    watch.sleep(7 * 24 * 3600 + 1)
    refused(LinkExpired, FRIENDS_LINK, people.name_on_link, tables, late, "")
    assert circle(tables, "Ann") == [["Ben"], [], []]


def test_so_many_friends_are_enough_on_either_side(tables, ids, monkeypatch):
    monkeypatch.setattr(people, "MOST_FRIENDS", 1)
    sentence = "There are 1 friends already."
    people.ask(tables, ids["Ann"], ids["Ben"])
    people.ask(tables, ids["Ben"], ids["Ann"])
    assert circle(tables, "Ann") == [["Ben"], [], []]
    for one, other in (("Ann", "Cleo"), ("Cleo", "Ann")):
        secret = people.new_link(tables, KEYS[one])
        refused(InvalidState, sentence, people.take_link, tables, secret, ids[other])
        assert people.name_on_link(tables, secret, "") == one, "it may be used by another"
    people.ask(tables, ids["Cleo"], ids["Ann"])
    its = ask_word(tables, "Ann", "Cleo")
    refused(InvalidState, sentence, people.answer, tables, KEYS["Ann"], its, yes=True)
    assert circle(tables, "Ann") == [["Ben"], ["Cleo"], []]


def test_three_are_asked_at_a_time_and_an_answer_makes_room(tables, ids):
    for name in ("Ben", "Cleo", "Dan"):
        for _ in range(2):  # asked again is asked once
            people.ask(tables, ids["Ann"], ids[name])
    sentence = "You have asked 3 people who have not answered yet."
    refused(InvalidState, sentence, people.ask, tables, ids["Ann"], ids["Eve"])
    people.answer(tables, KEYS["Ben"], ask_word(tables, "Ben", "Ann"), yes=False)
    assert circle(tables, "Ben") == [[], [], []]
    people.ask(tables, ids["Ann"], ids["Eve"])
    people.answer(tables, KEYS["Cleo"], ask_word(tables, "Cleo", "Ann"), yes=True)
    assert circle(tables, "Cleo") == [["Ann"], [], []]
    people.ask(tables, ids["Cleo"], ids["Ann"])  # friends ask nothing
    assert circle(tables, "Ann") == [["Cleo"], [], []]


def test_whom_one_blocked_one_does_not_ask_and_is_not_made_friends_with_unseen(tables, ids):
    people.block(tables, ids["Ann"], ids["Ben"])
    sentence = "You have blocked them. Unblock them first."
    refused(InvalidState, sentence, people.ask, tables, ids["Ann"], ids["Ben"])
    people.ask(tables, ids["Ben"], ids["Ann"])
    assert circle(tables, "Ann") == [[], [], ["Ben"]]
    blocked = people.circle(tables, KEYS["Ann"]).blocked[0].word
    people.unblock(tables, KEYS["Ann"], blocked)
    assert circle(tables, "Ann")[2] == []


def test_a_word_for_somebody_means_them_in_ones_own_lists_alone(tables, ids):
    for name in ("Ben", "Cleo"):
        people.ask(tables, ids[name], ids["Ann"])
    ben, cleo = (ask_word(tables, "Ann", name) for name in ("Ben", "Cleo"))
    for deed in (
        lambda it: people.answer(tables, KEYS["Dan"], it, yes=True),
        lambda it: people.part(tables, KEYS["Ann"], it),
        lambda it: people.unblock(tables, KEYS["Ann"], it),
        lambda it: people.block_known(tables, KEYS["Dan"], it),
    ):
        refused(NotPermitted, NOBODY, deed, ben)
    people.answer(tables, KEYS["Ann"], ben, yes=True)
    people.block_known(tables, KEYS["Ann"], cleo)
    assert circle(tables, "Ann") == [["Ben"], [], ["Cleo"]]
    people.part(tables, KEYS["Ann"], ben)
    assert circle(tables, "Ann") == [[], [], ["Cleo"]]
    assert circle(tables, "Ben") == [[], [], []]
    assert people.circle(tables, "") is None and people.circle(tables, "nobody's") is None


def test_at_a_table_one_reads_of_each_what_they_are_to_one(tables, ids):
    code = seating.open(tables, "taken", GAMES["taken"].options(), ids["Ann"], "Ann", bots=1)
    for name in ("Ben", "Cleo"):
        seating.sit(tables, code, ids[name], name)
    people.ask(tables, ids["Ann"], ids["Ben"])

    def read(asker):
        found = people.people_at(tables, tables.look(code, KEYS[asker]))
        return [(it.name, it.friend, it.asked, it.blocked) for it in found]

    assert read("Ann") == [("Ben", False, True, False), ("Cleo", False, False, False)]
    people.ask(tables, ids["Ben"], ids["Ann"])
    people.block(tables, ids["Ann"], ids["Cleo"])
    assert read("Ann") == [("Ben", True, False, False), ("Cleo", False, False, True)]
    assert read("Ben") == [("Ann", True, False, False), ("Cleo", False, False, False)]
    sentence = "Only those who play here see who they play with."
    for asker in ("Dan", None):
        snapshot = tables.look(code, KEYS[asker] if asker else None)
        refused(NotPermitted, sentence, people.people_at, tables, snapshot)
    seating.remove(tables, code, ids["Ann"], tables.look(code).table.seat_of(ids["Cleo"]))
    assert [it[0] for it in read("Ann")] == ["Ben", "Cleo"], "the host may let them back"
    assert [it[0] for it in read("Ben")] == ["Ann"]
    away = people.people_at(tables, tables.look(code, KEYS["Ann"]))[1]
    refused(
        *(NotPermitted, "Only the host can do that."),
        *(people.welcome, tables, code, ids["Ben"], away.player),
    )
    assert tables.look(code).table.shown_out == [ids["Cleo"]]
    people.welcome(tables, code, ids["Ann"], away.player)
    assert tables.look(code).table.shown_out == []
    refused(
        *(NotPermitted, NOBODY),
        *(people.person_at, tables, tables.look(code, KEYS["Ann"]), "nobody"),
    )


def test_friends_alone_see_that_one_is_here_and_one_says_so(tables, ids):
    people.ask(tables, ids["Ann"], ids["Ben"])
    people.ask(tables, ids["Ben"], ids["Ann"])
    assert not people.circle(tables, KEYS["Ann"]).present
    for shows in (True, False):
        people.be_seen(tables, KEYS["Ann"], shows)
        assert people.circle(tables, KEYS["Ann"]).present == shows
        (ann,) = people.circle(tables, KEYS["Ben"]).friends
        assert (ann.name, ann.player, ann.present, ann.friend) == ("Ann", ids["Ann"], shows, True)
    assert people.is_friend(tables, KEYS["Ben"], ids["Ann"])
    assert not people.is_friend(tables, KEYS["Cleo"], ids["Ann"])
    assert not people.is_friend(tables, "", ids["Ann"])
    assert [people.name_of(tables, key) for key in (KEYS["Ben"], "", "nobody's")] == ["Ben", "", ""]
    assert tables.database.read(lambda c: people_store.are_friends(c, ids["Ben"], ids["Ann"]))
