"""Whatever the description allows is answered as it says: by a judge that read nothing else."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from kaboom.accounts.api_keys.service import new_key
from tests.support.api_clients import Program, at_table
from tests.support.effort import LONG, often

CASES = often(1, soak=20)  # at random, of each operation, for each who asks
NOBODYS = {"Authorization": f"Bearer {new_key()}"}
# Where Allow names GET, too: a page for people, which no program need ask for.
PAGES_TOO = {
    "/day/{when}",
    "/t/{code}/ahead",
    "/t/{code}/house",
    "/t/{code}/leave",
    "/t/{code}/options",
    "/t/{code}/talk",
}


@pytest.fixture
def schemathesis():
    """The judge, whose import takes more than half a second."""
    import schemathesis

    return schemathesis


def checks():
    """Return what every answer has to stand."""
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
    """Return what is tried of an operation by rule: values at their bounds and beyond, what has to
    be sent left out, methods and types that it does not take.
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


def test_every_case_is_answered_as_described(app, schemathesis):
    schema = schemathesis.openapi.from_wsgi("/openapi.json", app)
    asked = tried = 0
    for number, found in enumerate(schema.get_all_operations()):
        operation = found.ok()
        if operation.path.endswith((".ndjson", "/events")):
            continue  # they do not end
        ann, ben = WithKey(app), Program(app)
        path = at_table("gops", ann, ben)
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
        for case in by_rule(schema, operation):
            judged(case, code, asking[tried % len(asking)])
            tried += 1
    assert asked >= (2000 if LONG else 30)
    assert tried >= 2000
    print(f"{asked} cases at random, {tried} by rule")


def judged(case, code, who):
    """Let whoever has these headers ask that of a table; its code takes the place of what is only
    said to look like one, not of what must not.
    """
    if case.meta.phase.data.parameter_location != "path" and "code" in case.path_parameters:
        case.path_parameters["code"] = code
    case.call_and_validate(headers=dict(who), checks=[it for it in checks() if asks(it, case, who)])


def asks(check, case, who):
    """Say whether a check asks for what is promised. A body may hold a number in place of a text, 1
    in place of true, and one value in place of a list (docs/api.md); and whoever shows a key that
    is none is told that, whatever they ask.
    """
    tried = case.meta.phase.data
    retyped = tried.parameter_location == "body" and tried.scenario == "incorrect_type"
    name = check.__name__
    return not (
        (retyped and name == "negative_data_rejection")
        or (who == NOBODYS and name == "unsupported_method")
    )


class WithKey(Program):
    """Somebody with a key, and no cookie."""

    def __init__(self, app):
        super().__init__(app)
        self.key = self.post("/guests", {"name": "Ann"}).json["key"]
        self.client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {self.key}"


def ask(operation, code, who):
    """Ask at an address what its description allows, with headers that say who asks; return how
    often.
    """
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
