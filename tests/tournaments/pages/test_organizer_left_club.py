"""The organiser of a club's tournament keeps running it after leaving the club."""

import re

from kaboom.tournaments.changes import get_tournament
from tests.social.clubs.test_routes import begun, joined, link_of
from tests.tournaments.pages.test_routes import press


def test_former_member_runs_the_tournament_unseen_by_strangers(browser, service):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    ben.open(f"/tournaments/new?game=gops&club={club.removeprefix('/clubs/')}")
    ben.send(ben.page.form("/tournaments"), name="Cup", who="Ben")
    path = re.search(r"/tournaments/[A-Z0-9]{8}", ben.page.forms[0].action)[0]
    for person in (ann, joined(browser, link_of(ann, club), "Cleo")):
        person.open(path)
        press(person, "enter")
    ben.open(f"{club}/settings")
    ben.send(ben.page.form("/leave"), ticked=[("sure", "1")])
    ben.open(f"{path}/manage")
    assert ben.status == 200
    press(ben, "begin")
    assert get_tournament(service, path[13:]).of.begun
    press(ben, "end", why="The club is closed")
    assert get_tournament(service, path[13:]).of.ended
    stranger = browser()
    for address in (path, f"{path}/manage"):
        stranger.open(address)
        assert stranger.status == 403
