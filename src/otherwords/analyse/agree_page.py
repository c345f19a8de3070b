"""Agreement as one page: a table of figures, confusion matrices, agreement over weeks.

The page is a single file that needs no network and no script, is light or dark as its reader's system is, and can be
printed; the numbers stand in the cells, so that it can be read in grey.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from otherwords import __version__
from otherwords.analyse.agree import Confusion, Report
from otherwords.measures.agreement.figure import Figure
from otherwords.sources.files import replacing

TEMPLATE = "agree_page.html"
LINES = ("observed", "alpha-nominal")  # drawn over weeks
WIDTH, HEIGHT, MARGIN = 640.0, 200.0, 36.0
DARKEST = 0.5  # so that letters can be read on it


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval on the line from -1 or 0 to 1, in hundredths of its length."""

    zero: float
    start: float
    length: float
    value: float


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a confusion matrix: how many, and how dark."""

    count: int
    shade: float


@dataclass(frozen=True, slots=True)
class Line:
    """A figure over weeks: its points, and an area for the intervals."""

    name: str
    points: list[tuple[float, float, str]]
    area: str

    @property
    def path(self) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in self.points)


def save(report: Report, path: str | Path, title: str) -> None:
    """Write the page; it appears when it is whole."""
    with replacing(None if str(path) == "-" else Path(path)) as stream:
        stream.write(page(report, title).encode())


def page(report: Report, title: str) -> str:
    """The page of a report."""
    folder = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=folder, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    lowest = min((one.low if one.low is not None else one.value or 0 for one in report.figures), default=0)
    begin = -1.0 if lowest < 0 else 0.0
    return environment.get_template(TEMPLATE).render(
        title=title,
        version=__version__,
        remarks=report.remarks,
        figures=[(one, bar(one, begin)) for one in report.figures],
        matrices=[(one, shaded(one)) for one in report.confusions],
        weeks=[(name, list(weeks), lines(weeks)) for name, weeks in report.weeks.items() if len(weeks) > 1],
        size=(WIDTH, HEIGHT, MARGIN),
        levels=[(level, _height(level)) for level in (0.0, 0.25, 0.5, 0.75, 1.0)],
    )


def bar(figure: Figure, begin: float) -> Bar | None:
    """Where a figure and its interval lie on the line."""
    if figure.value is None:
        return None

    def place(value: float) -> float:
        return round(100 * (min(1.0, max(begin, value)) - begin) / (1 - begin), 2)

    low = figure.value if figure.low is None else figure.low
    high = figure.value if figure.high is None else figure.high
    return Bar(place(0), place(low), round(place(high) - place(low), 2), place(figure.value))


def shaded(one: Confusion) -> list[list[Cell]]:
    """The cells of a matrix, each as dark as its share of its row."""
    rows = []
    for counts in one.counts.tolist():
        total = sum(counts) or 1
        rows.append([Cell(count, round(DARKEST * count / total, 3)) for count in counts])
    return rows


def lines(weeks: dict[str, list[Figure]]) -> list[Line]:
    """The figures that are drawn over weeks; a week without a value is a gap that is drawn over."""
    step = (WIDTH - 2 * MARGIN) / max(1, len(weeks) - 1)
    drawn = []
    for name in LINES:
        points, upper, lower = [], [], []
        for place, (week, figures) in enumerate(weeks.items()):
            figure = next((one for one in figures if one.measure.partition(":")[0] == name), None)
            if figure is None or figure.value is None:
                continue
            x = MARGIN + place * step
            points.append((x, _height(figure.value), f"{week}: {figure.value:.3f} (n = {figure.n:,})"))
            if figure.low is not None and figure.high is not None:
                upper.append((x, _height(figure.high)))
                lower.append((x, _height(figure.low)))
        area = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*upper, *reversed(lower)])
        drawn.append(Line(name, points, area))
    return drawn


def _height(value: float) -> float:
    """Where a value between 0 and 1 is in the picture; what is lower lies at the bottom."""
    return HEIGHT - MARGIN - max(0.0, value) * (HEIGHT - 1.5 * MARGIN)
