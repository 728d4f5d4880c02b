"""Games of other packages: found by their entry points, served from their own folders."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from kaboom.games import FAULTS, GAMES, GROUP, LEFT_OUT, PACKAGES, folder, found, is_built_in
from tests.support.server import ROOT, SECRET

BIDS = """
from dataclasses import replace
from kaboom.engine.table_view import Shown
from tests.engine.sealed_bids import SEALED_BIDS

def regions(page, draw):
    return Shown("ring", draw.kept("board", page.saying))

GAME = replace(
    SEALED_BIDS, key="bids", name="Bids", tagline="From far away.", regions=regions
)
"""
ODDS = """
from dataclasses import replace
from kaboom.engine.options import Preset
from tests.engine.sealed_bids import SEALED_BIDS

WAY = Preset("fast", "Fast", "Nobody knows how.", {"no_such_option": 1})
GAME = replace(
    SEALED_BIDS, key="odds", name="Bids", tagline="Odd.", presets=(WAY,), groups={"Odd": ("odd",)}
)
"""
BROKEN = {
    "late": "raise OSError('the disk is full')",
    "wrong": "GAME = 'a game'",
    "twice": "from tests.far_bids import GAME",
    "ours": "from kaboom.games.gops import GAME",
    "numbers": "from dataclasses import replace\n"
    "from tests.engine.sealed_bids import SEALED_BIDS\n"
    "GAME = replace(SEALED_BIDS, version='one')",
    "odd": "from dataclasses import replace\nfrom tests.engine.sealed_bids import SEALED_BIDS\n"
    "GAME = replace(SEALED_BIDS, key='../x')",
}
# A server's messages about them, printed by a process in which they are installed.
SERVED = """
import json, sys
from kaboom.games import GAMES, LEFT_OUT
from kaboom.config import ServerSettings
from kaboom.db.migrate import upgrade
from kaboom.app import create_app

upgrade(sys.argv[1], sys.argv[2])
app = create_app(ServerSettings(sys.argv[1], sys.argv[2], rate_limits=False, clock=False))
client = app.test_client()
def get(path, code="en"):
    return client.get(path, headers={"Accept-Language": code}, follow_redirects=True).text
opened = client.post("/tables", data={"game": "bids", "name": "Ann", "bots": "1", "start": "bids"})
table = opened.location.partition("#")[0]
client.post(table.partition("?")[0] + "/start")
asked = {path: client.get(path) for path in ("/start/odds", "/rules/odds", "/rules/odds.json")}
quick = {"game": "odds", "name": "Ann", "bots": "3", "start": "1"}
asked["play now"] = client.get(client.post("/tables", data=quick).location.partition("#")[0])
print(json.dumps({
    "odds": {path: [answer.status_code, answer.text] for path, answer in asked.items()},
    "games": list(GAMES), "left out": LEFT_OUT, "home": get("/"), "in Kiswahili": get("/", "sw"),
    "rules": get("/rules/bids"), "sheet": get("/static/games/bids.css"), "table": get(table),
}))
"""


def installed(where, name, source):
    """Put a package into a folder, like an installer."""
    package = where / f"far_{name}"
    package.mkdir()
    (package / "__init__.py").write_text(source)
    about = where / f"far_{name}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: far-{name}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = far_{name}:GAME\n")
    return package


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Return a server with two more games, and six that cannot be played."""
    where = tmp_path_factory.mktemp("site-packages")
    package = installed(where, "bids", BIDS)
    (package / "rules.md").write_text("# Bids\n\nTwo players `KS`. *House reading:* none.\n")
    (package / "table.css").write_text(".far { color: red }")
    (package / "templates").mkdir()
    board = '{% macro board(saying) %}<p class="far">{{ saying }}</p>{% endmacro %}'
    (package / "templates" / "regions.html").write_text(board)
    catalogue = Catalog("sw")
    catalogue.add("From far away.", "Kutoka mbali.")
    catalogue.add("Rules", "Ours stay as they are.")
    messages = package / "translations" / "sw" / "LC_MESSAGES"
    messages.mkdir(parents=True)
    with (messages / "messages.mo").open("wb") as file:
        write_mo(file, catalogue)
    installed(where, "odds", ODDS)
    for name, source in BROKEN.items():
        installed(where, name, source.replace("tests.far_bids", "far_bids"))
    done = subprocess.run(
        [sys.executable, "-c", SERVED, f"sqlite:///{where / 'store.sqlite3'}", SECRET],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(where), str(ROOT)])},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return json.loads(done.stdout) | {"log": done.stderr}


def test_game_from_another_package_is_one_of_the_games(served):
    assert "bids" in served["games"]
    assert set(GAMES) - set(served["games"]) == set()
    assert "From far away." in served["home"]


def test_files_of_an_installed_game_are_served(served):
    assert "Two players" in served["rules"], served["log"][-1500:]
    assert '<span class="card S court"' in served["rules"]
    assert served["sheet"] == ".far{color:red}"
    assert '<p class="far">' in served["table"]
    assert "/static/games/bids.css?v=" in served["table"]


def test_translations_of_an_installed_game_are_loaded(served):
    assert "Kutoka mbali." in served["in Kiswahili"]
    assert "Ours stay as they are." not in served["in Kiswahili"]


