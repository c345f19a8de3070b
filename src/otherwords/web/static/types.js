// Marking phenomena: words in both texts, a type, what the type asks for besides; committed, they are rows of a list.
// Drawn over the two texts of the page, which stay as they are. It is the part of an answer that a question of types gets.
import { Refused, get } from "./api.js";
import { byId, el, told } from "./dom.js";
import { mark, unmark } from "./highlights.js";
import { printKey } from "./keys.js";
import { Offsets } from "./offsets.js";
import { quoted } from "./phenomena.js";
import { PhenomenaList } from "./types_list.js";
import { Palette } from "./types_palette.js";
import { MarkedText } from "./types_text.js";
import { identical, keysOf, numbersOf, problemOf, rangesOf, scopesOf, shared } from "./types_marks.js";

const HINT = "Drag over words, with Shift for another part. By keys: arrows, with Shift to mark, Space for one word; Tab goes to the other text, Esc away from it.";
const COLOURS = ["blue", "teal", "violet", "rose", "amber", "green", "grey"];
const DRAWN = [...COLOURS.map((colour) => `type-${colour}`), "type-shared", "type-seen", "type-chosen", "type-key", "type-cursor"];
const tokensOf = (task) => (task.slot ? `/slots/${task.slot}/tokens` : `/pairs/${encodeURIComponent(task.pair)}/tokens`);
const nothing = () => ({ type: null, projection: null, scopes: [new Set(), new Set()], keys: [new Set(), new Set()], meta: null, place: null });
const cleared = (begun) => !begun.type && [...begun.scopes, ...begun.keys].every((tokens) => !tokens.size);

export class TypesEditor {
  #phenomena = [];
  #begun = nothing(); // what is being marked, in tokens
  #before = []; // what it was before each step
  #keying = false; // marking key elements, not the scope
  #tokens = null; // ranges in code points of both texts; null until they have come
  #task = null;

