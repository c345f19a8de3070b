"""All output of a simulated project says so, and otherwise it works like any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from otherwords.annotate.browse.export import judgement_lines
from otherwords.cli import cli
from otherwords.project import Project, create_project, open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.project.simulated import mark_simulated
from otherwords.records import Judgement
from otherwords.simulate.options import SimulationOptions
from otherwords.simulate.simulation import simulate
from otherwords.web.app import make_app
from tests.simulate.texts import put_batch, put_pairs
from tests.web.people import Person, seat

BANNER = '<p class="simulated"'
PAGE = {"accept": "text/html"}


def exported(project: Project) -> list[Judgement]:
    with project.ledger.reading() as connection:
        lines = b"".join(judgement_lines(connection, None))
    return [msgspec.json.decode(line, type=Judgement) for line in lines.splitlines()]


def test_exported_judgements_are_of_their_own_kind(project: Project) -> None:
    put_batch(project, "double", put_pairs(project), asked=2)
    simulate(project, SimulationOptions(people=2, accuracy=0.4))
    with project.ledger.reading() as connection:
        kinds = {judgement.kind for judgement in read_records(connection, Judgement)}
    assert kinds == {"individual", "consensus"}
    assert {judgement.kind for judgement in exported(project)} == {"simulated"}
    assert {judgement.meta.get("kind") for judgement in exported(project)} == {None, "consensus"}


def test_the_judgements_of_people_keep_their_kind(project: Project) -> None:
    with project.ledger.writing() as connection:
        rows = [{"id": "j", "unit": "pair", "pair": "p", "purpose": "production", "kind": "consensus", "round": 1}]
        more = {"value": "4", "unsure": False, "rewrites": [], "meta": {}}
        connection.execute(schema.judgements.insert(), [rows[0] | more])
    assert [judgement.kind for judgement in exported(project)] == ["consensus"]


@pytest.fixture
def marked(filled: Path) -> None:
    """Mark the project of the site as simulated before it is served."""
    with open_project(filled) as project, project.ledger.writing() as connection:
        mark_simulated(connection)


@pytest.mark.usefixtures("marked")
def test_every_page_says_that_nobody_judged(client: TestClient, person: Callable[[str], Person]) -> None:
    for path in ("/", "/browse", "/batches", "/adjudicate", "/people", "/classify/first", "/triage", "/nowhere"):
        assert person("ada").get(path, headers=PAGE).text.count(BANNER) == 1, path
    assert BANNER in client.get("/login", headers=PAGE).text


def test_where_people_judge_no_page_says_so(client: TestClient, person: Callable[[str], Person]) -> None:
    assert BANNER not in person("ada").get("/", headers=PAGE).text
    assert BANNER not in client.get("/login", headers=PAGE).text


def test_the_public_page_says_so_too(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        seat(project)
        with project.ledger.writing() as connection:
            mark_simulated(connection)
    with TestClient(make_app(tmp_path / "corpus", public=True)) as client:
        assert BANNER in client.get("/").text


def test_agreement_adjudication_labels_and_traces(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        pairs = put_pairs(project, 2)
        put_batch(project, "double", pairs, asked=2)
        simulate(project, SimulationOptions(accuracy=0.7))

    def output_of(*words: object) -> dict[str, object]:
        done = CliRunner().invoke(cli, [*map(str, words), "--json"])
        assert done.exit_code == 0, (done.output, done.exception)
        output: dict[str, object] = json.loads(done.stdout)
        return output

    assert output_of("agree", folder, "--batch", "double")
    settled = output_of("adjudicate", folder, "double")
    assert (settled["complete"], settled["waiting"]) == (20, 0)
    assert settled["decided"] == settled["disagreeing"] != 0
    assert output_of("label", folder)
    assert output_of("trace", folder, pairs[0])
