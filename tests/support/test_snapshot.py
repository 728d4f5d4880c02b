"""Recorded text is compared, or written."""

import pytest

from tests.support.snapshot import Snapshot


def test_check_with_other_lines_fails_and_shows_them(tmp_path):
    file = tmp_path / "said.txt"
    file.write_text("one\ntwo\n")
    Snapshot(update=False).check(file, ["one", "two"])
    with pytest.raises(pytest.fail.Exception, match=r"(?s)-two\n\+three"):
        Snapshot(update=False).check(file, ["one", "three"])
    assert file.read_text() == "one\ntwo\n"


def test_check_without_a_file_fails(tmp_path):
    with pytest.raises(pytest.fail.Exception, match=r"\+one"):
        Snapshot(update=False).check(tmp_path / "none.txt", ["one"])


def test_check_in_update_mode_writes_the_file(tmp_path):
    file = tmp_path / "new" / "said.txt"
    Snapshot(update=True).check(file, ["one"])
    assert file.read_text() == "one\n"
    Snapshot(update=False).check(file, ["one"])
