// The buttons of a scheme, question by question: one value, several of them, or how often each, and the flags that go
// with a value. One question has the keys at a time, so that two may use the same ones: after an answer it is the next
// that has none, the arrows up and down choose another, and so does the focus. A question whose condition does not hold
// is out of sight and has no answer.
import { el } from "./dom.js";
import { printKey } from "./keys.js";
export { spelled } from "./dom.js";

const MOST_TIMES = 999;

export class Answers {
  #current = 0;
  #shift = false;

  constructor(place, scheme, changed) {
    this.scheme = scheme;
    this.changed = changed;
    this.questions = scheme.questions
      .filter((question) => question.kind === "choice")
      .map((question) => ({ question, chosen: new Set(), flags: new Set(), counts: new Map(), buttons: new Map(), flagButtons: new Map() }));
    for (const one of this.questions) place.append((one.place = this.#drawn(one)));
    if (this.questions.length > 1) {
      place.append(el("p", { class: "hint" }, el("kbd", {}, "↑"), " ", el("kbd", {}, "↓"), " choose the question that gets the keys"));
      document.addEventListener("keydown", (event) => this.#arrow(event));
    }
    document.addEventListener("keydown", (event) => (this.#shift = event.shiftKey), true);
    document.addEventListener("keyup", () => (this.#shift = false), true);
    this.#show();
  }

  #drawn(one) {
    const values = one.question.values.map((value) => this.#value(one, value));
    const flags = one.question.flags.map((flag) => this.#button(one.flagButtons, flag.flag, flag, () => this.#flag(one, flag)));
    one.help = el("p", { class: "hint help", "aria-live": "polite" });
    one.refusal = el("p", { class: "bad refusal", role: "alert" });
    return el(
      "fieldset",
      { class: this.questions.length > 1 ? "one-of-several" : null, on: { focusin: () => this.#turnTo(this.questions.indexOf(one)) } },
      one.question.title ? el("legend", {}, one.question.title) : null,
      one.question.several ? el("p", { class: "hint" }, "As many as fit.") : null,
      one.question.counted ? el("p", { class: "hint" }, "A key adds one, ", el("kbd", {}, "⇧"), " with it takes one away.") : null,
      el("div", { class: "values" }, ...values),
      flags.length ? el("div", { class: "flags" }, ...flags) : null,
      one.help,
      one.refusal,
    );
  }

  #value(one, value) {
    if (!one.question.counted) return this.#button(one.buttons, value.value, value, () => this.#choose(one, value.value));
    const more = this.#button(one.buttons, value.value, value, (event) => this.#count(one, value.value, event.shiftKey || (!event.detail && this.#shift) ? -1 : 1));
    more.append(el("output", { class: "times" }));
    const fewer = el("button", { type: "button", class: "plain fewer", "aria-label": `One ${value.name} fewer`, data: { key: "", unprinted: "" }, on: { click: () => this.#count(one, value.value, -1) } }, "−");
    return el("span", { class: "counted" }, more, fewer);
  }

  #button(buttons, name, told, run) {
    const button = el("button", { type: "button", "aria-pressed": "false", title: told.help || null, data: { key: told.key, what: told.name }, on: { click: run } }, told.name);
    if (told.colour) button.dataset.tone = told.colour;
    printKey(button);
    buttons.set(name, button);
    return button;
  }

  #choose(one, value) {
    if (one.question.several) one.chosen.has(value) ? one.chosen.delete(value) : one.chosen.add(value);
    else one.chosen = new Set([value]);
    one.flags = new Set([...one.flags].filter((flag) => this.#fits(one, flag)));
    this.#answered(one);
  }

  #count(one, value, more) {
    const times = Math.max(0, Math.min(MOST_TIMES, (one.counts.get(value) ?? 0) + more));
    times ? one.counts.set(value, times) : one.counts.delete(value);
    this.#answered(one);
  }

  // A flag alone brings the value with it where only one value can have it: “>” means “4>”. It does not change a value
  // that was chosen.
  #flag(one, flag) {
    if (one.flags.has(flag.flag)) one.flags.delete(flag.flag);
    else {
      if (!one.chosen.size && flag.on.length === 1) one.chosen = new Set(flag.on);
      if (!this.#fits(one, flag.flag)) return this.#refuse(one, flag);
      for (const other of flag.excludes) one.flags.delete(other);
      one.flags.add(flag.flag);
    }
    this.#answered(one);
  }

  #refuse(one, flag) {
    const values = flag.on.join(" or ");
    one.refusal.textContent = `“${flag.flag}” belongs to ${values} only: choose ${values} first.`;
  }

  #fits(one, name) {
    const flag = one.question.flags.find((other) => other.flag === name);
    return [...one.chosen].some((value) => flag.on.includes(value));
  }

  // Where more may be added to an answer the question keeps the keys; the arrows lead on.
  #answered(one) {
    this.#current = this.questions.indexOf(one);
    const { several, counted, flags } = one.question;
    if (!several && !counted && !flags.length) this.#toUnanswered(this.#current + 1);
    this.#show();
    this.changed();
  }

  #toUnanswered(from) {
    const open = (one, place) => place >= from && this.#applies(one) && !one.chosen.size && !one.counts.size;
    const found = this.questions.findIndex(open);
    if (found >= 0) this.#current = found;
  }

  #turnTo(place) {
    if (place < 0 || place === this.#current) return;
    this.#current = place;
    this.#show();
  }

  #arrow(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select, [contenteditable], .panel")) return;
    let place = this.#current + by;
    while (this.questions[place] && !this.#applies(this.questions[place])) place += by;
    if (!this.questions[place]) return;
    event.preventDefault();
    if (this.questions[this.#current].place.contains(document.activeElement)) document.activeElement.blur();
    this.#turnTo(place);
    this.questions[place].place.scrollIntoView({ block: "nearest" });
  }

  #show() {
    if (this.questions.length && !this.#applies(this.questions[this.#current])) this.#current = 0; // which always applies
    for (const [place, one] of this.questions.entries()) {
      one.place.hidden = !this.#applies(one);
      one.refusal.textContent = "";
      one.place.toggleAttribute("data-current", place === this.#current);
      for (const [value, button] of one.buttons) this.#showValue(one, value, button);
      for (const [flag, button] of one.flagButtons) button.setAttribute("aria-pressed", String(one.flags.has(flag)));
      one.help.textContent = this.questions.length > 1 && one.chosen.size === 1 ? this.#told(one).help : "";
    }
    this.#giveKeys();
  }

  #told(one) {
    return one.question.values.find((value) => one.chosen.has(value.value));
  }

  #showValue(one, value, button) {
    const times = one.counts.get(value) ?? 0;
    button.setAttribute("aria-pressed", String(one.chosen.has(value) || times > 0));
    if (!one.question.counted) return;
    button.querySelector(".times").textContent = times || "";
    button.parentElement.querySelector(".fewer").disabled = !times;
  }

  // The current question has its keys, and each other those that nobody before it wants.
  #giveKeys() {
    const taken = new Set();
    for (const one of [this.questions[this.#current], ...this.questions].filter((each, place, all) => each && all.indexOf(each) === place)) {
      const told = [...one.question.values.map((value) => [value.key, one.buttons.get(value.value)]), ...one.question.flags.map((flag) => [flag.key, one.flagButtons.get(flag.flag)])];
      for (const [key, button] of told) {
        button.dataset.key = one.place.hidden || taken.has(key) ? "" : key; // Enter on it still saves
        if (!one.place.hidden) taken.add(key);
      }
    }
  }

  #applies(one) {
    return Object.entries(one.question.only_if).every(([name, values]) => {
      const before = this.questions.find((other) => other.question.name === name);
      if (!before || !this.#applies(before)) return false;
      return values.some((value) => before.chosen.has(value) || before.counts.has(value));
    });
  }

  #answer(one) {
    const order = one.question.values.map((value) => value.value);
    if (one.question.counted) return Object.fromEntries(order.filter((value) => one.counts.has(value)).map((value) => [value, one.counts.get(value)]));
    const chosen = order.filter((value) => one.chosen.has(value));
    if (one.question.several) return chosen;
    if (!chosen.length) return null;
    return chosen[0] + one.question.flags.map((flag) => flag.flag).filter((flag) => one.flags.has(flag)).join("");
  }

  // The whole answer, or null while a question has none.
  value() {
    const told = this.partial();
    const parts = this.#single() ? [told] : Object.values(told);
    return parts.some((part) => part === null) ? null : told;
  }

  partial() {
    if (this.#single()) return this.#answer(this.questions[0]);
    return Object.fromEntries(this.questions.filter((one) => this.#applies(one)).map((one) => [one.question.name, this.#answer(one)]));
  }

  set(answer) {
    for (const one of this.questions) {
      const part = this.#single() ? answer : answer?.[one.question.name];
      one.chosen = new Set();
      one.flags = new Set();
      one.counts = new Map();
      if (Array.isArray(part)) one.chosen = new Set(part);
      else if (typeof part === "string") this.#read(one, part);
      else if (one.question.counted && part) one.counts = new Map(Object.entries(part));
    }
    this.#current = 0;
    this.#toUnanswered(0);
    this.#show();
  }

  #read(one, part) {
    const bases = one.question.values.map((value) => value.value).filter((value) => part.startsWith(value));
    const base = bases.sort((a, b) => b.length - a.length)[0];
    if (base !== undefined) one.chosen.add(base);
    for (const flag of part.slice(base?.length ?? 0)) one.flags.add(flag);
  }

  #single() {
    return this.questions.length === 1 && !this.questions[0].question.name;
  }
}
