"""The C kernels: statistics of text pairs, and nearest neighbours of vectors.

A column is 64-bit offsets and UTF-8 bytes; results go into ``out``, one row of numbers a pair. The
GIL is released, so threads can share out the rows of a batch.
"""

from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Bytes: TypeAlias = Any  # what has a buffer: Arrow's, or bytes

BLANK: int
WORDS: int
MTEVAL_13A: int
INTL: int
ZH: int
CHARACTERS: int
UNICODE_VERSION: str

def clipped_tokens(
    offsets1: Array, bytes1: Bytes, offsets2: Array, bytes2: Bytes, out: Array, tokeniser: int, orders: int, /
) -> None:
    """Per order: n-grams of text1, of text2, and of text2 matched in text1, clipped to its counts."""

def distinct_tokens(
    offsets1: Array, bytes1: Bytes, offsets2: Array, bytes2: Bytes, out: Array, tokeniser: int, orders: int, /
) -> None:
    """Per order: distinct n-grams of text1, of text2, of both."""

def token_counts(offsets: Array, bytes_: Bytes, out: Array, tokeniser: int, /) -> None:
    """How many tokens each text has."""

def clipped_characters(
    offsets1: Array, bytes1: Bytes, offsets2: Array, bytes2: Bytes, out: Array, tokeniser: int, orders: int, /
) -> None:
    """As ``clipped_tokens``, on the characters other than white space; the tokeniser has no meaning."""

def cosine(
    offsets1: Array,
    bytes1: Bytes,
    offsets2: Array,
    bytes2: Bytes,
    out: Array,
    folding: Array,
    shortest: int,
    longest: int,
    /,
) -> None:
    """Dot product, squared norms, and 1 where the row must be lower-cased in its context first."""

def tfidf(
    vocabulary: object,
    offsets1: Array,
    bytes1: Bytes,
    offsets2: Array,
    bytes2: Bytes,
    out: Array,
    folding: Array,
    shortest: int,
    longest: int,
    /,
) -> None:
    """As ``cosine``, with weights; ``out`` holds floats."""

def frequencies_new() -> object:
    """An empty vocabulary: the n-grams of a collection and in how many documents each is."""

def frequencies_add(
    vocabulary: object, offsets: Array, bytes_: Bytes, out: Array, folding: Array, shortest: int, longest: int, /
) -> None:
    """Count each text as a document; ``out`` says 1 for those left out because they need their context."""

def frequencies_join(vocabulary: object, other: object, /) -> None:
    """Add the second to the first."""

def frequencies_size(vocabulary: object, /) -> tuple[int, int]:
    """How many n-grams (prefixes that are not counted themselves included), how many documents."""

def frequencies_digest(vocabulary: object, /) -> int:
    """64 bits that depend on the n-grams and their frequencies, not on the order of the documents."""

def frequencies_read(vocabulary: object, out: Array, /) -> None:
    """The document frequencies."""

def frequencies_weigh(vocabulary: object, weights: Array, /) -> None:
    """Put weights in place of the frequencies; from then on the vocabulary only serves ``tfidf``."""

def common_subsequence(
    offsets1: Array, bytes1: Bytes, offsets2: Array, bytes2: Bytes, out: Array, tokeniser: int, /
) -> None:
    """Tokens of text1, of text2, of their longest common subsequence."""

def edit_distance(offsets1: Array, bytes1: Bytes, offsets2: Array, bytes2: Bytes, out: Array, /) -> None:
    """Characters of text1, of text2, and how many to insert, delete or replace between them."""

def character_counts(offsets: Array, bytes_: Bytes, out: Array, classes: Array, /) -> None:
    """Characters, blanks, digits, damaged ones, letters, and changes between scripts that look alike within a word.

    ``classes`` has a byte for every code point: 1 blank, 2 digit, 3 damaged, 4 letter; above that, letters by script.
    """

def likely_copies(
    offsets1: Array, bytes1: Bytes, offsets2: Array, bytes2: Bytes, out: Array, folding: Array, /
) -> None:
    """1 where one text contains the other, as far as their folded characters tell; also where a fold needs context.

    ``folding`` has a byte for every code point: what it becomes, 0 if it does not count, 255 if it needs context.
    """

def text_buffers(texts: list[str], /) -> tuple[bytes, bytes]:
    """The 64-bit offsets and the bytes of an Arrow column of these texts."""

def gram_table(vocabulary: object, /) -> tuple[bytes, bytes]:
    """For every n-gram of a weighed vocabulary a 64-bit hash of its characters, and its weight as a double."""

def document_grams(
    vocabulary: object,
    ranks: Array,
    offsets: Array,
    bytes_: Bytes,
    lengths: Array,
    folding: Array,
    shortest: int,
    longest: int,
    /,
) -> tuple[bytes, bytes, bytes]:
    """Ranks and counts of the n-grams, text after text and by rank in each; the entries in the order of all ranks.

    All are 32-bit numbers. ``lengths`` says how many entries each text has, -1 where it needs its context.
    """

def shared_products(
    out: Array,
    ranks1: Array,
    rows1: Array,
    weights1: Array,
    ranks2: Array,
    rows2: Array,
    weights2: Array,
    width: int,
    /,
) -> None:
    """Add the products of every text of one batch with every one of the ``width`` texts of another.

    Entries come by rank.
    """

