"""The engine: cards, moves, games, chance and views. It knows no web, no database, no clock."""
