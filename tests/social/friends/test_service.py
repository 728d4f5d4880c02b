"""Friends, blocks and reports: their effects, at once and on every worker."""

import hashlib
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaboom.accounts import login, merge, players
from kaboom.accounts.erase import erase_player
from kaboom.accounts.login import LinkExpired
from kaboom.errors import InvalidState, NotPermitted, RateLimited
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.lobby import table_settings
from kaboom.lobby.seat_transfer import service as seat_transfer
from kaboom.social.chat import service as chat
from kaboom.social.friends import queries as store
from kaboom.social.friends import reports
from kaboom.social.friends import service as friends_service
from kaboom.social.friends.reports import Reason
from kaboom.tables import start_match
from kaboom.tables.seats import leaving
from tests.support.members import KEYS, NAMES


@pytest.fixture
def code(tables, ids):
    """A table of Ann's at which Ben sits, too."""
    code = lobby.open(tables, "taken", GAMES["taken"].options(), ids["Ann"], "Ann")
    lobby.sit(tables, code, ids["Ben"], "Ben")
    return code


def friends(tables, name):
    return [it.name for it in friends_service.get_relations(tables, KEYS[name]).friends]


def asking(tables, name):
    return [it.name for it in friends_service.get_relations(tables, KEYS[name]).asking]


def word(tables, code, asker, name):
    found = friends_service.people_at(tables, tables.get(code, KEYS[asker]))
    return next(it.word for it in found if it.name == name)


# Friends


def test_a_link_makes_two_people_friends_once(tables, ids, fake_clock):
    secret = friends_service.new_link(tables, KEYS["Ann"])
    assert friends_service.name_on_link(tables, secret, KEYS["Ben"]) == "Ann"
    with pytest.raises(InvalidState):
        friends_service.take_link(tables, secret, ids["Ann"])
    friends_service.take_link(tables, secret, ids["Ben"])
    assert (friends(tables, "Ann"), friends(tables, "Ben")) == (["Ben"], ["Ann"])
    old = friends_service.new_link(tables, KEYS["Ann"])
    fake_clock.sleep(friends_service.LINK_DAYS * friends_service.DAY + 1)
    for gone in (secret, old, "made up"):
        with pytest.raises(LinkExpired):
            friends_service.take_link(tables, gone, ids["Cleo"])
    assert friends(tables, "Cleo") == []


def test_mutual_requests_befriend_and_requests_can_be_declined(tables, ids):
    friends_service.ask(tables, ids["Ann"], ids["Ben"])
    friends_service.ask(tables, ids["Ann"], ids["Ben"])  # repeating has no effect
    assert asking(tables, "Ben") == ["Ann"]
    friends_service.ask(tables, ids["Ben"], ids["Ann"])
    assert friends(tables, "Ann") == ["Ben"]
    friends_service.ask(tables, ids["Cleo"], ids["Ann"])
    (cleo,) = friends_service.get_relations(tables, KEYS["Ann"]).asking
    friends_service.answer(tables, KEYS["Ann"], cleo.word, yes=False)
    assert asking(tables, "Ann") == []
    (ben,) = friends_service.get_relations(tables, KEYS["Ann"]).friends
    friends_service.part(tables, KEYS["Ann"], ben.word)
    assert friends(tables, "Ben") == []


def test_fourth_open_friend_request_is_refused(tables, ids):
    for name in ("Ben", "Cleo", "Dan"):
        friends_service.ask(tables, ids["Ann"], ids[name])
    with pytest.raises(InvalidState):
        friends_service.ask(tables, ids["Ann"], ids["Eve"])


