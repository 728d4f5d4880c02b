"""The engine: cards, moves, games, chance and views. It knows nothing about the web, the database
or the clock.
"""
