"""Private notes, several people at one browser, and links to send, in w3m."""

import re

from tests.support.server import ROOT

NOTE = "Ben bluffs with Jacks"


def begun(one):
    """Start a match of Karata against bots."""
    one.press(one.find("^Options for Karata"))
    one.type("Your name", "Ann")
    one.press(one.find("^Start now"))


def test_note_written_in_an_external_editor_is_saved(browser, tmp_path, monkeypatch):
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\nfor file; do :; done\necho '{NOTE}' > \"$file\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    one = browser("w3m")
    begun(one)
    one.press(one.find("^My notes"))
    one.press(one.field("About this match"))
    one.press(one.find("^Keep it"))
    assert "Saved." in one.text and NOTE in one.text, one.report()
    one.press(one.find("^Back to the table"))
    assert NOTE not in one.text and "New messages" not in one.text, one.report()
    one.press(one.find("^Pause, leave or play on"))
    one.press(one.find("^Resign and leave"))
    one.press(one.find("^Review this match"))
    assert f"My notes\n{NOTE}\nOnly you can see this." in one.text, one.report()


def test_w3m_shared_by_two_shows_no_cards_between_turns(browser):
    one = browser("w3m")
    one.press(one.find("^Options for Karata"))
    one.type("Your name", "Ann")
    one.press(one.find("^Start a table"))
    one.press(one.find("^Several players on this device"))
    one.type("Name of another player", "Ben")
    one.press(one.find("^Sit down"))
    one.press(one.find("^I am Ann"))
    assert re.search(r"• Ann you host\n\W+Ben ready", one.text), one.report()
    one.press(one.find("^Start the match"))
    names, hands = ("Ann", "Ben"), []
    for turn in range(2):
        hands.append(re.findall(r"• (\w+ of \w+|\w+ Joker)", one.text))
        assert len(hands[turn]) == 4, one.report()
        one.press(one.find("^Draw 1 card"))
        if "Then say last card" in one.text:
            one.press(one.find("^No$"))
        assert f"{names[1 - turn]}, take the phone" in one.text, one.report()
        assert not [card for card in hands[turn] if card in one.text], one.report()
        one.press(one.find(f"^I am {names[1 - turn]}: show my cards"))
    assert hands[0] != hands[1] and re.search(r"You 5 cards\W+Your hand", one.text), one.report()


def test_shareable_links_are_shown_in_full(browser):
    """w3m shows only the beginning of a text that is longer than its field."""
    one = browser("w3m")
    one.press(one.find("^Options for GOPS"))
    one.type("Your name", "Ann")
    one.press(one.find("^Start a table"))
    assert re.search(r"Send this link \[http\S+/t/\w{8}\]", one.text), one.report()
    one.press(one.find("^Kaboom"))
    one.press(one.find("^Your profile"))
    one.press(one.find("^Friends"))
    one.press(one.find("^Create a link for a friend"))
    assert re.search(r"One-time link \[http\S+/friends/add/[\w-]{32}\]", one.text), one.report()


def test_every_read_only_field_has_a_size():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html")]
    fields = [it for text in texts for it in re.findall(r"<input[^>]* readonly[^>]*>", text)]
    assert len(fields) > 9
    assert not [it for it in fields if " size=" not in it]
