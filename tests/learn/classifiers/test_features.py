"""The classifiers bow and features: training, files, mirrored pairs."""

from __future__ import annotations

import pickle
import warnings
import zipfile
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pytest

from otherwords.errors import DataError, MissingExtra
from otherwords.learn.classifiers import feature_model
from otherwords.learn.classifiers.bow import bag_cosines
from otherwords.learn.classifiers.feature_model import FeatureClassifier, mirrored_classes, mirrored_label
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import LabelTask, binary_task, label_task
from otherwords.learn.ladder import LADDER, PairClassifier, TrainingContext
from otherwords.records import Pair
from tests.learn import labelled

TINY = {"encoder": "none", "rounds": 8, "models": 2}
CONTEXT = TrainingContext(seed=3, lang="en")


def trained(task: LabelTask, examples: LabelledPairs, kind: str = "features", **options: object) -> PairClassifier:
    rung = LADDER.get(kind)
    values = TINY | options if kind == "features" else options
    return rung.train(task, examples, examples, rung.decode(values), CONTEXT)


def reloaded(classifier: PairClassifier, folder: Path, kind: str = "features", **options: object) -> PairClassifier:
    folder.mkdir()
    classifier.save(folder)
    rung = LADDER.get(kind)
    return rung.load(folder, classifier.task, rung.decode(TINY | options if kind == "features" else options), CONTEXT)


def turku_examples(count: int) -> LabelledPairs:
    """A longer second text where the arrow is >, a longer first one where it is <."""
    rows = []
    for number, pair in enumerate(labelled.turku_pairs(count)):
        more = " and then everybody went home"
        text1 = pair.text1 + more * ("<" in (pair.label or ""))
        text2 = pair.text2 + more * (">" in (pair.label or ""))
        rows.append(Pair(id=f"t{number}", text1=text1, text2=text2, label=pair.label))
    return LabelledPairs("made", rows, [str(pair.label) for pair in rows])


@pytest.mark.parametrize("model", ["boosting", "logistic"])
def test_it_learns_and_its_files_give_the_same(model: str, tmp_path: Path) -> None:
    examples = labelled.examples(80)
    classifier = trained(binary_task(), examples, model=model)
    [heads] = classifier.probabilities(*examples.texts)
    right = (heads[:, 1] > 0.5) == np.array([label == "positive" for label in examples.labels])
    assert right.all()
    assert heads.sum(axis=1) == pytest.approx(1)
    [again] = reloaded(classifier, tmp_path / "model", model=model).probabilities(*examples.texts)
    assert np.array_equal(heads, again)


def test_the_same_seed_gives_the_same_bytes() -> None:
    examples = turku_examples(48)
    task = label_task(examples.labels)
    first, second = (trained(task, examples).probabilities(*examples.texts) for _ in range(2))
    assert [head.tobytes() for head in first] == [head.tobytes() for head in second]


def test_swapped_texts_get_the_mirrored_arrow(tmp_path: Path) -> None:
    examples = turku_examples(64)
    task = label_task(examples.labels)
    classifier = reloaded(trained(task, examples, rounds=20), tmp_path / "model")
    texts1, texts2 = examples.texts
    forward, backward = classifier.probabilities(texts1, texts2), classifier.probabilities(texts2, texts1)
    for head, there, back in zip(task.heads, forward, backward, strict=True):
        assert np.allclose(there, back[:, mirrored_classes(head)], rtol=0, atol=1e-15)
    decoded, mirrored = task.decode(forward), task.decode(backward)
    assert [mirrored_label(label) for label in decoded] == mirrored
    assert any(">" in label for label in decoded)
    assert any("<" in label for label in decoded)


def test_arrows_and_flags_are_learnt_only_from_pairs_with_base_4() -> None:
    """When the second texts of all other pairs change places, only the head of the base changes."""
    examples = turku_examples(48)
    others = [row for row, label in enumerate(examples.labels) if not label.startswith("4")]
    pairs = list(examples.pairs)
    for row, source in zip(others, others[1:] + others[:1], strict=True):
        pairs[row] = msgspec.structs.replace(pairs[row], text2=examples.pairs[source].text2)
    task = label_task(examples.labels)
    first = trained(task, examples).probabilities(*examples.texts)
    second = trained(task, LabelledPairs("changed", pairs, examples.labels)).probabilities(*examples.texts)
    assert [np.array_equal(one, other) for one, other in zip(first, second, strict=True)] == [False, True, True, True]


def test_a_head_with_one_class_gives_that_class(tmp_path: Path) -> None:
    examples = turku_examples(48)
    plain = ["4" if label.startswith("4") else label for label in examples.labels]
    task = label_task(examples.labels)
    classifier = reloaded(trained(task, LabelledPairs("made", examples.pairs, plain)), tmp_path / "model")
    for head in classifier.probabilities(*examples.texts)[1:]:
        assert (head[:, 0] == 1).all()


