"""Friends, blocks and reports: what each holds, at once and on every worker."""

import hashlib
import json
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaboom.accounts import login as coming_in
from kaboom.accounts import merge, players
from kaboom.accounts.login import LinkExpired
from kaboom.errors import InvalidState, NotPermitted, RateLimited
from kaboom.games import GAMES
from kaboom.lobby import host, seat_transfer
from kaboom.lobby import service as seating
from kaboom.social.chat import service as chat
from kaboom.social.friends import queries as store
from kaboom.social.friends import reports
from kaboom.social.friends import service as people
from kaboom.tables import sittings

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
KEYS = {name: hashlib.sha256(name.encode()).hexdigest() for name in NAMES}


@pytest.fixture
def ids(tables):
    return {name: players.player(tables, KEYS[name], name)[0] for name in NAMES}


@pytest.fixture
def code(tables, ids):
    """A table of Ann's where Ben sits, too."""
    code = seating.open(tables, "taken", GAMES["taken"].options(), ids["Ann"], "Ann")
    seating.sit(tables, code, ids["Ben"], "Ben")
    return code


def friends(tables, name):
    return [it.name for it in people.circle(tables, KEYS[name]).friends]


def asking(tables, name):
    return [it.name for it in people.circle(tables, KEYS[name]).asking]


def word(tables, code, asker, name):
    found = people.people_at(tables, tables.look(code, KEYS[asker]))
    return next(it.word for it in found if it.name == name)


# Friends


def test_a_link_makes_two_people_friends_once(tables, ids, watch):
    secret = people.new_link(tables, KEYS["Ann"])
    assert people.name_on_link(tables, secret, KEYS["Ben"]) == "Ann"
    with pytest.raises(InvalidState):
        people.take_link(tables, secret, ids["Ann"])
    people.take_link(tables, secret, ids["Ben"])
    assert (friends(tables, "Ann"), friends(tables, "Ben")) == (["Ben"], ["Ann"])
    old = people.new_link(tables, KEYS["Ann"])
    watch.sleep(people.LINK_DAYS * people.DAY + 1)
    for gone in (secret, old, "made up"):
        with pytest.raises(LinkExpired):
            people.take_link(tables, gone, ids["Cleo"])
    assert friends(tables, "Cleo") == []


def test_who_both_ask_are_friends_and_who_is_asked_may_say_no(tables, ids):
    people.ask(tables, ids["Ann"], ids["Ben"])
    people.ask(tables, ids["Ann"], ids["Ben"])  # twice is once
    assert asking(tables, "Ben") == ["Ann"]
    people.ask(tables, ids["Ben"], ids["Ann"])
    assert friends(tables, "Ann") == ["Ben"]
    people.ask(tables, ids["Cleo"], ids["Ann"])
    (cleo,) = people.circle(tables, KEYS["Ann"]).asking
    people.answer(tables, KEYS["Ann"], cleo.word, yes=False)
    assert asking(tables, "Ann") == []
    (ben,) = people.circle(tables, KEYS["Ann"]).friends
    people.part(tables, KEYS["Ann"], ben.word)
    assert friends(tables, "Ben") == []


def test_three_people_may_be_asked_until_they_answer(tables, ids):
    for name in ("Ben", "Cleo", "Dan"):
        people.ask(tables, ids["Ann"], ids[name])
    with pytest.raises(InvalidState):
        people.ask(tables, ids["Ann"], ids["Eve"])


def test_whom_one_may_ask_is_who_one_plays_with_and_nobody_else(tables, ids, code):
    found = people.people_at(tables, tables.look(code, KEYS["Ann"]))
    assert [it.name for it in found] == ["Ben"]
    with pytest.raises(NotPermitted):
        people.people_at(tables, tables.look(code, KEYS["Cleo"]))
    seating.start(tables, code, ids["Ann"])
    sittings.leave(tables, code, ids["Ben"])
    assert [it.name for it in people.people_at(tables, tables.look(code, KEYS["Ann"]))] == ["Ben"]
    for stranger in (word(tables, code, "Ann", "Ben"), "", "x"):
        with pytest.raises(NotPermitted):  # another's word for somebody is not one's own
            people.person_at(tables, tables.look(code, KEYS["Ben"]), stranger)


def test_friends_of_the_host_need_no_password_where_the_host_says_so(tables, ids, code):
    host.change_access(tables, code, ids["Ann"], False, "sesame")
    people.take_link(tables, people.new_link(tables, KEYS["Ann"]), ids["Cleo"])
    with pytest.raises(NotPermitted):
        people.enter_as_friend(tables, code, KEYS["Cleo"])
    host.change_access(tables, code, ids["Ann"], False, "", friends=True)
    for name in ("Dan", ""):
        with pytest.raises(NotPermitted):
            people.enter_as_friend(tables, code, KEYS.get(name, ""))
    people.enter_as_friend(tables, code, KEYS["Cleo"])
    assert tables.look(code, KEYS["Cleo"]).player == ids["Cleo"]


