// The buttons of a scheme, question by question: one value, several values, or a count for each, and the flags of a value.
// One question has the keys at a time, so that two may use the same ones: after an answer it is the next unanswered one;
// the arrow keys and the focus choose another. A question whose condition does not hold is hidden and has no answer.
import { el } from "./dom.js";
import { printKey } from "./keys.js";
import { t, withElements } from "./texts.js";

const MOST_TIMES = 999;

export class Answers {
  #current = 0;
  #shift = false;
  #last = null; // the question that was answered last

  constructor(place, scheme, changed) {
    this.scheme = scheme;
    this.changed = changed;
    this.questions = scheme.questions
      .filter((question) => question.kind === "choice")
      .map((question) => ({ question, chosen: new Set(), flags: new Set(), counts: new Map(), buttons: new Map(), flagButtons: new Map() }));
    for (const field of this.questions) place.append((field.place = this.#drawField(field)));
    if (this.questions.length > 1) {
      place.append(el("p", { class: "hint by-keys" }, ...withElements(t("{up} {down} choose the question that gets the keys"), { up: el("kbd", {}, "↑"), down: el("kbd", {}, "↓") })));
      document.addEventListener("keydown", (event) => this.#arrow(event));
    }
    document.addEventListener("keydown", (event) => (this.#shift = event.shiftKey), true);
    document.addEventListener("keyup", () => (this.#shift = false), true);
    this.#show();
  }

  #drawField(field) {
    const values = field.question.values.map((value) => this.#value(field, value));
    const flags = field.question.flags.map((flag) => this.#button(field.flagButtons, flag.flag, flag, () => this.#flag(field, flag)));
    field.help = el("p", { class: "hint help", "aria-live": "polite" });
    field.refusal = el("p", { class: "bad refusal", role: "alert" });
    return el(
      "fieldset",
      { class: this.questions.length > 1 ? "one-of-several" : null, on: { focusin: () => this.#turnTo(this.questions.indexOf(field)) } },
      field.question.title ? el("legend", {}, field.question.title) : null,
      field.question.several ? el("p", { class: "hint" }, t("As many as fit.")) : null,
      field.question.counted ? el("p", { class: "hint by-keys" }, ...withElements(t("A key adds one, {shift} with it takes one away."), { shift: el("kbd", {}, "⇧") })) : null,
      el("div", { class: "values" }, ...values),
      flags.length ? el("div", { class: "flags" }, ...flags) : null,
      field.help,
      field.refusal,
    );
  }

  #value(field, value) {
    if (!field.question.counted) return this.#button(field.buttons, value.value, value, () => this.#choose(field, value.value));
    const more = this.#button(field.buttons, value.value, value, (event) => this.#count(field, value.value, event.shiftKey || (!event.detail && this.#shift) ? -1 : 1));
    more.append(el("output", { class: "times" }));
    const fewer = el("button", { type: "button", class: "plain fewer", "aria-label": t("One {name} fewer", { name: value.name }), data: { key: "", unprinted: "" }, on: { click: () => this.#count(field, value.value, -1) } }, "−");
    return el("span", { class: "counted" }, more, fewer);
  }

  #button(buttons, name, option, run) {
    const button = el("button", { type: "button", "aria-pressed": "false", title: option.help || null, data: { key: option.key, what: option.name }, on: { click: run } }, option.name);
    if (option.colour) button.dataset.tone = option.colour;
    printKey(button);
    if (name === option.key) button.querySelector("kbd").classList.add("letter"); // of the label, also where no keys are shown
    buttons.set(name, button);
    return button;
  }

  #choose(field, value) {
    if (field.question.several) field.chosen.has(value) ? field.chosen.delete(value) : field.chosen.add(value);
    else field.chosen = new Set([value]);
    field.flags = new Set([...field.flags].filter((flag) => this.#fits(field, flag)));
    this.#finishAnswer(field);
  }

  #count(field, value, more) {
    const times = Math.max(0, Math.min(MOST_TIMES, (field.counts.get(value) ?? 0) + more));
    times ? field.counts.set(value, times) : field.counts.delete(value);
    this.#finishAnswer(field);
  }

  // A flag alone also chooses its value if only one value can have it: “>” means “4>”. It never changes a chosen value.
  #flag(field, flag) {
    if (field.flags.has(flag.flag)) field.flags.delete(flag.flag);
    else {
      if (!field.chosen.size && flag.on.length === 1) field.chosen = new Set(flag.on);
      if (!this.#fits(field, flag.flag)) return this.#refuse(field, flag);
      for (const other of flag.excludes) field.flags.delete(other);
      field.flags.add(flag.flag);
    }
    this.#finishAnswer(field);
  }

  #refuse(field, flag) {
    const values = flag.on.join(t(" or "));
    field.refusal.textContent = t("“{flag}” belongs to {values} only: choose {values} first.", { flag: flag.flag, values });
  }

  #fits(field, name) {
    const flag = field.question.flags.find((other) => other.flag === name);
    return [...field.chosen].some((value) => flag.on.includes(value));
  }

  // If more may be added to the answer, the question keeps the keys; the arrow keys lead on.
  #finishAnswer(field) {
    this.#current = this.questions.indexOf(field);
    this.#last = field;
    const { several, counted, flags } = field.question;
    if (!several && !counted && !flags.length) this.#toUnanswered(this.#current + 1);
    this.#show();
    this.#keepInSight(field);
    this.changed();
  }

  // In a low window what was pressed, or the question that comes next, may be below what is seen.
  #keepInSight(field) {
    const current = this.questions[this.#current];
    const shown = current === field ? field.place.querySelector("[aria-pressed=true]") : current.place;
    if (!field.place.closest("[data-docked]")) shown?.scrollIntoView({ block: "nearest" });
  }

  #toUnanswered(from) {
    const open = (field, place) => place >= from && this.#applies(field) && !field.chosen.size && !field.counts.size;
    const next = this.questions.findIndex(open);
    if (next >= 0) this.#current = next;
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
    for (const [place, field] of this.questions.entries()) {
      field.place.hidden = !this.#applies(field);
      field.refusal.textContent = "";
      field.place.toggleAttribute("data-current", place === this.#current);
      for (const [value, button] of field.buttons) this.#showValue(field, value, button);
      for (const [flag, button] of field.flagButtons) button.setAttribute("aria-pressed", String(field.flags.has(flag)));
      field.help.textContent = this.questions.length > 1 && field.chosen.size === 1 ? this.#chosenValue(field).help : "";
    }
    this.#giveKeys();
  }

  #chosenValue(field) {
    return field.question.values.find((value) => field.chosen.has(value.value));
  }

  #showValue(field, value, button) {
    const times = field.counts.get(value) ?? 0;
    button.setAttribute("aria-pressed", String(field.chosen.has(value) || times > 0));
    if (!field.question.counted) return;
    button.querySelector(".times").textContent = times || "";
    button.parentElement.querySelector(".fewer").disabled = !times;
  }

  // The current question gets its keys, every other question those that no question before it uses.
  #giveKeys() {
    const taken = new Set();
    for (const field of [this.questions[this.#current], ...this.questions].filter((candidate, place, all) => candidate && all.indexOf(candidate) === place)) {
      const keyed = [...field.question.values.map((value) => [value.key, field.buttons.get(value.value)]), ...field.question.flags.map((flag) => [flag.key, field.flagButtons.get(flag.flag)])];
      for (const [key, button] of keyed) {
        const unseen = field.place.hidden || button.hidden;
        button.dataset.key = unseen || taken.has(key) ? "" : key; // Enter on it still saves
        if (!unseen) taken.add(key);
      }
    }
  }

  #applies(field) {
    return Object.entries(field.question.only_if).every(([name, values]) => {
      const before = this.questions.find((other) => other.question.name === name);
      if (!before || !this.#applies(before)) return false;
      return values.some((value) => before.chosen.has(value) || before.counts.has(value));
    });
  }

  #answer(field) {
    const order = field.question.values.map((value) => value.value);
    if (field.question.counted) return Object.fromEntries(order.filter((value) => field.counts.has(value)).map((value) => [value, field.counts.get(value)]));
    const chosen = order.filter((value) => field.chosen.has(value));
    if (field.question.several) return chosen;
    if (!chosen.length) return null;
    return chosen[0] + field.question.flags.map((flag) => flag.flag).filter((flag) => field.flags.has(flag)).join("");
  }

  // Of candidates, a group may have fewer than the scheme has numbers.
  about(task) {
    if (!this.scheme.candidates) return;
    for (const { buttons } of this.questions) for (const [value, button] of buttons) button.hidden = Number(value) >= task.texts.length;
  }

  // Whether two questions name the same candidate.
  #twice() {
    const named = this.questions.flatMap((field) => [...field.chosen]);
    return this.scheme.candidates && new Set(named).size < named.length;
  }

  // The whole answer, or null while a question is unanswered.
  value() {
    if (this.#twice()) return null;
    const answer = this.partial();
    const parts = this.#single() ? [answer] : Object.values(answer);
    return parts.some((part) => part === null) ? null : answer;
  }

  // What to do before the answer is whole.
  missing() {
    if (this.#twice()) return t("The same text is chosen twice: choose different ones.");
    const open = this.questions.find((field) => this.#applies(field) && this.#answer(field) === null);
    return open?.question.title ? t("“{question}” has no answer yet: choose one first.", { question: open.question.title }) : t("An answer is missing: choose one first.");
  }

  // Whether something can be added to the answer that was given last: a flag, a further value, a count.
  canGrow() {
    if (!this.#last) return true;
    const { several, counted, flags } = this.#last.question;
    return several || counted || flags.some((flag) => flag.on.some((value) => this.#last.chosen.has(value)));
  }

  partial() {
    if (this.#single()) return this.#answer(this.questions[0]);
    return Object.fromEntries(this.questions.filter((field) => this.#applies(field)).map((field) => [field.question.name, this.#answer(field)]));
  }

  set(answer) {
    for (const field of this.questions) {
      const part = this.#single() ? answer : answer?.[field.question.name];
      field.chosen = new Set();
      field.flags = new Set();
      field.counts = new Map();
      if (Array.isArray(part)) field.chosen = new Set(part);
      else if (typeof part === "string") this.#read(field, part);
      else if (field.question.counted && part) field.counts = new Map(Object.entries(part));
    }
    this.#current = 0;
    this.#last = null;
    this.#toUnanswered(0);
    this.#show();
  }

  #read(field, part) {
    const bases = field.question.values.map((value) => value.value).filter((value) => part.startsWith(value));
    const base = bases.sort((a, b) => b.length - a.length)[0];
    if (base !== undefined) field.chosen.add(base);
    for (const flag of part.slice(base?.length ?? 0)) field.flags.add(flag);
  }

  #single() {
    return this.questions.length === 1 && !this.questions[0].question.name;
  }
}
