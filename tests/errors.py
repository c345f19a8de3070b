"""Errors are asserted by their code, which stays when a message is reworded."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

import pytest

from otherwords.errors import OtherwordsError


@contextlib.contextmanager
def raises(code: str, match: str | None = None) -> Iterator[pytest.ExceptionInfo[OtherwordsError]]:
    """Expect an error of that code; ``match`` is for facts such as a file or a line, not for its words."""
    with pytest.raises(OtherwordsError) as caught:
        yield caught
    assert caught.value.code == code, f"{caught.value.code}: {caught.value}"
    if match is not None:
        assert re.search(match, str(caught.value)), str(caught.value)
