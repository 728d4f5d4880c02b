"""A table's log: each viewer's lines, numbered separately."""

import pytest
from msgspec import Raw

from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.play import Event
from kaboom.games import GAMES
from kaboom.tables.position import Position
from kaboom.tables.table import (
    LOG_LINES,
    Back,
    Done,
    Hint,
    Hints,
    Occupant,
    PlannedMove,
    Said,
    Table,
    Timer,
    Vote,
    Welcome,
)
from kaboom.tables.texts import AROUND


def table_of_two():
    return Table(chairs=[Occupant("Ann", 1), Occupant("Ben", 2)], options=Raw(b"{}"), host=1)


def told(kind, to=None):
    return [Event(f"table.{kind}", {}, to)]


def test_viewers_lines_are_numbered_from_one_with_private_ones():
    table = table_of_two()
    for events in (told("shuffled"), told("paused", 0), told("over"), told("stopped", 0)):
        table.hear(events, AROUND)
    heard = {viewer: [(n, said.kind) for n, said in table.lines(viewer)] for viewer in (0, 1, None)}
    public = [(1, "table.shuffled"), (2, "table.over")]
    assert heard[1] == heard[None] == public
    assert [number for number, _ in heard[0]] == [1, 2, 3, 4]
    assert heard[0][1] == (2, "table.paused")


def test_log_keeps_the_last_lines_with_their_numbers():
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
        (Occupant("Ann"), {"name": "Ann", "present": True, "level": "normal"}),
        (Timer(5.0), {"given": 5.0}),
        (Said(1, "dealt", Raw(b"{}")), {"order": 1, "kind": "dealt"}),
        (
            Vote(1, "end", 1, [1], 9.0, 8.0, 7.0),
            {"number": 1, "about": "end", "by": 1, "yes": [1], "until": 9, "hold": 8, "look": 7},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_unset_fields_of_new_objects_are_false(made, so):
    """A table stored before a field existed is read with the default."""
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
def test_chair_change_is_announced_to_all(what, value):
    table = Table([Occupant("Ann", 1), Occupant("Ben", 2)], Raw(b"{}"), 1)
    nothing = Position(GAMES["gops"], None, 0)
    table.note_views(nothing)
    before = dict(table.revisions)
    table.note_views(nothing)
    assert table.revisions == before
    setattr(table.chairs[1], what, value)
    table.note_views(nothing)
    assert all(table.revisions[viewer] > before[viewer] for viewer in table.viewers())


@pytest.mark.parametrize(
    ("what", "value", "who"),
    [
        ("plans", {0: PlannedMove("bid", ("9C",), "tttt")}, ["0"]),
        ("back", {0: [Back(4, Done("bid"))]}, ["0"]),
        ("timers", {"days 0 q": Timer(9.0, due=5.0)}, ["0"]),
        ("timers", {"lapse": Timer(9.0, due=5.0)}, ["0", "1", "s"]),
        ("timers", {"bot 1 x": Timer(9.0, due=5.0)}, []),
        ("nudged", {1: 7}, ["0", "1", "s"]),
        ("heard", {"1": 3}, ["1"]),
        ("heard", {"s": 3}, ["s"]),
        ("covered", {0: 7}, []),
        ("paused", True, ["0", "1", "s"]),
    ],
)
def test_only_viewers_whose_view_changed_get_a_new_revision(what, value, who):
    table = Table([Occupant("Ann", 1), Occupant("Ben", 2)], Raw(b"{}"), 1, days=2)
    nothing = Position(GAMES["gops"], None, 0)
    table.note_views(nothing)
    before = dict(table.revisions)
    setattr(table, what, value)
    table.note_views(nothing)
    assert [viewer for viewer in table.viewers() if table.revisions[viewer] > before[viewer]] == who


@pytest.mark.parametrize(("what", "value"), [("cut", "xyz"), ("hint", Hint("q", Done("bid")))])
def test_cut_and_hint_are_private(what, value):
    table = table_of_two()
    nothing = Position(GAMES["gops"], None, 0)
    table.note_views(nothing)
    setattr(table.chairs[1], what, value)
    table.note_views(nothing)
    assert [table.revisions[viewer] for viewer in ("0", "1", "s")] == [1, 2, 1]


def test_revisions_of_different_viewers_differ():
    table = Table([Occupant("Ann", 1)] * 9, Raw(b"{}"), 1)
    numbers = []
    for n in range(3):
        table.revisions = dict.fromkeys(table.viewers(), n)
        numbers += [table.revision(seat) for seat in [*range(9), None]]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize(
    ("hints", "other", "rated", "playing", "may"),
    [
        (Hints.ALL, Occupant("Ben", 2), False, True, True),
        (Hints.ALONE, Occupant("Ben", 2), False, True, False),
        (Hints.ALONE, Occupant("Bot"), False, True, True),
        (Hints.NONE, Occupant("Bot"), False, True, False),
        (Hints.ALL, Occupant("Ben", 2), True, True, False),
        (Hints.ALL, Occupant("Ben", 2), True, False, True),
    ],
)
def test_hint_needs_the_hosts_permission_and_an_unrated_match(hints, other, rated, playing, may):
    table = Table([Occupant("Ann", 1), other, None], Raw(b"{}"), 1, hints=hints, rated=rated)
    table.playing = playing
    assert table.may_ask_hint() is may


@pytest.mark.parametrize(
    ("programs", "listed", "welcome"),
    [
        (Welcome.ALWAYS, True, True),
        (Welcome.ALWAYS, False, True),
        (Welcome.PRIVATE, True, False),
        (Welcome.PRIVATE, False, True),
        (Welcome.NEVER, False, False),
    ],
)
def test_player_bots_are_welcome_if_the_table_setting_allows(programs, listed, welcome):
    table = Table([Occupant("Ann", 1)], Raw(b"{}"), 1, programs=programs)
    assert table.welcomes_programs(listed) is welcome


def test_bot_for_a_person_plays_normally_whatever_the_old_level():
    chairs = [Occupant("Ann", 1, level=Level.HARD), Occupant("Bot", level=Level.HARD)]
    table = Table(chairs, Raw(b"{}"), 1)
    assert [table.level(seat) for seat in range(2)] == [Level.NORMAL, Level.HARD]
