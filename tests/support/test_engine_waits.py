"""What is waited for in other engines (tests/browser_engines): a wait in vain says why."""

import pytest

from tests.browser_engines.somebody import PLACE, Somebody


class Client:
    """A remote control whose page answers as it is told to; cookies may be lost."""

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


def test_until_a_script_fails_tells_its_error():
    somebody = Somebody("webkit", Client(ValueError("no such element")), "http://here")
    with pytest.raises(AssertionError, match="ValueError: no such element") as wrong:
        somebody.until("return 1", seconds=0)
    assert isinstance(wrong.value.__cause__, ValueError)


def test_until_in_vain_tells_the_answer_and_the_place():
    somebody = Somebody("webkit", Client(False), "http://here")
    with pytest.raises(AssertionError, match="it returned False") as wrong:
        somebody.until("return ver === 145", seconds=0)
    assert "['http://here/t/ABC', 'loading', '144']" in str(wrong.value)


def test_become_without_its_cookie_says_so():
    somebody = Somebody("webkit", Client(), "http://here")
    somebody.become("mine")
    assert somebody.client.cookies[0]["sameSite"] == "Lax"
    somebody.client.keeps = False
    with pytest.raises(AssertionError, match="webkit did not keep"):
        somebody.become("mine")
