"""The engine: cards, moves, games, chance and views, without web, database or clock."""
