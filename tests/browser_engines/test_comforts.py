"""Firefox and WebKitGTK as people set them, and as their lines and machines treat them.

All of it with KABOOM_LONG=1.
"""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.browser.stage import all_ready, pass_turn
from tests.browser_engines.desktop import wait_until
from tests.browser_engines.somebody import Somebody
from tests.browser_engines.test_engines import BUTTON, PEOPLE, in_the_dark, sit, without_motion
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
def test_webkit_in_the_dark_and_without_motion(desktop, house, playing):
    """It asks the desktop; it knows no forced colours."""
    settings = Path(desktop.environment["XDG_CONFIG_HOME"])
    for version in ("gtk-3.0", "gtk-4.0"):
        (settings / version).mkdir(exist_ok=True)
        (settings / version / "settings.ini").write_text(
            "[Settings]\ngtk-application-prefer-dark-theme=1\ngtk-enable-animations=0\n"
        )
    desktop.environment["GTK_THEME"] = "Adwaita:dark"
    somebody = Somebody("webkit", open_webkit(desktop), house.url)
    try:
        sit(somebody, playing)
        somebody.size(1366, 650)
        in_the_dark(somebody)
        without_motion(somebody, playing)
    finally:
        somebody.close()
        del desktop.environment["GTK_THEME"]
        for version in ("gtk-3.0", "gtk-4.0"):
            (settings / version / "settings.ini").unlink()


@in_the_long_runs
def test_a_tunnel_is_said_and_caught_up_with(somebody, playing, house):
    """Nothing comes and nothing fails: after 25 seconds of silence the page says so."""
    with Line(house.port, speed=1_000_000, delay=0.02, loss=0) as line:
        passenger = Somebody(somebody.engine, somebody.client, line.url)
        sit(passenger, playing)
        time.sleep(1)  # the stream has come
        line.enter_tunnel()
        pass_turn(playing)
        passenger.until("return document.getElementById('net').textContent.length", seconds=40)
        line.leave_tunnel()
        passenger.caught_up(playing, seconds=30)
        assert passenger.run("return document.getElementById('net').textContent") == ""


def pages_of(desktop):
    """Return the processes in which this desktop's browsers show pages."""
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
def test_a_page_that_slept_catches_up(somebody, playing, desktop, seconds):
    """Its process is stopped, as a telephone does with what nobody looks at."""
    sit(somebody, playing)
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
    somebody.caught_up(playing, seconds=20)


@in_the_long_runs
def test_two_windows_of_one_person_at_one_table(somebody, playing):
    """What is pressed in one is shown in the other; an old button there plays nothing."""
    sit(somebody, playing)
    first, second, switch = somebody.opens_another("window")
    somebody.go(playing.path)
    somebody.caught_up(playing)
    somebody.run("document.querySelector('#stream').remove()")  # it hears nothing any more
    switch(first)
    before = playing.look().table.seq
    somebody.click(BUTTON.format("draw"))
    wait_until(lambda: playing.look().table.seq > before, 10, "nothing was drawn")
    somebody.caught_up(playing)
    before = playing.look().table.seq
    switch(second)
    if somebody.has(BUTTON.format("draw")):
        somebody.click(BUTTON.format("draw"))
    somebody.caught_up(playing)
    assert playing.look().table.seq == before
    somebody.client.close()
    switch(first)
    somebody.caught_up(playing)
