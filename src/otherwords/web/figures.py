"""Figures of findings as parts of a page, in the colours of the page."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from otherwords.analyse.figures.render import can_draw, narrow_picture, picture
from otherwords.analyse.finding import Spec
from otherwords.analyse.report.files import file_name
from otherwords.analyse.report.page import inline_picture


@dataclass(frozen=True, slots=True)
class PageFigure:
    """A figure that is drawn: broad, and narrow for telephones."""

    title: str
    svg: Markup


def draw(figures: dict[str, Spec]) -> list[PageFigure]:
    """The figures by title; none where the package that draws them is not installed."""
    return [PageFigure(title, _inline(title, spec)) for title, spec in figures.items()] if can_draw() else []


def _inline(title: str, spec: Spec) -> Markup:
    name = file_name(title)
    return inline_picture(picture(spec), name, "broad") + inline_picture(narrow_picture(spec), f"{name}-n", "narrow")
