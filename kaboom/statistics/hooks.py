"""Hooks: store results, copy the codes of public pages onto seats, and delete a player's
results.
"""

from kaboom.accounts import hooks as account_hooks
from kaboom.statistics import public, queries, results
from kaboom.tables import hooks

hooks.after_match.append(results.keep)
hooks.before_sitting.append(public.introduce)
account_hooks.on_forget_matches.append(queries.forget)
