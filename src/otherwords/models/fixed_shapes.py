"""Networks computed by OpenVINO in a few fixed shapes, exactly or in whole numbers of eight bits.

OpenVINO's memory grows with every new shape, so texts are brought to a few widths and batches to a number of tokens.
For eight bits, NNCF finds out the ranges of all numbers from some inputs (static quantisation).
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
WIDTHS = (16, 24, 32, 40, 48, 64, 80, 96, 128, 192, 256, 384, 512)
TOKENS = 1_024  # of a batch
CALIBRATION_INPUTS = 300  # NNCF's own number

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


def request_queue(graph: Any, shapes: Mapping[str, Sequence[int]]) -> Any:
    """A graph compiled for these shapes of its inputs, as many requests at a time as there are cores."""
    import openvino as ov

    fixed = graph.clone()
    fixed.reshape({name: list(shape) for name, shape in shapes.items()})
    streams = str(cores())
    settings = {"NUM_STREAMS": streams, "INFERENCE_NUM_THREADS": streams, "INFERENCE_PRECISION_HINT": "f32"}
    return ov.AsyncInferQueue(ov.Core().compile_model(fixed, "CPU", settings), cores())


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


def padded(rows: Sequence[Sequence[int]], width: int, size: int) -> Inputs:
    """Tokens as a table of that size, with a mask of what counts; what is left over repeats the first row."""
    tokens, mask = np.zeros((size, width), np.int64), np.zeros((size, width), np.float32)
    for number in range(size):
        row = rows[number] if number < len(rows) else rows[0]
        tokens[number, : len(row)] = row
        mask[number, : len(row)] = 1
    return {"tokens": tokens, "mask": mask}
