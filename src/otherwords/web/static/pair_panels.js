// The panels about a pair: where it comes from, what is said about it, what was said before.
import { get } from "./api.js";
import { byId, chip, direction, el } from "./dom.js";
import { mark, unmark } from "./highlights.js";
import { sendsFrom } from "./keys.js";
import { Offsets } from "./offsets.js";
import { outbox } from "./outbox.js";
import { isOpen } from "./panels.js";
import { drawnPhenomena, phenomenaIn, withoutPhenomena } from "./phenomena.js";

export function startSidePanels(current, contextSeen) {
  const fills = { context: () => fillContext(current(), contextSeen), discussion: () => fillThread(current()), history: () => fillHistory(current()) };
  for (const [name, fill] of Object.entries(fills)) {
    byId(`panel-${name}`)?.addEventListener("open", () => current() && fill());
    byId(`panel-${name}`)?.addEventListener("shut", () => name === "context" && unmark("passage"));
  }
  if (byId("remark")) startRemarks(current);
  return {
    show: () => {
      for (const [name, fill] of Object.entries(fills)) if (byId(`panel-${name}`) && isOpen(name)) fill();
    },
  };
}

async function fillContext(task, contextSeen) {
  const place = byId("context");
  if (!task.context) return place.replaceChildren(el("p", { class: "soft" }, "This pair has no documents."));
  try {
    const query = task.slot ? `?slot=${task.slot}` : "";
    const { doc1, doc2 } = await get(`/pairs/${encodeURIComponent(task.pair)}/context${query}`);
    contextSeen?.();
    const drawn = [doc1, doc2].map(drawnDocument);
    place.replaceChildren(...drawn.map((one) => one.section));
    mark("passage", drawn.map((one) => one.stretch));
    for (const one of drawn) one.scroll();
  } catch (problem) {
    place.replaceChildren(el("p", { class: "soft" }, problem.message));
  }
}

function drawnDocument(document_) {
  const offsets = new Offsets(document_.text);
  const text = el("p", { class: "reading", dir: direction(document_.lang), lang: document_.lang ?? "", tabindex: "0" }, document_.text);
  const [start, end] = [offsets.toUnits(document_.start), offsets.toUnits(document_.end)];
  const scroll = () => {
    const range = document.createRange();
    if (!text.firstChild) return;
    range.setStart(text.firstChild, start);
    range.setEnd(text.firstChild, start);
    text.scrollTop = range.getBoundingClientRect().top - text.getBoundingClientRect().top - text.clientHeight / 3;
  };
  const heading = [document_.title ?? document_.id, document_.source].filter(Boolean).join(" · ");
  return { section: el("section", { class: "context-document" }, el("h3", {}, heading), text), stretch: [text, start, end], scroll };
}

function startRemarks(current) {
  byId("remark").addEventListener("submit", (event) => {
    event.preventDefault();
    write(current());
  });
  sendsFrom(byId("remark-text"), () => byId("remark").requestSubmit());
  byId("remark-text").addEventListener("input", () => (byId("remark-why").textContent = ""));
  byId("resolve").addEventListener("click", () => {
    byId("resolve").blur();
    say(current(), byId("resolve").dataset.action ?? "resolve", "");
  });
}

const BLIND = "This is a blind check: nothing about the pair is shown, and nothing is said about it.";

async function fillThread(task) {
  const place = byId("thread");
  const form = byId("remark");
  form.hidden = !task.pair;
  if (!task.pair) return place.replaceChildren(el("p", { class: "soft" }, BLIND));
  try {
    const thread = await get(`/pairs/${encodeURIComponent(task.pair)}/remarks`);
    form.hidden = false;
    byId("resolve").hidden = !thread.remarks.length;
    byId("resolve").dataset.action = thread.open ? "resolve" : "reopen";
    byId("resolve").textContent = thread.open ? "Resolve" : "Reopen";
    const drawn = thread.remarks.map((one) =>
      el("div", { class: "remark" }, el("div", { class: "soft" }, `${one.author ?? "somebody"} · ${when(one.time)}`), one.action === "say" ? one.text : one.action === "resolve" ? "✓ resolved" : "opened again"),
    );
    place.replaceChildren(...(drawn.length ? drawn : [el("p", { class: "soft" }, "Nobody has said anything about this pair yet.")]));
  } catch (problem) {
    form.hidden = problem.status === 403;
    if (form.hidden) byId("remark-text").blur();
    const unjudged = form.hidden && task.slot && !task.judgement;
    place.replaceChildren(el("p", { class: "soft" }, problem.message), ...(unjudged ? [el("p", { class: "hint" }, "Save your answer, then ", el("kbd", {}, "k"), " brings you back to this pair.")] : []));
  }
}

function write(task) {
  const field = byId("remark-text");
  const text = field.value;
  byId("remark-why").textContent = text.trim() ? "" : "Nothing is written yet.";
  if (text.trim()) {
    field.value = "";
    say(task, "say", text);
  }
  field.focus();
}

function say(task, action, text) {
  const sent = outbox.send("POST", `/pairs/${encodeURIComponent(task.pair)}/remarks`, { action, text }, { what: "a remark" });
  sent.then(() => fillThread(task), (problem) => byId("thread").append(el("p", { class: "bad" }, problem.message)));
}

async function fillHistory(task) {
  const place = byId("history");
  if (!task.pair) return place.replaceChildren(el("li", { class: "soft" }, BLIND));
  try {
    const { judgements, note } = await get(`/pairs/${encodeURIComponent(task.pair)}/history`);
    const drawn = judgements.map((one) =>
      el("li", {}, ...drawnValue(one.value), ` ${one.annotator ?? ""} `, el("span", { class: "soft" }, when(one.time)), one.note ? el("div", {}, one.note) : null, marks(one.value)),
    );
    place.replaceChildren(...(drawn.length || note ? drawn : [el("li", { class: "soft" }, "No judgement yet.")]), ...(note ? [el("li", { class: "soft" }, note)] : []));
  } catch (problem) {
    place.replaceChildren(el("li", { class: "soft" }, problem.message));
  }
}

function drawnValue(value) {
  if (value === null) return [el("span", { class: "soft" }, "taken back")];
  if (!phenomenaIn(value)) return [chip(value)];
  const rest = withoutPhenomena(value);
  return rest ? [el("span", { class: "chip" }, rest)] : [];
}

function marks(value) {
  const texts = [...document.querySelectorAll(".pair .reading")].slice(0, 2);
  return phenomenaIn(value) && texts.length === 2 ? drawnPhenomena(phenomenaIn(value), texts) : null;
}

export function when(time) {
  return time ? new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "";
}
