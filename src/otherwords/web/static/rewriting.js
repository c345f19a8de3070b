// Rewriting a pair; changes are shown while typing.
import { byId, direction, el } from "./dom.js";
import { words } from "./diff.js";
import { refuse } from "./refusing.js";
import { t } from "./texts.js";

export class Rewriting {
  #task = null;
  #open = false;
  #waits = false; // a hidden rewrite reappears when the label allows one again

  constructor(scheme, changed) {
    this.scheme = scheme;
    this.changed = changed;
    this.button = byId("rewrite");
    this.button?.addEventListener("click", () => this.#toggle(!this.#open, true));
    byId("drop-rewrite").addEventListener("click", () => {
      this.#fill(null);
      this.#waits = false;
      this.#toggle(false);
    });
    for (const side of ["1", "2"]) byId(`rewrite${side}`).addEventListener("input", () => (this.#diff(side), changed()));
    byId("rewrite-label").addEventListener("change", changed);
  }

  set(task, draft) {
    this.#task = task;
    this.#fill(draft);
    this.#waits = false;
    this.#toggle(Boolean(draft), false, false);
  }

  isOpen() {
    return this.#open;
  }

  // Some labels, such as a plain 4, need no rewrite. Whoever wants to write first can choose the label afterwards.
  allow(value) {
    if (!this.button) return;
    const fits = value === null || !this.scheme.rewrite.not_for.includes(value);
    refuse(this.button, fits ? null : t("A pair with the label {label} is not rewritten: choose another label first.", { label: value }));
    if (fits ? this.#waits : this.#open) {
      this.#waits = !fits;
      this.#toggle(fits, false, false);
    }
  }

  draft() {
    if (!this.#open) return null;
    return { text1: byId("rewrite1").value, text2: byId("rewrite2").value, sure: byId("rewrite-label").checked };
  }

  // The rewrite to send, or the problem with it and the field that it is about.
  value(task) {
    const draft = this.draft();
    if (!draft) return null;
    const [text1, text2] = [draft.text1.trim(), draft.text2.trim()];
    if (!text1 || !text2) return { problem: t("A rewrite needs both texts."), field: byId(text1 ? "rewrite2" : "rewrite1") };
    if (text1 === task.text1 && text2 === task.text2) return { problem: t("The rewrite is the same as the original: change it, or drop it."), field: byId("rewrite1") };
    if (!draft.sure) return { problem: t("A rewrite has to be a {label}. Say that it is one, or drop it.", { label: this.scheme.rewrite.label }), field: byId("rewrite-label") };
    return { text1, text2, label: this.scheme.rewrite.label };
  }

  // Show a problem beside the field that it is about, and go there.
  refuse({ problem, field }) {
    byId("rewrite-why").textContent = problem;
    if (field.id !== "rewrite-label") field.scrollIntoView({ block: "center" }); // that one is always in sight
    field.focus({ preventScroll: true });
  }

  #fill(draft) {
    for (const side of ["1", "2"]) {
      const field = byId(`rewrite${side}`);
      field.value = draft?.[`text${side}`] ?? this.#task?.[`text${side}`] ?? "";
      field.dir = direction(this.#task?.lang);
      field.lang = this.#task?.lang ?? "";
      this.#diff(side);
    }
    byId("rewrite-label").checked = draft?.sure ?? false;
  }

  #toggle(open, focus = false, tell = true) {
    this.#open = open;
    byId("rewriting").hidden = !open;
    byId("rewrite-sure").hidden = !open;
    this.button?.setAttribute("aria-pressed", String(open));
    if (open && focus) byId("rewrite1").focus();
    if (tell) this.changed();
  }

  #diff(side) {
    const before = this.#task?.[`text${side}`] ?? "";
    const after = byId(`rewrite${side}`).value;
    byId(`diff${side}`).replaceChildren(...(before === after ? [] : diffParts(before, after, this.#task?.lang)));
  }
}

// The text with deletions and insertions, piece by piece.
function diffParts(before, after, lang) {
  const a = pieces(before, lang);
  const b = pieces(after, lang);
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  const changed = [];
  const add = (kind, text) => (changed.at(-1)?.kind === kind ? (changed.at(-1).text += text) : changed.push({ kind, text }));
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) add("", a[i++]), j++;
    else if (j >= b.length || (i < a.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) add("del", a[i++]);
    else add("ins", b[j++]);
  }
  return changed.map(({ kind, text }) => (kind ? el(kind, {}, text) : text));
}

// Words, and the text between them.
function pieces(text, lang) {
  const parts = [];
  let end = 0;
  for (const word of words(text, lang)) {
    if (word.start > end) parts.push(text.slice(end, word.start));
    parts.push(text.slice(word.start, word.end));
    end = word.end;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
