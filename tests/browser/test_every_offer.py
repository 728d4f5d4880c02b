"""Every prompt fits on a small phone and on a laptop, in three languages: no control is covered,
cut off or outside the window, and each can be pressed in its middle.

Positions are found by playing (tests.browser.walk). An application in this process renders each one
into an open page, so that thousands can be checked.
"""

import hashlib
import re
import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from kaboom.accounts import players
from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.fixtures import Values
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.tables import start_match, votes
from kaboom.tables.service import TableService
from kaboom.tables.table import Back, Done, Hints, Table, Vote
from tests.browser.chromium import Person
from tests.browser.moments import NAMES as SIX
from tests.browser.walk import Sight, by_table, sights, verbs_of
from tests.conftest import folder_in_memory
from tests.support.app import served
from tests.support.effort import LONG

NAMES = (*SIX, "Gus", "Hal", "Ida", "Joe")
LANGUAGES = ("en", "fr", "sw")
SIZES = ((360, 640), (1366, 650))

# The faults of a page with a table. A card may lie under others of its fan, then only its visible
# left part counts. Long names end in an ellipsis. Finally all badges are removed ("ready", "last
# card"); since they have reserved space, the layout must not move.
# Positions come in one call, because the browser would draw each one that it is left with.
WRONG = """positions => positions.map(([html, language]) => {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("table")
  document.documentElement.lang = language
  document.getElementById("table").replaceWith(fresh)
  scrollTo(0, 0)
  const wrong = [], all = (it, within = document) => [...within.querySelectorAll(it)]
  const words = it => (it.getAttribute("aria-label") || it.textContent).trim().slice(0, 50)
  const seen = it => it.checkVisibility({opacityProperty: true, visibilityProperty: true})
  const across = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1
  const along = (a, b, slack = 1) => a.top >= b.top - slack && a.bottom <= b.bottom + slack
  const inside = (a, b) => across(a, b) && along(a, b)
  const window_ = {left: 0, top: 0, right: innerWidth, bottom: innerHeight}
  const ring = fresh.querySelector(".ring:not(.last)"), edge = ring.getBoundingClientRect()
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the window")
  if (edge.bottom > innerHeight + 1) wrong.push(`higher by ${Math.ceil(edge.bottom - innerHeight)}`)
  all(".table-area", ring).forEach(it => {
    const over = it.scrollHeight - it.clientHeight
    // What is chosen to be buried lies below the rail.
    if (over > 1 && !it.closest(".burying"))
      wrong.push(`what lies there is ${over} higher than its room`)
  })
  const hit = (x, y) => document.elementFromPoint(x, y)
  const controls = all("button, a, label.card, summary, select, input:not([type=hidden])", ring)
    .filter(it => seen(it) && !it.closest(".visually-hidden") && !it.matches("label input"))
    .map(it => ({it, box: it.getBoundingClientRect()})).filter(({box}) => box.width > 2)
  controls.forEach(({it}) => {
    const [box] = it.getClientRects()  // of a link that is two lines long the first
    const there = hit(box.x + box.width / 2, box.y + box.height / 2)
    const own = part => part && (it.contains(part) || part.contains(it) && part.matches("label"))
    if (!inside(box, window_)) wrong.push(`out of the window: ${words(it)}`)
    else if (!own(there) && !(it.matches(".card") && own(hit(box.x + 12, box.y + 22))))
      wrong.push(`covered by ${there?.outerHTML.slice(0, 50)}: ${words(it)}`)
  })
  controls.filter(({it}) => !it.matches(".card")).forEach((one, n, buttons) =>
    [...buttons.slice(n + 1), ...controls.filter(({it}) => it.matches(".card"))].forEach(two => {
      const wide = Math.min(one.box.right, two.box.right) - Math.max(one.box.left, two.box.left)
      const high = Math.min(one.box.bottom, two.box.bottom) - Math.max(one.box.top, two.box.top)
      if (wide > 1 && high > 1 && !one.it.contains(two.it))
        wrong.push(`${words(one.it)} lies over ${words(two.it)}`)
    }))
  const texts = document.createTreeWalker(ring, NodeFilter.SHOW_TEXT), line = document.createRange()
  for (let text; text = texts.nextNode();) {
    const of = text.parentElement, style = getComputedStyle(of)
    if (!text.data.trim() || !seen(of)) continue
    if (of.closest(".card, .visually-hidden, .tail, noscript")) continue
    if (of.closest("details:not([open])") && !of.closest("summary")) continue
    if (parseFloat(style.fontSize) < 2 || parseFloat(style.textIndent) < 0) continue
    line.selectNodeContents(text)
    for (const box of line.getClientRects()) {
      if (box.width < 2) continue
      let cut = !inside(box, window_), dots = false
      for (let it = of; it && it !== document.body; it = it.parentElement) {
        const at = getComputedStyle(it)
        dots ||= at.textOverflow === "ellipsis" || at.webkitLineClamp !== "none"
        dots ||= at.clipPath !== "none"
        const own = it.matches("button, .button, label, .tag"), its = it.getBoundingClientRect()
        cut ||= (own || at.overflowX !== "visible") && !across(box, its)
        cut ||= (own || at.overflowY !== "visible") && !along(box, its, box.height / 5)
      }
      if (dots) continue
      if (cut) wrong.push(`cut: ${text.data.trim().slice(0, 50)}`)
      else if (style.pointerEvents !== "none") [2, box.width / 2, box.width - 2].forEach(x => {
        const there = hit(box.x + x, box.y + box.height / 2)
        if (!there || !(there.contains(of) || of.contains(there)))
          wrong.push(`${there?.outerHTML.slice(0, 50)} lies over: ${text.data.trim().slice(0, 50)}`)
      })
    }
  }
  const places = () =>
    all(`.table-area :is(.face, .plate b, .card), .action-bar .face,
      #status, .my-cards .card`, ring)
      .map(it => [words(it), it.getBoundingClientRect()])
  const before = places()
  all(":is(.plate, .my-cards h2) .tag", ring).forEach(it => it.remove())
  places().forEach(([name, {x, y}], n) => {
    const far = Math.hypot(x - before[n][1].x, y - before[n][1].y)
    if (far > 8) wrong.push(`moved by a badge: ${name}`)
  })
  return [...new Set(wrong)]
})"""
AT_ONCE = 50  # positions a call


