"""Times in words, as people say them."""

from kaboom.engine.i18n import mark_counted, say, say_counted

STEPS = (
    (86400.0, 2, mark_counted("{count} day", "{count} days")),
    (3600.0, 2, mark_counted("{count} hour", "{count} hours")),
    (60.0, 1, mark_counted("{count} minute", "{count} minutes")),
)


def span(seconds: float) -> str:
    """Return a length of time in one word and a number, rounded down: "3 days", "47 hours"."""
    for length, least, words in STEPS:
        if seconds >= length * least:
            return say_counted(*words, int(seconds // length))
    return say("less than a minute")


def left_over_days(seconds: float) -> str:
    """Return in words what is left of days, of which nobody misses the minute that has begun."""
    return span(seconds + 59.0 if seconds >= 3600.0 else seconds)


def over_days(days: int) -> str:
    """Return in a sentence how long people have in a match over days."""
    return say_counted(
        "Played over days: everybody has {count} day for each decision.",
        "Played over days: everybody has {count} days for each decision.",
        days,
    )
