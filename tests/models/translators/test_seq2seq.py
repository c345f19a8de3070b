"""Encoder-decoders in a folder as translators, with a tiny one that has learnt four sentences."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from otherwords.digests import digest_folder
from otherwords.models.answer_checks import failed_translation
from otherwords.models.asking import AskResult, ask
from otherwords.models.catalogue import translator
from otherwords.models.edges import Item
from tests.errors import raises
from tests.models.tiny import SENTENCES


def translated(folder: Path, texts: list[str], options: str = "") -> AskResult[str]:
    backend = translator(f"hf:{folder}?from=en&to=fr{options}")
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    return ask(backend, backend.translate, items, kind=str, check=failed_translation)


@pytest.mark.parametrize("decoding", ["", "&decoding=beam&beams=3", "&batch=4", "&decoding=top-k&k=1"])
def test_what_it_has_learnt(seq2seq_folder: Path, decoding: str) -> None:
    assert translated(seq2seq_folder, list(SENTENCES), decoding).values() == list(SENTENCES.values())


def test_the_name_says_languages_and_decoding(seq2seq_folder: Path) -> None:
    greedy = translator(f"hf:{seq2seq_folder}?from=English&to=fra")
    beam = translator(f"hf:{seq2seq_folder}?from=en&to=fr&decoding=beam&beams=6")
    assert greedy.languages == beam.languages == ("en", "fr")
    assert greedy.signature != beam.signature
    assert "decoding:beam-6" in beam.signature


def test_what_is_drawn_depends_on_the_seed_and_not_on_the_neighbours(seq2seq_folder: Path) -> None:
    drawing = "&decoding=top-k&k=12&temperature=3&tokens=12&seed="
    texts = [*SENTENCES, "the cat sees a dog", "the dog is wide"]
    first, again = (translated(seq2seq_folder, texts, f"{drawing}1").answers for _ in range(2))
    alone = [translated(seq2seq_folder, [text], f"{drawing}1").answers[0] for text in reversed(texts)][::-1]
    other = translated(seq2seq_folder, texts, f"{drawing}2").answers
    assert first == again
    assert [(one.value, one.reason) for one in alone] == [(one.value, one.reason) for one in first]
    assert first != other


def test_too_long_and_cut_off_are_reasons(seq2seq_folder: Path) -> None:
    result = translated(seq2seq_folder, ["the cat " * 30, "a dog sees the cat", "the cat sleeps"], "&tokens=4")
    assert "longer than the model can read (24 tokens)" in str(result.answers[0].reason)
    assert "cut off after 4 tokens" in str(result.answers[1].reason)
    assert result.values()[2] == "le chat dort"


def test_a_model_for_many_languages_has_codes(seq2seq_folder: Path) -> None:
    with raises("unknown-model-language"):
        translated(seq2seq_folder, ["the cat sleeps"], "&target=xx_Latn")
    result = translated(seq2seq_folder, ["the cat sleeps"], "&target=chante")
    assert str(result.values()[0]).startswith("chante")


def test_the_hash_is_checked(seq2seq_folder: Path) -> None:
    assert translator(f"hf:{seq2seq_folder}?from=en&to=fr&sha256={digest_folder(seq2seq_folder)[:16]}")
    with raises("wrong-model-hash"):
        translator(f"hf:{seq2seq_folder}?from=en&to=fr&sha256=0123456789")


def test_names_that_are_wrong(seq2seq_folder: Path) -> None:
    with raises("bad-model-name"):
        translator(f"hf:{seq2seq_folder}")
    with raises("bad-model-option", "decoding"):
        translator(f"hf:{seq2seq_folder}?from=en&to=fr&decodign=beam")
    with raises("bad-model-option"):
        translator(f"hf:{seq2seq_folder}?from=en&to=fr&beams=many")
    with raises("model-missing"):
        translator(f"hf:{seq2seq_folder}/nowhere/at/all?from=en&to=fr")


def test_folders_of_the_wrong_kind(seq2seq_folder: Path, causal_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with raises("wrong-model", "config.json"):
        translator(f"hf:{tmp_path / 'empty'}?from=en&to=fr")
    (tmp_path / "file.txt").write_text("no model")
    with raises("wrong-model"):
        translator(f"hf:{tmp_path / 'file.txt'}?from=en&to=fr")
    with raises("wrong-model", "GPT2LMHeadModel"):
        translated(causal_folder, ["the cat sleeps"])
    damaged = shutil.copytree(seq2seq_folder, tmp_path / "damaged")
    (damaged / "model.safetensors").write_bytes(b"\0" * 100)
    with raises("wrong-model"):
        translated(damaged, ["the cat sleeps"])
    (damaged / "config.json").write_text("{")
    with raises("wrong-model"):
        translated(damaged, ["the cat sleeps"])


def test_missing_weights_are_not_drawn_at_random(seq2seq_folder: Path, tmp_path: Path) -> None:
    larger = shutil.copytree(seq2seq_folder, tmp_path / "larger")
    config = json.loads((larger / "config.json").read_text())
    (larger / "config.json").write_text(json.dumps(config | {"encoder_layers": 2}))
    with raises("wrong-model", "lacks weights"):
        translated(larger, ["the cat sleeps"])
