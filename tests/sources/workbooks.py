"""Excel workbooks for tests, written as Excel writes them: formulas with the values that they had."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from openpyxl import Workbook

Sheets = Mapping[str, Iterable[Iterable[Any]]]


def workbook(path: Path, sheets: Sheets, hidden: Iterable[str] = ()) -> Path:
    """A workbook with these sheets, each a list of rows."""
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
        if title in hidden:
            sheet.sheet_state = "hidden"
    book.save(path)
    return path


def with_part(path: Path, name: str, old: bytes, new: bytes) -> Path:
    """The workbook with something replaced in one of its parts."""
    content = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(content) as before, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as after:
        for member in before.namelist():
            part = before.read(member).replace(b"<v />", b"<v></v>")  # as one or the other XML library writes it
            assert member != name or old in part, part[:2000]
            after.writestr(member, part.replace(old, new) if member == name else part)
    return path


_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def excel_workbook(path: Path, rows: str, strings: str) -> Path:
    """A workbook as Excel saves it: texts in a table of their own, here given as XML, and rows that refer to it."""
    override = f'<Override PartName="/xl/{{}}.xml" ContentType="{_TYPE}.{{}}+xml"/>'
    types = "".join(
        override.format(*part)
        for part in (("workbook", "sheet.main"), ("worksheets/sheet1", "worksheet"), ("sharedStrings", "sharedStrings"))
    )
    default = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    link = f'<Relationship Id="r{{}}" Type="{_OFFICE}/{{}}" Target="{{}}"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">{default}{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f"{link.format(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>",
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        '<sheet name="Pairs" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f"{link.format(1, 'worksheet', 'worksheets/sheet1.xml')}"
        f"{link.format(2, 'sharedStrings', 'sharedStrings.xml')}</Relationships>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}">{strings}</sst>',
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            stamp = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            stamp.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(stamp, content)
    return path
