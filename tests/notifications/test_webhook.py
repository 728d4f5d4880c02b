"""Calling an address somebody entered: only the public internet, whatever its name says."""

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kaboom.notifications.webhook import (
    LONGEST,
    Caution,
    Failed,
    NotAllowed,
    _Straight,
    call,
    checked,
    is_public,
)
from kaboom.notifications.webhook_payloads import SHAPES, News, message
from tests.support.effort import PATIENCE
from tests.support.receivers import NAME, Hook, receiving

NOT_PUBLIC = [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1",
    "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1",
    "::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "100::1", "2001::1",
    "2001:0:7f00:1::1", "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::", "3fff::1", "fc00::1",
    "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "5f00::1", "", "localhost",
    "0x7f.1", "2130706433", "017700000001", "127.1",
]  # fmt: skip
PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::1",
          "::ffff:8.8.8.8"]  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_what_is_not_on_the_public_internet(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_on_the_public_internet(address: str) -> None:
    assert is_public(address)


def never(host: str, port: int) -> list[str]:
    raise AssertionError(f"{host} must not even be looked up")


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/", "ftp://example.org/", "//example.org/", "example.org", "",
        "https://", "https:///path", "https://example.org:8443/", "https://example.org:22/",
        "https://example.org:99999/", "https://example.org:x/", "https://user@example.org/",
        "https://user:word@example.org/", "https://:word@example.org/", "https://@example.org/",
        "https://127.0.0.1/",
        "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[fe80::1%25eth0]/",
        "https://169.254.169.254/latest/", "https://exa mple.org/", "https://example.org/a b",
        "https://example.org/\r\nX: y", "https://example.org/\tx", "https://[::1", "file:///etc",
        "https://" + "a" * 600 + ".org/", "https://\ud800.org/",
    ],
)  # fmt: skip
def test_addresses_that_are_refused_as_they_are_written(address: str) -> None:
    with pytest.raises(NotAllowed):
        call(address, b"{}", Caution(look_up=never))


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("https://example.org", ("example.org", 443, "/")),
        ("https://EXAMPLE.org:443/a/b?c=d&e#f", ("example.org", 443, "/a/b?c=d&e")),
        ("https://münchen.example/ü", ("xn--mnchen-3ya.example", 443, "/%C3%BC")),
        ("https://8.8.8.8/x%20y", ("8.8.8.8", 443, "/x%20y")),
    ],
)
def test_addresses_that_may_be_called(address: str, found: tuple[str, int, str]) -> None:
    assert checked(address, Caution()) == found


