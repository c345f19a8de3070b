"""Estimators of scikit-learn on disk, as skops writes them: nothing in such a file is executed when it is read.

A pickle can do anything when it is opened, so a model that somebody else trained could not be used with an easy mind. A
file of skops names the types in it; any that scikit-learn does not need for these estimators is refused.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from otherwords.errors import DataError

HEADS = "{}.json"
ESTIMATORS = "{}.skops"
TRUSTED = ["sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor"]  # beside what skops trusts by itself
NAMES = {"boosting": "gradient boosting (HistGradientBoostingClassifier)", "logistic": "logistic regression"}


def save_estimators(folder: Path, name: str, classes: list[int], estimators: list[Any]) -> None:
    """Write the estimators of a head; ``classes`` are those of the head that they tell apart."""
    import skops.io

    (folder / HEADS.format(name)).write_bytes(msgspec.json.encode(classes))
    if estimators:
        skops.io.dump(estimators, folder / ESTIMATORS.format(name))


def load_estimators(folder: Path, name: str) -> tuple[list[int], list[Any]]:
    """Read what :func:`save_estimators` wrote."""
    import skops.io
    from skops.io.exceptions import UntrustedTypesFoundException

    classes = msgspec.json.decode((folder / HEADS.format(name)).read_bytes(), type=list[int])
    path = folder / ESTIMATORS.format(name)
    if not path.is_file():
        return classes, []
    try:
        estimators: list[Any] = skops.io.load(path, trusted=TRUSTED)
    except UntrustedTypesFoundException as problem:
        raise DataError(f"has something in it that is no such model: {problem}", path, code="untrusted-model") from None
    except (zipfile.BadZipFile, KeyError, ValueError) as problem:
        raise DataError(f"is not a file of skops: {problem}", path, code="model-unreadable") from None
    return classes, estimators


def model_card(model: str, heads: Mapping[str, Sequence[str]], features: Sequence[str]) -> str:
    """README.md of the folder: what the model is, and how to use it without otherwords."""
    classes = "\n".join(
        f"| `{name}` | {', '.join(f'`{label}`' for label in labels)} |" for name, labels in heads.items()
    )
    listed = "\n".join(f"{number}. {name}" for number, name in enumerate(features))
    first = next(iter(heads))
    return f"""---
library_name: sklearn
tags: [paraphrase-identification, tabular-classification]
---

# Paraphrases by features of pairs

Two texts are reduced to {len(features)} numbers: measures of overlap, how rare the words are that differ, how the words
are ordered and, if the list below has them, how close the vectors of an encoder are. On these stands {NAMES[model]},
one model for each head. A head chooses among classes:

| head | classes, in the order of the columns |
|---|---|
{classes}

A head without a file `.skops` had examples of one class only and always gives that one. Arrows and flags are asked only
where the base is 4.

## Without otherwords

```python
import skops.io  # pip install skops scikit-learn

estimators = skops.io.load(
    "{first}.skops",
    trusted={TRUSTED!r},
)
probabilities = sum(estimator.predict_proba(table) for estimator in estimators) / len(estimators)
```

`table` has a row for each pair and these columns (`features.json` has them, too). otherwords gives the mean of the
probabilities of a pair and of the pair with its texts swapped, arrows turned round.

{listed}
"""
