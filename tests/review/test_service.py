"""Reviews on both stores: the leader, the readers of remarks, and erasure."""

import pytest

from kaboom.accounts import players
from kaboom.accounts.erase import erase_player
from kaboom.admin import sanctions
from kaboom.admin import service as admin
from kaboom.errors import InvalidState, NotPermitted
from kaboom.review import queries, service
from kaboom.review.service import Place, ReviewNotFound
from tests.support.finished_matches import play_to_the_end


@pytest.fixture
def match(tables):
    """Return a finished match of Ann and Ben: the code of its record, and both players."""
    code, people = play_to_the_end(tables, "gops", names=("Ann", "Ben"))
    return tables.get(code).table.record, people


@pytest.fixture
def review(tables, match):
    """Return Ann, Ben and Cat's review of it: its code, and the three players."""
    record, (ann, ben) = match
    code = service.open_review(tables, record, ann, "Ann", Place(3))
    cat, _name = players.player(tables, "key of Cat", "Cat")
    for player, name in ((ben, "Ben"), (cat, "Cat")):
        service.join(tables, record, code, player, name)
    return code, (ann, ben, cat)


@pytest.mark.parametrize(
    ("leader", "here", "leads"),
    [
        (1, None, 1),  # unknown
        (1, {1, 2, 3}, 1),
        (1, {2, 3}, 2),  # the longest of those present
        (1, {3}, 3),
        (1, set(), 1),
        (None, {3, 2}, 2),  # the leader was erased
        (None, None, None),
        (1, {9}, 1),  # a stranger does not lead
    ],
)
def test_leader_is_the_chosen_or_longest_present_member(leader, here, leads):
    assert service.leader_of(leader, [1, 2, 3], here) == leads


def test_returning_leader_leads_unless_another_has_moved(tables, match, review):
    record, _people = match
    code, (ann, ben, cat) = review
    without = {ben, cat}
    assert service.find(tables, record, code, ben, without).leads
    assert service.find(tables, record, code, ann, {ann, ben}).leads
    service.lead(tables, record, code, ben, Place(4, "1"), without)
    found = service.find(tables, record, code, ann, {ann, ben, cat})
    assert not found.leads and found.leader.name == "Ben"
    assert found.place == Place(4, "1")


def test_only_the_leader_moves_the_others(tables, match, review):
    record, _people = match
    code, (ann, ben, cat) = review
    for player in (ben, cat):
        with pytest.raises(NotPermitted, match="leads"):
            service.lead(tables, record, code, player, Place(9), {ann, ben, cat})
    before = service.find(tables, record, code, cat)
    service.lead(tables, record, code, ann, Place(9), {ann, ben, cat})
    after = service.find(tables, record, code, cat)
    assert (before.place.step, after.place.step) == (3, 9)
    assert after.version == before.version + 1


def test_revision_changes_with_everything_except_the_step(tables, match, review):
    record, _people = match
    code, (ann, ben, cat) = review

    def number():
        return service.find(tables, record, code, cat).fingerprint

    seen = [number()]
    service.lead(tables, record, code, ann, Place(5))
    assert number() == seen[0]
    service.say(tables, record, code, ben, Place(5), "Look")
    seen.append(number())
    service.ask_for_lead(tables, record, code, ben)
    seen.append(number())
    word = next(
        it.word for it in service.find(tables, record, code, ann).people if it.name == "Ben"
    )
    service.hand_over_lead(tables, record, code, ann, word)
    seen.append(number())
    said = service.find(tables, record, code, ben).remarks[0].number
    service.delete(tables, record, code, ben, said)
    seen.append(number())
    assert len({*seen}) == 5


