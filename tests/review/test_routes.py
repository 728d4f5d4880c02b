"""Reviewing a match together in browsers without scripts, and by programs."""

import re

from kaboom.social.friends import queries
from kaboom.social.friends.reports import lines_of
from tests.support.api_clients import JSON


def begins(person, at, step=0):
    """Start a review of a match; return its address."""
    person.open(f"{at}/review?step={step}")
    person.press(f"Begin at step {step}" if step else "Begin at the deal")
    return re.search(rf"{at}/review/\w{{8}}", person.html)[0]


def comes(person, review, name=None):
    """Join a review."""
    person.open(review)
    types(person, "Join", **({"name": name} if name else {}))


def types(person, words, **typed):
    """Fill in a form and press its button."""
    for form in person.page.forms:
        for button in form.buttons:
            if words == button[2]:
                return person.send(form, button, **typed)
    raise LookupError(f"no button reads “{words}” on: {person.page.text[:300]}")


def here(person):
    """Return the step that a player's page shows."""
    return int(re.search(r"<title>Step (\d+) of", person.html)[1])


def test_follower_sees_the_leaders_step(finished_match):
    (ann, ben), at = finished_match
    ann.open(f"{at}/4?seat=1")
    (link,) = {link for link, text in ann.page.links if text == "Look back together"}
    assert link == f"{at}/review?step=4&seat=1"
    review = begins(ann, at, 4)
    comes(ben, review)
    assert here(ann) == here(ben) == 4
    assert "You follow Ann." in ben.page.text and "You lead." in ann.page.text
    ann.press("Forward")
    assert here(ann) == 5
    ben.open(review)
    assert here(ben) == 5


def test_solo_viewer_returns_to_the_leader(finished_match):
    (ann, ben), at = finished_match
    review = begins(ann, at)
    comes(ben, review)
    ben.open(f"{review}/7?seat=1")
    assert here(ben) == 7 and "You are looking around on your own." in ben.page.text
    ann.press("Forward")
    ben.open(f"{review}/7?seat=1")
    (back,) = {link for link, text in ben.page.links if text == "Back to Ann, step 1"}
    ben.open(back)
    assert here(ben) == 1


def test_follower_gets_the_leaders_viewpoint(finished_match):
    (ann, ben), at = finished_match
    review = begins(ann, at)
    comes(ben, review)
    ann.press("Ben")
    assert ben.client.get(review).location.endswith(f"{review}/0?seat=1&follow=1")


def test_lead_is_requested_and_handed_over(finished_match):
    (ann, ben), at = finished_match
    review = begins(ann, at)
    comes(ben, review)
    ben.press("Ask for the lead")
    assert "You have asked for the lead." in ben.page.text
    ann.open(review)
    assert "Ben is asking to lead." in ann.page.text
    ann.press("Let Ben lead")
    assert "You follow Ben." in ann.page.text
    ben.open(review)
    ben.press("Forward")
    assert here(ben) == 1
    answer = ann.client.post(f"{review}/lead", data={"step": "3"})
    assert answer.status_code == 403 and "Another player leads now" in answer.get_data(True)


def test_member_present_longest_leads_when_the_leader_leaves(finished_match, browser, app):
    (ann, ben), at = finished_match
    zoe = browser()
    review = begins(ann, at)
    comes(ben, review)
    comes(zoe, review, "Zoe")
    ann.press("Leave the review")
    for person, said in ((ben, "You lead."), (zoe, "You follow Ben.")):
        person.open(review)
        assert said in person.page.text


def test_remark_stays_with_the_match(finished_match, browser):
    (ann, ben), at = finished_match
    zoe, dan = browser(), browser()
    review = begins(ann, at, 3)
    comes(zoe, review, "Zoe")
    zoe.open(f"{review}/3")
    types(zoe, "Say", text="Why not the <king>?")
    assert here(zoe) == 3 and "Zoe: Why not the <king>?" in zoe.page.text
    for reader in (ann, ben, zoe):  # Ben was in the match, but not in the review
        assert "Why not the <king>?" in reader.open(f"{at}/3").text
        assert "Why not" not in reader.open(f"{at}/4").text
        assert "Why not the <king>?" in reader.open(f"{at}/review").text
    for shown in (f"{at}/3", f"{at}/review", f"{at}/review.json", review, f"{review}.txt"):
        assert "Why not" not in dan.client.get(shown).get_data(True), shown


