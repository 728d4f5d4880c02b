"""Channels, e-mails and the turn list in browsers, with real receivers."""

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
from kaboom.notifications import channels
from kaboom.notifications.delivery import Post, Said, said
from kaboom.notifications.notification import Notification, Waiting
from kaboom.notifications.outbox import LEASE, PATIENCE, Outbox
from kaboom.notifications.retries import NotArrived
from kaboom.tables.maintenance.interventions import stop
from tests.correspondence.test_service import plays
from tests.support.forms import Browser
from tests.support.receivers import NAME, receiving, taking_letters

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
    """Return a function that replaces the notifier for a test; its outbox sends at once."""

    def changed(**values):
        settings = replace(app.config["SERVER"], public_url=PUBLIC)
        made = replace(app.extensions["kaboom.post"], settings=settings, **values)
        monkeypatch.setitem(app.extensions, "kaboom.post", made)
        monkeypatch.setitem(app.config, "SERVER", settings)
        calls = Outbox(app.config["TABLES"], made.send, spawn=lambda work: work())
        calls.start = lambda: None
        return calls

    return changed


def called(calls, fake_clock):
    """Let time pass until waiting alerts are sent."""
    calls.sweep()
    fake_clock.sleep(PATIENCE)
    calls.tick()


def only_way(service, path):
    (way,) = channels.kept(service, service.get(path[3:]).table.host).channels
    return way


@pytest.mark.parametrize(
    ("status", "failed", "again"),
    [(200, 0, False), (301, 1, False), (404, 1, False), (410, 1, False), (429, 0, True),
     (500, 0, True)],
)  # fmt: skip
def test_receiver_response_decides_whether_to_retry(
    status, failed, again, table, posting, hook, fake_clock, service
):
    path, (ann, _) = table("Ann", "Ben")
    calls = posting(url_policy=hook.url_policy)
    ann.open("/settings/notifications")
    ann.send(ann.page.form("/add"), address=hook.address, kind="json")
    assert ann.status == 200
    hook.status = status
    called(calls, fake_clock)
    ((_, _, body),) = hook.asked
    assert f"{PUBLIC}{path}".encode() in body
    assert only_way(service, path).failures == failed
    fake_clock.sleep(78)  # the receiver asked for 77 seconds
    calls.tick()
    assert len(hook.asked) == 1 + again


@pytest.mark.parametrize("raw", [b"", b"garbage"])
def test_missing_or_malformed_response_is_retried(raw, table, posting, hook, fake_clock, service):
    _, (ann, _) = table("Ann", "Ben")
    calls = posting(url_policy=hook.url_policy)
    ann.open("/settings/notifications")
    ann.send(ann.page.form("/add"), address=hook.address, kind="json")
    hook.raw = raw
    called(calls, fake_clock)
    hook.raw = None
    fake_clock.sleep(61)
    calls.tick()
    assert len(hook.asked) == 2


def test_internal_host_name_is_never_called_and_fails(table, posting, hook, fake_clock, service):
    path, (ann, _) = table("Ann", "Ben")
    inside = replace(hook.url_policy, look_up=lambda host, port: ["10.0.0.1"])
    calls = posting(url_policy=inside)
    ann.open("/settings/notifications")
    ann.send(ann.page.form("/add"), address=hook.address, kind="json")
    called(calls, fake_clock)
    assert not hook.asked
    assert only_way(service, path).failures == 1
    ann.open("/settings/notifications")
    assert "The last notification failed." in ann.page.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "address",
    ["http://example.org/", "https://127.0.0.1/", "nonsense", "", "a@b", "x" * 10_000,
     "ann@example.org\r\nBcc: b@example.org", "\u202ehttps://x", "https://[::1]/"],
)  # fmt: skip
def test_invalid_address_is_refused_in_a_sentence(address, table, posting):
    _, (ann, _) = table("Ann", "Ben")
    ann.open("/settings/notifications")
    ann.send(ann.page.form("/add"), address=address)
    assert ann.status == 422
    assert 'class="wrong" role="alert"' in ann.html


