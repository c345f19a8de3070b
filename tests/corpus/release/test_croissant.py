"""``croissant.json``: its files and columns are those of the release, and what is not known is not in it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from otherwords.corpus.release.croissant import CONFORMS_TO, CROISSANT, TYPES
from otherwords.project import Project
from tests.corpus.released_corpus import fill, released

ABOUT = """
[about]
description = "Pairs about boats."
funding = "The harbour"

[[about.authors]]
name = "Ada Byron"
affiliation = "Analytical Society"

[about.annotators]
background = "Students of linguistics."
"""


def described(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / CROISSANT).read_text(encoding="utf-8"))
    return content


@pytest.fixture
def release(project: Project) -> Path:
    fill(project)
    return released(project).folder


def test_files_and_columns(release: Path) -> None:
    found = described(release)
    assert found["conformsTo"] == CONFORMS_TO
    files = {file["@id"]: release / file["contentUrl"] for file in found["distribution"]}
    assert {path.relative_to(release).as_posix() for path in files.values()} == {
        path.relative_to(release).as_posix() for path in release.glob("data/*/*.parquet")
    }
    for file in found["distribution"]:
        content = files[file["@id"]].read_bytes()
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
        assert file["contentSize"] == f"{len(content)} B"
    for records in found["recordSet"]:
        for column in records["field"]:
            schema = pq.read_schema(files[column["source"]["fileObject"]["@id"]])
            kind = str(schema.field(column["source"]["extract"]["column"]).type)
            assert (
                TYPES[kind.replace("dictionary<values=string, indices=int32, ordered=0>", "string")]
                == column["dataType"]
            )


def test_facts_of_responsible_use(release: Path) -> None:
    found = described(release)
    assert "judgements by 2 annotators" in found["rai:dataAnnotationProtocol"]
    assert "harbour" not in found.get("rai:annotatorDemographics", "")
    assert "anna" not in json.dumps(found)
    for unknown in ("rai:annotatorDemographics", "rai:machineAnnotationTools", "rai:dataLimitations", "funder"):
        assert unknown not in found


def test_what_the_project_says_about_itself(project: Project) -> None:
    fill(project)
    settings = project.folder / "otherwords.toml"
    settings.write_text(settings.read_text(encoding="utf-8").split("[about]")[0] + ABOUT, encoding="utf-8")
    found = described(released(project).folder)
    assert found["description"] == "Pairs about boats."
    assert found["funder"]["name"] == "The harbour"
    assert [author["name"] for author in found["creator"]] == ["Ada Byron"]
    assert found["rai:annotatorDemographics"] == "Background: Students of linguistics."


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what it imports
def test_the_library_of_croissant_reads_it(release: Path, caplog: pytest.LogCaptureFixture) -> None:
    import mlcroissant

    dataset = mlcroissant.Dataset(str(release / CROISSANT))
    assert not caplog.records  # it would list what is missing
    largest = max(release.glob("data/plain/*.parquet"), key=lambda path: pq.read_metadata(path).num_rows)
    rows = [row["plain/columns/id"].decode() for row in dataset.records("plain/columns")]
    assert rows == pq.read_table(largest)["id"].to_pylist()
