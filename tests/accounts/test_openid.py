"""Signing in with an OpenID provider (a small real one), in browsers without scripts."""

import base64
import hmac
import json
import re
import time
from dataclasses import replace
from html import unescape
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from joserfc.jwk import RSAKey
from sqlalchemy import select

from kaboom.accounts.erase import erase
from kaboom.accounts.models import keys, openid_identities, tokens
from kaboom.accounts.openid import provider as client
from kaboom.accounts.openid.provider import ProviderFailed, fetch
from kaboom.config import InvalidSetting, OpenId, from_environment
from tests.support.app import application, close
from tests.support.browsing import limiting
from tests.support.forms import Browser
from tests.support.openid_provider import CLIENT, SECRET, small_provider

RETURN = "/login/openid/return"
GATE = "Only players with an account at The School"


@pytest.fixture
def provider(fake_clock):
    with small_provider(fake_clock) as found:
        yield found


def settings_for(provider, **more):
    return OpenId(provider.issuer, CLIENT, SECRET, "The School", **more)


@pytest.fixture
def app(app, provider, monkeypatch):
    server = replace(
        app.config["SERVER"], public_url="http://localhost", openid=settings_for(provider)
    )
    monkeypatch.setitem(app.config, "SERVER", server)
    monkeypatch.setitem(app.extensions, "kaboom.openid", None)
    return app


def way_there(somebody, page="/login", form="/login/openid"):
    """Press the button, and return the provider's address to which it redirects."""
    somebody.open(page)
    somebody.send(next(it for it in somebody.page.forms if it.action == form))
    refresh = re.search(r'http-equiv="refresh" content="0; url=([^"]*)"', somebody.html)
    return unescape(refresh[1]) if refresh else ""


def come_back(somebody, fields):
    return somebody.open(f"{RETURN}?{urlencode(fields)}")


def sign_in(somebody, provider, **where):
    return come_back(somebody, provider.sign_in(way_there(somebody, **where)))


def sign_up(somebody, provider, name="Ann"):
    sign_in(somebody, provider)
    form = next(it for it in somebody.page.forms if "how" not in it.hidden and it.hidden)
    somebody.send(form, name=name)
    return somebody


def rows(service, table):
    return service.database.read(lambda c: c.execute(select(table)).all())


def test_new_player_chooses_a_name_and_signs_in_again(browser, provider, service):
    ann = browser()
    sign_in(ann, provider)
    assert "for the first time" in ann.page.text and 'value="Ann"' in ann.html
    ann.send(next(it for it in ann.page.forms if "secret" in it.hidden), name="Annie")
    assert ann.status == 200 and "Annie" in ann.page.text
    phone = browser()
    sign_in(phone, provider)
    assert phone.status == 200 and "Annie" in phone.page.text
    (row,) = rows(service, openid_identities)
    assert provider.subject not in str(row) and len(rows(service, keys)) == 2


def test_request_has_state_nonce_and_challenge(browser, provider):
    asked = dict(parse_qsl(urlsplit(way_there(browser())).query))
    assert asked["response_type"] == "code" and asked["client_id"] == CLIENT
    assert asked["redirect_uri"] == f"http://localhost{RETURN}"
    assert asked["code_challenge_method"] == "S256"
    assert asked["scope"] == "openid profile"  # no e-mail address
    assert min(len(asked[name]) for name in ("state", "nonce", "code_challenge")) >= 43


def test_signed_in_player_adds_the_provider(table, browser, provider):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    sign_in(ann, provider, page="/settings/account", form="/settings/account/openid")
    assert "You sign in with your account at The School" in ann.page.text
    phone = browser()
    sign_in(phone, provider)
    assert phone.open(path).moves()
    ann.open("/settings/account")
    ann.press("Stop signing in with The School")
    assert "you can sign in here with it" in ann.page.text
    sign_in(browser(), provider)


