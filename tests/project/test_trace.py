"""A pair leads back to its documents, judgements and releases."""

from __future__ import annotations

from otherwords.project import Project
from otherwords.project.trace import trace
from tests.errors import raises
from tests.project.corpus import fill


def test_a_pair_leads_back_to_its_file(project: Project) -> None:
    fill(project)
    history = trace(project, "p1")
    assert history["documents"][0]["excerpt"].startswith("The heron")
    assert history["documents"][0]["place"] == {"file": "birds/a.txt"}
    assert history["documents"][0]["imported_from"]["path"] == "birds"
    assert [row["id"] for row in history["judgements"]] == ["p1:anna", "j2"]
    assert [row["id"] for row in history["document_pairs"]] == ["dp1"]
    assert history["releases"] == [{"version": "1.0", "part": "train"}]
    assert trace(project, "p2")["rewrite_of"] == "p1"
    assert trace(project, "p3")["documents"] == []
    with raises("no-such-pair", match="p9"):
        trace(project, "p9")
