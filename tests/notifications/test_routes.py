"""Ways to be called, letters, and the list of turns, as people meet them; with real receivers."""

import json
import re
from base64 import urlsafe_b64encode
from dataclasses import replace

import feedparser
import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from kaboom.config import ServerSettings
from kaboom.db.times import DAY
from kaboom.notifications import channels as ways
from kaboom.notifications.delivery import Post, Said, said
from kaboom.notifications.outbox import LEASE, PATIENCE, NotArrived, TurnCalls
from kaboom.notifications.waiting import Call, Waiting
from kaboom.tables.maintenance.cleanup import stop
from tests.support.forms import Browser
from tests.support.receivers import NAME, receiving, taking_letters
from tests.tables.test_correspondence import plays

PUBLIC = "https://cards.example.org"


@pytest.fixture
def hook(tmp_path):
    with receiving(tmp_path) as found:
        yield found


@pytest.fixture
def letters(tmp_path):
    with taking_letters(tmp_path) as found:
        yield found


@pytest.fixture
def posting(app, monkeypatch):
    """A function: what sends calls is otherwise for a test; its outbox sends at once."""

    def changed(**values):
        settings = replace(app.config["SERVER"], public_url=PUBLIC)
        made = replace(app.extensions["kaboom.post"], settings=settings, **values)
        monkeypatch.setitem(app.extensions, "kaboom.post", made)
        monkeypatch.setitem(app.config, "SERVER", settings)
        calls = TurnCalls(app.config["TABLES"], made.send, spawn=lambda work: work())
        calls.start = lambda: None
        return calls

    return changed


def called(calls, watch):
    """Let time go by until what waits has been called."""
    calls.sweep()
    watch.sleep(PATIENCE)
    calls.tick()


def only_way(service, path):
    (way,) = ways.kept(service, service.look(path[3:]).table.host).ways
    return way


@pytest.mark.parametrize(
    ("status", "failed", "again"),
    [(200, 0, False), (301, 1, False), (404, 1, False), (410, 1, False), (429, 0, True),
     (500, 0, True)],
)  # fmt: skip
def test_what_a_receiver_answers_decides_whether_it_is_called_again(
    status, failed, again, table, posting, hook, watch, service
):
    path, (ann, _) = table("Ann", "Ben")
    calls = posting(caution=hook.caution)
    ann.open("/me/calls")
    ann.send(ann.page.form("/add"), address=hook.address, kind="json")
    assert ann.status == 200
    hook.status = status
    called(calls, watch)
    ((_, _, body),) = hook.asked
    assert f"{PUBLIC}{path}".encode() in body
    assert only_way(service, path).failures == failed
    watch.sleep(78)  # the receiver asked for 77 seconds
    calls.tick()
    assert len(hook.asked) == 1 + again


@pytest.mark.parametrize("raw", [b"", b"garbage"])
def test_no_answer_and_one_that_is_none_are_tried_again(raw, table, posting, hook, watch, service):
    _, (ann, _) = table("Ann", "Ben")
    calls = posting(caution=hook.caution)
    ann.open("/me/calls")
    ann.send(ann.page.form("/add"), address=hook.address, kind="json")
    hook.raw = raw
    called(calls, watch)
    hook.raw = None
    watch.sleep(61)
    calls.tick()
    assert len(hook.asked) == 2


def test_a_name_that_leads_inside_is_never_called_and_is_said_to_have_failed(
    table, posting, hook, watch, service
):
    path, (ann, _) = table("Ann", "Ben")
    inside = replace(hook.caution, look_up=lambda host, port: ["10.0.0.1"])
    calls = posting(caution=inside)
    ann.open("/me/calls")
    ann.send(ann.page.form("/add"), address=hook.address, kind="json")
    called(calls, watch)
    assert not hook.asked
    assert only_way(service, path).failures == 1
    ann.open("/me/calls")
    assert "The last call failed." in ann.page.text


@pytest.mark.parametrize(
    "address",
    ["http://example.org/", "https://127.0.0.1/", "nonsense", "", "a@b", "x" * 10_000,
     "ann@example.org\r\nBcc: b@example.org", "\u202ehttps://x", "https://[::1]/"],
)  # fmt: skip
def test_what_is_no_address_is_refused_in_a_sentence(address, table, posting):
    _, (ann, _) = table("Ann", "Ben")
    ann.open("/me/calls")
    ann.send(ann.page.form("/add"), address=address)
    assert ann.status == 422
    assert 'class="wrong" role="alert"' in ann.html


