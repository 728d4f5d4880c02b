"""Which of the games are ours: what is asked of them beyond the contract is asked of no others."""

from kaboom.games import GAMES, PACKAGES

OURS = [key for key in GAMES if PACKAGES[key] == f"kaboom.games.{key}"]
EXAMPLES = [key for key in GAMES if key not in OURS]  # those of examples/ that are installed
