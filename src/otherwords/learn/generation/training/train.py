"""Training a generator: read the paraphrases, train, keep the epoch with the lowest perplexity, write the folder.

A run that was killed goes on where it was, if data, options and seed are the same.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from otherwords import __version__
from otherwords.digests import digest_hex
from otherwords.engine import Progress
from otherwords.errors import DataError, RecipeError, UsageError
from otherwords.learn.data.examples import LabelledPairs, nested_subsets
from otherwords.learn.generation.training.options import (
    FAMILIES,
    FULL_RATE,
    LORA_RATE,
    BaseModel,
    GeneratorOptions,
    base_model,
)
from otherwords.learn.generation.training.pairs import TOO_LONG, GeneratorPairs, read_paraphrases
from otherwords.learn.generation.training.run import (
    GENERATOR_FILE,
    GeneratorRecord,
    GeneratorRun,
    is_generator_run,
    open_generator_run,
)
from otherwords.learn.ladder import TrainingContext
from otherwords.learn.runs.folder import (
    CARD_FILE,
    MODEL_FOLDER,
    Curve,
    begun_with,
    check_same,
    checkpoint_folder,
    write_curve,
    write_record,
)
from otherwords.learn.runs.run import RUN_FILE, DataFacts, machine, versions
from otherwords.models.edges import Device
from otherwords.models.hugging_face import load_model
from otherwords.project.pipeline.parameters import parameters_of

CARD = """\
---
library_name: transformers
pipeline_tag: text-generation
tags: [paraphrase-generation, otherwords]
---

# {title}

Trained by otherwords {version} on {base} to write paraphrases{lang}, from {pairs:,} pairs. Perplexity of the
{dev:,} pairs of its dev part: {perplexity:.2f}. Data, options and seed are in `generator.json` in the folder above.

## Loading it without otherwords

`folder` is where this file is.

