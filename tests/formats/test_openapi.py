"""Every request that the description allows gets a described response (Schemathesis)."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from kaboom.accounts.api_keys.service import new_key
from tests.support.api_clients import Program, at_table
from tests.support.effort import LONG, often, some

CASES = often(1, soak=20)  # random requests for each operation and client
NOBODYS = {"Authorization": f"Bearer {new_key()}"}
# Where Allow names GET too, there is a page for people that programs need not request.
PAGES_TOO = {
    "/daily/{when}",
    "/m/{code}/coach",
    "/play",
    "/t/{code}/ahead",
    "/t/{code}/house",
    "/t/{code}/leave",
    "/t/{code}/options",
    "/t/{code}/talk",
}


@pytest.fixture
def schemathesis():
    """Return Schemathesis, whose import takes more than half a second."""
    import schemathesis

    return schemathesis


def checks():
    """Return the checks that every answer must pass."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    return (
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
        checks.negative_data_rejection,
        checks.unsupported_method,
        checks.allow_header_conformance,
    )


def by_rule(schema, operation):
    """Return the systematic cases of an operation: values at and beyond their limits, missing
    required fields, undeclared methods and types.
    """
    from schemathesis import GenerationMode

    how = schema.config.generation_for(operation=operation)
    cases = schema.iter_coverage_cases(
        operation, generation_modes=list(GenerationMode), generation_config=how
    )
    return [
        case
        for case in cases
        if case.path not in PAGES_TOO or case.method not in ("GET", "HEAD", "OPTIONS")
    ]


def test_every_case_gets_a_described_response(app, schemathesis):
    schema = schemathesis.openapi.from_wsgi("/openapi.json", app)
    asked = tried = 0
    changed = True
    for number, found in enumerate(schema.get_all_operations()):
        operation = found.ok()
        if operation.path.endswith((".ndjson", "/events")):
            continue  # they do not end
        if changed:  # GET requests leave the table as it was
            ann, ben = WithKey(app), Program(app)
            path = at_table("gops", ann, ben)
        changed = operation.method.upper() != "GET"
        asking = [
            {"Authorization": f"Bearer {ann.key}"},
            {"Cookie": ben.cookies},
            NOBODYS,
            {"Cookie": "kb=nobody"},
            {},
        ]
        code = path.removeprefix("/t/")
        for who in asking if LONG else asking[number % len(asking) :][:1]:
            asked += ask(operation, code, who)
        for case in some(by_rule(schema, operation), first=number % 2):
            judged(case, code, asking[tried % len(asking)])
            tried += 1
    assert asked >= (2000 if LONG else 30)
    assert tried >= (2000 if LONG else 1000)
    print(f"{asked} cases at random, {tried} by rule")


def judged(case, code, who):
    """Let a player with these headers call the operations of a table. Path values get the table's
    code, except in negative cases.
    """
    if case.meta.phase.data.parameter_location != "path" and "code" in case.path_parameters:
        case.path_parameters["code"] = code
    case.call_and_validate(headers=dict(who), checks=[it for it in checks() if asks(it, case, who)])


PAGES = ("GET", "HEAD", "OPTIONS")  # a page at the same address changes their answers


def asks(check, case, who):
    """Return True if a check applies. A body may have a number in place of a text, 1 for true, and
    one value for a list (docs/api.md). An invalid key is always answered as such. An address to
    which programs only send may also have a page.
    """
    tried = case.meta.phase.data
    retyped = tried.parameter_location == "body" and tried.scenario == "incorrect_type"
    name = check.__name__
    return not (
        (retyped and name == "negative_data_rejection")
        or (name == "unsupported_method" and (who == NOBODYS or case.method in PAGES))
        or name == "allow_header_conformance"  # a page may answer at the same address
    )


class WithKey(Program):
    """A player with a key, and no cookie."""

    def __init__(self, app):
        super().__init__(app)
        self.key = self.post("/guests", {"name": "Ann"}).json["key"]
        self.client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {self.key}"


def ask(operation, code, who):
    """Send requests that a description allows; return their number."""
    asked = 0

    @settings(
        max_examples=CASES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def holds(case):
        nonlocal asked
        asked += 1
        if case.path_parameters:
            case.path_parameters["code"] = code
        case.call_and_validate(headers=dict(who), checks=checks())

    holds()
    return asked
