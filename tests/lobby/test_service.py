"""Passwords, the lobby, hosts' settings and seat transfers, on both stores."""

import pytest

from kaboom.accounts import players
from kaboom.accounts.passwords import HASHER, matches, slow_hash_of
from kaboom.engine.codec import from_json
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.lobby.seat_transfer.service import (
    TransferLinkExpired,
    find_transfer,
    new_transfer,
    use_transfer,
)
from kaboom.lobby.table_settings import (
    change_access,
    change_options,
    give_host,
    move_chair,
    shuffle_chairs,
)
from kaboom.notifications.channels import hook, keep_hook
from kaboom.table_page import service as match
from kaboom.tables import start_match
from kaboom.tables.access.service import WrongPassword, enter, listed
from kaboom.tables.seats import leaving
from kaboom.tables.seats.own_tables import tables_of
from kaboom.tables.snapshot import PasswordRequired
from tests.tables.test_service import KABOOM, check_record, opened, people, playing, press


def locked(tables, password="sesame", **more):
    (ann,) = people(tables, "Ann")
    code = lobby.open(tables, "kaboom", KABOOM.options(), ann, "Ann", password=password, **more)
    return code, ann


def names(tables, code):
    return [occupant and occupant.name for occupant in tables.get(code).table.chairs]


# Passwords


def test_passwords_are_hashed_with_owasp_argon2id_parameters():
    stored = slow_hash_of("sesame")
    assert stored.startswith("$argon2id$")
    assert "sesame" not in stored
    assert slow_hash_of("sesame") != stored, "each has its own salt"
    assert HASHER.memory_cost >= 19 * 1024
    assert HASHER.time_cost >= 2
    assert HASHER.parallelism == 1, "a password is checked on one core, beside the games"


@pytest.mark.parametrize(
    ("typed", "right"),
    [
        ("open sesame", True),
        (" open sesame ", True),  # copied from a message
        ("ｏｐｅｎ sesame", True),  # full-width letters of another keyboard
        ("Open sesame", False),
        ("", False),
        ("open sesame" + "!" * 1000, False),
    ],
)
def test_password_matches_in_any_unicode_form(typed, right):
    assert matches(slow_hash_of("open sesame"), typed) is right


def test_password_of_spaces_counts_as_none(tables):
    code, _ = locked(tables, "   ")
    assert not tables.get(code).locked
    assert tables.get(code, "key of Eve").me is None


def test_accents_may_be_composed_or_not():
    assert matches(slow_hash_of("cafe\u0301"), "café")


def test_password_table_is_hidden_until_the_password_is_given(tables):
    code, _ = locked(tables)
    for key in ("", "key of Eve"):
        with pytest.raises(PasswordRequired):
            tables.get(code, key)
        with pytest.raises(PasswordRequired):
            tables.revision(code, key)
    assert tables.get(code, "key of Ann").me == 0
    assert tables.get(code).locked, "the server's own address is not locked out"


def test_password_admits_a_browser_permanently(open_tables, store_url):
    tables = open_tables(store_url)
    code, _ = locked(tables)
    with pytest.raises(WrongPassword):
        enter(tables, code, lambda: "key of Eve", "guess")
    with pytest.raises(PasswordRequired):
        tables.get(code, "key of Eve")
    enter(tables, code, lambda: "key of Eve", "sesame")
    assert tables.get(code, "key of Eve").me is None
    assert open_tables(store_url).get(code, "key of Eve")
    with pytest.raises(PasswordRequired):
        tables.get(code, "key of Dot")
    assert tables_of(tables, "key of Eve") == [], "a mere viewer has no seat there"


def test_admitted_player_may_sit_down_and_keeps_the_seat(tables):
    code, _ = locked(tables)
    enter(tables, code, lambda: "key of Eve", "sesame")
    eve, name = players.player(tables, "key of Eve", "Eve")
    lobby.sit(tables, code, eve, name)
    assert tables.get(code, "key of Eve").me == 1
    assert [snapshot.code for snapshot in tables_of(tables, "key of Eve")] == [code]


def test_overlong_password_is_refused(tables):
    with pytest.raises(InvalidState, match="100 characters"):
        locked(tables, "x" * 101)


