"""Which of the games are ours: what is asked of them beyond the contract is asked of no others.

Games of other packages that happen to be installed here are none of this suite's: it forgets them
before it begins (tests/conftest.py). `pytest --pyargs kaboom.testing -k KEY` tries them.
"""

import tomllib

from kaboom.games import FAULTS, GAMES, GROUP, LEFT_OUT, PACKAGES
from tests.support.server import ROOT

# The keys of the games in examples/, installed or not.
IN_EXAMPLES = {
    key
    for file in sorted((ROOT / "examples").glob("*/pyproject.toml"))
    for key in tomllib.loads(file.read_text())["project"]["entry-points"][GROUP]
}


def ours(key: str) -> bool:
    """Say whether a game is one of this repository."""
    return PACKAGES.get(key) == f"kaboom.games.{key}" or key in IN_EXAMPLES


def forget_strangers() -> list[str]:
    """Let the suite know of no game but ours; return the names of those that are forgotten."""
    strangers = [key for key in (*GAMES, *LEFT_OUT) if not ours(key)]
    for key in strangers:
        for known in (GAMES, PACKAGES, LEFT_OUT, FAULTS):
            known.pop(key, None)
    return sorted(strangers)


STRANGERS = forget_strangers()
OURS = [key for key in GAMES if key not in IN_EXAMPLES]
EXAMPLES = [key for key in GAMES if key in IN_EXAMPLES]  # those of examples/ that are installed
