"""Hooks of records for erased accounts, forgotten matches and deleted tables."""

from kaboom.accounts import hooks as account_hooks
from kaboom.records import note_queries, queries
from kaboom.tables import hooks

hooks.on_delete.append(note_queries.drop_unfinished)
account_hooks.on_erase.append(queries.forget_parts)
account_hooks.on_forget_matches += [queries.forget_parts, note_queries.forget_ended]
