"""The host's pages in words: what needs attention, answers to forms, and the list of acts."""

from typing import NamedTuple

from kaboom.db.times import DAY

DONE = {
    "note": "Your note is in the list of acts. Only hosts read it.",
    "warn": "Warned. The player will see your reason on their next page.",
    "mute": "Muted. The player will see your reason on their next page.",
    "out": "Kept out. Each of their pages now says until when, and for what reason.",
    "rename": "Renamed. The player will see your reason on their next page.",
    "line": "Deleted. The writer will see your reason on their next page.",
    "close": "The report is closed.",
    "lift": "Ended. If the player was kept out, they can come back at once.",
    "halt": "No table can be opened now. Running matches continue.",
    "open": "Tables can be opened again.",
    "today": "Every page shows your message now.",
    "quiet": "The message has been removed from every page.",
    "end": "The match has ended without a result.",
    "void": "The match no longer counts in the ratings.",
    "expire": "The unused tables are deleted; the list of acts says how many.",
    "remove": "That player is no longer a host.",
}
# The first words of an act (kaboom.admin.service and sanctions), and how a sentence says them.
_SAID = {
    "warn": "warned",
    "mute": "muted for",
    "out": "kept out for",
    "rename": "renamed",
    "note": "noted about",
    "lift": "ended the sanction of",
    "delete line": "deleted a message at",
    "close report": "closed",
    "say halt": "stopped new tables",
    "say today": "published the message of the day",
    "unsay halt": "allowed new tables again",
    "unsay today": "removed the message of the day",
    "end table": "ended the match at table",
    "void": "voided the match",
    "expire": "deleted the tables unused for",
    "backup": "made a backup",
    "became host": "became a host",
    "removed host": "removed the host",
    "host link": "created a link for a new host",
}
BACKUP_DAYS = 2  # up to this age of the last backup nothing is said
FULL = 90  # percent of the disk, or of the open pages


class Due(NamedTuple):
    """A sentence about what needs the host's attention, and the link to what they can do."""

    sentence: str
    endpoint: str = ""
    words: str = ""


_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def due(reports: int, backup_age: float | None, disk_used: int, pages_used: int) -> list[Due]:
    """Return what needs the host's attention: open reports, an old backup (age in seconds, None if
    there is none), a full disk or too many open pages (in percent).
    """
    found = []
    if reports:
        few = f"{reports} open report{'s' if reports > 1 else ''}."
        found.append(Due(few, "admin.reports", "Read"))
    if backup_age is None or backup_age > BACKUP_DAYS * DAY:
        old = "No backup yet." if backup_age is None else f"Last backup {ago(backup_age)}."
        found.append(Due(old, "admin.upkeep", "Back up"))
    if disk_used >= FULL:
        found.append(Due(f"The disk is {disk_used} % full. At 100 % no move can be stored."))
    if pages_used >= FULL:
        found.append(Due("Nearly all open pages are taken. More worker processes would make room."))
    return found


def ago(seconds: float) -> str:
    """Return how long ago something was, in English, as these pages are: "3 hours ago"."""
    for length, unit in _UNITS:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "less than a minute ago"


def sentence_of_act(act: str, about: str) -> str:
    """Return an act and its object as the end of a sentence that begins with the host's name."""
    if whole := _SAID.get(f"{act} {about}"):
        return whole
    first = max((it for it in _SAID if f"{act} ".startswith(f"{it} ")), key=len, default="")
    words = _SAID.get(first, first) + act.removeprefix(first)
    parted = ", " if act != first and about else " "
    return f"{words}{parted}{about}".strip()
