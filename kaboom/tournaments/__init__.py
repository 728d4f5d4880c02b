"""Tournaments: event-sourced rules (`rules`, pure), services and pages.

`rules` depends on no table, database, web framework or time of day.
"""
