"""Sounds at a table: off by default, and only for public events."""

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import box
from tests.browser.stage import all_ready, pass_turn

# The calls of the audio API: the duration of each noise, the pitch of each tone.
LISTENING = """(() => {
  window.heard = []
  const gain = {setValueAtTime(it) { window.loudest = Math.max(window.loudest || 0, it) },
    exponentialRampToValueAtTime() {}}
  window.AudioContext = class {
    currentTime = 0; sampleRate = 8000; state = "running"
    resume() { return Promise.resolve() }
    createGain() { return {gain, connect() {}} }
    createOscillator() {
      let pitch
      return {frequency: {setValueAtTime(it) { pitch = it }, exponentialRampToValueAtTime() {}},
        connect() {}, start() { window.heard.push(pitch) }, stop() {}}
    }
    createBuffer(one, size, rate) {
      return {size, rate, getChannelData: () => new Float32Array(size)}
    }
    createBufferSource() {
      return {connect() {}, start() { window.heard.push(this.buffer.size / this.buffer.rate) }}
    }
  }
})()"""
CARD, FLIP, TURN = [0.04], [0.03, 0.05], [660, 880]
KABOOM, WIN = [0.6, 140], [523, 659, 784, 1047]


@pytest.fixture
def listening(person):
    """Open a table with sounds, and return a function that lists the sounds since its last call."""

    def opened(match, seat, volume=2):
        visitor = person(key=match.keys[seat])
        visitor.context.add_init_script(LISTENING)
        cookie = {"name": "kb-settings", "value": f"sound={volume}", "url": visitor.url}
        visitor.context.add_cookies([cookie])
        visitor.page.goto(match.path)
        expect(visitor.page.locator("#room-n")).to_have_count(1)

        def heard():
            expect(visitor.page.locator("#ver")).to_have_value(str(match.revision(seat)))
            visitor.page.wait_for_timeout(50)
            return visitor.page.evaluate("window.heard.splice(0)")

        return visitor.page, heard

    return opened


@pytest.fixture
def match(stage):
    match = stage.begun("Ann", "Ben", "Cid", rounds=1)
    all_ready(match)
    while match.state.turn != 1:
        pass_turn(match)
    return match


def test_card_turn_and_kaboom_play_sounds(match, listening):
    _, heard = listening(match, 0)
    assert heard() == []  # earlier events are silent
    match.play(1, "draw")
    assert heard() == CARD
    match.play(1, "discard")
    heard()
    match.play(2, "kaboom")
    assert heard() == [*KABOOM, *TURN]


def test_flip_and_victory_play_sounds(stage, listening):
    match = stage.begun("Ann", "Ben", game="gops")
    now = match.look()
    while len(match.view(None).facts["history"]) < 10:  # of thirteen rounds
        now = match.drift_unseen(now)
    pages = [listening(match, seat) for seat in (0, 1)]
    match.drift()
    assert [heard() for _, heard in pages] == [CARD, CARD]
    match.drift()
    for _, heard in pages:
        assert heard()
    while match.look().table.playing:
        match.drift()
    winner = match.look().table.outcome.winners[0]
    for seat, (_, heard) in enumerate(pages):
        told = heard()
        assert (told[-4:] == WIN) == (seat == winner)
        assert all(it in told for it in FLIP)


def test_hidden_tab_plays_only_the_turn_sound(match, listening):
    page, heard = listening(match, 0)
    page.evaluate("Object.defineProperty(document, 'hidden', {get: () => true})")
    match.play(1, "draw")
    assert heard() == []
    match.play(1, "discard")
    match.play(2, "draw")
    match.play(2, "discard")
    assert heard() == TURN


def test_volume_follows_the_settings(match, listening):
    loudest = {}
    for volume in (1, 3):
        page, heard = listening(match, 0, volume)
        match.play(match.state.turn, "draw" if volume == 1 else "discard")
        assert heard()
        loudest[volume] = page.evaluate("window.loudest")
    assert loudest[1] == pytest.approx(loudest[3] / 3)


