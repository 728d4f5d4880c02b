"""What chat, friends and clubs do at a table."""

from kaboom.social.chat import bot_chat
from kaboom.social.clubs import events
from kaboom.social.friends import reports
from kaboom.tables import hooks, jobs

hooks.after_events.append(bot_chat.speak)
jobs.cleanup.append(reports.drop_old)
jobs.cleanup.append(events.forget_old)
