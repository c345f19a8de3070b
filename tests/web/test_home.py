"""Home shows what a project has."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import delete, insert, select
from starlette.testclient import TestClient

from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement
from otherwords.steps.known_recipes import keep_recipe, recipe_path
from otherwords.web.site import Site
from tests.web.people import Person


def test_without_document_pairs_nothing_is_said_of_extraction(
    client: TestClient, person: Callable[[str], Person]
) -> None:
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    with site.ledger.writing() as connection:
        connection.execute(delete(schema.document_pairs))
    page = person("carl").get("/").text
    assert 'id="sources"' in page
    assert 'id="extraction"' not in page


def test_a_curator_without_work_is_led_to_the_recipe_that_was_run(
    client: TestClient, person: Callable[[str], Person]
) -> None:
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    carl = person("carl")
    with site.ledger.writing() as connection:
        connection.execute(delete(schema.slots))
        connection.execute(delete(schema.document_pairs))
    assert carl.get("/api/v1/home").json()["next"] == "batch"
    assert 'href="/method" data-key="Enter"' not in carl.get("/").text
    with site.ledger.writing() as connection:
        keep_recipe(connection, site.project.folder, recipe_path(site.project.folder, "rupaws"))
    assert carl.get("/api/v1/home").json()["next"] == "recipe"
    assert 'href="/method" data-key="Enter"' in carl.get("/").text


def test_a_curator_of_a_judged_project_without_a_recipe_is_led_to_the_release(
    client: TestClient, person: Callable[[str], Person]
) -> None:
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    carl = person("carl")
    with site.ledger.writing() as connection:
        connection.execute(delete(schema.slots))
        connection.execute(delete(schema.document_pairs))
        for pair in connection.execute(select(schema.pairs.c.id)).scalars().all():
            judgement = Judgement(id=f"carl:{pair}", pair=pair, annotator="carl", scheme="turku", value="4")
            connection.execute(insert(schema.judgements).values(row_of(judgement)))
    assert carl.get("/api/v1/home").json()["next"] == "release"
    page = carl.get("/").text
    assert all(f"otherwords {command} corpus" in page for command in ("label", "report", "release"))
    assert 'href="/batches/new">make another batch' in page


def test_a_batch_that_is_not_there_leads_to_those_that_are(person: Callable[[str], Person]) -> None:
    for name, path, link in (
        ("carl", "/batches/none", '<a class="button" href="/batches">'),
        ("anna", "/adjudicate/none", '<a class="button" href="/adjudicate">'),
        ("anna", "/classify/none", '<a class="button" href="/">'),
    ):
        answer = person(name).get(path, headers={"accept": "text/html"})
        assert (answer.status_code, link in answer.text) == (404, True)
        assert "There is no batch &#39;none&#39;." in answer.text
        assert "otherwords batch" not in answer.text
