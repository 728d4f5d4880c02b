"""What `make bench` measures without a server can be measured."""

from bench import long, people, scale
from tests.server import ROOT


def test_late_moves_and_many_tables_are_compared(tmp_path, monkeypatch):
    for name, small in {"EARLY": 12, "LATE": 20, "AROUND": 4, "TABLES": 3}.items():
        monkeypatch.setattr(long, name, small)
    rows = long.rows(tmp_path)
    assert [row.name for row in rows] == [
        "move 20, × move 12",
        "a move among 3 open tables, × alone",
    ]
    assert all("ms" in row.figure for row in rows)


def test_pages_are_timed_in_a_store_of_many_people(sqlite_url, monkeypatch):
    monkeypatch.setattr(people, "ASKED", 1)
    rows = people.measured(sqlite_url, others=60, matches=90, own=5)
    assert [row.name.partition(":")[0] for row in rows][:2] == ["home", "own page"]
    assert len(rows) == 12


def test_more_installations_take_work_off_each():
    """The figures of docs/scale.md are those that the program prints."""
    one, ten = scale.Need(100_000, 1), scale.Need(100_000, 10)
    assert ten.each_deliveries < one.each_deliveries / 90
    assert ten.each_deliveries < scale.REDIS_DELIVERIES
    page = (ROOT / "docs/scale.md").read_text()
    cheap = [row for row in scale.ROWS if "simulated" not in row[0]]
    for name, figure in cheap:
        line = next(line for line in page.splitlines() if line.startswith(f"| {name} |"))
        assert line.endswith(f"| {figure(one)} | {figure(ten)} |")


def test_a_worker_that_hears_much_is_late():
    assert scale.simulated(30, 0.018, 0, 500) < scale.simulated(30, 0.018, 0.4, 500)
