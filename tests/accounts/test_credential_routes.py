"""Securing an account and signing in elsewhere, in browsers without scripts."""

import re


def nine(page_html):
    return re.findall(r"<li>([a-z]+)</li>", page_html)


def come_in_by(visitor, words):
    """Enter the recovery code on `/login`."""
    visitor.open("/login")
    form = visitor.page.form("/login/recovery-words")
    form.hidden["words"] = ""  # a multi-line field
    visitor.send(form, words="\n".join(words))


def keep_by_words(visitor):
    """Create a recovery code and confirm three of its words; return all nine."""
    visitor.open("/settings/account")
    visitor.press("Create my nine words")
    words = nine(visitor.html)
    visitor.follow("Check what I wrote down")
    asked = [int(number) for number in re.findall(r"Word (\d)", visitor.page.text)]
    typed = {f"word{n}": words[number - 1] for n, number in enumerate(asked, 1)}
    visitor.send(visitor.page.form("/recovery-words/check"), **typed)
    assert "set up" in visitor.page.text
    assert "Correct: " in visitor.page.text
    return words


def test_recovery_words_sign_in_after_signing_out(table, browser):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open("/settings/account")
    ann.press("Create my nine words")
    assert "They work from now on" in ann.page.text
    phone = browser()
    come_in_by(phone, nine(ann.html))
    assert "Ann" in phone.page.text


def test_recovery_words_restore_a_seat_and_are_shown_once(table, browser):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    words = keep_by_words(ann)
    assert len(words) == 9
    for page in ("/settings/account", "/settings/account/recovery-words", "/account", path):
        ann.open(page)
        assert not set(words) & set(nine(ann.html))
    phone = browser()
    come_in_by(phone, words)
    assert "Ann" in phone.page.text
    phone.open(path)
    assert phone.page.moves()  # the running match continues there


def test_username_and_password_sign_in_on_a_new_device(table, browser):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open("/settings/account")
    fields = {"password": "seven tame herons", "again": "seven tame herons"}
    ann.send(ann.page.form("/password"), handle="ann.b", **fields)
    assert "Your username is ann.b" in ann.page.text
    phone = browser()
    phone.open("/login")
    answers = []
    for handle, password in (("nobody", "seven tame herons"), ("ann.b", "seven tame geese")):
        answer = phone.send(phone.page.form("/login/password"), handle=handle, password=password)
        answers.append((phone.status, answer.text))
        assert f'value="{handle}"' in phone.html  # need not be typed again
        assert password not in phone.html
    assert answers[0] == answers[1]
    assert answers[0][0] == 403
    phone.send(phone.page.form("/login/password"), handle="Ann.B", password="seven tame herons")
    assert "Ann" in phone.page.text


def test_device_link_signs_in_another_device(table, browser):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open("/settings/devices")
    ann.press("Add a device")
    link = re.search(r'value="[^"]*(/login/[\w-]+)"', ann.html)[1]
    phone = browser()
    for _ in range(2):  # link previews in messengers do not use up the link
        phone.open(link)
        assert "Ann" in phone.page.text
    phone.press("Sign in on this device")
    phone.open(path)
    assert phone.page.moves()
    stranger = browser()
    stranger.open(link)
    assert stranger.status == 410
    # Signed out on the laptop, the phone belongs to a stranger.
    ann.open("/settings/devices")
    ann.press("Sign out all others")
    phone.open(path)
    assert not phone.page.moves()


def test_signing_out_a_device_ends_only_its_own_stream(table, browser, monkeypatch):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open("/settings/devices")
    ann.press("Add a device")
    phone = browser()
    phone.open(re.search(r'value="[^"]*(/login/[\w-]+)"', ann.html)[1])
    phone.press("Sign in on this device")
    monkeypatch.setattr("kaboom.realtime.stream.HEARTBEAT", 0.05)
    monkeypatch.setattr("kaboom.realtime.stream.LIFE", 10.0)
    streams = [person.client.get(f"{path}/events", buffered=False) for person in (phone, ann)]
    signed_out, stays = (it.iter_encoded() for it in streams)
    assert b"event:table" in next(signed_out) and b"event:table" in next(stays)
    ann.client.post("/settings/devices/sign-out", data={"device": "others"})
    assert b"event:bye" in next(signed_out) and list(signed_out) == []
    assert not any(b"event:bye" in next(stays) for _ in range(3))
    for it in streams:
        it.close()


def test_signed_in_player_confirms_signing_in_as_another(table, browser):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops")
    words = keep_by_words(ann)
    _path, (cleo, _dan) = table("Cleo", "Dan", game="gops")
    come_in_by(cleo, words)
    assert "You will be signed in as Ann" in cleo.page.text
    cleo.open("/account")
    assert "Cleo" in cleo.page.text


def test_end_of_third_match_offers_to_secure_the_account(table, browser):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    offered = []
    for _ in range(3):
        ann.open(f"{path}/leave")
        ann.send(next(form for form in ann.page.forms if form.action.endswith("/leave")))
        ann.open(path)
        assert "/settings/account" not in browser().open(path).text
        ann.send(ann.page.form("/sit"), name="Ann")
        offered.append("Secure your account" in ann.page.text)
        for person in (ann, ben):
            person.open(path)
            person.send(person.page.form("/rematch"))
    assert offered == [False, False, True]
