"""A correspondence match, played by two guests in w3m with a controllable clock."""

import re
from contextlib import contextmanager
from threading import Thread

import pytest
from werkzeug.serving import make_server

from kaboom.db.times import DAY
from tests.text_browsers import people


@contextmanager
def over_http(app):
    """Serve an application whose days pass under the test's control; a separate server has a real
    clock.
    """
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def days(fake_clock, service):
    """A function that lets days pass and runs what is due."""

    def go_by(number):
        fake_clock.sleep(number * DAY)
        for code in service.database.read(codes):
            while service.run_due(code):
                pass

    return go_by


def codes(connection):
    return list(connection.exec_driver_sql("SELECT code FROM tables").scalars())


def turns(one):
    """Open the turn list, like a player who returns after a day."""
    one.press(one.find("^Kaboom"))
    one.press(one.find("^Your profile"))
    one.press(one.find("^Your turns"))


def bid(one):
    """Go from the turn list to the table, and bid."""
    turns(one)
    one.press(one.find("^GOPS "))
    people.tick_and_send(one, "gops")


def test_two_guests_play_by_correspondence(app, browser, days, tmp_path):
    with over_http(app) as url:
        ann, ben = (browser("w3m", tmp_path / name, url) for name in ("ann", "ben"))
        ann.press(ann.find("^Options for GOPS"))
        ann.type("Your name", "Ann")
        ann.choose("Pace", "correspondence: 2 days")
        ann.press(ann.find("^Start a table"))
        assert "each player has 2 days for each decision" in ann.text, ann.report()
        ben.type("Code or link", re.search(r"GOPS table (\w{8})", ann.text)[1])
        ben.press(ben.find("^Join$"))
        ben.type("Your name", "Ben")
        ben.press(ben.find("^Sit down|^Join"))
        ben.press(ben.find("^I am ready"))
        days(1)
        ann.press(ann.find("^Kaboom"))
        ann.press(ann.find("^GOPS "))  # listed among her tables
        ann.press(ann.find("^Start the match"))
        # Each bids at their own time; they need not be present together.
        people.tick_and_send(ann, "gops")
        assert "Waiting for Ben" in ann.text, ann.report()
        days(1)
        turns(ben)
        assert "24 hours left" in ben.text, ben.report()
        bid(ben)
        assert "Round 2 of 13" in ben.text, ben.report()
        days(1)
        bid(ann)
        turns(ann)
        assert "No table is waiting for you" in ann.text, ann.report()
        days(2)
        turns(ben)
        ben.press(ben.find("^GOPS "))
        for said in ("Done on your behalf:", "Ben ran out of time", "Round 3 of 13"):
            assert said in ben.text, ben.report()
        assert ben.find("^Secure your account"), "a guest may keep it but need not"
        people.tick_and_send(ben, "gops")
        # A player who is away for longer announces it, and the match waits.
        turns(ann)
        ann.press(ann.find("^Vacation"))
        ann.type("Days", "3")
        ann.press(ann.find("^Go on vacation"))
        days(2.9)
        turns(ben)
        assert "waiting for Ann" in ben.text, ben.report()
        days(1)
        bid(ann)
        assert "Done on your behalf" not in ann.text and "Round 4 of 13" in ann.text, ann.report()
        # One player's proposal appears in the other's turn list.
        ben.press(ben.find("^GOPS "))
        ben.press(ben.find("^Pause, leave"))
        ben.press(ben.find("^Propose ending it"))
        days(1)
        turns(ann)
        votes = ann.text.split("Votes waiting for your answer")[1]
        assert "Ben proposes ending the match without a result. 24 hours left" in votes, (
            ann.report()
        )
        ann.press([it for it in ann.spots() if it.words.startswith("GOPS ")][-1])
        ann.press(ann.find("^Agree"))
        assert "The seed: " in ann.text, ann.report()
