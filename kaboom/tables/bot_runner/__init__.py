"""Bots at tables: `moves` chooses and plays one; kaboom.tables.clock.due says when it is due."""
