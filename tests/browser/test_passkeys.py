"""Passkeys, with Chromium's own virtual authenticator: real keys, real signatures."""

import json

import pytest

from kaboom.db.migrate import upgrade
from tests.browser.chromium import Person
from tests.conftest import folder_in_memory
from tests.support.server import Server, free_port


@pytest.fixture(scope="module")
def address(chromium):
    """A server under its own name, for which browsers create passkeys."""
    with folder_in_memory() as folder:
        url, port = f"sqlite:///{folder / 'kaboom.sqlite3'}", free_port()
        upgrade(url)
        server = Server(url, port=port, PUBLIC_URL=f"http://localhost:{port}").start()
        yield f"http://localhost:{port}"
        server.kill()


@pytest.fixture
def visitor(chromium, address):
    """A function that opens a browser with a virtual authenticator that confirms."""
    people = []

    def opened(credentials=()):
        person = Person(chromium, address)
        people.append(person)
        tools = person.context.new_cdp_session(person.page)
        tools.send("WebAuthn.enable")
        kind = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
        kind |= {"hasUserVerification": True, "isUserVerified": True}
        made = tools.send("WebAuthn.addVirtualAuthenticator", {"options": kind})
        for credential in credentials:
            tools.send(
                "WebAuthn.addCredential",
                {"authenticatorId": made["authenticatorId"], "credential": credential},
            )

        def kept():
            found = tools.send("WebAuthn.getCredentials", made)
            return found["credentials"]

        person.credentials = kept
        return person

    yield opened
    unexpected = [said for person in people for said in person.unexpected]
    for person in people:
        person.close()
    assert not unexpected


def with_passkey(person):
    """Let a player sit down and secure the account with a passkey; return its address."""
    page = person.page
    page.goto("/start/gops")
    page.fill("input[name=name]", "Ann")
    page.click("button:has-text('Start a table')")
    page.wait_for_url("**/t/*")
    seat = page.url.split("?")[0].split("#")[0]
    page.goto("/settings/account")
    page.click("text=Add a passkey")
    page.fill("#label", "My laptop")
    page.click("text=Create the passkey")
    page.wait_for_url("**/settings/account")
    assert "My laptop" in page.inner_text("main")
    return seat


def test_passkey_signs_its_owner_in_elsewhere(visitor):
    ann = visitor()
    seat = with_passkey(ann)
    other = visitor(ann.credentials())
    other.page.goto("/login")
    other.page.click("text=Sign in with a passkey")
    other.page.click("text=Use the passkey")
    other.page.wait_for_url("**/account")
    assert "Ann" in other.page.inner_text("main")
    other.page.goto(seat)
    assert other.page.locator("#cut-text").count()  # hers is a chair there
    # Once removed, it signs no one in.
    ann.page.goto("/settings/account")
    ann.page.click("main li button")
    stranger = visitor(ann.credentials())
    stranger.expect("403")
    stranger.page.goto("/login")
    stranger.page.click("text=Sign in with a passkey")
    stranger.page.click("text=Use the passkey")
    stranger.page.wait_for_selector(".wrong")


def test_replayed_or_mismatched_assertion_is_refused(visitor):
    ann = visitor()
    with_passkey(ann)
    page = visitor(ann.credentials()).page
    sent = []
    page.on("request", lambda it: sent.append(it) if it.method == "POST" else None)
    page.goto("/login")
    page.click("text=Sign in with a passkey")
    page.click("text=Use the passkey")
    page.wait_for_url("**/account")
    answer = next(it for it in sent if it.url.endswith("/login/passkey/answer")).post_data
    fields = dict(pair.split("=", 1) for pair in answer.split("&"))
    stranger = visitor()
    asks = stranger.context.request
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert asks.post("/login/passkey/answer", data=answer, headers=kind).status == 403
    fresh = asks.post("/login/passkey").text().split('name="secret" value="')[1].split('"')[0]
    other = f"secret={fresh}&answer={fields['answer']}"
    assert asks.post("/login/passkey/answer", data=other, headers=kind).status == 403
    for nonsense in ("", "{}", "[]", "1", json.dumps({"id": "x" * 5000}), "{" * 3000):
        form = {"secret": "x", "answer": nonsense}
        assert asks.post("/login/passkey/answer", form=form).status == 403


def test_page_that_frames_ours_gets_no_valid_assertion(visitor, address):
    """On the same machine, at another port: the browser signs for it, the server refuses."""
    ann = visitor()
    with_passkey(ann)
    page, ours = ann.page, visitor().context.request
    elsewhere = f"http://localhost:{free_port()}"
    answers = []

    def handed_on(route):
        """Send a request to the real server as a player, and show the player its answer."""
        asked = route.request
        path, kind = (
            asked.url.removeprefix(elsewhere),
            asked.headers.get("content-type", "text/html"),
        )
        form = {"Content-Type": kind}
        found = ours.fetch(
            address + path, method=asked.method, data=asked.post_data_buffer, headers=form
        )
        if path == "/login/passkey/answer":
            answers.append((found.status, b"signature" in asked.post_data_buffer))
        route.fulfill(response=found, headers={"Content-Type": found.headers["content-type"]})

    ann.expect("403")
    page.route(f"{elsewhere}/**", handed_on)
    page.goto(f"{elsewhere}/login")
    page.click("text=Sign in with a passkey")
    page.click("text=Use the passkey")
    page.wait_for_selector(".wrong")
    assert answers == [(403, True)]


def test_canceled_passkey_is_reported_and_can_be_retried(visitor):
    stranger = visitor()  # the stranger's authenticator has no passkey
    stranger.page.goto("/login")
    stranger.page.click("text=Sign in with a passkey")
    stranger.page.click("text=Use the passkey")
    stranger.page.wait_for_function("document.getElementById('passkey-said').textContent")
    assert stranger.page.locator("text=Use the passkey").is_visible()