def test_remark_is_deleted_by_its_author_or_the_reviews_opener(finished_match, browser):
    (ann, ben), at = finished_match
    review = begins(ann, at)
    comes(ben, review)
    ben.open(f"{review}/0")
    types(ben, "Say", text="One")
    types(ben, "Say", text="Two")
    assert ben.page.text.count("Two") >= 2
    zoe = browser()
    comes(zoe, review, "Zoe")
    numbers = [it["number"] for it in zoe.client.get(f"{review}.json").json["remarks"]]
    assert zoe.client.post(f"{review}/delete", data={"line": numbers[0]}).status_code == 422
    ben.press("Delete One")
    ann.client.post(f"{review}/delete", data={"line": numbers[1]})
    assert zoe.client.get(f"{review}.json").json["remarks"] == []


def test_invalid_remark_or_step_is_refused_with_a_reason(finished_match):
    (ann, _ben), at = finished_match
    review = begins(ann, at)
    for text, sentence in (("", "Please write a message first."), ("x" * 301, "At most 300")):
        answer = ann.client.post(f"{review}/say", data={"text": text, "step": "0"})
        assert answer.status_code == 422 and sentence in answer.get_data(True)
    for data in ({"step": "999"}, {"step": "0", "seat": "7"}, {"step": "x"}):
        assert ann.client.post(f"{review}/lead", data=data).status_code == 422


def test_form_sent_twice_counts_once(finished_match):
    (ann, _ben), at = finished_match
    review = begins(ann, at)
    data = {"text": "Once", "step": "0", "cmd": "the-same-form-again-22"}
    for _ in range(2):
        ann.client.post(f"{review}/say", data=data)
    assert len(ann.client.get(f"{review}.json").json["remarks"]) == 1


def test_muted_or_blocked_players_remarks_are_hidden(finished_match):
    (ann, ben), at = finished_match
    review = begins(ann, at)
    comes(ben, review)
    ben.open(f"{review}/0")
    types(ben, "Say", text="Hear me")
    ann.open(f"{review}/people")
    ann.press("Mute Ben")
    assert "Hear me" not in ann.open(review).text
    ann.open(f"{review}/people")
    ann.press("Unmute Ben")
    assert "Hear me" in ann.open(review).text
    ann.open(f"{review}/people")
    ann.press("Block Ben")
    assert "Hear me" not in ann.open(review).text
    assert "Hear me" not in ann.open(f"{at}/review").text
    answer = ben.client.post(f"{review}/say", data={"text": "Still", "step": "0"})
    assert answer.status_code == 403


def test_blocked_player_cannot_join_a_review(finished_match, browser, service):
    (ann, ben), at = finished_match
    first = begins(ann, at)
    comes(ben, first)
    ann.open(f"{first}/people")
    ann.press("Block Ben")
    second = begins(ann, at)
    ben.open(second)
    ben.press("Join")
    assert ben.status == 403 and "You cannot take part in this review." in ben.page.text


def test_report_reaches_the_host_with_the_remarks(finished_match, service):
    (ann, ben), at = finished_match
    review = begins(ann, at)
    comes(ben, review)
    ben.open(f"{review}/0")
    types(ben, "Say", text="Something rude")
    ann.open(f"{review}/people")
    (link,) = {link for link, text in ann.page.links if text.startswith("Report")}
    ann.open(link)
    assert "with the last 30 chat messages" in ann.page.text
    fields = {"who": link.partition("=")[2], "reason": "insults"}
    assert ann.client.post(f"{review}/report", data=fields).location.endswith("?reported=1")
    (report,) = service.database.read(queries.all_reports)
    assert (report.by, report.about, report.code) == ("Ann", "Ben", review[-8:])
    found = service.database.read(lambda c: queries.report(c, report.id))
    assert [it[:2] for it in lines_of(found.evidence)] == [("about", "Something rude")]


