"""What may be chosen about the training of a generator, and the model that it begins with.

A prompt is short on purpose: a model that is trained needs no instruction, and what it reads every time costs time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from otherwords.errors import UsageError
from otherwords.learn.neural.options import OptimiserOptions, Size
from otherwords.models.hugging_face import Family, model_folder, require
from otherwords.models.smollm2 import LOADING_OPTIONS, smollm2_folder
from otherwords.project.pipeline.parameters import Share

GeneratorKind = Literal["encoder-decoder", "causal"]
FAMILIES: dict[GeneratorKind, Family] = {"encoder-decoder": "seq2seq", "causal": "causal"}
PROMPTS: dict[GeneratorKind, str] = {
    "encoder-decoder": "paraphrase: {source}",
    "causal": "Sentence: {source}\nIn other words:\n",
}
MAX_BLEU = 14.0  # Dou et al. 2022, §4.1
FULL_RATE, LORA_RATE = 5e-5, 5e-4
SMOLLM2 = "smollm2"


class GeneratorOptions(OptimiserOptions, frozen=True, kw_only=True):
    """How a generator is trained: all its weights, or small matrices beside them (LoRA)."""

    base: str = ""
    kind: GeneratorKind = "causal"
    lora: bool = False
    rank: Size = 8
    scale: Annotated[float, msgspec.Meta(gt=0)] = 2.0  # of what the small matrices add
    max_bleu: Annotated[float, msgspec.Meta(ge=0, le=100)] = MAX_BLEU  # 100 keeps all pairs
    dev_share: Share = 0.1  # of the pairs, where there is no dev part
    epochs: Size = 3
    batch: Size = 8
    length: Annotated[int, msgspec.Meta(ge=8, le=8192)] = 256  # tokens that are read and written
    prompt: str = ""  # with a place {source}; that of the kind by default

    def problem(self) -> str | None:
        if not self.base:
            return "name the model to begin with: --base hf:PATH or --base smollm2"
        if self.prompt and "{source}" not in self.prompt:
            return "the prompt has no place for the source: {source}"
        return None

    @property
    def template(self) -> str:
        """The prompt that sources are put into."""
        return self.prompt or PROMPTS[self.kind]


class BaseModel(NamedTuple):
    """The files of a model that is trained further, and further arguments for loading it."""

    folder: Path
    loading: dict[str, Any]


def base_model(options: GeneratorOptions) -> BaseModel:
    """The model that is named as ``hf:PATH``, or the packaged one."""
    require("otherwords train generator")
    kind, _, path = options.base.partition(":")
    if options.base == SMOLLM2:
        if options.kind != "causal":
            message = "smollm2 is a causal language model; train it with --kind causal"
            raise UsageError(message, code="base-of-other-kind")
        return BaseModel(smollm2_folder(), LOADING_OPTIONS)
    if kind != "hf" or not path:
        raise UsageError(f"--base {options.base}: expected hf:PATH or smollm2", code="bad-base")
    return BaseModel(model_folder(path, None), {})
