"""What may be chosen about the training of a network.

Optimiser, decay, warm-up, epochs and selection on dev are those of MultiPIT (Dou et al. 2022); rates, batch and length
suit a small encoder on two cores.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from otherwords.models.hugging_face import model_folder
from otherwords.project.pipeline.parameters import Count, Parameters, Share

PACKAGED = "minilm"
Rate = Annotated[float, msgspec.Meta(gt=0, le=1)]
Size = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


class OptimiserOptions(Parameters, frozen=True, kw_only=True):
    """How any network is trained."""

    epochs: Size = 5
    batch: Size = 16
    accumulate: Size = 1  # batches whose gradients are summed before a step
    rate: Rate = 1e-4
    weight_decay: Share = 0.01
    warmup: Share = 0.06  # the share of all steps in which the rate rises
    clip: Annotated[float, msgspec.Meta(ge=0)] = 1.0  # the longest gradient; 0 for any
    patience: Count = 3  # epochs without a better score on dev before it stops; 0 for all epochs
    threads: Count = 0  # 0 for all cores


class LoopOptions(OptimiserOptions, frozen=True, kw_only=True):
    """How a classifier is trained."""

    head_rate: Rate = 1e-3  # of what is not in the pre-trained model
    select: Literal["f1", "accuracy"] = "f1"  # which epoch is kept, by the dev part
    class_weights: bool = False  # rare classes count more
    swap: bool = True  # show half of the pairs the other way round, with mirrored labels


class PairEncoderOptions(LoopOptions, frozen=True, kw_only=True):
    """A pre-trained encoder that reads both texts together."""

    base: str = PACKAGED  # or the folder of a Hugging Face model, or its name on the hub
    length: Annotated[int, msgspec.Meta(ge=8, le=8192)] = 96  # tokens of a pair


class TransformerOptions(PairEncoderOptions, frozen=True, kw_only=True):
    """An encoder with one head: on its first token, as transformers saves it, or on the mean of all tokens."""

    pooling: Literal["first", "mean"] = "first"


class TextToTextOptions(LoopOptions, frozen=True, kw_only=True):
    """An encoder-decoder that writes the label."""

    base: str = ""  # the folder of a Hugging Face model, or its name on the hub
    length: Annotated[int, msgspec.Meta(ge=8, le=8192)] = 192
    prompt: str = "mrpc sentence1: {text1} sentence2: {text2}"  # Raffel et al. 2020, appendix D

    def problem(self) -> str | None:
        if not self.base:
            return "name an encoder-decoder: base=FOLDER"
        if "{text1}" not in self.prompt or "{text2}" not in self.prompt:
            return "the prompt needs {text1} and {text2}"
        if self.prompt.index("{text1}") > self.prompt.index("{text2}"):
            return "the prompt needs {text1} before {text2}"
        return None


class BilstmOptions(LoopOptions, frozen=True, kw_only=True):
    """Two texts read by one LSTM in both directions, over vectors of words that stay as they are."""

    vectors: str = ""  # vectors:fi, vectors:ru, vectors:ja, or a file (.vec, .npz); by default those of the language
    hidden: Size = 64  # RuPAWS
    rate: Rate = 1e-3
    length: Annotated[int, msgspec.Meta(ge=1, le=8192)] = 128  # words of a text


def base_files(options: PairEncoderOptions | TextToTextOptions) -> Path | None:
    """The folder of the model that is trained further; None for the packaged one, which is always the same."""
    return None if options.base == PACKAGED else model_folder(options.base, None)


def vector_file(options: BilstmOptions) -> Path | None:
    """The file of vectors of words; None for those that have a name, which are always the same."""
    path = Path(options.vectors).expanduser()
    return path if path.is_file() else None
