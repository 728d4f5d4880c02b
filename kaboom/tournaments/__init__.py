"""Tournaments: event-sourced rules (`rules`, pure), services and pages.

`rules` needs no tables, database, web framework or clock.
"""
