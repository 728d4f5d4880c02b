"""Error pages."""

import pytest


@pytest.mark.parametrize("address", ["/t/NOTABLE2", "/t/x", "/m/NOMATCH2", "/nowhere", "/start/go"])
def test_not_found_page_offers_a_field_for_a_table_code(browser, table, address):
    path, _ = table("Ann", "Ben", game="gops")
    lost = browser()
    lost.open(address)
    assert lost.status == 404
    lost.send(lost.page.form("/join"), code=f"https://elsewhere.example{path}?x=1")
    assert lost.status == 200
    assert "Ann" in lost.page.text


@pytest.mark.parametrize("address", ["/tables", "/t/NOTABLE2/move"])
def test_wrong_method_page_offers_no_code_field(client, address):
    answer = client.get(address)
    assert answer.status_code == 405
    assert 'name="code"' not in answer.text
