"""Networks computed by OpenVINO in a few fixed shapes, exactly or in whole numbers of eight bits.

OpenVINO's memory grows with every new shape, so texts are brought to a few widths and batches to a number of tokens.
One compiled graph, with one copy of the weights, takes all of them. For eight bits, NNCF finds out the ranges of all
numbers from some inputs (static quantisation).
"""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from otherwords.engine import cores
from otherwords.errors import MissingExtra

Tier = Literal["exact", "int8"]
EXTRA = "int8"
WIDTHS = (*range(8, 64, 4), *range(64, 128, 8), *range(128, 513, 32))
TOKENS = 512  # of a batch; larger ones are no faster
CALIBRATION_INPUTS = 300  # NNCF's own number

Rows = npt.NDArray[np.int64]
Inputs = Mapping[str, npt.NDArray[Any]]


def batch_size(width: int) -> int:
    """How many texts of a width are computed together."""
    return max(1, TOKENS // width)


def require_tier(tier: Tier) -> tuple[Any, Any]:
    """OpenVINO and, for eight bits, NNCF."""
    try:
        import openvino

        if tier == "exact":
            return openvino, None
        nncf = quiet(_import_nncf)
    except ImportError:
        raise MissingExtra(EXTRA, f"the tier {tier}") from None
    return openvino, nncf


def _import_nncf() -> Any:
    import nncf

    return nncf


def request_queue(graph: Any) -> Any:
    """A graph compiled for inputs of any shape, as many requests at a time as there are cores, each on one thread."""
    import openvino as ov

    streams = str(cores())
    settings = {
        "NUM_STREAMS": streams,
        "INFERENCE_NUM_THREADS": streams,
        "INFERENCE_PRECISION_HINT": "f32",
        "ENABLE_CPU_PINNING": "NO",  # a thread that is bound to a core waits for what else runs there
    }
    return ov.AsyncInferQueue(ov.Core().compile_model(graph, "CPU", settings), cores())


def compute(
    queue: Any,
    lengths: Rows,
    longest: int,
    inputs: Callable[[Rows, int], Inputs],
    keep: Callable[[Any, Rows], None],
) -> None:
    """Compute rows of these lengths in batches of fixed shapes; those above ``longest`` are left out.

    ``inputs`` makes the tables of some rows, filled up to a width; ``keep`` is called with a finished request and its
    rows. Rows go from the longest to the shortest, so that only the last batch has places left, which its first row
    fills.
    """
    widths = np.array([*(width for width in WIDTHS if width < longest), longest])
    order = np.argsort(-lengths, kind="stable")
    order = order[np.searchsorted(-lengths[order], -longest) :]
    queue.set_callback(keep)
    start = 0
    while start < len(order):
        width = int(widths[np.searchsorted(widths, lengths[order[start]])])
        size = batch_size(width)
        rows = order[start : start + size]
        filled = np.concatenate([rows, np.repeat(rows[:1], size - len(rows))])
        queue.start_async(dict(inputs(filled, width)), rows)
        start += size
    queue.wait_all()


def quantized(graph: Any, inputs: Sequence[Inputs]) -> Any:
    """The graph of a transformer in eight bits, calibrated with these inputs."""
    _, nncf = require_tier("int8")
    dataset = nncf.Dataset([dict(row) for row in inputs])
    return quiet(lambda: nncf.quantize(graph, dataset, model_type=nncf.ModelType.TRANSFORMER, subset_size=len(inputs)))


def quiet(make: Callable[[], Any]) -> Any:
    """Without the bars of the libraries, and their warnings, which are about their own future."""
    logging.getLogger("nncf").setLevel(logging.ERROR)
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        return make()


def padded(rows: Sequence[Sequence[int]], width: int) -> Inputs:
    """Tokens as a table of that width, with a mask of what counts."""
    tokens, mask = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width), np.float32)
    for number, row in enumerate(rows):
        tokens[number, : len(row)] = row
        mask[number, : len(row)] = 1
    return {"tokens": tokens, "mask": mask}
