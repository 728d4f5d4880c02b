"""Puts calls into words, in the language of the player who is called, and sends them."""

import re
from dataclasses import dataclass, field

from flask import current_app

from kaboom.config import ServerSettings
from kaboom.db import server_keys
from kaboom.db.database import Database
from kaboom.db.log_throttle import Outage
from kaboom.engine.codec import to_json
from kaboom.engine.i18n import mark, say, say_counted, speak
from kaboom.notifications import mail, webpush
from kaboom.notifications.channel_queries import WayRow
from kaboom.notifications.channels import MAIL, PUSH, mailbox
from kaboom.notifications.outbox import NotArrived
from kaboom.notifications.waiting import Call, Waiting
from kaboom.notifications.webhook import Caution, Failed, NotAllowed, call
from kaboom.notifications.webhook_payloads import News, message
from kaboom.web.i18n import language
from kaboom.web.times import span

GONE = (404, 410)
LATER = (408, 425, 429)  # and all from 500: it may be tried again
FOOT = mark(
    "You get this letter because you confirmed this address at {base}. To get no more of them: "
    "{stop}"
)
PATH = "/calls/mail/"


@dataclass(frozen=True, slots=True)
class Said:
    """A message: a title, a sentence, a link; in a letter also other lines."""

    title: str
    text: str
    link: str
    lines: tuple[str, ...] = ()


def said(it: Call, base: str) -> Said:
    """Return a call in the language spoken: whose turn it is, of which game, and a link: to the
    table, or to all their turns.
    """
    links = [f"{base}{waiting.path}" for waiting in it.tables]
    if len(it.tables) > 1:
        text = say_counted(
            "It is your turn at {count} table", "It is your turn at {count} tables", len(links)
        )
        lines = [f"{one.game}: {link}" for one, link in zip(it.tables, links, strict=True)]
        return Said("Kaboom", text, f"{base}/turns", tuple(lines))
    (waiting,) = it.tables
    *others, last = waiting.names
    names = say("{names} and {last}", names=", ".join(others), last=last) if others else last
    return Said(waiting.game, _sentence(waiting, names), links[0])


def _sentence(it: Waiting, name: str) -> str:
    match it.what:
        case "opens":
            return say("{name}, your table in the tournament is open", name=name)
        case "nudge":
            return say("{name}, the others kindly ask for your move", name=name)
        case "check-in":
            title = it.title
            return say(
                "{name}, say now that you are here: {title} begins soon", name=name, title=title
            )
        case "vote":
            return say("{name}, the others would like to know whether you agree", name=name)
        case "date" if it.left >= 60:
            when = span(it.left)
            return say("{name}, {club} plays in {time}", name=name, club=it.title, time=when)
        case "date":
            return say("{name}, {club} plays now", name=name, club=it.title)
        case _:
            return say("{name}, it is your turn", name=name)


@dataclass(frozen=True)
class Post:
    """Sends calls: by this server's mail server (None: it has none), push services and webhooks."""

    settings: ServerSettings
    database: Database
    caution: Caution
    server: mail.MailServer | None = None
    services: re.Pattern[str] = webpush.SERVICES
    unsent: Outage = field(default_factory=lambda: Outage("letters", "handed in"))

    @property
    def pushes(self) -> bool:
        """Say whether browsers can be called: push services want our address, under https."""
        return self.settings.public_url.startswith("https://")

    def base(self, known: str) -> str:
        """Return what links begin with."""
        return self.settings.public_url or known

    def send(self, it: Call) -> None:
        """Send a call; raises NotArrived."""
        speak(language(it.language))
        base = self.base(it.base)
        topic = it.tables[0].code if len(it.tables) == 1 else "turns"
        self.tell(it.kind, it.address, said(it, base), base, topic)

    def tell(self, kind: str, address: str, what: Said, base: str, topic: str = "") -> None:
        """Tell one address something; raises NotArrived."""
        try:
            if kind == MAIL:
                self._letter(address, what, base)
            elif kind == PUSH:
                self._push(address, what, topic)
            else:
                made = message(News(what.text, what.title, what.link), address, kind)
                call(address, made.body, self.caution, made.headers)
        except NotAllowed as no:
            raise NotArrived(str(no), hopeless=True) from no
        except Failed as error:
            status = error.status
            hopeless = 300 <= status < 500 and status not in LATER
            gone = kind == PUSH and status in GONE
            raise NotArrived(str(error), gone=gone, hopeless=hopeless, after=error.after) from error
        except mail.Undelivered as error:
            raise NotArrived(str(error), hopeless=error.hopeless) from error

    def ask_to_confirm(self, row: WayRow, base: str) -> None:
        """Write to a new address of mail, whose owner then confirms it; raises NotArrived."""
        secret, _ = mailbox(row)
        base = self.base(base)
        link = f"{base}{PATH}{secret}"
        text = say(
            "Somebody, probably you, wants letters at this address when it is their turn at a card "
            "table. If it was you, confirm it here within a day. If not, do nothing: this is the "
            "only letter."
        )
        self.tell(MAIL, row.address, Said(say("Please confirm your address"), text, link), base)

    def key(self) -> str:
        """Return the key with which this server signs what it pushes; made when first needed."""
        found = self.database.read(lambda c: server_keys.server_key(c, "push"))
        if not found:
            made = webpush.new_key()
            self.database.write(lambda c: server_keys.keep_server_key(c, "push", made))
            found = self.database.read(lambda c: server_keys.server_key(c, "push"))
        return found

    def _letter(self, address: str, what: Said, base: str) -> None:
        if self.server is None:
            raise NotArrived("there is no mail server", hopeless=True)
        secret, _, to = address.partition(" ")
        stop = f"{base}{PATH}{secret}/stop"
        text = "\n".join([what.text, "", *what.lines, what.link, ""])
        if PATH not in what.link:
            text += f"\n-- \n{say(FOOT, base=base, stop=f'{base}{PATH}{secret}')}\n"
        headers = {
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        try:
            made = mail.letter(self.server.sender, to, what.title, text, headers)
        except ValueError as error:
            raise NotArrived("it is no address", hopeless=True) from error
        try:
            mail.deliver(self.server, made)
        except mail.Undelivered as error:
            if not error.to_them:  # SMTP_URL is wrong, or that server is away: the host sees to it
                self.unsent.lasts(f"{self.server.host}:{self.server.port} {error}")
            raise
        self.unsent.over()

    def _push(self, address: str, what: Said, topic: str) -> None:
        body = {"title": what.title, "body": what.text, "url": what.link, "tag": topic}
        contact = self.settings.contact or self.settings.public_url
        webpush.push(
            webpush.subscription(address),
            to_json(body),
            self.key(),
            contact,
            self.caution,
            self.services,
            topic,
        )


def post() -> Post:
    """Return what sends this server's calls."""
    found: Post = current_app.extensions["kaboom.post"]
    return found


def post_of(settings: ServerSettings, database: Database, caution: Caution) -> Post:
    """Return what sends calls by a server's settings."""
    server = None
    if settings.smtp_url:
        server = mail.mail_server(settings.smtp_url, settings.mail_from)
    return Post(settings, database, caution, server)
