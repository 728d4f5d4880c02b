"""An account is secured in one text browser and used in another."""

import re

import pytest

HANDLE, PASSWORD = "heron", "seven tame herons"


def at_one_s_page(browser):
    browser.press(browser.find("^Your profile"))


def keeping(browser):
    """Sit down at a table, and go to the page that secures the account."""
    browser.type("Your name", "Ann")
    *_link, button = (it for it in browser.spots() if it.words.startswith("Start a table"))
    browser.press(button)
    assert "Ann" in browser.text, browser.report()
    browser.press(browser.find("^Kaboom"))
    at_one_s_page(browser)
    browser.press(browser.find("^Secure your account"))


def coming_in(browser):
    browser.press(browser.find("^Sign in"))


@pytest.mark.parametrize("name", ["lynx", "w3m"])
def test_username_and_password_sign_in_with_a_text_browser(name, browser, tmp_path):
    one = browser(name)
    keeping(one)
    one.type("Username", f"{HANDLE} {name}")
    one.type("characters", PASSWORD)
    one.type("Confirm password", PASSWORD)
    one.press(one.find("^Save"))
    assert "set up" in one.text, one.report()
    two = browser(name, home=tmp_path / "elsewhere")
    assert "Your tables" not in two.text, two.report()
    coming_in(two)
    two.type("Username", f"{HANDLE} {name}")
    two.type("Password", "seven wild herons")
    two.press(two.find("^Sign in with password"))
    assert "Your profile Ann" not in " ".join(two.text.split()), two.report()
    two.type("Username", f"{HANDLE} {name}")
    two.type("Password", PASSWORD)
    two.press(two.find("^Sign in with password"))
    assert "Your profile Ann" in " ".join(two.text.split()), two.report()


def test_recovery_words_sign_in_with_lynx(browser, tmp_path):
    one = browser("lynx")
    keeping(one)
    one.press(one.find("^Create my nine words"))
    words = [found[2] for found in re.finditer(r"(?m)^\s*(\d)\. ([a-z]+)$", one.text)]
    assert len(words) == 9, one.report()
    one.press(one.find("^Check what I wrote down"))
    for number in re.findall(r"Word (\d)", one.text):
        one.type(f"Word {number}", words[int(number) - 1])
    one.press(one.find("^Check these words"))
    two = browser("lynx", home=tmp_path / "elsewhere")
    coming_in(two)
    two.go(two.field("in order"))
    two.keys(f"\r{' '.join(words)}\t")  # in a multi-line field Enter starts a new line
    two.press(two.find("^Sign in with words"))
    assert "Your profile Ann" in " ".join(two.text.split()), two.report()
