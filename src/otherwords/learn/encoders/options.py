"""What somebody asks of the training of an encoder: one struct for the command line and for the record of the run."""

from __future__ import annotations

from typing import Literal

import msgspec

from otherwords.errors import UsageError
from otherwords.learn.data.parts import LeakRule
from otherwords.models.edges import Device

Objective = Literal["contrastive", "classification"]
Mix = Literal["train", "train+neg", "train+neg+pos", "neg+pos"]  # Kanerva et al. 2023, §8.1
EPOCHS, BATCH = 3, 32
RATE = 5e-5  # the paper has 1e-5 for a model of twelve layers
MARGIN = 0.95
LENGTH = 128  # tokens of a text that are read in training


class EncoderRequest(msgspec.Struct, frozen=True, kw_only=True):
    """An encoder to be trained; ``margin`` is how near a hard negative may be, relative to the positive."""

    paths: tuple[str, ...]
    out: str
    base: str = "minilm"
    objective: Objective = "contrastive"
    mix: Mix = "train"
    negatives: tuple[str, ...] = ()
    positives: tuple[str, ...] = ()
    dev: str | None = None
    tests: tuple[str, ...] = ()
    split: str = "80/10/10"
    leaks: LeakRule = "refuse"
    epochs: int = EPOCHS
    batch: int = BATCH
    rate: float = RATE
    length: int = LENGTH
    hard_negatives: int = 0
    margin: float = MARGIN
    seed: int = 0
    device: Device = "auto"
    simulated: bool = False
    again: bool = False

    def check(self) -> None:
        """Refuse what cannot be meant, before anything is read."""
        for option, name, files in (("neg", "negatives", self.negatives), ("pos", "positives", self.positives)):
            if (option in self.mix.split("+")) != bool(files):
                message = f"--mix {self.mix} and --{name} do not go together: " + (
                    f"choose a mix with {option}, such as neg+pos, or leave the file out"
                    if files
                    else f"name a file of harvested pairs with --{name}"
                )
                raise UsageError(message, code="mix-without-file")
        if self.hard_negatives and self.objective == "classification":
            message = "--hard-negatives go with --objective contrastive; a classification needs labelled negatives"
            raise UsageError(message, code="bad-objective")
        if self.batch < 2:
            message = f"--batch {self.batch}: a batch needs at least 2 pairs, which are each other's negatives"
            raise UsageError(message, code="bad-batch")
        if not 0 < self.margin <= 1:
            raise UsageError(f"--margin {self.margin:g} is not above 0 and up to 1", code="bad-margin")
        if self.epochs < 1 or self.rate <= 0 or self.hard_negatives < 0 or self.length < 8:
            message = "--epochs, --rate and --hard-negatives cannot be negative or 0, and --length is at least 8"
            raise UsageError(message, code="bad-training-option")
