// Things to decide about, one at a time. Some are held ahead, so that the next is there at once; the last ones that were
// decided lie behind and can be had back, also after the page was loaded again.
import { Refused, send } from "./api.js";
import { outbox } from "./outbox.js";

const BEHIND = 10;
const AHEAD = 5;
const account = document.querySelector('meta[name="account"]')?.content ?? "";

export class Queue {
  #ahead = [];
  #behind = [];
  #known; // what was decided here or is on its way; the server may offer it once more
  #since = performance.now();
  #filling = null;

  // `take` is the path that holds more, `id` tells what a thing is called, `sent` which thing an unsaved entry is about.
  constructor({ name, ahead, take, id, sent, show }) {
    Object.assign(this, { take, id, show, place: `otherwords:behind:${account}:${name}` });
    this.#behind = JSON.parse(sessionStorage.getItem(this.place) ?? "[]");
    this.#known = new Set(outbox.waiting().map(sent));
    this.#add(ahead);
  }

  get current() {
    return this.#ahead[0] ?? null;
  }

  get decided() {
    return this.#behind.length;
  }

  seconds() {
    return Math.round(performance.now() - this.#since) / 1000;
  }

  start() {
    this.#draw();
    this.#fill();
  }

  // The first is decided: the next comes up, and more are asked for before they are needed.
  pass(kept = {}) {
    const one = this.#ahead.shift();
    this.#known.add(this.id(one));
    this.#behind = [...this.#behind, { one, kept }].slice(-BEHIND);
    this.#draw();
    this.#fill();
  }

  // The last one that was decided comes back.
  back() {
    const last = this.#behind.pop();
    if (!last) return null;
    this.#known.delete(this.id(last.one));
    this.#ahead = [last.one, ...this.#ahead.filter((one) => this.id(one) !== this.id(last.one))];
    this.#draw(last.kept);
    return last.one;
  }

  // Something turned out not to be ours to decide.
  drop(name) {
    this.#known.add(name);
    this.#behind = this.#behind.filter(({ one }) => this.id(one) !== name);
    this.#ahead = this.#ahead.filter((one) => this.id(one) !== name);
    this.#draw();
    this.#fill();
  }

  #add(more) {
    const there = new Set(this.#ahead.map(this.id));
    this.#ahead.push(...more.filter((one) => !there.has(this.id(one)) && !this.#known.has(this.id(one))));
  }

  #draw(kept = null) {
    sessionStorage.setItem(this.place, JSON.stringify(this.#behind));
    this.#since = performance.now();
    this.show(this.current, kept);
  }

  // What is held comes again, and what is not saved yet as well, so as many more are asked for.
  async #fill() {
    if (this.#filling || this.#ahead.length >= AHEAD) return;
    const had = this.#ahead.length;
    try {
      this.#filling = send("POST", `${this.take}?count=${Math.min(had + outbox.waiting().length + AHEAD, 50)}`);
      this.#add(await this.#filling);
      if (!had && this.current) this.#draw();
    } catch (problem) {
      if (problem instanceof Refused && problem.status === 401) location.reload();
    } finally {
      this.#filling = null;
    }
  }
}
