"""Firefox and WebKitGTK with users' preferences, and with bad connections and suspended machines.

`make test` runs some of the cases, KABOOM_LONG=1 all.
"""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.browser.stage import all_ready, pass_turn
from tests.browser_engines.desktop import wait_until
from tests.browser_engines.test_engines import BUTTON, PEOPLE, in_the_dark, sit, without_motion
from tests.browser_engines.visitor import Visitor
from tests.browser_engines.webkit import open_webkit
from tests.support.slow_network import Line

in_the_long_runs = pytest.mark.nightly  # in the long runs


@pytest.fixture
def playing(stage):
    """Kaboom among three; seat 0 is on turn."""
    match = stage.begun(*PEOPLE[:3], rounds=2)
    all_ready(match)
    return match


@in_the_long_runs
def test_webkit_follows_dark_mode_and_reduced_motion(desktop, house, playing):
    """WebKit takes the preference from the desktop; it does not support forced colours."""
    settings = Path(desktop.environment["XDG_CONFIG_HOME"])
    for version in ("gtk-3.0", "gtk-4.0"):
        (settings / version).mkdir(exist_ok=True)
        (settings / version / "settings.ini").write_text(
            "[Settings]\ngtk-application-prefer-dark-theme=1\ngtk-enable-animations=0\n"
        )
    desktop.environment["GTK_THEME"] = "Adwaita:dark"
    visitor = Visitor("webkit", open_webkit(desktop), house.url)
    try:
        sit(visitor, playing)
        visitor.size(1366, 650)
        in_the_dark(visitor)
        without_motion(visitor, playing)
    finally:
        visitor.close()
        del desktop.environment["GTK_THEME"]
        for version in ("gtk-3.0", "gtk-4.0"):
            (settings / version / "settings.ini").unlink()


@in_the_long_runs
def test_lost_connection_is_shown_and_the_page_catches_up(visitor, playing, house):
    """The stream falls silent without failing; after 25 seconds the page says so."""
    with Line(house.port, speed=1_000_000, delay=0.02, loss=0) as line:
        passenger = Visitor(visitor.engine, visitor.client, line.url)
        sit(passenger, playing)
        time.sleep(1)  # the stream is open
        line.enter_tunnel()
        pass_turn(playing)
        passenger.until("return document.getElementById('net').textContent.length", seconds=40)
        line.leave_tunnel()
        passenger.caught_up(playing, seconds=30)
        assert passenger.run("return document.getElementById('net').textContent") == ""


def pages_of(desktop):
    """Return the processes that render pages in this desktop's browsers."""
    parents = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(process.name)] = int(
                (process / "stat").read_text().split(") ")[1].split()[1]
            )
        except OSError:  # it has just ended
            continue

    def ours(process):
        started = {program.pid for program in desktop.programs}
        while process in parents and process not in started:
            process = parents[process]
        return process in started

    def shows_pages(process):
        command = (Path("/proc") / str(process) / "cmdline").read_bytes()
        return b"WebKitWebProcess" in command or (b"-contentproc" in command and b"tab" in command)

    return [process for process in parents if ours(process) and shows_pages(process)]


@in_the_long_runs
@pytest.mark.parametrize("seconds", [3, 60])
def test_a_page_that_slept_catches_up(visitor, playing, desktop, seconds):
    """Its process is stopped, like a page in the background of a phone."""
    sit(visitor, playing)
    asleep = pages_of(desktop)
    assert asleep
    for process in asleep:
        os.kill(process, signal.SIGSTOP)
    try:
        time.sleep(seconds / 2)
        pass_turn(playing)
        pass_turn(playing)
        time.sleep(seconds / 2)
    finally:
        for process in asleep:
            os.kill(process, signal.SIGCONT)
    visitor.caught_up(playing, seconds=20)


@in_the_long_runs
def test_press_in_one_window_is_shown_in_the_other(visitor, playing):
    """A press in one is shown in the other; an outdated button there has no effect."""
    sit(visitor, playing)
    first, second, switch = visitor.opens_another("window")
    visitor.go(playing.path)
    visitor.caught_up(playing)
    visitor.run("document.querySelector('#stream').remove()")  # it receives nothing any more
    switch(first)
    before = playing.get().table.seq
    visitor.click(BUTTON.format("draw"))
    wait_until(lambda: playing.get().table.seq > before, 10, "nothing was drawn")
    visitor.caught_up(playing)
    before = playing.get().table.seq
    switch(second)
    if visitor.has(BUTTON.format("draw")):
        visitor.click(BUTTON.format("draw"))
    visitor.caught_up(playing)
    assert playing.get().table.seq == before
    visitor.client.close()
    switch(first)
    visitor.caught_up(playing)
