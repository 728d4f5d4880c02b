"""One list of moves, made in four ways, gives the same log, byte for byte."""

import http.cookiejar
import time
from itertools import count

import pytest

from kaboom.tables import queries
from tests.browser.test_every_game import press, some_move, up_to_date
from tests.support.effort import LONG, PATIENCE, often
from tests.support.forms import Browser
from tests.support.server import HttpClient

GAMES = {"kaboom": {"rounds": 1, "give_seconds": 0}} | ({"gops": {}} if LONG else {})

FREE = often(8, soak=20)  # moves before any player may call kaboom


def forbid_scripts(person):
    """Serve a person's pages with a policy that blocks all scripts."""

    def forbidding(route):
        answer = (
            route.fetch()
        )  # redirects are followed here, because a route cannot see their targets
        policy = answer.headers["content-security-policy"]
        forbidden = policy.replace("script-src 'self'", "script-src 'none'")
        assert forbidden != policy
        route.fulfill(
            response=answer, headers={**answer.headers, "content-security-policy": forbidden}
        )

    person.page.route(f"{person.url}/t/**", forbidding)
    person.expect("script-src", "Content Security Policy")


class InChromium:
    """Two people with Chromium, with scripts, without, or with a policy that blocks them."""

    def __init__(self, match, person, scripts=True, forbidden=False):
        self.match = match
        self.people = [person(key=key, scripts=scripts) for key in match.keys]
        for visitor in self.people:
            if forbidden:
                forbid_scripts(visitor)
                visitor.scripts = False
            visitor.page.goto(match.path)

    def make(self, move, confirm):
        visitor = self.people[move.seat]
        up_to_date(self.match, visitor, move.seat)
        press(visitor.page, move, confirm)


class ByForms:
    """Two people whose clients know only links, forms and redirects."""

    def __init__(self, match, url):
        self.match = match
        self.browsers = []
        for key in match.keys:
            client = HttpClient(url)
            client.jar.set_cookie(cookie(key))
            self.browsers.append(Browser(client))

    def make(self, move, confirm):
        browser = self.browsers[move.seat]
        browser.open(self.match.path)
        form, button, lifted = pressing(browser.page, move)
        browser.send(form, button, lifted)
        if confirm and not lifted:  # a lifted card needs no confirmation
            browser.press("Yes, do it")
        assert browser.status == 200, browser.page.text


def pressing(page, move):
    """Return the form and the button that make a move, and the card to lift for it."""
    lifted = [("pick", it) for it in move.choices]
    for form, button in page.moves():
        if button[1].endswith(" ".join(("", move.verb, *move.choices))):
            return form, button, []
        if form.hidden.get("offer", "").endswith(f" {move.verb}") and set(lifted) <= {*form.boxes}:
            return form, button, lifted
    raise LookupError(f"no button makes {move} on: {page.text[:300]}")


def cookie(key):
    """Return the cookie by which the server identifies the seat."""
    where = ("127.0.0.1", False, False, "/", True)
    return http.cookiejar.Cookie(
        0, "kb", key, None, False, *where, False, None, True, None, None, {}
    )


def played(match, hands, most=400):
    """Make the fixed list of moves at this table; return its log."""
    for number in range(most):
        snapshot = match.look()
        if snapshot.table.outcome is not None:
            break
        seat = match.waiting[number % len(match.waiting)]
        move = next(
            move
            for draw in count(number, 1000)
            if (move := some_move(match, seat, draw)).verb != "kaboom" or number > FREE
        )
        offer = match.prompt(seat).offer(move.verb)
        hands.make(move, offer is not None and offer.confirm)
        deadline = time.monotonic() + PATIENCE
        while match.look().table.seq == snapshot.table.seq:
            assert time.monotonic() < deadline, f"{move} did not reach the table"
            time.sleep(0.01)
    assert match.look().table.outcome is not None
    id = match.look().table.match_id
    log = match.stage.database.read(lambda connection: queries.log(connection, id))
    return "\n".join(row.text for row in log)


@pytest.mark.parametrize("game", list(GAMES))
def test_log_is_the_same_with_and_without_scripts(game, person, stage, server):
    stage.ids.cut = lambda: "the same cut"
    ways = {
        "scripts": lambda match: InChromium(match, person),
        "no scripts": lambda match: InChromium(match, person, scripts=False),
        "script-src 'none'": lambda match: InChromium(match, person, forbidden=True),
        "forms": lambda match: ByForms(match, server.url),
    }
    if not LONG:  # blocked scripts leave a page of forms
        del ways["no scripts"], ways["script-src 'none'"]
    logs = {}
    for way, hands in ways.items():
        match = stage.begun("Ann", "Ben", game=game, **GAMES[game])
        logs[way] = played(match, hands(match))
    assert len(logs["scripts"].splitlines()) > FREE
    assert logs == dict.fromkeys(ways, logs["scripts"])
