"""Letters nobody takes are the host's business, who finds the reason in the log, once."""

from kaboom.config import ServerSettings
from kaboom.notifications import mail
from kaboom.notifications.channels import MAIL
from kaboom.notifications.delivery import Post, Said
from kaboom.notifications.mail import MailServer, Undelivered
from kaboom.notifications.outbox import NotArrived
from kaboom.notifications.webhook import Caution

SERVER = MailServer("mail.example.org", 587, "cards@example.org")


def test_the_log_says_that_no_letter_is_taken_and_when_they_are_again(monkeypatch, caplog):
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

    monkeypatch.setattr(mail, "deliver", deliver)
    post = Post(ServerSettings(), None, Caution(), SERVER)
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
    assert away.startswith("letters cannot be handed in: mail.example.org:587 ConnectionRefused")
    assert back == "letters can be handed in again"
