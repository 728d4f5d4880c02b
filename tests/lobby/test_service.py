"""Passwords, the lobby, what the host arranges, and seats carried elsewhere, on both stores."""

import pytest

from kaboom.accounts import players as keys
from kaboom.accounts.passwords import HASHER, fits, slow_hash_of
from kaboom.engine.codec import from_json
from kaboom.errors import InvalidState, NotPermitted
from kaboom.lobby import service as seating
from kaboom.lobby.host import (
    change_access,
    change_options,
    give_host,
    move_chair,
    shuffle_chairs,
)
from kaboom.lobby.seat_transfer import TransferLinkExpired, look_at_pass, new_pass, use_pass
from kaboom.notifications.channels import hook, keep_hook
from kaboom.play import service as in_match
from kaboom.tables import sittings
from kaboom.tables.access.service import WrongPassword, enter, listed
from kaboom.tables.sittings import tables_of
from kaboom.tables.snapshot import PasswordRequired
from tests.tables.test_service import KABOOM, check_record, opened, people, playing, press


def locked(tables, password="sesame", **more):
    (ann,) = people(tables, "Ann")
    code = seating.open(tables, "kaboom", KABOOM.options(), ann, "Ann", password=password, **more)
    return code, ann


def names(tables, code):
    return [chair and chair.name for chair in tables.look(code).table.chairs]


# Passwords


def test_passwords_are_kept_as_argon2id_of_at_least_what_owasp_asks():
    stored = slow_hash_of("sesame")
    assert stored.startswith("$argon2id$")
    assert "sesame" not in stored
    assert slow_hash_of("sesame") != stored, "each with a salt of its own"
    assert HASHER.memory_cost >= 19 * 1024
    assert HASHER.time_cost >= 2
    assert HASHER.parallelism == 1, "a password is judged on one core, beside the games"


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
def test_a_password_fits_however_a_keyboard_writes_it(typed, right):
    assert fits(slow_hash_of("open sesame"), typed) is right


def test_a_password_of_spaces_is_none(tables):
    code, _ = locked(tables, "   ")
    assert not tables.look(code).locked
    assert tables.look(code, "key of Eve").me is None


def test_accents_may_be_composed_or_not():
    assert fits(slow_hash_of("cafe\u0301"), "café")


def test_a_table_with_a_password_is_seen_by_nobody_who_has_not_given_it(tables):
    code, _ = locked(tables)
    for key in ("", "key of Eve"):
        with pytest.raises(PasswordRequired):
            tables.look(code, key)
        with pytest.raises(PasswordRequired):
            tables.revision(code, key)
    assert tables.look(code, "key of Ann").me == 0
    assert tables.look(code).locked, "the house itself is not kept out"


def test_the_password_lets_a_browser_in_for_good(open_tables, store_url):
    tables = open_tables(store_url)
    code, _ = locked(tables)
    with pytest.raises(WrongPassword):
        enter(tables, code, lambda: "key of Eve", "guess")
    with pytest.raises(PasswordRequired):
        tables.look(code, "key of Eve")
    enter(tables, code, lambda: "key of Eve", "sesame")
    assert tables.look(code, "key of Eve").me is None
    assert open_tables(store_url).look(code, "key of Eve")
    with pytest.raises(PasswordRequired):
        tables.look(code, "key of Dot")
    assert tables_of(tables, "key of Eve") == [], "who only looks has no seat there"


def test_who_was_let_in_may_sit_down_and_keeps_the_seat(tables):
    code, _ = locked(tables)
    enter(tables, code, lambda: "key of Eve", "sesame")
    eve, name = keys.player(tables, "key of Eve", "Eve")
    seating.sit(tables, code, eve, name)
    assert tables.look(code, "key of Eve").me == 1
    assert [snapshot.code for snapshot in tables_of(tables, "key of Eve")] == [code]


def test_a_password_too_long_to_be_kept_is_refused(tables):
    with pytest.raises(InvalidState, match="100 characters"):
        locked(tables, "x" * 101)


