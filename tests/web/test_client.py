"""The typed client against a real server on a real socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from otherwords.annotate.crowd.introduction import publish_introduction
from otherwords.project import open_project
from otherwords.project.about import About, CorpusAuthor, read_about
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.tokens import make_token
from otherwords.web.client import Client, Refusal
from tests.errors import raises
from tests.serving import ForkedSite, Served


@pytest.fixture
def site(filled: Path) -> Iterator[Served]:
    served = ForkedSite(filled)
    served.start()
    yield served
    served.stop()


def token(folder: Path, name: str, *scopes: str) -> str:
    with open_project(folder) as project, project.ledger.writing() as connection:
        return make_token(connection, account_of(connection, name), "test", scopes, None)


def test_a_program_annotates(site: Served) -> None:
    with Client(site.address, token(site.folder, "anna", "read", "annotate")) as client:
        assert client.me().name == "anna"
        first, second = client.take("first", 2)
        saved = client.judge(first.slot, "4", key="k", seconds=1.0)
        assert client.judge(first.slot, "4", key="k", seconds=1.0) == saved
        assert client.progress("first").mine == 1
        assert client.undo(saved.id).value is None
        assert client.renew(second.slot).slot == second.slot
        site.kill()
        site.start()
        assert client.judge(first.slot, "3").value == "3"
        assert [task.judgement["value"] for task in client.recent("first") if task.judgement] == ["3"]


def test_a_program_says_who_made_the_corpus(site: Served) -> None:
    with Client(site.address, token(site.folder, "carl", "read", "curate")) as client:
        before = client.about()
        assert (before.title, before.authors) == ("", ())
        assert "title" in before.empty_entries
        about = About(title="Harbour talk", authors=(CorpusAuthor("Ada Byron"),))
        after = client.change_about(about, after=before.version)
        assert (after.title, after.authors, after.version != before.version) == (about.title, about.authors, True)
        with raises("newer-version"):
            client.change_about(About(title="Late"), after=before.version)
    assert read_about(site.folder) == about


def test_a_program_agrees_to_an_introduction_and_gets_a_code(site: Served) -> None:
    with open_project(site.folder) as project, project.ledger.writing() as connection:
        publish_introduction(connection, "first", "Welcome.", 1, "carl")
    with Client(site.address, token(site.folder, "anna", "read", "annotate")) as client:
        with raises("consent-needed"):
            client.take("first")
        assert client.agree("first", 1).version == 1
        [task] = client.take("first")
        with raises("not-finished"):
            client.completion("first")
        client.judge(task.slot, "4")
        assert client.completion("first") == client.completion("first")


def test_a_token_is_for_what_it_says(site: Served) -> None:
    with Client(site.address, token(site.folder, "anna", "read")) as client:
        with raises("insufficient-role") as refused:
            client.take("first")
        assert refused.value.status == 403
    with Client(site.address, "owt_unknown") as client, raises("invalid-token") as refused:
        client.me()
    assert refused.value.status == 401


def test_an_address_that_is_none() -> None:
    with raises("invalid-address"):
        Client("127.0.0.1:8080", "owt_x")
    with Client("http://127.0.0.1:9", "owt_x") as client, raises("site-unreachable"):
        client.me()


def test_a_program_triages_and_extracts(site: Served) -> None:
    with Client(site.address, token(site.folder, "anna", "read", "annotate")) as client:
        (waiting,) = client.take_for_triage()
        assert (waiting.id, waiting.one.id) == ("dp1", "d0a")
        saved = client.triage("dp1", "reject", key="k", reason="no", seconds=2.0)
        assert (saved.document_pair, saved.value, saved.reason) == ("dp1", "reject", "no")
        assert client.triage("dp1", "reject", key="k", reason="no", seconds=2.0) == saved
        assert client.triage("dp1", "accept").supersedes == saved.id
        assert client.take_for_triage() == []
        first = client.take_documents()
        assert first is not None
        assert (first.id, first.mine, first.pairs) == ("dp1", True, [])
        pair = client.add_pair("dp1", (3, 9), (0, 5), key="p", seconds=4.0)
        assert (pair.text1, pair.start1, pair.end1) == ("rained", 3, 9)
        assert client.finish("dp1", "finished", seconds=9.0).value == "finished"
        second = client.take_documents()
        assert second is not None
        with pytest.raises(Refusal, match="nothing was extracted") as refused:
            client.finish(second.id, "finished")
        assert refused.value.status == 409
        assert client.finish(second.id, "empty").value == "empty"
        assert client.take_documents() is None


def test_a_program_decides(site: Served) -> None:
    for name, values in (("anna", ("4", "1")), ("ben", ("4", "3"))):
        with Client(site.address, token(site.folder, name, "read", "annotate")) as client:
            for task, value in zip(client.take("double", 2), values, strict=True):
                client.judge(task.slot, value)
    with Client(site.address, token(site.folder, "carl", "read", "annotate", "curate")) as client:
        queue = client.disagreements("double")
        (case,) = queue.cases
        assert (queue.settled.agreed, queue.settled.waiting) == (1, 1)
        seen = [opinion["id"] for opinion in case.opinions]
        decided = client.decide("double", case.pair, "2", seen, key="k", note="in between", seconds=3.0)
        assert (decided.value, decided.note, decided.adopted) == ("2", "in between", None)
        assert client.decide("double", case.pair, "2", seen, key="k", note="in between", seconds=3.0) == decided
        assert client.disagreements("double").cases == []
        assert [known.pair for known in client.disagreements("double", "decided").cases] == [case.pair]
        again = client.decide("double", case.pair, None, seen, supersedes=decided.id)
        assert again.value is None
