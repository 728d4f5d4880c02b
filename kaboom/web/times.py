"""Durations in words."""

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext, ngettext_noop

STEPS = (
    (86400.0, 2, ngettext_noop("{count} day", "{count} days")),
    (3600.0, 2, ngettext_noop("{count} hour", "{count} hours")),
    (60.0, 1, ngettext_noop("{count} minute", "{count} minutes")),
)


def span(seconds: float) -> str:
    """Return a duration as a number and a unit, rounded down, such as "3 days" or "47 hours"."""
    for length, least, words in STEPS:
        if seconds >= length * least:
            return ngettext(*words, int(seconds // length))
    return _("less than a minute")


def left_over_days(seconds: float) -> str:
    """Return the time left in a correspondence match in words. From an hour up, it is rounded up by
    less than a minute, so that “3 days” does not become “2 days” at once.
    """
    return span(seconds + 59.0 if seconds >= 3600.0 else seconds)


def over_days(days: int, bank: int = 0) -> str:
    """Return the time controls of a correspondence match in words: the time per decision, and a
    time bank, if any.
    """
    each = ngettext(
        "Correspondence: each player has {count} day for each decision.",
        "Correspondence: each player has {count} days for each decision.",
        days,
    )
    if not bank:
        return each
    more = ngettext(
        "Each player also has a time bank of {count} day for the whole match.",
        "Each player also has a time bank of {count} days for the whole match.",
        bank,
    )
    return f"{each} {more}"
