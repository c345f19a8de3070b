// A text whose tokens can be marked: by dragging, tapping, or with the arrow keys. It stays a single, unchanged text node.
// Positions are UTF-16 units in here and tokens outside.
import { Offsets } from "../offsets.js";

export class MarkedText {
  tokens = []; // ranges in units
  cursor = null; // the token that the keyboard is at
  #anchor = null; // where the keyboard began to mark, and what was marked before
  #drag = null;

  // `chosen` gives the marked tokens, `choose` marks others, `moved` redraws, `other` goes to the other text; `active` says
  // whether anything can be marked, `idle` whether nothing is marked.
  constructor(element, { active, idle, chosen, choose, moved, other }) {
    Object.assign(this, { element, active, idle, chosen, choose, moved, other });
    element.addEventListener("mousedown", (event) => this.active() && event.button === 0 && event.preventDefault());
    element.addEventListener("pointerdown", (event) => this.#pressed(event));
    element.addEventListener("pointermove", (event) => this.#dragged(event));
    element.addEventListener("pointerup", () => (this.#drag = null));
    element.addEventListener("pointercancel", () => (this.#drag = null));
    element.addEventListener("click", (event) => this.#tapped(event));
    element.addEventListener("keydown", (event) => this.#keyed(event));
    for (const event of ["focus", "blur"]) element.addEventListener(event, () => this.moved());
  }

  // Another text, with the ranges of its tokens in code points.
  show(text, tokens) {
    this.offsets = new Offsets(text);
    this.tokens = tokens.map(([start, end]) => [this.offsets.toUnits(start), this.offsets.toUnits(end)]);
    this.cursor = this.#anchor = this.#drag = null;
  }

  get focused() {
    return document.activeElement === this.element;
  }

  words() {
    return this.tokens.map(([start, end]) => this.offsets.text.slice(start, end));
  }

  #pressed(event) {
    if (!this.active() || event.button !== 0 || event.pointerType === "touch") return;
    this.element.focus({ preventScroll: true });
    const number = this.#at(event.clientX, event.clientY);
    if (number === null) return;
    const adding = event.shiftKey || event.ctrlKey || event.metaKey;
    const before = this.chosen();
    const again = before.has(number) && (adding || before.size === 1);
    this.#drag = { from: number, base: new Set(adding ? before : []) };
    this.#anchor = null;
    this.cursor = number;
    this.element.setPointerCapture(event.pointerId);
    if (again) {
      this.#drag.base.delete(number);
      this.choose(this.#drag.base);
    } else this.choose(new Set([...this.#drag.base, number]));
  }

  #dragged(event) {
    if (!this.#drag) return;
    const number = this.#at(event.clientX, event.clientY);
    if (number === null || number === this.cursor) return;
    this.cursor = number;
    this.choose(this.#with(this.#drag.base, this.#drag.from, number));
  }

  // Moving a finger scrolls the page; a tap adds a token or removes it.
  #tapped(event) {
    if (event.pointerType !== "touch" || !this.active()) return;
    const number = this.#at(event.clientX, event.clientY);
    if (number !== null) this.#toggle(number);
  }

  #toggle(number) {
    this.cursor = number;
    this.#anchor = null;
    const tokens = new Set(this.chosen());
    if (!tokens.delete(number)) tokens.add(number);
    this.choose(tokens);
  }

  #with(base, from, to) {
    const between = Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => Math.min(from, to) + step);
    return new Set([...base, ...between]);
  }

  #keyed(event) {
    if (!this.active() || !this.tokens.length || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && this.idle()) return this.element.blur();
    const steps = this.#steps();
    if (event.key === "Tab" && !event.shiftKey) this.other();
    else if (event.key === " ") this.#toggle(this.cursor ?? 0);
    else if (steps[event.key]) this.#move(event.key, steps[event.key], event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #steps() {
    const rtl = getComputedStyle(this.element).direction === "rtl";
    const [forwards, backwards] = rtl ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
    return {
      [forwards]: () => this.cursor + 1,
      [backwards]: () => this.cursor - 1,
      ArrowDown: () => this.#line(1),
      ArrowUp: () => this.#line(-1),
      Home: () => 0,
      End: () => this.tokens.length - 1,
    };
  }

  // The first arrow key goes to the first token; with Shift the token itself is marked before the next one.
  #move(key, step, marking) {
    if (!marking) this.#anchor = null;
    const begins = key.startsWith("Arrow") && (this.cursor === null || (marking && this.#anchor === null));
    this.cursor ??= 0;
    if (marking) this.#anchor ??= { from: this.cursor, base: new Set(this.chosen()) };
    if (!begins) this.cursor = Math.max(0, Math.min(this.tokens.length - 1, step()));
    this.#reveal();
    if (marking) this.choose(this.#with(this.#anchor.base, this.#anchor.from, this.cursor));
    else this.moved();
  }

  // A long text scrolls within its frame; a token is not an element that the browser could scroll to.
  #reveal() {
    const frame = this.element.parentElement;
    const [here, seen] = [this.#box(this.cursor), frame.getBoundingClientRect()];
    frame.scrollTop += Math.min(0, here.top - here.height - seen.top) + Math.max(0, here.bottom + here.height - seen.bottom);
  }

  // The token above or below, wherever the lines happen to break.
  #line(by) {
    const here = this.#box(this.cursor);
    const lines = this.tokens.map((_, number) => ({ number, box: this.#box(number) })).filter(({ box }) => (box.top - here.top) * by > here.height / 2);
    const away = ({ box }) => Math.abs(box.top - here.top) * 1e4 + Math.abs(box.left + box.width / 2 - here.left - here.width / 2);
    return lines.length ? lines.reduce((best, token) => (away(token) < away(best) ? token : best)).number : this.cursor;
  }

  // The token at a point of the window, or the nearest one on its line; null outside of the text.
  #at(x, y) {
    const caret = document.caretPositionFromPoint?.(x, y) ?? document.caretRangeFromPoint?.(x, y);
    const [node, unit] = [caret?.offsetNode ?? caret?.startContainer, caret?.offset ?? caret?.startOffset];
    if (node !== this.element.firstChild || !this.tokens.length) return null;
    const after = this.tokens.findIndex(([, end]) => end > unit);
    const near = after < 0 ? [this.tokens.length - 1] : [after - 1, after].filter((number) => number >= 0);
    const away = (number) => Math.min(...this.#boxes(number).map((box) => distance(box, x, y)));
    return near.reduce((best, number) => (away(number) < away(best) ? number : best));
  }

  #box(number) {
    return this.#boxes(number)[0];
  }

  #boxes(number) {
    const range = document.createRange();
    const [start, end] = this.tokens[number];
    range.setStart(this.element.firstChild, start);
    range.setEnd(this.element.firstChild, end);
    const boxes = [...range.getClientRects()];
    return boxes.length ? boxes : [range.getBoundingClientRect()];
  }
}

function distance(box, x, y) {
  const beside = Math.max(box.left - x, 0, x - box.right);
  const above = Math.max(box.top - y, 0, y - box.bottom);
  return beside + above * 100;
}
