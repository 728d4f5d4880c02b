"""Players get ready, cut, and start a match."""

import pytest

from kaboom.errors import NotPermitted
from kaboom.tables import start_match
from tests.tables.test_service import opened, people


def test_while_the_host_is_away_another_may_start(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    tables.here.players = {ann, ben}
    with pytest.raises(NotPermitted):
        start_match.start(tables, code, ben)
    tables.here.players = {ben}
    (eve,) = people(tables, "Eve")
    with pytest.raises(NotPermitted):
        start_match.start(tables, code, eve)
    start_match.start(tables, code, ben)
    assert tables.get(code).table.playing


def test_missing_cut_is_generated(tables, fake_ids):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    fake_ids.cut = lambda: "by lot"
    for text, cut in (("mine", "mine"), (" ", "by lot"), ("", "by lot")):
        assert start_match.cut(tables, code, ann, text).table.chairs[0].cut == cut


def test_cut_updates_only_its_players_view(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    before = tables.get(code).table
    after = start_match.cut(tables, code, ann, "mine").table
    assert after.revision(0) > before.revision(0)
    for viewer in (1, None):
        assert after.revision(viewer) == before.revision(viewer)


def test_readiness_updates_every_viewer(tables):
    code, (_, ben) = opened(tables, "Ann", "Ben")
    before = tables.get(code).table
    after = start_match.ready(tables, code, ben).table
    for viewer in (0, 1, None):
        assert after.revision(viewer) > before.revision(viewer)