```python
from transformers import {auto}, AutoTokenizer

model = {auto}.from_pretrained(folder).eval()
tokenizer = AutoTokenizer.from_pretrained(folder)

def paraphrase(source):
    tokens = tokenizer({template!r}.replace("{{source}}", source), return_tensors="pt")
    tokens.pop("token_type_ids", None)
    written = model.generate(**tokens, max_new_tokens=64)[0]
    return tokenizer.decode(written{start}, skip_special_tokens=True).strip()
```
"""


@dataclass(frozen=True, slots=True)
class GeneratorRequest:
    """A generator to be trained on corpora; ``settings`` are its :class:`GeneratorOptions`."""

    paths: tuple[str, ...]
    out: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    dev: str | None = None
    tests: LabelledPairs | None = None  # pairs no sentence of which is learnt from
    share: int = 100  # of the training part in per cent, for learning curves
    seed: int = 0
    device: Device = "auto"
    simulated: bool = False
    again: bool = False  # replace another run in the folder


def generator_options(settings: Mapping[str, Any]) -> GeneratorOptions:
    """The options; small matrices learn at a higher rate than a whole model."""
    rate = LORA_RATE if settings.get("lora") else FULL_RATE
    try:
        return parameters_of("generator", GeneratorOptions, {"rate": rate, **settings})
    except RecipeError as problem:
        raise UsageError(str(problem), code=problem.code) from None


def train_generator(
    request: GeneratorRequest, progress: Progress = lambda done, total: None, **reading: Any
) -> GeneratorRun:
    """Train a generator into a folder; the same training again does nothing."""
    options = generator_options(request.settings)
    base = base_model(options)
    if (request.out / RUN_FILE).is_file():
        raise UsageError(f"{request.out}: holds a trained classifier; name a new folder", code="another-run")
    pairs = read_paraphrases(
        request.paths,
        request.dev,
        options.max_bleu,
        options.dev_share,
        request.seed,
        tests=request.tests,
        simulated=request.simulated,
        **reading,
    )
    if request.share != 100:
        (train,) = nested_subsets(pairs.train, [request.share], seed=request.seed)
        pairs = replace(pairs, train=train)
    record = GeneratorRecord(
        name=request.out.name,
        options=options,
        template=options.template,
        seed=request.seed,
        lang=pairs.lang,
        train=DataFacts.of_examples(pairs.train),
        dev=DataFacts.of_examples(pairs.dev),
        notes=pairs.notes,
        begins_with=begun_with(base.folder),
        simulated=pairs.simulated,
    )
    if is_generator_run(request.out) and not request.again:
        there = open_generator_run(request.out)
        check_same(request.out, there.record, record)
        return there
    order = (f"{pair.text1}\0{pair.text2}" for pair in pairs.train.pairs)
    checkpoints = checkpoint_folder(request.out, digest_hex(record.key, *order, size=8))
    curve: Curve = []
    context = TrainingContext(
        seed=request.seed,
        lang=pairs.lang,
        device=request.device,
        checkpoints=checkpoints,
        progress=progress,
        curve=lambda point: curve.append(dict(point)),
    )
    start = time.perf_counter()
    model, tokenizer, read = _trained(base, pairs, options, context)
    record = msgspec.structs.replace(
        record,
        train=_read(record.train, read.train),
        dev=_read(record.dev, read.dev),
        perplexity=min(point["dev_perplexity"] for point in curve),
        versions=versions(),
        machine=machine(),
        seconds=round(time.perf_counter() - start, 3),
    )
    return _write(request.out, record, model, tokenizer, curve)


def _trained(
    base: BaseModel, pairs: GeneratorPairs, options: GeneratorOptions, context: TrainingContext
) -> tuple[Any, Any, GeneratorPairs]:
    """The trained model, its tokenizer, and the pairs that it could read."""
    import numpy as np

    from otherwords.learn.generation.training.lora import add_lora, merge_lora
    from otherwords.learn.generation.training.network import ParaphraseWriter, SourceReader, dev_perplexity
    from otherwords.learn.neural.base_models import longest_input
    from otherwords.learn.neural.devices import chosen_device, seeded
    from otherwords.learn.neural.loop import TrainingPairs, train_network

    tokenizer, model = load_model(base.folder, FAMILIES[options.kind], context.device, **base.loading)
    if tokenizer.eos_token_id is None:
        message = "its tokenizer has no token that ends a text, so it cannot learn where to stop"
        raise DataError(message, base.folder, code="wrong-model")
    if options.lora:
        with seeded(context.seed):
            add_lora(model, options.rank, options.scale)
    longest = longest_input(tokenizer, model, options.length)
    reader = SourceReader(tokenizer, options.template, options.kind, longest)
    read = replace(pairs, train=_short_enough(reader, pairs.train), dev=_short_enough(reader, pairs.dev))
    device = chosen_device(context.device)
    network = ParaphraseWriter(model, causal=options.kind == "causal").to(device)
    train, dev = reader.prepare(read.train.pairs), reader.prepare(read.dev.pairs)
    targets = np.zeros((len(read.train), 1), np.int64)  # what is learnt stands in the batches
    train_network(
        network,
        TrainingPairs(train, targets),
        lambda: dev_perplexity(network, dev, device),
        options,
        context,
        new_rate=options.rate,
    )
    if options.lora:
        merge_lora(model)
    return model, tokenizer, read


def _short_enough(reader: Any, examples: LabelledPairs) -> LabelledPairs:
    """The examples that a model can read; the others are counted."""
    rows = reader.fitting(examples.pairs)
    if not rows:
        message = f"all {len(examples):,} {examples.name} pairs are longer than {reader.longest:,} tokens; raise length"
        raise DataError(message, code="pairs-too-long")
    if len(rows) == len(examples):
        return examples
    left_out = examples.left_out + Counter({TOO_LONG.format(reader.longest): len(examples) - len(rows)})
    return replace(examples.take(rows), left_out=left_out)


def _read(facts: DataFacts, examples: LabelledPairs) -> DataFacts:
    """What is known of a part, with the pairs that were read; the digest stays that of all."""
    return msgspec.structs.replace(facts, pairs=len(examples), left_out=dict(examples.left_out))


def _write(folder: Path, record: GeneratorRecord, model: Any, tokenizer: Any, curve: Curve) -> GeneratorRun:
    (folder / GENERATOR_FILE).unlink(missing_ok=True)  # of a run that is replaced
    target = folder / MODEL_FOLDER
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    model.generation_config.eos_token_id = tokenizer.eos_token_id  # the end that it has learnt to write
    if (packed := getattr(model, "hf_quantizer", None)) is not None:
        packed.remove_quantization_config(model)  # its weights were unpacked when it was loaded
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)
    (target / CARD_FILE).write_text(_card(record), encoding="utf-8")
    write_curve(folder, curve)
    record = msgspec.structs.replace(record, model_digest=begun_with(target))
    write_record(folder / GENERATOR_FILE, record)
    return GeneratorRun(folder, record)


def _card(record: GeneratorRecord) -> str:
    """The card of a model: what it was made of, and how it is loaded."""
    causal = record.options.kind == "causal"
    return CARD.format(
        title=record.name,
        version=__version__,
        base=Path(record.options.base).name,
        lang=f" in {record.lang}" if record.lang else "",
        pairs=record.train.pairs,
        dev=record.dev.pairs,
        perplexity=record.perplexity,
        auto="AutoModelForCausalLM" if causal else "AutoModelForSeq2SeqLM",
        template=record.template,
        start="[tokens['input_ids'].shape[1]:]" if causal else "",
    )