def test_guest_can_keep_their_seat_at_the_first_sign_in(table, browser, provider):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    sign_in(ann, provider)
    assert "This browser currently belongs to Ann" in ann.page.text
    ann.press("Continue as Ann, and sign in with The School from now on")
    assert ann.open(path).moves()
    phone = browser()
    sign_in(phone, provider)
    assert phone.open(path).moves()


def test_new_account_is_not_seated_where_its_guest_sat(table, browser, provider):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    sign_up(ann, provider, "Cleo")
    assert "Cleo" in ann.page.text
    assert not ann.open(path).moves()


def test_account_is_never_found_by_email_address_or_name(table, browser, provider):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    sign_in(ann, provider, page="/settings/account", form="/settings/account/openid")
    provider.subject = "another"  # with the same address, “verified”, and the same name
    provider.profile |= {"email_verified": True, "preferred_username": "Ann"}
    mallory = browser()
    sign_in(mallory, provider)
    assert "for the first time" in mallory.page.text
    assert not mallory.open(path).moves()


def test_identity_linked_to_another_player_is_not_added(table, browser, provider, service):
    sign_up(browser(), provider)
    _path, (ben, _) = table("Ben", "Cleo", game="gops")
    sign_in(ben, provider, page="/settings/account", form="/settings/account/openid")
    assert ben.status == 409
    assert "already signs in another player here" in ben.page.text
    assert len(rows(service, openid_identities)) == 1
    sign_in(ben, provider)  # if Ben signs in with it, he is first asked about his seat
    assert "You will be signed in as Ann" in ben.page.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "logged"),
    [
        ({"nonce": "another"}, "nonce"),
        ({"aud": "another client"}, "aud"),
        ({"aud": [CLIENT, "another client"]}, "azp"),
        ({"iss": "https://evil.example"}, "iss"),
        ({"exp": 999_000}, "expired"),
        ({"iat": 2_000_000}, "issued in the future"),
        ({"nbf": 2_000_000}, "not yet valid"),
        ({"sub": 7}, "sub"),
        ({"sub": "x" * 256}, "subject"),
        ({"azp": "another client"}, "azp"),
        ({"at_hash": "AAAA"}, "at_hash"),
    ],
    ids=lambda it: str(it)[:30],
)
def test_invalid_token_signs_no_one_in(browser, provider, service, caplog, wrong, logged):
    provider.wrong = wrong
    ann = browser()
    sign_in(ann, provider)
    assert ann.status == 403
    assert "could not be verified" in ann.page.text
    assert logged in caplog.text
    assert rows(service, openid_identities) == [] and rows(service, keys) == []


def test_token_with_a_wrong_signature_signs_no_one_in(browser, provider):
    ann = browser()
    provider.key = RSAKey.generate_key(2048, parameters={"kid": "one"})
    sign_in(ann, provider)
    assert ann.status == 403
    unsigned = "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."
    for answer in ({"id_token": unsigned}, {"id_token": "x.y.z"}, {"id_token": 7}, {"a": "b"}):
        provider.says = answer
        sign_in(ann, provider)
        assert ann.status == 403 and "could not be verified" in ann.page.text


def test_symmetric_signature_with_the_public_key_is_refused(browser, provider):
    ann = browser()
    fields = provider.sign_in(way_there(ann))
    claims = {"iss": provider.issuer, "aud": CLIENT, "sub": "1", "iat": 1_000_000}
    claims |= {"nonce": provider.asked[-1]["nonce"], "exp": 1_000_300}
    parts = [base64.urlsafe_b64encode(json.dumps(it).encode()) for it in ({"alg": "HS256"}, claims)]
    signed = b".".join(it.rstrip(b"=") for it in parts)
    made = hmac.new(provider.published.as_pem(private=False), signed, "sha256").digest()
    token = signed + b"." + base64.urlsafe_b64encode(made).rstrip(b"=")
    provider.says = {"id_token": token.decode()}
    come_back(ann, fields)
    assert ann.status == 403 and "could not be verified" in ann.page.text


