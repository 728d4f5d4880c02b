"""Chat, friend and club hooks for tables, and for erasing and merging accounts."""

from kaboom.accounts import hooks as account_hooks
from kaboom.notifications import reminders
from kaboom.notifications.notification import DATE, INVITED
from kaboom.social.chat import bot_chat
from kaboom.social.chat import queries as chat
from kaboom.social.clubs import events
from kaboom.social.clubs import queries as clubs
from kaboom.social.clubs import reminders as date_reminders
from kaboom.social.friends import invitation_queries, invitations, reports
from kaboom.social.friends import queries as friends
from kaboom.tables import hooks, jobs

hooks.after_events.append(bot_chat.speak)
hooks.on_delete.append(chat.drop_of_table)
hooks.on_delete.append(invitation_queries.drop_of_table)
jobs.cleanup.append(reports.drop_old)
jobs.cleanup.append(events.forget_old)
account_hooks.on_erase.append(clubs.forget)
account_hooks.on_erase.append(friends.drop_words)
account_hooks.on_merge.append(clubs.carry)
account_hooks.on_merge.append(friends.part_from_blocked)
reminders.kinds[DATE] = date_reminders.told
reminders.kinds[INVITED] = invitations.told
