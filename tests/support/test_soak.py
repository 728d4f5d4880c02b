"""Everything that `make test` samples runs in full in `make soak`."""

import os
import re
import time

import pytest

from tests.support import soak
from tests.support.sampling import THIN
from tests.support.server import ROOT
from tests.support.soak import BROKEN_OFF, FAILED, PARTS, PASSED, Part, files_of, once

COUNTS = re.compile(r"from tests\.support\.effort import .*\b(LONG|often|some)\b")


def test_paths_of_make_soak_exist():
    assert all((ROOT / path).exists() for part in PARTS for path in part.tests)


def test_every_long_form_runs_in_make_soak():
    """At once, or from `NIGHT` minutes on; below that its share of the time goes to new seeds."""
    longer = [part for part in PARTS if part.long or part.settings.get("KABOOM_LONG")]
    told = [ROOT / path for part in longer for path in part.tests]
    files = (ROOT / "tests").rglob("test_*.py")
    counting = [file for file in files if COUNTS.search(file.read_text(encoding="utf-8"))]
    assert len(counting) > 30
    assert not [file for file in counting if not any(map(file.is_relative_to, told))]


@pytest.mark.parametrize(("minutes", "night"), [(90, None), (240, "1")])
def test_number_of_games_grows_in_a_nightly_run(minutes, night, monkeypatch):
    monkeypatch.setattr(soak, "PARTS", [])
    monkeypatch.delenv("KABOOM_NIGHT", raising=False)
    assert soak.main(minutes) == 0
    assert os.environ.get("KABOOM_NIGHT") == night


def test_everything_sampled_runs_in_full_in_make_soak():
    longer = [part for part in PARTS if part.long or part.settings.get("KABOOM_LONG")]
    files = {file for part in longer for path in part.tests for file in files_of(path)}
    for thin in THIN:
        path, _, test = thin.path.partition("::")
        assert (ROOT / path).exists(), path
        assert set(files_of(path)) <= files, f"make soak never runs {path} in full"
        assert f"def {test}" in (ROOT / path).read_text(encoding="utf-8") if test else True


def test_soak_parts_share_all_of_the_minutes():
    assert sum(part.share for part in PARTS) == pytest.approx(1)


@pytest.mark.parametrize(
    ("what", "answer"),
    [("pass", PASSED), ("1 / 0", FAILED), ("import time; time.sleep(60)", BROKEN_OFF)],
)
def test_soak_part_over_its_time_is_cut_off(what, answer, capsys):
    began = time.monotonic()
    part = Part("anything", 0.1, [], by=("timeit", "-n", "1", "-r", "1"))
    assert once(part, [what], left=2) == answer
    assert time.monotonic() - began < 30
    assert ("Again: KABOOM_SEED=" in capsys.readouterr().out) == (answer == FAILED)
