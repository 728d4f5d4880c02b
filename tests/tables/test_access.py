"""Access control, on both stores: attempts are counted before they are checked, a form sent twice
counts once, and no idle newcomer is stored.
"""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from sqlalchemy import text as sql

from kaboom.db.database import Unavailable
from kaboom.db.threads import Full, bounded
from kaboom.errors import NotPermitted, RateLimited
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.lobby.seat_transfer.service import new_transfer, use_transfer
from kaboom.lobby.table_settings import change_access
from kaboom.records.service import MatchArchive
from kaboom.social.chat import service as chat
from kaboom.table_page import vote_service
from kaboom.tables import start_match
from kaboom.tables.access.service import HOUR, IN_AN_HOUR, WrongPassword, enter, let_in
from kaboom.tables.maintenance.cleanup import IDLE_DAYS, tidy
from kaboom.tables.maintenance.interventions import delete
from kaboom.tables.match_record import text_of
from kaboom.tables.seats import leaving
from kaboom.tables.snapshot import PasswordRequired
from kaboom.web.idempotency.service import AGAIN, IdempotencyKey, first_key
from tests.support.finished_matches import made, play_to_the_end
from tests.tables.test_service import KABOOM, moves_of, opened, people, playing

DAY = 24 * 3600


def locked(tables, password="sesame"):
    (ann,) = people(tables, "Ann")
    return lobby.open(tables, "kaboom", KABOOM.options(), ann, "Ann", password=password), ann


def give(tables, code, password, address="a", key="key of Eve"):
    """Try a password, and return the result."""
    try:
        enter(tables, code, lambda: key, password, address)
    except (WrongPassword, RateLimited, Unavailable) as no:
        return type(no).__name__
    return "in"


def rows(tables, name):
    """Return the number of rows in a table of the store."""
    return tables.database.read(lambda c: c.execute(sql(f"SELECT count(*) FROM {name}")).scalar())


@pytest.fixture
def judged(monkeypatch):
    """The passwords that were compared with the hash, which is costly each time."""
    compared = []

    def matches(stored, password):
        compared.append(password)
        return password == "sesame"

    monkeypatch.setattr("kaboom.tables.access.service.matches", matches)
    return compared


def concurrently(jobs):
    """Call these functions concurrently, each in a thread; return the results."""
    barrier = Barrier(len(jobs))

    def start(job):
        barrier.wait(30)
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(start, jobs))


# Passwords


def test_concurrent_guessers_get_five_tries(open_tables, store_url, judged):
    """Two workers share one count: it is in the store."""
    workers = [open_tables(store_url), open_tables(store_url)]
    code, _ = locked(workers[0])
    guesses = [f"guess {n}" for n in range(23)] + ["sesame"]
    jobs = [
        lambda n=n, guess=guess: give(workers[n % 2], code, guess)
        for n, guess in enumerate(guesses)
    ]
    answers = concurrently(jobs)
    assert 0 < len([guess for guess in judged if guess != "sesame"]) <= 5
    assert answers.count("RateLimited") >= 18 - answers.count("Busy")


def test_password_guesser_waits_a_minute_even_with_the_right_one(tables, fake_clock, judged):
    code, _ = locked(tables)
    assert [give(tables, code, "guess") for _ in range(7)] == ["WrongPassword"] * 5 + [
        "RateLimited"
    ] * 2
    assert give(tables, code, "sesame") == "RateLimited"
    fake_clock.sleep(61)
    assert give(tables, code, "sesame") == "in"


def test_an_ip_address_has_thirty_wrong_guesses_an_hour(tables, fake_clock, judged):
    code, _ = locked(tables)
    for _ in range(6):
        assert [give(tables, code, "guess") for _ in range(5)] == ["WrongPassword"] * 5
        fake_clock.sleep(61)
    with pytest.raises(RateLimited, match="in an hour, or ask the host"):
        enter(tables, code, lambda: "key of Eve", "guess", "a")
    fake_clock.sleep(HOUR)
    assert give(tables, code, "sesame") == "in"


def test_guessing_stranger_does_not_lock_out_a_friend(tables, judged):
    code, _ = locked(tables)
    for _ in range(50):
        give(tables, code, "guess", "stranger")
    assert len(judged) == 5
    assert give(tables, code, "sesame", "friend") == "in"


