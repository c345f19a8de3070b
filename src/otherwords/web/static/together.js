// Two columns that scroll together: by aligned lines where there are some, else in proportion. Whichever a person touches
// leads, the other follows; what scrolls by itself leads nothing.
export class Together {
  #leader = null;
  #anchors = null;

  // `lines` are [start1, end1, start2, end2] in code points, in order; null where nothing is aligned.
  constructor(columns, lines) {
    Object.assign(this, { columns, lines, on: true });
    for (const column of columns) {
      for (const event of ["wheel", "pointerdown", "touchstart", "keydown"]) column.element.addEventListener(event, () => (this.#leader = column), { passive: true });
      column.element.addEventListener("scroll", () => this.on && this.#leader === column && this.follow(column), { passive: true });
    }
    new ResizeObserver(() => (this.#anchors = null)).observe(columns[0].element);
  }

  // Let both be scrolled by the page itself.
  release() {
    this.#leader = null;
  }

  // The reading line lies at the top of the text when that is scrolled to its top, at the bottom when to its bottom: so
  // both columns reach both of their ends.
  follow(column) {
    this.#anchors ??= this.#measured();
    const [here, there] = column === this.columns[0] ? [0, 1] : [1, 0];
    const [one, two] = [this.columns[here].element, this.columns[there].element];
    const room = one.scrollHeight - one.clientHeight;
    if (room <= 0) return;
    const line = (one.scrollTop * one.scrollHeight) / room;
    two.scrollTop = (between(this.#anchors, line, here, there) * (two.scrollHeight - two.clientHeight)) / two.scrollHeight;
  }

  // Heights that belong together, ever further down on both sides.
  #measured() {
    const [one, two] = this.columns;
    const places = (this.lines ?? []).map(([start1, , start2]) => [one.top(one.offsets.toUnits(start1)), two.top(two.offsets.toUnits(start2))]);
    places.unshift([one.top(one.part[0]), two.top(two.part[0])]);
    places.push([one.top(one.part[1]), two.top(two.part[1])], [one.element.scrollHeight, two.element.scrollHeight]);
    const told = [[0, 0]];
    for (const [y1, y2] of places) if (y1 > told.at(-1)[0] && y2 > told.at(-1)[1]) told.push([y1, y2]);
    return told;
  }
}

function between(anchors, height, here, there) {
  const after = anchors.findIndex((anchor) => anchor[here] >= height);
  if (after <= 0) return after < 0 ? anchors.at(-1)[there] : 0;
  const [low, high] = [anchors[after - 1], anchors[after]];
  return low[there] + ((high[there] - low[there]) * (height - low[here])) / (high[here] - low[here]);
}