def test_remark_is_reported_from_the_review_and_the_match(finished_match, browser, service):
    (ann, ben), at = finished_match
    zoe, review = browser(), begins(ann, at)
    comes(zoe, review, "Zoe")
    zoe.open(f"{review}/0")
    for text in ("Something rude", *("Well" for _ in range(30))):
        types(zoe, "Say", text=text)
    pages = ((ann, f"{review}/0"), (ben, f"{at}/review"))  # Ben has not joined, but has played
    for number, (who, page) in enumerate(pages, 1):
        who.open(page)
        link = who.page.link("Report Something rude")
        assert "Something rude" in who.open(link).text
        types(who, "Report", reason="insults")
        assert "Reported." in who.page.text
        found = service.database.read(lambda c, it=number: queries.report(c, it))
        lines = lines_of(found.evidence)
        assert (found.about, found.code, len(lines)) == ("Zoe", review[-8:], 30)
        assert [it.text for it in lines if it.marked] == ["Something rude"]
    line = link.rpartition("=")[2]
    for stranger in (zoe, browser()):  # one's own, and one that is not shown
        answer = stranger.client.get(f"{review}/report?line={line}")
        assert answer.status_code == 403 and "Something rude" not in answer.text


def test_hidden_match_excludes_others_from_its_review(finished_match, browser):
    (ann, ben), at = finished_match
    zoe = browser()
    review = begins(ann, at)
    comes(zoe, review, "Zoe")
    ben.client.post(f"{at}/hide")
    for shown in (review, f"{review}/0", f"{review}.json", f"{review}/people", f"{review}/events"):
        assert zoe.client.get(shown).status_code == 404, shown
    assert ann.client.get(f"{review}/0").status_code == 200


def test_unknown_review_is_not_found(finished_match, browser):
    (ann, _ben), at = finished_match
    review = begins(ann, at)
    for bad in (f"{at}/review/AAAAAAAA", f"{at}/review/x", f"/m/AAAAAAAA/review/{review[-8:]}"):
        assert ann.client.get(bad).status_code == 404, bad
    assert ann.client.get(f"{review}/9999").status_code == 404
    assert browser().client.get(f"{review}/0").status_code == 303
    assert browser().client.get(f"{review}/events").status_code == 404


def test_program_leads_and_remarks(finished_match, browser):
    (ann, _ben), at = finished_match
    made = ann.client.post(f"{at}/review", json={"name": "Ann", "step": 2}, headers=JSON)
    assert made.status_code == 201 and made.json["leading"] and made.json["step"] == 2
    at_review = made.json["links"]["page"]
    zoe = browser()
    assert zoe.client.post(f"{at_review}/join", json={"name": "Zoe"}, headers=JSON).json["joined"]
    sent = {"step": 5, "seat": "1"}
    moved = ann.client.post(f"{at_review}/lead", json=sent, headers=JSON).json
    assert (moved["step"], moved["eyes"]) == (5, "1")
    said = {"step": 5, "text": "Here"}
    zoe.client.post(f"{at_review}/say", json=said, headers=JSON)
    found = ann.client.get(f"{at_review}.json").json
    assert [(it["name"], it["step"], it["text"]) for it in found["remarks"]] == [("Zoe", 5, "Here")]
    text = zoe.client.get(f"{at_review}.txt").get_data(as_text=True)
    assert "Ann leads: step 5, as Ben saw it." in text and "step 5, Zoe: Here" in text


def test_list_says_when_where_and_how_much_was_said(finished_match):
    (ann, _ben), at = finished_match
    review = begins(ann, at, 4)
    ann.client.post(f"{review}/say", data={"step": "4", "text": "Why not the king?"})
    ann.open(f"{at}/review")
    assert re.search(r"\d{4} · step 4 of \d+ · Remarks: 1", ann.page.text)
    assert re.search(r'<li><i class="face [^>]*></i> <div><a href="[^"]*/review/', ann.html)


def test_members_of_a_review_have_their_faces(finished_match):
    (ann, _ben), at = finished_match
    ann.open(begins(ann, at, 4) + "/4?follow=1")
    assert re.search(r'<li><i class="face [^>]*></i> <span dir="auto">Ann', ann.html)
