"""Posts that may say the same: those of one trend, one hashtag, or one shared address.

In go documents, out come groups by name with their posts in the order of time (MultiPIT §2.1). A post
that shares two addresses is in both groups. An address is compared without what differs for
technical reasons only; a shortened one is its own, since nothing is fetched.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from otherwords.errors import UsageError
from otherwords.records import Document
from otherwords.registry import suggest

# Parameters by which senders count readers; they never choose the page.
TRACKING = frozenset(
    {
        *("fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid", "igshid", "igsh"),
        *("mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "vero_id", "oly_enc_id", "oly_anon_id", "s_cid", "xtor"),
        *("ref_src", "ref_url", "cmpid", "cmp", "ocid", "ncid", "smid", "smtyp", "sref", "spm", "taid", "ftag"),
        *("wt_mc", "wt_zmc", "ns_campaign", "ns_mchannel", "ns_source", "ns_linkname"),
    }
)
TRACKING_PREFIXES = ("utm_", "at_custom", "at_medium", "at_campaign", "pk_", "mtm_", "hsa_", "piwik_")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def normalised_address(address: str) -> str | None:
    """The address without scheme, ``www.``, default port, tracking, fragment and last slash; None if it is none."""
    address = address.strip()
    try:
        parts = urlsplit(address if "://" in address else f"https://{address}")
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return None
    if "." not in host or "@" in parts.netloc or any(char.isspace() for char in host):
        return None
    host = host.removeprefix("www.")
    if port is not None and port != _DEFAULT_PORTS.get(parts.scheme.lower()):
        host = f"{host}:{port}"
    query = urlencode(sorted(pair for pair in parse_qsl(parts.query, keep_blank_values=True) if not _tracks(pair[0])))
    return host + parts.path.rstrip("/") + (f"?{query}" if query else "")


def _tracks(name: str) -> bool:
    lower = name.lower()
    return lower in TRACKING or lower.startswith(TRACKING_PREFIXES)


def _trends(post: Document) -> list[str]:
    trend = post.meta.get("trend")
    return [_folded(trend)] if isinstance(trend, str) else []


def _hashtags(post: Document) -> list[str]:
    return [_folded(tag) for tag in _listed(post.meta.get("hashtags"))]


def _addresses(post: Document) -> list[str]:
    return [name for address in _listed(post.meta.get("urls")) if (name := normalised_address(address))]


def _listed(found: Any) -> list[str]:
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def _folded(name: str) -> str:
    return " ".join(name.casefold().split()).lstrip("#＃")


GROUPINGS: dict[str, Callable[[Document], list[str]]] = {"trend": _trends, "hashtag": _hashtags, "url": _addresses}


def grouped(posts: Iterable[Document], by: str) -> tuple[dict[str, list[Document]], list[Document]]:
    """The groups by name, and the posts that are in none; the order in which posts come changes nothing."""
    if by not in GROUPINGS:
        raise UsageError(f"posts are not grouped by {by!r}{suggest(by, list(GROUPINGS))}")
    names_of = GROUPINGS[by]
    groups: defaultdict[str, list[Document]] = defaultdict(list)
    alone: list[Document] = []
    for post in sorted(posts, key=lambda post: (post.time or "", post.id)):
        names = list(dict.fromkeys(name for name in names_of(post) if name))
        for name in names:
            groups[name].append(post)
        if not names:
            alone.append(post)
    return dict(sorted(groups.items())), alone
