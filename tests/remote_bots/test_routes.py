"""An author's pages about their bots, and inviting one to a table."""

import pytest

from kaboom.remote_bots import queries as store
from kaboom.remote_bots import service

ADDRESS = "https://bots.example.org/kaboom"


@pytest.fixture
def ann(browser):
    person = browser()
    person.open("/settings/bots")
    return person


def add(person, **fields):
    form = person.page.form("/settings/bots")
    fields = {"name": "Ann", "bot_name": "Robo", "address": ADDRESS, **fields}
    return person.send(form, **fields)


def checked(service_, number=1):
    service_.database.write(lambda c: store.change(c, number, {"checked_at": 1.0}))


def test_a_bot_is_added_and_its_secret_is_shown_once(ann, service):
    add(ann)
    assert ann.status == 200
    (bot,) = service.database.read(lambda c: store.of_owner(c, 1))
    assert bot.secret.decode() in ann.html
    assert (bot.name, bot.address, bot.owner) == ("Robo", ADDRESS, "Ann")
    ann.open("/settings/bots/1")
    assert bot.secret.decode() not in ann.html
    assert "not called yet" in ann.page.text
    stored = service.database.read(
        lambda c: c.exec_driver_sql("select address, secret from remote_bots").first()
    )
    assert ADDRESS.encode() not in bytes(stored[0])
    assert bot.secret not in bytes(stored[1])


@pytest.mark.parametrize(
    "wrong",
    [
        {"address": "http://bots.example.org/"},
        {"address": "https://127.0.0.1/"},
        {"address": "https://[::1]/"},
        {"address": "https://10.0.0.1/"},
        {"address": "https://bots.example.org:8443/"},
        {"address": "https://a:b@bots.example.org/"},
        {"address": ""},
        {"bot_name": ""},
    ],
)
def test_invalid_form_is_refused_and_stores_nothing(ann, service, wrong):
    add(ann, **wrong)
    assert ann.status == 422
    assert 'role="alert"' in ann.html
    assert service.database.read(lambda c: store.count(c, 1)) == 0


def test_no_author_has_more_bots_than_allowed(ann, service_limits_off, service):
    for number in range(service_limits_off + 1):
        ann.open("/settings/bots")
        add(ann, bot_name=f"Robo {number}")
    assert ann.status == 422
    assert service.database.read(lambda c: store.count(c, 1)) == service_limits_off


@pytest.fixture
def service_limits_off():
    return service.MOST


def test_only_its_author_sees_pauses_or_deletes_a_bot(ann, browser, service):
    add(ann)
    ben = browser()
    ben.client.post("/settings/bots", data={"name": "Ben", "bot_name": "x", "address": ADDRESS})
    assert ben.client.get("/settings/bots/1").status_code == 403
    for do in ("pause", "delete", "share", "check"):
        assert ben.client.post("/settings/bots/1", data={"do": do}).status_code == 403
    bot = service.database.read(lambda c: store.bot(c, 1))
    assert (bot.paused, bot.shared) == (False, False)


@pytest.mark.parametrize("number", ["9" * 10, "9" * 20, "x", "-1"])
def test_bot_url_with_an_impossible_number_is_not_found(ann, number):
    path = f"/settings/bots/{number}"
    assert ann.client.get(path).status_code == 404
    assert ann.client.get(f"{path}.json").status_code == 404
    assert ann.client.post(path, data={"do": "check"}).status_code == 404


def test_seated_player_invites_a_bot_by_a_press(ann, table, service):
    path, (eve, _ben) = table("Eve", "Ben", game="karata", ready=False)
    eve.open("/settings/bots")
    add(eve)
    eve.open(f"{path}/invite-bot")
    assert "There is no bot that you can invite." in eve.page.text
    assert "/settings/bots" in [link for link, _ in eve.page.links]
    checked(service)
    eve.open(f"{path}/options")
    assert f"{path}/invite-bot" in [link for link, _ in eve.page.links]
    eve.open(f"{path}/invite-bot")
    eve.press("Invite Robo")
    names = [it.name for _, it in service.get(path[3:]).table.sitting()]
    assert names[-1] == "bot of Eve (Robo)"
    assert service.get(path[3:]).table.occupant(2).program


def test_others_invite_only_a_shared_bot(ann, table, service):
    add(ann)
    checked(service)
    path, (eve, _) = table("Eve", "Ben", game="karata", ready=False)
    assert eve.client.post(f"{path}/invite-bot", data={"bot": "1"}).status_code == 403
    ann.client.post("/settings/bots/1", data={"do": "share"})
    assert eve.client.post(f"{path}/invite-bot", data={"bot": "1"}).status_code == 303
    assert ann.client.get(f"{path}/invite-bot").status_code == 403  # she does not sit there


def test_bot_cannot_sit_where_bots_are_not_welcome(ann, table, service):
    path, (eve, _) = table("Eve", "Ben", game="karata", ready=False)
    eve.open("/settings/bots")
    add(eve)
    checked(service)
    eve.client.post(f"{path}/bots", data={"programs": "never", "hints": "alone"})
    answer = eve.client.post(f"{path}/invite-bot", data={"bot": "1"})
    assert answer.status_code == 403
    assert "not welcome" in answer.text


def test_erased_author_leaves_no_bot(ann, service):
    add(ann)
    ann.client.post("/account/delete", data={"what": "all", "sure": "1"})
    assert service.database.read(lambda c: store.bot(c, 1)) is None
