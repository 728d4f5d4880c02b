"""GOPS's page: its texts at each stage, play by forms, and sealed bids."""

import re
from collections import Counter

import pytest

from kaboom.accounts import players
from kaboom.engine.toolkit.cards import spoken
from kaboom.games.gops.regions import _decisive
from kaboom.games.gops.rules import VALUE, Options, worth
from kaboom.lobby import service as lobby
from kaboom.tables import start_match
from tests.support.browsing import BY_HTMX, settle, to_lift


@pytest.fixture
def seated(table, fake_ids):
    """Return a function that opens a table with a match dealt from a seed."""

    def begun(*names, seed=7, **options):
        fake_ids.seed = lambda: bytes([seed] * 32)
        return table(*names, game="gops", **options)

    return begun


def state_of(service, path):
    return service.get(path[3:]).state


def bids(person):
    form = to_lift(person, "bid")
    return [card for _, card in form.boxes] if form else []


def bid(person, path, rank):
    """Lift the card of that rank and bid it."""
    person.open(path)
    card = next(card for card in bids(person) if card[0] == rank)
    form = to_lift(person, "bid")
    person.send(form, form.buttons[0], [("pick", card)])
    assert person.status == 200


def part(html, name, tag="section"):
    """Return one part of the page as words."""
    found = re.search(rf'<{tag} (?:id="[^"]*" )?class="{name}( turn)?".*?</{tag}>', html, re.DOTALL)
    assert found, f"no {tag} {name}"
    words = re.sub(r"</?b>", "", found[0])
    return " ".join(re.sub(r"<[^>]+>", " ", words).split())


def fragment(person, path):
    """Return the table fragment for this browser, without values specific to the table."""
    html = person.client.get(f"{path}/view", headers=BY_HTMX).text
    return html.replace(path, "/t/CODE").replace(path[3:], "CODE")


def test_player_joins_by_typed_id_waits_and_returns(table, browser, service):
    """The page shows all public information that PyGOPS shows about a round."""
    path, (ann,) = table("Ann", game="gops", ready=False)
    code, ben, cid = path[3:], browser(), browser()
    assert code in ann.open(path).text and "1 more player is needed" in ann.page.text

    def joining(person, typed):
        person.open("/")
        return person.send(person.page.form("/join"), code=typed).text

    assert "There is no table with that code." in joining(ben, "WRNG9999")
    assert "Take a seat" in joining(ben, code.lower())
    ben.send(ben.page.form("/sit"), name="Ben")
    assert "All seats are taken: you are watching" in joining(cid, code)
    ben.send(ben.page.form("/ready"))
    ann.open(path)
    ann.send(ann.page.form("/start"))
    bid(ann, path, "A")
    assert "Waiting for Ben to bid" in ann.page.text
    ann.open(f"{path}/leave")
    ann.send(ann.page.form("/leave"))
    ann.follow("Kaboom")
    assert ann.page.form("/join"), "the page to begin with"


def test_page_shows_the_offer_prizes_to_come_and_hands(seated, service):
    path, (ann, ben) = seated("Ann", "Ben")
    state = state_of(service, path)
    (prize,) = state.on_offer
    assert f"On offer: {VALUE[prize]} point" in part(ann.html, "duel")
    assert spoken(prize) in part(ann.html, "duel")
    listed = re.findall(r"(\w+) of Diamonds", part(ann.html, "left"))
    assert listed == [spoken(c).split()[0] for c in sorted(state.stack, key=VALUE.get)]
    assert [card[1] for card in bids(ann)] == ["S"] * 13
    assert [card[1] for card in bids(ben)] == ["C"] * 13
    rival = part(ann.html, "seat")
    assert rival.startswith("Ben 0 points to bid Ace of Clubs, 2 of Clubs")
    assert "Round 1 of 13" in ann.page.text


