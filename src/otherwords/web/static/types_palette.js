// The types of a tag set, by their classes: found by a few letters, explained, chosen by a click or by Enter.
import { el } from "./dom.js";
import { printKey } from "./keys.js";

export class Palette {
  #buttons = new Map(); // by tag
  #near = 0; // which of those found Enter would choose

  constructor(types, choose) {
    Object.assign(this, { types, choose });
    this.find = el("input", { type: "search", id: "find-type", autocomplete: "off", placeholder: "Find a type", "aria-label": "Find a type", "aria-controls": "type-groups", on: { input: () => this.#filter(0), keydown: (event) => this.#keyed(event) } });
    this.help = el("p", { class: "hint help", id: "type-help", "aria-live": "polite" });
    const opener = el("button", { type: "button", data: { key: "/", what: "find a type" }, on: { click: () => this.open() } }, "Find");
    printKey(opener);
    this.groups = el("div", { class: "type-groups", id: "type-groups" }, ...this.#drawn());
    this.element = el("section", { class: "palette", "aria-label": "Types" }, el("div", { class: "row" }, opener, this.find), this.groups);
  }

  open() {
    this.find.value = "";
    this.#filter(0);
    this.find.focus();
  }

  // The type that is chosen; its help stays beside.
  set(tag) {
    this.chosen = this.types.find((type) => type.tag === tag) ?? null;
    for (const [name, button] of this.#buttons) button.setAttribute("aria-pressed", String(name === tag));
    this.#explain(this.chosen);
  }

  #drawn() {
    const groups = Map.groupBy(this.types, (type) => type.subclass || type.class || "Types");
    return [...groups].map(([name, types]) =>
      el("div", { class: "type-group", role: "group", "aria-label": name }, el("h3", {}, name), ...types.map((type) => this.#button(type))),
    );
  }

  #button(type) {
    const explain = () => this.#explain(type);
    const button = el("button", { type: "button", class: "type", "aria-pressed": "false", "aria-describedby": "type-help", data: { colour: type.colour ?? "grey", tag: type.tag }, on: { click: () => this.#chose(type), focus: explain, mouseenter: explain, mouseleave: () => this.#explain(this.chosen) } }, type.name || type.tag);
    this.#buttons.set(type.tag, button);
    return button;
  }

  #chose(type) {
    this.find.value = "";
    this.#filter(0);
    this.choose(type.tag);
  }

  #explain(type) {
    this.help.replaceChildren(...(type ? [el("b", {}, type.name || type.tag), ` ${type.help ?? ""}`] : []));
  }

  #found() {
    const letters = this.find.value.trim().toLocaleLowerCase();
    const fits = (type) => [type.name, type.tag, type.class, type.subclass].some((one) => one?.toLocaleLowerCase().includes(letters));
    const begins = (type) => (type.name ?? type.tag).toLocaleLowerCase().startsWith(letters);
    return this.types.filter(fits).sort((one, two) => begins(two) - begins(one));
  }

  #filter(near) {
    const found = this.#found();
    this.#near = Math.max(0, Math.min(near, found.length - 1));
    const asked = this.find.value.trim() !== "";
    for (const [tag, button] of this.#buttons) {
      button.hidden = !found.some((type) => type.tag === tag);
      button.classList.toggle("near", asked && found[this.#near]?.tag === tag);
    }
    for (const group of this.groups.children) group.hidden = !group.querySelector("button:not([hidden])");
    if (asked) this.#explain(found[this.#near] ?? null);
    if (asked && !found.length) this.help.textContent = "There is no such type.";
  }

  #keyed(event) {
    if (event.isComposing) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const found = this.#found();
    if (event.key === "Enter" && found.length) this.#chose(found[this.#near]);
    else if (steps[event.key]) this.#filter(this.#near + steps[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
