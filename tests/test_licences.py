"""Every package that otherwords needs is named with its licence, and none of the core asks for more than ours."""

from __future__ import annotations

import re
import tomllib
from email.message import Message
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT
from tests.tools import tool

LICENCES = tool("licences")
PAGE = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| \[([^\]]+)\]\((http[^)]+)\) \| ([^|]+) \| ([^|]+) \|(?: ([^|]+) \|)?$", re.MULTILINE)


def section(title: str) -> dict[str, tuple[str, str]]:
    """Licence and extra of each package of a section, by canonical name."""
    text = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    return {re.sub(r"[-_.]+", "-", row[1]).lower(): (row[4], row[5] or "") for row in ROW.finditer(text)}


def test_the_page_is_written_from_the_packages() -> None:
    assert LICENCES.page() == PAGE, "run tools/licences"


def test_every_runtime_dependency_is_there_with_what_it_depends_on() -> None:
    by_extra = LICENCES.required()
    assert set(section("Core")) == by_extra.pop("")
    extras = section("Extras")
    for extra, names in by_extra.items():
        if extra not in LICENCES.DEVELOPMENT:
            assert [name for name in names if f"`[{extra}]`" not in extras[name][1]] == []


def test_what_is_asked_for_is_in_the_closure() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {re.split(r"[^\w-]", requirement)[0].lower() for requirement in project["dependencies"]}
    assert asked <= set(section("Core"))
    assert {"starlette", "pydantic-core", "cffi", "mdurl"} <= set(section("Core"))  # nobody asks for these directly
    assert {"psycopg-binary", "lxml", "jsonschema"} <= set(section("Extras"))
    assert not {"altair", "vl-convert-python", "torch"} & set(section("Core"))


def test_models_and_data_in_packages_are_named() -> None:
    held = PAGE.split("## Models and data in packages\n")[1].split("\n## ")[0]
    assert all(f"| {name} | {what} | {licence} |" in held for name, (what, licence) in LICENCES.MODELS.items())
    assert set(LICENCES.MODELS) <= set(section("Core")) | set(section("Extras"))
    packaged = re.compile(r"minilm|sentence-encoder|translate|web-(sm|md)|dicts|dic(-|$)|langdetect|wordfreq|natasha")
    names = set(section("Core")) | set(section("Extras"))
    assert {name for name in names if packaged.search(name)} <= set(LICENCES.MODELS)


def test_the_core_has_at_most_forty_packages() -> None:
    assert len(section("Core")) + 1 <= tool("core-size").MOST_PACKAGES == 40


def test_nothing_in_the_core_is_under_the_gpl() -> None:
    assert [name for name, (licence, _) in section("Core").items() if "GPL" in licence] == []


def test_no_extra_leaves_only_the_gpl() -> None:
    for name, (licence, _) in section("Extras").items():
        ways = [way for way in licence.split(" OR ") if not re.search(r"(?<!L)GPL", way)]
        assert ways, f"{name}: {licence}"


def test_every_pinned_package_is_installed_in_the_version_that_is_named() -> None:
    versions = LICENCES.constraints()
    named = {*section("Core"), *section("Extras"), *section("Development")}
    assert named <= set(versions), "run pip freeze and add what is missing to constraints.txt"


def package(files: dict[str, str] | None = None, **fields: str | list[str]) -> SimpleNamespace:
    metadata = Message()
    for name, values in fields.items():
        for value in [values] if isinstance(values, str) else values:
            metadata[name.replace("_", "-")] = value
    listed = [SimpleNamespace(name=name, read_text=lambda text=text: text) for name, text in (files or {}).items()]
    return SimpleNamespace(name="invented", metadata=metadata, files=listed)


OSI = "License :: OSI Approved :: "
TWO = "Redistribution and use in source and binary forms are permitted."
THREE = f"{TWO} Neither the name of the author may be used."


@pytest.mark.parametrize(
    ("distribution", "expected"),
    [
        (package(License_Expression="MIT AND PSF-2.0", Classifier=f"{OSI}BSD License"), "MIT AND PSF-2.0"),
        (package(License="BSD-3-Clause"), "BSD-3-Clause"),
        (package(License="MIT License"), "MIT"),
        (package(License="UNKNOWN", Classifier=[f"{OSI}MIT License"]), "MIT"),
        (package(License="Copyright (c) by me\nAll rights …", Classifier=[f"{OSI}MIT License"]), "MIT"),
        (package(Classifier=[f"{OSI}Apache Software License", f"{OSI}MIT License"]), "Apache-2.0 OR MIT"),
        (package({"LICENSE.txt": TWO}, Classifier=f"{OSI}BSD License"), "BSD-2-Clause"),
        (package({"LICENSE": THREE, "x.py": ""}, License="BSD", Classifier=f"{OSI}BSD License"), "BSD-3-Clause"),
    ],
)
def test_the_most_exact_thing_that_a_package_says(distribution: SimpleNamespace, expected: str) -> None:
    assert LICENCES.licence(distribution) == expected


@pytest.mark.parametrize("silent", [package(), package(License="UNKNOWN"), package(Classifier=f"{OSI}BSD License")])
def test_a_package_that_says_nothing_has_to_be_looked_at(silent: SimpleNamespace) -> None:
    with pytest.raises(SystemExit, match="invented: .* name it in tools/licences"):
        LICENCES.licence(silent)
