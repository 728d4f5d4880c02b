"""What `make bench` measures without a server can be measured."""

from bench import long, people


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
