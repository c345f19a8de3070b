"""The filter of a request, and links to it: the address of a page says all of what it shows."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote, urlencode

from pydantic import BaseModel, ConfigDict, Field

from otherwords.annotate.pair_filter import NAMES, Filter, parse
from otherwords.annotate.pair_pages import MOST_ON_A_PAGE
from otherwords.web.fields import Seq

BROWSE = "/browse"
A_PAGE = 50


class PublicAsked(BaseModel):
    """Which pairs somebody wants to see, from where on and how many. What is empty does not matter."""

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
    most: Annotated[int, Field(ge=1, le=MOST_ON_A_PAGE)] = A_PAGE

    @property
    def given(self) -> dict[str, str]:
        """The parameters of the filter as they came."""
        return {name: value for name in NAMES if (value := getattr(self, name, None)) is not None}

    @property
    def wanted(self) -> Filter:
        """The filter; nonsense is refused."""
        return parse(self.given)


class Asked(PublicAsked):
    """The same for those who work on the corpus."""

    has: str | None = Field(None, description="judgement, rewrite, note, discussion, unsure or none")
    annotator: str | None = Field(None, description="Who judged it; for curators")
    batch: str | None = Field(None, description="A batch that it is in")


def address(path: str, params: dict[str, str], **changes: object) -> str:
    """A link to a filter with some of it changed; what is None is left out."""
    told = {name: str(value) for name, value in (params | changes).items() if value is not None}
    return f"{path}?{urlencode(told)}" if told else path


def pair_address(pair: str, suffix: str = "") -> str:
    """The permalink of a pair."""
    return f"/pairs/{quote(pair, safe='')}{suffix}"
