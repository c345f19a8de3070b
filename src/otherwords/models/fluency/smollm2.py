"""SmolLM2 as a measure of fluency for English: ``smollm2``."""

from __future__ import annotations

from otherwords.models.fluency.causal import CausalFluency
from otherwords.models.hugging_face import FolderOptions
from otherwords.models.options import path_and_options
from otherwords.models.smollm2 import LOADING_OPTIONS, SIGNATURE, smollm2_folder


def build(what: str) -> CausalFluency:
    """The language model; ``?device=cpu`` is its only option of use."""
    _, options = path_and_options("smollm2", what, FolderOptions)
    return CausalFluency("smollm2", smollm2_folder(), options, SIGNATURE, LOADING_OPTIONS)
