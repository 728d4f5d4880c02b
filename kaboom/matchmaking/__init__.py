"""Finding opponents now: players wait for a game, and a table opens when there are enough."""