def test_email_address_gets_mail_only_once_confirmed(
    table, posting, letters, fake_clock, service, browser
):
    server, inbox = letters
    path, (ann, _) = table("Ann", "Ben")
    calls = posting(server=server)
    ann.open("/settings/notifications")
    ann.send(ann.page.form("/add"), address="ann@example.org")
    assert "one is on its way" in ann.page.text
    assert "Not confirmed yet" in ann.page.text
    ((_, asking),) = inbox.letters
    link = re.search(rf"{PUBLIC}(/notifications/mail/\S+)", asking.get_content())[1]
    called(calls, fake_clock)
    ann.send(
        ann.page.form("/add"), address="Ann@Example.org"
    )  # another press sends no second e-mail
    assert len(inbox.letters) == 1
    owner = browser()
    for _ in range(3):  # a scanner of the e-mail confirms nothing
        owner.open(link)
    called(calls, fake_clock)
    assert len(inbox.letters) == 1
    assert not only_way(service, path).confirmed
    owner.press("Yes, this is my address")
    assert "is confirmed" in owner.page.text
    called(calls, fake_clock)
    _, letter = inbox.letters[1]
    assert letter["Subject"] == "Kaboom"
    assert f"{PUBLIC}{path}" in letter.get_content()
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = letter["List-Unsubscribe"].strip("<>").removeprefix(PUBLIC)
    assert owner.open(stop)
    assert only_way(service, path).confirmed  # viewing the page unsubscribes nothing
    answer = owner.client.post(stop, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert channels.kept(service, service.get(path[3:]).table.host).channels == ()
    owner.open(link)
    assert owner.status == 404


def test_email_address_is_refused_without_a_mail_server(table):
    _, (ann, _) = table("Ann", "Ben")
    ann.open("/settings/notifications")
    ann.send(ann.page.form("/add"), address="ann@example.org")
    assert ann.status == 422
    assert "This server does not send e-mail." in ann.page.text


def test_browser_gets_pushes_until_its_service_reports_it_gone(
    table, posting, hook, fake_clock, service
):
    path, (ann, _) = table("Ann", "Ben")
    calls = posting(url_policy=hook.url_policy, services=re.compile(re.escape(NAME)))
    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    secret = bytes(range(16))
    p256dh, auth = (urlsafe_b64encode(it).rstrip(b"=").decode() for it in (point, secret))
    ann.open("/settings/notifications")
    form = ann.page.form("/push")
    for bad in ({"auth": "x"}, {"p256dh": ""}, {"endpoint": "https://example.org/"}):
        given = {"endpoint": hook.address, "p256dh": p256dh, "auth": auth, **bad}
        ann.send(form, **given)
        assert ann.status == 422
    ann.send(form, endpoint=hook.address, p256dh=p256dh, auth=auth)
    assert ann.status == 200
    hook.status = 201
    called(calls, fake_clock)
    ((_, headers, body),) = hook.asked
    told = http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm")
    assert json.loads(told)["url"] == f"{PUBLIC}{path}"
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["Topic"] == path[3:]
    assert headers["Authorization"].startswith("vapid t=")
    hook.status = 410
    ann.open("/settings/notifications")
    ann.press("Send me a test")
    assert "could not be delivered" in ann.page.text
    assert channels.kept(service, service.get(path[3:]).table.host).channels == ()


def test_notification_scripts_load_only_where_wanted(table, posting):
    path, (ann, _) = table("Ann", "Ben")
    posting()
    for page in (path, "/", "/account", "/turns"):
        ann.open(page)
        assert "subscribe.js" not in ann.html
        assert "push.js" not in ann.html
    ann.open("/settings/notifications")
    assert "subscribe.js" in ann.html
    worker = ann.client.get("/push.js")
    assert worker.mimetype == "text/javascript"
    assert b"fetch" not in worker.data.replace(b"fetches", b"")


def test_test_message_is_sent_at_once_but_not_repeatedly(limited, hook):
    made = limited.extensions["kaboom.post"]
    limited.extensions["kaboom.post"] = replace(made, url_policy=hook.url_policy)
    ann = Browser(limited.test_client())
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    ann.open("/settings/notifications")
    ann.send(ann.page.form("/add"), address=hook.address, kind="ntfy")
    for _ in range(5):
        ann.press("Send me a test")
        assert "The test was sent." in ann.page.text
    ann.press("Send me a test")
    assert ann.status == 429
    assert "Too many attempts" in ann.page.text
    assert len(hook.asked) == 5


def test_quiet_hours_digest_and_muting_share_one_page(table, service):
    path, (ann, _) = table("Ann", "Ben")
    ann.open("/settings/notifications")
    wishes = {"from": "22:30", "to": "07:00", "zone": "Africa/Nairobi", "digest": "60"}
    ann.send(ann.page.form("/preferences"), **wishes)
    form = ann.page.form("/preferences")
    assert (form.hidden["from"], form.hidden["to"]) == ("22:30", "07:00")
    assert (form.hidden["zone"], form.hidden["digest"]) == ("Africa/Nairobi", "60")
    for bad in ({"from": "25:00"}, {"zone": "Moon/Sea"}, {"digest": "7"}, {"to": ""}):
        ann.send(form, **{**wishes, **bad})
        assert ann.status == 422
    ann.open("/settings/notifications")
    ann.send(ann.page.form("/snooze"), days="7")
    assert "no notifications for another 7 days" in ann.page.text
    ann.press("Notify me again")
    assert channels.kept(service, service.get(path[3:]).table.host).snoozed == {}


def test_page_lists_channels_first_then_quiet_hours(table):
    _, (ann, _) = table("Ann", "Ben")
    page = ann.open("/settings/notifications").text
    words = ("Atom", "Quiet from", "While a table is open")
    assert sorted(words, key=page.index) == list(words)
    assert "By e-mail" not in page and "In this browser" not in page  # neither is offered
    assert '<details class="panel" id="h-other" open>' in ann.html


def test_player_cannot_change_anothers_channels(table, posting, hook, service, browser):
    path, (ann, ben) = table("Ann", "Ben")
    posting(url_policy=hook.url_policy)
    ann.open("/settings/notifications")
    ann.send(ann.page.form("/add"), address=hook.address, kind="json")
    number = str(only_way(service, path).id)
    for press in ("remove", "wake", "test"):
        ben.client.post(f"/settings/notifications/{press}", data={"way": number})
    assert only_way(service, path).id == int(number)
    assert not hook.asked
    stranger = browser()
    answer = stranger.client.post("/settings/notifications/remove", data={"way": number})
    assert answer.status_code == 403
    stranger.open("/settings/notifications")
    assert "This browser has not played yet" in stranger.page.text


def test_turn_list_puts_the_viewers_turns_first_and_names_others(table):
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


def test_table_without_a_match_is_in_no_turn_list(table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", ready=False)
    assert path not in dict(ann.open("/turns").links)
    ben.client.post(f"{path}/ready")
    ann.client.post(f"{path}/start")
    assert path in dict(ann.open("/turns").links)
    stop(service, path[3:])
    assert path not in dict(ann.open("/turns").links)


def test_turn_feed_has_a_secret_url_until_revoked(table, service, browser):
    path, (ann, _) = table("Ann", "Ben")
    ann.open("/settings/notifications")
    ann.press("Create its secret address")
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
    ann.press("Remove it")
    assert reader.get(address).status_code == 404


def test_erasing_a_player_deletes_their_channels(table, posting, hook, service):
    path, (ann, _) = table("Ann", "Ben", ready=False)
    posting(url_policy=hook.url_policy)
    player = service.get(path[3:]).table.host
    ann.open("/settings/notifications")
    ann.send(ann.page.form("/add"), address=hook.address, kind="json")
    ann.press("Create its secret address")
    ann.open("/account")
    ann.client.post("/account/delete", data={"what": "all", "sure": "1"})
    assert channels.kept(service, player) == channels.Kept()

    def rows(connection):
        return [
            connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar()
            for name in ("ways", "calls", "call_settings")
        ]

    assert service.database.read(rows) == [0, 0, 0]


def test_nudge_is_sent_once_and_causes_one_more_alert(table, fake_clock, posting, hook, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops", days="2")
    calls = posting(url_policy=hook.url_policy)
    ben.open("/settings/notifications")
    ben.send(ben.page.form("/add"), address=hook.address, kind="json")
    calls.sweep()
    fake_clock.sleep(60)
    calls.tick()
    assert len(hook.asked) == 1
    plays(service, path[3:], service.get(path[3:]).table.host)
    with pytest.raises(LookupError):
        ann.open(path).form("/nudge")
    fake_clock.sleep(DAY)
    form = ann.open(path).form("/nudge")
    assert form.buttons[0][2] == "Remind Ben"
    ann.send(form, form.buttons[0])
    assert "You politely remind" in ann.page.text or "Ann politely reminds Ben" in ann.page.text
    fake_clock.sleep(LEASE + PATIENCE)  # the application's own outbox may hold it that long
    calls.tick()
    assert len(hook.asked) == 2
    assert "are waiting for your move" in hook.asked[1][2].decode()
    with pytest.raises(LookupError):
        ann.open(path).form("/nudge")
    ann.send(form, form.buttons[0])
    assert ann.status == 422
    fake_clock.sleep(3600)
    calls.sweep()
    calls.tick()
    assert len(hook.asked) == 2


def test_saving_preferences_returns_to_the_top_of_the_page(table):
    _, (ann, _) = table("Ann", "Ben")
    wishes = {"from": "22:00", "to": "07:00", "zone": "UTC", "digest": "0"}
    answer = ann.client.post("/settings/notifications/preferences", data=wishes)
    assert answer.status_code == 303 and answer.headers["Location"].endswith(
        "/settings/notifications"
    )


def test_several_tables_share_one_message_line_by_line(app):
    waits = tuple(Waiting(f"CODE{n}", game, ("Ann",)) for n, game in enumerate(("GOPS", "Karata")))
    with app.test_request_context("/"):
        told = said(Notification("json", "", waits), "https://x.org")
        one = said(Notification("json", "", waits[:1]), "https://x.org")
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
def test_all_awaited_players_are_named(app, waiting, sentence):
    with app.test_request_context("/"):
        told = said(Notification("json", "", (Waiting("CODE1", "GOPS", waiting),)), "https://x.org")
    assert told.text == sentence


@pytest.mark.parametrize(("public", "base"), [(PUBLIC, PUBLIC), ("", "https://asked.example")])
def test_links_start_with_the_configured_or_requested_host(public, base):
    post = Post(ServerSettings(public_url=public), None, None)
    assert post.base("https://asked.example") == base


def test_email_is_not_retried_without_a_mail_server():
    post = Post(ServerSettings(), None, None)
    with pytest.raises(NotArrived, match="there is no mail server") as no:
        post.tell(channels.MAIL, "secret a@b.example", Said("", "", ""), PUBLIC)
    assert no.value.hopeless
