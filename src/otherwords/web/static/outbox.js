// Work that is not known to be on the server yet. It is stored in the browser before it is sent, so a lost connection, a
// closed laptop or a restarted server loses nothing: it is sent again, under the same key, until the server confirms it.
import { Refused, newKey, send } from "./api.js";
import { t } from "./texts.js";

const account = document.querySelector('meta[name="account"]')?.content ?? "";
const project = document.querySelector('meta[name="project"]')?.content ?? "";
const PREFIX = `otherwords:${project}:${account}:`;
const WAITING = `${PREFIX}waiting:`;
const REFUSED = `${PREFIX}refused:`;
const PROBLEM = "the server has a problem";
const LONGEST_PAUSE = 30_000;
const MOST_FAILURES = 3; // in a row, after which the rest waits: the server fails on everything, not on one entry
const STUCK_AFTER = 2; // failures of one entry, after which the page shows it

class Outbox extends EventTarget {
  everSent = false;
  #results = new Map();
  #reason = "";
  #pause = 1000;
  #timer = null;
  #busy = false;
  // What an earlier page left. It may be sent before the script that asks for it has been loaded.
  inherited = this.#entries(WAITING);

  // Send something reliably. `renew` is a path to call if the server answers that the reservation has expired; `batch` is what
  // it belongs to.
  send(method, path, body = {}, { renew = null, what = "", batch = null, query = false } = {}) {
    const key = newKey();
    const order = `${Date.now().toString().padStart(15, "0")}-${String(performance.now().toFixed(3)).padStart(14, "0")}`;
    const entry = { id: `${order}-${key}`, method, renew, what, batch };
    if (query) Object.assign(entry, { path: `${path}${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(key)}`, body: undefined });
    else Object.assign(entry, { path, body: { ...body, key } });
    localStorage.setItem(WAITING + entry.id, JSON.stringify(entry));
    const result = new Promise((resolve, reject) => this.#results.set(entry.id, { resolve, reject }));
    result.catch(() => {});
    this.#changed();
    this.#schedule(0);
    return result;
  }

  start() {
    for (const event of ["online", "focus", "pageshow"]) addEventListener(event, () => this.#schedule(0));
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#schedule(0));
    addEventListener("storage", () => this.#changed());
    addEventListener("beforeunload", (event) => {
      if (this.#reason && this.#entries(WAITING).length) event.preventDefault();
    });
    if (this.#entries(WAITING).length) this.#schedule(0);
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

  // Entries on which the server fails again and again. They are kept and sent again; others are not held up by them.
  stuck() {
    return this.#entries(WAITING).filter((entry) => (entry.failures ?? 0) >= STUCK_AFTER);
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

  #schedule(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), pause);
  }

  // Only one window sends at a time; the others then find nothing left to send.
  async #flush() {
    if (this.#busy || !account) return;
    this.#busy = true;
    try {
      if (navigator.locks) await navigator.locks.request(`${PREFIX}outbox`, () => this.#sendAll());
      else await this.#sendAll();
    } finally {
      this.#busy = false;
    }
    if (this.#entries(WAITING).length) {
      this.#schedule(this.#reason ? this.#pause : 0); // what was added meanwhile goes at once
      if (this.#reason) this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    }
  }

  // Those that failed least often first.
  async #sendAll() {
    let [failed, inARow] = [0, 0];
    const entries = this.#entries(WAITING).sort((one, other) => (one.failures ?? 0) - (other.failures ?? 0));
    for (const entry of entries) {
      if (localStorage.getItem(WAITING + entry.id) === null) continue;
      try {
        const result = await this.#sendEntry(entry);
        localStorage.removeItem(WAITING + entry.id);
        this.everSent = true;
        this.#reason = failed ? PROBLEM : "";
        this.#pause = 1000;
        inARow = 0;
        this.#results.get(entry.id)?.resolve(result);
      } catch (problem) {
        if (problem instanceof Refused && problem.status >= 500) {
          localStorage.setItem(WAITING + entry.id, JSON.stringify({ ...entry, failures: (entry.failures ?? 0) + 1 }));
          this.#reason = PROBLEM;
          this.#changed();
          failed += 1;
          inARow += 1;
          if (inARow >= MOST_FAILURES) return;
          continue;
        }
        if (!(problem instanceof Refused) || problem.status === 401 || problem.status === 429) {
          this.#reason = problem.status === 401 ? "log in again" : problem instanceof Refused ? PROBLEM : "no connection";
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

  async #sendEntry(entry) {
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

// Why something waits, in the language of the page; the outbox itself tells the reasons apart by their English words.
export function reasonInWords(reason) {
  return { [PROBLEM]: t("the server has a problem"), "log in again": t("log in again"), "no connection": t("no connection") }[reason] ?? reason;
}

// Unsent input, kept under a name until it is sent.
export const drafts = {
  get: (name) => JSON.parse(localStorage.getItem(`${PREFIX}draft:${name}`) ?? "null"),
  set: (name, value) => localStorage.setItem(`${PREFIX}draft:${name}`, JSON.stringify(value)),
  drop: (name) => localStorage.removeItem(`${PREFIX}draft:${name}`),
};

// A person's settings of a page: an open panel, a slider.
export const choices = {
  get: (name, fallback = null) => JSON.parse(localStorage.getItem(`otherwords:choice:${name}`) ?? "null") ?? fallback,
  set: (name, value) => localStorage.setItem(`otherwords:choice:${name}`, JSON.stringify(value)),
};
