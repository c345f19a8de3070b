"""Trained networks as files that load without otherwords, each with a card that says how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from safetensors.torch import load_file, save_file

from otherwords import __version__
from otherwords.errors import DataError
from otherwords.learn.data.task import LabelTask
from otherwords.models.hugging_face import first_line
from otherwords.sources.io.files import atomic_write

HEADS_FILE, HEADS_CONFIG, CARD = "heads.safetensors", "heads.json", "README.md"

SEQUENCE_CLASSIFIER = """\
from transformers import AutoModelForSequenceClassification, AutoTokenizer

model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
tokenizer = AutoTokenizer.from_pretrained(folder)

def probabilities(text1, text2):
    tokens = tokenizer(text1, text2, truncation=True, max_length={length}, return_tensors="pt")
    classes = model(**tokens).logits.softmax(-1)[0].tolist()
    return {{model.config.id2label[number]: value for number, value in enumerate(classes)}}
"""
POOLED = """\
import json
import torch
from pathlib import Path
from safetensors.torch import load_file
from transformers import AutoModel, AutoTokenizer

model = AutoModel.from_pretrained(folder).eval()
tokenizer = AutoTokenizer.from_pretrained(folder)
heads = load_file(Path(folder) / "heads.safetensors")
config = json.loads((Path(folder) / "heads.json").read_text("utf-8"))

def probabilities(text1, text2):
    tokens = tokenizer(text1, text2, truncation=True, max_length=config["length"], return_tensors="pt")
    sides = torch.tensor([-1 if side is None else side for side in tokens.sequence_ids(0)])
    hidden = model(**tokens).last_hidden_state[0]
    first, second = hidden[sides == 0], hidden[sides == 1]
    if config["pooling"] == "five":  # [CLS], both [SEP], the means of both texts
        separators = [hidden[torch.nonzero(sides == side)[-1, 0] + 1] for side in (0, 1)]
        pooled = torch.cat([hidden[0], *separators, first.mean(0), second.mean(0)])
    else:
        pooled = hidden.mean(0)
    logits = {{name: heads[f"{{name}}.weight"] @ pooled + heads[f"{{name}}.bias"] for name in config["heads"]}}
    return {{name: dict(zip(config["heads"][name], values.softmax(0).tolist())) for name, values in logits.items()}}
"""
WRITER = """\
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
tokenizer = AutoTokenizer.from_pretrained(folder)

def label(text1, text2):
    prompt = {prompt!r}.format(text1=text1, text2=text2)
    tokens = tokenizer(prompt, truncation=True, max_length={length}, return_tensors="pt")
    written = model.generate(**tokens, max_new_tokens=20)
    return tokenizer.decode(written[0], skip_special_tokens=True)
"""
LSTM = """\
import torch
from safetensors.torch import load_file

weights = load_file(folder + "/lstm.safetensors")
lstm = torch.nn.LSTM({dimension}, {hidden}, batch_first=True, bidirectional=True)
lstm.load_state_dict({{name.removeprefix("lstm."): value for name, value in weights.items()}})

def state(vectors):  # the vectors of the words of a text: words × {dimension}
    _, (last, _) = lstm(vectors[None])
    return torch.cat([last[0, 0], last[1, 0]])

def is_paraphrase(vectors1, vectors2):
    return torch.cosine_similarity(state(vectors1), state(vectors2), dim=0) > 0.5
"""


class HeadsConfig(msgspec.Struct, frozen=True):
    """How the heads beside an encoder are to be used."""

    pooling: str
    length: int
    heads: dict[str, tuple[str, ...]]  # the classes of each


def save_heads(network: Any, config: HeadsConfig, folder: Path) -> None:
    """Write the heads of a pooled encoder beside it."""
    save_file({name: value.contiguous() for name, value in network.heads.state_dict().items()}, folder / HEADS_FILE)
    with atomic_write(folder / HEADS_CONFIG) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(config), indent=2) + b"\n")


def load_heads(network: Any, folder: Path) -> None:
    """Read the heads of a pooled encoder."""
    load_weights(network.heads, folder / HEADS_FILE)


def load_weights(module: Any, file: Path) -> None:
    """Read the weights of a module."""
    try:
        module.load_state_dict(load_file(file))
    except Exception as problem:  # noqa: BLE001 (safetensors raises bare ones for damaged files)
        raise DataError(f"cannot be loaded: {first_line(problem)}", file, code="wrong-model") from None


def write_card(folder: Path, title: str, task: LabelTask, base: str, code: str) -> None:
    """Write the card of a model: what it says about pairs, what it was made of, and how it is loaded."""
    heads = "\n".join(f"- {head.name}: {', '.join(f'`{name}`' for name in head.classes)}" for head in task.heads)
    flags = "\nArrow and flags count only where the base is 4.\n" if len(task.heads) > 1 else ""
    text = f"""\
---
library_name: transformers
pipeline_tag: text-classification
tags: [paraphrase-identification, otherwords]
---

# {title}

Trained by otherwords {__version__} on {base}. Given two texts, it chooses:

{heads}
{flags}
The folder of the run above this one has the data, options, seed and scores in `run.json`.

## Loading it without otherwords

`folder` is where this file is.

```python
{code.rstrip()}
```
"""
    with atomic_write(folder / CARD) as stream:
        stream.write(text.encode())
