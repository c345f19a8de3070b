"""Causal language models in a folder as generators, with a tiny one that has learnt four sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.models.asking import AskResult, ask
from otherwords.models.catalogue import generator
from otherwords.models.edges import Item
from tests.errors import raises

PROMPTS = ["<s> the river", "<s> my", "<s> a dog sees"]
ENDINGS = ["is wide", "neighbour sings", "the cat"]


def written(name: str, prompts: list[str]) -> AskResult[str]:
    backend = generator(name)
    items = [Item(str(number), prompt) for number, prompt in enumerate(prompts)]
    return ask(backend, backend.generate, items, kind=str)


@pytest.mark.parametrize("options", ["", "&decoding=beam", "&batch=3", "&decoding=top-k&k=1&seed=3"])
def test_what_it_has_learnt(causal_folder: Path, options: str) -> None:
    assert written(f"hf:{causal_folder}?tokens=9{options}", PROMPTS).values() == ENDINGS


def test_an_answer_ends_where_it_is_asked_to(causal_folder: Path) -> None:
    result = written(f"hf:{causal_folder}?stop=wide&tokens=2", PROMPTS)
    assert result.values()[0] == "is"
    assert [answer.reason for answer in result.answers[1:]] == ["the answer was cut off after 2 tokens"] * 2


def test_a_prompt_that_leaves_no_room(causal_folder: Path) -> None:
    result = written(f"hf:{causal_folder}?tokens=20", ["the cat sees the dog"])
    assert result.reasons == {"the prompt and 20 tokens of an answer are more than the model can read (24)": 1}


def test_an_encoder_decoder_is_no_generator(seq2seq_folder: Path) -> None:
    with raises("wrong-model", "BartForConditionalGeneration"):
        written(f"hf:{seq2seq_folder}", PROMPTS)


def test_what_answers_depend_on_is_in_the_signature(causal_folder: Path) -> None:
    names = ["", "?decoding=top-k", "?decoding=top-k&seed=1", "?tokens=9", "?stop=x", "?chat=true", "?batch=2"]
    assert len({generator(f"hf:{causal_folder}{options}").signature for options in names}) == len(names)
