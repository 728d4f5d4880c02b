"""The games of this repository, to which stricter tests than the contract apply.

Installed games of other packages are ignored by this suite (tests/conftest.py). `pytest --pyargs
kaboom.testing -k KEY` tests them.
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
    """Return True if a game is in this repository."""
    return PACKAGES.get(key) == f"kaboom.games.{key}" or key in IN_EXAMPLES


def forget_strangers() -> list[str]:
    """Limit the suite to built-in games; return the names of the others."""
    strangers = [key for key in (*GAMES, *LEFT_OUT) if not ours(key)]
    for key in strangers:
        for known in (GAMES, PACKAGES, LEFT_OUT, FAULTS):
            known.pop(key, None)
    return sorted(strangers)


STRANGERS = forget_strangers()
OURS = [key for key in GAMES if key not in IN_EXAMPLES]
EXAMPLES = [key for key in GAMES if key in IN_EXAMPLES]  # the installed ones of examples/
