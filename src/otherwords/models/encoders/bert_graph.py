"""BERT (Devlin et al. 2019, §3) as a graph of OpenVINO, made from a table of weights: no other library is needed.

The graph takes the tokens of one text and gives the mean of their vectors. It is compiled once, for
texts of any length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

LAYERS, HEADS, WIDTH = 6, 12, 384
EPSILON = 1e-12

Weights = Mapping[str, npt.NDArray[np.float32]]


def compiled(weights: Weights) -> Callable[[list[int]], npt.NDArray[np.float32]]:
    """A function from the tokens of a text to the mean of their vectors."""
    import openvino as ov

    core = ov.Core()
    settings = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = core.compile_model(_graph(weights), "CPU", settings).create_infer_request()

    def compute(tokens: list[int]) -> npt.NDArray[np.float32]:
        result = request.infer({0: np.array([tokens], np.int64)})
        mean: npt.NDArray[np.float32] = result[0][0].copy()
        return mean

    return compute


def _graph(weights: Weights) -> Any:
    import openvino as ov
    from openvino import opset13 as ops

    tokens = ops.parameter([1, -1], np.int64, name="tokens")
    zero, one = ops.constant(np.int64(0)), ops.constant(np.int64(1))
    length = ops.gather(ops.shape_of(tokens), one, zero)
    places = ops.range(zero, length, one, "i64")
    hidden = ops.gather(ops.constant(weights["embeddings.word_embeddings.weight"]), tokens, zero)
    hidden = ops.add(hidden, ops.gather(ops.constant(weights["embeddings.position_embeddings.weight"]), places, zero))
    hidden = ops.add(hidden, ops.constant(weights["embeddings.token_type_embeddings.weight"][0]))
    hidden = _normalised(ops, hidden, weights, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        attended = _linear(ops, _attention(ops, hidden, weights, name), weights, f"{name}.attention.output.dense")
        hidden = _normalised(ops, ops.add(attended, hidden), weights, f"{name}.attention.output.LayerNorm")
        inner = ops.gelu(_linear(ops, hidden, weights, f"{name}.intermediate.dense"), "erf")
        outer = _linear(ops, inner, weights, f"{name}.output.dense")
        hidden = _normalised(ops, ops.add(outer, hidden), weights, f"{name}.output.LayerNorm")
    return ov.Model([ops.reduce_mean(hidden, one, keep_dims=False)], [tokens], "bert")


def _attention(ops: Any, hidden: Any, weights: Weights, name: str) -> Any:
    heads = ops.constant(np.array([1, -1, HEADS, WIDTH // HEADS], np.int64))
    flat = ops.constant(np.array([1, -1, WIDTH], np.int64))
    turned = ops.constant(np.array([0, 2, 1, 3], np.int64))

    def part(which: str) -> Any:
        projected = _linear(ops, hidden, weights, f"{name}.attention.self.{which}")
        return ops.transpose(ops.reshape(projected, heads, special_zero=False), turned)

    scale = ops.constant(np.float32((WIDTH // HEADS) ** -0.5))
    scores = ops.multiply(ops.matmul(part("query"), part("key"), False, True), scale)
    mixed = ops.matmul(ops.softmax(scores, -1), part("value"), False, False)
    return ops.reshape(ops.transpose(mixed, turned), flat, special_zero=False)


def _linear(ops: Any, hidden: Any, weights: Weights, name: str) -> Any:
    product = ops.matmul(hidden, ops.constant(weights[f"{name}.weight"]), False, True)
    return ops.add(product, ops.constant(weights[f"{name}.bias"]))


def _normalised(ops: Any, hidden: Any, weights: Weights, name: str) -> Any:
    last = ops.constant(np.array([-1], np.int64))
    centred = ops.mvn(hidden, last, True, EPSILON, "inside_sqrt")
    scaled = ops.multiply(centred, ops.constant(weights[f"{name}.weight"]))
    return ops.add(scaled, ops.constant(weights[f"{name}.bias"]))
