// The phenomena of a pair, a row each, and the actions on the chosen one.
import { el } from "../dom.js";
import { printKey } from "../keys.js";
import { describe } from "../phenomena.js";
import { t, tn } from "../texts.js";

export class PhenomenaList {
  current = null; // the row that is chosen

  constructor({ typeOf, highlight, edit, remove, undo, identical }) {
    Object.assign(this, { typeOf, highlight });
    this.count = el("h3", {});
    this.rows = el("ol", { class: "phenomena" });
    this.none = el("p", { class: "soft" }, t("Nothing is marked yet. Mark words in both texts, choose a type, and commit."));
    this.tools = {
      before: tool("[", t("Previous"), t("previous phenomenon"), () => this.move(-1)),
      after: tool("]", t("Next"), t("next phenomenon"), () => this.move(1)),
      edit: tool("m", t("Modify"), t("modify the phenomenon"), () => edit(this.current)),
      remove: tool("Delete", t("Delete"), t("delete the phenomenon"), () => remove(this.current)),
      undo: tool("Ctrl+z", t("Undo a step"), t("undo a step"), undo),
    };
    const marking = identical ? tool("i", t("Mark what is identical"), t("mark what is identical"), identical) : null;
    if (marking) this.tools.identical = marking;
    this.element = el("section", { class: "marked", "aria-label": t("Phenomena") }, this.count, el("div", { class: "row tools" }, ...Object.values(this.tools)), this.rows, this.none);
  }

  choose(place) {
    this.current = place;
    for (const [number, row] of [...this.rows.children].entries()) row.firstChild.setAttribute("aria-pressed", String(number === place));
    if (place !== null) this.rows.children[place]?.scrollIntoView({ block: "nearest" });
    this.#allow();
    this.highlight(place);
  }

  move(by) {
    const last = this.rows.children.length - 1;
    this.choose(this.current === null ? (by > 0 ? 0 : last) : Math.max(0, Math.min(last, this.current + by)));
  }

  // Redraw the rows; `offsets` are those of the two texts, `steps` says whether there are any to undo.
  show(phenomena, offsets, steps) {
    this.count.textContent = tn("{count} phenomenon", "{count} phenomena", phenomena.length);
    this.rows.replaceChildren(...phenomena.map((phenomenon, place) => this.#row(phenomenon, place, offsets)));
    this.none.hidden = phenomena.length > 0;
    this.steps = steps;
    if (this.current !== null && this.current >= phenomena.length) this.current = phenomena.length ? phenomena.length - 1 : null;
    this.#allow();
  }

  #row(phenomenon, place, offsets) {
    const type = this.typeOf(phenomenon);
    const name = el("b", {}, type?.name ?? phenomenon.type);
    const button = el("button", { type: "button", class: "plain type", "aria-pressed": String(place === this.current), data: { colour: type?.colour ?? "grey" }, on: { click: () => this.choose(place === this.current ? null : place), mouseenter: () => this.highlight(place), mouseleave: () => this.highlight(this.current) } }, el("span", { class: "words" }, name, " ", describe(phenomenon, offsets)));
    return el("li", {}, button);
  }

  #allow() {
    const rows = this.rows.children.length;
    this.tools.before.disabled = this.tools.after.disabled = rows === 0;
    this.tools.edit.disabled = this.tools.remove.disabled = this.current === null;
    this.tools.undo.disabled = !this.steps;
  }
}

function tool(key, name, what, run) {
  const button = el("button", { type: "button", data: { key, what }, on: { click: run } }, name);
  printKey(button);
  return button;
}
