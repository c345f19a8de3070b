"""Hugging Face models from a folder, or by name where the network or the local cache has them.

What is loaded is what the folder says: weights that are missing are an error, never numbers drawn at random, and code
that comes with a model is not run. Texts are given to a model one at a time, because neighbours in a batch change its
numbers in the last digits, and a greedy choice now and then with them; ``batch`` in the name trades that for speed.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from otherwords.errors import DataError, MissingExtra, UsageError
from otherwords.models.asking import BackendFailed
from otherwords.models.edges import Device, Item
from otherwords.models.model_files import check_hash, model_hash

Positive = Annotated[int, msgspec.Meta(ge=1)]
Family = Literal["seq2seq", "causal", "encoder"]
EXTRA = "hf"
LOADING = threading.Lock()  # transformers imports its parts lazily, which two threads cannot do at once
WHAT = {
    "seq2seq": "an encoder-decoder, which is needed here",
    "causal": "a causal language model",
    "encoder": "a model that transformers can load",
}


class FolderOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of all models in a folder."""

    sha256: str | None = None
    device: Device = "auto"
    batch: Positive = 1


def model_folder(path: str, sha256: str | None) -> Path:
    """The folder of a model that is named by its path or by its name on the Hugging Face hub."""
    folder = Path(path).expanduser()
    if not folder.exists() and path.count("/") <= 1 and not path.startswith((".", "~")):
        folder = _from_hub(path)
    if not folder.is_dir():
        why = "a folder with the files of a model is needed" if folder.exists() else "there is no such folder"
        raise DataError(why, folder, code="wrong-model" if folder.exists() else "model-missing")
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        raise DataError("has no config.json, so it is not a model of Hugging Face", folder, code="wrong-model")
    if sha256 is not None:
        check_hash(folder, sha256)
    return folder


def folder_hash(folder: Path) -> str:
    """The hash of all files of a model."""
    return model_hash(folder)


def _from_hub(name: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import (
            HfHubHTTPError,
            HFValidationError,
            LocalEntryNotFoundError,
            OfflineModeIsEnabled,
        )
    except ImportError:
        return Path(name)
    try:
        return Path(snapshot_download(name))
    except HFValidationError:
        return Path(name)
    except (HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled, OSError, ValueError):
        message = f"{name}: there is no such folder, and no such model that the Hugging Face hub would give"
        raise DataError(message, code="model-missing") from None


def require(what: str) -> tuple[Any, Any]:
    """The packages torch and transformers."""
    with LOADING:
        try:
            import torch
            import transformers
        except ModuleNotFoundError:
            raise MissingExtra(EXTRA, what) from None
        except (ImportError, MemoryError) as problem:  # it is installed, but a library could not be mapped
            message = f"{what}: torch cannot be loaded ({first_line(problem)}); is there too little memory?"
            raise UsageError(message, code="torch-unloadable") from None
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        return torch, transformers


def load_model(folder: Path, family: Family, device: Device, **more: Any) -> tuple[Any, Any]:
    """Tokenizer and model, ready to be asked."""
    torch, transformers = require(f"hf:{folder}")
    classes = {
        "seq2seq": transformers.AutoModelForSeq2SeqLM,
        "causal": transformers.AutoModelForCausalLM,
        "encoder": transformers.AutoModel,
    }
    try:
        if not more:
            _check_family(transformers.AutoConfig.from_pretrained(folder, local_files_only=True), family, folder)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, **more)
        with redirect_stderr(io.StringIO()):  # a bar that cannot be switched off
            model, report = classes[family].from_pretrained(
                folder, local_files_only=True, dtype=torch.float32, output_loading_info=True, **more
            )
    except DataError:
        raise
    except Exception as problem:  # noqa: BLE001 (safetensors and tokenizers raise bare ones for damaged files)
        raise DataError(f"cannot be loaded as a model: {first_line(problem)}", folder, code="wrong-model") from None
    if missing := sorted(report["missing_keys"]):
        message = f"lacks weights of the model: {', '.join(missing[:3])}{' …' if len(missing) > 3 else ''}"
        raise DataError(message, folder, code="wrong-model")
    return tokenizer, model.to(torch_device(torch, device)).eval()


def torch_device(torch: Any, device: Device) -> str:
    """The device that is asked for; ``auto`` is a graphics card if there is one."""
    return ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device


def _check_family(config: Any, family: Family, folder: Path) -> None:
    architectures = [str(name) for name in config.architectures or []]
    fits = {
        "seq2seq": bool(config.is_encoder_decoder),
        "causal": not config.is_encoder_decoder
        and any(name.endswith(("ForCausalLM", "LMHeadModel")) for name in architectures),
        "encoder": True,
    }[family]
    if not fits:
        is_one = ", ".join(architectures) or config.model_type
        raise DataError(f"is not {WHAT[family]}: it holds {is_one}", folder, code="wrong-model")


@contextmanager
def failures_of(name: str) -> Iterator[None]:
    """Let what a library raises for a text be a failed call, which costs that text its answer and nothing else."""
    try:
        yield
    except (RuntimeError, ValueError, IndexError, KeyError, MemoryError) as problem:
        raise BackendFailed(f"{name}: {first_line(problem)}", code="backend-failed") from None


def grouped(items: Sequence[Item], size: int, length: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Items of similar length together, so that little is padded."""
    ordered = sorted(items, key=length)
    for start in range(0, len(ordered), size):
        yield ordered[start : start + size]


def first_line(problem: BaseException) -> str:
    """What an error of a library says, without its further lines."""
    return (str(problem).strip().splitlines() or [type(problem).__name__])[0]