def test_a_card_is_lifted_then_bid_and_that_is_final(seated, service):
    path, (ann, ben) = seated("Ann", "Ben")
    form = to_lift(ann, "bid")
    ann.send(form, form.buttons[0], [("pick", "9S")])
    assert "Yes, do it" not in ann.html
    assert state_of(service, path).bids == ["9S", None]
    assert "Your sealed bid is the 9 of Spades." in ann.page.text
    assert "your bid" in part(ann.html, "me")
    assert "Your bid 9 of Spades" in part(ann.html, "duel")
    assert bids(ann) == []
    for card in ("9S", "TS"):
        late = {**form.hidden, "pick": card, "cmd": f"late {card}"}
        answer = ann.client.post(form.action, data=late)
        assert answer.status_code in (409, 422)
        assert 'role="alert"' in answer.text
    assert state_of(service, path).bids == ["9S", None]
    ben.open(path)
    assert part(ben.html, "seat").startswith("Ann 0 points ✓ has bid Ace of Spades,")
    assert "9 of Spades" in part(ben.html, "seat")  # it is still in the hand
    assert "Ann sealed" in part(ben.html, "duel")


def test_one_press_bids_if_lifting_is_off(seated, service):
    path, (ann, _) = seated("Ann", "Ben")
    settle(ann, confirm="0")
    ann.open(path)
    assert to_lift(ann, "bid") is None
    ann.press("Bid the 9 of Spades")
    assert state_of(service, path).bids == ["9S", None]


def test_bid_by_an_outdated_button_needs_confirmation(seated, service):
    path, (ann, _) = seated("Ann", "Ben")
    form = to_lift(ann, "bid")
    fields = {name: form.hidden[name] for name in ("match", "v")}
    answer = ann.client.post(form.action, data={**fields, "move": form.hidden["offer"] + " 9S"})
    ann.open(answer.location)
    assert (
        "Bid the 9 of Spades? Once another player has bid, it cannot be taken back."
    ) in ann.page.text
    assert state_of(service, path).bids == [None, None]
    ann.press("Yes, do it")
    assert state_of(service, path).bids == ["9S", None]


def test_bid_without_a_card_breaks_no_rule(seated):
    _, (ann, _) = seated("Ann", "Ben")
    form = to_lift(ann, "bid")
    ann.send(form, form.buttons[0])
    assert re.search(r'id="notice"[^>]*>Choose one first\.</p>', ann.html), "no rule is named"


def test_a_card_of_the_other_hand_is_refused_with_a_sentence(seated, service):
    path, (ann, _) = seated("Ann", "Ben")
    form = to_lift(ann, "bid")
    answer = ann.client.post(form.action, data={**form.hidden, "pick": "9C"})
    assert answer.status_code == 422
    assert " cannot be chosen now." in answer.text
    assert state_of(service, path).bids == [None, None]


def test_rounds_are_logged_with_bids_prizes_and_winners(seated, service):
    path, (ann, ben) = seated("Ann", "Ben")
    first = state_of(service, path).on_offer
    bid(ann, path, "9")
    bid(ben, path, "4")
    ann.open(path)
    points = worth(first)
    assert ann.html.count('class="paid" data-was="0"') == 2, "at the name, in the table"
    last = part(ann.html, "last-round", "div")
    assert last.startswith(f"Round 1: you win {points} point")
    assert last.endswith("You 9 of Spades Ben 4 of Clubs")
    rank = "10" if first[0][0] == "T" else first[0][0]
    rounds = part(ann.html, "scores rounds", "table")
    assert rounds.endswith(f"Round Prizes You Ben Points {points} 0 1 {rank} 9 +{points} 4")
    tied = state_of(service, path).on_offer
    bid(ann, path, "5")
    bid(ben, path, "5")
    ann.open(path)
    assert "Round 2: a tie, so no one wins." in part(ann.html, "last-round", "div")
    offer = state_of(service, path).on_offer
    assert offer[0] == tied[0]
    assert f"On offer: {worth(offer)} points" in part(ann.html, "duel")
    assert "5 of Clubs" not in part(ann.html, "seat")


