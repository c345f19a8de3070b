"""Pre-trained models that a classifier begins with: the packaged all-MiniLM, or any checkpoint of Hugging Face.

Weights of the encoder must all be there; only heads, which are to be learnt, may be missing.
"""

from __future__ import annotations

import io
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import torch
import transformers

from otherwords.errors import DataError
from otherwords.learn.neural.options import PACKAGED
from otherwords.models.encoders.minilm import PACKAGE, TOKENIZER, WEIGHTS
from otherwords.models.hugging_face import first_line, model_folder
from otherwords.models.model_files import packaged_file

COUNT_FROM_PADDING = {"camembert", "longformer", "mpnet", "roberta", "xlm-roberta"}  # their first position is not 0


def base_folder(base: str) -> Path:
    """The folder of the model that is to be trained further."""
    if base != PACKAGED:
        return model_folder(base, None)
    files = [
        packaged_file(PACKAGE, *file, extra="minilm", what="a model that begins with all-MiniLM")
        for file in (TOKENIZER, WEIGHTS)
    ]
    return files[-1].parent


def load_tokenizer(folder: Path) -> Any:
    """The tokenizer of a model."""
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except Exception as problem:  # noqa: BLE001 (tokenizers raises bare ones for damaged files)
        raise DataError(f"has no tokenizer: {first_line(problem)}", folder, code="wrong-model") from None
    if not tokenizer.is_fast:
        raise DataError("has no tokenizer.json, which is needed here", folder, code="wrong-model")
    return tokenizer


def load_encoder(folder: Path) -> Any:
    """An encoder without heads."""
    return _load(folder, transformers.AutoModel)


def load_sequence_classifier(folder: Path, labels: tuple[str, ...] = ()) -> Any:
    """An encoder with a head for labels: a new one, or without ``labels`` the one that is in the folder."""
    more: dict[str, Any] = {}
    if labels:
        more = {
            "num_labels": len(labels),
            "id2label": dict(enumerate(labels)),
            "label2id": {label: number for number, label in enumerate(labels)},
            "ignore_mismatched_sizes": True,
        }
    return _load(folder, transformers.AutoModelForSequenceClassification, new_heads=bool(labels), **more)


def longest_input(tokenizer: Any, model: Any, length: int) -> int:
    """How many tokens a model may read: as many as are asked for, if it has positions for them."""
    positions = getattr(model.config, "max_position_embeddings", None) or length
    if model.config.model_type in COUNT_FROM_PADDING:
        positions -= (model.config.pad_token_id or 0) + 1
    return int(min(length, positions, tokenizer.model_max_length))


def _load(folder: Path, auto: Any, new_heads: bool = True, **more: Any) -> Any:
    try:
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
        if config.is_encoder_decoder or _writes(config):
            names = ", ".join(config.architectures or [config.model_type])
            raise DataError(f"is not an encoder: it holds {names}", folder, code="wrong-model")
        with redirect_stderr(io.StringIO()):  # a bar that cannot be switched off
            model, report = auto.from_pretrained(
                folder, local_files_only=True, dtype=torch.float32, output_loading_info=True, **more
            )
    except DataError:
        raise
    except Exception as problem:  # noqa: BLE001 (safetensors raises bare ones for damaged files)
        raise DataError(f"cannot be loaded as an encoder: {first_line(problem)}", folder, code="wrong-model") from None
    inside = f"{model.base_model_prefix}." if auto is not transformers.AutoModel else ""
    missing = [
        name
        for name in sorted(report["missing_keys"])
        if not (new_heads and (not name.startswith(inside) or "pooler." in name))
    ]
    if missing:
        message = f"lacks weights of the encoder: {', '.join(missing[:3])}{' …' if len(missing) > 3 else ''}"
        raise DataError(message, folder, code="wrong-model")
    return model


def _writes(config: Any) -> bool:
    return any(str(name).endswith(("ForCausalLM", "LMHeadModel")) for name in config.architectures or [])
