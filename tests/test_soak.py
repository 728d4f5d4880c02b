"""What the gate tries a little of, `make soak` tries in full."""

import re

from tests.server import ROOT
from tests.soak import PARTS

COUNTS = re.compile(r"from tests\.counts import .*\b(LONG|often|some)\b")


def test_what_make_soak_runs_is_there():
    assert all((ROOT / path).exists() for part in PARTS for path in part.tests)


def test_whatever_has_a_long_form_is_run_in_it():
    """At once, or from `NIGHT` minutes on: until then its share of the time goes to new seeds."""
    longer = [part for part in PARTS if part.long or part.settings.get("KABOOM_LONG")]
    told = [ROOT / path for part in longer for path in part.tests]
    files = (ROOT / "tests").rglob("test_*.py")
    counting = [file for file in files if COUNTS.search(file.read_text(encoding="utf-8"))]
    assert len(counting) > 30
    assert not [file for file in counting if not any(map(file.is_relative_to, told))]