def pair_products(
    out: Array,
    starts1: Array,
    ranks1: Array,
    counts1: Array,
    starts2: Array,
    ranks2: Array,
    counts2: Array,
    places1: Array,
    places2: Array,
    squares: Array,
    /,
) -> None:
    """The product of each chosen pair of texts, added up by rank; ``squares`` are the squared weights by rank."""

def near_index(
    features: Array,
    starts: Array,
    texts: Array,
    sizes: Array,
    reach: Array,
    pair_sizes: Array,
    signatures: Array,
    /,
) -> object:
    """Pairs by the rarest trigrams of their texts; the arrays are kept as long as it.

    Entries come by feature, then by the size of their text; the starts are those of each feature, and the end. An
    entry has a text (two for each pair), the size of it, and the size of the largest text that may still be similar
    to it if all its rarer trigrams differ.
    """

def near_candidates(
    index: object,
    features: Array,
    texts: Array,
    places: Array,
    pair_sizes: Array,
    signatures: Array,
    threshold: float,
    /,
) -> bytes:
    """The pairs of an index and of a block that may be similar, each once: the place in the index times the number
    of pairs of the block, plus the place in the block, as 64-bit numbers."""

Side: TypeAlias = tuple[Array, int, int, Array | None, Array | None, Array | None, Array | None, Array | None]

def join_rows(
    width: int,
    stride: int,
    slots: int,
    shift: int,
    rule: int,
    side1: Side,
    side2: Side,
    chosen: Array | None = None,
    /,
) -> None:
    """Offer all rows of a side, or chosen ones of the first, to those of the other, which keep the nearest.

    A side is a matrix of whole numbers of ``width`` bytes in rows of ``stride``, the first row and the last but one
    that take part, ids where they are not the numbers of the rows, squares that are subtracted, groups, lists of
    ``slots`` keys, and a lock for each list. A score is the product, doubled if ``shift`` is 1, less both squares. The
    rule is 0 for all pairs, 1 for those within a group, 2 for those across groups.
    """

def join_cells(
    stride: int,
    slots: int,
    shift: int,
    rule: int,
    side: Side,
    cells: Array,
    probe_starts: Array,
    probes: Array,
    first: int,
    last: int,
    within: int,
    /,
) -> None:
    """In each cell of a range join the rows that probe it with the rows in it, which are consecutive.

    With ``within`` 1, where all rows of a cell or none of them probe it, pairs of these are compared once.
    """

def refine_lists(
    stride: int,
    slots: int,
    shift: int,
    rule: int,
    side: Side,
    snapshot: Array,
    kept: int,
    outer: int,
    inner: int,
    probes: Array | None,
    width: int,
    done: Array | None,
    first: int,
    last: int,
    /,
) -> None:
    """Compare each row of a range with the first ``inner`` neighbours of its first ``outer`` ones, by the snapshot.

    Two rows are not compared again where both steps between them are old, or where the first of the ``width`` probes of
    the other, its own cell, is among the first probes of the row, of which ``done`` has the number for each row.
    """

def snapshot_lists(lists: Array, slots: int, looked_at: int, first: int, last: int, snapshot: Array, /) -> None:
    """Put the neighbours of a range of lists into a snapshot, with the highest bit set for those that were among the
    first ``looked_at`` of the row in it before; all bits are set where there is none."""

def offer_keys(lists: Array, slots: int, rows: Array, keys: Array, /) -> None:
    """Offer each key to the list of its row."""

def probing_rows(
    probes: Array, width: int, first: Array, stop: Array, cells: int, starts: Array, out: Array, /
) -> None:
    """The rows that have each cell among their probes, of each row from ``first`` to ``stop``, and where they start."""

def instructions(limit: int = -1, /) -> int:
    """The instructions that the search uses: 0 plain C, 1 AVX2, 2 VNNI; from now on none above a limit."""

def halves_open(shards: list[Any], dimension: int, /) -> object:
    """Rows of half-precision numbers; the arrays are kept as long as it."""

def halves_squares(halves: object, first: int, last: int, out: Array, /) -> None:
    """The sum of squares of each row of a range."""

def halves_products(halves: object, first: int, last: int, query: Array, out: Array, /) -> None:
    """The product of each row of a range with a query of float32 numbers."""

def halves_quantise(halves: object, rows: Array, factors: Array, width: int, stride: int, out: Array, /) -> None:
    """Chosen rows, each times its factor, as whole numbers of ``width`` bytes, padded with zeros to the stride."""

def halves_read_ahead(halves: object, rows: Array, /) -> None:
    """Ask the system for the pages of rows, which rise, before they are read."""

def halves_rescore(
    halves: object,
    factors: Array,
    ids: Array,
    owners: Array,
    lists: Array,
    slots: int,
    shift: int,
    first: int,
    last: int,
    /,
) -> None:
    """Score the neighbours in a range of lists again from 16 bits, and put ids in place of their rows."""

def tokens(text: str, tokeniser: int, /) -> list[str]: ...
def token_spans(text: str, tokeniser: int, /) -> list[tuple[int, int]]: ...
def script_counts(text: str, /) -> dict[str, int]: ...
