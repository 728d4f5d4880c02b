"""Lengths of time in seconds, in which all times of the store are counted."""

DAY = 24 * 3600.0