def test_an_address_of_mail_is_written_to_only_when_its_owner_has_confirmed_it(
    table, posting, letters, watch, service, browser
):
    server, inbox = letters
    path, (ann, _) = table("Ann", "Ben")
    calls = posting(server=server)
    ann.open("/me/calls")
    ann.send(ann.page.form("/add"), address="ann@example.org")
    assert "one is on its way" in ann.page.text
    assert "Not confirmed yet" in ann.page.text
    ((_, asking),) = inbox.letters
    link = re.search(rf"{PUBLIC}(/calls/mail/\S+)", asking.get_content())[1]
    called(calls, watch)
    ann.send(ann.page.form("/add"), address="Ann@Example.org")  # no second letter by pressing again
    assert len(inbox.letters) == 1
    owner = browser()
    for _ in range(3):  # whoever scans the letter confirms nothing
        owner.open(link)
    called(calls, watch)
    assert len(inbox.letters) == 1
    assert not only_way(service, path).confirmed
    owner.press("Yes, this is my address")
    assert "is confirmed" in owner.page.text
    called(calls, watch)
    _, letter = inbox.letters[1]
    assert letter["Subject"] == "Kaboom"
    assert f"{PUBLIC}{path}" in letter.get_content()
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = letter["List-Unsubscribe"].strip("<>").removeprefix(PUBLIC)
    assert owner.open(stop)
    assert only_way(service, path).confirmed  # a look ends nothing
    answer = owner.client.post(stop, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert ways.kept(service, service.look(path[3:]).table.host).ways == ()
    owner.open(link)
    assert owner.status == 404


def test_without_a_mail_server_no_address_of_mail_is_taken(table):
    _, (ann, _) = table("Ann", "Ben")
    ann.open("/me/calls")
    ann.send(ann.page.form("/add"), address="ann@example.org")
    assert ann.status == 422
    assert "This server sends no e-mail." in ann.page.text


def test_a_browser_is_pushed_to_until_its_service_says_that_it_is_gone(
    table, posting, hook, watch, service
):
    path, (ann, _) = table("Ann", "Ben")
    calls = posting(caution=hook.caution, services=re.compile(re.escape(NAME)))
    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    secret = bytes(range(16))
    p256dh, auth = (urlsafe_b64encode(it).rstrip(b"=").decode() for it in (point, secret))
    ann.open("/me/calls")
    form = ann.page.form("/push")
    for bad in ({"auth": "x"}, {"p256dh": ""}, {"endpoint": "https://example.org/"}):
        given = {"endpoint": hook.address, "p256dh": p256dh, "auth": auth, **bad}
        ann.send(form, **given)
        assert ann.status == 422
    ann.send(form, endpoint=hook.address, p256dh=p256dh, auth=auth)
    assert ann.status == 200
    hook.status = 201
    called(calls, watch)
    ((_, headers, body),) = hook.asked
    told = http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm")
    assert json.loads(told)["url"] == f"{PUBLIC}{path}"
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["Topic"] == path[3:]
    assert headers["Authorization"].startswith("vapid t=")
    hook.status = 410
    ann.open("/me/calls")
    ann.press("Send me a test")
    assert "did not arrive" in ann.page.text
    assert ways.kept(service, service.look(path[3:]).table.host).ways == ()


def test_the_scripts_of_notifications_are_sent_only_where_they_are_asked_for(table, posting):
    path, (ann, _) = table("Ann", "Ben")
    posting()
    for page in (path, "/", "/me", "/turns"):
        ann.open(page)
        assert "subscribe.js" not in ann.html
        assert "push.js" not in ann.html
    ann.open("/me/calls")
    assert "subscribe.js" in ann.html
    worker = ann.client.get("/push.js")
    assert worker.mimetype == "text/javascript"
    assert b"fetch" not in worker.data.replace(b"fetches", b"")


def test_a_test_is_sent_now_and_not_again_and_again(limited, hook):
    made = limited.extensions["kaboom.post"]
    limited.extensions["kaboom.post"] = replace(made, caution=hook.caution)
    ann = Browser(limited.test_client())
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    ann.open("/me/calls")
    ann.send(ann.page.form("/add"), address=hook.address, kind="ntfy")
    for _ in range(5):
        ann.press("Send me a test")
        assert "The test was taken." in ann.page.text
    ann.press("Send me a test")
    assert ann.status == 429
    assert "a little often" in ann.page.text
    assert len(hook.asked) == 5


def test_quiet_hours_a_digest_and_peace_from_a_table_are_chosen_on_one_page(table, service):
    path, (ann, _) = table("Ann", "Ben")
    ann.open("/me/calls")
    wishes = {"from": "22:30", "to": "07:00", "zone": "Africa/Nairobi", "digest": "60"}
    ann.send(ann.page.form("/wishes"), **wishes)
    form = ann.page.form("/wishes")
    assert (form.hidden["from"], form.hidden["to"]) == ("22:30", "07:00")
    assert (form.hidden["zone"], form.hidden["digest"]) == ("Africa/Nairobi", "60")
    for bad in ({"from": "25:00"}, {"zone": "Moon/Sea"}, {"digest": "7"}, {"to": ""}):
        ann.send(form, **{**wishes, **bad})
        assert ann.status == 422
    ann.open("/me/calls")
    ann.send(ann.page.form("/snooze"), days="7")
    assert "no calls for another 7 days" in ann.page.text
    ann.press("Call me again")
    assert ways.kept(service, service.look(path[3:]).table.host).snoozed == {}


def test_nobody_changes_the_ways_of_somebody_else(table, posting, hook, service, browser):
    path, (ann, ben) = table("Ann", "Ben")
    posting(caution=hook.caution)
    ann.open("/me/calls")
    ann.send(ann.page.form("/add"), address=hook.address, kind="json")
    number = str(only_way(service, path).id)
    for press in ("remove", "wake", "test"):
        ben.client.post(f"/me/calls/{press}", data={"way": number})
    assert only_way(service, path).id == int(number)
    assert not hook.asked
    stranger = browser()
    answer = stranger.client.post("/me/calls/remove", data={"way": number})
    assert answer.status_code == 403
    stranger.open("/me/calls")
    assert "This browser is new here." in stranger.page.text


def test_my_turns_come_first_and_say_for_whom_the_other_tables_wait(table):
    path, (ann, ben) = table("Ann", "Ben", game="karata")
    for person in (ann, ben):
        person.open(path)
    mine, other = (ann, ben) if ann.page.title.startswith("Your turn") else (ben, ann)
    mine.open("/turns")
    assert "Waiting for you" in mine.page.text
    assert path in dict(mine.page.links)
    other.open("/turns")
    assert "No table is waiting for you." in other.page.text
    assert "waiting for" in other.page.text


def test_a_table_where_nothing_is_played_yet_or_any_more_is_among_nobodys_turns(table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", ready=False)
    assert path not in dict(ann.open("/turns").links)
    ben.client.post(f"{path}/ready")
    ann.client.post(f"{path}/start")
    assert path in dict(ann.open("/turns").links)
    stop(service, path[3:])
    assert path not in dict(ann.open("/turns").links)


def test_a_feed_of_my_turns_is_found_by_its_secret_address_until_that_is_taken_away(
    table, service, browser
):
    path, (ann, _) = table("Ann", "Ben")
    ann.open("/me/calls")
    ann.press("Make its secret address")
    address = next(link for link, _ in ann.page.links if link.endswith(".atom"))
    reader = browser().client
    answer = reader.get(address)
    assert answer.mimetype == "application/atom+xml"
    assert answer.headers["Cache-Control"] == "private, no-store"
    found = feedparser.parse(answer.data)
    assert not found.bozo
    assert [entry.title for entry in found.entries] == ["Kaboom: it is your turn"]
    assert found.entries[0].link == f"http://localhost{path}"
    assert feedparser.parse(reader.get(address).data).entries[0].id == found.entries[0].id
    assert reader.get(address.replace(".atom", "x.atom")).status_code == 404
    assert reader.get(path).status_code == 200
    ann.press("Take it away")
    assert reader.get(address).status_code == 404


def test_forget_me_forgets_how_somebody_was_called(table, posting, hook, service):
    path, (ann, _) = table("Ann", "Ben", ready=False)
    posting(caution=hook.caution)
    player = service.look(path[3:]).table.host
    ann.open("/me/calls")
    ann.send(ann.page.form("/add"), address=hook.address, kind="json")
    ann.press("Make its secret address")
    ann.open("/me")
    ann.client.post("/me/forget", data={"what": "all", "sure": "1"})
    assert ways.kept(service, player) == ways.Kept()

    def rows(connection):
        return [
            connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar()
            for name in ("ways", "calls", "call_settings")
        ]

    assert service.database.read(rows) == [0, 0, 0]


def test_somebody_is_reminded_once_and_called_once_more(table, watch, posting, hook, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2")
    calls = posting(caution=hook.caution)
    ben.open("/me/calls")
    ben.send(ben.page.form("/add"), address=hook.address, kind="json")
    calls.sweep()
    watch.sleep(60)
    calls.tick()
    assert len(hook.asked) == 1
    plays(service, path[3:], service.look(path[3:]).table.host)
    with pytest.raises(LookupError):
        ann.open(path).form("/nudge")
    watch.sleep(DAY)
    form = ann.open(path).form("/nudge")
    assert form.buttons[0][2] == "Remind Ben"
    ann.send(form, form.buttons[0])
    assert "You politely remind" in ann.page.text or "Ann politely reminds Ben" in ann.page.text
    watch.sleep(LEASE + PATIENCE)  # the application's own outbox may hold it that long
    calls.tick()
    assert len(hook.asked) == 2
    assert "kindly ask for your move" in hook.asked[1][2].decode()
    with pytest.raises(LookupError):
        ann.open(path).form("/nudge")
    ann.send(form, form.buttons[0])
    assert ann.status == 422
    watch.sleep(3600)
    calls.sweep()
    calls.tick()
    assert len(hook.asked) == 2


def test_what_needs_no_sentence_leads_to_the_top_of_the_page(table):
    _, (ann, _) = table("Ann", "Ben")
    wishes = {"from": "22:00", "to": "07:00", "zone": "UTC", "digest": "0"}
    answer = ann.client.post("/me/calls/wishes", data=wishes)
    assert answer.status_code == 303 and answer.headers["Location"].endswith("/me/calls")


def test_several_tables_are_told_at_once_with_a_line_for_each(app):
    waits = tuple(Waiting(f"CODE{n}", game, ("Ann",)) for n, game in enumerate(("GOPS", "Karata")))
    with app.test_request_context("/"):
        told = said(Call("json", "", waits), "https://x.org")
        one = said(Call("json", "", waits[:1]), "https://x.org")
    assert told == Said(
        "Kaboom",
        "It is your turn at 2 tables",
        "https://x.org/turns",
        ("GOPS: https://x.org/t/CODE0", "Karata: https://x.org/t/CODE1"),
    )
    assert one == Said("GOPS", "Ann, it is your turn", "https://x.org/t/CODE0")


@pytest.mark.parametrize(
    ("waiting", "sentence"),
    [
        (("Ann",), "Ann, it is your turn"),
        (("Ann", "Ben"), "Ann and Ben, it is your turn"),
        (("Ann", "Ben", "Cy"), "Ann, Ben and Cy, it is your turn"),
    ],
)
def test_all_who_are_waited_for_are_called_by_name(app, waiting, sentence):
    with app.test_request_context("/"):
        told = said(Call("json", "", (Waiting("CODE1", "GOPS", waiting),)), "https://x.org")
    assert told.text == sentence


@pytest.mark.parametrize(("public", "base"), [(PUBLIC, PUBLIC), ("", "https://asked.example")])
def test_links_begin_as_the_host_says_or_else_as_the_browser_asked(public, base):
    post = Post(ServerSettings(public_url=public), None, None)
    assert post.base("https://asked.example") == base


def test_without_a_mail_server_no_letter_is_tried_twice():
    post = Post(ServerSettings(), None, None)
    with pytest.raises(NotArrived, match="there is no mail server") as no:
        post.tell(ways.MAIL, "secret a@b.example", Said("", "", ""), PUBLIC)
    assert no.value.hopeless