@dataclass(frozen=True)
class Beside:
    """Elements of a table that are not part of the game, for the player in a seat."""

    name: str
    put: Callable[[Table, Seat, Sight], None]


def _vote(table: Table, about: str, by: Seat, of: Seat | None = None) -> None:
    table.vote = Vote(1, about, by, [by], until=1e12, hold=0.0, look=1e12, seat=of)


def _done(sight: Sight) -> list[Done]:
    """Return moves such as a bot might have made."""
    return [Done(verb) for verb in _said(sight)][:5]


def _said(sight: Sight) -> list[str]:
    """Return the possible actions whose labels do not depend on their object."""
    offers = GAMES[sight.game].words.offers.items()
    return [verb for verb, said in offers if "." not in verb and "{" not in said]


def _other(table: Table, seat: Seat) -> Seat:
    return (seat + 1) % len(table.seats)


def nothing(table: Table, seat: Seat, sight: Sight) -> None:
    """Add nothing: only the game is shown."""


def a_vote(table: Table, seat: Seat, sight: Sight) -> None:
    _vote(table, votes.PAUSE, _other(table, seat))


def a_vote_about_me(table: Table, seat: Seat, sight: Sight) -> None:
    _vote(table, votes.BOT, _other(table, seat), seat)


def a_vote_of_mine(table: Table, seat: Seat, sight: Sight) -> None:
    _vote(table, votes.BOT, seat, _other(table, seat))


def a_bot_for_me(table: Table, seat: Seat, sight: Sight) -> None:
    table.occupant(seat).stand_in = True
    table.occupant(seat).done = _done(sight)


def back_again(table: Table, seat: Seat, sight: Sight) -> None:
    table.occupant(seat).done = _done(sight)


def a_bot_for_others(table: Table, seat: Seat, sight: Sight) -> None:
    for other in range(len(table.seats)):
        if other != seat:
            table.occupant(other).stand_in = True


def a_pause(table: Table, seat: Seat, sight: Sight) -> None:
    table.paused = True


def a_vote_to_go_on(table: Table, seat: Seat, sight: Sight) -> None:
    table.paused = True
    _vote(table, votes.GO_ON, _other(table, seat))


def a_move_to_take_back(table: Table, seat: Seat, sight: Sight) -> None:
    if not sight.kind.verbs:  # otherwise the game's own moves take it back
        table.back[seat] = [Back(table.seq, Done(_said(sight)[0]))]


BESIDE = [
    Beside(put.__name__.replace("_", " "), put)
    for put in (
        nothing,
        a_vote,
        a_bot_for_me,
        back_again,
        a_bot_for_others,
        a_move_to_take_back,
        a_vote_about_me,
        a_vote_of_mine,
        a_pause,
        a_vote_to_go_on,
    )
]


