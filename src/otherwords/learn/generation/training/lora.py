"""LoRA (Hu et al. 2022): small matrices beside the linear layers of a model learn, and its own weights stay.

What they have learnt is added to the weights before a model is saved, so that it loads like any other. Dropout and
matrices beside embeddings are left out.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from otherwords.errors import DataError


class LoraLinear(nn.Module):  # type: ignore[misc]
    """A linear layer that stays as it is, and two small matrices whose product is added to it."""

    def __init__(self, linear: Any, rank: int, scale: float) -> None:
        super().__init__()
        self.linear, self.scale = linear, scale
        self.down = nn.Parameter(torch.empty(rank, linear.in_features))
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))  # so that nothing has changed at first
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    @property
    def weight(self) -> Any:
        """The weights of the layer: some models look at their type."""
        return self.linear.weight

    @property
    def bias(self) -> Any:
        return self.linear.bias

    def forward(self, values: Any) -> Any:
        return self.linear(values) + self.scale * ((values @ self.down.T) @ self.up.T)

    def merged(self) -> Any:
        """The layer with what has been learnt in its weights."""
        with torch.no_grad():
            self.linear.weight += self.scale * (self.up @ self.down)
        return self.linear


def add_lora(model: Any, rank: int, scale: float) -> int:
    """Freeze a model and put small matrices beside its linear layers, but not its head; how many there are."""
    model.requires_grad_(False)
    head = model.get_output_embeddings()
    places = [
        (module, name)
        for module in model.modules()
        for name, child in module.named_children()
        if isinstance(child, nn.Linear) and child is not head
    ]
    if not places:
        message = f"{type(model).__name__} has no linear layers that LoRA could learn beside; train it without --lora"
        raise DataError(message, code="no-linear-layers")
    for module, name in places:
        setattr(module, name, LoraLinear(getattr(module, name), rank, scale))
    return len(places)


def merge_lora(model: Any) -> None:
    """Add what has been learnt to the weights, and take the small matrices away."""
    places = [
        (module, name)
        for module in model.modules()
        for name, child in module.named_children()
        if isinstance(child, LoraLinear)
    ]
    for module, name in places:
        setattr(module, name, getattr(module, name).merged())
