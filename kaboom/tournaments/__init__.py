"""Tournaments: event-sourced rules (`rules`, pure), services, pages and the daily deal.

`rules` depends on no table, database, web framework or time of day.
"""
