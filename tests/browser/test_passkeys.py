"""Passkeys, with Chromium's own virtual authenticator: real keys, real signatures."""

import json

import pytest

from kaboom.db.migrate import upgrade
from tests.browser.chromium import Person
from tests.conftest import folder_in_memory
from tests.support.server import Server, free_port


@pytest.fixture(scope="module")
def address(chromium):
    """A server where browsers give passkeys: under its own name."""
    with folder_in_memory() as folder:
        url, port = f"sqlite:///{folder / 'kaboom.sqlite3'}", free_port()
        upgrade(url)
        server = Server(url, port=port, PUBLIC_URL=f"http://localhost:{port}").start()
        yield f"http://localhost:{port}"
        server.kill()


@pytest.fixture
def somebody(chromium, address):
    """A function that opens a browser with an authenticator that says yes."""
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
    """Let somebody sit down and keep the seat by a passkey; return its address."""
    page = person.page
    page.goto("/start/gops")
    page.fill("input[name=name]", "Ann")
    page.click("button:has-text('Start a table')")
    page.wait_for_url("**/t/*")
    seat = page.url.split("?")[0].split("#")[0]
    page.goto("/me/keep")
    page.click("text=Add a passkey")
    page.fill("#label", "My laptop")
    page.click("text=Make the passkey")
    page.wait_for_url("**/me/keep")
    assert "My laptop" in page.inner_text("main")
    return seat


def test_a_passkey_lets_its_owner_in_elsewhere(somebody):
    ann = somebody()
    seat = with_passkey(ann)
    other = somebody(ann.credentials())
    other.page.goto("/in")
    other.page.click("text=Come in with a passkey")
    other.page.click("text=Use the passkey")
    other.page.wait_for_url("**/me")
    assert "Ann" in other.page.inner_text("h1")
    other.page.goto(seat)
    assert other.page.locator("#cut-text").count()  # hers is a chair there
    # Removed, it opens nothing.
    ann.page.goto("/me/keep")
    ann.page.click("main li button")
    stranger = somebody(ann.credentials())
    stranger.expect("403")
    stranger.page.goto("/in")
    stranger.page.click("text=Come in with a passkey")
    stranger.page.click("text=Use the passkey")
    stranger.page.wait_for_selector(".wrong")


def test_a_replayed_answer_and_one_to_another_question_are_refused(somebody):
    ann = somebody()
    with_passkey(ann)
    page = somebody(ann.credentials()).page
    sent = []
    page.on("request", lambda it: sent.append(it) if it.method == "POST" else None)
    page.goto("/in")
    page.click("text=Come in with a passkey")
    page.click("text=Use the passkey")
    page.wait_for_url("**/me")
    answer = next(it for it in sent if it.url.endswith("/in/passkey/answer")).post_data
    fields = dict(pair.split("=", 1) for pair in answer.split("&"))
    stranger = somebody()
    asks = stranger.context.request
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert asks.post("/in/passkey/answer", data=answer, headers=kind).status == 403
    fresh = asks.post("/in/passkey").text().split('name="secret" value="')[1].split('"')[0]
    other = f"secret={fresh}&answer={fields['answer']}"
    assert asks.post("/in/passkey/answer", data=other, headers=kind).status == 403
    for nonsense in ("", "{}", "[]", "1", json.dumps({"id": "x" * 5000}), "{" * 3000):
        form = {"secret": "x", "answer": nonsense}
        assert asks.post("/in/passkey/answer", form=form).status == 403


def test_a_page_elsewhere_that_shows_ours_gets_no_answer_that_lets_it_in(somebody, address):
    """On the same machine, at another port: the browser signs for it, the server says no."""
    ann = somebody()
    with_passkey(ann)
    page, ours = ann.page, somebody().context.request
    elsewhere = f"http://localhost:{free_port()}"
    answers = []

    def handed_on(route):
        """Ask the real server in somebody's name, and show them what it says."""
        asked = route.request
        path, kind = (
            asked.url.removeprefix(elsewhere),
            asked.headers.get("content-type", "text/html"),
        )
        form = {"Content-Type": kind}
        found = ours.fetch(
            address + path, method=asked.method, data=asked.post_data_buffer, headers=form
        )
        if path == "/in/passkey/answer":
            answers.append((found.status, b"signature" in asked.post_data_buffer))
        route.fulfill(response=found, headers={"Content-Type": found.headers["content-type"]})

    ann.expect("403")
    page.route(f"{elsewhere}/**", handed_on)
    page.goto(f"{elsewhere}/in")
    page.click("text=Come in with a passkey")
    page.click("text=Use the passkey")
    page.wait_for_selector(".wrong")
    assert answers == [(403, True)]


def test_a_breaking_off_is_said_and_may_be_tried_again(somebody):
    nobody = somebody()  # whose authenticator has no passkey
    nobody.page.goto("/in")
    nobody.page.click("text=Come in with a passkey")
    nobody.page.click("text=Use the passkey")
    nobody.page.wait_for_function("document.getElementById('passkey-said').textContent")
    assert nobody.page.locator("text=Use the passkey").is_visible()
