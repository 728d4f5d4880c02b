"""Registers the notification pages with the application."""

from flask import Flask

from kaboom.engine.i18n import gettext as _
from kaboom.notifications import routes
from kaboom.notifications.delivery import post


def init_app(app: Flask) -> None:
    """Register the pages, and the words for the ways in which this server notifies."""
    app.register_blueprint(routes.bp)
    app.jinja_env.globals["notification_ways"] = notification_ways


def notification_ways() -> str:
    """Return in a few words how this server can notify a player."""
    mails, pushes = post().server is not None, bool(post().pushes)
    return {
        (True, True): _("by e-mail, in the browser or in a chat; quiet hours"),
        (True, False): _("by e-mail or in a chat; quiet hours"),
        (False, True): _("in the browser or in a chat; quiet hours"),
        (False, False): _("in a feed reader or a chat; quiet hours"),
    }[mails, pushes]
