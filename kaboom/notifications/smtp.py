"""E-mails to players through the host's mail server (SMTP_URL): plain text, one at a time."""

import smtplib
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr, localtime, make_msgid
from urllib.parse import unquote, urlsplit

LINES = SMTP.clone(max_line_length=900)  # a link in a header must be neither folded nor encoded
SECONDS = 10.0  # seconds for each step of a delivery
NAME = "Kaboom"


class Undelivered(Exception):
    """The mail server did not accept an e-mail. `hopeless`: another attempt is useless; `to_them`:
    the server accepts e-mails, but not to that address.
    """

    def __init__(self, why: str, hopeless: bool = False, to_them: bool = False) -> None:
        super().__init__(why)
        self.hopeless, self.to_them = hopeless, to_them


@dataclass(frozen=True, slots=True)
class MailServer:
    """The mail server: its address, credentials, and the sender of the e-mails.

    `tls`: "smtps" (from the first byte), "starttls", or "none" (for a server on this machine).
    """

    host: str
    port: int
    sender: str
    tls: str = "starttls"
    user: str = ""
    password: str = ""
    trust: Callable[[], ssl.SSLContext] = field(default=ssl.create_default_context)
    seconds: float = SECONDS


def mail_server(url: str, sender: str) -> MailServer:
    """Return the mail server given by SMTP_URL: smtp://user:password@host:587, smtps://…, or
    smtp+plain://localhost:25. Raises ValueError with a sentence for the host.
    """
    parts = urlsplit(url)
    kinds = {"smtp": ("starttls", 587), "smtps": ("smtps", 465), "smtp+plain": ("none", 25)}
    if parts.scheme not in kinds or not parts.hostname:
        raise ValueError("SMTP_URL must look like smtp://user:password@mail.example.org:587.")
    tls, port = kinds[parts.scheme]
    if tls == "none" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ValueError("SMTP_URL may begin with smtp+plain:// only for localhost.")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, parts.port or port, sender, tls, user, password)


def letter(
    sender: str, to: str, subject: str, text: str, headers: Mapping[str, str]
) -> EmailMessage:
    """Return an e-mail in plain text. Raises ValueError for an invalid field, such as a name with a
    line break.
    """
    made = EmailMessage(policy=LINES)
    made["From"] = formataddr((NAME, sender))
    made["To"] = to
    made["Subject"] = subject
    made["Date"] = format_datetime(localtime())
    made["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    made["Auto-Submitted"] = "auto-generated"  # prevents out-of-office replies
    for name, value in headers.items():
        made[name] = value
    made.set_content(text, cte="quoted-printable")
    return made


def deliver(server: MailServer, made: EmailMessage) -> None:
    """Send an e-mail; raises Undelivered."""
    try:
        with _connected(server) as connection:
            if server.tls == "starttls":
                connection.starttls(context=server.trust())
            if server.user:
                connection.login(server.user, server.password)
            connection.send_message(made)
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        hopeless = all(code >= 500 for code in codes)
        raise Undelivered(f"refused: {codes}", hopeless, to_them=True) from error
    except smtplib.SMTPResponseException as error:
        raise Undelivered(f"answered {error.smtp_code}") from error
    except (OSError, smtplib.SMTPException, ValueError) as error:
        raise Undelivered(type(error).__name__) from error


def _connected(server: MailServer) -> smtplib.SMTP:
    if server.tls == "smtps":
        return smtplib.SMTP_SSL(
            server.host, server.port, timeout=server.seconds, context=server.trust()
        )
    return smtplib.SMTP(server.host, server.port, timeout=server.seconds)
