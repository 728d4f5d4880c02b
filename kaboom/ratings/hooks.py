"""What ratings do at a table."""

from kaboom.ratings import service
from kaboom.tables import hooks

hooks.before_deal.append(service.agree)
hooks.after_match.append(service.note_who_left)
hooks.after_match.append(service.rate_if_it_counts)
