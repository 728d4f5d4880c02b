"""How long a notification waits: while its table is open, during quiet hours, or until the next
digest.
"""

from kaboom.notifications.channel_queries import ChannelRow, PreferenceRow
from kaboom.notifications.quiet_hours import end_of_quiet

# In seconds.
PATIENCE = 5.0  # from a turn's start until its player is notified: quick players need no message
WATCHING = 30.0  # until the next check whether a player still has the table open


def held_back(
    now: float, is_open: bool | None, channel: ChannelRow, wish: PreferenceRow, left: float
) -> float | None:
    """Return the time until which a channel holds back a notification; None if it can be sent now.

    The notification waits while the player has the table open (`is_open`; None: not yet known), in
    quiet hours, and until the next digest. One that expires in `left` seconds does not wait for a
    digest that would come too late; quiet hours still apply. Times are in seconds since 1970.
    """
    if is_open is None:
        return now + PATIENCE
    if is_open:
        return now + WATCHING
    quiet = end_of_quiet(now, wish.quiet_from, wish.quiet_to, wish.zone)
    if quiet is not None:
        return quiet
    digest = channel.sent_at + 60.0 * wish.digest
    return digest if channel.sent_at and now < digest < now + left else None
