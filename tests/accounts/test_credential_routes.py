"""Keeping a seat and coming in elsewhere, in browsers without scripts."""

import re

from kaboom.realtime.stream import table_events


def nine(page_html):
    return re.findall(r"<li>([a-z]+)</li>", page_html)


def come_in_by(somebody, words):
    """Let somebody type the words into the field of `/in`."""
    somebody.open("/in")
    form = somebody.page.form("/in/words")
    form.hidden["words"] = ""  # a field of several lines
    somebody.send(form, words="\n".join(words))


def keep_by_words(somebody):
    """Let somebody make nine words, and try three of them; return all nine."""
    somebody.open("/me/keep")
    somebody.press("Make my nine words")
    words = nine(somebody.html)
    somebody.open(
        next(link for link, text in somebody.page.links if text == "Try what I have written")
    )
    asked = [int(number) for number in re.findall(r"Word (\d)", somebody.page.text)]
    typed = {f"word{n}": words[number - 1] for n, number in enumerate(asked, 1)}
    somebody.send(somebody.page.form("/words/tried"), **typed)
    assert "you have them" in somebody.page.text
    assert "Those are right" in somebody.page.text
    return words


def test_who_writes_nine_words_down_and_leaves_can_come_in(table, browser):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open("/me/keep")
    ann.press("Make my nine words")
    assert "They let you in from now on" in ann.page.text
    phone = browser()
    come_in_by(phone, nine(ann.html))
    assert "Ann" in phone.page.text


def test_nine_words_bring_a_seat_to_a_new_device_and_are_shown_once(table, browser):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    words = keep_by_words(ann)
    assert len(words) == 9
    for page in ("/me/keep", "/me/keep/words", "/me", path):
        ann.open(page)
        assert not set(words) & set(nine(ann.html))
    phone = browser()
    come_in_by(phone, words)
    assert "Ann" in phone.page.text
    phone.open(path)
    assert phone.page.moves()  # the running match goes on there


def test_handle_and_password_bring_a_seat_to_a_new_device(table, browser):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open("/me/keep")
    fields = {"password": "seven tame herons", "again": "seven tame herons"}
    ann.send(ann.page.form("/password"), handle="ann.b", **fields)
    assert "Your handle is ann.b" in ann.page.text
    phone = browser()
    phone.open("/in")
    answers = []
    for handle, password in (("nobody", "seven tame herons"), ("ann.b", "seven tame geese")):
        answer = phone.send(phone.page.form("/in/password"), handle=handle, password=password)
        answers.append((phone.status, answer.text))
        assert handle not in phone.html
    assert answers[0] == answers[1]
    assert answers[0][0] == 403
    phone.send(phone.page.form("/in/password"), handle="Ann.B", password="seven tame herons")
    assert "Ann" in phone.page.text


def test_a_link_from_ones_devices_lets_another_device_in_by_a_press(table, browser):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open("/me/devices")
    ann.press("Add a device")
    link = re.search(r'value="[^"]*(/in/[\w-]+)"', ann.html)[1]
    phone = browser()
    for _ in range(2):  # programs that look at links in messages use nothing up
        phone.open(link)
        assert "Ann" in phone.page.text
    phone.press("Come in on this device")
    phone.open(path)
    assert phone.page.moves()
    stranger = browser()
    stranger.open(link)
    assert stranger.status == 410
    # Signed out on the laptop, the phone is a stranger's.
    ann.open("/me/devices")
    ann.press("Sign out all the others")
    phone.open(path)
    assert not phone.page.moves()


def test_signing_a_device_out_ends_its_stream_and_no_other(table, browser, monkeypatch):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open("/me/devices")
    ann.press("Add a device")
    phone = browser()
    phone.open(re.search(r'value="[^"]*(/in/[\w-]+)"', ann.html)[1])
    phone.press("Come in on this device")
    monkeypatch.setattr(table_events, "heartbeat", 0.05)
    monkeypatch.setattr(table_events, "life", 10.0)
    streams = [person.client.get(f"{path}/events", buffered=False) for person in (phone, ann)]
    signed_out, stays = (it.iter_encoded() for it in streams)
    assert b"event:table" in next(signed_out) and b"event:table" in next(stays)
    ann.client.post("/me/devices/out", data={"device": "others"})
    assert b"event:bye" in next(signed_out) and list(signed_out) == []
    assert not any(b"event:bye" in next(stays) for _ in range(3))
    for it in streams:
        it.close()


def test_who_is_somebody_already_is_asked_before_coming_in(table, browser):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops")
    words = keep_by_words(ann)
    _path, (cleo, _dan) = table("Cleo", "Dan", game="gops")
    come_in_by(cleo, words)
    assert "You will be Ann here" in cleo.page.text
    cleo.open("/me")
    assert "Cleo" in cleo.page.text


def test_a_seat_is_offered_to_be_kept_at_the_end_of_the_third_match(table, browser):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    offered = []
    for _ in range(3):
        ann.open(f"{path}/leave")
        ann.send(next(form for form in ann.page.forms if form.action.endswith("/leave")))
        ann.open(path)
        assert "/me/keep" not in browser().open(path).text
        ann.send(ann.page.form("/sit"), name="Ann")
        offered.append("Keep your seat" in ann.page.text)
        for person in (ann, ben):
            person.open(path)
            person.send(person.page.form("/rematch"))
    assert offered == [False, False, True]
