"""Hooks of ratings: at tables, every hour, and for erased or merged accounts."""

from kaboom.accounts import hooks as account_hooks
from kaboom.ratings import queries, seasons, service
from kaboom.tables import hooks, jobs

hooks.before_deal.append(service.agree)
hooks.after_match.append(service.note_who_left)
hooks.after_match.append(service.rate_if_it_counts)
account_hooks.on_erase.append(queries.forget)
account_hooks.on_merge.append(queries.carry)
jobs.hourly.append(seasons.count)
