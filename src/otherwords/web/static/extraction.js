// The pairs extracted from a document pair, including those not yet saved: rows are shown as they will be, marked as not
// saved until the server has them, and then as the server stored them. Every change can be undone, even after a reload.
import { get, send } from "./api.js";
import { drafts, outbox } from "./outbox.js";
import { t } from "./texts.js";

const UNSAVED = t("not saved yet");
const RENEWED_EVERY = 600_000; // a reservation lasts three times as long

export class Extraction {
  problem = "";
  editing = null; // the id of the pair whose edges are being changed
  #undo = [];
  #spent = 0; // seconds, while the page could be seen
  #since = performance.now();
  #added = 0; // seconds that had passed when the last pair was added
  #leaving = false;

  constructor(page, list, columns, show) {
    Object.assign(this, { view: page.view, closed: page.closed, list, columns, show });
    this.path = `/document-pairs/${encodeURIComponent(page.view.id)}`;
    this.name = `extract:${page.view.id}`;
  }

  get open() {
    return this.closed === null && !this.#leaving;
  }

  get reopenable() {
    return ["finished", "empty"].includes(this.view.status);
  }

  get undoable() {
    return this.#undo.length > 0;
  }

  isOwn(entry) {
    return entry.path.startsWith(`${this.path}/`) || entry.path === this.path;
  }

