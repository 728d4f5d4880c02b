"""The measurements and output of `make bench`, and the arithmetic of docs/scale.md."""

import random
import shutil
import subprocess

import pytest

from bench import rows, scale, waiting
from bench.browser import Browser
from bench.checkout import here, of_commit
from bench.compare import Interval, Task, ratio, rounds, table, verdict
from tests.support.server import ROOT

# A test repository's `make .venv/.play`: like ours, it does not install twice.
MAKEFILE = """.venv/.play:
\t@mkdir -p .venv && echo built >> .venv/.play
"""


@pytest.fixture
def repository(tmp_path):
    if not shutil.which("git"):
        pytest.skip("no git here")
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / "words.txt").write_text("first")
    git(folder, "init", "--quiet")
    for words in ("first", "second"):
        (folder / "words.txt").write_text(words)
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "--message", words)
    return folder


def git(folder, *words):
    us = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    subprocess.run(["git", "-C", folder, *us, *words], check=True)


# Statistics


def test_ratio_of_identical_rounds_is_exact():
    assert ratio([(3.0, 2.0)] * 8) == Interval(1.5, 1.5, 1.5)


def test_ratio_pairs_rounds_so_that_a_slow_hour_cancels_out():
    pairs = [(1.2 * load, load) for load in (1.0, 5.0, 2.0, 9.0, 1.5)]
    assert ratio(pairs).middle == pytest.approx(1.2)
    assert ratio(pairs).high == pytest.approx(1.2)


def test_ratio_is_robust_against_one_outlier():
    found = ratio([(1.0, 1.0)] * 14 + [(50.0, 1.0)])
    assert found == Interval(1.0, 1.0, 1.0)


@pytest.mark.slow
def test_ratio_interval_covers_the_truth_19_times_in_20():
    rng = random.Random(5)
    covered = 0
    for sample in range(100):
        pairs = [(1.3 * rng.lognormvariate(0, 0.1), 1.0) for _ in range(25)]
        found = ratio(pairs, seed=sample)
        covered += found.low <= 1.3 <= found.high
    assert 88 <= covered <= 100


@pytest.mark.parametrize(
    ("low", "high", "count", "said"),
    [
        (0.9, 1.1, 9, "ok"),
        (1.2, 1.4, 9, "NO"),
        (1.0, 1.3, 9, "unclear"),
        (0.9, 1.1, 4, "too few rounds"),
    ],
)
def test_verdict_follows_the_interval(low, high, count, said):
    assert verdict(Interval(1.0, low, high), count) == said


# Rounds


class Clock:
    """A clock that each measurement advances by a second."""

    def __init__(self):
        self.now = 0.0
        self.done = []

    def __call__(self):
        return self.now

    def measure(self, name, seconds=1.0):
        def measured():
            self.now += seconds
            self.done.append(name)
            return self.now

        return measured


def test_rounds_measure_the_two_sides_alternately():
    clock = Clock()
    task = Task("a move", [clock.measure("here"), clock.measure("base")])
    found = rounds([task], 12, clock)
    assert "".join(name[0] for name in clock.done[:8]) == "hbbhhbbh"
    assert len(found["a move"]) == 6
    assert found["a move"][0] == (1.0, 2.0)
    assert found["a move"][1] == (4.0, 3.0)


def test_rounds_skip_rows_that_take_too_long():
    clock = Clock()
    quick = Task("quick", [clock.measure("quick")])
    slow = Task("slow", [clock.measure("slow", 20)], every=4)
    found = rounds([quick, slow], 30, clock)
    assert len(found["slow"]) == 1
    assert len(found["quick"]) >= 10


def test_rounds_are_at_least_five():
    clock = Clock()
    assert len(rounds([Task("a move", [clock.measure("here")])], 0, clock)["a move"]) == 5


def test_table_is_aligned_markdown():
    assert table(["what", "ok?"], [["a move", "yes"]]) == (
        "| what   | ok? |\n| ------ | --- |\n| a move | yes |"
    )


# Checkouts and rows


def test_checkout_of_a_commit_is_made_once(repository, tmp_path):
    cache = tmp_path / "cache"
    first = of_commit("HEAD~1", repository, cache)
    assert (first.root / "words.txt").read_text() == "first"
    assert of_commit("HEAD~1", repository, cache) == first
    assert (first.root / ".venv/.play").read_text() == "built\n"
    second = of_commit("HEAD", repository, cache)
    assert (second.root / "words.txt").read_text() == "second"
    assert len(list(cache.iterdir())) == 2


def test_checkout_of_an_unknown_commit_leaves_nothing(repository, tmp_path):
    with pytest.raises(subprocess.CalledProcessError):
        of_commit("nothing", repository, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


@pytest.mark.e2e
def test_rows_run_against_this_checkout(tmp_path):
    stage = rows.Stage(here(), tmp_path)
    quick = [row for row in rows.ROWS if not row.heavy and row.measure is not rows.idle_stream]
    try:
        found = {row.name: row.measure(stage) for row in quick}
    finally:
        stage.close()
    assert all(value > 0 for value in found.values()), found


@pytest.mark.e2e
def test_spectators_are_shown_moves_in_their_row(tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "CROWD", 3)
    assert rows.spectators(rows.Stage(here(), tmp_path)) > 0


@pytest.mark.e2e
def test_evening_of_four_tables_has_views_and_no_errors(tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "SETTLING", 1.0)
    monkeypatch.setattr(rows, "EVENING", 16.0)
    with here().serve(tmp_path) as server:
        assert 0 < rows.evening(server, 4) < 30_000


def test_browser_shows_the_revision_of_a_page():
    browser = Browser(1, "/t/TABLE")
    browser.show('<input type="hidden" id="ver" name="v" value="7"><div hx-get="/t/TABLE/view">')
    assert browser.seen == 7
    browser.show("a refusal without a number")
    assert browser.seen == 7


# The arithmetic of docs/scale.md


def test_scale_ten_installations_deliver_under_a_90th_each():
    one, ten = scale.Need(100_000, 1), scale.Need(100_000, 10)
    assert ten.each_deliveries < one.each_deliveries / 90
    assert ten.each_deliveries < scale.REDIS_DELIVERIES


def test_scale_document_has_the_figures_that_are_printed():
    one, ten = scale.Need(100_000, 1), scale.Need(100_000, 10)
    page = (ROOT / "docs/scale.md").read_text()
    cheap = [row for row in scale.ROWS if "simulated" not in row[0]]
    for name, figure in cheap:
        line = next(line for line in page.splitlines() if line.startswith(f"| {name} |"))
        assert line.endswith(f"| {figure(one)} | {figure(ten)} |")


def test_scale_worker_with_many_messages_is_late():
    assert scale.simulated(30, 0.018, 0, 500) < scale.simulated(30, 0.018, 0.4, 500)


# Waiting times of players


def test_share_of_seated_players_grows_with_their_number():
    few, many = waiting.waits(100), waiting.waits(2_000)
    assert sum(it.seated for it in few) / 100 < 0.5 < sum(it.seated for it in many) / 2_000


def test_simulated_day_ends_every_wait():
    found = waiting.waits(2_000)
    assert len(found) == 2_000
    assert all(it.seconds >= 0 for it in found)
