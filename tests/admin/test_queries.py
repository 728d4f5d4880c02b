"""What the database counts for the host's pages, on both engines."""

import random

import pytest
from sqlalchemy import insert

from kaboom.admin import queries
from kaboom.admin.models import host_acts
from kaboom.admin.queries import Act
from kaboom.admin.texts import sentence_of_act
from kaboom.db.times import DAY

NOW = 1_800_000_000.0


def test_backups_are_counted_by_day(open_tables, store_url):
    stored = open_tables(store_url)
    rng = random.Random(51)
    made = [NOW - rng.random() * 20 * DAY for _ in range(60)]
    acts = [(at, "backup") for at in made] + [(NOW - 5.0, "note"), (NOW, "backup")]
    rows = [{"at": at, "host": "Hal", "act": act, "about": "", "why": ""} for at, act in acts]
    stored.database.write(lambda c: c.execute(insert(host_acts), rows))
    ended, saved = stored.database.read(lambda c: queries.by_day(c, NOW, 14))
    expected = [0] * 14
    for at in [it for it in made if it > NOW - 14 * DAY] + [NOW]:
        expected[13 - int((NOW - at) // DAY)] += 1
    assert saved == expected
    assert ended == [0] * 14


@pytest.mark.parametrize(
    ("act", "about", "name"),
    [
        ("out 3 days", "Ann (1) → Bob (7)", "Ann (1) → Bob"),
        ("warn", "TABLE 1 by Ann (7)", "TABLE 1 by Ann"),
        ("delete line", "TABLE 5 by Ann (1) → Bob (7)", "Ann (1) → Bob"),
        ("rename", "Ann (1) → Bob (7) → Cleo", "Ann (1) → Bob"),
    ],
)
def test_act_names_its_player_even_if_the_name_imitates_an_act(act, about, name):
    it = Act(NOW, "Hal", act, about, "why")
    assert it.player == 7
    (player,) = [part for part in sentence_of_act(it) if part.endpoint == "admin.person"]
    assert (player.text, player.values) == (name, {"number": 7})
