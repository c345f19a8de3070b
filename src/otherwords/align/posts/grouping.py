"""Groups of posts that may say the same: those of one trend, one hashtag, or one shared address.

Groups have their posts in order of time (MultiPIT §2.1). A post that shares two addresses is in both groups.
Addresses are compared without what differs for technical reasons only; a shortened address is its own group, because
nothing is fetched.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from urllib.parse import parse_qsl, urlencode, urlsplit

from otherwords.errors import UsageError
from otherwords.records import Document
from otherwords.registry import suggest

# Parameters for counting readers; they never select the page.
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


def normalise_address(address: str) -> str | None:
    """The address without scheme, ``www.``, default port, tracking, fragment and last slash; None if it is not one."""
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
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    tracking = {name for name, _ in pairs if name.lower() in TRACKING or name.lower().startswith(TRACKING_PREFIXES)}
    query = urlencode(sorted(pair for pair in pairs if pair[0] not in tracking))
    return host + parts.path.rstrip("/") + (f"?{query}" if query else "")


def _fold(name: str) -> str:
    return " ".join(name.casefold().split()).lstrip("#＃").lstrip()


# By what posts are grouped: the field of a post that says it, and the name of a group.
GROUPINGS: dict[str, tuple[str, Callable[[str], str | None]]] = {
    "trend": ("trend", _fold),
    "hashtag": ("hashtags", _fold),
    "url": ("urls", normalise_address),
}


def group_name(name: str, by: str) -> str | None:
    """The name of a group as posts are grouped, from the way people write it: ``#EURO2024`` is ``euro2024``."""
    return GROUPINGS[by][1](name)


def group_posts(posts: Iterable[Document], by: str) -> tuple[dict[str, list[Document]], list[Document]]:
    """The groups by name, and the posts that are in none; the order of the posts does not matter."""
    if by not in GROUPINGS:
        message = f"posts cannot be grouped by {by!r}{suggest(by, list(GROUPINGS))}"
        raise UsageError(message, code="unknown-grouping")
    field, name_of = GROUPINGS[by]
    groups: defaultdict[str, list[Document]] = defaultdict(list)
    alone: list[Document] = []
    for post in sorted(posts, key=lambda post: (post.time or "", post.id)):
        value = post.meta.get(field)
        values = [value] if by == "trend" else value if isinstance(value, list) else []
        names = dict.fromkeys(name for entry in values if isinstance(entry, str) and (name := name_of(entry)))
        for name in names:
            groups[name].append(post)
        if not names:
            alone.append(post)
    return dict(sorted(groups.items())), alone
