"""Each webhook service gets the format it documents."""

import json

import pytest

from kaboom.notifications.webhook_payloads import SHAPES, News, message, shape_of

LINK = "https://cards.example.org/t/ABCDEFGH"
NEWS = News("Ann, it is your turn", "Kaboom", LINK)
JSON = {"Content-Type": "application/json"}


def sent(shape, news=NEWS):
    found = SHAPES[shape](news)
    return json.loads(found.body), found.headers


@pytest.mark.parametrize(
    ("address", "shape"),
    [
        ("https://discord.com/api/webhooks/1234/a-b_c", "discord"),
        ("https://DISCORD.com/api/webhooks/1/x?thread_id=2", "discord"),
        ("https://discordapp.com/api/webhooks/1/x", "discord"),
        ("https://canary.discord.com/api/v10/webhooks/1/x", "discord"),
        ("https://discord.com/api/webhooks/1/x/slack", "slack"),
        ("https://hooks.slack.com/services/T0/B0/x", "slack"),
        ("https://ntfy.sh/kaboom-ann", "ntfy"),
        ("https://ntfy.example.org/kaboom-ann", "ntfy"),
        ("https://hookshot.example.org/webhook/x", "matrix"),
        ("https://example.org/discord.com/x", "json"),
        ("https://notdiscord.com/api/webhooks/1/x", "json"),
        ("https://discord.com.example.org/x", "json"),
        ("https://hook.example.org/x", "json"),
    ],
)
def test_host_name_determines_the_service(address, shape):
    assert shape_of(address) == shape
    assert message(NEWS, address) == SHAPES[shape](NEWS)


def test_chosen_service_overrides_the_guess():
    assert message(NEWS, "https://ntfy.sh/x", "slack") == SHAPES["slack"](NEWS)


def test_discord_gets_content_without_mentions():
    body, headers = sent("discord", News("@everyone, it is your turn", "TakeN", LINK))
    assert body == {
        "content": f"TakeN\\: \\@everyone, it is your turn\n{LINK}",
        "allowed_mentions": {"parse": []},
        "flags": 4,
    }
    assert headers == JSON


def test_discord_markdown_in_a_player_name_is_escaped():
    body, _ = sent("discord", News("[**x**](//y), <@1> it is your turn", "GOPS", LINK))
    assert "\\[\\*\\*x\\*\\*\\]\\(//y\\), \\<\\@1\\> it" in body["content"]


def test_slack_gets_text_with_three_characters_escaped():
    body, headers = sent("slack", News("<!channel> & co, it is your turn", "GOPS", LINK))
    text = f"GOPS: &lt;!channel&gt; &amp; co, it is your turn\n{LINK}"
    assert body == {"text": text, "unfurl_links": False}
    assert headers == JSON


def test_ntfy_gets_plain_text_and_a_link_to_the_table():
    found = SHAPES["ntfy"](News("Žofie, ni zamu yako", "King of the Hill", LINK))
    assert found.body.decode() == f"Žofie, ni zamu yako\n{LINK}"
    assert found.headers == {
        "Content-Type": "text/plain; charset=utf-8",
        "Title": "King of the Hill",
        "Click": LINK,
    }


def test_non_latin_title_is_encoded_for_ntfy():
    found = SHAPES["ntfy"](News("x", "Žolíky", LINK))
    assert found.headers["Title"] == "=?utf-8?b?xb1vbMOta3k=?="


def test_matrix_gets_text_and_html():
    body, headers = sent("matrix", News("<b>, it is your turn", "GOPS", LINK))
    assert body == {
        "text": f"GOPS: <b>, it is your turn\n{LINK}",
        "html": f'GOPS: <a href="{LINK}">&lt;b&gt;, it is your turn</a>',
    }
    assert headers == JSON


def test_other_services_get_our_own_json():
    body, headers = sent("json")
    assert body == {"table": LINK, "game": "Kaboom", "text": "Ann, it is your turn"}
    assert headers == JSON
