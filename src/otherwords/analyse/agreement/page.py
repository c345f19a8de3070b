"""Agreement as an HTML page: a table of coefficients, confusion matrices, agreement over weeks.

The page is a single file that needs no network and no script, follows the reader's light or dark mode, and can be
printed; every shaded cell also shows its number, so that it can be read in grey.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from otherwords import __version__
from otherwords.analyse.agreement.report import FEWEST_WEEKS, AgreementReport, measure_name, weeks_to_draw
from otherwords.measures.agreement import Coefficient
from otherwords.sources.io.files import atomic_write

TEMPLATE = "page.html"
WEEKLY = ("observed", "alpha-nominal")  # drawn as lines over weeks
WIDTH, HEIGHT, MARGIN = 640.0, 200.0, 48.0
DARKEST = 0.5  # opacity at which numbers can still be read


@dataclass(frozen=True, slots=True)
class IntervalBar:
    """An interval on an axis from -1 or 0 to 1, in per cent of its length."""

    zero: float
    start: float
    length: float
    value: float


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A cell of a confusion matrix: its count and its opacity."""

    count: int
    shade: float


@dataclass(frozen=True, slots=True)
class WeekChart:
    """The lines of a set of labels from its first week to its last, and what is missing in it."""

    labels: str
    first: str
    last: str
    lines: list[WeekLine]
    remark: str


@dataclass(frozen=True, slots=True)
class WeekLine:
    """A measure over weeks: its points, and the area of the intervals."""

    name: str
    points: list[tuple[float, float, str]]
    area: str

    @property
    def path(self) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in self.points)


def save_page(report: AgreementReport, path: str | Path, title: str) -> None:
    """Write the page; the file appears only once it is complete."""
    with atomic_write(None if str(path) == "-" else Path(path)) as stream:
        stream.write(page(report, title).encode())


def page(report: AgreementReport, title: str) -> str:
    """The HTML of a report; a cell of a matrix is shaded by its share of its row."""
    lows = (figure.low if figure.low is not None else figure.value or 0 for figure in report.figures)
    start = -1.0 if min(lows, default=0) < 0 else 0.0
    matrices = []
    for matrix in report.confusions:
        totals = [(counts, sum(counts) or 1) for counts in matrix.counts.tolist()]
        rows = [[MatrixCell(count, round(DARKEST * count / total, 3)) for count in counts] for counts, total in totals]
        matrices.append((matrix, rows))
    return _template().render(
        title=title,
        version=__version__,
        headlines=report.headlines,
        remarks=report.remarks,
        figures=[(figure, _interval_bar(figure, start)) for figure in report.figures],
        matrices=matrices,
        weeks=_week_charts(report),
        size=(WIDTH, HEIGHT, MARGIN),
        levels=[(level, _height(level)) for level in (0.0, 0.25, 0.5, 0.75, 1.0)],
    )


@cache
def _template() -> Template:
    folder = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=folder, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.get_template(TEMPLATE)


def _interval_bar(figure: Coefficient, start: float) -> IntervalBar | None:
    if figure.value is None:
        return None

    def place(value: float) -> float:
        return round(100 * (min(1.0, max(start, value)) - start) / (1 - start), 2)

    low = figure.value if figure.low is None else figure.low
    high = figure.value if figure.high is None else figure.high
    return IntervalBar(place(0), place(low), round(place(high) - place(low), 2), place(figure.value))


def _week_charts(report: AgreementReport) -> list[WeekChart]:
    """A chart for each set of labels that was judged in several weeks; without lines if these are too small."""
    charts = []
    for labels, weeks in report.weeks.items():
        if len(weeks) >= FEWEST_WEEKS:
            drawn = weeks_to_draw(weeks)
            lines = _week_lines(drawn.weeks) if drawn.is_line else []
            charts.append(
                WeekChart(labels, min(drawn.weeks, default=""), max(drawn.weeks, default=""), lines, drawn.remark)
            )
    return charts


def _week_lines(weeks: dict[str, list[Coefficient]]) -> list[WeekLine]:
    """A line for each weekly measure; it skips weeks without a value."""
    step = (WIDTH - 2 * MARGIN) / max(1, len(weeks) - 1)
    lines = []
    for name in WEEKLY:
        points, upper, lower = [], [], []
        for place, (week, figures) in enumerate(weeks.items()):
            figure = next((figure for figure in figures if measure_name(figure) == name), None)
            if figure is None or figure.value is None:
                continue
            x = MARGIN + place * step
            points.append((x, _height(figure.value), f"{week}: {figure.value:.3f} (n = {figure.n:,})"))
            if figure.low is not None and figure.high is not None:
                upper.append((x, _height(figure.high)))
                lower.append((x, _height(figure.low)))
        area = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*upper, *reversed(lower)])
        lines.append(WeekLine(name, points, area))
    return lines


def _height(value: float) -> float:
    """The y coordinate of a value between 0 and 1; lower values are drawn at the bottom."""
    return HEIGHT - MARGIN - max(0.0, value) * (HEIGHT - 1.5 * MARGIN)
