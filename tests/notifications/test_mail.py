"""E-mails: a real mail server reads them, and no field becomes a header."""

import ssl
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kaboom.notifications.smtp import MailServer, Undelivered, deliver, letter, mail_server
from tests.support.receivers import FROM, Inbox, taking_letters


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[MailServer, Inbox]]:
    with taking_letters(tmp_path) as found:
        yield found


def made(text: str = "Ann, it is your turn", subject: str = "Kaboom", **headers: str) -> Any:
    return letter(FROM, "ann@example.org", subject, text, headers)


def test_email_arrives_as_plain_text(served: tuple[MailServer, Inbox]) -> None:
    server, inbox = served
    deliver(server, made("Žofie, ni zamu yako\nhttps://cards.example.org/t/X"))
    ((envelope, got),) = inbox.letters
    assert (envelope.mail_from, envelope.rcpt_tos) == (FROM, ["ann@example.org"])
    assert got.get_content_type() == "text/plain"
    assert got.get_content().splitlines()[0] == "Žofie, ni zamu yako"
    assert got["From"] == f"Kaboom <{FROM}>"
    assert got["Auto-Submitted"] == "auto-generated"
    assert got["Message-ID"].endswith("@cards.example.org>")


def test_wrong_password_or_certificate_fails_and_sends_nothing(
    served: tuple[MailServer, Inbox],
) -> None:
    server, inbox = served
    for wrong in (
        replace(server, password="other"),
        replace(server, trust=ssl.create_default_context),
        replace(server, tls="none"),
        replace(server, tls="smtps"),
    ):
        with pytest.raises(Undelivered):
            deliver(wrong, made())
    assert not inbox.letters


@pytest.mark.parametrize(
    ("answer", "hopeless"),
    [("550 no such user", True), ("451 later", False), ("garbage", False), ("421 bye", False)],
)
def test_mail_servers_refusal_says_whether_to_retry(
    answer: str, hopeless: bool, served: tuple[MailServer, Inbox]
) -> None:
    server, inbox = served
    inbox.answer = answer
    with pytest.raises(Undelivered) as error:
        deliver(server, made())
    assert error.value.hopeless is hopeless
    assert not inbox.letters


@pytest.mark.parametrize("bad", ["a\r\nBcc: all@example.org", "a\nX: y", "a\r\n\r\nbody"])
def test_line_break_in_a_field_adds_no_header(bad: str) -> None:
    for build in (
        lambda: made(subject=bad),
        lambda: letter(FROM, bad, "x", "x", {}),
        lambda: made(**{"List-Unsubscribe": bad}),
    ):
        with pytest.raises(ValueError, match=r".+"):
            build()


@pytest.mark.parametrize(
    ("url", "tls", "port"),
    [
        ("smtp://mail.example.org", "starttls", 587),
        ("smtps://a:b@mail.example.org", "smtps", 465),
        ("smtp+plain://localhost:2525", "none", 2525),
    ],
)
def test_mail_server_url_sets_tls_and_port(url: str, tls: str, port: int) -> None:
    found = mail_server(url, FROM)
    assert (found.tls, found.port) == (tls, port)


@pytest.mark.parametrize(
    "url", ["", "mail.example.org", "http://x", "smtp+plain://mail.example.org"]
)
def test_invalid_mail_server_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="SMTP_URL"):
        mail_server(url, FROM)


def test_a_long_link_in_a_header_stays_in_one_piece() -> None:
    link = "<https://cards.example.org/" + "a" * 300 + ">"
    assert f"List-Unsubscribe: {link}\r\n".encode() in made(**{"List-Unsubscribe": link}).as_bytes()
