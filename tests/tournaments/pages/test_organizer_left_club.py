"""Whoever runs a tournament of a club runs it still when they are a member no more."""

import re

from kaboom.tournaments.changes import look
from tests.social.clubs.test_routes import begun, joined, link_of
from tests.tournaments.pages.test_routes import press


def test_they_let_it_begin_and_end_it_and_strangers_see_nothing(browser, service):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    ben.open(f"/e/new?game=gops&club={club.removeprefix('/c/')}")
    ben.send(ben.page.form("/e"), name="Cup", who="Ben")
    path = re.search(r"/e/[A-Z0-9]{8}", ben.page.forms[0].action)[0]
    for person in (ann, joined(browser, link_of(ann, club), "Cleo")):
        person.open(path)
        press(person, "enter")
    ben.open(f"{club}/settings")
    ben.send(ben.page.form("/leave"), ticked=[("sure", "1")])
    ben.open(f"{path}/run")
    assert ben.status == 200
    press(ben, "begin")
    assert look(service, path[3:]).of.begun
    press(ben, "end", why="The club is closed")
    assert look(service, path[3:]).of.ended
    stranger = browser()
    for address in (path, f"{path}/run"):
        stranger.open(address)
        assert stranger.status == 403
