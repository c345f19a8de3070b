"""The rooms of the house, in their order: each may import only from those above it."""

from __future__ import annotations

ROOMS = (
    "errors",
    "digests",
    "records",
    "labels",
    "registry",
    "engine",
    "ray_engine",
    "licences",
    "_kernels",
    "text",
    "models",
    "measures",
    "sources",
    "align",
    "mining",
    "acquire",
    "project",
    "annotate",
    "corpus",
    "learn",
    "analyse",
    "steps",
    "web",
    "simulate",
    "demo",
    "api",
    "cli",
)
