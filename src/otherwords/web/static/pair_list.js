// The list of extracted pairs. One of them is the current one: it has the actions and their keys. With room enough the list
// stands beside the texts; folded, or on a small screen, it is a line with the current pair, and opens over the page. The
// texts keep their room either way.
import { byId, el } from "./dom.js";
import { printKey } from "./keys.js";
import { choices } from "./outbox.js";
import { colourOf } from "./pair_numbers.js";
import { known, t } from "./texts.js";

const ACTIONS = [
  ["find", "f", t("Find"), t("Show this pair in both texts")],
  ["change", "c", t("Change"), t("Change the edges of this pair")],
  ["remove", "d", t("Delete"), t("Delete this pair")],
];
const ROOM = 68; // rem, that two texts and the list need beside each other
const tall = matchMedia("(min-height: 36rem)"); // as in extract.css

export class PairList {
  // `actions` has functions of a row for find, change and remove; `open` says whether anything may be changed.
  constructor(place, actions, open) {
    Object.assign(this, { place, actions, open, rows: [], current: null });
    byId("previous").addEventListener("click", () => this.move(-1));
    byId("next").addEventListener("click", () => this.move(1));
    byId("fold").addEventListener("click", () => (choices.set(this.#choice, !this.unfolded), this.#makeRoom()));
    tall.addEventListener("change", () => this.#makeRoom());
    new ResizeObserver(() => this.#makeRoom()).observe(byId("main"));
    this.#makeRoom();
  }

  // A panel on the right takes room, too.
  #makeRoom() {
    const size = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.beside = tall.matches && byId("main").clientWidth >= ROOM * size;
    this.place.closest(".desk").toggleAttribute("data-beside", this.beside && this.unfolded);
    this.#showFold();
  }

  get unfolded() {
    return choices.get(this.#choice, this.beside) === true;
  }

  get #choice() {
    return this.beside ? "extract:list" : "extract:sheet";
  }

  #showFold() {
    byId("fold").setAttribute("aria-expanded", String(this.unfolded));
    this.place.closest(".list").toggleAttribute("data-folded", !this.unfolded);
    this.reveal();
  }

  choose(row) {
    this.current = row;
    this.draw();
    this.reveal();
  }

  // Scroll the list, and nothing else, to the current pair.
  reveal() {
    const row = this.place.querySelector("[aria-current]");
    if (!row) return;
    const [frame, box] = [this.place.getBoundingClientRect(), row.getBoundingClientRect()];
    this.place.scrollTop += Math.max(0, box.bottom - frame.bottom) + Math.min(0, box.top - frame.top);
  }

  move(by) {
    const place = this.rows.indexOf(this.current);
    const row = this.rows[place < 0 ? (by > 0 ? 0 : this.rows.length - 1) : Math.max(0, Math.min(this.rows.length - 1, place + by))];
    if (row) this.#show(row);
  }

  #show(row) {
    this.choose(row);
    this.actions.find(row);
  }

  draw() {
    if (!this.rows.includes(this.current)) this.current = this.rows.at(-1) ?? null;
    byId("pair-count").textContent = this.rows.length ? t("{number} of {all}", { number: this.rows.indexOf(this.current) + 1, all: this.rows.length }) : "";
    byId("no-pairs").hidden = this.rows.length > 0;
    for (const name of ["previous", "next"]) byId(name).disabled = !this.rows.length;
    const focusedAction = this.place.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    const scrolled = this.place.scrollTop;
    this.place.replaceChildren(...this.rows.map((row, number) => this.#drawRow(row, number)));
    this.place.scrollTop = scrolled;
    if (focusedAction) this.place.querySelector(`[aria-current] [data-action="${focusedAction}"]`)?.focus({ preventScroll: true });
  }

  #drawRow(row, number) {
    const current = row === this.current;
    const text = (side) => el("p", { class: "extract-text", dir: "auto" }, row[`text${side}`]);
    const state = row.locked ? `🔒 ${known(row.why)}` : row.state;
    return el(
      "li",
      { "aria-current": current ? "true" : null, data: { locked: String(Boolean(row.locked)) }, on: { click: () => row !== this.current && this.#show(row) } },
      el("span", { class: "badge", data: { shade: colourOf(row, number) } }, String(number + 1)),
      el("div", { class: "texts" }, text("1"), text("2")),
      state ? el("p", { class: row.locked ? "soft state" : "warn state" }, state) : null,
      current ? el("div", { class: "row actions" }, ...ACTIONS.map((action) => this.#button(row, action))) : null,
    );
  }

  #button(row, [name, key, word, what]) {
    if (name !== "find" && (row.locked || !this.open())) return null;
    const button = el("button", { type: "button", class: "plain", "aria-label": `${what}: ${row.text1.slice(0, 40)}`, data: { action: name, key, what } }, word);
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      this.actions[name](row);
    });
    printKey(button);
    return button;
  }
}
