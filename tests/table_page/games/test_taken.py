"""TakeN's page: its texts at each stage, play by forms, and sealed choices."""

import gzip
import re
from collections import Counter

import pytest

from kaboom.engine.codec import copied
from kaboom.games.taken.regions import SWEEP, moments
from kaboom.games.taken.rules import POINTS, appropriate_row
from tests.support.browsing import BY_HTMX, settle, table_path, to_lift

UPDATE = 2_710  # bytes of a whole table over the wire; most updates are partial
DIRECTIONS = 40  # more if ten names need direction marks
ENDING = 350  # more at the end: why the match ended, all points, and the fold with other things
NAMES = ["Ann", "Ben", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo"]


@pytest.fixture
def seated(table, fake_ids):
    """Return a function that opens a table with a match dealt from a seed."""

    def begun(*names, seed=7, **options):
        fake_ids.seed = lambda: bytes([seed] * 32)
        return table(*names, game="taken", **options)

    return begun


def state_of(service, path):
    return service.get(path[3:]).state


def choices(person):
    form = to_lift(person, "choose")
    return [card for _, card in form.boxes] if form else []


def choose(person, card):
    """Lift a card and play it."""
    form = to_lift(person, "choose")
    person.send(form, form.buttons[0], [("pick", card)])
    return form


def choose_any(people, path, pick=0):
    """Every player plays a card: the first of the hand, or the last."""
    for person in people:
        person.open(path)
        if cards := choices(person):
            choose(person, cards[pick])
            assert person.status == 200


def play_round(people, path, service):
    choose_any(people, path)
    state = state_of(service, path)
    if state.stage == "take":
        taker = people[state.queue[0].seat]
        taker.open(path)
        taker.press("Take row 1")
        taker.press("Yes, do it")


def until_somebody_must_take(people, path, service):
    for _ in range(10):
        choose_any(people, path)
        if state_of(service, path).stage == "take":
            return people[state_of(service, path).queue[0].seat]
    raise AssertionError("no player had to take a row")


def section(html, name):
    """Return one section of the page as words."""
    opened = rf'<(section|div) (?:id="\w+" )?class="{name}[" ].*?</\1>'
    found = re.search(opened, html, re.DOTALL)
    assert found, f"no section {name}"
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def fragment(person, path):
    """Return the table fragment for this browser, without values specific to the table."""
    html = person.client.get(f"{path}/view", headers=BY_HTMX).text
    return html.replace(path, "/t/CODE").replace(path[3:], "CODE")


def test_cards_show_their_points_and_rows_their_cost(seated, service):
    path, (ann, _) = seated("Ann", "Ben")
    state = state_of(service, path)
    for card in (*state.hands[0], *(card for row in state.rows for card in row)):
        points = POINTS[card]
        assert f"{card}, {points} point{'s' * (points != 1)}" in ann.page.text
        assert f'data-i="{card}" data-p="{points}"' in ann.html
    for n, row in enumerate(state.rows, 1):
        cost = POINTS[row[0]]
        assert f"Row {n} {cost} point{'s' * (cost != 1)} :" in section(ann.html, "lanes")
    assert choices(ann) == [str(card) for card in sorted(state.hands[0])]


def test_points_before_a_reveal_are_kept_until_the_next_choice(seated, service):
    path, people = seated("Ann", "Ben", "Cid")
    taken = []
    while not taken:
        assert 'class="paid' not in people[0].html
        play_round(people, path, service)
        state = state_of(service, path)
        taken = [seat for seat, turn in enumerate(state.scores) if turn]
        people[0].open(path)
    shown = 3  # beside the name, and twice in the table of points
    before = [0] * len(taken) * shown
    html = people[0].html
    assert list(map(int, re.findall(r'class="paid(?: recount)?" data-was="(\d+)"', html))) == before
    row = next(turn for turn in state.turns if turn.taken)
    was = sum(POINTS[card] for card in state.before[row.row])
    lane = re.search(
        rf'<b>Row {row.row + 1} <small id="\S+" class="paid s\d+" data-was="(\d+) ', html
    )
    assert int(lane[1]) == was
    choose(people[0], choices(people[0])[0])
    people[0].open(path)
    assert 'class="paid' not in people[0].html


def test_row_warns_that_its_next_card_takes_it(seated, service):
    path, people = seated("Ann", "Ben", "Cid")
    full = set()
    while not full:
        assert "full: the next card takes it" not in people[0].page.text
        play_round(people, path, service)
        state = state_of(service, path)
        full = {n for n, row in enumerate(state.rows, 1) if len(row) == state.options.row_size}
        people[0].open(path)
    lanes = section(people[0].html, "lanes")
    assert set(map(int, re.findall(r"Row (\d+) \d+ points? \(full:", lanes))) == full
    # On screen, a place after each row's last card shows this.
    assert people[0].html.count('data-i="takes the row"') == len(state.rows)


@pytest.mark.slow
def test_card_shows_where_it_would_go(seated, service):
    path, people = seated("Ann", "Ben", "Cid")
    ways = set()
    for _ in range(8):
        state = state_of(service, path)
        for person, hand in zip(people, state.hands, strict=True):
            person.open(path)
            for card in hand:
                row = appropriate_row([it[-1] for it in state.rows], card)
                full = row is not None and len(state.rows[row]) == state.options.row_size
                way = "below every" if row is None else "takes" if full else "to"
                where = "row" if row is None else f"row {row + 1}"
                points = f"{POINTS[card]} point{'s' * (POINTS[card] != 1)}"
                assert f"{card}, {points}, {way} {where}" in person.page.text
                number = 0 if row is None else row + 1
                assert re.search(rf'data-i="{card}" data-p="." data-r="{number}"', person.html)
                ways.add(way)
        play_round(people, path, service)
    assert len(ways) == 3, ways


def test_a_card_is_lifted_then_played_and_that_is_final(seated, service):
    path, (ann, _) = seated("Ann", "Ben")
    card = choices(ann)[3]
    form = choose(ann, card)
    assert "Yes, do it" not in ann.html
    assert state_of(service, path).chosen[0] == int(card)
    assert f"Your sealed card is the {card}." in ann.page.text
    assert re.search(rf">{card}, \d points?</span> sealed", re.sub(r"</?small.*?>", "", ann.html))
    assert choices(ann) == []
    for other in (card, "104"):
        late = {**form.hidden, "pick": other, "cmd": f"late {other}"}
        answer = ann.client.post(form.action, data=late)
        assert answer.status_code in (409, 422)
        assert 'role="alert"' in answer.text
    assert state_of(service, path).chosen[0] == int(card)


def test_one_press_chooses_if_lifting_is_off(seated, service):
    path, (ann, _) = seated("Ann", "Ben")
    card = choices(ann)[3]
    settle(ann, confirm="0")
    ann.open(path)
    assert to_lift(ann, "choose") is None
    ann.press(f"Choose {card}, ")
    assert state_of(service, path).chosen[0] == int(card)


def test_choice_by_an_outdated_button_needs_confirmation(seated, service):
    path, (ann, _) = seated("Ann", "Ben")
    form, card = to_lift(ann, "choose"), choices(ann)[3]
    fields = {name: form.hidden[name] for name in ("match", "v")}
    move = {**fields, "move": f"{form.hidden['offer']} {card}"}
    ann.open(ann.client.post(form.action, data=move).location)
    assert (
        f"Play the {card}? Once another player has chosen, it cannot be taken back."
        in ann.page.text
    )
    assert re.search(rf"{card} (would (be last in|take) |is below every row)", ann.page.text)
    assert state_of(service, path).chosen == [None, None]
    ann.press("Yes, do it")
    assert state_of(service, path).chosen[0] == int(card)


def test_a_card_of_another_hand_is_refused_with_a_sentence(seated, service):
    path, (ann, _) = seated("Ann", "Ben")
    form = to_lift(ann, "choose")
    other = str(state_of(service, path).hands[1][0])
    answer = ann.client.post(form.action, data={**form.hidden, "pick": other})
    assert answer.status_code == 422
    assert " cannot be chosen now." in answer.text
    assert state_of(service, path).chosen == [None, None]


def test_others_see_only_who_has_chosen(seated):
    path, (ann, ben) = seated("Ann", "Ben")
    choose_any([ann], path)
    ben.open(path)
    assert "Ann 0 points ✓ has chosen" in section(ben.html, "crowd")
    assert "sealed" not in ben.page.text


def test_reveal_has_one_event_per_step(seated, service):
    path, people = seated("Ann", "Ben", "Cid")
    choose_any(people, path, -1)
    state = state_of(service, path)
    assert len(state.turns) == 3
    people[0].open(path)
    story = section(people[0].html, "story")
    at = -1
    for turn in state.turns:
        end = f"to row {turn.row + 1}"
        if turn.taken:
            end = f"row {turn.row + 1} was full"
        found = story.find(f"{NAMES[turn.seat] if turn.seat else 'You'} : {end}")
        assert found > at, (turn, story)
        at = found
    assert [turn.card for turn in state.turns] == sorted(turn.card for turn in state.turns)
    for turn in state.turns:  # the rows show the latest card
        assert f"{turn.card}, {POINTS[turn.card]} point" in section(people[0].html, "lanes")


def ghosts(html):
    """Return the cards that visibly leave each row: by row its taker's card, "mine" or "",
    the moment when they have left, and the cards.
    """
    lanes = re.split(r'<div id="lane-\d+" class="lane">', html)[1:]
    look = r'<span id="ghost-(\d+)" class="new ghost( mine)? s(\d+)">(.*?)</span>'
    found = {
        n: [(*it[:3], re.findall(r' data-i="(\d+)"', it[3])) for it in re.findall(look, lane)]
        for n, lane in enumerate(lanes)
    }
    assert sum(map(len, found.values())) == html.count("ghost-")
    return {n: seen for n, seen in found.items() if seen}


def test_taken_row_moves_only_to_its_taker(seated, service):
    path, people = seated("Ann", "Ben", "Cid")
    taking = without = 0
    while service.get(path[3:]).table.playing and not (taking and without):
        play_round(people, path, service)
        turns = state_of(service, path).turns
        assert turns
        for seat, person in enumerate(people):
            expected = {}
            landed = moments([{"chosen": it.chosen, "taken": it.taken} for it in turns])
            for moment, turn in zip(landed, turns, strict=True):
                if turn.taken:
                    mine = " mine" if turn.seat == seat else ""
                    gone = str(moment + SWEEP)
                    left = str(turn.card), mine, gone, [str(it) for it in turn.taken]
                    expected.setdefault(turn.row, []).append(left)
            person.open(path)
            assert ghosts(person.html) == expected
        taking += any(turn.taken for turn in turns)
        without += not any(turn.taken for turn in turns)
    assert taking, "no row was taken"
    assert without, "a row was taken in every round"


def test_row_animation_ends_with_the_next_choice(seated, service):
    path, people = seated("Ann", "Ben", "Cid")
    while not any(turn.taken for turn in state_of(service, path).turns):
        play_round(people, path, service)
    choose_any(people[:1], path)
    people[0].open(path)
    people[1].open(path)
    assert not ghosts(people[0].html)
    assert ghosts(people[1].html)


def test_sixth_card_is_laid_before_its_row_leaves(seated, service):
    """It comes to the end of the row first. A card below every row takes its place at once."""
    path, people = seated("Ann", "Ben", "Cid")
    kinds = set()
    for _ in range(8):
        play_round(people, path, service)
        state = state_of(service, path)
        people[0].open(path)
        for turn in state.turns:
            if not turn.taken:
                continue
            look = rf'<span role="listitem" id="at-{turn.card}" class="(.*?)"'
            row = re.search(look, people[0].html)
            if row is None:  # the row was taken again
                continue
            assert ("took" in row[1].split()) is not turn.chosen
            kinds.add(turn.chosen)
    assert kinds


def test_equal_results_of_two_rounds_are_different_elements(seated, service):
    """Otherwise the second would not be animated."""
    path, people = seated("Ann", "Ben", "Cid")
    results = []
    for _ in range(8):
        play_round(people, path, service)
        people[0].open(path)
        results += re.findall(r'id="came-(\d+)" class="came">(.*?)<', people[0].html)
    assert len({text for _, text in results}) < len(results), "no result occurred twice"
    assert len({number for number, _ in results}) == len(results)


def test_row_that_is_asked_about_is_marked(seated, service):
    path, people = seated("Ann", "Ben", "Cid")
    taker = until_somebody_must_take(people, path, service)
    taker.open(path)
    assert 'class="lane sure"' not in taker.html
    taker.press("Take row 2")
    assert re.findall(r'id="(lane-\d)" class="lane sure"', taker.html) == ["lane-2"]


def test_player_below_all_rows_sees_each_rows_cost(seated, service):
    path, people = seated("Ann", "Ben", "Cid")
    taker = until_somebody_must_take(people, path, service)
    before = copied(state_of(service, path))
    seat, card = before.queue[0].seat, before.queue[0].card
    taker.open(path)
    assert f"your {card} is below every row, so take one." in taker.page.text
    takes = [(f, b) for f, b in taker.page.moves() if " take " in b[1]]
    costs = [sum(POINTS[it] for it in row) for row in before.rows]
    words = [f"Take row {n} for {cost} point{'s' * (cost != 1)}" for n, cost in enumerate(costs, 1)]
    assert [" ".join(b[2].split()) for _, b in takes] == words
    for person in people:
        if person is not taker:
            person.open(path)
            assert not [b for _, b in person.page.moves() if " take " in b[1]]
            assert "below every row" in section(person.html, "story")
    taker.send(*takes[2])
    taker.press("Yes, do it")
    state = state_of(service, path)
    assert state.scores[seat] >= before.scores[seat] + costs[2]
    taken = section(taker.html, "story")
    assert f"You : below every row, so row 3 was taken: {costs[2]} point" in taken
    assert f"({', '.join(map(str, before.rows[2]))})" in taken
    assert f'data-paid="+{costs[2]}"' in taker.html  # a phone shows the cost on the card
    cards = f"{len(state.taken[seat])} taken, {state.scores[seat]} point"
    assert f"You : {cards}" in section(taker.html, "panel")
    assert f"You {state.scores[seat]} point" in section(taker.html, "action-bar")


def test_pages_between_games_and_at_the_end_show_the_scores(seated, service):
    path, people = seated("Ann", "Ben", hand_size="1", max_games="2")
    play_round(people, path, service)
    state = state_of(service, path)
    assert state.stage == "ready"
    people[0].open(path)
    order = re.search(r'<ol class="hand order">.*?</ol>', people[0].html, re.DOTALL)[0]
    assert [int(it) for it in re.findall(r"</b> <span>(\d+)", order)] == sorted(state.scores)
    assert '<li class="first">' in order
    for person in people:
        person.open(path)
        assert "Game 1 is over" in person.page.text
        assert "Game 1 of 2, round 1 of 1" in person.page.text
        person.press("Ready for the next game")
    assert state_of(service, path).past
    play_round(people, path, service)
    people[0].open(path)
    assert "The match is over" in people[0].page.text
    assert "Play again" in people[0].page.text
    final = people[0].html.split('class="final"', 1)[1].split('class="podium"', 1)[0]
    said = " ".join(re.sub(r"<[^>]+>", " ", final).split())
    for turn in state_of(service, path).turns:
        took = f" +{turn.points}" if turn.taken else ""
        points = POINTS[turn.card]
        name = NAMES[turn.seat] if turn.seat else "You"
        lies = f"{name} {turn.card}, {points} point{'s' * (points != 1)}{took}"
        assert lies in said


def weight(person, path):
    """Return the size in bytes of this browser's fragment over the wire."""
    answer = person.client.get(f"{path}/view", headers=BY_HTMX)
    return len(gzip.compress(answer.get_data(), 6, mtime=0))


@pytest.mark.slow
def test_end_page_of_a_ten_player_match_is_small(seated, service):
    """Result, rows and log describe it; the story and the taken cards are in the replay."""
    path, people = seated(*NAMES, max_games="1")
    while service.get(path[3:]).table.playing:
        play_round(people, path, service)
    weights = [weight(person, path) for person in people]
    assert max(weights) <= UPDATE + DIRECTIONS + ENDING, weights
    people[0].open(path)
    assert 'id="h-ending"' in people[0].html
    assert 'id="story-' not in people[0].html
    record = re.search(r'href="(/m/[^/"#]+)', people[0].html)[1]
    last = max(map(int, re.findall(rf'href="{record}/(\d+)"', people[0].html)))
    people[0].open(f"{record}/{last}")
    assert 'id="story-' in people[0].html
    assert 'id="won-' in people[0].html


def test_a_clock_is_shown_while_a_row_is_taken(seated, service):
    path, people = seated("Ann", "Ben", "Cid", take_seconds="30")
    taker = until_somebody_must_take(people, path, service)
    taker.open(path)
    assert "30 seconds left" in taker.page.text


def test_ten_players_get_the_same_log(seated, service):
    path, people = seated(*NAMES)
    play_round(people, path, service)
    for reader, person in enumerate(people):
        person.open(path)
        story = section(person.html, "story")
        named = ["You" if seat == reader else name for seat, name in enumerate(NAMES)]
        assert [story.count(f" {name} ") for name in named] == [1] * 10


@pytest.mark.slow
def test_reveal_is_rendered_once_for_all_spectators(seated, app, service, monkeypatch):
    """Others share it, except viewers who have not chosen yet, and those whose row is being
    taken."""
    path, people = seated(*NAMES)
    while not any(turn.taken for turn in state_of(service, path).turns):
        play_round(people, path, service)
    kept, asked = app.extensions["kaboom.regions"], []

    def spy(region, *values):
        asked.append((region.name, values))
        return kept(region, *values)

    monkeypatch.setitem(app.extensions, "kaboom.regions", spy)
    for person in people:
        person.open(path)
    state = state_of(service, path)
    takers = {(turn.row, turn.seat) for turn in state.turns if turn.taken}
    found = Counter(name for name, _ in set(asked))
    # A viewer who was just answered gets the same edition again, from the cache.
    assert len(state.rows) <= found["row"] <= len(state.rows) + len(takers)
    assert found["story"] <= len(people)  # each is "You" in their own
    assert found["player"] == len(people)
    choose_any(people[:5], path)
    asked.clear()
    for person in people[:5]:
        person.open(path)
    found = Counter(name for name, _ in set(asked))
    assert found["row"] == len(state.rows)
    assert found["story"] <= len(people)  # each is "You" in their own


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 10])
def test_no_page_of_others_depends_on_the_chosen_card(count, seated, browser, service):
    """Two tables with one seed; Ann plays her lowest card at one and her highest at the other."""
    pages = []
    for pick in (0, -1):
        path, people = seated(*NAMES[:count])
        choose_any(people[:1], path, pick)
        assert state_of(service, path).chosen[0] in state_of(service, path).hands[0]
        choose_any(people[2:], path)
        watcher = browser()
        watcher.open(path)
        assert table_path(people[1]) == path
        pages.append([fragment(person, path) for person in (*people[1:], watcher)])
    assert pages[0] == pages[1]
    assert len({len(page) for page in pages[0]}) > 1  # different viewers did look


def test_rules_page_follows_the_tables_options(seated, browser):
    path, _ = seated("Ann", "Ben", hand_size="7", row_size="4", take_seconds="30", max_games="1")
    reader = browser()
    here = " ".join(reader.open(f"{path}/rules").text.split())
    assert "Each player gets 7, and 4 are turned up" in here
    assert "its player takes all 4" in here
    assert "You have 30 seconds to choose a row." in here
    assert "The match is over after this one game." in here
    plain = " ".join(reader.open("/rules/taken").text.split())
    assert "when a player has 66 points or more" in plain
    assert "You have" not in plain


def test_page_says_how_a_lifted_card_is_played(seated):
    _, (ann, _) = seated("Ann", "Ben")
    assert "Press a card, then press it again or press “Play”." in ann.page.text


@pytest.mark.parametrize(
    ("games", "heading"), [(1, "Round 1 of 10"), (3, "Game 1 of 3, round 1 of 10")]
)
def test_a_match_of_one_game_counts_no_games(seated, games, heading):
    _, (ann, _) = seated("Ann", "Ben", max_games=str(games))
    assert f"<h2>{heading}</h2>" in ann.html