def test_the_host_sets_and_takes_away_the_password_and_who_sits_stays(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    with pytest.raises(NotPermitted):
        change_access(tables, code, ben, False, "mine")
    change_access(tables, code, ann, False, "sesame")
    assert tables.look(code, "key of Ben").me == 1
    with pytest.raises(PasswordRequired):
        tables.look(code, "key of Eve")
    change_access(tables, code, ann, False, "")  # nothing typed: it stays
    with pytest.raises(PasswordRequired):
        tables.look(code, "key of Eve")
    change_access(tables, code, ann, False, "", unlocked=True)
    assert tables.look(code, "key of Eve").me is None


# The lobby


def test_the_lobby_lists_the_tables_that_want_to_be_found(tables):
    hidden, _ = opened(tables, "Ann")
    shown, _ = locked(tables, listed=True)
    found, more = listed(tables, 0)
    assert [snapshot.code for snapshot in found] == [shown]
    assert hidden not in [snapshot.code for snapshot in found]
    assert not more


def test_a_table_comes_to_the_lobby_and_goes_as_its_host_says(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    change_access(tables, code, ann, True, "")
    assert [snapshot.code for snapshot in listed(tables, 0)[0]] == [code]
    change_access(tables, code, ann, False, "")
    assert listed(tables, 0)[0] == []


def test_a_table_all_have_left_or_nobody_touches_is_listed_no_more(tables, watch):
    code, ann = locked(tables, listed=True)
    other, _ = locked(tables, listed=True)
    sittings.leave(tables, code, ann)
    assert [snapshot.code for snapshot in listed(tables, 0)[0]] == [other]
    watch.sleep(13 * 3600)
    assert listed(tables, 0)[0] == []


def test_the_lobby_goes_page_by_page(tables, watch):
    codes = []
    for _ in range(5):
        watch.sleep(1)
        codes.append(locked(tables, "", listed=True)[0])
    pages = [listed(tables, page, size=2) for page in range(3)]
    assert [snapshot.code for found, _ in pages for snapshot in found] == codes[::-1]
    assert [more for _, more in pages] == [True, True, False]


# What the host arranges


def test_the_host_moves_people_from_chair_to_chair(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    move_chair(tables, code, ann, 0, 1)
    assert names(tables, code) == ["Ben", "Ann", None, None]
    move_chair(tables, code, ann, 1, 3)
    assert names(tables, code) == ["Ben", None, None, "Ann"]
    assert tables.look(code).table.host == ann
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


def test_the_hosts_chair_is_given_to_another(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    seating.add_bot(tables, code, ann)
    with pytest.raises(InvalidState, match="house"):
        give_host(tables, code, ann, 2)
    with pytest.raises(NotPermitted):
        give_host(tables, code, ben, 1)
    give_host(tables, code, ann, 1)
    assert tables.look(code).table.host == ben
    with pytest.raises(NotPermitted):
        give_host(tables, code, ann, 0)


def test_whoever_comes_to_a_table_all_have_left_is_its_host(tables):
    code, (ann,) = opened(tables, "Ann")
    sittings.leave(tables, code, ann)
    (ben,) = people(tables, "Ben")
    seating.sit(tables, code, ben, "Ben")
    assert tables.look(code).table.host == ben


def test_while_the_host_is_away_another_may_start(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    tables.here.players = {ann, ben}
    with pytest.raises(NotPermitted):
        seating.start(tables, code, ben)
    tables.here.players = {ben}
    (eve,) = people(tables, "Eve")
    with pytest.raises(NotPermitted):
        seating.start(tables, code, eve)
    seating.start(tables, code, ben)
    assert tables.look(code).table.playing


def test_changed_options_make_everybody_ready_anew_and_are_told(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    seating.add_bot(tables, code, ann)
    seating.ready(tables, code, ben)
    wished = KABOOM.options(rounds=3)
    with pytest.raises(NotPermitted):
        change_options(tables, code, ben, wished)
    change_options(tables, code, ann, wished)
    table = tables.look(code).table
    assert from_json(bytes(table.options), KABOOM.options).rounds == 3
    assert [chair.ready for _, chair in table.sitting()] == [False, False, True]
    assert table.told[-1].kind == "table.options"
    assert len(from_json(bytes(table.told[-1].facts), dict)["labels"]) == 1
    before = tables.look(code).version
    change_options(tables, code, ann, wished)  # nothing is changed by it
    assert tables.look(code).version == before


def test_options_that_stay_as_they_were_disturb_nobody(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    seating.ready(tables, code, ben)
    before = tables.look(code)
    options = from_json(bytes(before.table.options), before.game.options)
    after = change_options(tables, code, ann, options)
    assert after.table.chairs[1].ready and after.table.told == before.table.told


def test_options_change_the_number_of_chairs_but_send_nobody_away(tables):
    code, (ann, _, cid) = opened(tables, "Ann", "Ben", "Cid")
    move_chair(tables, code, ann, 2, 3)
    change_options(tables, code, ann, KABOOM.options(max_players=6))
    assert names(tables, code) == ["Ann", "Ben", None, "Cid", None, None]
    for name in ("Dot", "Eva"):
        (player,) = people(tables, name)
        seating.sit(tables, code, player, name)
    with pytest.raises(InvalidState, match="4 chairs"):
        change_options(tables, code, ann, KABOOM.options())
    sittings.leave(tables, code, cid)
    change_options(tables, code, ann, KABOOM.options())
    assert names(tables, code) == ["Ann", "Ben", "Dot", "Eva"]


def test_who_gives_no_cut_is_given_one(tables, lots):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    lots.cut = lambda: "by lot"
    for text, cut in (("mine", "mine"), (" ", "by lot"), ("", "by lot")):
        assert seating.cut(tables, code, ann, text).table.chairs[0].cut == cut


def test_a_cut_is_news_to_whoever_cuts_and_to_nobody_else(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    before = tables.look(code).table
    after = seating.cut(tables, code, ann, "mine").table
    assert after.revision(0) > before.revision(0)
    for viewer in (1, None):
        assert after.revision(viewer) == before.revision(viewer)


def test_who_is_ready_is_news_to_everybody(tables):
    code, (_, ben) = opened(tables, "Ann", "Ben")
    before = tables.look(code).table
    after = seating.ready(tables, code, ben).table
    for viewer in (0, 1, None):
        assert after.revision(viewer) > before.revision(viewer)


def test_nothing_is_arranged_during_a_match(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    for arrange in (
        lambda: move_chair(tables, code, ann, 0, 1),
        lambda: shuffle_chairs(tables, code, ann),
        lambda: change_options(tables, code, ann, KABOOM.options(rounds=3)),
    ):
        with pytest.raises(InvalidState):
            arrange()


# Carrying on elsewhere


def test_a_seat_moves_to_another_device_with_the_hosts_chair_and_the_match(tables):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    secret = new_pass(tables, code, ann)
    assert look_at_pass(tables, code, secret).name == "Ann"
    snapshot = use_pass(tables, code, secret, "key of Ann's phone")
    assert snapshot.me == 0
    assert snapshot.player != ann
    assert snapshot.table.host == snapshot.player
    assert tables.look(code, "key of Ann").me is None, "the old device watches"
    with pytest.raises(NotPermitted):
        press(tables, code, ben + 100, "ready")
    offer = snapshot.prompt().offer("ready")
    revision = snapshot.table.revision(0)
    with pytest.raises(NotPermitted):
        in_match.submit(tables, code, ann, "ready", offer.token, "old", 1, revision)
    in_match.submit(tables, code, snapshot.player, "ready", offer.token, "new", 1, revision)
    assert [it.code for it in tables_of(tables, "key of Ann's phone")] == [code]
    assert tables_of(tables, "key of Ann") == []
    check_record(tables, code)


def test_a_seat_may_move_on_and_back(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    there = use_pass(tables, code, new_pass(tables, code, ann), "phone")
    back = use_pass(tables, code, new_pass(tables, code, there.player), "key of Ann")
    assert (back.me, back.player) == (0, ann)


def test_a_link_works_once(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    secret = new_pass(tables, code, ann)
    use_pass(tables, code, secret, "phone")
    for again in (use_pass, lambda *given: look_at_pass(*given[:3])):
        with pytest.raises(TransferLinkExpired):
            again(tables, code, secret, "another phone")


def test_a_link_is_valid_for_ten_minutes(tables, watch):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    secret = new_pass(tables, code, ann)
    watch.sleep(600)
    assert look_at_pass(tables, code, secret)
    watch.sleep(1)
    with pytest.raises(TransferLinkExpired):
        look_at_pass(tables, code, secret)
    with pytest.raises(TransferLinkExpired):
        use_pass(tables, code, secret, "phone")


def test_a_link_is_for_its_own_table_only(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    other, _ = playing(tables, "Ann", "Cid")
    secret = new_pass(tables, code, ann)
    with pytest.raises(TransferLinkExpired):
        use_pass(tables, other, secret, "phone")
    assert use_pass(tables, code, secret, "phone").me == 0


@pytest.mark.parametrize("secret", ["", "x", "' OR 1=1", "A" * 32])
def test_a_made_up_link_is_worth_nothing(tables, secret):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    new_pass(tables, code, ann)
    with pytest.raises(TransferLinkExpired):
        use_pass(tables, code, secret, "phone")


def test_only_the_hash_of_a_link_is_stored(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    secret = new_pass(tables, code, ann)
    stored = tables.database.read(
        lambda c: c.exec_driver_sql("SELECT secret_hash FROM passes").scalars().all()
    )
    assert len(stored) == 1
    assert secret not in stored[0]


def test_who_has_a_seat_there_does_not_take_a_second_one_and_the_link_stays_good(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    secret = new_pass(tables, code, ann)
    for key in ("key of Ann", "key of Ben"):
        with pytest.raises(InvalidState):
            use_pass(tables, code, secret, key)
    assert use_pass(tables, code, secret, "phone").me == 0


def test_who_does_not_sit_cannot_give_a_seat_away(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    (eve,) = people(tables, "Eve")
    with pytest.raises(NotPermitted):
        new_pass(tables, code, eve)
    secret = new_pass(tables, code, ben)
    seating.remove(tables, code, ann, 1)
    with pytest.raises(TransferLinkExpired):
        use_pass(tables, code, secret, "phone")


def test_a_carried_seat_opens_a_locked_table_and_counts_for_the_new_device(tables):
    code, ann = locked(tables)
    seating.add_bot(tables, code, ann)
    seating.start(tables, code, ann)
    there = use_pass(tables, code, new_pass(tables, code, ann), "phone")
    assert tables.look(code, "phone").me == 0
    parts = tables.database.read(
        lambda c: c.exec_driver_sql("SELECT seat, player_id FROM parts").all()
    )
    assert [tuple(part) for part in parts] == [(0, there.player)]
    assert tables.look(code, "key of Ann").me is None, "who gave it away may still look"


def test_a_browser_that_has_only_given_the_password_gets_the_name_with_the_seat(tables):
    code, ann = locked(tables)
    enter(tables, code, lambda: "phone", "sesame")
    assert tables.look(code, "phone").player_name == ""
    assert use_pass(tables, code, new_pass(tables, code, ann), "phone").player_name == "Ann"


def test_what_calls_a_player_goes_along_with_the_seat(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    keep_hook(tables, code, ann, "https://hooks.example/ann", "en", "https://cards.example")
    there = use_pass(tables, code, new_pass(tables, code, ann), "phone")
    assert hook(tables, code, there.player).address == "https://hooks.example/ann"
    assert hook(tables, code, ann).address == "", "the old device is not called for another's turn"


def stored_links(tables):
    return tables.database.read(
        lambda c: c.exec_driver_sql("SELECT count(*) FROM passes").scalar_one()
    )


def test_links_nobody_used_in_time_are_forgotten_when_the_next_one_is_made(tables, watch):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    for player in (ann, ben):
        new_pass(tables, code, player)
    watch.sleep(601)
    fresh = new_pass(tables, code, ann)
    assert stored_links(tables) == 1
    assert look_at_pass(tables, code, fresh)


def test_a_table_taken_away_takes_its_links_along(tables):
    from kaboom.tables.maintenance.cleanup import delete

    code, ann = locked(tables)
    new_pass(tables, code, ann)
    delete(tables, code)
    assert stored_links(tables) == 0


@pytest.mark.parametrize("stored", ["", "nonsense", "$argon2id$v=19$m=8,t=1,p=1$x"])
def test_nothing_fits_what_is_no_stored_password(stored):
    assert not fits(stored, "")
    assert not fits(stored, stored)


def test_who_was_only_let_in_has_the_table_among_the_own_ones_once_seated(tables):
    code, (ann,) = opened(tables, "Ann")
    change_access(tables, code, ann, False, "open sesame")
    (ben,) = people(tables, "Ben")
    enter(tables, code, lambda: "key of Ben", "open sesame")
    assert tables_of(tables, "key of Ben") == []
    seating.sit(tables, code, ben, "Ben")
    assert [snapshot.code for snapshot in tables_of(tables, "key of Ben")] == [code]
