// What was done and is not known to be on the server yet. It is written down in the browser before it is sent, so a
// cut network, a closed lid or a restarted server loses nothing: it is sent again, under the same key, until the
// server says that it has it.
import { Refused, newKey, send } from "./api.js";

const account = document.querySelector('meta[name="account"]')?.content ?? "";
const project = document.querySelector('meta[name="project"]')?.content ?? "";
const PREFIX = `otherwords:${project}:${account}:`;
const WAITING = `${PREFIX}waiting:`;
const REFUSED = `${PREFIX}refused:`;
const LONGEST_PAUSE = 30_000;

class Outbox extends EventTarget {
  everSent = false;
  #results = new Map();
  #reason = "";
  #pause = 1000;
  #timer = null;
  #busy = false;

  // Send something once and for all. `renew` is a path to call when the server says that it came too late.
  send(method, path, body = {}, { renew = null, what = "", query = false } = {}) {
    const key = newKey();
    const order = `${Date.now().toString().padStart(15, "0")}-${String(performance.now().toFixed(3)).padStart(14, "0")}`;
    const entry = { id: `${order}-${key}`, method, renew, what };
    if (query) Object.assign(entry, { path: `${path}${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(key)}`, body: undefined });
    else Object.assign(entry, { path, body: { ...body, key } });
    localStorage.setItem(WAITING + entry.id, JSON.stringify(entry));
    const result = new Promise((resolve, reject) => this.#results.set(entry.id, { resolve, reject }));
    result.catch(() => {});
    this.#changed();
    this.#soon(0);
    return result;
  }

  start() {
    for (const event of ["online", "focus", "pageshow"]) addEventListener(event, () => this.#soon(0));
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#soon(0));
    addEventListener("storage", () => this.#changed());
    addEventListener("beforeunload", (event) => {
      if (this.#reason && this.#entries(WAITING).length) event.preventDefault();
    });
    if (this.#entries(WAITING).length) this.#soon(0);
    this.#changed();
  }

  state() {
    return { waiting: this.#entries(WAITING).length, refused: this.#entries(REFUSED).length, reason: this.#reason };
  }

  waiting() {
    return this.#entries(WAITING);
  }

  refused() {
    return this.#entries(REFUSED);
  }

  dismiss(id) {
    localStorage.removeItem(REFUSED + id);
    this.#changed();
  }

  #entries(prefix) {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
    return names.sort().map((name) => JSON.parse(localStorage.getItem(name)));
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  #soon(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), pause);
  }

  // One window sends at a time; the others find that it is done.
  async #flush() {
    if (this.#busy || !account) return;
    this.#busy = true;
    try {
      if (navigator.locks) await navigator.locks.request(`${PREFIX}outbox`, () => this.#all());
      else await this.#all();
    } finally {
      this.#busy = false;
    }
    if (this.#entries(WAITING).length) {
      this.#soon(this.#pause);
      if (this.#reason) this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    }
  }

  async #all() {
    for (const entry of this.#entries(WAITING)) {
      if (localStorage.getItem(WAITING + entry.id) === null) continue;
      try {
        const told = await this.#one(entry);
        localStorage.removeItem(WAITING + entry.id);
        this.everSent = true;
        this.#reason = "";
        this.#pause = 1000;
        this.#results.get(entry.id)?.resolve(told);
      } catch (problem) {
        if (!(problem instanceof Refused) || problem.status >= 500 || problem.status === 401 || problem.status === 429) {
          this.#reason = problem.status === 401 ? "log in again" : problem instanceof Refused ? "the server has a problem" : "no connection";
          this.#changed();
          return;
        }
        localStorage.setItem(REFUSED + entry.id, JSON.stringify({ ...entry, reason: problem.message, status: problem.status }));
        localStorage.removeItem(WAITING + entry.id);
        this.#results.get(entry.id)?.reject(problem);
      }
      this.#results.delete(entry.id);
      this.#changed();
    }
  }

  async #one(entry) {
    try {
      return await send(entry.method, entry.path, entry.body);
    } catch (problem) {
      if (!(problem instanceof Refused) || problem.status !== 409 || !entry.renew) throw problem;
      await send("POST", entry.renew);
      return send(entry.method, entry.path, entry.body);
    }
  }
}

export const outbox = new Outbox();

// What is being typed and not yet sent, kept under a name until it is.
export const drafts = {
  get: (name) => JSON.parse(localStorage.getItem(`${PREFIX}draft:${name}`) ?? "null"),
  set: (name, value) => localStorage.setItem(`${PREFIX}draft:${name}`, JSON.stringify(value)),
  drop: (name) => localStorage.removeItem(`${PREFIX}draft:${name}`),
};

// Small choices of a person about a page: an open panel, a slider.
export const choices = {
  get: (name, otherwise = null) => JSON.parse(localStorage.getItem(`otherwords:choice:${name}`) ?? "null") ?? otherwise,
  set: (name, value) => localStorage.setItem(`otherwords:choice:${name}`, JSON.stringify(value)),
};