  constructor(question, changed) {
    this.types = question.types;
    this.changed = changed;
    const free = told()?.pre_annotate === true && this.types.some((type) => type.identical);
    this.palette = new Palette(this.types, (tag) => this.#choose(tag));
    this.list = new PhenomenaList({
      typeOf: (one) => this.#typeOf(one.type),
      seen: (place) => this.#seen(place),
      edit: (place) => this.#edit(place),
      remove: (place) => this.#remove(place),
      undo: () => this.#undo(),
      identical: free ? () => this.#markIdentical() : null,
    });
    this.texts = ["text1", "text2"].map((id, side) => this.#text(byId(id), side));
    this.element = el("div", { class: "types-editor" }, this.#bench(), el("div", { class: "beside" }, this.palette.element, this.list.element));
    new ResizeObserver(() => this.#draw()).observe(this.element); // it comes and goes with the answer before it
  }

  #text(element, side) {
    element.setAttribute("aria-describedby", "marking-hint");
    return new MarkedText(element, {
      active: () => this.#active,
      idle: () => cleared(this.#begun),
      chosen: () => (this.#keying ? this.#begun.keys : this.#begun.scopes)[side],
      choose: (tokens) => this.#marked(side, tokens),
      moved: () => this.#draw(),
      other: () => this.texts[1 - side].element.focus(),
    });
  }

  #bench() {
    this.begun = el("output", { class: "begun", "aria-live": "polite" });
    this.projection = button("p", "Projection", "projection: local or global", () => this.#project());
    this.keyed = button("q", "Key elements", "mark key elements", () => this.#key());
    this.commit = button("Enter", "Commit", "commit the phenomenon", () => this.#commit());
    this.commit.classList.add("main");
    this.clear = button("Escape", "Clear", "clear what is marked", () => this.#drop());
    this.why = el("p", { class: "bad why", role: "alert" });
    const hint = el("p", { class: "hint", id: "marking-hint" }, HINT);
    this.bench = el("div", { class: "bench" });
    this.bench.append(el("div", { class: "row" }, this.begun, this.projection, this.keyed, this.commit, this.clear), this.palette.help, hint, this.why);
    return this.bench;
  }

  get #active() {
    return this.#tokens !== null && this.element.checkVisibility();
  }

  // Another pair: its texts are on the page, its tokens are on their way or here already.
  async about(task, next = null) {
    if (this.#task !== task) [this.#phenomena, this.#begun] = [[], nothing()]; // those of the pair before do not fit
    this.#task = task;
    this.#tokens = null;
    this.#before = [];
    this.list.current = null;
    this.offsets = [task.text1, task.text2].map((text) => new Offsets(text));
    this.texts.forEach((text, side) => text.show([task.text1, task.text2][side], []));
    try {
      task.tokens ??= await get(tokensOf(task));
    } catch (problem) {
      if (problem instanceof Refused) this.why.textContent = problem.message;
      else setTimeout(() => this.#task === task && this.about(task, next), 2000);
      return;
    }
    if (this.#task !== task) return;
    this.#tokens = [task.tokens.text1, task.tokens.text2];
    this.texts.forEach((text, side) => text.show([task.text1, task.text2][side], this.#tokens[side]));
    this.#show();
    this.enter();
    if (next && !next.tokens) get(tokensOf(next)).then((tokens) => (next.tokens ??= tokens), () => {});
  }

  // Begin with the first text, unless somebody is busy elsewhere on the page.
  enter() {
    const busy = document.activeElement !== document.body && !this.texts.some((text) => text.focused);
    if (this.#active && !busy) this.texts[0].element.focus({ preventScroll: true });
  }

  // A whole answer: what is begun and not committed is none yet.
  value() {
    return this.#phenomena.length && cleared(this.#begun) ? this.#phenomena : null;
  }

  // The same with what is begun, as a draft.
  partial() {
    if (cleared(this.#begun)) return this.#phenomena.length ? this.#phenomena : null;
    const { scopes, keys, ...rest } = this.#begun;
    return { phenomena: this.#phenomena, begun: { ...rest, scopes: scopes.map((one) => [...one]), keys: keys.map((one) => [...one]) } };
  }

  set(answer) {
    const begun = answer?.begun;
    this.#phenomena = structuredClone(Array.isArray(answer) ? answer : (answer?.phenomena ?? []));
    this.#begun = begun ? { ...begun, scopes: begun.scopes.map((one) => new Set(one)), keys: begun.keys.map((one) => new Set(one)) } : nothing();
    this.#keying = false;
    this.why.textContent = "";
    this.#show();
  }

  #typeOf(tag) {
    return this.types.find((type) => type.tag === tag) ?? null;
  }

  #choose(tag) {
    const type = this.#typeOf(tag);
    if (cleared(this.#begun)) this.#remember();
    Object.assign(this.#begun, { type: tag, projection: type.projection === "required" ? this.#begun.projection : null });
    if (!type.keys) Object.assign(this.#begun, { keys: [new Set(), new Set()] });
    if (!type.keys) this.#keying = false;
    if (!type.identical) this.#begun.meta = null;
    this.texts[this.texts[1].focused || this.lastSide === 1 ? 1 : 0].element.focus({ preventScroll: true });
    this.#step();
    this.bench.scrollIntoView({ block: "nearest" });
  }

  #marked(side, tokens) {
    this.lastSide = side;
    if (cleared(this.#begun)) this.#remember();
    if (this.#keying) this.#begun.keys[side] = new Set([...tokens].filter((number) => this.#begun.scopes[side].has(number)));
    else {
      this.#begun.scopes[side] = tokens;
      this.#begun.keys[side] = new Set([...this.#begun.keys[side]].filter((number) => tokens.has(number)));
    }
    this.#step();
  }

  #project() {
    this.#begun.projection = this.#begun.projection === "local" ? "global" : "local";
    this.#step();
  }

  #key() {
    this.#keying = !this.#keying;
    this.#step();
  }

  // What is being marked has changed.
  #step() {
    this.why.textContent = "";
    this.#show();
    this.changed();
  }

  // The marks in tokens as a phenomenon.
  #phenomenon() {
    const { type, projection, scopes, keys, meta } = this.#begun;
    const ranges = (sets) => sets.map((tokens, side) => rangesOf(tokens, this.#tokens[side]));
    const [scope1, scope2] = ranges(scopes);
    const [key1, key2] = ranges(keys);
    const all = { type, scope1, scope2, projection, key1, key2, meta };
    const needed = ([name, value]) => ["type", "scope1", "scope2"].includes(name) || (value && value.length !== 0);
    return Object.fromEntries(Object.entries(all).filter(needed));
  }

  #commit() {
    const one = this.#phenomenon();
    const { place } = this.#begun;
    const others = this.#phenomena.filter((_, number) => number !== place);
    const problem = problemOf(one, this.#typeOf(one.type), others, (other) => this.#typeOf(other.type));
    this.why.textContent = problem ?? "";
    if (problem) return;
    this.#remember();
    if (place === null) this.#phenomena.push(one);
    else this.#phenomena[place] = one;
    this.list.current = place;
    this.#begin(nothing());
  }

  #drop() {
    this.#remember();
    this.#begin(nothing());
  }

  #edit(place) {
    const one = this.#phenomena[place];
    this.#remember();
    const numbers = (ranges) => ranges.map((side, number) => numbersOf(side, this.#tokens[number]));
    this.#begin({ type: one.type, projection: one.projection ?? null, scopes: numbers(scopesOf(one)), keys: numbers(keysOf(one)), meta: one.meta ?? null, place });
  }

  #remove(place) {
    this.#remember();
    this.#phenomena = this.#phenomena.filter((_, number) => number !== place);
    this.#begin(this.#begun.place === null ? this.#begun : nothing());
  }

  #markIdentical() {
    const type = this.types.find((one) => one.identical);
    const [one, two] = identical(this.texts[0].words(), this.texts[1].words());
    if (!one.size) return void (this.why.textContent = "The texts have no word in common.");
    const made = { type: type.tag, scope1: rangesOf(one, this.#tokens[0]), scope2: rangesOf(two, this.#tokens[1]), meta: { pre: true } };
    const problem = problemOf(made, type, this.#phenomena, (other) => this.#typeOf(other.type));
    if (problem) return void (this.why.textContent = problem);
    this.#remember();
    this.#phenomena.push(made);
    this.#begin(this.#begun);
  }

  #begin(begun) {
    this.#begun = begun;
    this.#keying = false;
    this.#step();
  }

  #remember() {
    this.#before.push(structuredClone([this.#phenomena, this.#begun]));
  }

  // To begin is a step as well; of what a closed page left begun the steps are not known any more.
  #undo() {
    const [phenomena, begun] = this.#before.pop() ?? [this.#phenomena, nothing()];
    this.#phenomena = phenomena;
    this.#begin(begun);
  }

  #show() {
    const type = this.#typeOf(this.#begun.type);
    this.palette.set(this.#begun.type);
    this.projection.hidden = type?.projection !== "required";
    this.projection.lastChild.textContent = `Projection: ${this.#begun.projection ?? "choose"}`;
    this.keyed.hidden = !type?.keys;
    this.keyed.setAttribute("aria-pressed", String(this.#keying));
    const empty = cleared(this.#begun);
    this.list.show(this.#phenomena, this.offsets, this.#before.length > 0 || !empty);
    this.commit.disabled = this.clear.disabled = empty || this.#tokens === null;
    this.commit.lastChild.textContent = this.#begun.place === null ? "Commit" : "Commit the change";
    this.#showBegun(type, empty);
    this.#draw();
  }

  #showBegun(type, empty) {
    if (empty || !this.#tokens) return this.begun.replaceChildren(el("span", { class: "soft" }, this.#tokens ? "Mark words, and choose a type." : "The words are on their way."));
    const words = this.#begun.scopes.map((tokens, side) => quoted(rangesOf(tokens, this.#tokens[side]), this.offsets[side]));
    const name = type ? el("span", { class: "type", data: { colour: type.colour ?? "grey" } }, type.name) : el("span", { class: "chip open" }, "no type yet");
    this.begun.replaceChildren(name, " ", el("bdi", {}, words[0] || "…"), type?.one_sided ? " · " : " → ", el("bdi", {}, words[1] || "…"));
  }

  #seen(place) {
    const one = place === null ? null : this.#phenomena[place];
    this.#mark("type-seen", one ? scopesOf(one) : [[], []]);
  }

  // Draw what is marked over the texts; the last ones lie on top.
  #draw() {
    if (!this.offsets || !this.element.checkVisibility()) return DRAWN.forEach(unmark);
    for (const colour of COLOURS) {
      const of = this.#phenomena.filter((one) => (this.#typeOf(one.type)?.colour ?? "grey") === colour);
      this.#mark(`type-${colour}`, [0, 1].map((side) => of.flatMap((one) => scopesOf(one)[side])));
    }
    this.#mark("type-shared", [0, 1].map((side) => shared(this.#phenomena.map((one) => scopesOf(one)[side]))));
    this.#seen(this.list.current);
    if (!this.#tokens) return;
    const ranges = (sets) => sets.map((tokens, side) => rangesOf(tokens, this.#tokens[side]));
    this.#mark("type-chosen", ranges(this.#begun.scopes));
    this.#mark("type-key", ranges(this.#begun.keys));
    this.#mark("type-cursor", this.texts.map((text, side) => (text.focused && text.cursor !== null ? [this.#tokens[side][text.cursor]] : [])));
  }

  #mark(name, scopes) {
    const units = (side) => (point) => this.offsets[side].toUnits(point);
    mark(name, scopes.flatMap((ranges, side) => ranges.map((range) => [this.texts[side].element, ...range.map(units(side))])));
  }
}

function button(key, name, what, run) {
  const made = el("button", { type: "button", data: { key, what }, on: { click: run } }, name);
  printKey(made);
  return made;
}
