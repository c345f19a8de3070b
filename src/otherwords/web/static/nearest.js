// Nearest sentences: marks the words that differ, moves through rows with keys, adds candidates without leaving the page.
import { get, send } from "./api.js";
import { byId, el, pageData } from "./dom.js";
import { differences } from "./diff.js";
import { mark, unmark } from "./highlights.js";
import { choices } from "./outbox.js";
import { startRows } from "./rows.js";
import { digits, t } from "./texts.js";

const page = pageData();
const field = byId("text");
const sentence = byId("sentence");
const rows = startRows("[data-row]");
const ASK_AGAIN = 1000; // milliseconds

byId("search").addEventListener("click", () => {
  field.focus();
  field.select();
});

// In each row, what the sentence does not have; in the sentence, what the row with the focus does not have.
const textOf = (row) => row.querySelector(".reading");
const differing = (row) => differences(sentence.textContent, textOf(row).textContent, page.lang);

function showDifferences() {
  const on = choices.get("nearest-differences", true);
  byId("differences").setAttribute("aria-pressed", String(on));
  unmark("different");
  if (!on || !sentence) return;
  const found = [...document.querySelectorAll("[data-row]")];
  mark("different", found.flatMap((row) => differing(row)[1].map(([start, end]) => [textOf(row), start, end])));
}

function showMissing() {
  unmark("other");
  const row = rows.current();
  if (!row || !choices.get("nearest-differences", true)) return;
  mark("other", differing(row)[0].map(([start, end]) => [sentence, start, end]));
}

byId("differences").disabled = !sentence;
byId("differences").addEventListener("click", () => {
  choices.set("nearest-differences", !choices.get("nearest-differences", true));
  showDifferences();
  showMissing();
});
byId("rows")?.addEventListener("focusin", showMissing);
showDifferences();

// The button of a row becomes a link to the candidate, which keeps the focus.
async function add(form) {
  const button = form.querySelector("button");
  const fields = Object.fromEntries(new FormData(form));
  const body = { text: fields.text, neighbour: fields.neighbour, where: fields.where, row: fields.row ? Number(fields.row) : null };
  button.disabled = true;
  byId("refusal").hidden = true;
  try {
    const candidate = await send("POST", "/nearest/candidates", body);
    const had = form.contains(document.activeElement) || document.activeElement === document.body;
    const link = el("a", { class: "is-candidate", href: `/pairs/${encodeURIComponent(candidate.id)}` }, candidate.added ? t("candidate ✓") : t("a pair already"));
    form.replaceWith(link);
    if (had) link.focus();
  } catch (problem) {
    button.disabled = false;
    byId("refusal").textContent = problem.message;
    byId("refusal").hidden = false;
  }
}

for (const form of document.querySelectorAll("form.add"))
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    add(form);
  });

const adding = byId("add");
if (adding) {
  adding.disabled = !document.querySelector("form.add");
  adding.addEventListener("mousedown", (event) => event.preventDefault()); // the row keeps the focus
  adding.addEventListener("click", () => {
    const form = (rows.current() ?? document.querySelector("[data-row]"))?.querySelector("form.add");
    if (form && !form.querySelector("button").disabled) add(form);
  });
}

// While the search is being made ready the page says how far it is, and then shows what was found.
async function waitUntilReady() {
  try {
    const reply = await get(`/nearest${location.search}`);
    if (!reply.loading) return location.reload();
    if (reply.total) byId("how-far").textContent = t("{done} of {all} sentences are encoded.", { done: digits(reply.done), all: digits(reply.total) });
  } catch (problem) {
    if (problem.status) return location.reload(); // the page says what is wrong
  }
  setTimeout(waitUntilReady, ASK_AGAIN);
}
if (page.loading) setTimeout(waitUntilReady, ASK_AGAIN);