def test_unplayable_game_is_skipped_and_logged(served):
    assert served["left out"] == {
        "late": "OSError: the disk is full",
        "wrong": "Broken: far_wrong:GAME is not a Game",
        "twice": "Broken: there is already a game 'bids'",
        "numbers": "Broken: its version is 'one'; it must be a whole number, 1 or more",
        "odd": "Broken: its key '../x' may contain only lower-case letters, digits and _",
        "ours": "Broken: there is already a game 'gops'",
    }
    for name, why in served["left out"].items():
        assert f"game {name} is not loaded: {why}" in served["log"]


def test_faulty_game_is_played_and_the_log_names_its_faults(served):
    assert "odds" in served["games"]
    sentences = (
        "the preset 'fast' sets an option 'no_such_option' that does not exist; remove it, or name "
        "one of bid_seconds",
        "the heading 'Odd' in `groups` names an option 'odd' that does not exist; remove it",
        "its name 'Bids' is also that of the game 'bids'; give it another",
        "there is no rules page; write far_odds/rules.md",
    )
    for sentence in sentences:
        said = f"game odds is loaded without a faulty part: {sentence}"
        assert said in served["log"], served["log"][-2000:]


def test_pages_of_a_faulty_game_still_render(served):
    answers = served["odds"]
    assert {path: status for path, (status, _) in answers.items()} == dict.fromkeys(answers, 200)
    assert "Time to bid" in answers["/start/odds"][1] and "Fast" not in answers["/start/odds"][1]
    for page in ("/rules/odds", "/rules/odds.json"):
        assert "The rules of this game are not available here." in answers[page][1]


def test_game_without_a_bot_is_listed_and_has_random_bots(served):
    shelf = served["home"].partition('class="shelf')[2].partition("</ul>")[0]
    assert 'name="game" value="bids"' in shelf
    assert "From far away. Its bots play at random." in shelf
    assert "play at random" not in shelf.partition('value="gops"')[2].partition("</li>")[0]
    assert (
        "Your turn" in served["odds"]["play now"][1]
        or "Both players bid" in (served["odds"]["play now"][1])
    )


BROKEN_BIDS = """
from dataclasses import replace
from tests.engine.sealed_bids import SEALED_BIDS

def setup(play, seats, options):
    play.state = nothing

def view(s, viewer):
    return SEALED_BIDS.view(s, -2)

GAME = replace(SEALED_BIDS, {fault})
"""


def contract_of(where, key):
    """Return the output of `pytest --pyargs kaboom.testing` for an installed game."""
    run = f"-m pytest -q -p no:cacheprovider -n 0 -rs --pyargs kaboom.testing -k [{key}]"
    done = subprocess.run(
        [sys.executable, *run.split()],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(where), str(ROOT)])},
        capture_output=True,
        text=True,
        cwd=where,
        timeout=300,
    )
    return done.stdout


def test_broken_setup_is_one_failure_cited_by_the_rest(tmp_path):
    package = installed(tmp_path, "sealed_bids", BROKEN_BIDS.format(fault="setup=setup"))
    (package / "rules.md").write_text("# Sealed bids\n\n## Bidding\n\n{{ options }}\n")
    said = contract_of(tmp_path, "sealed_bids")
    assert re.search(r"\b1 failed, \d+ passed, [234]\d skipped", said), said[-3000:]
    assert re.search(
        r"^Sealed bids \(sealed_bids\), seed \d, 2 players, move 0: `setup` of the game raised "
        r"NameError: name 'nothing' is not defined \(__init__.py, line 6\); fix it there",
        said,
        re.MULTILINE,
    )
    pointed = "test_match_of_random_players_ends reports what is wrong; fix that first"
    assert pointed in said


def test_leak_names_game_seed_and_viewer_without_rewriting(tmp_path):
    package = installed(tmp_path, "sealed_bids", BROKEN_BIDS.format(fault="view=view"))
    (package / "rules.md").write_text("# Sealed bids\n\n## Bidding\n\n{{ options }}\n")
    said = contract_of(tmp_path, "sealed_bids")
    assert re.search(
        r"^Sealed bids \(sealed_bids\), seed 0, 2 players, move 0, viewer 0: a leak: .*view.zones "
        r"depends on what this viewer cannot know; show less",
        said,
        re.MULTILINE,
    ), said[-3000:]
    assert "AssertionError" not in said


def test_missing_package_is_skipped():
    games, packages, left_out, _ = found([EntryPoint("gone", "far_gone:GAME", GROUP)])
    assert "gone" not in games and set(games) == set(packages)
    assert left_out == {"gone": "ModuleNotFoundError: No module named 'far_gone'"}


def test_game_named_by_a_package_is_listed_with_the_rest():
    point = EntryPoint("hearts", "kaboom_hearts:GAME", GROUP)
    games, packages, left_out, faults = found([point])
    assert games["hearts"] is point.load()
    assert (packages["hearts"], left_out, faults) == ("kaboom_hearts", {}, {})


def test_built_in_games_come_first_and_others_by_name():
    names = {key: game.name for key, game in GAMES.items()}
    own = [key for key in GAMES if is_built_in(key)]
    others = [key for key in GAMES if key not in own]
    first, *rest = own
    assert list(GAMES) == own + others and first == "kaboom"
    assert rest == sorted(rest, key=names.get) and others == sorted(others, key=names.get)


def test_every_game_folder_is_listed():
    assert not LEFT_OUT and not FAULTS
    assert set(PACKAGES) == set(GAMES)
    for key in GAMES:
        assert (folder(key) / "rules.md").exists()
    with pytest.raises(KeyError):
        folder("nonsense")
