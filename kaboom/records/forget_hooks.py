"""Hooks with which other rooms delete their data when a player's finished matches are forgotten."""

from collections.abc import Callable

from sqlalchemy import Connection

# Called with the player's id when they forget their finished matches or are erased.
on_forget: list[Callable[[Connection, int], None]] = []
