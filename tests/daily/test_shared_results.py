"""Identical results of a daily deal give identical texts to share."""

import re

from sqlalchemy import select

from kaboom.accounts import players
from kaboom.daily import service as daily
from kaboom.daily.service import label_of
from kaboom.tables.models import board_tries
from kaboom.tables.shared_deals import queries as store
from tests.daily.test_routes import code_of
from tests.daily.test_service import NOON, TODAY


def shared(person, language):
    answer = person.client.get("/daily", headers={"Accept-Language": language})
    return re.search(r"<blockquote dir=\"auto\">(.*?)</blockquote>", answer.text, re.S)[1]


def test_percentile_is_the_same_for_identical_results(browser, service, fake_clock):
    fake_clock.time = NOON
    daily.promise_ahead(service)
    people, label = [browser(), browser(), browser()], label_of(TODAY)
    results = dict(zip(people, (20, 20, 30), strict=True))
    codes = {}
    for person in people:
        person.open("/daily")
        person.press("Play today’s deal")
        person.open("/daily")
        codes[code_of(person)] = results[person]
    others = [players.player(service, f"key of {n}", f"P{n}")[0] for n in range(17)]

    def end_all(connection):
        for player, code in connection.execute(
            select(board_tries.c.player_id, board_tries.c.code)
        ).all():
            store.end_try(connection, label, player, code, codes[code])
        for n, player in enumerate(others):
            store.add_try(connection, label, player, f"T{n}")
            store.end_try(connection, label, player, f"T{n}", 10 if n < 12 else 30)

    service.database.write(end_all)
    said = {language: [shared(it, language) for it in people] for language in ("en", "sw", "fr")}
    for ann, ben, cleo in said.values():
        assert ann == ben != cleo
    assert said["en"][0].startswith("GOPS, daily deal for Nov 25, 2026: better than 63%<br>")
    assert "better than 73%<" in said["en"][2]
    assert all("63" in it[0] and "73" in it[2] for it in said.values())