def test_the_card_says_how_to_load_it_in_scikit_learn(tmp_path: Path) -> None:
    """The code of the card, run as it stands, gives the numbers of the classifier's own models."""
    examples = labelled.examples(40)
    classifier = trained(binary_task(), examples)
    assert isinstance(classifier, FeatureClassifier)
    classifier.save(tmp_path)
    card = (tmp_path / "README.md").read_text("utf-8")
    code = card.partition("```python\n")[2].partition("```")[0].replace('"paraphrase.skops"', "path")
    table = classifier.extractor.tables(*examples.texts)[0]
    names: dict[str, object] = {"path": tmp_path / "paraphrase.skops", "table": table}
    exec(code, names)
    assert np.array_equal(names["probabilities"], classifier.models[0].probabilities(table))
    assert all(name in card for name in classifier.extractor.names)
    assert msgspec.json.decode((tmp_path / "features.json").read_bytes())["names"] == classifier.extractor.names


class Harmful:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, ("raise SystemExit('it was executed')",)


def test_a_file_with_other_types_is_refused_and_nothing_is_unpickled(tmp_path: Path) -> None:
    import skops.io
    from sklearn.preprocessing import FunctionTransformer

    classifier = trained(binary_task(), labelled.examples(40))
    reloaded(classifier, tmp_path / "model")
    file = tmp_path / "model" / "paraphrase.skops"
    rung = LADDER.get("features")
    skops.io.dump([FunctionTransformer(func=labelled.pairs)], file)
    with pytest.raises(DataError) as problem:
        rung.load(file.parent, classifier.task, rung.decode(TINY), CONTEXT)
    assert problem.value.code == "untrusted-model"
    file.write_bytes(pickle.dumps(Harmful()))
    with pytest.raises(DataError) as problem:
        rung.load(file.parent, classifier.task, rung.decode(TINY), CONTEXT)
    assert problem.value.code == "model-unreadable"
    with zipfile.ZipFile(file, "w"):
        pass
    with pytest.raises(DataError) as problem:
        rung.load(file.parent, classifier.task, rung.decode(TINY), CONTEXT)
    assert problem.value.code == "model-unreadable"


def test_other_features_than_those_it_was_trained_on_are_refused(tmp_path: Path) -> None:
    classifier = trained(binary_task(), labelled.examples(40))
    reloaded(classifier, tmp_path / "model")
    file = tmp_path / "model" / "features.json"
    saved = msgspec.json.decode(file.read_bytes())
    file.write_bytes(msgspec.json.encode(saved | {"names": saved["names"][1:]}))
    rung = LADDER.get("features")
    with pytest.raises(DataError) as problem:
        rung.load(file.parent, classifier.task, rung.decode(TINY), CONTEXT)
    assert problem.value.code == "features-changed"


def test_balanced_weights_favour_the_rare_class() -> None:
    examples = labelled.examples(60)
    few = examples.take([row for row in range(60) if row % 2 or row % 10 == 0])
    rare = few.labels.count("positive")
    assert rare == 6
    equal, balanced = (
        trained(binary_task(), few, weights=weights, rounds=2).probabilities(*few.texts)[0][:, 1].mean()
        for weights in ("equal", "balanced")
    )
    assert balanced > equal


def test_without_the_package_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "skops.io", None)
    with pytest.raises(MissingExtra, match=r"otherwords\[learn\]"):
        trained(binary_task(), labelled.examples(10))


def test_bag_cosines_by_hand() -> None:
    texts1 = pa.array(["the dog bit the man", "a b", "", "same words"])
    texts2 = pa.array(["the man bit the dog", "c d", "a", "Same words!"])
    # Counts: the 2, dog, bit, man; the dog, dog bit, bit the, the man against the man, man bit, bit the, the dog.
    expected = [(4 + 1 + 1 + 1 + 3) / 11, 0, 0, 1]
    assert bag_cosines(texts1, texts2, "en").tolist() == pytest.approx(expected)
    assert bag_cosines(texts1, texts2, "en", bigrams=False).tolist() == pytest.approx([1, 0, 0, 1])


@pytest.mark.parametrize("threshold", ["paper", "train"])
def test_bow_has_its_threshold_from_the_paper_or_from_training(threshold: str, tmp_path: Path) -> None:
    examples = labelled.examples(30)
    classifier = trained(binary_task(), examples, "bow", threshold=threshold)
    [heads] = classifier.probabilities(*examples.texts)
    cosines = bag_cosines(*examples.texts, "en")
    if threshold == "paper":
        assert ((heads[:, 1] >= 0.5) == (cosines > 0.5)).all()
    else:
        right = (heads[:, 1] >= 0.5) == np.array([label == "positive" for label in examples.labels])
        assert right.all()
    [again] = reloaded(classifier, tmp_path / "model", "bow", threshold=threshold).probabilities(*examples.texts)
    assert np.array_equal(heads, again)


def test_a_warning_about_threads_of_scikit_learn_is_not_shown_and_others_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(warnings, "showwarning", lambda message, *about, **options: shown.append(str(message)))
    with feature_model._without_lost_filters():
        warnings.resetwarnings()  # as a thread of scikit-learn does
        warnings.warn(f"{feature_model.LOST_FILTERS} Parallel", UserWarning, stacklevel=1)
        warnings.warn("no convergence", UserWarning, stacklevel=1)
    assert shown == ["no convergence"]
