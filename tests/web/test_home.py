"""Home shows what a project has."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import delete
from starlette.testclient import TestClient

from otherwords.project.ledger import schema
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
