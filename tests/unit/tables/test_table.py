"""A table's log: what each viewer heard, numbered for each alone."""

from msgspec import Raw

from kaboom.core.play import Event
from kaboom.tables.table import AROUND, LOG_LINES, Chair, Table


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
