"""Whatever the description allows is answered as it says: by a judge that read nothing else."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from kaboom.tables.commands.program_keys import new_key
from tests.counts import LONG, often
from tests.unit.web.voices.programs import Program, at_table

CASES = often(1, soak=20)  # of each address, for each who asks


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
        checks.response_schema_conformance,
    )


def test_every_case_is_answered_as_described(app, schemathesis):
    schema = schemathesis.openapi.from_wsgi("/openapi.json", app)
    asked = 0
    for number, found in enumerate(schema.get_all_operations()):
        operation = found.ok()
        if operation.path.endswith((".ndjson", "/events")):
            continue  # they do not end
        ann, ben = WithKey(app), Program(app)
        path = at_table("gops", ann, ben)
        asking = [
            {"Authorization": f"Bearer {ann.key}"},
            {"Cookie": ben.cookies},
            {"Authorization": f"Bearer {new_key()}"},
            {"Cookie": "kb=nobody"},
            {},
        ]
        for who in asking if LONG else asking[number % len(asking) :][:1]:
            asked += ask(operation, path.removeprefix("/t/"), who)
    assert asked >= (2000 if LONG else 30)
    print(f"{asked} cases")


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
        headers = {"Accept": "application/json"} if case.method == "POST" else {}
        case.call_and_validate(headers=headers | who, checks=checks())

    holds()
    return asked
