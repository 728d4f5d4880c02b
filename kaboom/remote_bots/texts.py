"""The state of a bot and the results of calls in words."""

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.remote_bots.queries import BotRow

RESULTS = {
    "moved": N_("answered"),
    "passed": N_("passed"),
    "lied": N_("gave a wrong answer"),
    "failed": N_("did not answer"),
    "refused": N_("cannot be called"),
    "replaced": N_("a house bot plays on"),
}


def state_of(bot: BotRow) -> str:
    """Return sentences that say whether a bot is called, and who may invite it."""
    if bot.paused:
        called = _("Paused: it is not called. At its tables it counts as a player who is away.")
    elif bot.checked_at is not None:
        called = _("The server calls it when it is its turn.")
    else:
        called = _("It is not called yet: its URL must pass a check first.")
    shared = _("Other players may invite it.") if bot.shared else _("Only you may invite it.")
    return f"{called} {shared}"
