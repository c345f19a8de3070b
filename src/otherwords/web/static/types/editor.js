// Marking phenomena: words in both texts, a type and its attributes; committed phenomena are rows of a list. Marks are
// drawn over the two texts of the page, which stay unchanged. This is the answer to a question of kind “types”.
import { Refused, get } from "../api.js";
import { byId, el, pageData } from "../dom.js";
import { mark, unmark } from "../highlights.js";
import { printKey } from "../keys.js";
import { Offsets } from "../offsets.js";
import { projectionName, quoted } from "../phenomena.js";
import { PhenomenaList } from "./list.js";
import { Palette } from "./palette.js";
import { MarkedText } from "./text.js";
import { identical, keysOf, numbersOf, problemOf, rangesOf, scopesOf, shared } from "./marks.js";
import { t } from "../texts.js";

const HINT = {
  mouse: t("Drag over words, with Shift for another part. By keys: arrows, with Shift to mark, Space for one word; Tab goes to the other text, Esc away from it."),
  touch: t("Tap the words; another tap takes one away."),
};
const COLOURS = ["blue", "teal", "violet", "rose", "amber", "green", "grey"];
const DRAWN = [...COLOURS.map((colour) => `type-${colour}`), "type-shared", "type-seen", "type-chosen", "type-key", "type-cursor"];
const tokensOf = (task) => (task.slot ? `/slots/${task.slot}/tokens` : `/pairs/${encodeURIComponent(task.pair)}/tokens`);
const emptyMark = () => ({ type: null, projection: null, scopes: [new Set(), new Set()], keys: [new Set(), new Set()], meta: null, place: null });
const isEmpty = (mark) => !mark.type && [...mark.scopes, ...mark.keys].every((tokens) => !tokens.size);

export class TypesEditor {
  #phenomena = [];
  #draft = emptyMark(); // what is being marked, in tokens
  #steps = []; // the state before each step
  #keying = false; // marking key elements, not the scope
  #tokens = null; // ranges in code points of both texts; null until they are loaded
  #task = null;