def test_rotated_signing_key_is_fetched(browser, provider, monkeypatch):
    ann = browser()
    sign_up(ann, provider)
    provider.key = provider.published = RSAKey.generate_key(2048, parameters={"kid": "two"})
    provider.header["kid"] = "two"
    monkeypatch.setattr(client, "KEYS_AGAIN", 0.0)
    phone = browser()
    sign_in(phone, provider)
    assert phone.status == 200 and "Ann" in phone.page.text


def test_forged_state_or_another_browsers_response_is_refused(browser, provider, service):
    ann, mallory = browser(), browser()
    fields = provider.sign_in(way_there(ann))
    way_there(mallory)
    for who, sent in (
        (ann, fields | {"state": "forged"}),
        (ann, {"code": fields["code"]}),
        (mallory, fields),  # Mallory's answer in Ann's browser, and vice versa
        (browser(), fields),
    ):
        come_back(who, sent)
        assert who.status == 403 and "started in another browser" in who.page.text
    come_back(ann, fields)  # still valid in her own browser
    assert ann.status == 200 and "for the first time" in ann.page.text
    come_back(ann, fields)
    assert ann.status == 403  # only once
    assert rows(service, openid_identities) == []


def test_state_expires(browser, provider, fake_clock):
    ann = browser()
    fields = provider.sign_in(way_there(ann))
    fake_clock.sleep(601)
    come_back(ann, fields)
    assert ann.status == 403 and "expired" in ann.page.text


def test_only_the_player_who_began_can_add_a_provider(table, browser, provider, service):
    _path, (ann, ben) = table("Ann", "Ben", game="gops")
    address = way_there(ann, "/settings/account", "/settings/account/openid")
    ann.client.set_cookie("kb", ben.client.get_cookie("kb").value)  # Ben signs in there
    come_back(ann, provider.sign_in(address))
    assert ann.status == 403
    assert rows(service, openid_identities) == []


def test_providers_refusal_is_shown(browser, provider):
    ann = browser()
    fields = provider.sign_in(way_there(ann))
    come_back(ann, {"state": fields["state"], "error": "access_denied"})
    assert ann.status == 403 and "The School did not sign you in" in ann.page.text


def test_response_from_another_issuer_is_refused(browser, provider):
    ann = browser()
    fields = provider.sign_in(way_there(ann))
    come_back(ann, fields | {"iss": "https://evil.example"})
    assert ann.status == 403 and "could not be verified" in ann.page.text


@pytest.mark.parametrize("there", [True, False], ids=["there", "back"])
def test_slow_provider_times_out(app, browser, provider, there):
    ann = browser()
    quick = client.Provider(app.config["SERVER"].openid, seconds=0.3)
    app.extensions["kaboom.openid"] = quick
    fields = {} if there else provider.sign_in(way_there(ann))
    provider.slow = 2.0
    began = time.monotonic()
    if there:
        way_there(ann)
    else:
        come_back(ann, fields)
    assert time.monotonic() - began < 1.5
    assert ann.status == 503 and "The School cannot be reached" in ann.page.text


def test_unreachable_provider_is_reported(app, browser, service):
    app.config["SERVER"] = replace(
        app.config["SERVER"], openid=OpenId("http://127.0.0.1:9", CLIENT, SECRET, "The School")
    )
    ann = browser()
    way_there(ann)
    assert ann.status == 503
    assert "The School cannot be reached at the moment" in ann.page.text
    assert rows(service, tokens) == []
    assert ann.page.form("/login/recovery-words")  # other ways to sign in are offered


def test_configuration_of_another_issuer_is_refused(app, browser, provider):
    settings = replace(settings_for(provider), issuer=provider.issuer + "/")
    app.config["SERVER"] = replace(app.config["SERVER"], openid=settings)
    ann = browser()
    way_there(ann)
    assert ann.status == 503


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    ["[]", "[" * 100_000, "x" * 300_000, '{"a": 1', "", "\xff"],
    ids=["a list", "deep", "large", "cut", "empty", "no text"],
)
def test_malformed_provider_response_is_reported(browser, provider, answer):
    ann = browser()
    fields = provider.sign_in(way_there(ann))
    provider.says = answer
    come_back(ann, fields)
    assert ann.status == 503 and "cannot be reached" in ann.page.text


