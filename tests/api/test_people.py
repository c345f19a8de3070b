"""Batches, crowds, accounts, schemes, guidelines and adjudication as functions, without the command line."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

import otherwords
from otherwords.annotate.batches.batch import BatchRules, KeepRule
from otherwords.project import create_project, open_project
from otherwords.web import server
from otherwords.web.server import ServedProject
from tests.annotate.disputed import judged
from tests.errors import raises
from tests.web.people import seat


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        seat(project)
    return tmp_path / "corpus"


def test_a_batch_and_its_rules(corpus: Path) -> None:
    created = otherwords.batch.new(
        corpus,
        "strict",
        where={"lang": "en"},
        people=["anna", "ben"],
        times=2,
        scheme="rupaws",
        keep={"well_formed": ["yes"]},
        agree_on=["paraphrase"],
    )
    assert (created.batch.id, created.items) == ("strict", 5)
    report = otherwords.batch.show(corpus, "strict")
    keep = KeepRule(all_say={"well_formed": ["yes"]}, agree_on=["paraphrase"])
    assert report.batch.rules == BatchRules(people=["anna", "ben"], keep=keep)
    assert (report.progress.items, report.progress.slots, report.progress.done) == (5, 10, 0)
    assert [state.id for state in otherwords.batch.list(corpus)] == ["first", "double", "strict"]
    assert otherwords.batch.close(corpus, "strict").state == "closed"
    assert otherwords.batch.open(corpus, "strict").state == "open"


def test_adjudication(corpus: Path) -> None:
    with open_project(corpus) as project, project.ledger.writing() as connection:
        judged(connection, "double", "anna", {"p0": "4>", "p1": "1"})
        judged(connection, "double", "ben", {"p0": "4>", "p1": "4"})
    report = otherwords.adjudicate(corpus, "double")
    assert [(case.pair, case.severity) for case in report.cases] == [("p1", 1)]
    assert (report.resolution.agreed, report.resolution.waiting, report.kept) == (1, 1, None)
    assert otherwords.adjudicate(str(corpus), "double", show="decided").cases == []


def test_accounts(corpus: Path) -> None:
    link = otherwords.user.invite(corpus, name="dora", address="https://corpus.example.org/")
    assert link.url.startswith("https://corpus.example.org/join/")
    assert link.name == "dora"
    [invited] = [person for person in otherwords.user.list(corpus) if person.name == "dora"]
    assert invited.invitation is not None
    otherwords.user.cancel(corpus, invited.invitation.id)
    account = otherwords.user.add(corpus, "dora", "seven herons on a fence", role="worker")
    assert (account.name, account.role) == ("dora", "worker")
    assert otherwords.user.role(corpus, "DORA", "annotator").role == "annotator"
    assert otherwords.user.token(corpus, "dora", "laptop", scopes=["read"])
    assert [token.name for token in otherwords.user.tokens(corpus, "dora")] == ["laptop"]
    assert otherwords.user.logout(corpus, "dora").sessions == 0
    with raises("no-such-account"):
        otherwords.user.close(corpus, "nobody")


def test_schemes_and_guidelines(corpus: Path, tmp_path: Path) -> None:
    assert "turku" in {scheme.name for scheme in otherwords.scheme.list(project=corpus)}
    assert otherwords.scheme.show("rupaws").questions[0].name == "well_formed"
    with raises("file-unreadable", match="missing.toml"):
        otherwords.scheme.check(tmp_path / "missing.toml")
    (tmp_path / "ours.md").write_text("# Ours\n", encoding="utf-8")
    assert otherwords.guideline.set(corpus, "turku", tmp_path / "ours.md").version == 1
    assert otherwords.guideline.show(corpus, "turku").text == "# Ours"
    assert [edition.version for edition in otherwords.guideline.versions(corpus, "turku")] == [1, 0]


def test_serve_reports_the_address_when_the_server_is_ready(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def serve(site: ServedProject, folder: Path, workers: int, *, public: bool, ready: Callable[[], object]) -> None:
        ready()
        calls.append(f"served by {workers}")
        site.sock.close()

    def ready(site: ServedProject) -> None:
        assert isinstance(site.sock, socket.socket)
        calls.append(site.address.rpartition(":")[0])

    monkeypatch.setattr(server, "serve", serve)
    otherwords.serve(corpus, port=0, workers=2, ready=ready)
    assert calls == ["http://127.0.0.1", "served by 2"]
