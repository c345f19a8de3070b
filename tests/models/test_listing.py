"""The list of models is that of the catalogue, and what it says about installing is true."""

from __future__ import annotations

import tomllib

import pytest

from otherwords.models.catalogue import ENCODERS, FLUENCY_MODELS, GENERATORS, TRANSLATORS
from otherwords.models.listing import MODELS, KnownModel
from tests.conftest import ROOT

REGISTRIES = {"translator": TRANSLATORS, "encoder": ENCODERS, "fluency": FLUENCY_MODELS, "generator": GENERATORS}
ENDPOINTS = {"deepl", "openai"}  # need an address, not a package


def test_every_model_is_listed() -> None:
    for kind, registry in REGISTRIES.items():
        listed = {model.name.partition(":")[0] for model in MODELS if model.kind == kind}
        assert listed == set(registry.targets()) - ENDPOINTS


def test_every_extra_exists_and_brings_the_packages() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for model in MODELS:
        if "otherwords[" not in model.install:
            continue
        extra = model.install.partition("[")[2].partition("]")[0]
        brought = " ".join([*extras[extra], model.install])
        assert [package for package in model.packages if package not in brought] == [], model.name


def test_installed_means_that_everything_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    there = KnownModel("encoder", "x", "", "", ("numpy",), "")
    missing = KnownModel("encoder", "x", "", "", ("numpy", "otherwords-has-no-such-package"), "")
    program = KnownModel("encoder", "x", "", "", (), "", "otherwords-has-no-such-program")
    assert [model.installed for model in (there, missing, program)] == [True, False, False]
