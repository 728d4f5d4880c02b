"""Lengths of time in seconds, the unit of all times in the database."""

DAY = 24 * 3600.0
