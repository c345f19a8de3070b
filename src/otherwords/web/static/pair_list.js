// The list of extracted pairs, each with its actions. One of them is the current one: its buttons have the keys.
import { byId, el } from "./dom.js";
import { printKey } from "./keys.js";

const ACTIONS = [
  ["find", "f", "Find", "Show this pair in both texts"],
  ["change", "c", "Change", "Change the edges of this pair"],
  ["remove", "d", "Delete", "Delete this pair"],
];

export class PairList {
  // `actions` has functions of a row for find, change and remove; `open` says whether anything may be changed.
  constructor(place, actions, open) {
    Object.assign(this, { place, actions, open, rows: [], current: null });
    byId("previous").addEventListener("click", () => this.move(-1));
    byId("next").addEventListener("click", () => this.move(1));
  }

  choose(row) {
    this.current = row;
    this.draw();
    this.place.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  move(by) {
    const place = this.rows.indexOf(this.current);
    const row = this.rows[place < 0 ? (by > 0 ? 0 : this.rows.length - 1) : Math.max(0, Math.min(this.rows.length - 1, place + by))];
    if (!row) return;
    this.choose(row);
    this.actions.find(row);
  }

  draw() {
    if (!this.rows.includes(this.current)) this.current = this.rows.at(-1) ?? null;
    const editable = this.rows.filter((row) => !row.locked).length;
    const locked = this.rows.length - editable;
    byId("pair-count").textContent = [`${editable}`, locked ? `${locked} locked` : null].filter(Boolean).join(" · ");
    byId("no-pairs").hidden = this.rows.length > 0;
    for (const name of ["previous", "next"]) byId(name).disabled = !this.rows.length;
    const focusedAction = this.place.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.place.replaceChildren(...this.rows.map((row, number) => this.#drawRow(row, number)));
    if (focusedAction) this.place.querySelector(`[aria-current] [data-action="${focusedAction}"]`)?.focus();
  }

  #drawRow(row, number) {
    const current = row === this.current;
    const text = (side) => el("span", { class: "extract-text", dir: "auto" }, row[`text${side}`]);
    const state = row.locked ? `🔒 ${row.why}` : row.state;
    return el(
      "li",
      { "aria-current": current ? "true" : null, data: { locked: String(Boolean(row.locked)) }, on: { click: () => row !== this.current && this.choose(row) } },
      el("div", { class: "half" }, el("span", { class: "number soft" }, String(number + 1)), text("1")),
      el("div", { class: "half" }, text("2"), el("div", { class: "row actions" }, ...ACTIONS.map((action) => this.#button(row, current, action)))),
      state ? el("p", { class: row.locked ? "soft state" : "warn state" }, state) : null,
    );
  }

  #button(row, current, [name, key, word, what]) {
    if (name !== "find" && (row.locked || !this.open())) return null;
    const button = el("button", { type: "button", class: "plain", "aria-label": `${what}: ${row.text1.slice(0, 40)}`, data: { action: name, ...(current ? { key, what } : {}) } }, word);
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      this.choose(row);
      this.actions[name](row);
    });
    if (current) printKey(button);
    return button;
  }
}
