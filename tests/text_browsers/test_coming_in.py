"""A seat is kept in one text browser, and come back to in another."""

import re

import pytest

HANDLE, PASSWORD = "heron", "seven tame herons"


def at_one_s_page(browser):
    browser.press(browser.find("^Your matches"))


def keeping(browser):
    """Sit down at a table, and go to where a seat is kept."""
    browser.type("Your name", "Ann")
    browser.press(browser.find("^Start a table"))
    assert "Ann" in browser.text, browser.report()
    browser.press(browser.find("^Kaboom"))
    at_one_s_page(browser)
    browser.press(browser.find("^Keep your seat"))


def coming_in(browser):
    at_one_s_page(browser)
    browser.press(browser.find("^Come in"))


@pytest.mark.parametrize("name", ["lynx", "w3m"])
def test_one_comes_in_by_handle_and_password(name, browser, tmp_path):
    one = browser(name)
    keeping(one)
    one.type("Handle", f"{HANDLE} {name}")
    one.type("characters or more", PASSWORD)
    one.type("once more", PASSWORD)
    one.press(one.find("^Keep them"))
    assert "you have them" in one.text, one.report()
    two = browser(name, home=tmp_path / "elsewhere")
    assert "Your tables" not in two.text, two.report()
    coming_in(two)
    two.type("Handle", f"{HANDLE} {name}")
    two.type("Password", "seven wild herons")
    two.press(two.find("^Come in by password"))
    assert "Your page Ann" not in two.text, two.report()
    two.type("Handle", f"{HANDLE} {name}")
    two.type("Password", PASSWORD)
    two.press(two.find("^Come in by password"))
    assert "Your page Ann" in two.text, two.report()


def test_one_comes_in_by_nine_words_in_lynx(browser, tmp_path):
    one = browser("lynx")
    keeping(one)
    one.press(one.find("^Make my nine words"))
    words = [found[2] for found in re.finditer(r"(?m)^\s*(\d)\. ([a-z]+)$", one.text)]
    assert len(words) == 9, one.report()
    one.press(one.find("^Try what I have written"))
    for number in re.findall(r"Word (\d)", one.text):
        one.type(f"Word {number}", words[int(number) - 1])
    one.press(one.find("^These are they"))
    two = browser("lynx", home=tmp_path / "elsewhere")
    coming_in(two)
    two.go(two.field("in their order"))
    two.keys(f"\r{' '.join(words)}\t")  # of several lines, so that Enter is a new one
    two.press(two.find("^Come in by words"))
    assert "Your page Ann" in two.text, two.report()