class Room:
    """A table of people, in an application of this process, that shows any position of its game."""

    def __init__(
        self, app: Any, tables: TableService, game: str, values: Values, seats: int
    ) -> None:
        self.app, self.tables = app, tables
        cookies = {}
        for name in NAMES[:seats]:
            cookie = secrets.token_urlsafe(16)
            hashed = hashlib.sha256(cookie.encode()).hexdigest()
            cookies[players.player(tables, hashed, name)[0]] = cookie
        host, *others = cookies
        options = GAMES[game].options(**values)
        self.code = lobby.open(tables, game, options, host, NAMES[0])
        for player, name in zip(others, NAMES[1:], strict=False):
            lobby.sit(tables, self.code, player, name)
        start_match.start(tables, self.code, host)
        self.table = tables.get(self.code).table
        self.keys = [cookies[self.table.occupant(seat).player] for seat in range(seats)]

    def bring(self, sight: Sight, beside: Beside) -> None:
        """Put the table into a position, with an additional element."""

        def work(transaction: Any) -> None:
            table = transaction.table
            table.hints, table.paused, table.vote, table.back = Hints.ALL, False, None, {}
            for _, occupant in table.sitting():
                occupant.stand_in, occupant.done, occupant.hint = False, [], None
            transaction.take(sight.state, sight.events)
            beside.put(table, sight.seat, sight)

        self.tables.change(self.code, work)

    def part(self, seat: Seat, language: str) -> str:
        """Return a refresh of the page of that seat."""
        return self._got(f"/t/{self.code}/view", seat, language)

    def page(self, seat: Seat) -> str:
        """Return the whole page of a seat."""
        return self._got(f"/t/{self.code}", seat, LANGUAGES[0])

    def _got(self, path: str, seat: Seat, language: str) -> str:
        headers = {"Cookie": f"kb={self.keys[seat]}", "Accept-Language": language}
        answer = self.app.test_client(use_cookies=False).get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.text


@pytest.fixture(scope="module")
def rooms(one_app, migrated_sqlite):
    """A function that opens a table of a game for people."""
    with folder_in_memory() as folder:
        file = folder / "kaboom.sqlite3"
        shutil.copy(migrated_sqlite, file)
        with served(one_app, f"sqlite:///{file}") as tables:
            yield lambda *more: Room(one_app, tables, *more)


@pytest.fixture(scope="module")
def screens(chromium, server):
    """A phone's and a laptop's window, each with a function that shows a whole page in it."""
    people = [Person(chromium, server.url, width=width, height=height) for width, height in SIZES]
    yield [visitor.page for visitor in people]
    for visitor in people:
        visitor.close()


def shown(page: Any, html: str) -> None:
    """Show a page that was not sent by the server; its files come from the server, except scripts,
    which would send requests.
    """
    html = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
    page.route("**/t/*", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("/t/anywhere")
    page.unroute("**/t/*")
    for sheet in ("extras", "ending", "note"):  # loaded with their elements, in time
        page.add_style_tag(url=f"/static/table_page/{sheet}.css")


def looked_at(number: int) -> list[tuple[Beside, str]]:
    """Return the additional elements and the languages for the sight with that number. `make test`
    takes one language without and the next with one element; by turns the former is shown on the
    phone and the latter on the laptop, or the reverse.
    """
    if LONG:
        return [(it, language) for it in BESIDE for language in LANGUAGES]
    first, *others = BESIDE
    turn = number + number // len(LANGUAGES)  # so that each element meets each language
    looks = [
        (first, LANGUAGES[number % len(LANGUAGES)]),
        (others[turn % len(others)], LANGUAGES[(number + 1) % len(LANGUAGES)]),
    ]
    return looks[:: -1 if number % 2 else 1]


def news(found: list[Sight]) -> list[Sight]:
    """Return the sights with a text, or with possible actions for so many players, that no earlier
    one has; all of them if LONG.
    """
    known: set[Any] = set()
    new = []
    for sight in found:
        its = {sight.kind.said, (sight.kind.verbs, sight.kind.seats)}
        if LONG or not its <= known:
            new.append(sight)
        known |= its
    return new


def position(room: Room, sight: Sight, beside: Beside, language: str) -> tuple[str, str]:
    """Return the part of a page that shows a sight with an additional element, and its language."""
    room.bring(sight, beside)
    return room.part(sight.seat, language), language


@pytest.mark.parametrize("game", GAMES)
def test_every_offer_can_be_pressed_on_a_phone_and_laptop(game, rooms, screens):
    every = sights(game)
    found = news(every)
    assert {verb for it in found for verb in it.kind.verbs} == verbs_of(GAMES[game])
    wrong = {}
    for values, seats, together in by_table(found):
        room = rooms(game, values, seats)
        for page in screens:
            shown(page, room.page(0))
        looks = [(it, *look) for it in together for look in looked_at(every.index(it))]
        for n in range(0, len(looks), AT_ONCE):
            now = looks[n : n + AT_ONCE]
            positions = [position(room, *look) for look in now]
            for turn, (page, size) in enumerate(zip(screens, SIZES, strict=True)):
                own = slice(None) if LONG else slice(turn, None, len(SIZES))
                found_there = page.evaluate(WRONG, positions[own])
                for look, seen in zip(now[own], found_there, strict=True):
                    if seen:
                        sight, beside, language = look
                        wrong[f"{sight.kind}, {beside.name}, {language}, {size[0]}"] = seen
    assert not wrong, "\n".join(f"{where}: {what}" for where, what in wrong.items())
