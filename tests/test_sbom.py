"""The bill of materials: CycloneDX 1.6, complete, and the same bytes each time."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.test_licences import LICENCES, section
from tests.tools import tool

SBOM = tool("sbom")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SERIAL = r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # as its schema wants it
TYPES = {"application", "library", "data"}  # of those that its schema knows


def test_the_bill_has_what_the_schema_requires(tmp_path: Path) -> None:
    SBOM.main([str(tmp_path / "one.json")])
    SBOM.main([str(tmp_path / "two.json")])
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    bill = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(SERIAL, bill["serialNumber"])
    assert set(bill) == {
        *("$schema", "bomFormat", "specVersion", "serialNumber", "version", "metadata", "components", "dependencies")
    }
    parts = [bill["metadata"]["component"], *bill["components"]]
    assert all(part["name"] and part["version"] and part["type"] in TYPES for part in parts)
    for part in parts:
        [licence] = part["licenses"]
        assert licence.get("expression") or licence["license"]["id"]
        assert part.get("scope") in (None, "required", "optional")
    names = [part["bom-ref"] for part in parts]
    assert len(set(names)) == len(names)
    for entry in bill["dependencies"]:
        assert {entry["ref"], *entry["dependsOn"]} <= set(names)
        assert len(set(entry["dependsOn"])) == len(entry["dependsOn"])


def test_asking_for_help_writes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        SBOM.main(["--help"])
    assert ended.value.code == 0
    assert list(tmp_path.iterdir()) == []


def test_the_bill_has_every_package_and_what_packages_hold() -> None:
    bill = SBOM.bill()
    libraries = {part["name"]: part for part in bill["components"] if part["type"] == "library"}
    core, extras = section("Core"), section("Extras")
    assert set(libraries) == {*core, *extras}
    assert {name for name, part in libraries.items() if part["scope"] == "required"} == set(core)
    assert all(part["purl"] == f"pkg:pypi/{name}@{LICENCES.constraints()[name]}" for name, part in libraries.items())
    stated = {name: part["licenses"][0]["expression"] for name, part in libraries.items()}
    assert stated == {name: row[0] for name, row in (core | extras).items()}
    held = {part["name"].partition(":")[0] for part in bill["components"] if part["type"] == "data"}
    assert held == set(LICENCES.MODELS)
    own = bill["dependencies"][0]
    asked = {re.split(r"[^\w-]", requirement)[0].lower() for requirement in PROJECT["dependencies"]}
    assert asked <= {ref.removeprefix("pkg:pypi/").partition("@")[0] for ref in own["dependsOn"]}


def test_the_software_can_be_cited() -> None:
    import yaml

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)  # what its schema requires
    assert citation["cff-version"] == "1.2.0"
    assert str(citation["version"]) == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    assert citation["keywords"] == PROJECT["keywords"]
    assert citation["authors"] == [{"name": "otherwords contributors"}]