def test_only_fellow_players_can_be_asked(tables, ids, code):
    found = friends_service.people_at(tables, tables.get(code, KEYS["Ann"]))
    assert [it.name for it in found] == ["Ben"]
    with pytest.raises(NotPermitted):
        friends_service.people_at(tables, tables.get(code, KEYS["Cleo"]))
    start_match.start(tables, code, ids["Ann"])
    leaving.leave(tables, code, ids["Ben"])
    assert [it.name for it in friends_service.people_at(tables, tables.get(code, KEYS["Ann"]))] == [
        "Ben"
    ]
    for stranger in (word(tables, code, "Ann", "Ben"), "", "x"):
        with pytest.raises(NotPermitted):  # each player has their own words for others
            friends_service.person_at(tables, tables.get(code, KEYS["Ben"]), stranger)


def test_hosts_friends_skip_the_password_if_allowed(tables, ids, code):
    table_settings.change_access(tables, code, ids["Ann"], False, "sesame")
    friends_service.take_link(tables, friends_service.new_link(tables, KEYS["Ann"]), ids["Cleo"])
    with pytest.raises(NotPermitted):
        friends_service.enter_as_friend(tables, code, KEYS["Cleo"])
    table_settings.change_access(tables, code, ids["Ann"], False, "", friends=True)
    for name in ("Dan", ""):
        with pytest.raises(NotPermitted):
            friends_service.enter_as_friend(tables, code, KEYS.get(name, ""))
    friends_service.enter_as_friend(tables, code, KEYS["Cleo"])
    assert tables.get(code, KEYS["Cleo"]).player == ids["Cleo"]


# Blocks


def test_block_applies_at_once_on_every_worker(tables, ids, code, open_tables, store_url):
    other = open_tables(store_url)
    other.get(code, KEYS["Cleo"])  # a worker that has read the table before
    friends_service.take_link(tables, friends_service.new_link(tables, KEYS["Ann"]), ids["Cleo"])
    secret = friends_service.new_link(tables, KEYS["Ann"])
    chat.speak(other, code, ids["Cleo"], "Cleo", text="Hello")
    friends_service.block(tables, ids["Ann"], ids["Cleo"])
    assert friends(other, "Cleo") == []
    assert chat.read(other, other.get(code, KEYS["Ann"])).lines == []
    with pytest.raises(InvalidState, match="cannot join this table"):
        lobby.sit(other, code, ids["Cleo"], "Cleo")
    with pytest.raises(NotPermitted):
        chat.speak(other, code, ids["Cleo"], "Cleo", text="Hello?")
    with pytest.raises(LinkExpired):
        friends_service.take_link(other, secret, ids["Cleo"])
    friends_service.ask(other, ids["Cleo"], ids["Ann"])  # no visible difference
    assert asking(other, "Ann") == []
    with pytest.raises(InvalidState):
        friends_service.ask(other, ids["Ann"], ids["Cleo"])
    given = seat_transfer.new_transfer(other, code, ids["Ben"])
    with pytest.raises(InvalidState):
        seat_transfer.use_transfer(other, code, given, KEYS["Cleo"])
    (cleo,) = friends_service.get_relations(other, KEYS["Ann"]).blocked
    friends_service.unblock(other, KEYS["Ann"], cleo.word)
    lobby.sit(other, code, ids["Cleo"], "Cleo")


def test_blocking_a_friend_revokes_the_friends_access(tables, ids, code):
    table_settings.change_access(tables, code, ids["Ann"], False, "sesame", friends=True)
    friends_service.take_link(tables, friends_service.new_link(tables, KEYS["Ann"]), ids["Cleo"])
    (ann,) = friends_service.get_relations(tables, KEYS["Cleo"]).friends
    friends_service.block_known(tables, KEYS["Cleo"], ann.word)
    with pytest.raises(NotPermitted):
        friends_service.enter_as_friend(tables, code, KEYS["Cleo"])


