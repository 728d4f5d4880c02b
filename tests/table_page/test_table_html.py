"""Cached parts of a table's page: a viewer sees the same as without caches."""

import pytest
from markupsafe import Markup

from kaboom.engine.options import written
from kaboom.engine.rng import Rng
from kaboom.engine.table_view import Draw
from kaboom.engine.views import Offer, Prompt
from kaboom.games import GAMES, sample
from kaboom.table_page import table_html
from tests.support.browsing import table_path
from tests.support.effort import often

pytestmark = pytest.mark.usefixtures("waiting_lets_time_pass")
LANGUAGES = often(("en", "sw"), soak=("en", "fr", "sw"))
KEPT, DRAWING = "kaboom.regions", "kaboom.drawing"


@pytest.fixture
def tables(app, browser):
    """Return a function that begins two tables of a game, some of whose players share names."""

    def begun(game):
        found, seats = [], max(2, GAMES[game].seats(GAMES[game].options(**sample(game).short))[0])
        for names in (["Ann", "Ben", "Cid", "Dot", "Eve"], ["Dot", "Eve", "Ann", "Gus", "Hal"]):
            people = [browser() for _ in names[:seats]]
            people[0].open(f"/start/{game}")
            people[0].send(
                people[0].page.form("/tables"), name=names[0], **written(sample(game).short)
            )
            path = table_path(people[0])
            for person, name in zip(people[1:], names[1:], strict=False):
                person.open(path)
                person.send(person.page.form("/sit"), name=name)
            people[0].open(path)
            people[0].send(people[0].page.form("/start"))
            found.append((path, people))
        return found

    return begun


def drawn(person, path, language):
    """Return the table as sent to htmx."""
    asked = {"HX-Request": "true", "Accept-Language": language}
    person.client.delete_cookie("kb-dealt")  # a deal is animated once
    answer = person.client.get(f"{path}/view", headers=asked)
    assert answer.status_code == 200
    assert b"\0" not in answer.data, "a mark was left"
    return answer.data


def differences(app, path, people):
    """Return the viewers and languages for which the table from cached regions differs."""
    keep = app.extensions[DRAWING]
    for viewer, person in enumerate(people):
        for language in LANGUAGES:
            warm = drawn(person, path, language)
            app.extensions[DRAWING] = lambda template, _: whole(app, template)
            try:
                if warm != drawn(person, path, language):
                    yield viewer, language
            finally:
                app.extensions[DRAWING] = keep


def whole(app, template):
    """Return a renderer of a template's regions without caches or placeholders."""
    macros = app.jinja_env.get_template(template).module

    def anew(region, *values):
        return getattr(macros, region)(*values)

    return Draw(anew, anew, anew)


def looked_at(app, tables, game, presses, browser):
    """Play at two tables at random; yield the differences at each step."""
    watching = browser()
    found = tables(game)
    for number in range(presses):
        path, people = found[number % 2]
        for seat in Rng(bytes(32), number, "who").shuffled(range(len(people))):
            person = people[seat]
            person.open(path)
            if person.page.moves():
                person.play_on(Rng(bytes(32), number, "what"))
                break
        yield from differences(app, path, [*people, watching])


@pytest.mark.parametrize("game", list(GAMES))
def test_cached_page_equals_a_fresh_one_byte_for_byte(app, tables, game, browser):
    assert not list(looked_at(app, tables, game, often(24, 400), browser))
    if GAMES[game].regions is not None:
        found = app.extensions[KEPT].cache_info()
        assert found.hits > 2 * found.misses, "hardly anything came from the cache"


def test_value_missing_from_the_cache_key_is_detected(app, tables, browser):
    """A planted fault: a cache key without the cards of a grid."""
    seen = {}

    def forgetful(region, language, *values):
        key = (region.name, language, [v for n, v in enumerate(values) if n != 8])
        return seen.setdefault(str(key), table_html._rendered(region, language, *values))

    app.extensions[KEPT] = forgetful
    assert any(looked_at(app, tables, "kaboom", 40, browser))


def test_unhashable_argument_is_refused(app):
    with app.test_request_context("/"), pytest.raises(TypeError, match="unhashable"):
        table_html.drawing("macros/forms.html").kept("heading", {"a": 1}, False)


def test_plain_text_is_never_treated_as_equal_markup(app):
    with app.test_request_context("/"):
        kept = table_html.drawing("macros/forms.html").kept
        assert "<b>" in kept("heading", Markup("<b>"), False)
        assert "&lt;b&gt;" in kept("heading", "<b>", False)


def test_placeholders_distinguish_offers_of_one_verb():
    offers = [
        Offer(0, verb, (), 0, 0, False, "", True, False, token)
        for verb, token in (("flip", "aa"), ("draw", "bb"), ("flip", "cc"))
    ]
    prompt = Prompt(0, tuple(offers))
    shown = table_html.marked(prompt)
    html = " ".join([*(offer.token for offer in shown.offers), table_html.REVISION])
    assert table_html.filled(html, table_html.marks(7, prompt, shown)) == "aa bb cc 7"


def test_hint_makes_its_button_the_primary_one():
    """No other control on the table looks like the primary one."""
    rail = (
        '<button id="b-1" class="btn-secondary" name="move" value="t take" data-best>Take</button>'
        '<button id="b-2" name="move" value="t draw">Draw</button>'
        '<button name="move" value="t draw" class="card back must">Draw</button>'
    )
    assert table_html.BUTTON.sub(table_html._weighed, rail) == (
        '<button id="b-1" name="move" value="t take" data-best>Take</button>'
        '<button class="btn-secondary" id="b-2" name="move" value="t draw">Draw</button>'
        '<button name="move" value="t draw" class="card back may">Draw</button>'
    )