  start() {
    const draft = drafts.get(this.name);
    this.#undo = draft?.undo ?? [];
    this.#spent = this.#added = draft?.seconds ?? 0;
    this.list.rows = this.view.pairs.map((pair) => ({ ...pair }));
    this.columns.forEach((column, side) => (column.passage = draft?.passages?.[side] ?? null));
    this.editing = this.list.rows.some((row) => row.id === draft?.editing) ? draft.editing : null;
    this.#showUnsent();
    document.addEventListener("visibilitychange", () => this.#seen(document.visibilityState === "visible"));
    setInterval(() => document.visibilityState === "visible" && this.open && this.#renew(), RENEWED_EVERY);
  }

  // Save the selection as a pair, or as the new edges of the pair that is being changed.
  add() {
    const [span1, span2] = this.columns.map((column) => column.passage);
    if (!this.open || !span1 || !span2) return false;
    const spans = { start1: span1[0], end1: span1[1], start2: span2[0], end2: span2[1] };
    const row = { id: null, ...spans, ...this.#texts(spans), state: UNSAVED };
    const old = this.editing && this.list.rows.find((other) => other.id === this.editing);
    const step = old ? { kind: "edit", id: null, old: { ...old } } : { kind: "add", id: null };
    const path = `${this.path}/pairs`;
    const seconds = this.#seconds();
    const body = { ...spans, seconds: Math.max(0, Math.round((seconds - this.#added) * 10) / 10) };
    this.#added = seconds;
    const what = `“${row.text1.slice(0, 40)}”`;
    const sent = old ? outbox.send("PUT", `${path}/${old.id}`, body, { what }) : outbox.send("POST", path, body, { what });
    if (old) this.list.rows.splice(this.list.rows.indexOf(old), 1, row);
    else this.list.rows.push(row);
    this.list.current = row;
    this.#undo.push(step);
    this.#awaitSave(sent, row, step, old);
    return true;
  }

  // Begin to change a pair; one without an id cannot be changed yet.
  edit(row) {
    if (!this.#isSaved(row)) return false;
    this.editing = row.id;
    return true;
  }

  remove(row) {
    if (!this.open || row.locked || !this.#isSaved(row)) return;
    this.#undo.push({ kind: "remove", old: { ...row }, place: this.list.rows.indexOf(row) });
    this.#delete(row);
  }

  // Undo the last change.
  undo() {
    const step = this.#undo.at(-1);
    if (!step || !this.open) return;
    if (step.kind !== "remove" && !step.id) {
      step.undoWhenSaved = true; // whoever is quick need not press twice
      return this.#say(t("This is not saved yet; it is undone as soon as it is."));
    }
    this.#undo.pop();
    const row = this.list.rows.find((other) => other.id === step.id);
    if (step.kind === "add") return row ? this.#delete(row) : this.show();
    const back = { ...step.old, state: UNSAVED };
    if (row) this.list.rows.splice(this.list.rows.indexOf(row), 1, back);
    else this.list.rows.splice(step.place ?? this.list.rows.length, 0, back);
    this.list.current = back;
    this.#awaitSave(outbox.send("POST", `${this.path}/pairs/${step.old.id}/restore`, {}, { query: true, what: t("undo") }), back, null, row);
  }

  // Finish the document pair, with or without pairs, and go to the next.
  async finish(outcome) {
    if (!this.open) return;
    const seconds = this.#seconds();
    this.#leaving = true;
    this.show();
    try {
      await outbox.send("POST", `${this.path}/finish`, { outcome, seconds }, { what: outcome === "empty" ? t("empty") : t("finished") });
    } catch {
      this.#leaving = false;
      return this.show();
    }
    drafts.drop(this.name);
    location.assign(`/extract?after=${encodeURIComponent(this.view.id)}`);
  }

  async reopen() {
    const sent = outbox.send("POST", `${this.path}/reopen`, {}, { what: t("open again") });
    await sent.then(() => this.#refresh(), () => this.show());
  }

  // Store what would be lost if the page were closed now.
  keep() {
    if (!this.open) return;
    const undo = this.#undo.filter((step) => step.kind === "remove" || step.id);
    drafts.set(this.name, { passages: this.columns.map((column) => column.passage), editing: this.editing, undo, seconds: this.#seconds() });
  }

  #delete(row) {
    const place = this.list.rows.indexOf(row);
    this.list.rows.splice(place, 1);
    if (this.editing === row.id) this.editing = null;
    const sent = outbox.send("DELETE", `${this.path}/pairs/${row.id}`, {}, { query: true, what: t("delete “{title}”", { title: row.text1.slice(0, 40) }) });
    sent.catch(() => {
      this.list.rows.splice(place, 0, row);
      this.show();
    });
    this.show();
  }

  // A saved row takes on what the server stored; a refused one is replaced by what was there before.
  #awaitSave(sent, row, step, before) {
    sent.then(
      (saved) => {
        Object.assign(row, saved, { state: null });
        if (step) step.id = saved.id;
        if (step?.undoWhenSaved && this.#undo.at(-1) === step) return this.undo();
        this.show();
      },
      () => {
        const place = this.list.rows.indexOf(row);
        if (place >= 0) this.list.rows.splice(place, 1, ...(before ? [before] : []));
        this.#undo = this.#undo.filter((other) => other !== step);
        this.show();
      },
    );
    this.show();
  }

  // Changes that an earlier visit left unsent: shown at once, and refreshed from the server when all of them are saved.
  #showUnsent() {
    const waiting = () => outbox.waiting().filter((entry) => this.isOwn(entry));
    const unsent = waiting();
    if (!unsent.length && !outbox.everSent) return;
    for (const { method, path, body } of unsent) {
      const row = this.list.rows.find((other) => path.startsWith(`${this.path}/pairs/${other.id}`));
      if (row) row.state = UNSAVED;
      else if (method === "POST" && body?.start1 !== undefined) this.list.rows.push({ id: null, ...body, ...this.#texts(body), state: UNSAVED });
    }
    const check = () => {
      if (waiting().length) return;
      outbox.removeEventListener("change", check);
      this.#refresh();
    };
    outbox.addEventListener("change", check);
    check();
  }

  async #refresh() {
    try {
      this.view = await get(this.path);
    } catch (problem) {
      return this.#say(problem.message);
    }
    this.closed = this.view.mine ? null : this.reopenable ? t("This document pair is finished.") : t("This document pair is not yours; open it again, or take another one.");
    this.list.rows = this.view.pairs.map((pair) => ({ ...pair }));
    this.show();
  }

  async #renew() {
    try {
      await send("POST", `${this.path}/open`);
    } catch (problem) {
      if (problem.status !== 409) return;
      this.closed = problem.message;
      this.show();
    }
  }

  #isSaved(row) {
    if (row.id && !row.state) return true;
    this.#say(t("This pair is not saved yet; it can be changed as soon as it is."));
    return false;
  }

  #say(problem) {
    this.problem = problem;
    this.show();
    this.problem = "";
  }

  #texts({ start1, end1, start2, end2 }) {
    const [first, second] = this.columns;
    return { text1: first.offsets.slice(start1, end1), text2: second.offsets.slice(start2, end2) };
  }

  #seen(visible) {
    if (visible) this.#since = performance.now();
    else {
      this.#spent = this.#seconds();
      this.#since = null;
      this.keep();
    }
  }

  #seconds() {
    const now = this.#since === null ? 0 : (performance.now() - this.#since) / 1000;
    return Math.round((this.#spent + now) * 10) / 10;
  }
}
