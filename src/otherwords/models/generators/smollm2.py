"""SmolLM2 as a small generator for English that needs no network: ``smollm2``, or ``smollm2:?decoding=top-k&seed=1``.

It is asked as a chat model: the prompt is the message of a user.
"""

from __future__ import annotations

import msgspec

from otherwords.models.generators.causal import CausalGenerator, ContinuationOptions
from otherwords.models.options import path_and_options
from otherwords.models.smollm2 import LOADING_OPTIONS, SIGNATURE, smollm2_folder


def build(what: str) -> CausalGenerator:
    """The generator."""
    _, options = path_and_options("smollm2", what, ContinuationOptions)
    chatting = msgspec.structs.replace(options, chat=True)
    name = f"smollm2:{what}" if what else "smollm2"
    return CausalGenerator(name, smollm2_folder(), chatting, SIGNATURE, LOADING_OPTIONS)
