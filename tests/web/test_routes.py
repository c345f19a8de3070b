"""Every route, called by everybody: nobody, a worker, an annotator, a curator, an admin, and from elsewhere.

The table says who is the least that may use a route. A route that is not in it, or a line of it without a route,
fails the test, so nothing can be added without somebody deciding who it is for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from otherwords.project import open_project
from otherwords.web import api, pages
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.roles import ROLES
from otherwords.web.accounts.tokens import make_token
from otherwords.web.app import API, make_app
from tests.web.people import Person

PersonNamed = Callable[[str], Person]
LEAST = {
    "nobody": """
        GET /login, POST /login, GET /reset/{secret}, POST /reset/{secret}, GET /join/{secret}, POST /join/{secret},
        GET /setup/{secret}, POST /setup/{secret}, GET /sign-in, GET /sign-in/callback, GET /join/{secret}/sign-in,
        POST /language, GET /texts/{name}
    """,
    "worker": """
        GET /, POST /logout, GET /account, POST /account/password, POST /account/logout-everywhere,
        POST /account/tokens, POST /account/tokens/revoke, GET /classify/{name},
        GET /introduction/{name}, POST /introduction/{name}, GET /completion/{name}, GET /practice/{name},
        POST /account/sign-in, POST /account/sign-in/unlink,
        GET /api/v1/batches/{name}/practice, POST /api/v1/batches/{name}/practice,
        GET /api/v1/batches/{name}/introduction, POST /api/v1/batches/{name}/consent,
        POST /api/v1/batches/{name}/completion,
        GET /api/v1/me, POST /api/v1/me/password, POST /api/v1/me/logout-everywhere, GET /api/v1/me/tokens,
        PUT /api/v1/me/settings, GET /api/v1/batches/{name}/rest,
        POST /api/v1/me/tokens, DELETE /api/v1/me/tokens/{name}, GET /api/v1/home,
        POST /api/v1/batches/{name}/take, GET /api/v1/batches/{name}/recent, GET /api/v1/batches/{name}/progress,
        POST /api/v1/slots/{slot}/renew, POST /api/v1/slots/{slot}/release, GET /api/v1/slots/{slot}/tokens,
        POST /api/v1/judgements,
        POST /api/v1/judgements/{judgement}/undo, GET /api/v1/pairs/{pair}/context, GET /api/v1/pairs/{pair}/history
    """,
    "annotator": """
        GET /triage, GET /seeds, GET /extract, GET /extract/{document_pair}, GET /browse, GET /browse.json,
        GET /browse.csv, GET /pairs/{pair}, GET /pairs/{pair}.json, GET /pairs/{pair}.csv, GET /discussions,
        GET /discussions.json, GET /discussions.csv, GET /guidelines, GET /guidelines/{scheme},
        POST /api/v1/triage/take, POST /api/v1/triage/{document_pair}, POST /api/v1/seeds/take, POST /api/v1/seeds,
        POST /api/v1/extract/take, GET /api/v1/document-pairs/{document_pair},
        POST /api/v1/document-pairs/{document_pair}/open, POST /api/v1/document-pairs/{document_pair}/pairs,
        PUT /api/v1/document-pairs/{document_pair}/pairs/{pair},
        DELETE /api/v1/document-pairs/{document_pair}/pairs/{pair},
        POST /api/v1/document-pairs/{document_pair}/pairs/{pair}/restore,
        POST /api/v1/document-pairs/{document_pair}/finish, POST /api/v1/document-pairs/{document_pair}/reopen,
        GET /api/v1/pairs/{pair}/tokens, GET /api/v1/pairs/{pair}/remarks, POST /api/v1/pairs/{pair}/remarks,
        GET /api/v1/document-pairs/{item}/remarks, POST /api/v1/document-pairs/{item}/remarks,
        GET /api/v1/discussions, GET /api/v1/pairs, GET /api/v1/pairs/{pair}, GET /api/v1/guidelines/{scheme},
        GET /adjudicate, GET /adjudicate.json, GET /adjudicate.csv, GET /adjudicate/{name},
        GET /api/v1/batches/{name}/disagreements, POST /api/v1/pairs/{pair}/consensus
    """,
    "curator": """
        GET /batches, GET /batches.json, GET /batches.csv, GET /batches/new, POST /batches/new, GET /batches/{name},
        GET /about, POST /about, GET /crowd/{name}/introduction, POST /crowd/{name}/introduction,
        POST /crowd/{name}/introduction/preview, PUT /api/v1/batches/{name}/introduction,
        GET /api/v1/crowd/{name}/consents, GET /api/v1/crowd/{name}/code,
        POST /pairs/{pair}/leave-out, POST /pairs/{pair}/take-back, POST /api/v1/pairs/{pair}/leave-out,
        POST /api/v1/pairs/{pair}/take-back, POST /batches/{name}/state, POST /batches/check-rewrites,
        POST /guidelines/{scheme},
        POST /guidelines/{scheme}/preview,
        GET /api/v1/batches, POST /api/v1/batches, GET /api/v1/batches/{name}, PATCH /api/v1/batches/{name},
        POST /api/v1/batches/check-rewrites, GET /api/v1/batches/{name}/check,
        PUT /api/v1/guidelines/{scheme}, GET /api/v1/about, PUT /api/v1/about, POST /api/v1/guidelines/{scheme}/preview,
        GET /api/v1/export/judgements.jsonl, GET /api/v1/export/pairs.jsonl,
        GET /crowd/{name}, GET /crowd/{name}.json, GET /crowd/{name}.csv, POST /crowd/{name}/decide,
        POST /crowd/{name}/invite, POST /crowd/{name}/deploy, GET /api/v1/crowd/{name},
        GET /nearest, GET /nearest.json, GET /nearest.csv, POST /nearest/candidates, GET /api/v1/nearest,
        POST /api/v1/nearest/candidates,
        GET /method, GET /method.json, GET /method.csv, GET /method/run.json, POST /method/run, POST /method/stop,
        GET /models, GET /models.json, GET /models.csv, GET /models/{name}, GET /models/{name}.json,
        GET /models/{name}.csv, GET /mining, GET /mining.json, GET /mining.csv, GET /mining/tiles.json,
        GET /mining/tiles.csv, GET /mining/harvests.json, GET /mining/harvests.csv,
        POST /api/v1/crowd/{name}/decisions, POST /api/v1/crowd/{name}/deploy, POST /api/v1/crowd/{name}/invitations
    """,
    "admin": """
        GET /people, GET /people.json, GET /people.csv, POST /people/invite, POST /people/cancel, POST /people/change,
        GET /people/log, GET /people/log.json, GET /people/log.csv, GET /api/v1/people, POST /api/v1/invitations,
        DELETE /api/v1/invitations/{link}, PATCH /api/v1/people/{name}, POST /api/v1/people/{name}/reset,
        POST /api/v1/people/{name}/logout, POST /first-steps, PUT /api/v1/home/first-steps
    """,
}
TABLE = {
    tuple(request.split()): role for role, listed in LEAST.items() for request in re.split(r",\s*", listed.strip())
}
NAMES = {"pair": "p0", "name": "first", "document_pair": "dp1", "item": "dp1", "slot": "1", "scheme": "turku"}
SAFE = ("GET", "HEAD")


def routes() -> set[tuple[str, ...]]:
    """What there is, as the table writes it."""
    known = set()
    for prefix, routers in (("", pages.ROUTERS), (API, api.ROUTERS)):
        for router in routers:
            for route in router.routes:
                path = prefix + route.path.replace(":path}", "}")  # type: ignore[attr-defined]
                known |= {(method, path) for method in route.methods - {"HEAD"}}  # type: ignore[attr-defined]
    return known


def filled_in(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: NAMES.get(match[1], "none"), path)


def test_the_table_has_every_route_and_no_other() -> None:
    assert set(TABLE) - routes() == set()
    assert routes() - set(TABLE) == set()


@pytest.mark.parametrize("name", ["wim", "anna", "carl", "ada"])
def test_everybody_may_what_their_role_may(person: PersonNamed, name: str) -> None:
    role = {"wim": "worker", "anna": "annotator", "carl": "curator", "ada": "admin"}[name]
    for (method, path), least in sorted(TABLE.items()):
        if least == "nobody" or "logout" in path:
            continue
        status = person(name).ask(method, filled_in(path)).status_code
        assert status < 500, (method, path, status)
        if ROLES.index(role) < ROLES.index(least):
            assert status == 403, (method, path, status)
        elif path.startswith(API) or method in SAFE:  # a form is refused without the token that is in it
            assert status != 401, (method, path, status)
            assert status != 403 or path in MAY_REFUSE, (method, path, status)


# What somebody of the right role may still be refused: another one's work, a discussion before the judgement.
MAY_REFUSE = {
    "/api/v1/slots/{slot}/renew",
    "/api/v1/pairs/{pair}/remarks",
    "/api/v1/pairs/{pair}/context",
    "/api/v1/document-pairs/{item}/remarks",
    "/api/v1/pairs/{pair}/history",
    "/adjudicate/{name}",
    "/api/v1/batches/{name}/disagreements",
}


def test_another_annotator_may_not_touch_what_is_somebody_elses(person: PersonNamed) -> None:
    anna, ben = person("anna"), person("ben")
    (task,) = anna.post(f"{API}/batches/double/take?count=1").json()
    judgement = anna.post(
        f"{API}/judgements", json={"key": "a", "slot": task["slot"], "value": "4", "note": "mine"}
    ).json()
    anna.post(f"{API}/document-pairs/dp2/open")
    passages = {"key": "k", "start1": 0, "end1": 5, "start2": 0, "end2": 5}
    attempts = [
        ("POST", "/judgements", {"key": "b", "slot": task["slot"], "value": "1"}, 403),
        ("POST", "/judgements", {"key": "b", "slot": task["slot"], "value": "1", "supersedes": judgement["id"]}, 403),
        ("POST", f"/judgements/{judgement['id']}/undo?key=b", None, 404),
        ("POST", f"/slots/{task['slot']}/renew", None, 409),
        ("GET", "/pairs/p0/remarks", None, 403),
        ("POST", "/pairs/p0/remarks", {"key": "b", "action": "say", "text": "so?"}, 403),
        ("POST", "/document-pairs/dp2/open", None, 409),
        ("POST", "/document-pairs/dp2/pairs", passages, 409),
        ("POST", "/document-pairs/dp2/finish", {"key": "b", "outcome": "empty"}, 409),
    ]
    for method, path, body, status in attempts:
        answer = ben.ask(method, API + path, json=body)
        assert answer.status_code == status, (method, path, answer.status_code, answer.text)
        assert "anna" not in answer.text
    seen = ben.get(f"{API}/pairs/p0/history").text + ben.get("/pairs/p0").text + ben.get("/browse.json").text
    assert "mine" not in seen
    assert "anna" not in seen


def test_nobody_may_nothing(client: TestClient) -> None:
    for (method, path), least in sorted(TABLE.items()):
        answer = client.request(method, filled_in(path), headers={"accept": "text/html"})
        assert answer.status_code < 500, (method, path)
        if least == "nobody":
            continue
        if answer.status_code == 303:
            assert answer.headers["location"].startswith("/login?next="), (method, path)
        else:
            assert answer.status_code in (401, 403), (method, path, answer.status_code)


def test_whatever_changes_something_needs_a_token_of_the_page(person: PersonNamed) -> None:
    for (method, path), least in sorted(TABLE.items()):
        if method in SAFE or least == "nobody":
            continue
        for headers in ({"x-csrf-token": ""}, {"x-csrf-token": "wrong"}, {"origin": "https://elsewhere.example"}):
            body: dict[str, object] = {"json": {}} if path.startswith(API) else {"data": {"csrf": "wrong"}}
            status = person("ada").ask(method, filled_in(path), headers=headers, **body).status_code
            expected = (403, 422) if path.endswith("/judgements") else (403,)
            assert status in expected, (method, path, headers, status)


def test_a_token_for_reading_changes_nothing(client: TestClient, filled: Path) -> None:
    with open_project(filled) as project, project.ledger.writing() as connection:
        secret = make_token(connection, account_of(connection, "ada"), "reading", ["read"], None)
    for (method, path), least in sorted(TABLE.items()):
        if method in SAFE or least == "nobody":
            continue
        status = client.request(method, filled_in(path), headers={"authorization": f"Bearer {secret}"}).status_code
        assert status in (401, 403) or (status == 422 and path.endswith("/judgements")), (method, path, status)


def test_the_public_site_has_nothing_else(filled: Path) -> None:
    with TestClient(make_app(filled, public=True), follow_redirects=False) as client:
        for (method, path), _ in sorted(TABLE.items()):
            if path in ("/", "/browse", "/browse.json", "/browse.csv", "/api/v1/pairs") or path.startswith("/pairs/"):
                continue
            status = client.request(method, filled_in(path)).status_code
            assert status in (404, 405), (method, path, status)


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2f..%2fcli/__init__.py", "/static//etc/passwd"]
)
def test_no_path_leads_out_of_the_static_files(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (400, 404)


def test_an_answer_says_how_a_browser_is_to_treat_it(person: PersonNamed) -> None:
    for path in ("/account", "/browse", "/api/v1/me", "/static/site.css", "/nowhere"):
        headers = person("anna").get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "unsafe-inline" not in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["referrer-policy"] in ("same-origin", "no-referrer"), path
    assert person("anna").get("/account").headers["cache-control"] == "no-store"


def test_a_large_body_is_not_read(person: PersonNamed) -> None:
    for path in ("/api/v1/judgements", "/api/v1/pairs/p0/remarks", "/login", "/account/password"):
        answer = person("anna").post(path, content=b"x" * 50_000_000, headers={"content-type": "application/json"})
        assert answer.status_code == 413, path
        assert "larger than" in answer.text