def test_guessing_strangers_lock_the_table_until_a_new_password(
    tables, fake_clock, judged, monkeypatch
):
    monkeypatch.setattr("kaboom.tables.access.service.IN_ALL", 20)
    code, ann = locked(tables)
    for n in range(30):
        give(tables, code, "guess", f"stranger {n}")
    assert len(judged) == 20
    assert give(tables, code, "sesame", "friend") == "RateLimited"
    change_access(tables, code, ann, False, "sesame")
    assert give(tables, code, "sesame", "friend") == "in"


def test_correct_password_is_not_counted(tables, judged):
    code, _ = locked(tables)
    for n in range(IN_AN_HOUR + 5):
        assert give(tables, code, "sesame", key=f"key {n}") == "in"
    assert [give(tables, code, "guess") for _ in range(5)] == ["WrongPassword"] * 5


def test_attempts_are_counted_per_table(tables, judged):
    one, two = locked(tables)[0], locked(tables)[0]
    for _ in range(6):
        give(tables, one, "guess")
    assert give(tables, two, "sesame") == "in"


def test_expired_attempt_counts_are_deleted(tables, fake_clock, judged):
    code, _ = locked(tables)
    give(tables, code, "guess")
    assert rows(tables, "tries") == 3
    tidy(tables)
    assert rows(tables, "tries") == 3
    fake_clock.sleep(HOUR + 1)
    tidy(tables)
    assert rows(tables, "tries") == 0


def test_ip_addresses_are_stored_hashed(tables, judged):
    code, _ = locked(tables)
    give(tables, code, "guess", "203.0.113.7")
    kept = tables.database.read(lambda c: c.execute(sql("SELECT * FROM tries")).all())
    assert "203.0.113.7" not in str(kept)


def test_queue_for_password_hashing_is_limited(open_tables, store_url):
    code, _ = locked(open_tables(store_url))
    begun, go = Event(), Event()

    def slow(work, *args):
        begun.set()
        go.wait(30)
        return work(*args)

    tables = open_tables(store_url, hashing=bounded(slow, 1))
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(give, tables, code, "sesame", "a", "key of Dot")
        assert begun.wait(30)
        for _ in range(9):
            assert give(tables, code, "sesame", "b") == "RateLimited"
        go.set()
        assert first.result(30) == "in"
    assert give(tables, code, "sesame", "b") == "in", "an unchecked password was not counted"


