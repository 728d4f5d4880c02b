"""A program's repeated request is carried out once, thanks to its Idempotency-Key."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from kaboom.tables import queries
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.match_record import record_of, text_of
from kaboom.web.idempotency.routes import done_before, keyed, was_done
from tests.accounts.test_api_keys import a_guest
from tests.secrecy.paired_server import everything_logged
from tests.support.app import served

KEY = "9c9d2c1e-0000-4000-8000-5d1f8f4ae1aa"


@pytest.fixture
def on_each_store(one_app, store_url):
    with served(one_app, store_url) as tables:
        yield one_app, tables


def at_gops(app, tables):
    """Return a program at a match of GOPS against a bot, its address, and what a bid sends."""
    ann = a_guest(app)
    path = ann.opened(bots="1", start="1").partition("?")[0]
    code = path.rpartition("/")[2]

    def bid(card):
        seen = tables.get(code)
        seat = next(seat for seat, occupant in seen.table.sitting() if not occupant.bot)
        offer = seen.prompts[seat].offer("bid")
        return {"move": f"{offer.token} bid {card}", "match": "1", "sure": "1"}

    return ann, path, bid


def log_of(tables, path):
    match = tables.get(path.rpartition("/")[2]).table.match_id
    return [
        row
        for row in tables.database.read(lambda c: queries.log(c, match))
        if row.cmd.startswith(("0 k:", "1 k:"))
    ]


def test_move_sent_fifty_times_concurrently_is_one_log_line(on_each_store):
    app, tables = on_each_store
    ann, path, bid = at_gops(app, tables)
    move = bid("AS")

    def send(_):
        return app.test_client().post(
            f"{path}/move",
            data=move,
            headers={"Authorization": f"Bearer {ann.key}", "Idempotency-Key": KEY},
        )

    with ThreadPoolExecutor(16) as many:
        codes = {answer.status_code for answer in many.map(send, range(50))}
    assert codes == {303} and len(log_of(tables, path)) == 1


def test_key_reuse_is_refused_and_a_refused_move_is_not_stored(app, service):
    ann, path, bid = at_gops(app, service)
    wrong = {**bid("AS"), "move": bid("AS")["move"].replace("AS", "XX")}
    assert ann.post(f"{path}/move", KEY, **wrong).status_code == 422
    first = bid("AS")
    for _ in range(2):
        assert ann.post(f"{path}/move", KEY, **first).status_code == 303
    other = {**first, "move": first["move"].replace("AS", "2S")}
    answer = ann.post(f"{path}/move", KEY, **other)
    assert answer.status_code == 422 and "Idempotency-Key" in answer.text
    assert len(log_of(service, path)) == 1


def test_repeated_creation_counts_once_with_the_same_response(on_each_store):
    app, _ = on_each_store
    ann = a_guest(app)
    same = [ann.post("/tables", KEY, game="gops", name="Ann") for _ in range(3)]
    assert len({answer.headers["Location"] for answer in same}) == 1
    other = ann.post("/tables", KEY, game="karata", name="Ann")
    assert other.status_code == 422 and "Idempotency-Key" in other.text
    assert ann.post("/tables", KEY + "2", game="gops", name="Ann").headers["Location"] != same[0]


def test_one_of_many_concurrent_conflicting_requests_succeeds(on_each_store):
    app, _ = on_each_store
    ann = a_guest(app)

    def send(number):
        return app.test_client().post(
            "/tables",
            data={"game": "gops", "name": "Ann", "bots": str(number % 2)},
            headers={"Authorization": f"Bearer {ann.key}", "Idempotency-Key": KEY},
        )

    with ThreadPoolExecutor(8) as many:
        answers = list(many.map(send, range(16)))
    made = {answer.headers["Location"] for answer in answers if answer.status_code == 303}
    assert len(made) == 1 and {answer.status_code for answer in answers} == {303, 422}


def test_refused_request_may_be_corrected_and_repeated(app):
    ann = a_guest(app)
    assert ann.post("/tables", KEY, game="gops", name="Ann", bots="99").status_code == 422
    assert ann.post("/tables", KEY, game="gops", name="Ann", bots="1").status_code == 303


def test_key_with_another_body_is_refused_by_every_post(app, service):
    ann = a_guest(app)
    path = ann.opened().partition("?")[0]
    for address, field in (("/talk", "text"), ("/cut", "cut"), ("/propose", "about")):
        key = f"{KEY}{address}"
        first = ann.post(path + address, key, **{field: "one"})
        if first.status_code < 400:
            assert ann.post(path + address, key, **{field: "one"}).status_code < 400
            assert ann.post(path + address, key, **{field: "two"}).status_code == 422
    lines = service.database.read(lambda c: c.exec_driver_sql("SELECT text FROM lines").all())
    assert [line[0] for line in lines] == ["one"]


def test_key_may_be_reused_after_a_day(app, fake_clock):
    ann = a_guest(app)
    first = ann.post("/tables", KEY, game="gops", name="Ann").headers["Location"]
    fake_clock.sleep(23 * 3600)
    assert ann.post("/tables", KEY, game="gops", name="Ann").headers["Location"] == first
    fake_clock.sleep(2 * 3600)
    assert ann.post("/tables", KEY, game="karata", name="Ann").status_code == 303


def test_repeated_guest_request_creates_one_guest(app, service):
    sent = {"json": {"name": "Ann"}, "headers": {"Idempotency-Key": KEY}}
    keys = {app.test_client().post("/guests", **sent).json["key"] for _ in range(2)}
    assert len(keys) == 1


@pytest.mark.parametrize("key", ["a b", "é", "x" * 201])
def test_malformed_key_is_refused(app, key):
    ann = a_guest(app)
    assert ann.post("/tables", key, game="gops", name="Ann").status_code == 400


def test_numbered_move_sent_again_gets_the_current_table(app, service):
    """The list differs after the move: the second attempt is known by its key alone."""
    ann, path, _ = at_gops(app, service)

    def send(key, **fields):
        headers = {"Idempotency-Key": key, "Accept": "application/json"}
        return ann.open(f"{path}/move", "POST", headers, json=fields)

    menu = ann.open(f"{path}.json").json["menu"]
    wrong = send(KEY, answers=menu, move="99")
    assert (wrong.status_code, wrong.json["type"]) == (422, "/problems/not-on-offer")
    answers = [send(KEY, answers=menu, move="3") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert answers[0].json == answers[2].json and len(log_of(service, path)) == 1
    other = send(KEY, answers=menu, move="4")
    assert (other.status_code, other.json["type"]) == (422, "/problems/key-reused")


def test_idempotency_key_is_in_no_record_or_log(app, service):
    ann, path, bid = at_gops(app, service)
    with everything_logged() as lines:
        first, other = bid("AS"), bid("2S")
        refused = ann.post(f"{path}/move", KEY, **bid("XX"))
        assert (refused.status_code, KEY in refused.text) == (422, False)
        assert ann.post(f"{path}/move", KEY, **first).status_code == 303
        again = ann.post(f"{path}/move", KEY, **other)
        assert (again.status_code, KEY in again.text) == (422, False)
    assert KEY not in str(lines)
    assert len(log_of(service, path)) == 1 and KEY not in str(log_of(service, path))
    code = path.rpartition("/")[2]
    match = service.get(code).table.match_id
    stop(service, code)

    def record(connection):
        return record_of(queries.match(connection, match), queries.log(connection, match))

    assert KEY not in text_of(service.database.read(record))
    dump = service.database.read(lambda c: list(c.exec_driver_sql("SELECT who, id FROM commands")))
    assert KEY not in str(dump)


@pytest.mark.parametrize("route", ["start", "leave"])
def test_already_done_request_gets_the_current_table(app, route):
    ann = a_guest(app)
    path = ann.opened(bots="1").partition("?")[0]
    for _ in range(2):
        assert ann.post(f"{path}/{route}", KEY).status_code == 303
    assert ann.post(f"{path}/{route}", f"{KEY}2").status_code >= 400


def test_key_sent_to_an_unknown_page_is_not_stored(app, service):
    def kept():
        return service.database.read(
            lambda c: c.exec_driver_sql("SELECT count(*) FROM commands").scalar()
        )

    ann = a_guest(app)
    before = kept()
    assert ann.post("/nowhere", KEY).status_code == 404
    assert kept() == before
    ann.post("/tables", KEY, game="gops", name="Ann")
    assert kept() > before


def test_request_without_a_key_queries_no_earlier_response(app, service, monkeypatch):
    monkeypatch.setattr(service.database, "read", None)
    with app.test_request_context("/tables", method="POST"):
        assert not done_before() and not was_done(keyed())