def test_remarks_are_scoped_to_match_and_review(tables, match, review):
    record, (ann, ben) = match
    code, (_ann, _ben, cat) = review
    service.say(tables, record, code, cat, Place(2), "Here")
    dan, _name = players.player(tables, "key of Dan", "Dan")
    eve, _name = players.player(tables, "key of Eve", "Eve")
    service.open_review(tables, record, eve, "Eve", Place(0))
    for player, reads in ((ann, 1), (ben, 1), (cat, 1), (dan, 0), (eve, 0), (None, 0)):
        assert len(service.find(tables, record, code, player).remarks) == reads
        assert len(service.all_of(tables, record, player)[1]) == reads


def test_erased_player_leaves_the_review_and_not_its_remarks(tables, match, review):
    record, _people = match
    code, (ann, ben, cat) = review
    service.say(tables, record, code, ann, Place(2), "I was here")
    tables.database.write(lambda c: erase_player(c, ann))
    found = service.find(tables, record, code, ben, {ben, cat})
    assert [it.name for it in found.people] == ["Ben", "Cat"]
    assert found.leads
    assert [(it.name, it.text) for it in found.remarks] == [("Ann", "I was here")]
    assert service.find(tables, record, code, ben).leader is None
    service.ask_for_lead(tables, record, code, cat)  # without a leader no one can be asked
    assert service.find(tables, record, code, cat).leads


def test_host_deletes_a_remark_and_mutes_its_author(tables, match, review):
    record, _people = match
    code, (_ann, ben, cat) = review
    service.say(tables, record, code, ben, Place(2), "Rude")
    said = service.find(tables, record, code, cat).remarks[0].number
    admin.delete_line(tables, "Hal", code, said, "rude")
    assert service.find(tables, record, code, cat).remarks == []
    sanctions.sanction(tables, "Hal", ben, sanctions.MUTE, "rude", 7, False)
    with pytest.raises(NotPermitted, match="muted"):
        service.say(tables, record, code, ben, Place(2), "Rude again")


def test_exceeding_a_reviews_limits_is_refused_with_reasons(tables, match, review, monkeypatch):
    record, _people = match
    code, (ann, _ben, _cat) = review
    dan, _name = players.player(tables, "key of Dan", "Dan")
    monkeypatch.setattr(service, "MOST_MEMBERS", 3)
    with pytest.raises(InvalidState, match="already"):
        service.join(tables, record, code, dan, "Dan")
    monkeypatch.setattr(service, "MOST_REMARKS", 1)
    service.say(tables, record, code, ann, Place(0), "One")
    with pytest.raises(InvalidState, match="as many remarks"):
        service.say(tables, record, code, ann, Place(0), "Two")
    monkeypatch.setattr(service, "MOST_REVIEWS", 1)
    with pytest.raises(InvalidState, match="too many reviews"):
        service.open_review(tables, record, dan, "Dan", Place(0))


def test_reviewers_of_one_name_are_distinguished(tables, match, review):
    record, _people = match
    code, _people = review
    dan, _name = players.player(tables, "key of another Ann", "Ann")
    service.join(tables, record, code, dan, "Ann")
    names = [it.name for it in service.find(tables, record, code, dan).people]
    assert len({*names}) == 4


def test_kill_before_the_commit_loses_nothing(tables, match, review, monkeypatch):
    record, _people = match
    code, (ann, _ben, _cat) = review
    service.say(tables, record, code, ann, Place(2), "Kept")

    def killed(*_unused):
        raise SystemExit("kill -9")

    with monkeypatch.context() as patched:
        patched.setattr(queries, "say", killed)
        with pytest.raises(SystemExit):
            service.say(tables, record, code, ann, Place(2), "Not yet")
    found = service.find(tables, record, code, ann, set())
    assert [it.text for it in found.remarks] == ["Kept"] and found.place == Place(3)
    service.say(tables, record, code, ann, Place(2), "Now")
    assert [it.text for it in service.find(tables, record, code, ann).remarks] == ["Kept", "Now"]


def test_review_of_another_match_is_not_found(tables, match, review):
    code, (ann, *_others) = review
    other, _people = play_to_the_end(tables, "gops", names=("Ann", "Ben"))
    with pytest.raises(ReviewNotFound):
        service.find(tables, tables.get(other).table.record, code, ann)
