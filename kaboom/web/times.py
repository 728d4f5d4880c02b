"""Times in words, as people say them."""

from kaboom.core.language import mark_counted, say, say_counted

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