@pytest.mark.slow
def test_match_of_two_games_is_played_to_its_end(seated, service):
    path, people = seated("Ann", "Ben", games="2")
    for game in (1, 2):
        for _ in range(13):
            for person, pick in zip(people, (0, -1), strict=True):
                person.open(path)
                bid(person, path, bids(person)[pick][0])
        people[0].open(path)
        assert "13" in part(people[0].html, "scores rounds", "table")
        if game == 1:
            assert "game 1 of 2 is over" in people[0].page.text
            for person in people:
                person.open(path)
                person.press("Ready for the next game")
    for person in people:
        person.open(path)
        assert "The match is over" in person.page.text
        assert "Play again" in person.page.text
        ending = person.html.split('class="ending', 1)[1].split('class="podium"', 1)[0]
        assert "Round 13: " in part(ending, "last-round", "div")
        assert person.html.count('class="last-round"') == 1


def test_spectator_sees_three_hands_and_the_prize_order(service, browser):
    names = ("Ann", "Ben", "Cid")
    ids = [players.player(service, f"key of {name}", name)[0] for name in names]
    code = lobby.open(service, "gops", Options(players=3, show_prize_order=True), ids[0], "Ann")
    for player, name in zip(ids[1:], names[1:], strict=True):
        lobby.sit(service, code, player, name)
    start_match.start(service, code, ids[0])
    watcher = browser()
    watcher.open(f"/t/{code}")
    order = [spoken(card).split()[0] for card in reversed(service.get(code).state.stack)]
    left = part(watcher.html, "left")
    assert "Still to come, in this order:" in left
    assert re.findall(r"(\w+) of Diamonds", left) == order
    assert re.findall(r"</i><b[^>]*>(\w+)</b> <small>", watcher.html) == list(names)
    for suit in ("Spades", "Clubs", "Hearts"):
        assert watcher.page.text.count(f" of {suit}") == 13
    assert not [b for _, b in watcher.page.moves()]


def test_shared_table_part_is_rendered_once(seated, app, browser, monkeypatch):
    path, people = seated("Ann", "Ben")
    for person, rank in zip(people, "94", strict=True):
        bid(person, path, rank)
    kept, asked = app.extensions["kaboom.regions"], set()

    def spy(region, *values):
        asked.add((region.name, values))
        return kept(region, *values)

    monkeypatch.setitem(app.extensions, "kaboom.regions", spy)
    for person in (*people, browser()):
        person.open(path)
    found = Counter(name for name, _ in asked)
    assert [found[name] for name in ("duel", "last", "left", "rival", "hand")] == [2, 2, 1, 2, 1]


def test_bid_changes_no_page_of_others(seated, browser, service):
    """Two tables with one seed; Ann bids her ace at one and her king at the other."""
    pages = []
    for rank in "AK":
        path, (ann, ben) = seated("Ann", "Ben")
        bid(ann, path, rank)
        assert state_of(service, path).bids == [rank + "S", None]
        watcher = browser()
        watcher.open(path)
        pages.append([fragment(ben, path), fragment(watcher, path)])
        assert '✓<span class="visually-hidden"> has bid' in pages[-1][0]
        assert '✓<span class="visually-hidden"> has bid' in pages[-1][1]
    assert pages[0] == pages[1]


def test_rules_page_follows_the_tables_options(seated, browser):
    path, _ = seated("Ann", "Ben", games="3", last_tie="split", bid_seconds="20")
    reader = browser()
    here = " ".join(reader.open(f"{path}/rules").text.split())
    assert "A match has 3 games here" in here
    assert "the tied players share the points evenly. An odd point is lost" in here
    assert "You have 20 seconds." in here
    assert "With three players" not in here
    plain = " ".join(reader.open("/rules/gops").text.split())
    assert "A match is one game here." in plain
    assert "You have" not in plain


def status_of(person, path):
    """Return the heading of a page without scripts: the result shown, then the next step."""
    found = re.search(r'<h2 id="status".*?</h2>', person.open(path) and person.html, re.DOTALL)
    result, _, after = re.sub(r' id="next-\d+"', "", found[0]).partition('<span class="next">')
    return [re.sub(r"<[^>]+>", "", it).strip() for it in (result, after)]


