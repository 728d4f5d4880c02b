"""The engine: cards, moves, games, chance and views. It knows nothing of web, database or clock."""
