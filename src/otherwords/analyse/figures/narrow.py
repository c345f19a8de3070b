"""A figure for a telephone: the same data, drawn as wide as the screen instead of scaled until nobody can read it.

Panels that stand side by side are put one under the other, legends go below, and so do the names of lines, titles and
names are broken into lines.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import msgspec

from otherwords.analyse.figures.charts import LEGEND, LINE
from otherwords.analyse.finding import Spec

WIDTH = 340  # pixels of a screen of 390 between the margins of a report
PANEL_WIDTH = 200  # of several panels, which cannot be fitted into a width with their axes
TITLE_CHARACTERS, PANEL_TITLE_CHARACTERS, NAME_CHARACTERS, LEGEND_CHARACTERS = 42, 32, 20, 34  # of a line
NAME_SIZE, NAME_LINE, LEGEND_COLUMNS, BETWEEN_NUMBERS = 11, 14, 5, 8
TIGHT: Spec = {"orient": "bottom", "offset": 18, "columns": LEGEND_COLUMNS, "labelLimit": WIDTH - 60}
SPARSE: Spec = {"labelSeparation": BETWEEN_NUMBERS}  # of an axis, which shows fewer numbers instead of crowded ones
LINE_STYLES = ("color", "strokeDash")  # of a line, which its legend shows
_SIDE_BY_SIDE, _STACKED = "hconcat", "vconcat"


def narrow(spec: Spec) -> Spec:
    """The figure at the width of a telephone."""
    several = next((spec[kind] for kind in (_SIDE_BY_SIDE, _STACKED) if kind in spec), None)
    if several is None:
        return {**_tight(spec, TITLE_CHARACTERS), "width": WIDTH, "autosize": {"type": "fit-x", "contains": "padding"}}
    whole = {name: value for name, value in spec.items() if name not in (_SIDE_BY_SIDE, _STACKED)}
    panels = [{**_tight(panel, PANEL_TITLE_CHARACTERS), "width": PANEL_WIDTH} for panel in several]
    return {**_tight(whole, PANEL_TITLE_CHARACTERS), _STACKED: panels}


def _tight(spec: Spec, title_characters: int) -> Spec:
    """A view with a broken title, its legends below it, and long names on several lines."""
    changed = dict(spec)
    if isinstance(spec.get("title"), str):
        changed["title"] = textwrap.wrap(spec["title"], title_characters)
    if "encoding" in spec:
        rows = spec.get("data", {}).get("values", ())
        changed["encoding"] = _tight_encoding(spec["encoding"], rows)
        if isinstance(spec.get("height"), int):
            changed["height"] = max(spec["height"], _height_of_names(spec["encoding"].get("y", {}), rows))
    if "layer" in spec:
        changed["layer"] = [_tight(layer, title_characters) for layer in _with_names_below(spec["layer"])]
    return changed


def _with_names_below(layers: list[Spec]) -> list[Spec]:
    """Names at the ends of lines go into a legend: beside the lines they would leave no room for these."""
    named = [layer for layer in layers if not _names_lines(layer)]
    if len(named) == len(layers):
        return layers
    lines, *others = named
    encoding = {
        channel: {**definition, "legend": LEGEND} if channel in LINE_STYLES else definition
        for channel, definition in lines["encoding"].items()
    }
    return [{**lines, "encoding": encoding}, *others]


def _names_lines(layer: Spec) -> bool:
    text = layer.get("encoding", {}).get("text", {})
    return isinstance(text, Mapping) and text.get("field") == LINE


def _tight_encoding(encoding: Spec, rows: Any) -> Spec:
    changed: Spec = {}
    for channel, definition in encoding.items():
        changed[channel] = definition
        if isinstance(definition, Mapping) and isinstance(definition.get("legend"), Mapping):
            broken = _broken_names(str(definition["field"]), rows, LEGEND_CHARACTERS)
            changed[channel] = {**definition, "legend": {**definition["legend"], **TIGHT, "columns": 1, **broken}}
    names = changed.get("y", {})
    if names.get("type") == "nominal":
        broken = _broken_names(str(names["field"]), rows, NAME_CHARACTERS)
        changed["y"] = {**names, "axis": {**(names.get("axis") or {}), "labelFontSize": NAME_SIZE, **broken}}
    return changed


def _lines_of_names(field: str, rows: Any, characters: int) -> dict[str, list[str]]:
    names = {str(row[field]) for row in rows if field in row}
    return {name: textwrap.wrap(name, characters) for name in sorted(names)}


def _height_of_names(names: Spec, rows: Any) -> int:
    """How high an axis of names must be, so that broken ones do not run into their neighbours."""
    if names.get("type") != "nominal":
        return 0
    lines = _lines_of_names(str(names["field"]), rows, NAME_CHARACTERS)
    return len(lines) * (max(map(len, lines.values()), default=0) * NAME_LINE + 4)


def _broken_names(field: str, rows: Any, characters: int) -> Spec:
    """An expression that puts every long name of an axis or a legend on several lines."""
    broken = {name: lines for name, lines in _lines_of_names(field, rows, characters).items() if len(lines) > 1}
    if not broken:
        return {}
    return {"labelExpr": f"({msgspec.json.encode(broken).decode()})[datum.label] || datum.label"}
