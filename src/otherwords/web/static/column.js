// One of two documents that are read side by side: its text is a single, unchanged text node, in which a passage is
// selected word by word with the mouse or the keyboard, or with Alt character by character. Positions are UTF-16 units in
// here, code points outside.
import { direction } from "./dom.js";
import { Offsets } from "./offsets.js";

const LINES_TRIED = 3; // between two paragraphs is an empty line

export class Column {
  #words = null; // where the keyboard stops: words and signs, without punctuation
  #pieces = null; // the same with punctuation, for the edges of a selection
  #cursor = null; // the word that the keyboard is at
  #anchor = null; // the word at which it began to select

  constructor(element, source, part, changed) {
    Object.assign(this, { element, changed, selection: null, lang: source.lang });
    element.replaceChildren(document.createTextNode(source.text));
    Object.assign(element, { dir: direction(source.lang), lang: source.lang ?? "" });
    this.offsets = new Offsets(source.text);
    this.text = source.text;
    this.part = part.map((point) => this.offsets.toUnits(point));
    element.addEventListener("keydown", (event) => this.#keyed(event));
    element.addEventListener("focus", () => this.changed(this));
    element.addEventListener("blur", () => this.changed(this));
  }

  get node() {
    return this.element.firstChild;
  }

  get focused() {
    return document.activeElement === this.element;
  }

  // The passage in code points.
  get passage() {
    return this.selection && this.selection.map((unit) => this.offsets.toPoints(unit));
  }

  set passage(points) {
    this.select(...(points ?? [0, 0]).map((point) => this.offsets.toUnits(point)));
  }

  // Select what lies inside the part, without blanks at its edges; nothing if nothing is left.
  select(start, end) {
    [start, end] = [Math.max(start, this.part[0]), Math.min(end, this.part[1])];
    const selected = this.text.slice(start, end);
    const trimmed = selected.trim();
    start += selected.length - selected.trimStart().length;
    this.selection = trimmed ? [start, start + trimmed.length] : null;
    this.changed(this);
    return this.selection !== null;
  }

  clear() {
    this.selection = this.#anchor = null;
    this.changed(this);
  }

  holds(node) {
    return node === this.node || node === this.element;
  }

  // Take over the browser's selection, as far as it lies in here, with the rest of the words that it cuts unless it goes by
  // characters; false if that is outside the part.
  take(range, byCharacters) {
    const whole = document.createRange();
    whole.selectNodeContents(this.node);
    const start = range.compareBoundaryPoints(Range.START_TO_START, whole) < 0 ? 0 : range.startOffset;
    const end = range.compareBoundaryPoints(Range.END_TO_END, whole) > 0 || range.endContainer !== this.node ? this.text.length : range.endOffset;
    this.#anchor = null;
    const [first, last] = this.part;
    if (start >= last || end <= first) return false;
    if (this.#stops().length) this.#cursor = this.#near(this.#stops(), start);
    return this.select(...(byCharacters ? [start, end] : this.#wholeWords(start, end)));
  }

  #wholeWords(start, end) {
    const pieces = this.#all();
    const [first, last] = [pieces.find((piece) => piece[1] > start), pieces.findLast((piece) => piece[0] < end)];
    return first && last && first[0] <= last[0] ? [first[0], last[1]] : [start, end];
  }

  // Go to the word at a position, without selecting anything.
  place(unit) {
    this.#anchor = null;
    this.#cursor = this.#near(this.#stops(), unit);
    this.changed(this);
  }

  // The word that the keyboard is at.
  get cursor() {
    return this.focused && this.#cursor !== null ? this.#stops()[this.#cursor] : null;
  }

  // Where the next thing is looked for: at the keyboard's word, the selection, or what can be seen first.
  get position() {
    const stops = this.#stops();
    return stops.length ? stops[this.#cursor ?? this.#first()][0] : this.part[0];
  }

  // Move an edge of the selection by a word or a punctuation mark; the passage never becomes empty.
  nudge(edge, by) {
    if (!this.selection) return;
    const pieces = this.#all();
    const [start, end] = this.selection;
    const first = pieces.findIndex((piece) => piece[1] > start);
    const last = pieces.findLastIndex((piece) => piece[0] < end);
    const within = (place, low, high) => Math.max(low, Math.min(high, place));
    if (edge === "start") {
      const step = by < 0 && start > pieces[first][0] ? 0 : by; // first to the edge of a word that is cut
      this.select(pieces[within(first + step, 0, last)][0], end);
    } else {
      const step = by > 0 && end < pieces[last][1] ? 0 : by;
      this.select(start, pieces[within(last + step, first, pieces.length - 1)][1]);
    }
    this.reveal(...this.selection);
  }

  // Move an edge by what is seen as one character; blanks are passed over.
  nudgeByCharacter(edge, by) {
    if (!this.selection) return;
    const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(this.text);
    const [start, end] = this.selection;
    const step = (unit) => {
      const { index, segment } = characters.containing(by > 0 ? unit : unit - 1);
      return { unit: by > 0 ? index + segment.length : index, blank: !segment.trim() };
    };
    const [low, high] = this.part;
    let place = { unit: edge === "start" ? start : end, blank: true };
    while (place.blank && (by > 0 ? place.unit < high : place.unit > low)) place = step(place.unit);
    const [first, last] = edge === "start" ? [place.unit, end] : [start, place.unit];
    if (first < last && this.text.slice(first, last).trim()) this.select(first, last);
    this.reveal(...this.selection);
  }

  // How far below the beginning of the text a position is drawn.
  top(unit) {
    return this.#box(unit, Math.min(unit + 1, this.text.length)).top - this.element.getBoundingClientRect().top + this.element.scrollTop;
  }

  // How far it is drawn from the left; from a position on, a text that runs from right to left is left of it.
  side(unit) {
    const box = this.#box(unit, Math.min(unit + 1, this.text.length));
    return (this.rightToLeft ? box.right : box.left) - this.element.getBoundingClientRect().left;
  }

  get rightToLeft() {
    return getComputedStyle(this.element).direction === "rtl";
  }

  // Scroll a passage into the upper third of the view, unless it is visible already.
  reveal(start, end = start) {
    const [top, below] = [this.top(start), this.top(Math.max(start, end - 1)) + this.#lineHeight()];
    const { scrollTop, clientHeight } = this.element;
    if (top >= scrollTop && below <= scrollTop + clientHeight) return;
    this.element.scrollTop = top - clientHeight / 3;
  }

  #keyed(event) {
    if (event.ctrlKey || event.metaKey || (event.altKey && !event.shiftKey)) return;
    const forwards = this.rightToLeft ? "ArrowLeft" : "ArrowRight";
    const backwards = forwards === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
    const steps = { [forwards]: () => this.#cursor + 1, [backwards]: () => this.#cursor - 1, ArrowDown: () => this.#line(1), ArrowUp: () => this.#line(-1) };
    if (!steps[event.key] || !this.#stops().length) return;
    event.preventDefault();
    getSelection().removeAllRanges();
    const along = event.key === forwards || event.key === backwards;
    if (event.altKey && along && this.selection) return this.nudgeByCharacter(this.#cursor < this.#anchor ? "start" : "end", event.key === forwards ? 1 : -1);
    if (this.#cursor === null) this.#cursor = this.#first();
    else if (event.shiftKey && this.#anchor === null && along) this.#anchor = this.#cursor; // the word itself comes first
    else this.#go(steps[event.key](), event.shiftKey);
    if (event.shiftKey) this.#extend();
    const [start, end] = this.#stops()[this.#cursor];
    this.reveal(start, end);
    this.changed(this);
  }

  #go(to, extending) {
    if (!extending) this.#anchor = null;
    else this.#anchor ??= this.#cursor;
    this.#cursor = Math.max(0, Math.min(this.#stops().length - 1, to));
  }

  #extend() {
    this.#anchor ??= this.#cursor;
    const [low, high] = [Math.min(this.#anchor, this.#cursor), Math.max(this.#anchor, this.#cursor)];
    this.select(this.#stops()[low][0], this.#stops()[high][1]);
  }

  // The word above or below, wherever the lines happen to break.
  #line(by) {
    const stops = this.#stops();
    this.reveal(...stops[this.#cursor]);
    const height = this.#lineHeight();
    const frame = this.element.getBoundingClientRect();
    for (let lines = 1; lines <= LINES_TRIED; lines++) {
      let box = this.#box(...stops[this.#cursor]);
      const target = box.top + box.height / 2 + by * lines * height;
      if (target < frame.top + height || target > frame.bottom - height) this.element.scrollTop += by * lines * height * 2;
      box = this.#box(...stops[this.#cursor]);
      const unit = this.at(box.left + box.width / 2, box.top + box.height / 2 + by * lines * height);
      const nearest = unit === null ? this.#cursor : this.#near(stops, unit);
      if ((nearest - this.#cursor) * by > 0) return nearest;
    }
    return this.#cursor + by;
  }

  // The position in the text at a point of the window; null if that is not in here.
  at(x, y) {
    const caret = document.caretPositionFromPoint?.(x, y) ?? document.caretRangeFromPoint?.(x, y);
    const [node, offset] = [caret?.offsetNode ?? caret?.startContainer, caret?.offset ?? caret?.startOffset];
    return node === this.node ? offset : null;
  }

  // Where the keyboard begins: at the selection, else at the first visible word of the part.
  #first() {
    if (this.selection) return this.#near(this.#stops(), this.selection[0]);
    const frame = this.element.getBoundingClientRect();
    const seen = this.at(frame.left + frame.width / 2, frame.top + this.#lineHeight());
    return this.#near(this.#stops(), Math.max(this.part[0], this.element.scrollTop > 0 ? (seen ?? 0) : 0));
  }

  #near(stops, unit) {
    const next = stops.findIndex((stop) => stop[1] > unit);
    return next < 0 ? stops.length - 1 : next;
  }

  #stops() {
    this.#words ??= this.#all().filter((piece) => piece[2]);
    return this.#words;
  }

  #all() {
    if (this.#pieces) return this.#pieces;
    const [first, last] = this.part;
    const segments = [...wordSegmenter(this.lang).segment(this.text.slice(first, last))].filter((segment) => segment.segment.trim());
    this.#pieces = segments.map((segment) => [first + segment.index, first + segment.index + segment.segment.length, segment.isWordLike || !/^[\p{P}\s]+$/u.test(segment.segment)]);
    return this.#pieces;
  }

  #box(start, end) {
    const range = document.createRange();
    range.setStart(this.node, start);
    range.setEnd(this.node, end);
    const boxes = range.getClientRects();
    return boxes[0] ?? range.getBoundingClientRect();
  }

  #lineHeight() {
    return parseFloat(getComputedStyle(this.element).lineHeight) || 24;
  }
}

// The words of a language; of the browser's own where nobody knows such a language.
function wordSegmenter(lang) {
  try {
    return new Intl.Segmenter(lang || undefined, { granularity: "word" });
  } catch {
    return new Intl.Segmenter(undefined, { granularity: "word" });
  }
}
