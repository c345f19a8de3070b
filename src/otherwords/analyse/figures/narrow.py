"""A figure for a telephone: the same data, drawn as wide as the screen instead of scaled until nobody can read it.

Panels that stand side by side are put one under the other, legends go below, and titles and names are broken into lines.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import msgspec

from otherwords.analyse.finding import Spec

WIDTH = 340  # pixels of a screen of 390 between the margins of a report
PANEL_WIDTH = 200  # of several panels, which cannot be fitted into a width with their axes
TITLE_CHARACTERS, NAME_CHARACTERS = 44, 20  # of a line
NAME_SIZE, LEGEND_COLUMNS = 11, 4
TIGHT: Spec = {"orient": "bottom", "columns": LEGEND_COLUMNS, "labelLimit": WIDTH - 60}
_SIDE_BY_SIDE, _STACKED = "hconcat", "vconcat"


def narrow(spec: Spec) -> Spec:
    """The figure at the width of a telephone."""
    several = next((spec[kind] for kind in (_SIDE_BY_SIDE, _STACKED) if kind in spec), None)
    if several is None:
        return {**_tight(spec), "width": WIDTH, "autosize": {"type": "fit-x", "contains": "padding"}}
    whole = {name: value for name, value in spec.items() if name not in (_SIDE_BY_SIDE, _STACKED)}
    return {**_tight(whole), _STACKED: [{**_tight(panel), "width": PANEL_WIDTH} for panel in several]}


def _tight(spec: Spec) -> Spec:
    """A view with a broken title, its legends below it, and long names on several lines."""
    changed = dict(spec)
    if isinstance(spec.get("title"), str):
        changed["title"] = textwrap.wrap(spec["title"], TITLE_CHARACTERS)
    if "encoding" in spec:
        changed["encoding"] = _tight_encoding(spec["encoding"], spec.get("data", {}).get("values", ()))
    if "layer" in spec:
        changed["layer"] = [_tight(layer) for layer in spec["layer"]]
    return changed


def _tight_encoding(encoding: Spec, rows: Any) -> Spec:
    changed: Spec = {}
    for channel, definition in encoding.items():
        changed[channel] = definition
        if isinstance(definition, Mapping) and isinstance(definition.get("legend"), Mapping):
            changed[channel] = {**definition, "legend": {**definition["legend"], **TIGHT, "columns": 1}}
    names = changed.get("y", {})
    if names.get("type") == "nominal":
        axis = {**(names.get("axis") or {}), "labelFontSize": NAME_SIZE, **_broken_names(str(names["field"]), rows)}
        changed["y"] = {**names, "axis": axis}
    return changed


def _broken_names(field: str, rows: Any) -> Spec:
    """An expression that puts every long name of an axis on several lines."""
    names = {str(row[field]) for row in rows if field in row}
    broken = {name: lines for name in sorted(names) if len(lines := textwrap.wrap(name, NAME_CHARACTERS)) > 1}
    if not broken:
        return {}
    return {"labelExpr": f"({msgspec.json.encode(broken).decode()})[datum.label] || datum.label"}
