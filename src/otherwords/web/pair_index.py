"""The search index of a site's pairs: a request adds a part of what is new, a thread adds the rest of much that is.

A list of pairs shows what the index has by then. A batch takes all pairs that fit, so it has to wait for the whole.
"""

from __future__ import annotations

from otherwords.errors import Conflict
from otherwords.project import search
from otherwords.project.search import Extent
from otherwords.web.site import Site

NAME = "index of pairs"  # among the searches of a site


def extend_index(site: Site) -> Extent:
    """Add a part of the new pairs to the index, and the rest in a thread, for which a request waits a moment."""
    extent = search.extend_index(site.project)
    if extent.is_whole:
        return extent

    def add_rest(progress: object) -> bool:
        search.update_index(site.project)
        return True

    is_ready = site.searches.get(NAME, add_rest, lambda added: False).result
    return search.extend_index(site.project) if is_ready else extent


def require_index(site: Site) -> None:
    """Refuse what needs all pairs in the index as long as some are missing."""
    extent = extend_index(site)
    if not extent.is_whole:
        share = f"{extent.seq:,} of {extent.newest:,} pairs so far"
        raise Conflict(f"the search is being made ready, {share}; try again in a moment", code="search-loading")