def test_a_place_in_the_queue_is_free_again_after_a_failure():
    def fails(work, *args):
        raise ZeroDivisionError

    run = bounded(fails, 1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            run(print)
    with pytest.raises(Full):
        bounded(fails, 0)(print)


def test_table_without_a_password_waits_for_no_hashing(tables, monkeypatch):
    def full(*_):
        raise RateLimited("Many passwords are being checked right now.")

    monkeypatch.setattr(tables, "hash_in_thread", full)
    code, (ann, _) = opened(tables, "Ann", "Ben")
    change_access(tables, code, ann, listed=True, password="")
    change_access(tables, code, ann, listed=True, password="new", unlocked=True)
    with pytest.raises(RateLimited):
        change_access(tables, code, ann, listed=True, password="new")


def test_bots_do_not_wait_for_password_hashing(open_tables, store_url):
    beside = []

    def run_in_thread(work, *args):
        beside.append(work.__name__)
        return work(*args)

    tables = open_tables(store_url, run_in_thread=run_in_thread)
    code, ann = locked(tables)
    give(tables, code, "guess")
    change_access(tables, code, ann, False, "other")
    assert beside == []


def test_unauthorized_password_change_hashes_nothing(tables, monkeypatch):
    code, (_, ben) = opened(tables, "Ann", "Ben")
    hashed = []
    monkeypatch.setattr("kaboom.lobby.table_settings.slow_hash_of", hashed.append)
    with pytest.raises(NotPermitted):
        change_access(tables, code, ben, False, "mine")
    assert not hashed


def test_removing_a_password_hashes_nothing(tables, monkeypatch):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    hashed = []
    monkeypatch.setattr("kaboom.lobby.table_settings.slow_hash_of", hashed.append)
    change_access(tables, code, ann, False, "mine", unlocked=True)
    assert not hashed


# A newcomer who did nothing is not stored


def test_password_for_an_open_table_stores_nothing(tables):
    code, _ = opened(tables, "Ann")
    before = rows(tables, "players"), rows(tables, "sittings")
    for n in range(5):
        assert give(tables, code, "whatever", key=f"key {n}") == "in"
    assert (rows(tables, "players"), rows(tables, "sittings")) == before
    assert rows(tables, "tries") == 0


def test_idle_players_without_data_are_deleted(tables, fake_clock):
    code, (_ann, ben) = opened(tables, "Ann", "Ben")
    code2, (cid,) = opened(tables, "Cid")
    played, _ = play_to_the_end(tables, "gops", names=("Dot", "Eva"))
    people(tables, "Nob", "Fay")
    chat.speak(tables, code, people(tables, "Tom")[0], "Tom", text="Hi")
    secret = new_transfer(tables, code, ben)
    use_transfer(tables, code, secret, "phone of Ben")
    delete(tables, played)
    assert tidy(tables) == 0
    fake_clock.sleep((IDLE_DAYS - 1) * DAY)
    people(tables, "Fay")  # the key is in use
    fake_clock.sleep(2 * DAY)
    assert tidy(tables) == 1
    names = tables.database.read(lambda c: c.execute(sql("SELECT name FROM players")).scalars())
    assert sorted(names) == sorted(["Ann", "Ben", "Ben", "Cid", "Dot", "Eva", "Fay", "Tom"])
    for gone in (code, code2):
        delete(tables, gone)
    fake_clock.sleep(IDLE_DAYS * DAY)
    assert tidy(tables) == 6
    left = tables.database.read(lambda c: c.execute(sql("SELECT name FROM players")).scalars())
    assert sorted(left) == ["Dot", "Eva"], "players with a record"
    assert cid


def test_admitted_player_is_known_while_the_table_exists(tables, fake_clock):
    code, _ = locked(tables)
    let_in(tables, code, "key of Eve")
    fake_clock.sleep(2 * IDLE_DAYS * DAY)
    assert tidy(tables) == 0
    assert tables.get(code, "key of Eve")


def test_mute_lasts_until_the_muting_player_is_erased(tables, fake_clock):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    (tom,) = people(tables, "Tom")
    chat.speak(tables, code, tom, "Tom", text="Hi")
    line = tables.database.read(lambda c: c.execute(sql("SELECT max(id) FROM lines")).scalar())
    chat.mute(tables, code, ann, line)
    chat.mute(tables, code, ben, line)
    delete(tables, code)
    fake_clock.sleep((IDLE_DAYS + 1) * DAY)
    people(tables, "Ben")
    assert tidy(tables) == 1, "Ann; Ben still does not hear Tom"
    fake_clock.sleep((IDLE_DAYS + 1) * DAY)
    assert tidy(tables) == 1
    assert tidy(tables) == 1
    assert rows(tables, "players") == rows(tables, "mutes") == 0


def test_player_erased_mid_request_is_asked_to_try_again(tables):
    """Nothing fails: the second press counts as that of a newcomer."""
    code, _ = opened(tables, "Ann")
    with pytest.raises(Unavailable):
        chat.speak(tables, code, 99, "Tom", text="Hi")
    assert rows(tables, "lines") == 0


def test_idle_players_are_deleted_in_batches(tables, fake_clock, monkeypatch):
    monkeypatch.setattr("kaboom.tables.maintenance.cleanup.AT_ONCE", 2)
    people(tables, *(f"N{n}" for n in range(5)))
    fake_clock.sleep((IDLE_DAYS + 1) * DAY)
    assert [tidy(tables) for _ in range(4)] == [2, 2, 1, 0]


# Forms sent twice


def twice(job):
    """Call a function eight times concurrently, then once more; the answers must match."""
    answers = concurrently([job] * 8)
    answers.append(job())
    assert len(set(answers)) == 1
    return answers[0]


ONE = IdempotencyKey("who", "form 1")


def test_a_form_sent_again_opens_one_table(tables):
    (ann,) = people(tables, "Ann")

    def job():
        return lobby.open(tables, "kaboom", KABOOM.options(), ann, "Ann", idempotency_key=ONE)

    code = twice(job)
    assert rows(tables, "tables") == 1
    assert tables.get(code).table.host == ann
    assert (
        lobby.open(
            tables,
            "kaboom",
            KABOOM.options(),
            ann,
            "Ann",
            idempotency_key=IdempotencyKey("who", "2"),
        )
        != code
    )
    other = IdempotencyKey("somebody else", "form 1")
    assert lobby.open(tables, "kaboom", KABOOM.options(), ann, "Ann", idempotency_key=other) != code
    assert lobby.open(tables, "kaboom", KABOOM.options(), ann, "Ann") != code
    assert rows(tables, "tables") == 4


def test_resent_form_counts_once_for_every_kind_of_action(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    twice(lambda: chat.speak(tables, code, ann, "Ann", text="Hi", idempotency_key=ONE))
    assert rows(tables, "lines") == 1
    twice(
        lambda: lobby.add_bot(tables, code, ann, idempotency_key=IdempotencyKey("who", "bot")).code
    )
    assert len(tables.get(code).table.sitting()) == 3
    secret = twice(
        lambda: new_transfer(tables, code, ann, idempotency_key=IdempotencyKey("who", "link"))
    )
    assert rows(tables, "passes") == 1
    twice(
        lambda: (
            start_match.start(
                tables, code, ann, idempotency_key=IdempotencyKey("who", "start")
            ).code
        )
    )
    twice(
        lambda: (
            vote_service.propose_vote(
                tables, code, ann, "pause", idempotency_key=IdempotencyKey("who", "vote")
            ).code
        )
    )
    assert tables.get(code).table.votes == 1
    use_transfer(tables, code, secret, "phone")
    assert new_transfer(tables, code, ann, idempotency_key=IdempotencyKey("who", "link")) == secret
    assert rows(tables, "passes") == 0, "a used link does not return"
    text, library = text_of(made("gops", 1)), MatchArchive(tables)
    assert library.brought(
        twice(lambda: library.bring(text, idempotency_key=IdempotencyKey("who", "record")))
    )
    assert rows(tables, "imports") == 1
    assert ben


def test_refused_action_may_be_sent_again(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    with pytest.raises(NotPermitted):
        start_match.start(tables, code, ben, idempotency_key=ONE)
    start_match.ready(tables, code, ann)
    start_match.ready(tables, code, ben)
    assert rows(tables, "commands") == 0


def test_a_new_browser_is_given_the_same_key_for_the_same_form(tables):
    key = twice(lambda: first_key(tables.database, ONE, tables.now()))
    assert len(key) == 43
    assert first_key(tables.database, IdempotencyKey("elsewhere", "form 1"), tables.now()) != key
    kept = tables.database.read(lambda c: c.execute(sql("SELECT answer FROM commands")).scalars())
    assert all(key.encode() not in bytes(answer) for answer in kept), "it is encrypted"


def test_completed_action_is_remembered_for_ten_minutes(tables, fake_clock):
    key = first_key(tables.database, ONE, tables.now())
    fake_clock.sleep(AGAIN)
    assert first_key(tables.database, ONE, tables.now()) == key
    fake_clock.sleep(1)
    new = first_key(tables.database, ONE, tables.now())
    assert new != key, "an old page reveals no old key"
    fake_clock.sleep(AGAIN + 1)
    tidy(tables)
    assert rows(tables, "commands") == 0


def test_start_form_sent_twice_begins_one_match(tables):
    (ann,) = people(tables, "Ann")
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann", bots=1)
    twice(lambda: start_match.start(tables, code, ann, idempotency_key=ONE).code)
    assert tables.get(code).table.match == 1
    assert moves_of(tables, code) == []


# Records of tables with a password


def test_password_tables_records_are_linked_only_for_players(tables):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    from kaboom.tables.maintenance.interventions import stop

    stop(tables, code)
    first = tables.get(code).table.record
    leaving.leave(tables, code, ben)
    (cid,) = people(tables, "Cid")
    lobby.sit(tables, code, cid, "Cid")
    for player in (ann, cid):
        start_match.ready(tables, code, player)
    stop(tables, code)
    second, library = tables.get(code).table.record, MatchArchive(tables)

    def links(record, who):
        around = library.find(record, who)[1]
        return around.before, around.after

    assert links(first, "") == ("", second)
    change_access(tables, code, ann, False, "sesame")
    with pytest.raises(PasswordRequired):
        tables.get(code, "key of Eve")
    enter(tables, code, lambda: "key of Eve", "sesame", "a")
    for who in ("", "key of nobody", "key of Eve"):
        assert links(first, who) == ("", ""), who
        assert links(second, who) == ("", ""), who
    for who in ("key of Ann", "key of Ben", "key of Cid"):
        assert links(first, who) == ("", second), who
        assert links(second, who) == (first, ""), who
    delete(tables, code)
    assert links(first, "key of Ann") == ("", "")
