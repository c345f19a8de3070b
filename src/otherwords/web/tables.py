"""Tables on pages: one page at a time, and the same content as JSON and CSV beside every page that lists something."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from starlette.responses import StreamingResponse

from otherwords.sources.io.tabular import safe_cell

T = TypeVar("T")


def first_page(rows: Sequence[T], size: int) -> tuple[Sequence[T], T | None]:
    """The first rows, and the last of these if more rows follow it."""
    return rows[:size], rows[size - 1] if len(rows) > size else None


def add_twins(
    router: APIRouter,
    path: str,
    load: Callable[..., Any],
    cells: Callable[..., Iterable[Sequence[str]]],
    columns: Sequence[str],
    filename: str,
) -> None:
    """Serve the content of a page at its address with ``.json`` and ``.csv`` added.

    ``load`` returns what is sent as JSON, ``cells`` the safe cells of the CSV file; both declare their parameters as
    routes do, so ``cells`` may depend on ``load``. The file name may contain path parameters such as ``{name}``.
    Headers that either of them sets are sent.
    """

    def as_csv(request: Request, response: Response, rows: Any = Depends(cells)) -> StreamingResponse:  # noqa: B008
        answer = csv_response(filename.format(**request.path_params), columns, rows)
        answer.headers.update(response.headers)
        return answer

    router.add_api_route(f"{path}.json", load)
    router.add_api_route(f"{path}.csv", as_csv)


def csv_response(name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> StreamingResponse:
    """A CSV file that a browser saves, sent row by row; its cells are safe for a spreadsheet already."""

    def lines() -> Iterator[str]:
        buffer = io.StringIO()
        writer = csv.writer(buffer)
        for row in itertools.chain([columns], rows):
            writer.writerow(row)
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()

    headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return StreamingResponse(lines(), headers=headers, media_type="text/csv; charset=utf-8")


def safe_rows(rows: Iterable[Iterable[object]]) -> Iterator[list[str]]:
    """Rows as cells that no spreadsheet takes for formulas."""
    return ([safe_cell(value) for value in row] for row in rows)


def format_minute(moment: float) -> str:
    """Seconds since 1970 as a date and a time of day."""
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M} UTC"
