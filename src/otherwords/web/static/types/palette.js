// The types of a tag set, by class: searched by a few letters, explained, chosen by a click or Enter.
import { el } from "../dom.js";
import { printKey } from "../keys.js";
import { t } from "../texts.js";

export class Palette {
  #buttons = new Map(); // by tag
  #near = 0; // which of the matches Enter would choose

  constructor(types, choose) {
    Object.assign(this, { types, choose });
    this.find = el("input", { type: "search", id: "find-type", autocomplete: "off", placeholder: t("Find a type"), "aria-label": t("Find a type"), "aria-controls": "type-groups", on: { input: () => this.#filter(0), keydown: (event) => this.#pressKey(event) } });
    this.help = el("p", { class: "hint help", id: "type-help", "aria-live": "polite" });
    const opener = el("button", { type: "button", data: { key: "/", what: t("find a type") }, on: { click: () => this.open() } }, t("Find"));
    printKey(opener);
    this.groups = el("div", { class: "type-groups", id: "type-groups" }, ...this.#drawGroups());
    this.element = el("section", { class: "palette", "aria-label": t("Types") }, el("div", { class: "row" }, opener, this.find), this.groups);
  }

  open() {
    this.find.value = "";
    this.#filter(0);
    this.find.focus();
  }

  // Set the chosen type; its help stays visible.
  set(tag) {
    this.chosen = this.types.find((type) => type.tag === tag) ?? null;
    for (const [name, button] of this.#buttons) button.setAttribute("aria-pressed", String(name === tag));
    this.#explain(this.chosen);
  }

  #drawGroups() {
    const groups = Map.groupBy(this.types, (type) => type.subclass || type.class || t("Types"));
    return [...groups].map(([name, types]) =>
      el("div", { class: "type-group", role: "group", "aria-label": name }, el("h3", {}, name), ...types.map((type) => this.#button(type))),
    );
  }

  #button(type) {
    const explain = () => this.#explain(type);
    const button = el("button", { type: "button", class: "type", "aria-pressed": "false", "aria-describedby": "type-help", data: { colour: type.colour ?? "grey", tag: type.tag }, on: { click: () => this.#select(type), focus: explain, mouseenter: explain, mouseleave: () => this.#explain(this.chosen) } }, type.name || type.tag);
    this.#buttons.set(type.tag, button);
    return button;
  }

  #select(type) {
    this.find.value = "";
    this.#filter(0);
    this.choose(type.tag);
  }

  #explain(type) {
    this.help.replaceChildren(...(type ? [el("b", {}, type.name || type.tag), ` ${type.help ?? ""}`] : []));
  }

  #matches() {
    const letters = this.find.value.trim().toLocaleLowerCase();
    const fits = (type) => [type.name, type.tag, type.class, type.subclass].some((label) => label?.toLocaleLowerCase().includes(letters));
    const begins = (type) => (type.name ?? type.tag).toLocaleLowerCase().startsWith(letters);
    return this.types.filter(fits).sort((first, second) => begins(second) - begins(first));
  }

  #filter(near) {
    const matches = this.#matches();
    this.#near = Math.max(0, Math.min(near, matches.length - 1));
    const searching = this.find.value.trim() !== "";
    for (const [tag, button] of this.#buttons) {
      button.hidden = !matches.some((type) => type.tag === tag);
      button.classList.toggle("near", searching && matches[this.#near]?.tag === tag);
    }
    for (const group of this.groups.children) group.hidden = !group.querySelector("button:not([hidden])");
    if (searching) this.#explain(matches[this.#near] ?? null);
    if (searching && !matches.length) this.help.textContent = t("There is no such type.");
  }

  #pressKey(event) {
    if (event.isComposing) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const matches = this.#matches();
    if (event.key === "Enter" && matches.length) this.#select(matches[this.#near]);
    else if (steps[event.key]) this.#filter(this.#near + steps[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
