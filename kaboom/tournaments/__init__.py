"""Tournaments as data: what happened in one, in order, and everything that follows from it.

Nothing here knows of tables, a database, the web or the time of day.
"""