def test_removed_player_sits_again_only_with_the_hosts_consent(tables, ids, code):
    leaving.remove(tables, code, ids["Ann"], 1)
    with pytest.raises(InvalidState, match="removed you"):
        lobby.sit(tables, code, ids["Ben"], "Ben")
    with pytest.raises(NotPermitted):
        leaving.readmit(tables, code, ids["Ben"], ids["Ben"])
    assert word(tables, code, "Ann", "Ben")
    leaving.readmit(tables, code, ids["Ann"], ids["Ben"])
    lobby.sit(tables, code, ids["Ben"], "Ben")
    leaving.remove(tables, code, ids["Ann"], 1)
    leaving.leave(tables, code, ids["Ann"])  # the table then has no host
    lobby.sit(tables, code, ids["Ben"], "Ben")


def test_block_by_a_departed_host_stops_no_player(tables, ids, code):
    friends_service.block(tables, ids["Ann"], ids["Cleo"])
    with pytest.raises(InvalidState, match="cannot join this table"):
        lobby.sit(tables, code, ids["Cleo"], "Cleo")
    for name in ("Ben", "Ann"):
        if tables.get(code).table.seat_of(ids[name]) is not None:
            leaving.leave(tables, code, ids[name])
    lobby.sit(tables, code, ids["Cleo"], "Cleo")


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["ask", "block", "unblock", "link", "yes"]),
        st.sampled_from(range(3)),
        st.sampled_from(range(3)),
    ),
    max_size=12,
)


def test_no_order_of_actions_leaves_a_blocked_player_a_friend(tables, ids):
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
                    friends_service.ask(tables, me, other)
                elif what == "block":
                    friends_service.block(tables, me, other)
                elif what == "unblock":
                    tables.database.write(lambda c, me=me, to=other: store.unblock(c, me, to))
                elif what == "link":
                    friends_service.take_link(tables, friends_service.new_link(tables, key), other)
                else:
                    for it in friends_service.get_relations(tables, key).asking:
                        friends_service.answer(tables, key, it.word, yes=True)
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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_merging_never_leaves_a_blocked_player_a_friend(tables, seed):
    """Random friends and blocks among five players, who are merged one by one."""
    rng = Random(seed)
    who = {key: players.player(tables, key, name)[0] for name, key in KEYS.items()}
    for number in range(14):
        key, two = rng.choices(list(who), k=2)
        one, other = who[key], who[two]
        what = rng.choice(["friends", "friends", "block", "become"])
        try:
            if one == other:
                continue
            if what == "friends":
                friends_service.take_link(tables, friends_service.new_link(tables, key), other)
            elif what == "block":
                friends_service.block(tables, one, other)
            else:
                fresh = hashlib.sha256(f"fresh {number}".encode()).hexdigest()
                arrival = login.arrive(tables, other, key, fresh)
                assert merge.merge_guest(tables, arrival.secret, key)
                # In other browsers an erased player is a stranger.
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


def test_report_keeps_the_chat_without_names_for_90_days(tables, ids, code, fake_clock):
    chat.speak(tables, code, ids["Ben"], "Ben", text="You are all fools")
    chat.speak(tables, code, ids["Ann"], "Ann", phrase="hello")
    friends_service.block(tables, ids["Ann"], ids["Ben"])
    snapshot = tables.get(code, KEYS["Ann"])
    person = friends_service.person_at(tables, snapshot, word(tables, code, "Ann", "Ben"))
    with pytest.raises(InvalidState):
        reports.report(tables, snapshot, person, Reason("no reason"))
    with pytest.raises(InvalidState):
        reports.report(tables, snapshot, person, Reason("insults", "x" * 201))
    reports.report(tables, snapshot, person, Reason("insults", " Each\nevening "), line=1)
    chat.delete(tables, code, ids["Ann"], 1)
    (row,) = tables.database.read(store.all_reports)
    kept = tables.database.read(lambda c: store.report(c, row.id))
    assert (kept.by, kept.about, kept.code, kept.reason) == ("Ann", "Ben", code, "insults")
    said = reports.lines_of(kept.evidence)
    assert [it[:2] for it in said] == [("about", "You are all fools"), ("by", "Hello!")]
    assert all(it.at > 0 for it in said) and [it.marked for it in said] == [True, False]
    assert kept.words == row.words == "Each evening"
    # as older versions stored it
    assert reports.lines_of('[["by", "Hello!"]]') == [("by", "Hello!", 0.0, False)]
    fake_clock.sleep(89 * reports.DAY)
    tables.database.write(lambda c: reports.drop_old(c, fake_clock()))
    assert tables.database.read(store.all_reports)
    fake_clock.sleep(reports.DAY)
    tables.database.write(lambda c: reports.drop_old(c, fake_clock()))
    assert not tables.database.read(store.all_reports)


