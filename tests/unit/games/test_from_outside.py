"""Games that other packages bring: found by their entry points, served from their own folders."""

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from kaboom.games import GAMES, GROUP, LEFT_OUT, PACKAGES, folder, found
from tests.server import ROOT, SECRET

BIDS = """
from dataclasses import replace
from kaboom.core.page import Shown
from tests.unit.core.sealed_bids import SEALED_BIDS

def regions(page, draw):
    return Shown("ring", draw.kept("board", page.saying))

GAME = replace(
    SEALED_BIDS, key="bids", name="Bids", tagline="From far away.", regions=regions
)
"""
BROKEN = {
    "late": "raise OSError('the disk is full')",
    "wrong": "GAME = 'a game'",
    "twice": "from tests.far_bids import GAME",
    "ours": "from kaboom.games.gops import GAME",
    "odd": "from dataclasses import replace\nfrom tests.unit.core.sealed_bids import SEALED_BIDS\n"
    "GAME = replace(SEALED_BIDS, key='../x')",
}
# What a server says of them: printed by a process in which they are installed.
SERVED = """
import json, sys
from kaboom.games import GAMES, LEFT_OUT
from kaboom.settings import ServerSettings
from kaboom.store.migrate import upgrade
from kaboom.web.app import create_app

upgrade(sys.argv[1], sys.argv[2])
app = create_app(ServerSettings(sys.argv[1], sys.argv[2], rate_limits=False, clock=False))
client = app.test_client()
def get(path, code="en"):
    return client.get(path, headers={"Accept-Language": code}, follow_redirects=True).text
opened = client.post("/tables", data={"game": "bids", "name": "Ann", "bots": "1", "start": "bids"})
table = opened.location.partition("#")[0]
client.post(table.partition("?")[0] + "/start")
print(json.dumps({
    "games": list(GAMES), "left out": LEFT_OUT, "home": get("/"), "in Kiswahili": get("/", "sw"),
    "rules": get("/rules/bids"), "sheet": get("/static/games/bids.css"), "table": get(table),
}))
"""


def installed(where, name, source):
    """Put a package into a folder, as an installer would."""
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
    """What is told by a server with one more game, and five that cannot be played."""
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


def test_a_game_of_another_package_is_one_of_the_games(served):
    assert "bids" in served["games"]
    assert set(GAMES) - set(served["games"]) == set()
    assert "From far away." in served["home"]


def test_its_files_are_served_as_ours_are(served):
    assert "Two players" in served["rules"], served["log"][-1500:]
    assert '<span class="card S court"' in served["rules"]
    assert served["sheet"] == ".far{color:red}"
    assert '<p class="far">' in served["table"]
    assert "/static/games/bids.css?v=" in served["table"]


def test_its_translations_are_read_and_ours_stay(served):
    assert "Kutoka mbali." in served["in Kiswahili"]
    assert "Ours stay as they are." not in served["in Kiswahili"]


def test_what_cannot_be_played_is_left_out_and_the_log_says_why(served):
    assert served["left out"] == {
        "late": "OSError: the disk is full",
        "wrong": "Broken: far_wrong:GAME is not a Game",
        "twice": "Broken: there is a game 'bids' already",
        "odd": "Broken: its key '../x' is not made of small letters, digits and _",
        "ours": "Broken: there is a game 'gops' already",
    }
    for name, why in served["left out"].items():
        assert f"the game {name} is left out: {why}" in served["log"]


def test_a_package_that_is_not_there_is_left_out():
    games, packages, left_out = found([EntryPoint("gone", "far_gone:GAME", GROUP)])
    assert "gone" not in games and set(games) == set(packages)
    assert left_out == {"gone": "ModuleNotFoundError: No module named 'far_gone'"}


def test_a_game_that_a_package_names_is_there_beside_ours():
    point = EntryPoint("hearts", "kaboom_hearts:GAME", GROUP)
    games, packages, left_out = found([point])
    assert games["hearts"] is point.load()
    assert (packages["hearts"], left_out) == ("kaboom_hearts", {})


def test_games_come_in_the_order_of_their_names():
    assert [game.name for game in GAMES.values()] == sorted(game.name for game in GAMES.values())


def test_every_game_has_its_folder_and_none_is_left_out_here():
    assert not LEFT_OUT
    assert set(PACKAGES) == set(GAMES)
    for key in GAMES:
        assert (folder(key) / "rules.md").exists()
    with pytest.raises(KeyError):
        folder("nonsense")