def test_round_result_comes_first_until_a_bid(seated, service):
    path, (ann, ben) = seated("Ann", "Ben")
    first = state_of(service, path)
    points, prize = worth(first.on_offer), first.on_offer[-1]
    assert status_of(ann, path)[1] == "", "nothing has been decided"
    bid(ann, path, "7")
    bid(ben, path, "5")
    won = f"{points} point{'s' if points > 1 else ''}"
    mine, asked = status_of(ann, path)
    assert mine == f"You win {won}: your 7 of Spades against the 5 of Clubs."
    assert asked.startswith("Your turn: bid a card for the ")
    assert spoken(prize) not in asked
    theirs = f"Ann wins {won}: the 7 of Spades against the 5 of Clubs."
    assert status_of(ben, path)[0] == theirs
    for voice in (".txt", ".say"):
        said = " ".join(ann.client.get(f"{path}{voice}").text.split())
        assert "your 7 of Spades against the 5 of Clubs. Your turn: bid" in said
    bid(ann, path, "8")
    assert status_of(ann, path)[1] == "" and "You win" not in status_of(ann, path)[0]
    assert status_of(ben, path)[0] == theirs, "a player who has not bid yet still reads it"


def test_next_prize_is_animated_after_each_result(seated):
    path, (ann, ben) = seated("Ann", "Ben")
    seen = set()
    for mine, theirs in (("7", "5"), ("8", "6")):
        bid(ann, path, mine)
        bid(ben, path, theirs)
        ann.open(path)
        seen.add(re.search(r'id="next-\d+"', ann.html)[0])
        seen.add(re.search(r'<h2 id="on-\d+-\d+"', ann.html)[0])
    assert len(seen) == 4, "an element that stays does not appear again"


def test_equal_bids_are_reported_as_no_winner(seated):
    path, (ann, ben) = seated("Ann", "Ben")
    bid(ann, path, "7")
    bid(ben, path, "7")
    told = status_of(ann, path)[0]
    assert told.startswith("A tie: ") and told.endswith("carried over to the next bids.")


def test_reader_has_the_first_column_of_points_at_any_seat(seated):
    path, (ann, ben) = seated("Ann", "Ben")
    bid(ann, path, "K")
    bid(ben, path, "2")
    for person, head, line in ((ann, "You Ben", "K +"), (ben, "You Ann", "2 K +")):
        person.open(path)
        rounds = part(person.html, "scores rounds", "table")
        assert head in rounds and line in rounds


def test_decisive_round_is_the_first_after_which_nobody_can_catch_up():
    def played(*winners):
        prizes = (13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
        return [
            {"round": number, "points": points, "winner": winner}
            for number, (points, winner) in enumerate(zip(prizes, winners, strict=True), 1)
        ]

    assert _decisive(played(*[1] * 13), 1) == (4, 45)  # 46 are more than half
    assert _decisive(played(0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0), 0) == (13, 0)
    assert _decisive(played(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), 0) == (11, 3)
    assert _decisive(played(0, 0, *[None] * 11), 0)[1] == 0  # a prize until the last bids


def test_three_players_have_one_order_in_the_whole_table(seated):
    path, people = seated("Ann", "Ben", "Cid", players="3")
    for person, rank in zip(people, "K72", strict=True):
        bid(person, path, rank)
    _, ben, _ = people
    ben.open(path)
    assert re.findall(r"<h3>(.*?)</h3>", ben.html)[:3] == ["Your bid", "Cid", "Ann"]
    assert re.findall(r'class="seat.*?<b.*?>(\w+)</b>', ben.html) == ["Cid", "Ann"]
    shown = "You 7 of Clubs Cid 2 of Hearts Ann King of Spades"
    assert part(ben.html, "last-round", "div").endswith(shown)
    assert "Prizes You Cid Ann Points" in part(ben.html, "scores rounds", "table")
