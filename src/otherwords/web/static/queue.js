// Items to decide about, one at a time. Some are reserved ahead, so that the next one appears at once; the last decided
// ones can be brought back, even after a reload.
import { Refused, send } from "./api.js";
import { byId } from "./dom.js";
import { nothingToShow } from "./nothing.js";
import { outbox } from "./outbox.js";

const MOST_DECIDED = 10;
const AHEAD = 5;
const RETRY = { offline: 2000, trouble: 5000 }; // milliseconds
const account = document.querySelector('meta[name="account"]')?.content ?? "";

export class Queue {
  #ahead = [];
  #decided = [];
  #known; // ids of items that were decided here; the server may offer them again until it has the decision
  #since = performance.now();
  #filling = null;
  #again = false;
  #timer = null;
  #supply = null; // how the last request for more ended: null while one is on its way, "dry" if there is nothing more

  // `take` is the path that reserves more, `id` gives the id of an item, `sent` the id that an unsaved entry is about.
  constructor({ name, ahead, take, id, sent, show }) {
    Object.assign(this, { take, id, show, storage: `otherwords:decided:${account}:${name}` });
    this.#decided = JSON.parse(sessionStorage.getItem(this.storage) ?? "[]");
    this.#known = new Set(outbox.waiting().map(sent));
    this.#add(ahead);
  }

  get current() {
    return this.#ahead[0] ?? null;
  }

  get decided() {
    return this.#decided.length;
  }

  // Show the work, or why there is none: nothing is left, or more cannot be had now.
  showEmpty() {
    const away = !this.current && this.#supply !== "dry";
    byId("work").hidden = !this.current;
    byId("nothing").hidden = Boolean(this.current) || away;
    byId("away").hidden = !away;
    if (!away) return;
    const { title, text } = nothingToShow({}, this.#supply, outbox.waiting().length, "one");
    byId("away-title").textContent = title;
    byId("away-text").textContent = text;
  }

  seconds() {
    return Math.round(performance.now() - this.#since) / 1000;
  }

  start() {
    addEventListener("online", () => this.#fill());
    this.#draw();
    this.#fill();
  }

  // The current item is decided: show the next one, and reserve more before they are needed.
  pass(input = {}) {
    const item = this.#ahead.shift();
    this.#known.add(this.id(item));
    this.#supply = null;
    this.#decided = [...this.#decided, { item, input }].slice(-MOST_DECIDED);
    this.#draw();
    this.#fill();
  }

  // Bring back the item that was decided last.
  back() {
    const last = this.#decided.pop();
    if (!last) return null;
    this.#known.delete(this.id(last.item));
    this.#ahead = [last.item, ...this.#ahead.filter((item) => this.id(item) !== this.id(last.item))];
    this.#draw(last.input);
    return last.item;
  }

  // Remove an item that turned out to be somebody else's.
  drop(name) {
    this.#known.add(name);
    this.#supply = null;
    this.#decided = this.#decided.filter(({ item }) => this.id(item) !== name);
    this.#ahead = this.#ahead.filter((item) => this.id(item) !== name);
    this.#draw();
    this.#fill();
  }

  #add(more) {
    const present = new Set(this.#ahead.map(this.id));
    this.#ahead.push(...more.filter((item) => !present.has(this.id(item)) && !this.#known.has(this.id(item))));
  }

  #draw(input = null) {
    sessionStorage.setItem(this.storage, JSON.stringify(this.#decided));
    this.#since = performance.now();
    this.show(this.current, input);
  }

  // The server sends reserved items again, also those whose decision is not saved yet, so ask for as many more.
  async #fill() {
    if (this.#filling) this.#again = true; // what is on its way was asked for before the last decision
    if (this.#filling || this.#ahead.length >= AHEAD) return;
    const before = this.#ahead.length;
    this.#again = false;
    try {
      this.#filling = send("POST", `${this.take}?count=${Math.min(before + outbox.waiting().length + AHEAD, 50)}`);
      this.#add(await this.#filling);
      this.#supply = "dry";
      if (!before && this.current) this.#draw();
    } catch (problem) {
      if (problem instanceof Refused && problem.status === 401) return location.reload();
      this.#supply = problem instanceof Refused ? (problem.status >= 500 || problem.status === 429 ? "trouble" : problem.message) : "offline";
      clearTimeout(this.#timer);
      if (!this.current && RETRY[this.#supply]) this.#timer = setTimeout(() => this.#fill(), RETRY[this.#supply]);
    } finally {
      this.#filling = null;
    }
    if (this.#again) return this.#fill();
    if (!this.current) this.#draw();
  }
}
