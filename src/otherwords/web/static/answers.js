// The buttons of a scheme: one value of each question, several where it allows that, and the flags that go with it.
import { el } from "./dom.js";
import { printKey } from "./keys.js";

export class Answers {
  constructor(place, scheme, changed) {
    this.scheme = scheme;
    this.changed = changed;
    this.questions = scheme.questions.map((question) => ({ question, chosen: new Set(), flags: new Set(), buttons: new Map(), flagButtons: new Map() }));
    for (const one of this.questions) place.append(this.#drawn(one));
    this.#show();
  }

  #drawn(one) {
    const values = one.question.values.map((value) => this.#button(one.buttons, value.value, value, () => this.#choose(one, value.value)));
    const flags = one.question.flags.map((flag) => this.#button(one.flagButtons, flag.flag, flag, () => this.#flag(one, flag)));
    return el(
      "fieldset",
      {},
      one.question.title ? el("legend", {}, one.question.title) : null,
      el("div", { class: "values" }, ...values),
      flags.length ? el("div", { class: "flags" }, ...flags) : null,
    );
  }

  #button(buttons, name, told, run) {
    const button = el("button", { type: "button", "aria-pressed": "false", title: told.help || null, data: { key: told.key, base: name[0], what: told.name }, on: { click: run } }, told.name);
    printKey(button);
    buttons.set(name, button);
    return button;
  }

  #choose(one, value) {
    if (one.question.several) one.chosen.has(value) ? one.chosen.delete(value) : one.chosen.add(value);
    else one.chosen = new Set([value]);
    one.flags = new Set([...one.flags].filter((flag) => this.#fits(one, flag)));
    this.#show();
    this.changed();
  }

  // A flag brings the value with it where only one value can have it: “>” alone means “4>”.
  #flag(one, flag) {
    if (one.flags.has(flag.flag)) one.flags.delete(flag.flag);
    else {
      if (!this.#fits(one, flag.flag) && flag.on.length === 1) one.chosen = new Set(flag.on);
      if (!this.#fits(one, flag.flag)) return;
      for (const other of flag.excludes) one.flags.delete(other);
      one.flags.add(flag.flag);
    }
    this.#show();
    this.changed();
  }

  #fits(one, name) {
    const flag = one.question.flags.find((other) => other.flag === name);
    return [...one.chosen].some((value) => flag.on.includes(value));
  }

  #show() {
    for (const one of this.questions) {
      for (const [value, button] of one.buttons) button.setAttribute("aria-pressed", String(one.chosen.has(value)));
      for (const [flag, button] of one.flagButtons) button.setAttribute("aria-pressed", String(one.flags.has(flag)));
    }
  }

  #answer(one) {
    const order = one.question.values.map((value) => value.value).filter((value) => one.chosen.has(value));
    if (one.question.several) return order;
    if (!order.length) return null;
    return order[0] + one.question.flags.map((flag) => flag.flag).filter((flag) => one.flags.has(flag)).join("");
  }

  // The whole answer, or null while a question has none.
  value() {
    const told = this.partial();
    const parts = this.#single() ? [told] : Object.values(told);
    return parts.some((part) => part === null) ? null : told;
  }

  partial() {
    if (this.#single()) return this.#answer(this.questions[0]);
    return Object.fromEntries(this.questions.map((one) => [one.question.name, this.#answer(one)]));
  }

  set(answer) {
    for (const one of this.questions) {
      const part = this.#single() ? answer : answer?.[one.question.name];
      one.chosen = new Set();
      one.flags = new Set();
      if (Array.isArray(part)) one.chosen = new Set(part);
      else if (typeof part === "string") {
        const bases = one.question.values.map((value) => value.value).filter((value) => part.startsWith(value));
        const base = bases.sort((a, b) => b.length - a.length)[0];
        if (base !== undefined) one.chosen.add(base);
        for (const flag of part.slice(base?.length ?? 0)) one.flags.add(flag);
      }
    }
    this.#show();
  }

  #single() {
    return this.questions.length === 1 && !this.questions[0].question.name;
  }
}