def test_private_event_plays_no_sound(stage, listening):
    """Sounds must not reveal private events to people near the player."""
    match = stage.begun("Ann", "Ben", game="gops")
    page, heard = listening(match, 0)
    match.play(0, "bid 5S")
    assert heard() == CARD
    private = page.locator("#log li", has_text="Your sealed bid is")
    assert private.count() == 1
    assert private.get_attribute("data-sound") is None


def test_sound_is_offered_once_after_the_deal_and_loads_nothing(stage, guest):
    match = stage.opened("Ann", "Ben")
    ann = guest(match.path, key=match.keys[0])
    expect(ann.page.locator("#room-n")).to_have_count(1)
    ann.page.wait_for_timeout(400)
    ask = ann.page.locator("#hear button")
    assert ask.count() == 0
    match.post(0, "start")
    expect(ask).to_have_count(2)
    assert "sound.js" not in ann.page.content()
    with ann.page.expect_navigation():
        ask.first.click()
    expect(ann.page.locator("#table.playing")).to_be_visible()
    assert "sound.js" in ann.page.content()
    assert ann.page.locator("html").get_attribute("data-sound") == "2"
    expect(ann.page.locator("#room-n")).to_have_count(1)
    assert ask.count() == 0


def test_declined_sound_is_not_offered_again(match, guest):
    ann = guest(match.path, key=match.keys[0])
    ann.page.get_by_role("button", name="No", exact=True).click()
    expect(ann.page.locator("#room-n")).to_have_count(1)
    ann.page.wait_for_timeout(200)
    assert ann.page.locator("#hear button").count() == 0
    assert "sound.js" not in ann.page.content()


def test_first_move_ends_the_offer_of_sound(match, guest):
    ben = guest(match.path, key=match.keys[1])
    offer = ben.page.locator("#hear form")
    expect(offer).to_have_count(1)
    ben.page.locator("#stock button").click()
    expect(offer).to_have_count(0)
    ben.page.goto(match.path)
    expect(ben.page.locator("#room-n")).to_have_count(1)
    ben.page.wait_for_timeout(200)
    assert offer.count() == 0


def test_sound_is_not_offered_without_scripts(match, guest):
    ann = guest(match.path, key=match.keys[0], scripts=False)
    assert "sound" not in ann.page.locator("main").inner_text()
    spectator = guest(match.path)
    expect(spectator.page.locator("#room-n")).to_have_count(1)
    assert spectator.page.locator("#hear button").count() == 0


@pytest.mark.parametrize("size", [(360, 740), (820, 1180), (1366, 650)])
def test_sound_is_offered_in_view_and_covers_nothing(stage, guest, size):
    match = stage.begun("Ann", "Ben", game="gops")
    page = guest(key=match.keys[0], width=size[0], height=size[1])
    page.context.add_cookies([{"name": "kb-tips", "value": "gops", "url": page.url}])
    page = page.page
    page.goto(match.path)
    yes = page.get_by_role("button", name="Turn on sound")
    expect(yes).to_be_in_viewport(ratio=1)
    offer, ring = box(page, "#hear form"), box(page, ".ring")
    assert offer["bottom"] <= ring["top"] + 1
    assert page.get_by_text("Sound?").is_visible() == (size[0] > 360)
    title = page.locator(".top h1")
    if size[0] == 360:  # one icon, which leaves the title in view
        assert title.evaluate("it => getComputedStyle(it).opacity") == "1"
        right = title.locator("small").bounding_box()
        assert right["x"] + right["width"] <= offer["left"] + 1
    for other in (".brand", "#chat-link", ".status-link", ".set"):
        it = box(page, other)
        assert it["right"] <= offer["left"] + 1 or offer["right"] - 1 <= it["left"], other
    yes.click()
    expect(page.locator("html")).to_have_attribute("data-sound", "2")
    expect(page.locator("#hear form")).to_have_count(0)
