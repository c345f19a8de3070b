"""A release is published whole or not at all, by the protocol of each service, and never by accident."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from otherwords.corpus.publish import client
from otherwords.corpus.publish.publish import publish
from otherwords.corpus.release.metadata_files import CHECKSUMS
from otherwords.project import create_project, open_project
from tests.corpus.publish.local_services import TOKEN, Services, local_services
from tests.corpus.released_corpus import add, files_in, fill, judgement, pair, released
from tests.errors import raises

HUB = "hf:harbour/boats"


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two versions of a corpus."""
    folder = tmp_path_factory.mktemp("published") / "boats"
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        fill(project)
        first = released(project).folder
        add(project, pair(50, group="g3"), judgement("p50", "4"))
        return [first, released(project, version="1.1").folder]


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setenv("ZENODO_TOKEN", TOKEN)
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    monkeypatch.setattr(client, "WAITS", (0.0, 0.0, 0.0))
    with local_services() as running:
        yield running


def test_nothing_is_sent_without_yes(releases: list[Path], services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN")  # which is not even read
    result = publish(releases[0], HUB, endpoint=services.address)
    assert not result.sent
    assert services.requests == []
    assert {file.path for file in result.plan.files} == set(files_in(releases[0]))
    assert [call.method for call in result.plan.calls] == ["GET", "POST", "GET", "POST", "POST", "PUT", "POST", "POST"]
    assert all(services.address in call.url for call in result.plan.calls if call.method != "PUT")
    publish(releases[0], "zenodo:new", endpoint=services.address)
    assert services.requests == []


def test_the_hub_has_one_commit_and_a_tag(releases: list[Path], services: Services) -> None:
    result = publish(releases[0], HUB, endpoint=services.address, yes=True)
    assert services.files == files_in(releases[0])
    assert (len(services.commits), services.tags) == (1, ["1.0"])
    assert result.address == f"{services.address}/datasets/harbour/boats"
    assert set(result.uploaded) == set(services.files)
    assert set(services.seen_at_storage) == {None}  # another host is not given the token
    before = len(services.requests)
    assert publish(releases[0], HUB, endpoint=services.address, yes=True).again
    assert all(method == "GET" for method, _ in services.requests[before:])


def test_the_next_version_replaces_the_files(releases: list[Path], services: Services) -> None:
    publish(releases[0], HUB, endpoint=services.address, yes=True)
    services.files |= {"data/old/train.parquet": b"of an earlier version", "notes.md": b"by hand"}
    result = publish(releases[1], HUB, endpoint=services.address, yes=True)
    assert result.deleted == ["data/old/train.parquet"]
    assert services.files == files_in(releases[1]) | {"notes.md": b"by hand"}
    assert "LICENSE" in services.files
    assert services.tags == ["1.0", "1.1"]


@pytest.mark.parametrize(
    "place", [("PUT", "/large/"), ("POST", "/commit/"), ("POST", "/tag/"), ("POST", "/preupload/")]
)
def test_the_hub_never_has_half(releases: list[Path], services: Services, place: tuple[str, str]) -> None:
    services.failures[place] = client.TRIES
    with raises("publish-failed") as caught:
        publish(releases[0], HUB, endpoint=services.address, yes=True)
    assert TOKEN not in str(caught.value)
    assert services.tags == []
    assert services.files in ({}, files_in(releases[0]))
    sent = dict(services.large)
    uploads = len(services.seen_at_storage)
    publish(releases[0], HUB, endpoint=services.address, yes=True)
    assert services.files == files_in(releases[0])
    assert len(services.commits) == 1
    assert len(services.seen_at_storage) - uploads == len(services.large) - len(sent)  # none is sent twice


def test_what_fails_for_a_moment_is_repeated(releases: list[Path], services: Services) -> None:
    services.failures["POST", "/commit/"] = client.TRIES - 1
    publish(releases[0], HUB, endpoint=services.address, yes=True)
    assert services.tags == ["1.0"]


def test_a_refusal_is_not_repeated_and_does_not_quote_the_token(releases: list[Path], services: Services) -> None:
    services.status, services.failures["POST", "/commit/"] = 412, 1
    with raises("publish-refused") as caught:
        publish(releases[0], HUB, endpoint=services.address, yes=True)
    assert "status 412" in str(caught.value)
    assert "out of order for Bearer …" in str(caught.value)
    assert sum("/commit/" in path for _, path in services.requests) == 1


def test_zenodo_has_an_archive_of_all_files(releases: list[Path], services: Services) -> None:
    result = publish(releases[0], "zenodo:new", endpoint=services.address, yes=True)
    [deposit] = services.deposits.values()
    assert deposit["submitted"]
    assert result.address == f"{services.address}/records/{deposit['id']}"
    names = {name for _, name in services.contents}
    assert names == {"boats-1.0.zip", "README.md", CHECKSUMS}
    with zipfile.ZipFile(io.BytesIO(services.contents[deposit["id"], "boats-1.0.zip"])) as archive:
        content = {name.removeprefix("boats-1.0/"): archive.read(name) for name in archive.namelist()}
    assert content == files_in(releases[0])
    metadata = deposit["metadata"]
    assert (metadata["version"], metadata["license"], metadata["publication_date"]) == (
        "1.0",
        "cc-by-sa-4.0",
        "2024-05-01",
    )
    assert metadata["creators"] == [{"name": "The makers of boats"}]
    assert publish(releases[0], f"zenodo:{deposit['id']}", endpoint=services.address, yes=True).again


def test_a_new_version_on_zenodo(releases: list[Path], services: Services) -> None:
    publish(releases[0], "zenodo:new", endpoint=services.address, yes=True)
    result = publish(releases[1], "zenodo:100", endpoint=services.address, yes=True)
    assert result.deleted == ["boats-1.0.zip"]
    assert {name for number, name in services.contents if number == 101} == {"boats-1.1.zip", "README.md", CHECKSUMS}
    assert services.deposits[101]["submitted"]


@pytest.mark.parametrize("place", [("PUT", ".zip"), ("PUT", "depositions/"), ("POST", "/publish"), ("PUT", "README")])
def test_zenodo_never_publishes_half(releases: list[Path], services: Services, place: tuple[str, str]) -> None:
    services.failures[place] = client.TRIES
    with raises("publish-failed") as caught:
        publish(releases[0], "zenodo:new", endpoint=services.address, yes=True)
    assert "--to zenodo:100" in str(caught.value)
    assert not services.deposits[100]["submitted"]
    before = set(services.contents)
    result = publish(releases[0], "zenodo:100", endpoint=services.address, yes=True)
    assert services.deposits[100]["submitted"]
    assert set(result.uploaded) == {name for _, name in services.contents.keys() - before}


def test_a_changed_release_is_not_published(releases: list[Path], services: Services, tmp_path: Path) -> None:
    for name, content in files_in(releases[0]).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "LICENSE").write_text("another")
    with raises("release-not-sound"):
        publish(tmp_path, HUB, endpoint=services.address, yes=True)
    assert services.requests == []


@pytest.mark.parametrize("target", ["hub:a/b", "hf:boats", "hf:a/../b", "hf:a/b/c", "zenodo:", "zenodo:x", "zenodo"])
def test_targets_that_are_none(target: str, tmp_path: Path) -> None:
    with raises("bad-target"):
        publish(tmp_path, target)


def test_tokens(releases: list[Path], services: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    monkeypatch.delenv("HF_TOKEN")
    with raises("no-token"):
        publish(releases[0], HUB, endpoint=services.address, yes=True)
    with raises("no-token"):
        publish(releases[0], HUB, endpoint=services.address, yes=True, token_file=tmp_path / "nothing")
    publish(releases[0], HUB, endpoint=services.address, yes=True, token_file=file)
    with raises("publish-not-encrypted"):
        publish(releases[0], HUB, endpoint="http://example.org", yes=True, token_file=file)
    with raises("bad-endpoint"):
        publish(releases[0], HUB, endpoint="ftp://example.org", yes=True, token_file=file)
