// Scrolls two columns together: by aligned lines if there are any, else in proportion. The column that a person touches
// leads and the other follows; scrolling by scripts leads nothing.
export class ScrollSync {
  #leader = null;
  #anchors = null;

  // `lines` are [start1, end1, start2, end2] in code points, in order; null if nothing is aligned.
  constructor(columns, lines) {
    Object.assign(this, { columns, lines, on: true });
    for (const column of columns) {
      for (const event of ["wheel", "pointerdown", "touchstart", "keydown"]) column.element.addEventListener(event, () => (this.#leader = column), { passive: true });
      column.element.addEventListener("scroll", () => this.on && this.#leader === column && this.follow(column), { passive: true });
    }
    new ResizeObserver(() => (this.#anchors = null)).observe(columns[0].element);
  }

  // Let the page itself scroll both.
  release() {
    this.#leader = null;
  }

  // The reading line moves from the top of the view to its bottom as the text is scrolled from its top to its bottom, so
  // that both columns reach both of their ends.
  follow(column) {
    this.#anchors ??= this.#measure();
    const [here, there] = column === this.columns[0] ? [0, 1] : [1, 0];
    const [leader, follower] = [this.columns[here].element, this.columns[there].element];
    const room = leader.scrollHeight - leader.clientHeight;
    if (room <= 0) return;
    const line = (leader.scrollTop * leader.scrollHeight) / room;
    follower.scrollTop = (interpolate(this.#anchors, line, here, there) * (follower.scrollHeight - follower.clientHeight)) / follower.scrollHeight;
  }

  // Heights that correspond, increasing on both sides.
  #measure() {
    const [first, second] = this.columns;
    const places = (this.lines ?? []).map(([start1, , start2]) => [first.top(first.offsets.toUnits(start1)), second.top(second.offsets.toUnits(start2))]);
    places.unshift([first.top(first.part[0]), second.top(second.part[0])]);
    places.push([first.top(first.part[1]), second.top(second.part[1])], [first.element.scrollHeight, second.element.scrollHeight]);
    const anchors = [[0, 0]];
    for (const [y1, y2] of places) if (y1 > anchors.at(-1)[0] && y2 > anchors.at(-1)[1]) anchors.push([y1, y2]);
    return anchors;
  }
}

function interpolate(anchors, height, here, there) {
  const after = anchors.findIndex((anchor) => anchor[here] >= height);
  if (after <= 0) return after < 0 ? anchors.at(-1)[there] : 0;
  const [low, high] = [anchors[after - 1], anchors[after]];
  return low[there] + ((high[there] - low[there]) * (height - low[here])) / (high[here] - low[here]);
}
