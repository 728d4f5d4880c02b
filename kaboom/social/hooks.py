"""What chat, friends and clubs do at a table, and when accounts are erased or merged."""

from kaboom.accounts import hooks as account_hooks
from kaboom.notifications import reminders
from kaboom.notifications.waiting import DATE
from kaboom.social.chat import bot_chat
from kaboom.social.clubs import events, queries
from kaboom.social.clubs import reminders as date_reminders
from kaboom.social.friends import reports
from kaboom.tables import hooks, jobs

hooks.after_events.append(bot_chat.speak)
jobs.cleanup.append(reports.drop_old)
jobs.cleanup.append(events.forget_old)
account_hooks.on_erase.append(queries.forget)
account_hooks.on_merge.append(queries.carry)
reminders.kinds[DATE] = date_reminders.told
