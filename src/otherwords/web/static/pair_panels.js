// The panels of a pair: its documents, its discussion, the history of its judgements.
import { get } from "./api.js";
import { byId, chip, direction, el, sentence } from "./dom.js";
import { mark, unmark } from "./highlights.js";
import { sendsFrom } from "./keys.js";
import { Offsets } from "./offsets.js";
import { outbox } from "./outbox.js";
import { isOpen } from "./panels.js";
import { drawPhenomena, phenomenaIn, withoutPhenomena } from "./phenomena.js";
import { known, t, withElements } from "./texts.js";

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
  if (!task.context) return place.replaceChildren(el("p", { class: "soft" }, t("This pair has no documents.")));
  try {
    const query = task.slot ? `?slot=${task.slot}` : "";
    const { doc1, doc2 } = await get(`/pairs/${encodeURIComponent(task.pair)}/context${query}`);
    contextSeen?.();
    // two translations of one sentence have it in common
    const same = doc1.id === doc2.id && doc1.start === doc2.start && doc1.end === doc2.end;
    const drawn = (same ? [doc1] : [doc1, doc2]).map(drawDocument);
    place.replaceChildren(...drawn.map((shown) => shown.section));
    mark("passage", drawn.map((shown) => shown.stretch));
    for (const shown of drawn) shown.scroll();
  } catch (problem) {
    place.replaceChildren(el("p", { class: "soft" }, sentence(problem.message)));
  }
}

function drawDocument(source) {
  const offsets = new Offsets(source.text);
  const text = el("p", { class: "reading", dir: direction(source.lang), lang: source.lang ?? "", tabindex: "0" }, source.text);
  const [start, end] = [offsets.toUnits(source.start ?? 0), offsets.toUnits(source.end ?? 0)];
  const scroll = () => {
    const range = document.createRange();
    if (!text.firstChild) return;
    range.setStart(text.firstChild, start);
    range.setEnd(text.firstChild, start);
    text.scrollTop = range.getBoundingClientRect().top - text.getBoundingClientRect().top - text.clientHeight / 3;
  };
  const heading = [source.title ?? source.id, source.source].filter(Boolean).join(" · ");
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

const BLIND = t("This is a blind check: nothing about the pair is shown, and nothing can be said about it.");

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
    byId("resolve").textContent = thread.open ? t("Resolve") : t("Reopen");
    const drawn = thread.remarks.map((remark) =>
      el("div", { class: "remark" }, el("div", { class: "soft" }, `${remark.author ?? t("somebody")} · ${when(remark.time)}`), remark.action === "say" ? remark.text : remark.action === "resolve" ? t("✓ resolved") : t("opened again")),
    );
    place.replaceChildren(...(drawn.length ? drawn : [el("p", { class: "soft" }, t("Nobody has said anything about this pair yet."))]));
  } catch (problem) {
    form.hidden = problem.status === 403;
    if (form.hidden) byId("remark-text").blur();
    const unjudged = form.hidden && task.slot && !task.judgement;
    place.replaceChildren(el("p", { class: "soft" }, sentence(problem.message)), ...(unjudged ? [el("p", { class: "hint by-keys" }, ...withElements(t("Save your answer, then {key} brings you back to this pair."), { key: el("kbd", {}, "k") })), el("p", { class: "hint by-touch" }, t("Save your answer, then go back to this pair."))] : []));
  }
}

function write(task) {
  const field = byId("remark-text");
  const text = field.value;
  byId("remark-why").textContent = text.trim() ? "" : t("Nothing is written yet.");
  if (text.trim()) {
    field.value = "";
    say(task, "say", text);
  }
  field.focus();
}

function say(task, action, text) {
  const sent = outbox.send("POST", `/pairs/${encodeURIComponent(task.pair)}/remarks`, { action, text }, { what: t("a remark") });
  sent.then(() => fillThread(task), (problem) => byId("thread").append(el("p", { class: "bad" }, problem.message)));
}

async function fillHistory(task) {
  const place = byId("history");
  if (!task.pair) return place.replaceChildren(el("li", { class: "soft" }, BLIND));
  try {
    const { judgements, note } = await get(`/pairs/${encodeURIComponent(task.pair)}/history`);
    const drawn = judgements.map((judgement) =>
      el("li", {}, ...drawValue(judgement.value), ` ${judgement.annotator ?? ""} `, el("span", { class: "soft" }, when(judgement.time), judgement.kind === "consensus" ? ` · ${t("decision of the team")}` : ""), judgement.note ? el("div", {}, judgement.note) : null, marks(judgement.value)),
    );
    place.replaceChildren(...(drawn.length || note ? drawn : [el("li", { class: "soft" }, t("No judgement yet."))]), ...(note ? [el("li", { class: "soft" }, known(note))] : []));
  } catch (problem) {
    place.replaceChildren(el("li", { class: "soft" }, sentence(problem.message)));
  }
}

function drawValue(value) {
  if (value === null) return [el("span", { class: "soft" }, t("taken back"))];
  if (!phenomenaIn(value)) return [chip(value)];
  const rest = withoutPhenomena(value);
  return rest ? [el("span", { class: "chip" }, rest)] : [];
}

function marks(value) {
  const texts = [...document.querySelectorAll(".pair .reading")].slice(0, 2);
  return phenomenaIn(value) && texts.length === 2 ? drawPhenomena(phenomenaIn(value), texts) : null;
}

export function when(time) {
  return time ? new Date(time).toLocaleString(document.documentElement.lang === "en" ? [] : document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }) : "";
}
