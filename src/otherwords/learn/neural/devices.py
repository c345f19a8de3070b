"""Where a network is computed: device, precision, number of threads, and what to do when memory runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from otherwords.engine import cores
from otherwords.errors import UsageError
from otherwords.models.edges import Device
from otherwords.models.hugging_face import torch_device


@dataclass(frozen=True, slots=True)
class Precision:
    """The type that products are computed in; ``scaled`` losses do not vanish in it."""

    type: str | None = None  # None is that of the weights
    scaled: bool = False


def chosen_device(device: Device) -> str:
    """The device that is asked for, if there is one."""
    if device == "cuda" and not torch.cuda.is_available():
        message = "there is no graphics card that torch can use; leave out --device cuda, or use --device cpu"
        raise UsageError(message, code="no-gpu")
    return torch_device(torch, device)


def mixed_precision(device: str, bfloat16: bool) -> Precision:
    """Half precision on a graphics card; on a processor nothing is mixed, so that runs can be compared bit for bit."""
    if device != "cuda":
        return Precision()
    return Precision("bfloat16") if bfloat16 else Precision("float16", scaled=True)


def precision_of(device: str) -> Precision:
    """The precision in which this machine trains."""
    return mixed_precision(device, device == "cuda" and bool(torch.cuda.is_bf16_supported()))


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Random numbers of torch that follow from a seed; those of others go on afterwards as if nothing had happened."""
    with torch.random.fork_rng(devices=None if torch.cuda.is_available() else []):
        torch.manual_seed(seed)
        yield


def use_threads(threads: int) -> None:
    """Let torch use so many threads; 0 for all cores."""
    torch.set_num_threads(threads or cores())


def out_of_memory(problem: BaseException) -> bool:
    """Whether an error says that there is too little memory."""
    words = ("out of memory", "not enough memory", "can't allocate memory")
    is_error = isinstance(problem, RuntimeError) and any(word in str(problem) for word in words)
    return isinstance(problem, MemoryError | torch.OutOfMemoryError) or is_error


def does_not_fit(rows: int, length: int, attempt: Callable[[int], object]) -> UsageError:
    """The error for a batch that is too large; halves of it are attempted until one fits."""
    batch = (
        f"a batch of {rows:,} {'pair' if rows == 1 else 'pairs'} of up to {length:,} tokens does not fit into memory"
    )
    fitting = rows // 2
    while fitting:
        try:
            attempt(fitting)
            break
        except (RuntimeError, MemoryError) as problem:
            if not out_of_memory(problem):
                raise
            fitting //= 2
    if not fitting:
        return UsageError(f"{batch}, nor does a single pair; use a smaller model or length", code="out-of-memory")
    more = -(-rows // fitting)
    message = f"{batch}, one of {fitting:,} does: --set batch={fitting} --set accumulate={more} makes equal steps"
    return UsageError(message, code="out-of-memory")
