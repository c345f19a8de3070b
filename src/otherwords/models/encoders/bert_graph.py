"""BERT (Devlin et al. 2019, §3) as a graph of OpenVINO, made from a table of weights: no other library is needed.

The graph takes the tokens of one text and gives their vectors or the mean of them. It is compiled once, for
texts of any length. :func:`masked_graph` is for many texts at a time, whose ends are filled up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from otherwords.engine import cores

LAYERS, HEADS, WIDTH = 6, 12, 384
EPSILON = 1e-12
HIDDEN = np.float32(1e4)  # taken from the scores of what does not count

Weights = Mapping[str, npt.NDArray[np.float32]]


def compiled(
    weights: Weights, *, pooled: bool = True
) -> Callable[[Sequence[list[int]]], list[npt.NDArray[np.float32]]]:
    """A function from the tokens of texts to the mean of their vectors or, if not pooled, to all of them.

    Each text is computed by itself and on one thread, so that nothing depends on its neighbours or on the number of
    cores; several texts are computed at a time.
    """
    import openvino as ov

    streams = str(cores())
    settings = {"NUM_STREAMS": streams, "INFERENCE_NUM_THREADS": streams, "INFERENCE_PRECISION_HINT": "f32"}
    queue = ov.AsyncInferQueue(ov.Core().compile_model(_graph(weights, pooled), "CPU", settings), cores())

    def compute(texts: Sequence[list[int]]) -> list[npt.NDArray[np.float32]]:
        means: dict[int, npt.NDArray[np.float32]] = {}

        def keep(request: Any, number: int) -> None:
            means[number] = request.get_output_tensor(0).data[0].copy()

        queue.set_callback(keep)
        for number, tokens in enumerate(texts):
            queue.start_async({0: np.array([tokens], np.int64)}, number)
        queue.wait_all()
        return [means[number] for number in range(len(texts))]

    return compute


def masked_graph(weights: Weights) -> Any:
    """The graph for tables of ``tokens``, where ``mask`` is 1 for what counts; the mean of each row."""
    import openvino as ov
    from openvino import opset13 as ops

    tokens = ops.parameter([-1, -1], np.int64, name="tokens")
    mask = ops.parameter([-1, -1], np.float32, name="mask")
    one, last = ops.constant(np.int64(1)), ops.constant(np.int64(-1))
    middle = ops.constant(np.array([1, 2], np.int64))
    distance = ops.multiply(ops.subtract(mask, ops.constant(np.float32(1))), ops.constant(HIDDEN))
    hidden = _layers(ops, tokens, weights, ops.unsqueeze(distance, middle))
    total = ops.reduce_sum(ops.multiply(hidden, ops.unsqueeze(mask, last)), one, keep_dims=False)
    mean = ops.divide(total, ops.reduce_sum(mask, one, keep_dims=True))
    graph = ov.Model([mean], [tokens, mask], "bert")
    for port, name in zip(graph.inputs, ("tokens", "mask"), strict=True):
        port.get_tensor().set_names({name})
    return graph


def _graph(weights: Weights, pooled: bool) -> Any:
    import openvino as ov
    from openvino import opset13 as ops

    tokens = ops.parameter([1, -1], np.int64, name="tokens")
    hidden = _layers(ops, tokens, weights)
    mean = ops.reduce_mean(hidden, ops.constant(np.int64(1)), keep_dims=False)
    return ov.Model([mean if pooled else hidden], [tokens], "bert")


def _layers(ops: Any, tokens: Any, weights: Weights, distance: Any = None) -> Any:
    """The vectors of tokens after the last layer; ``distance`` is added to what a token attends to."""
    zero, one = ops.constant(np.int64(0)), ops.constant(np.int64(1))
    length = ops.gather(ops.shape_of(tokens), one, zero)
    places = ops.range(zero, length, one, "i64")
    hidden = ops.gather(ops.constant(weights["embeddings.word_embeddings.weight"]), tokens, zero)
    hidden = ops.add(hidden, ops.gather(ops.constant(weights["embeddings.position_embeddings.weight"]), places, zero))
    hidden = ops.add(hidden, ops.constant(weights["embeddings.token_type_embeddings.weight"][0]))
    hidden = _normalised(ops, hidden, weights, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        mixed = _attention(ops, hidden, weights, name, distance)
        attended = _linear(ops, mixed, weights, f"{name}.attention.output.dense")
        hidden = _normalised(ops, ops.add(attended, hidden), weights, f"{name}.attention.output.LayerNorm")
        inner = ops.gelu(_linear(ops, hidden, weights, f"{name}.intermediate.dense"), "erf")
        outer = _linear(ops, inner, weights, f"{name}.output.dense")
        hidden = _normalised(ops, ops.add(outer, hidden), weights, f"{name}.output.LayerNorm")
    return hidden


def _attention(ops: Any, hidden: Any, weights: Weights, name: str, distance: Any) -> Any:
    heads = ops.constant(np.array([0, 0, HEADS, WIDTH // HEADS], np.int64))  # 0: as it is
    flat = ops.constant(np.array([0, 0, WIDTH], np.int64))
    turned = ops.constant(np.array([0, 2, 1, 3], np.int64))

    def part(which: str) -> Any:
        projected = _linear(ops, hidden, weights, f"{name}.attention.self.{which}")
        return ops.transpose(ops.reshape(projected, heads, special_zero=True), turned)

    scale = ops.constant(np.float32((WIDTH // HEADS) ** -0.5))
    scores = ops.multiply(ops.matmul(part("query"), part("key"), False, True), scale)
    if distance is not None:
        scores = ops.add(scores, distance)
    mixed = ops.matmul(ops.softmax(scores, -1), part("value"), False, False)
    return ops.reshape(ops.transpose(mixed, turned), flat, special_zero=True)


def _linear(ops: Any, hidden: Any, weights: Weights, name: str) -> Any:
    product = ops.matmul(hidden, ops.constant(weights[f"{name}.weight"]), False, True)
    return ops.add(product, ops.constant(weights[f"{name}.bias"]))


def _normalised(ops: Any, hidden: Any, weights: Weights, name: str) -> Any:
    last = ops.constant(np.array([-1], np.int64))
    centred = ops.mvn(hidden, last, True, EPSILON, "inside_sqrt")
    scaled = ops.multiply(centred, ops.constant(weights[f"{name}.weight"]))
    return ops.add(scaled, ops.constant(weights[f"{name}.bias"]))
