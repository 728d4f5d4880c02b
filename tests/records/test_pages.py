"""What the pages of a finished match say: its rounds, moments and story."""

from dataclasses import replace

import pytest

from kaboom.games import GAMES
from kaboom.records.pages import MatchPage
from kaboom.records.replay import rebuilt
from kaboom.records.service import Around
from tests.support.finished_matches import made


def page_of(key, number=3, **options):
    """Return the page of a match played at random."""
    record = made(key, number, most=4000, **options)
    return MatchPage(rebuilt(record), Around(), record.code, "/m/ABCDEFGH")


@pytest.mark.parametrize("key", ["gops", "taken", "karata", "koth", "oh_hell", "hearts"])
def test_chapters_say_how_each_round_ended(key):
    page = page_of(key)
    chapters = page.chapters()
    assert [it.number for it in chapters] == list(range(1, len(chapters) + 1))
    assert all(it.result for it in chapters)


def test_chapters_of_gops_name_the_winner_of_their_own_prize():
    page = page_of("gops")
    for it, after in zip(page.chapters(), page.chapters()[1:], strict=False):
        said = page.said(after.step)
        assert it.result in said and said.index(it.result) < said.index(after.sentence)


def test_moments_include_rounds_and_results():
    marks = [mark for _step, _sentence, mark in page_of("gops").moments()]
    assert marks.count("round") == marks.count("result") == 13


@pytest.mark.parametrize("key", list(GAMES))
def test_story_has_every_sentence_once_and_in_order(key):
    page = page_of(key)
    quick = page.replay.game.quick
    told = [
        sentence
        for step in range(page.replay.last + 1)
        for kind, sentence in page.heard(step)
        if kind not in quick
    ]
    found = []
    for part in page.story(0, page.replay.last):
        found += [part.heading] if part.heading else []
        found += [sentence for it in part.paragraphs for sentence in it.sentences]
    assert found == told


def test_story_in_pieces_is_the_whole_story():
    page = page_of("taken")
    middle = page.replay.last // 2
    pieces = [*page.story(0, middle), *page.story(middle + 1, page.replay.last)]
    whole = page.story(0, page.replay.last)

    def sentences(parts):
        return [it for part in parts for each in part.paragraphs for it in each.sentences]

    assert sentences(pieces) == sentences(whole)


def test_paragraph_of_the_story_ends_with_a_trick():
    page = page_of("koth")
    ends = [it.sentences[-1] for part in page.story(0, page.replay.last) for it in part.paragraphs]
    assert sum("wins the trick" in it for it in ends) > 5


@pytest.mark.parametrize("key", ["gops", "taken"])
@pytest.mark.parametrize("seat", [None, 0])
def test_log_of_a_replay_ends_at_its_step(key, seat):
    whole = page_of(key)
    for step in range(whole.replay.last + 1):
        page = replace(whole, step=step, seat=seat)
        assert {it.step for it in page.near_lines()} <= set(range(step + 1))
        assert [it.text for it in page.near_lines() if it.step == step] == list(page.said(step))
