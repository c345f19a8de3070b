// Lines of two texts that an alignment puts side by side: the lines that belong to a selection, and the next ones on which
// nobody has worked. Positions are UTF-16 units; a side is 0 or 1.
const MOST_LINES = 3; // on a side of lines that hang together; a longer chain is cut

export class AlignedLines {
  // `lines` are [start1, end1, start2, end2] in code points, in order; null if nothing is aligned.
  constructor(columns, lines) {
    this.columns = columns;
    const units = (side, point) => columns[side].offsets.toUnits(point);
    this.pairs = (lines ?? []).map(([start1, end1, start2, end2]) => [[units(0, start1), units(0, end1)], [units(1, start2), units(1, end2)]]).filter((pair) => pair.every((span, side) => this.#text(side, span).trim()));
    this.groups = this.#group();
  }

  // The lines of the other side that belong to what a selection touches; null if none do.
  partner(side, [start, end]) {
    const other = this.pairs.filter((pair) => pair[side][0] < end && start < pair[side][1]).map((pair) => pair[1 - side]);
    return other.length ? spanning(other) : null;
  }

  // The first lines of both sides that end after a position, are no copies, and of which nothing is taken; null if there
  // are no more.
  after(side, unit, isTaken) {
    return this.groups.find((spans) => spans[side][1] > unit && !isTaken(spans) && !this.#isCopy(spans)) ?? null;
  }

  // A line may be two in the other version: pairs with a line in common are offered as one.
  #group() {
    const groups = [];
    for (const pair of this.pairs) {
      const before = groups.at(-1);
      const joined = before && pair.some((span, side) => before.at(-1)[side][0] === span[0]);
      const lines = (side) => new Set([...before, pair].map((other) => other[side][0])).size;
      if (joined && lines(0) <= MOST_LINES && lines(1) <= MOST_LINES) before.push(pair);
      else groups.push([pair]);
    }
    return groups.map((pairs) => [0, 1].map((side) => spanning(pairs.map((pair) => pair[side]))));
  }

  #isCopy(spans) {
    const [first, second] = spans.map((span, side) => words(this.#text(side, span)));
    return first === second;
  }

  #text(side, span) {
    return this.columns[side].text.slice(...span);
  }
}

const spanning = (spans) => [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))];
const words = (text) => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
