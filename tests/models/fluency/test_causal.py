"""Causal language models in a folder as a measure of fluency."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from otherwords.models.asking import AskResult, ask
from otherwords.models.catalogue import fluency_model
from otherwords.models.edges import Item, TextProbability
from tests.errors import raises
from tests.models.tiny import SENTENCES


def measured(folder: Path, texts: list[str]) -> AskResult[TextProbability]:
    backend = fluency_model(f"hf:{folder}")
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    return ask(backend, backend.log_probabilities, items, kind=TextProbability)


def test_against_the_loss_of_the_library(causal_folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model, words = AutoModelForCausalLM.from_pretrained(causal_folder), AutoTokenizer.from_pretrained(causal_folder)
    texts = [*SENTENCES, "sleeps cat the", "the dog sings wide"]
    for text, answer in zip(texts, measured(causal_folder, texts).answers, strict=True):
        ids = torch.tensor([[words.bos_token_id, *words(text, add_special_tokens=False)["input_ids"]]])
        with torch.no_grad():
            loss = float(model(input_ids=ids, labels=ids).loss)
        assert answer.value is not None
        assert answer.value.tokens == len(text.split())
        assert answer.value.perplexity == pytest.approx(math.exp(loss), rel=1e-3)


def test_order_matters_and_neighbours_do_not(causal_folder: Path) -> None:
    texts = ["the cat sleeps", "sleeps the cat", "the river is wide"]
    together = measured(causal_folder, texts).values()
    assert together == [measured(causal_folder, [text]).values()[0] for text in texts]
    assert together[0] is not None
    assert together[1] is not None
    assert together[0].per_token > together[1].per_token + 1


def test_texts_that_have_no_probability(causal_folder: Path) -> None:
    result = measured(causal_folder, ["", " \n", "the cat " * 20, "a\ud800\0 b"])
    assert [answer.reason for answer in result.answers[:2]] == ["the text has no words"] * 2
    assert "longer than the model can read (24 tokens)" in str(result.answers[2].reason)
    assert result.answers[3].value is not None


def test_an_encoder_is_no_language_model(encoder_folder: Path) -> None:
    with raises("wrong-model", "BertModel"):
        measured(encoder_folder, ["the cat"])