def test_only_https_is_fetched_beyond_this_machine():
    for address in ("http://example.org/", "ftp://example.org", "https://a:b@example.org/", "x"):
        with pytest.raises(ProviderFailed, match="is not a valid HTTPS URL"):
            fetch(address, 1.0)


def test_erased_player_signs_in_as_a_new_one(browser, provider, service):
    ann = sign_up(browser(), provider)
    key = service.database.read(lambda c: c.execute(select(keys.c.key_hash)).scalar())
    erase(service, key)
    assert rows(service, openid_identities) == []
    phone = browser()
    sign_in(phone, provider)
    assert "for the first time" in phone.page.text
    assert ann.open("/account").text.count("Ann") == 0


def test_player_with_a_provider_is_not_merged_into_another(browser, provider):
    ann = sign_up(browser(), provider)
    provider.subject = "another"
    other = sign_up(browser(), provider, "Ben")
    sign_in(ann, provider)
    assert "You will be signed in as Ben" in ann.page.text
    assert not any(form.hidden.get("how") == "along" for form in ann.page.forms)
    assert "Ben" in other.page.text


def test_name_is_chosen_once_and_in_the_same_browser(browser, provider, service):
    ann, mallory = browser(), browser()
    sign_in(ann, provider)
    form = next(it for it in ann.page.forms if "secret" in it.hidden)
    way_there(mallory)
    sent = {"secret": form.hidden["secret"], "name": "Mallory"}
    assert mallory.client.post("/login/openid/account", data=sent).status_code == 403
    assert ann.client.post("/login/openid/account", data=sent | {"name": " "}).status_code == 422
    assert ann.client.post("/login/openid/account", data=sent | {"name": "Ann"}).status_code == 303
    assert ann.client.post("/login/openid/account", data=sent).status_code == 403
    assert len(rows(service, openid_identities)) == 1


def test_signing_out_links_to_the_providers_sign_out(browser, provider):
    ann = sign_up(browser(), provider)
    ann.open("/settings/devices")
    ann.press("Sign this one out")
    assert "You may still be signed in at The School" in ann.page.text
    link = ann.page.link("Sign out at The School")
    assert link.startswith(f"{provider.issuer}/out?client_id={CLIENT}&post_logout_redirect_uri=")
    assert "Ann" not in ann.open("/account").text


@pytest.mark.slow
@pytest.mark.parametrize("wanted", ["/t/ABCDEFGH", "//evil.example", "/\\evil", "https://evil", ""])
def test_redirect_after_sign_in_stays_on_this_server(browser, provider, wanted):
    sign_up(browser(), provider)
    phone = browser()
    phone.open(f"/login?{urlencode({'next': wanted})}")
    phone.send(phone.page.form("/login/openid"))
    address = unescape(re.search(r"0; url=([^\"]*)", phone.html)[1])
    answer = phone.client.get(f"{RETURN}?{urlencode(provider.sign_in(address))}")
    assert answer.status_code == 303
    expected = wanted if wanted == "/t/ABCDEFGH" else "/account"
    assert answer.location == f"http://localhost{expected}"


def test_routes_are_absent_without_a_provider(app, browser):
    app.config["SERVER"] = replace(app.config["SERVER"], openid=None)
    ann = browser()
    assert "openid" not in ann.open("/login").text
    assert ann.client.get(RETURN).status_code == 404
    for path in ("/login/openid", "/login/openid/account", "/settings/account/openid"):
        assert ann.client.post(path).status_code == 404


