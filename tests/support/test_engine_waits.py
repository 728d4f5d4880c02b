"""Waiting in other engines (tests/browser_engines): a failed wait reports its reason."""

import pytest

from tests.browser_engines.visitor import PLACE, Visitor


class Client:
    """A fake remote control whose page answers as told; cookies may be lost."""

    def __init__(self, answer=None, keeps=True):
        self.answer, self.keeps, self.cookies = answer, keeps, []

    def execute_script(self, script, *values):
        if script == PLACE:
            return ["http://here/t/ABC", "loading", "144"]
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def get(self, address):
        pass

    def delete_all_cookies(self):
        self.cookies.clear()

    def add_cookie(self, cookie):
        if self.keeps:
            self.cookies.append(cookie)

    def get_cookies(self):
        return self.cookies


def test_until_reports_a_failing_script():
    visitor = Visitor("webkit", Client(ValueError("no such element")), "http://here")
    with pytest.raises(AssertionError, match="ValueError: no such element") as wrong:
        visitor.until("return 1", seconds=0)
    assert isinstance(wrong.value.__cause__, ValueError)


def test_until_reports_the_last_value_and_place_on_timeout():
    visitor = Visitor("webkit", Client(False), "http://here")
    with pytest.raises(AssertionError, match="it returned False") as wrong:
        visitor.until("return ver === 145", seconds=0)
    assert "['http://here/t/ABC', 'loading', '144']" in str(wrong.value)


def test_become_fails_if_the_cookie_was_lost():
    visitor = Visitor("webkit", Client(), "http://here")
    visitor.become("mine")
    assert visitor.client.cookies[0]["sameSite"] == "Lax"
    visitor.client.keeps = False
    with pytest.raises(AssertionError, match="webkit did not keep"):
        visitor.become("mine")