# Blocks


def test_a_block_holds_at_once_on_every_worker(tables, ids, code, open_tables, store_url):
    other = open_tables(store_url)
    other.look(code, KEYS["Cleo"])  # which has seen the table before
    people.take_link(tables, people.new_link(tables, KEYS["Ann"]), ids["Cleo"])
    secret = people.new_link(tables, KEYS["Ann"])
    chat.speak(other, code, ids["Cleo"], "Cleo", text="Hello")
    people.block(tables, ids["Ann"], ids["Cleo"])
    assert friends(other, "Cleo") == []
    assert chat.read(other, other.look(code, KEYS["Ann"])).lines == []
    with pytest.raises(InvalidState, match="not open to you"):
        seating.sit(other, code, ids["Cleo"], "Cleo")
    with pytest.raises(NotPermitted):
        chat.speak(other, code, ids["Cleo"], "Cleo", text="Hello?")
    with pytest.raises(LinkExpired):
        people.take_link(other, secret, ids["Cleo"])
    people.ask(other, ids["Cleo"], ids["Ann"])  # as if nothing were the matter
    assert asking(other, "Ann") == []
    with pytest.raises(InvalidState):
        people.ask(other, ids["Ann"], ids["Cleo"])
    given = seat_transfer.new_pass(other, code, ids["Ben"])
    with pytest.raises(InvalidState):
        seat_transfer.use_pass(other, code, given, KEYS["Cleo"])
    (cleo,) = people.circle(other, KEYS["Ann"]).blocked
    people.unblock(other, KEYS["Ann"], cleo.word)
    seating.sit(other, code, ids["Cleo"], "Cleo")


def test_a_block_of_a_friend_shuts_the_friends_door(tables, ids, code):
    host.change_access(tables, code, ids["Ann"], False, "sesame", friends=True)
    people.take_link(tables, people.new_link(tables, KEYS["Ann"]), ids["Cleo"])
    (ann,) = people.circle(tables, KEYS["Cleo"]).friends
    people.block_known(tables, KEYS["Cleo"], ann.word)
    with pytest.raises(NotPermitted):
        people.enter_as_friend(tables, code, KEYS["Cleo"])


def test_whom_the_host_removed_does_not_sit_down_again_until_the_host_lets_them(tables, ids, code):
    seating.remove(tables, code, ids["Ann"], 1)
    with pytest.raises(InvalidState, match="removed you"):
        seating.sit(tables, code, ids["Ben"], "Ben")
    with pytest.raises(NotPermitted):
        people.welcome(tables, code, ids["Ben"], ids["Ben"])
    assert word(tables, code, "Ann", "Ben")
    people.welcome(tables, code, ids["Ann"], ids["Ben"])
    seating.sit(tables, code, ids["Ben"], "Ben")
    seating.remove(tables, code, ids["Ann"], 1)
    sittings.leave(tables, code, ids["Ann"])  # then it is nobody's table
    seating.sit(tables, code, ids["Ben"], "Ben")


def test_who_is_blocked_by_a_host_that_has_left_sits_down_like_anybody(tables, ids, code):
    people.block(tables, ids["Ann"], ids["Cleo"])
    with pytest.raises(InvalidState, match="not open to you"):
        seating.sit(tables, code, ids["Cleo"], "Cleo")
    for name in ("Ben", "Ann"):
        if tables.look(code).table.seat_of(ids[name]) is not None:
            sittings.leave(tables, code, ids[name])
    seating.sit(tables, code, ids["Cleo"], "Cleo")


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["ask", "block", "unblock", "link", "yes"]),
        st.sampled_from(range(3)),
        st.sampled_from(range(3)),
    ),
    max_size=12,
)


def test_nobody_is_friends_with_whom_they_block_whatever_was_pressed(tables, ids):
    three = [ids[name] for name in NAMES[:3]]

    @settings(max_examples=25, deadline=None)
    @given(ACTS)
    def pressed(acts):
        for what, one, two in acts:
            if one == two:
                continue
            me, other, key = three[one], three[two], KEYS[NAMES[one]]
            try:
                if what == "ask":
                    people.ask(tables, me, other)
                elif what == "block":
                    people.block(tables, me, other)
                elif what == "unblock":
                    tables.database.write(lambda c, me=me, to=other: store.unblock(c, me, to))
                elif what == "link":
                    people.take_link(tables, people.new_link(tables, key), other)
                else:
                    for it in people.circle(tables, key).asking:
                        people.answer(tables, key, it.word, yes=True)
            except (InvalidState, LinkExpired):
                pass
        for me in three:
            for other in three:
                both = tables.database.read(
                    lambda c, me=me, to=other: (
                        store.are_friends(c, me, to),
                        store.are_friends(c, to, me),
                        store.blocks_player(c, me, to),
                    )
                )
                assert both[0] == both[1]
                assert not (both[0] and both[2])

    pressed()


