"""Refused e-mails concern the host: the reason is logged once."""

from kaboom.config import ServerSettings
from kaboom.notifications import smtp
from kaboom.notifications.channels import MAIL
from kaboom.notifications.delivery import Post, Said
from kaboom.notifications.retries import NotArrived
from kaboom.notifications.smtp import MailServer, Undelivered
from kaboom.web.outgoing.url_policy import UrlPolicy

SERVER = MailServer("mail.example.org", 587, "cards@example.org")


def test_log_says_when_mail_is_refused_and_accepted_again(monkeypatch, caplog):
    answers = [
        Undelivered("ConnectionRefusedError"),
        Undelivered("TimeoutError"),
        Undelivered("refused: [550]", hopeless=True, to_them=True),
        None,
        Undelivered("refused: [550]", hopeless=True, to_them=True),
    ]

    def deliver(server, made):
        if (error := answers.pop(0)) is not None:
            raise error

    monkeypatch.setattr(smtp, "deliver", deliver)
    post = Post(ServerSettings(), None, UrlPolicy(), SERVER)
    said = Said("Kaboom", "Ann, it is your turn", "https://cards.example.org/t/X")
    arrived = 0
    while answers:
        try:
            post.tell(MAIL, "secret secret ann@example.org", said, "https://cards.example.org")
            arrived += 1
        except NotArrived:
            pass
    assert arrived == 1
    away, back = caplog.messages
    assert away.startswith("e-mails cannot be sent: mail.example.org:587 ConnectionRefused")
    assert back == "e-mails can be sent again"
