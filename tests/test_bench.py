"""What `make bench` measures without a server can be measured."""

from bench import long


def test_late_moves_and_many_tables_are_compared(tmp_path, monkeypatch):
    for name, small in {"EARLY": 12, "LATE": 20, "AROUND": 4, "TABLES": 3}.items():
        monkeypatch.setattr(long, name, small)
    rows = long.rows(tmp_path)
    assert [row.name for row in rows] == [
        "move 20, × move 12",
        "a move among 3 open tables, × alone",
    ]
    assert all("ms" in row.figure for row in rows)