@pytest.mark.parametrize("address", [ip for ip in NOT_PUBLIC if ip])
def test_a_name_that_leads_to_such_an_address_is_not_called(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only here: a thread that another test left may still be connecting.
    ours = SimpleNamespace(**vars(socket) | {"create_connection": never})
    monkeypatch.setattr("kaboom.notifications.webhook.socket", ours)
    with pytest.raises(NotAllowed):
        call("https://inside.example.org/", b"{}", Caution(look_up=lambda host, port: [address]))
    with pytest.raises(NotAllowed):  # one public address beside it does not help
        caution = Caution(look_up=lambda host, port: ["8.8.8.8", address])
        call("https://inside.example.org/", b"{}", caution)


@pytest.mark.parametrize("written", ["0x7f.1", "2130706433", "017700000001", "127.1", "localhost"])
def test_other_ways_to_write_this_machine_are_refused_once_resolved(written: str) -> None:
    with pytest.raises((NotAllowed, Failed)):
        call(f"https://{written}/", b"{}", Caution(seconds=1))


def test_a_name_that_is_not_found_fails() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror("unknown")

    with pytest.raises(Failed):
        call("https://example.org/", b"{}", Caution(look_up=unknown))
    with pytest.raises(NotAllowed):
        call("https://example.org/", b"{}", Caution(look_up=lambda host, port: []))


# A real server behind TLS


@pytest.fixture
def hook(tmp_path: Path) -> Iterator[Hook]:
    with receiving(tmp_path) as found:
        yield found


def test_the_body_arrives_at_the_very_address_that_was_found_under_the_name(hook: Any) -> None:
    body = json.dumps({"text": "It is your turn"}).encode()
    call(hook.address, body, hook.caution)
    ((path, headers, got),) = hook.asked
    assert (path, got) == ("/a?b", body)
    assert headers["Host"].startswith(NAME)
    assert headers["Content-Type"] == "application/json"
    assert "Cookie" not in headers


def test_the_headers_that_say_how_to_read_the_body_arrive_and_ours_stay(hook: Any) -> None:
    more = {"Content-Type": "text/plain; charset=utf-8", "Title": "TakeN", "User-Agent": "other"}
    call(hook.address, "Žofie".encode(), hook.caution, more)
    ((_, headers, got),) = hook.asked
    assert got.decode() == "Žofie"
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert (headers["Title"], headers["User-Agent"]) == ("TakeN", "Kaboom")


@pytest.mark.parametrize("shape", SHAPES)
def test_what_each_service_reads_arrives_as_it_was_written(shape: str, hook: Any) -> None:
    news = News("Žofie, ni zamu yako", "King of the Hill", "https://cards.example.org/t/ABCDEFGH")
    said = message(news, hook.address, shape)
    call(hook.address, said.body, hook.caution, said.headers)
    ((_, headers, got),) = hook.asked
    assert got == said.body
    assert said.headers.items() <= headers.items()


@pytest.mark.parametrize("bad", ["a\r\nHost: elsewhere", "Žofie"])
def test_a_header_that_is_none_is_a_failure_and_nothing_is_sent(bad: str, hook: Any) -> None:
    with pytest.raises(Failed):
        call(hook.address, b"x", hook.caution, {"Title": bad})
    assert not hook.asked


def test_a_name_is_looked_up_once_so_a_second_answer_gains_nothing(hook: Any) -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    call(hook.address, b"{}", replace(hook.caution, look_up=lambda host, port: next(answers)))
    assert len(hook.asked) == 1
    assert next(answers) == ["10.0.0.1"]  # nobody asked again


def test_a_redirect_is_a_failure_and_followed_by_nobody(hook: Any) -> None:
    for hook.status in (301, 302, 307, 308, 404, 500):
        with pytest.raises(Failed, match=str(hook.status)):
            call(hook.address, b"{}", hook.caution)
    assert len(hook.asked) == 6


@pytest.mark.parametrize("raw", [b"", b"garbage\r\n\r\n", b"HTTP/1.1 abc OK\r\n\r\n"])
def test_no_answer_and_one_that_is_none_are_failures(raw: bytes, hook: Hook) -> None:
    hook.raw = raw
    with pytest.raises(Failed):
        call(hook.address, b"{}", hook.caution)


def test_a_refusal_tells_its_status_and_how_long_to_wait(hook: Hook) -> None:
    hook.status = 429
    with pytest.raises(Failed) as error:
        call(hook.address, b"{}", hook.caution)
    assert (error.value.status, error.value.after) == (429, 77.0)


def test_a_certificate_for_another_name_is_refused(hook: Any) -> None:
    with pytest.raises(Failed):
        call(hook.address.replace("hook.", "other."), b"{}", hook.caution)
    with pytest.raises(Failed):
        call(hook.address, b"{}", replace(hook.caution, trust=ssl.create_default_context()))
    assert not hook.asked


def test_an_answer_that_comes_byte_by_byte_is_given_up(hook: Any) -> None:
    hook.slowly = 0.2
    began = time.monotonic()
    with pytest.raises(Failed):
        call(hook.address, b"{}", replace(hook.caution, seconds=0.7))
    assert time.monotonic() - began < 10  # the whole answer takes twenty


def test_nobody_there_is_a_failure(hook: Any) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    caution = replace(hook.caution, ports=frozenset({port}))
    with pytest.raises(Failed):
        call(f"https://{NAME}:{port}/", b"{}", caution)


@pytest.mark.parametrize(
    ("more", "refused"),
    [("x" * (LONGEST - 19), True), ("x" * (LONGEST - 20), False), ("a b", True)],
)
def test_an_address_is_as_long_as_it_may_be_and_has_no_spaces(more: str, refused: bool) -> None:
    address = f"https://example.org/{more}"
    if refused:
        with pytest.raises(NotAllowed, match="too long, or holds spaces"):
            checked(address, Caution())
    else:
        assert checked(address, Caution())[:2] == ("example.org", 443)


def test_who_never_agrees_on_a_key_is_given_up_like_who_never_answers() -> None:
    """Greenlets wait anew for each byte of a handshake, so its time must end from outside."""
    ended: list[Exception] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connection = _Straight(NAME, port, "127.0.0.1", Caution(seconds=PATIENCE))
        connection.give_up()  # nothing to end yet

        def calling() -> None:
            try:
                connection.connect()
            except OSError as error:
                ended.append(error)

        thread = threading.Thread(target=calling, daemon=True)
        thread.start()
        with server.accept()[0] as client:
            assert client.recv(1) == b"\x16", "a handshake has begun"
            connection.give_up()
            thread.join(PATIENCE / 2)
            assert ended and not thread.is_alive()
    connection.close()
    connection.give_up()


def test_who_does_not_take_the_connection_is_waited_for_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def nobody(address: tuple[str, int], timeout: float) -> socket.socket:
        asked.append((address, timeout))
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", nobody)
    caution = Caution(lambda it: True, look_up=lambda *_: ["1.2.3.4", "1.2.3.5"], seconds=0.7)
    with pytest.raises(Failed):
        call("https://example.org/", b"{}", caution)
    assert asked == [(("1.2.3.4", 443), 0.7)]