def test_host_changes_the_password_and_seated_players_stay(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    with pytest.raises(NotPermitted):
        change_access(tables, code, ben, False, "mine")
    change_access(tables, code, ann, False, "sesame")
    assert tables.get(code, "key of Ben").me == 1
    with pytest.raises(PasswordRequired):
        tables.get(code, "key of Eve")
    change_access(tables, code, ann, False, "")  # an empty field keeps the password
    with pytest.raises(PasswordRequired):
        tables.get(code, "key of Eve")
    change_access(tables, code, ann, False, "", unlocked=True)
    assert tables.get(code, "key of Eve").me is None


# The lobby


def test_lobby_lists_only_listed_tables(tables):
    hidden, _ = opened(tables, "Ann")
    shown, _ = locked(tables, listed=True)
    found, more = listed(tables, 0)
    assert [snapshot.code for snapshot in found] == [shown]
    assert hidden not in [snapshot.code for snapshot in found]
    assert not more


def test_host_lists_and_unlists_a_table_in_the_lobby(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    change_access(tables, code, ann, True, "")
    assert [snapshot.code for snapshot in listed(tables, 0)[0]] == [code]
    change_access(tables, code, ann, False, "")
    assert listed(tables, 0)[0] == []


def test_abandoned_or_idle_table_is_unlisted(tables, fake_clock):
    code, ann = locked(tables, listed=True)
    other, _ = locked(tables, listed=True)
    leaving.leave(tables, code, ann)
    assert [snapshot.code for snapshot in listed(tables, 0)[0]] == [other]
    fake_clock.sleep(13 * 3600)
    assert listed(tables, 0)[0] == []


def test_lobby_is_paginated(tables, fake_clock):
    codes = []
    for _ in range(5):
        fake_clock.sleep(1)
        codes.append(locked(tables, "", listed=True)[0])
    pages = [listed(tables, page, size=2) for page in range(3)]
    assert [snapshot.code for found, _ in pages for snapshot in found] == codes[::-1]
    assert [more for _, more in pages] == [True, True, False]


# The host's settings


def test_the_host_moves_people_from_chair_to_chair(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    move_chair(tables, code, ann, 0, 1)
    assert names(tables, code) == ["Ben", "Ann", None, None]
    move_chair(tables, code, ann, 1, 3)
    assert names(tables, code) == ["Ben", None, None, "Ann"]
    assert tables.get(code).table.host == ann
    for wrong in (-1, 4, 99):
        with pytest.raises(InvalidState):
            move_chair(tables, code, ann, 0, wrong)
    with pytest.raises(NotPermitted):
        move_chair(tables, code, ben, 0, 1)


def test_the_host_shuffles_the_seats(tables):
    code, (ann, *_) = opened(tables, "Ann", "Ben", "Cid", "Dot")
    seen = set()
    for _ in range(40):
        shuffle_chairs(tables, code, ann)
        seen.add(tuple(names(tables, code)))
        assert sorted(names(tables, code)) == ["Ann", "Ben", "Cid", "Dot"]
    assert len(seen) > 5


def test_host_role_is_given_to_another_player(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    lobby.add_bot(tables, code, ann)
    with pytest.raises(InvalidState, match="house"):
        give_host(tables, code, ann, 2)
    with pytest.raises(NotPermitted):
        give_host(tables, code, ben, 1)
    give_host(tables, code, ann, 1)
    assert tables.get(code).table.host == ben
    with pytest.raises(NotPermitted):
        give_host(tables, code, ann, 0)


def test_player_joining_an_empty_table_becomes_its_host(tables):
    code, (ann,) = opened(tables, "Ann")
    leaving.leave(tables, code, ann)
    (ben,) = people(tables, "Ben")
    lobby.sit(tables, code, ben, "Ben")
    assert tables.get(code).table.host == ben


def test_changed_options_reset_readiness_and_are_announced(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    lobby.add_bot(tables, code, ann)
    start_match.ready(tables, code, ben)
    wished = KABOOM.options(rounds=3)
    with pytest.raises(NotPermitted):
        change_options(tables, code, ben, wished)
    change_options(tables, code, ann, wished)
    table = tables.get(code).table
    assert from_json(bytes(table.options), KABOOM.options).rounds == 3
    assert [occupant.ready for _, occupant in table.sitting()] == [False, False, True]
    assert table.told[-1].kind == "table.options"
    assert len(from_json(bytes(table.told[-1].facts), dict)["labels"]) == 1
    before = tables.get(code).version
    change_options(tables, code, ann, wished)  # no effect
    assert tables.get(code).version == before


def test_unchanged_options_cause_no_update(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    start_match.ready(tables, code, ben)
    before = tables.get(code)
    options = from_json(bytes(before.table.options), before.game.options)
    after = change_options(tables, code, ann, options)
    assert after.table.chairs[1].ready and after.table.told == before.table.told


def test_options_change_the_seat_count_but_remove_no_player(tables):
    code, (ann, _, cid) = opened(tables, "Ann", "Ben", "Cid")
    move_chair(tables, code, ann, 2, 3)
    change_options(tables, code, ann, KABOOM.options(max_players=6))
    assert names(tables, code) == ["Ann", "Ben", None, "Cid", None, None]
    for name in ("Dot", "Eva"):
        (player,) = people(tables, name)
        lobby.sit(tables, code, player, name)
    with pytest.raises(InvalidState, match="4 seats"):
        change_options(tables, code, ann, KABOOM.options())
    leaving.leave(tables, code, cid)
    change_options(tables, code, ann, KABOOM.options())
    assert names(tables, code) == ["Ann", "Ben", "Dot", "Eva"]


def test_seating_and_options_are_fixed_during_a_match(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    for arrange in (
        lambda: move_chair(tables, code, ann, 0, 1),
        lambda: shuffle_chairs(tables, code, ann),
        lambda: change_options(tables, code, ann, KABOOM.options(rounds=3)),
    ):
        with pytest.raises(InvalidState):
            arrange()


# Seat transfer


def test_seat_transfer_moves_host_role_and_match(tables):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    secret = new_transfer(tables, code, ann)
    assert find_transfer(tables, code, secret)[1] == "Ann"
    snapshot = use_transfer(tables, code, secret, "key of Ann's phone")
    assert snapshot.me == 0
    assert snapshot.player != ann
    assert snapshot.table.host == snapshot.player
    assert tables.get(code, "key of Ann").me is None, "the old device watches"
    with pytest.raises(NotPermitted):
        press(tables, code, ben + 100, "ready")
    offer = snapshot.prompt().offer("ready")
    revision = snapshot.table.revision(0)
    with pytest.raises(NotPermitted):
        match.submit(tables, code, ann, "ready", offer.token, "old", 1, revision)
    match.submit(tables, code, snapshot.player, "ready", offer.token, "new", 1, revision)
    assert [it.code for it in tables_of(tables, "key of Ann's phone")] == [code]
    assert tables_of(tables, "key of Ann") == []
    check_record(tables, code)


def test_seat_can_be_transferred_there_and_back(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    there = use_transfer(tables, code, new_transfer(tables, code, ann), "phone")
    back = use_transfer(tables, code, new_transfer(tables, code, there.player), "key of Ann")
    assert (back.me, back.player) == (0, ann)


def test_transfer_link_works_once(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    secret = new_transfer(tables, code, ann)
    use_transfer(tables, code, secret, "phone")
    for again in (use_transfer, lambda *given: find_transfer(*given[:3])):
        with pytest.raises(TransferLinkExpired):
            again(tables, code, secret, "another phone")


def test_transfer_link_is_valid_for_ten_minutes(tables, fake_clock):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    secret = new_transfer(tables, code, ann)
    fake_clock.sleep(600)
    assert find_transfer(tables, code, secret)
    fake_clock.sleep(1)
    with pytest.raises(TransferLinkExpired):
        find_transfer(tables, code, secret)
    with pytest.raises(TransferLinkExpired):
        use_transfer(tables, code, secret, "phone")


def test_transfer_link_works_at_its_own_table_only(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    other, _ = playing(tables, "Ann", "Cid")
    secret = new_transfer(tables, code, ann)
    with pytest.raises(TransferLinkExpired):
        use_transfer(tables, other, secret, "phone")
    assert use_transfer(tables, code, secret, "phone").me == 0


@pytest.mark.parametrize("secret", ["", "x", "' OR 1=1", "A" * 32])
def test_forged_transfer_link_is_refused(tables, secret):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    new_transfer(tables, code, ann)
    with pytest.raises(TransferLinkExpired):
        use_transfer(tables, code, secret, "phone")


def test_only_the_hash_of_a_transfer_link_is_stored(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    secret = new_transfer(tables, code, ann)
    stored = tables.database.read(
        lambda c: c.exec_driver_sql("SELECT secret_hash FROM passes").scalars().all()
    )
    assert len(stored) == 1
    assert secret not in stored[0]


def test_seated_player_takes_no_second_seat_by_link(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    secret = new_transfer(tables, code, ann)
    for key in ("key of Ann", "key of Ben"):
        with pytest.raises(InvalidState):
            use_transfer(tables, code, secret, key)
    assert use_transfer(tables, code, secret, "phone").me == 0


def test_unseated_player_cannot_transfer_a_seat(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    (eve,) = people(tables, "Eve")
    with pytest.raises(NotPermitted):
        new_transfer(tables, code, eve)
    secret = new_transfer(tables, code, ben)
    leaving.remove(tables, code, ann, 1)
    with pytest.raises(TransferLinkExpired):
        use_transfer(tables, code, secret, "phone")


def test_transferred_seat_opens_a_locked_table(tables):
    code, ann = locked(tables)
    lobby.add_bot(tables, code, ann)
    start_match.start(tables, code, ann)
    there = use_transfer(tables, code, new_transfer(tables, code, ann), "phone")
    assert tables.get(code, "phone").me == 0
    parts = tables.database.read(
        lambda c: c.exec_driver_sql("SELECT seat, player_id FROM parts").all()
    )
    assert [tuple(part) for part in parts] == [(0, there.player)]
    assert tables.get(code, "key of Ann").me is None, "the player who gave it away may still watch"


def test_admitted_browser_gets_the_name_with_the_seat(tables):
    code, ann = locked(tables)
    enter(tables, code, lambda: "phone", "sesame")
    assert tables.get(code, "phone").player_name == ""
    assert use_transfer(tables, code, new_transfer(tables, code, ann), "phone").player_name == "Ann"


def test_notification_channels_move_with_the_seat(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    keep_hook(tables, code, ann, "https://hooks.example/ann", "en", "https://cards.example")
    there = use_transfer(tables, code, new_transfer(tables, code, ann), "phone")
    assert hook(tables, code, there.player).address == "https://hooks.example/ann"
    assert hook(tables, code, ann).address == "", "the old device is not notified of another's turn"


def stored_links(tables):
    return tables.database.read(
        lambda c: c.exec_driver_sql("SELECT count(*) FROM passes").scalar_one()
    )


def test_unused_transfer_links_are_deleted_by_the_next_one(tables, fake_clock):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    for player in (ann, ben):
        new_transfer(tables, code, player)
    fake_clock.sleep(601)
    fresh = new_transfer(tables, code, ann)
    assert stored_links(tables) == 1
    assert find_transfer(tables, code, fresh)


def test_deleting_a_table_deletes_its_transfer_links(tables):
    from kaboom.tables.maintenance.interventions import delete

    code, ann = locked(tables)
    new_transfer(tables, code, ann)
    delete(tables, code)
    assert stored_links(tables) == 0


@pytest.mark.parametrize("stored", ["", "nonsense", "$argon2id$v=19$m=8,t=1,p=1$x"])
def test_malformed_password_hash_matches_no_password(stored):
    assert not matches(stored, "")
    assert not matches(stored, stored)


def test_admitted_player_lists_the_table_once_seated(tables):
    code, (ann,) = opened(tables, "Ann")
    change_access(tables, code, ann, False, "open sesame")
    (ben,) = people(tables, "Ben")
    enter(tables, code, lambda: "key of Ben", "open sesame")
    assert tables_of(tables, "key of Ben") == []
    lobby.sit(tables, code, ben, "Ben")
    assert [snapshot.code for snapshot in tables_of(tables, "key of Ben")] == [code]


# Starts when full


def test_table_that_begins_when_full_starts_with_the_last_seat(tables):
    ann, ben = people(tables, "Ann", "Ben")
    options = GAMES["gops"].options()
    code = lobby.open(tables, "gops", options, ann, "Ann", begins_full=True)
    assert not tables.get(code).table.playing
    assert lobby.sit(tables, code, ben, "Ben").table.playing


def test_bot_in_the_last_seat_begins_a_full_table(tables):
    (ann,) = people(tables, "Ann")
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann", begins_full=True)
    assert lobby.add_bot(tables, code, ann).table.playing


def test_full_table_without_the_option_waits(tables):
    ann, ben = people(tables, "Ann", "Ben")
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann")
    assert not lobby.sit(tables, code, ben, "Ben").table.playing