@pytest.mark.parametrize("seed", range(6))
def test_of_those_who_became_one_each_key_leads_to_that_one_and_no_friend_is_blocked(tables, seed):
    """Friends and blocks by chance among five, of whom one by one becomes another."""
    chance = Random(seed)
    who = {key: players.player(tables, key, name)[0] for name, key in KEYS.items()}
    for number in range(14):
        key, two = chance.choices(list(who), k=2)
        one, other = who[key], who[two]
        what = chance.choice(["friends", "friends", "block", "become"])
        try:
            if one == other:
                continue
            if what == "friends":
                people.take_link(tables, people.new_link(tables, key), other)
            elif what == "block":
                people.block(tables, one, other)
            else:
                fresh = hashlib.sha256(f"fresh {number}".encode()).hexdigest()
                arrival = coming_in.arrive(tables, other, key, fresh)
                assert merge.bring_along(tables, arrival.secret, key)
                # In other browsers whoever is no more is nobody.
                who = {
                    it: other if it == key else at
                    for it, at in who.items()
                    if at != one or it == key
                }
        except (InvalidState, LinkExpired):
            continue
    assert [key for key in KEYS.values() if players.knows(tables, key)] == list(who)
    assert {key: players.player(tables, key, "Any")[0] for key in who} == who
    for one, two in product(set(who.values()), set(who.values())):
        friends_, back, blocked = tables.database.read(
            lambda c, one=one, two=two: (
                store.are_friends(c, one, two),
                store.are_friends(c, two, one),
                store.blocks_player(c, one, two),
            )
        )
        assert friends_ == back and not (friends_ and blocked)
        assert one != two or not (friends_ or blocked)


# Reports


def test_a_report_keeps_the_talk_without_names_for_90_days(tables, ids, code, watch):
    chat.speak(tables, code, ids["Ben"], "Ben", text="You are all fools")
    chat.speak(tables, code, ids["Ann"], "Ann", phrase="hello")
    people.block(tables, ids["Ann"], ids["Ben"])
    snapshot = tables.look(code, KEYS["Ann"])
    person = people.person_at(tables, snapshot, word(tables, code, "Ann", "Ben"))
    with pytest.raises(InvalidState):
        reports.report(tables, snapshot, person, "no reason")
    reports.report(tables, snapshot, person, "insults")
    chat.delete(tables, code, ids["Ann"], 1)
    (row,) = tables.database.read(store.all_reports)
    kept = tables.database.read(lambda c: store.report(c, row.id))
    assert (kept.by, kept.about, kept.code, kept.reason) == ("Ann", "Ben", code, "insults")
    assert json.loads(kept.evidence) == [["about", "You are all fools"], ["by", "Hello!"]]
    watch.sleep(89 * reports.DAY)
    tables.database.write(lambda c: reports.drop_old(c, watch()))
    assert tables.database.read(store.all_reports)
    watch.sleep(reports.DAY)
    tables.database.write(lambda c: reports.drop_old(c, watch()))
    assert not tables.database.read(store.all_reports)


def test_five_reports_a_day_are_enough(tables, ids, code, watch):
    snapshot = tables.look(code, KEYS["Ann"])
    person = people.person_at(tables, snapshot, word(tables, code, "Ann", "Ben"))
    for _ in range(reports.IN_A_DAY):
        reports.report(tables, snapshot, person, "spam")
    with pytest.raises(RateLimited):
        reports.report(tables, snapshot, person, "spam")
    watch.sleep(reports.DAY + 1)
    reports.report(tables, snapshot, person, "spam")


def test_friends_see_that_one_is_here_only_if_one_lets_them(tables, ids):
    people.take_link(tables, people.new_link(tables, KEYS["Ann"]), ids["Ben"])
    seen = [people.circle(tables, KEYS["Ben"]).friends[0].present]
    for present in (True, False):
        people.be_seen(tables, KEYS["Ann"], present)
        seen.append(people.circle(tables, KEYS["Ben"]).friends[0].present)
        assert people.circle(tables, KEYS["Ann"]).present is present
    assert seen == [False, True, False]
