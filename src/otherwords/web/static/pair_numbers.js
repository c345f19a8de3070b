// The number of each extracted pair, in its colour, where its passages begin. The numbers lie over a text and are no part of
// it: the text stays one untouched text node.
import { el } from "./dom.js";

export const COLOURS = 6; // after which they begin again; the numbers do not
export const colourOf = (row, number) => (row.locked ? "locked" : `pair-${(number % COLOURS) + 1}`);
export const SHADES = ["locked", ...Array.from({ length: COLOURS }, (_, number) => `pair-${number + 1}`)];

export class PairNumbers {
  #rows = [];

  constructor(columns) {
    this.columns = columns;
    this.layers = columns.map((column) => {
      const layer = el("div", { class: "numbers", "aria-hidden": "true" });
      column.element.append(layer);
      new ResizeObserver(() => this.#place()).observe(column.element);
      return layer;
    });
  }

  draw(rows) {
    this.#rows = rows;
    this.#place();
  }

  #place() {
    this.columns.forEach((column, side) => {
      const used = new Map(); // how many numbers there are at a place
      const numbers = this.#rows.map((row, number) => {
        const unit = column.offsets.toUnits(row[`start${side + 1}`]);
        const before = used.get(unit) ?? 0;
        used.set(unit, before + 1);
        const badge = el("span", { class: "badge", data: { shade: colourOf(row, number) } }, String(number + 1));
        badge.style.top = `${column.top(unit)}px`;
        badge.style.left = `${column.side(unit) + (column.rightToLeft ? -1 : 1) * before * 18}px`;
        return badge;
      });
      this.layers[side].replaceChildren(...numbers);
      this.layers[side].toggleAttribute("data-rtl", column.rightToLeft);
    });
  }
}
