"""Filters of pairs in addresses: reading them from a request, and linking to them."""

from __future__ import annotations

import functools
from typing import Annotated
from urllib.parse import quote, urlencode

from pydantic import BaseModel, ConfigDict, Field

from otherwords.annotate.browse.filter import FILTER_NAMES, Filter, parse_filter
from otherwords.annotate.browse.paging import MAX_PAGE_ROWS
from otherwords.web.fields import Seq

BROWSE = "/browse"
A_PAGE = 50


class PublicQuery(BaseModel):
    """Which pairs to show, from where on and how many. Empty parameters are ignored."""

    model_config = ConfigDict(extra="forbid")
    query: str | None = Field(None, description='Words, or "a passage in quotes", in either text')
    label: str | None = Field(None, description="The label that stands, such as 4>s")
    projection: str | None = Field(None, description="How labels are compared: full, arrows, base or binary")
    source: str | None = None
    method: str | None = None
    lang: str | None = None
    group: str | None = None
    type: str | None = Field(None, description="A type of paraphrase that somebody found in the pair")
    measure: str | None = Field(None, description="The name of a score")
    low: str | None = Field(None, description="The least value of that score")
    high: str | None = Field(None, description="The greatest value of that score")
    after: Seq | None = Field(None, description="The number to go on from, as the page before said it")
    most: Annotated[int, Field(ge=1, le=MAX_PAGE_ROWS)] = A_PAGE

    @property
    def params(self) -> dict[str, str]:
        """The parameters of the filter as they were sent."""
        return {name: value for name in FILTER_NAMES if (value := getattr(self, name, None)) is not None}

    @property
    def filter(self) -> Filter:
        """The filter; parameters that make no sense are refused."""
        return parse_filter(self.params)


class PairQuery(PublicQuery):
    """The same, with filters for those who work on the corpus."""

    has: str | None = Field(None, description="judgement, rewrite, note, discussion, unsure or none")
    annotator: str | None = Field(None, description="Who judged it; for curators")
    batch: str | None = Field(None, description="A batch that it is in")


def address(path: str, params: dict[str, str], **changes: object) -> str:
    """A link to a filter with some changes; a parameter that is None is left out."""
    query = {name: str(value) for name, value in (params | changes).items() if value is not None}
    return f"{path}?{urlencode(query)}" if query else path


def page_address(kind: str, name: str, suffix: str = "") -> str:
    """The page of one of ``pairs``, ``batches`` and so on, by its name."""
    return f"/{kind}/{quote(name, safe='')}{suffix}"


pair_address = functools.partial(page_address, "pairs")