@pytest.mark.slow
def test_openid_sign_in_attempts_are_limited(sqlite_url, provider, one_app):
    more = {"public_url": "http://localhost", "openid": settings_for(provider)}
    with limiting(sqlite_url, **more) as app:
        client = app.test_client()
        statuses = [client.get(f"{RETURN}?state=x").status_code for _ in range(130)]
    assert statuses[0] == 403 and statuses[-1] == 429


@pytest.fixture
def closed(sqlite_url, provider):
    """A server that requires signing in with the provider."""
    app = application(
        sqlite_url, public_url="http://localhost", openid=settings_for(provider, only=True)
    )
    app.config["TABLES"].now = provider.now
    yield app
    close(app)


def test_closed_server_links_to_the_provider_and_back(closed, provider):
    ann = Browser(closed.test_client())
    ann.open("/lobby")
    assert GATE in ann.page.text
    assert "nine words" not in ann.page.text
    answer = sign_in(ann, provider, page="/login?next=/lobby")
    ann.send(next(it for it in ann.page.forms if "secret" in it.hidden), name="Ann")
    assert ann.status == 200 and answer and GATE not in ann.page.text
    assert "Public tables" in ann.page.text
    page = ann.open("/settings/account").text
    assert "Recovery words" not in page and "Stop signing in" not in page


def test_closed_server_allows_only_sign_in_pages(closed):
    client = closed.test_client()
    refused, answered = 0, set()
    for rule in closed.url_map.iter_rules():
        if rule.arguments or rule.endpoint == "openid.come_back":
            continue
        for method in rule.methods - {"OPTIONS", "HEAD"}:
            answer = client.open(rule.rule, method=method, headers={"Accept": "application/json"})
            if answer.status_code == 403:
                refused += 1
            else:
                answered.add(rule.endpoint)
    assert answered == OPEN_ENDPOINTS
    assert refused > 60
    words = client.post("/login/recovery-words", data={"words": "zoo"})
    assert words.status_code == 403 and "requires you to sign in with The School" in words.text
    assert client.post("/login/password", data={"handle": "a"}).status_code == 403


# Everything else is refused. Add a new address only if it shows no person and no table.
OPEN_ENDPOINTS = {
    "login.confirm", "login.show", "health.alive", "metrics.show", "health.ready",
    "openid.go", "openid.signed_out", "pages.set_them", "pages.settings",
    "sharing.favicon", "sharing.manifest", "sharing.robots",
}  # fmt: skip


GOOD = {
    "OPENID_ISSUER": "https://id.example.org",
    "OPENID_CLIENT_ID": "kaboom",
    "PUBLIC_URL": "https://cards.example.org",
}


def test_openid_settings_are_parsed():
    found = from_environment(GOOD | {"OPENID_CLIENT_SECRET": "s", "OPENID_ONLY": "1"}).openid
    assert found == OpenId("https://id.example.org", "kaboom", "s", "id.example.org", True)
    assert from_environment(GOOD | {"OPENID_NAME": " The  School "}).openid.name == "The School"
    assert from_environment({}).openid is None


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"OPENID_ISSUER": ""}, "OPENID_ISSUER is needed"),
        ({"OPENID_ISSUER": "id.example.org"}, "must begin with https://"),
        ({"OPENID_ISSUER": "http://id.example.org"}, "unless it is on this machine"),
        ({"OPENID_ISSUER": "https://id.example.org?x=1"}, "must be a URL"),
        ({"OPENID_CLIENT_ID": ""}, "OPENID_CLIENT_ID is needed"),
        ({"PUBLIC_URL": ""}, "PUBLIC_URL is needed"),
        ({"OPENID_NAME": "x" * 41}, "at most 40"),
        ({"OPENID_ONLY": "yes"}, "must be 0 or 1"),
    ],
    ids=lambda it: str(it)[:40],
)
def test_invalid_settings_are_refused_with_a_sentence(wrong, sentence):
    with pytest.raises(InvalidSetting, match=sentence):
        from_environment(GOOD | wrong)
