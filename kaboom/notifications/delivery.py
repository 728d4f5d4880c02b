"""Writes notifications in the player's language and sends them."""

import re
from dataclasses import dataclass, field

from flask import current_app

from kaboom.config import ServerSettings
from kaboom.db import server_keys
from kaboom.db.database import Database
from kaboom.db.log_throttle import LogThrottle
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import ngettext, speak
from kaboom.notifications import smtp, webpush_protocol
from kaboom.notifications.channel_queries import ChannelRow
from kaboom.notifications.channels import MAIL, PUSH, mailbox
from kaboom.notifications.notification import Notification, Waiting
from kaboom.notifications.retries import NotArrived
from kaboom.notifications.webhook_payloads import News, message
from kaboom.web.i18n import language
from kaboom.web.outgoing import http_client
from kaboom.web.outgoing.url_policy import NotAllowed, UrlPolicy
from kaboom.web.times import span

GONE = (404, 410)
LATER = (408, 425, 429)  # these, and all from 500 up, may be retried
FOOT = N_(
    "You get this e-mail because you confirmed this address at {base}. To unsubscribe: {stop}"
)
PATH = "/notifications/mail/"


@dataclass(frozen=True, slots=True)
class Said:
    """A message: a title, a sentence and a link; an e-mail also has more lines."""

    title: str
    text: str
    link: str
    lines: tuple[str, ...] = ()


def said(it: Notification, base: str) -> Said:
    """Return a notification in the current language: whose turn it is, in which game, and a link to
    the table, or to the list of turns if there are several.
    """
    links = [f"{base}{waiting.path}" for waiting in it.tables]
    if len(it.tables) > 1:
        text = ngettext(
            "It is your turn at {count} table", "It is your turn at {count} tables", len(links)
        )
        lines = [f"{one.game}: {link}" for one, link in zip(it.tables, links, strict=True)]
        return Said("Kaboom", text, f"{base}/turns", tuple(lines))
    (waiting,) = it.tables
    *others, last = waiting.names
    names = _("{names} and {last}", names=", ".join(others), last=last) if others else last
    return Said(waiting.game, _sentence(waiting, names), links[0])


def _sentence(it: Waiting, name: str) -> str:
    match it.what:
        case "opens":
            return _("{name}, your tournament table is open", name=name)
        case "nudge":
            return _("{name}, the other players are waiting for your move", name=name)
        case "check-in":
            title = it.title
            return _("{name}, please check in: {title} begins soon", name=name, title=title)
        case "vote":
            return _("{name}, a vote is waiting for your answer", name=name)
        case "date" if it.left >= 60:
            when = span(it.left)
            return _("{name}, {club} plays in {time}", name=name, club=it.title, time=when)
        case "date":
            return _("{name}, {club} is playing now", name=name, club=it.title)
        case "seek":
            return _("{name}, a player is looking for an opponent now", name=name)
        case "invited":
            return _("{name}, {friend} invites you to a table", name=name, friend=it.title)
        case "report":
            return _("{name}, a report about a player is waiting for you", name=name)
        case _:
            return _("{name}, it is your turn", name=name)


@dataclass(frozen=True)
class Post:
    """Sends notifications through this server's mail server (None: there is none), push services
    and webhooks.
    """

    settings: ServerSettings
    database: Database
    url_policy: UrlPolicy
    server: smtp.MailServer | None = None
    services: re.Pattern[str] = webpush_protocol.SERVICES
    unsent: LogThrottle = field(default_factory=lambda: LogThrottle("e-mails", "sent"))

    @property
    def pushes(self) -> bool:
        """Return True if web push works here; it needs a public HTTPS URL."""
        return self.settings.public_url.startswith("https://")

    def base(self, known: str) -> str:
        """Return the base URL of links."""
        return self.settings.public_url or known

    def send(self, it: Notification) -> None:
        """Send a notification; raises NotArrived."""
        speak(language(it.language))
        base = self.base(it.base)
        topic = it.tables[0].code if len(it.tables) == 1 else "turns"
        self.tell(it.kind, it.address, said(it, base), base, topic)

    def tell(self, kind: str, address: str, what: Said, base: str, topic: str = "") -> None:
        """Send a message to one address; raises NotArrived."""
        try:
            if kind == MAIL:
                self._letter(address, what, base)
            elif kind == PUSH:
                self._push(address, what, topic)
            else:
                made = message(News(what.text, what.title, what.link), address, kind)
                http_client.post(address, made.body, self.url_policy, made.headers)
        except NotAllowed as no:
            raise NotArrived(str(no), hopeless=True) from no
        except http_client.Failed as error:
            status = error.status
            hopeless = 300 <= status < 500 and status not in LATER
            gone = kind == PUSH and status in GONE
            raise NotArrived(str(error), gone=gone, hopeless=hopeless, after=error.after) from error
        except smtp.Undelivered as error:
            raise NotArrived(str(error), hopeless=error.hopeless) from error

    def ask_to_confirm(self, row: ChannelRow, base: str) -> None:
        """Ask the owner of a new e-mail address to confirm it; raises NotArrived."""
        secret, _to = mailbox(row.address)
        base = self.base(base)
        link = f"{base}{PATH}{secret}"
        text = _(
            "Someone, probably you, asked for e-mails to be sent to this address when it is "
            "their turn at a card table. If it was you, confirm the address within a day. If "
            "not, do nothing: you will get no other e-mail."
        )
        self.tell(
            MAIL, row.address, Said(_("Please confirm your e-mail address"), text, link), base
        )

    def key(self) -> str:
        """Return the key with which this server signs push messages, created on first use."""
        found = self.database.read(lambda c: server_keys.server_key(c, "push"))
        if not found:
            made = webpush_protocol.new_key()
            self.database.write(lambda c: server_keys.keep_server_key(c, "push", made))
            found = self.database.read(lambda c: server_keys.server_key(c, "push"))
        return found

    def _letter(self, address: str, what: Said, base: str) -> None:
        if self.server is None:
            raise NotArrived("there is no mail server", hopeless=True)
        secret, to = mailbox(address)
        stop = f"{base}{PATH}{secret}/stop"
        text = "\n".join([what.text, "", *what.lines, what.link, ""])
        if PATH not in what.link:
            text += f"\n-- \n{_(FOOT, base=base, stop=f'{base}{PATH}{secret}')}\n"
        headers = {
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        try:
            made = smtp.letter(self.server.sender, to, what.title, text, headers)
        except ValueError as error:
            raise NotArrived("the e-mail address is invalid", hopeless=True) from error
        try:
            smtp.deliver(self.server, made)
        except smtp.Undelivered as error:
            if not error.to_them:  # SMTP_URL is wrong or the server is down: for the host to fix
                self.unsent.lasts(f"{self.server.host}:{self.server.port} {error}")
            raise
        self.unsent.over()

    def _push(self, address: str, what: Said, topic: str) -> None:
        body = {"title": what.title, "body": what.text, "url": what.link, "tag": topic}
        contact = self.settings.contact or self.settings.public_url
        webpush_protocol.push(
            from_json(address, webpush_protocol.Subscription),
            to_json(body),
            self.key(),
            contact,
            self.url_policy,
            self.services,
            topic,
        )


def post() -> Post:
    """Return this server's sender of notifications."""
    found: Post = current_app.extensions["kaboom.post"]
    return found


def post_of(settings: ServerSettings, database: Database, url_policy: UrlPolicy) -> Post:
    """Return the sender for a server's settings."""
    server = None
    if settings.smtp_url:
        server = smtp.mail_server(settings.smtp_url, settings.mail_from)
    return Post(settings, database, url_policy, server)