  constructor(question, changed) {
    this.types = question.types;
    this.changed = changed;
    const free = pageData()?.pre_annotate === true && this.types.some((type) => type.identical);
    this.palette = new Palette(this.types, (tag) => this.#choose(tag));
    this.list = new PhenomenaList({
      typeOf: (phenomenon) => this.#typeOf(phenomenon.type),
      highlight: (place) => this.#highlightRow(place),
      edit: (place) => this.#edit(place),
      remove: (place) => this.#remove(place),
      undo: () => this.#undo(),
      identical: free ? () => this.#markIdentical() : null,
    });
    this.texts = ["text1", "text2"].map((id, side) => this.#text(byId(id), side));
    this.element = el("div", { class: "types-editor" }, this.#bench(), el("div", { class: "beside" }, this.palette.element, this.list.element));
    new ResizeObserver(() => this.#draw()).observe(this.element); // it appears and disappears with the answer before it
  }

  #text(element, side) {
    element.setAttribute("aria-describedby", "marking-hint");
    return new MarkedText(element, {
      active: () => this.#active,
      idle: () => isEmpty(this.#draft),
      chosen: () => (this.#keying ? this.#draft.keys : this.#draft.scopes)[side],
      choose: (tokens) => this.#marked(side, tokens),
      moved: () => this.#draw(),
      other: () => this.texts[1 - side].element.focus(),
    });
  }

  #bench() {
    this.begun = el("output", { class: "begun", "aria-live": "polite" });
    this.projection = button("p", t("Projection"), t("projection: local or global"), () => this.#project());
    this.keyed = button("q", t("Key elements"), t("mark key elements"), () => this.#key());
    this.commit = button("Enter", t("Commit"), t("commit the phenomenon"), () => this.#commit());
    this.commit.classList.add("main");
    this.clear = button("Escape", t("Clear"), t("clear what is marked"), () => this.#drop());
    this.why = el("p", { class: "bad why", role: "alert" });
    const hint = el("p", { class: "hint", id: "marking-hint" }, el("span", { class: "by-keys" }, HINT.mouse), el("span", { class: "by-touch" }, HINT.touch));
    this.bench = el("div", { class: "bench" });
    this.bench.append(el("div", { class: "row" }, this.begun, this.projection, this.keyed, this.commit, this.clear), this.palette.help, hint, this.why);
    return this.bench;
  }

  get #active() {
    return this.#tokens !== null && this.element.checkVisibility();
  }

  // Another pair: its texts are on the page, its tokens are loaded now unless they are here already.
  async about(task, next = null) {
    if (this.#task !== task) [this.#phenomena, this.#draft] = [[], emptyMark()]; // those of the previous pair do not fit
    this.#task = task;
    this.#tokens = null;
    this.#steps = [];
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

  // Focus the first text, unless the focus is elsewhere on the page.
  enter() {
    const busy = document.activeElement !== document.body && !this.texts.some((text) => text.focused);
    if (this.#active && !busy) this.texts[0].element.focus({ preventScroll: true });
  }

  // A whole answer; while a phenomenon is not committed there is none.
  value() {
    return this.#phenomena.length && isEmpty(this.#draft) ? this.#phenomena : null;
  }

  // The same with the uncommitted phenomenon, as a draft.
  partial() {
    if (isEmpty(this.#draft)) return this.#phenomena.length ? this.#phenomena : null;
    const { scopes, keys, ...rest } = this.#draft;
    return { phenomena: this.#phenomena, begun: { ...rest, scopes: scopes.map((tokens) => [...tokens]), keys: keys.map((tokens) => [...tokens]) } };
  }

  set(answer) {
    const begun = answer?.begun;
    this.#phenomena = structuredClone(Array.isArray(answer) ? answer : (answer?.phenomena ?? []));
    this.#draft = begun ? { ...begun, scopes: begun.scopes.map((tokens) => new Set(tokens)), keys: begun.keys.map((tokens) => new Set(tokens)) } : emptyMark();
    this.#keying = false;
    this.why.textContent = "";
    this.#show();
  }

  #typeOf(tag) {
    return this.types.find((type) => type.tag === tag) ?? null;
  }

  #choose(tag) {
    const type = this.#typeOf(tag);
    if (isEmpty(this.#draft)) this.#remember();
    Object.assign(this.#draft, { type: tag, projection: type.projection === "required" ? this.#draft.projection : null });
    if (!type.keys) Object.assign(this.#draft, { keys: [new Set(), new Set()] });
    if (!type.keys) this.#keying = false;
    if (!type.identical) this.#draft.meta = null;
    this.texts[this.texts[1].focused || this.lastSide === 1 ? 1 : 0].element.focus({ preventScroll: true });
    this.#step();
    this.bench.scrollIntoView({ block: "nearest" });
  }

  #marked(side, tokens) {
    this.lastSide = side;
    if (isEmpty(this.#draft)) this.#remember();
    if (this.#keying) this.#draft.keys[side] = new Set([...tokens].filter((number) => this.#draft.scopes[side].has(number)));
    else {
      this.#draft.scopes[side] = tokens;
      this.#draft.keys[side] = new Set([...this.#draft.keys[side]].filter((number) => tokens.has(number)));
    }
    this.#step();
  }

  #project() {
    this.#draft.projection = this.#draft.projection === "local" ? "global" : "local";
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
    const { type, projection, scopes, keys, meta } = this.#draft;
    const ranges = (sets) => sets.map((tokens, side) => rangesOf(tokens, this.#tokens[side]));
    const [scope1, scope2] = ranges(scopes);
    const [key1, key2] = ranges(keys);
    const all = { type, scope1, scope2, projection, key1, key2, meta };
    const needed = ([name, value]) => ["type", "scope1", "scope2"].includes(name) || (value && value.length !== 0);
    return Object.fromEntries(Object.entries(all).filter(needed));
  }

  #commit() {
    const phenomenon = this.#phenomenon();
    const { place } = this.#draft;
    const others = this.#phenomena.filter((_, number) => number !== place);
    const problem = problemOf(phenomenon, this.#typeOf(phenomenon.type), others, (other) => this.#typeOf(other.type));
    this.why.textContent = problem ?? "";
    if (problem) return;
    this.#remember();
    if (place === null) this.#phenomena.push(phenomenon);
    else this.#phenomena[place] = phenomenon;
    this.list.current = place;
    this.#begin(emptyMark());
  }

  #drop() {
    this.#remember();
    this.#begin(emptyMark());
  }

  #edit(place) {
    const phenomenon = this.#phenomena[place];
    this.#remember();
    const numbers = (ranges) => ranges.map((side, number) => numbersOf(side, this.#tokens[number]));
    this.#begin({ type: phenomenon.type, projection: phenomenon.projection ?? null, scopes: numbers(scopesOf(phenomenon)), keys: numbers(keysOf(phenomenon)), meta: phenomenon.meta ?? null, place });
  }

  #remove(place) {
    this.#remember();
    this.#phenomena = this.#phenomena.filter((_, number) => number !== place);
    this.#begin(this.#draft.place === null ? this.#draft : emptyMark());
  }

  #markIdentical() {
    const type = this.types.find((candidate) => candidate.identical);
    const [tokens1, tokens2] = identical(this.texts[0].words(), this.texts[1].words());
    if (!tokens1.size) return void (this.why.textContent = t("The texts have no word in common."));
    const marked = { type: type.tag, scope1: rangesOf(tokens1, this.#tokens[0]), scope2: rangesOf(tokens2, this.#tokens[1]), meta: { pre: true } };
    const problem = problemOf(marked, type, this.#phenomena, (other) => this.#typeOf(other.type));
    if (problem) return void (this.why.textContent = problem);
    this.#remember();
    this.#phenomena.push(marked);
    this.#begin(this.#draft);
  }

  #begin(begun) {
    this.#draft = begun;
    this.#keying = false;
    this.#step();
  }

  #remember() {
    this.#steps.push(structuredClone([this.#phenomena, this.#draft]));
  }

  // Starting a phenomenon is a step as well; the steps of one that a closed page left are not known any more.
  #undo() {
    const [phenomena, begun] = this.#steps.pop() ?? [this.#phenomena, emptyMark()];
    this.#phenomena = phenomena;
    this.#begin(begun);
  }

  #show() {
    const type = this.#typeOf(this.#draft.type);
    this.palette.set(this.#draft.type);
    this.projection.hidden = type?.projection !== "required";
    this.projection.lastChild.textContent = t("Projection: {which}", { which: projectionName(this.#draft.projection) ?? t("choose") });
    this.keyed.hidden = !type?.keys;
    this.keyed.setAttribute("aria-pressed", String(this.#keying));
    const empty = isEmpty(this.#draft);
    this.list.show(this.#phenomena, this.offsets, this.#steps.length > 0 || !empty);
    this.commit.disabled = this.clear.disabled = empty || this.#tokens === null;
    this.commit.lastChild.textContent = this.#draft.place === null ? t("Commit") : t("Commit the change");
    this.#showDraft(type, empty);
    this.#draw();
  }

  #showDraft(type, empty) {
    if (empty || !this.#tokens) return this.begun.replaceChildren(el("span", { class: "soft" }, this.#tokens ? t("Mark words, and choose a type.") : t("The words are on their way.")));
    const words = this.#draft.scopes.map((tokens, side) => quoted(rangesOf(tokens, this.#tokens[side]), this.offsets[side]));
    const name = type ? el("span", { class: "type", data: { colour: type.colour ?? "grey" } }, type.name) : el("span", { class: "chip open" }, t("no type yet"));
    this.begun.replaceChildren(name, " ", el("bdi", {}, words[0] || "…"), type?.one_sided ? " · " : " → ", el("bdi", {}, words[1] || "…"));
  }

  #highlightRow(place) {
    const phenomenon = place === null ? null : this.#phenomena[place];
    this.#mark("type-seen", phenomenon ? scopesOf(phenomenon) : [[], []]);
  }

  // Draw the marks over the texts; later ones lie on top.
  #draw() {
    if (!this.offsets || !this.element.checkVisibility()) return DRAWN.forEach(unmark);
    for (const colour of COLOURS) {
      const coloured = this.#phenomena.filter((phenomenon) => (this.#typeOf(phenomenon.type)?.colour ?? "grey") === colour);
      this.#mark(`type-${colour}`, [0, 1].map((side) => coloured.flatMap((phenomenon) => scopesOf(phenomenon)[side])));
    }
    this.#mark("type-shared", [0, 1].map((side) => shared(this.#phenomena.map((phenomenon) => scopesOf(phenomenon)[side]))));
    this.#highlightRow(this.list.current);
    if (!this.#tokens) return;
    const ranges = (sets) => sets.map((tokens, side) => rangesOf(tokens, this.#tokens[side]));
    this.#mark("type-chosen", ranges(this.#draft.scopes));
    this.#mark("type-key", ranges(this.#draft.keys));
    this.#mark("type-cursor", this.texts.map((text, side) => (text.focused && text.cursor !== null ? [this.#tokens[side][text.cursor]] : [])));
  }

  #mark(name, scopes) {
    const units = (side) => (point) => this.offsets[side].toUnits(point);
    mark(name, scopes.flatMap((ranges, side) => ranges.map((range) => [this.texts[side].element, ...range.map(units(side))])));
  }
}

function button(key, name, what, run) {
  const element = el("button", { type: "button", data: { key, what }, on: { click: run } }, name);
  printKey(element);
  return element;
}
