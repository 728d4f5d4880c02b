"""What records do when accounts are erased."""

from kaboom.accounts import hooks
from kaboom.records import queries

hooks.on_erase.append(queries.forget_parts)
