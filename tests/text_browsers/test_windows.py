"""Graphical browsers without scripts, used by keyboard: Dillo, and links in graphics mode."""

import shutil
import time

import pytest

from kaboom.lobby.seat_transfer import service as seat_transfer
from tests.browser.conftest import own_stage
from tests.browser.stage import all_ready
from tests.browser_engines.desktop import Desktop, wait_until
from tests.conftest import missing
from tests.support.effort import LONG
from tests.support.html import Markup

DILLOS = "/usr/libexec/dillo"  # where Debian's package puts the browser's helper programs
CONTROLS = ("button", "input", "select", "textarea")


class Controls(Markup):
    """The texts of the elements of a page that the key moves through, in order."""

    def __init__(self, html, kinds):
        super().__init__()
        self.kinds, self.words, self.inside = kinds, [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag in self.kinds and dict(attrs).get("type") != "hidden":
            self.words.append("")
            self.inside = tag if tag in ("a", "button") else ""

    def handle_endtag(self, tag):
        if tag == self.inside:
            self.inside = ""

    def handle_data(self, data):
        if self.inside:
            self.words[-1] += data


class Dillo:
    """Tab moves through what can be filled in or pressed. A daemon keeps the cookies. It is started
    here, because otherwise it would still be starting when the first cookie arrives; it runs until
    it is stopped.
    """

    name, kinds, keys = "dillo", CONTROLS, ("Tab", "space")

    def open(self, desktop, url):
        home = desktop.folder / "home" / ".dillo"
        home.mkdir(exist_ok=True)
        (home / "cookiesrc").write_text("DEFAULT ACCEPT\n")
        desktop.start(f"{DILLOS}/dpid")
        wait_until((home / "dpid_comm_keys").is_file, 20, "the daemon of dillo")
        desktop.start("dillo", "-f", "-g", "1000x900+0+0", url)

    def close(self, desktop):
        desktop.run(f"{DILLOS}/dpidc", "stop")


class Links:
    """The arrow key also moves through links. The graphics mode is a separate package, links2."""

    name, kinds, keys = "links2", ("a", *CONTROLS), ("Down", "Return")

    def open(self, desktop, url):
        desktop.start("links2", "-g", "-mode", "1000x900", url)
        wait_until(lambda: desktop.run("xdotool", "search", "--name", "another device"), 20, url)
        time.sleep(0.5)
        desktop.press("Return")  # dismisses its welcome message

    def close(self, desktop):
        """Do nothing: it ends with its desktop."""


@pytest.fixture(params=[Dillo, Links] if LONG else [Dillo], ids=lambda kind: kind.name)
def browser(request):
    """One of these browsers, and the desktop to open it on."""
    for program in ("Xvfb", "openbox", "xdotool", request.param.name):
        if not shutil.which(program):
            missing(f"{program} (Debian's package)")
    desktop = Desktop(1000, 900)
    desktop.start("openbox", "--sm-disable")
    kind = request.param()
    yield kind, desktop
    kind.close(desktop)
    desktop.close()


@pytest.fixture(scope="module")
def stage():
    with own_stage() as stage:
        yield stage


def dealt(stage):
    match = stage.begun("Ann", "Ben")
    all_ready(match)
    return match


def test_a_turn_is_played_by_keyboard(browser, stage):
    """A player moves their seat to this browser by a link, draws a card and discards it."""
    kind, desktop = browser
    match, twin = dealt(stage), dealt(stage)  # same cards; its page is read
    secret = seat_transfer.new_transfer(stage.tables, match.code, match.players[0])
    address = f"{match.path}/carry/{secret}"
    on_the_way = stage.get(address)
    kind.open(desktop, f"http://127.0.0.1:{stage.port}{address}")
    shown = ("xdotool", "search", "--name", "another device")
    wait_until(lambda: desktop.run(*shown), 20, f"{kind.name} shows nothing")
    time.sleep(0.5)  # until it is drawn

    def press(html, words, arrived):
        reached = [it.strip() for it in Controls(html, kind.kinds).words].index(words)
        move, go = kind.keys
        desktop.press("Home", *[move] * (reached + 1), go)
        wait_until(arrived, 15, f"{words} was not pressed in {kind.name}")
        time.sleep(1.5)  # until the next page is drawn

    press(
        on_the_way,
        "Move the seat here",
        lambda: match.look().table.chairs[0].player != match.players[0],
    )
    desktop.press("ctrl+r")  # Dillo may ask for the next page before its daemon has the cookie
    time.sleep(1.5)
    for move, words in (("draw", "Draw a card"), ("discard", "Discard it")):
        before = match.look().table.seq
        html = stage.get(twin.path, twin.keys[0])
        press(html, words, lambda before=before: match.look().table.seq > before)
        twin.play(0, move)
    assert match.state.turn == twin.state.turn == 1
