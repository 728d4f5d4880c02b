"""A table's log: what each viewer heard, numbered for each alone."""

import pytest
from msgspec import Raw

from kaboom.core.bot import Level
from kaboom.core.codec import from_json, to_json
from kaboom.core.play import Event
from kaboom.games import GAMES
from kaboom.tables.around import AROUND
from kaboom.tables.position import Position
from kaboom.tables.table import LOG_LINES, Chair, Said, Table, Timer, Vote


def table_of_two():
    return Table(chairs=[Chair("Ann", 1), Chair("Ben", 2)], options=Raw(b"{}"), host=1)


def told(kind, to=None):
    return [Event(f"table.{kind}", {}, to)]


def test_each_viewers_lines_are_numbered_from_one_whispers_among_them():
    table = table_of_two()
    for events in (told("shuffled"), told("paused", 0), told("over"), told("stopped", 0)):
        table.hear(events, AROUND)
    heard = {viewer: [(n, said.kind) for n, said in table.lines(viewer)] for viewer in (0, 1, None)}
    everybody = [(1, "table.shuffled"), (2, "table.over")]
    assert heard[1] == heard[None] == everybody
    assert [number for number, _ in heard[0]] == [1, 2, 3, 4]
    assert heard[0][1] == (2, "table.paused")


def test_the_last_lines_are_kept_under_their_numbers():
    table = table_of_two()
    for _ in range(LOG_LINES):
        table.hear(told("shuffled"), AROUND)
        table.hear(told("paused", 0), AROUND)
    numbers = [number for number, _ in table.lines(0)]
    assert numbers == list(range(LOG_LINES + 1, 2 * LOG_LINES + 1))
    assert [number for number, _ in table.lines(1)] == list(range(1, LOG_LINES + 1))


@pytest.mark.parametrize(
    ("made", "so"),
    [
        (
            Table([], Raw(b"{}"), 1),
            {
                "host": 1,
                "audience": True,
                "pace": "natural",
                "banter": True,
                "hints": "alone",
                "programs": "private",
            },
        ),
        (Chair("Ann"), {"name": "Ann", "present": True, "level": "normal"}),
        (Timer(5.0), {"given": 5.0}),
        (Said(1, "dealt", Raw(b"{}")), {"order": 1, "kind": "dealt"}),
        (
            Vote(1, "end", 1, [1], 9.0, 8.0, 7.0),
            {"number": 1, "about": "end", "by": 1, "yes": [1], "until": 9, "hold": 8, "look": 7},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_was_not_said_of_something_new_is_not_so(made, so):
    """Tables that were stored before a field existed are read with its default."""
    fields = from_json(to_json(made), dict)
    assert {name: value for name, value in fields.items() if value} == so


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("name", "Bob"),
        ("player", None),
        ("level", Level.HARD),
        ("ready", True),
        ("present", False),
        ("stand_in", True),
        ("program", True),
    ],
)
def test_everybody_sees_a_chair_change(what, value):
    table = Table([Chair("Ann", 1), Chair("Ben", 2)], Raw(b"{}"), 1)
    nothing = Position(GAMES["gops"], None, 0)
    table.note_views(nothing)
    before = dict(table.revisions)
    table.note_views(nothing)
    assert table.revisions == before
    setattr(table.chairs[1], what, value)
    table.note_views(nothing)
    assert all(table.revisions[viewer] > before[viewer] for viewer in table.viewers())
