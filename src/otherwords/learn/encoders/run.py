"""A trained encoder as a folder. ``encoder.json`` is written last, so a folder that has one is whole.

encoder.json         what it was trained on, by which options, versions and seed, and what happened
model/               the model, which sentence-transformers loads without otherwords; ``hf:RUN/model`` names it
seen-sentences.npy   digests of the sentences of training and dev, in their order
curve.json           the training, epoch by epoch
"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords import __version__
from otherwords.corpus.corpus import open_corpus
from otherwords.digests import digest_folder, digest_hex
from otherwords.engine import Progress
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.parts import LabelledParts, PartOptions, read_parts_of
from otherwords.learn.data.task import NEGATIVE, POSITIVE
from otherwords.learn.encoders.hard_negatives import mine_hard_negatives, no_hard_negatives
from otherwords.learn.encoders.mixes import TrainingMix, training_mix
from otherwords.learn.encoders.options import EncoderRequest
from otherwords.learn.ladder import TrainingContext
from otherwords.learn.runs.folder import (
    CARD_FILE,
    MODEL_FOLDER,
    Curve,
    check_same,
    checkpoint_folder,
    read_record,
    share_sentence,
    write_curve,
    write_record,
    write_sentences,
)
from otherwords.learn.runs.run import DataFacts, machine, versions
from otherwords.mining.ranks import HiddenPairs, hide_pairs
from otherwords.models.hugging_face import require
from otherwords.sources.io.files import atomic_write

RUN_FILE, SEEN_SENTENCES = "encoder.json", "seen-sentences.npy"
FORMAT = 1
NOT_COMPARED = ("paths", "out", "device", "again", "dev", "tests", "negatives", "positives", "leaks", "simulated")


class EncoderRecord(msgspec.Struct, frozen=True, kw_only=True):
    """All that is needed to repeat the training of an encoder, and what happened in it."""

    format: int = FORMAT
    name: str
    base: str
    base_digest: str
    options: dict[str, Any]
    lang: str | None
    train: dict[str, int]  # pairs of the mix by side
    clusters: int  # of paraphrases, with a positive pair
    train_digest: str
    left_out: dict[str, int]
    dev: DataFacts
    tests: list[DataFacts]
    leaks: dict[str, int]
    hard_negatives: dict[str, int] = {}  # what was skipped or drawn, by reason
    collisions: int = 0  # clusters with several rows in a batch, over all epochs
    without_place: int = 0  # rows that had no place in a batch, over all epochs
    steps: int = 0
    base_scores: dict[str, float] = {}  # on dev, before training
    scores: dict[str, float] = {}  # on dev, of the weights that were kept
    notes: list[str] = []
    simulated: bool = False
    versions: dict[str, str] = {}
    machine: str = ""
    seconds: float = 0.0
    model_digest: str = ""

    @property
    def key(self) -> str:
        """A digest of everything that the model depends on."""
        parts = (self.options, self.base_digest, self.lang, self.train_digest, self.dev.digest)
        return digest_hex(msgspec.json.encode(parts, order="sorted").decode(), size=8)

    def differences(self, other: EncoderRecord) -> list[str]:
        """In what another training differs from this one, in words; nothing if it would give the same model."""
        facts = {
            "options": (self.options, other.options),
            "files of the base": (self.base_digest, other.base_digest),
            "language": (self.lang, other.lang),
            "training pairs": (self.train_digest, other.train_digest),
            "dev pairs": (self.dev.digest, other.dev.digest),
        }
        return [name for name, (own, theirs) in facts.items() if own != theirs]

    @property
    def signature(self) -> str:
        """The model in one line, for tables and cards."""
        options = ",".join(f"{name}={value}" for name, value in sorted(self.options.items()))
        data = f"train:{self.train_digest[:8]}|dev:{self.dev.digest[:8]}"
        return f"encoder({options})|{data}|version:{self.versions.get('otherwords', __version__)}"


@dataclass(frozen=True, slots=True)
class EncoderRun:
    """A trained encoder on disk."""

    folder: Path
    record: EncoderRecord

    @property
    def model(self) -> Path:
        return self.folder / MODEL_FOLDER

    def has_seen(self, examples: LabelledPairs) -> NDArray[np.bool_]:
        """Which pairs have a sentence, apart from case and punctuation, that training or the choice on dev saw."""
        return share_sentence(self.folder / SEEN_SENTENCES, examples)


def is_encoder_run(folder: Path) -> bool:
    """Whether a folder holds a whole trained encoder."""
    return (folder / RUN_FILE).is_file()


def open_encoder_run(folder: str | Path) -> EncoderRun:
    """Open the folder of a trained encoder."""
    path = Path(folder)
    return EncoderRun(path, read_record(path / RUN_FILE, EncoderRecord, "encoder"))


def train_encoder(request: EncoderRequest, progress: Progress = lambda done, total: None, **reading: Any) -> EncoderRun:
    """Read the parts, train, keep what was best on dev, and write the run; the same training again does nothing."""
    request.check()
    require("training an encoder")
    from otherwords.learn.encoders.network import folder_of_base

    base_digest = digest_folder(folder_of_base(request.base))  # a base that is missing is an error before all reading
    parts = read_parts_of(request.paths, _part_options(request), **reading)
    mix = training_mix(request, parts, **reading)
    first = open_corpus(request.paths[0], simulated=request.simulated, **reading)
    folder, notes = Path(request.out), list(parts.notes)
    options = {
        name: value for name, value in msgspec.to_builtins(request).items() if name not in (*NOT_COMPARED, "base")
    }
    record = EncoderRecord(
        name=folder.name,
        base=request.base,
        base_digest=base_digest,
        options={"base": request.base, **options},
        lang=next((pair.lang for pair in mix.pairs if pair.lang), first.lang),
        train=mix.counts(),
        clusters=mix.positive_clusters,
        train_digest=_digest(mix),
        left_out=dict(mix.left_out),
        dev=DataFacts.of_examples(parts.dev),
        tests=[DataFacts.of_examples(test) for test in parts.tests],
        leaks=parts.leaks,
        notes=notes,
        simulated=first.simulated,
    )
    if is_encoder_run(folder) and not request.again:
        there = open_encoder_run(folder)
        check_same(folder, there.record, record)
        return there
    return _trained(request, record, mix, parts, progress)


def _trained(
    request: EncoderRequest, record: EncoderRecord, mix: TrainingMix, parts: LabelledParts, progress: Progress
) -> EncoderRun:
    from otherwords.learn.encoders.loop import fit_encoder
    from otherwords.learn.encoders.network import EncoderNetwork, load_base, save_model
    from otherwords.learn.neural.devices import chosen_device, seeded

    start, folder, curve = time.perf_counter(), Path(request.out), Curve()
    model = load_base(request.base, chosen_device(request.device))
    longest = model.max_seq_length
    model.max_seq_length = min(request.length, longest or request.length)
    with seeded(request.seed):
        network = EncoderNetwork(model, request.objective)
    hard = no_hard_negatives(mix)
    if request.hard_negatives:
        hard = mine_hard_negatives(mix, request.hard_negatives, request.margin, request.seed, network.vectors)
    context = TrainingContext(
        seed=request.seed,
        lang=record.lang,
        device=request.device,
        checkpoints=checkpoint_folder(folder, digest_hex(record.key, *(pair.text1 for pair in mix.pairs), size=8)),
        progress=progress,
        curve=lambda point: curve.append(dict(point)),
    )
    dev = positives(parts.dev)
    counts = fit_encoder(network, mix, hard, dev, request, context)
    model.max_seq_length = longest
    if not len(dev):
        record.notes.append("the dev part has no positive pairs, so the last epoch was kept")
    elif (counts.best["dev_top1"], counts.best["dev_mrr"]) <= (counts.first["dev_top1"], counts.first["dev_mrr"]):
        record.notes.append("no epoch was better on dev than the base: more pairs or another rate may help")
    record = msgspec.structs.replace(
        record,
        hard_negatives=dict(hard.counts),
        collisions=counts.collisions,
        without_place=counts.without_place,
        steps=counts.steps,
        base_scores=_dev(counts.first),
        scores=_dev(counts.best),
        versions=versions(),
        machine=machine(),
        seconds=round(time.perf_counter() - start, 3),
    )
    (folder / RUN_FILE).unlink(missing_ok=True)  # of a run that is replaced
    shutil.rmtree(folder / MODEL_FOLDER, ignore_errors=True)
    save_model(model, folder / MODEL_FOLDER)
    return _write(folder, record, parts, mix, curve)


def positives(examples: LabelledPairs) -> HiddenPairs:
    """The positive pairs of a part, to be looked for among all of its texts."""
    hidden = hide_pairs(zip(examples.pairs, (label == POSITIVE for label in examples.labels), strict=True))
    return hidden.take([row for row, place in enumerate(hidden.rows) if examples.labels[place] == POSITIVE])


def _part_options(request: EncoderRequest) -> PartOptions:
    return PartOptions(
        task="retrieval",
        dev=request.dev,
        tests=request.tests,
        split=request.split,
        seed=request.seed,
        leaks=request.leaks,
        simulated=request.simulated,
    )


def _digest(mix: TrainingMix) -> str:
    rows = zip(mix.pairs, mix.positive.tolist(), strict=True)
    texts = (f"{pair.text1}\0{pair.text2}\0{POSITIVE if side else NEGATIVE}" for pair, side in rows)
    return digest_hex(*sorted(texts), size=16)


def _dev(point: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in point.items() if name.startswith("dev_")}


def _write(folder: Path, record: EncoderRecord, parts: LabelledParts, mix: TrainingMix, curve: Curve) -> EncoderRun:
    with atomic_write(folder / MODEL_FOLDER / CARD_FILE) as stream:
        stream.write(card(record).encode())
    trained = LabelledPairs("mix", mix.pairs, [POSITIVE] * len(mix))
    write_sentences(folder / SEEN_SENTENCES, [trained, parts.dev])
    write_curve(folder, curve)
    record = msgspec.structs.replace(record, model_digest=digest_folder(folder / MODEL_FOLDER))
    write_record(folder / RUN_FILE, record)
    return EncoderRun(folder, record)


def card(record: EncoderRecord) -> str:
    """The card of a model: what it is, what it learnt from, how well it does on dev, and how it is loaded."""
    sides = ", ".join(f"{count:,} {side}" for side, count in record.train.items())
    language = f"language: {record.lang}\n" if record.lang else ""
    scores = "".join(
        f"| {name.removeprefix('dev_')} | {record.base_scores[name]:.3f} | {value:.3f} |\n"
        for name, value in record.scores.items()
    )
    table = f"\nOn {record.dev.pairs:,} pairs for choices (dev):\n\n| | base | trained |\n|---|---|---|\n{scores}"
    simulated = "\nIts labels rest on simulated judgements.\n" if record.simulated else ""
    return f"""\
---
library_name: sentence-transformers
pipeline_tag: sentence-similarity
{language}tags: [sentence-transformers, paraphrase-mining, otherwords]
---

# {record.name}

A sentence encoder: {record.base}, trained further by otherwords {__version__} with the objective
`{record.options["objective"]}` on the mix `{record.options["mix"]}`: pairs {sides}, in {record.clusters:,} clusters of
paraphrases. Times that a batch held two pairs of one cluster: {record.collisions}.
{simulated}{table if scores else ""}
`encoder.json` in the folder above this one has the data, options and seed.

## Loading it without otherwords

`folder` is where this file is.

```python
from sentence_transformers import SentenceTransformer

model = SentenceTransformer(folder)
vectors = model.encode(["a sentence", "another one"], normalize_embeddings=True)
```
"""