def test_marked_message_is_kept_however_old_it_is(tables, ids, code):
    chat.speak(tables, code, ids["Ben"], "Ben", text="You fool")
    for number in range(reports.LINES):
        chat.speak(tables, code, ids["Ben"], "Ben", text=f"line {number}")
    snapshot = tables.get(code, KEYS["Ann"])
    person, text = reports.author_of(tables, snapshot, 1)
    assert (person.player, text) == (ids["Ben"], "You fool")
    reports.report(tables, snapshot, person, Reason("insults"), line=1)
    kept = reports.lines_of(tables.database.read(lambda c: store.report(c, 1)).evidence)
    assert len(kept) == reports.LINES and kept[0][1] == "You fool"
    assert [it.marked for it in kept].count(True) == 1 and kept[0].marked


@pytest.mark.parametrize("erased", ["Ann", "Ben"])
def test_words_of_a_report_are_erased_with_either_account(tables, ids, code, erased):
    snapshot = tables.get(code, KEYS["Ann"])
    person = friends_service.person_at(tables, snapshot, word(tables, code, "Ann", "Ben"))
    reports.report(tables, snapshot, person, Reason("insults", "Ben again"))
    tables.database.write(lambda c: erase_player(c, ids[erased]))
    (row,) = tables.database.read(store.all_reports)
    assert row.words == ""


def test_next_open_report_is_the_oldest_other_one(tables, ids, code):
    snapshot = tables.get(code, KEYS["Ann"])
    person = friends_service.person_at(tables, snapshot, word(tables, code, "Ann", "Ben"))
    for _ in range(3):
        reports.report(tables, snapshot, person, Reason("spam"))
    tables.database.write(lambda c: store.close_report(c, 3))

    def following(number):
        return tables.database.read(lambda c: store.next_open_report(c, number))

    assert [following(number) for number in (1, 2, 3)] == [2, 1, 1]
    tables.database.write(lambda c: (store.close_report(c, 1), store.close_report(c, 2)))
    assert following(3) == 0
    closed = tables.database.read(lambda c: store.closed_reports(c, 2))
    assert [it.id for it in closed] == [3, 2]
    assert not tables.database.read(lambda c: store.open_reports(c, 9))


def test_reports_per_day_are_limited(tables, ids, code, fake_clock):
    snapshot = tables.get(code, KEYS["Ann"])
    person = friends_service.person_at(tables, snapshot, word(tables, code, "Ann", "Ben"))
    for _ in range(reports.IN_A_DAY):
        reports.report(tables, snapshot, person, Reason("spam"))
    with pytest.raises(RateLimited):
        reports.report(tables, snapshot, person, Reason("spam"))
    fake_clock.sleep(reports.DAY + 1)
    reports.report(tables, snapshot, person, Reason("spam"))


def test_friends_see_presence_only_if_allowed(tables, ids):
    friends_service.take_link(tables, friends_service.new_link(tables, KEYS["Ann"]), ids["Ben"])
    seen = [friends_service.get_relations(tables, KEYS["Ben"]).friends[0].present]
    for present in (True, False):
        friends_service.be_seen(tables, KEYS["Ann"], present)
        seen.append(friends_service.get_relations(tables, KEYS["Ben"]).friends[0].present)
        assert friends_service.get_relations(tables, KEYS["Ann"]).present is present
    assert seen == [False, True, False]
