// Adjudicating: the judgements of a pair side by side; the team adopts one of them or gives another answer.
import { get } from "./api.js";
import { Answers } from "./answers.js";
import { byId, direction, pageData, spelledInWords } from "./dom.js";
import { differences } from "./diff.js";
import { mark, unmark } from "./highlights.js";
import { sendsFrom } from "./keys.js";
import { drawOpinions, markAdopted } from "./opinions.js";
import { choices, drafts, outbox } from "./outbox.js";
import { startPanels } from "./panels.js";
import { startSidePanels } from "./pair_panels.js";
import { TypesAnswers, asksTypes } from "./types/answers.js";
import { digits, t, tn } from "./texts.js";

const page = pageData();
const list = page.cases;
let place = 0;
let adopted = null; // the id of the judgement that is adopted, if any
let shownSince = performance.now();

const answers = new (asksTypes(page.scheme) ? TypesAnswers : Answers)(byId("answers"), page.scheme, chooseAnother);
const panels = startSidePanels(() => list[place]);
const decidedBefore = new Set(list.filter((task) => task.decision));
const draftOf = (task) => `case:${page.batch}:${task.pair}`;

function show() {
  const task = list[place];
  byId("work").hidden = !task;
  byId("nothing").hidden = Boolean(task);
  for (const id of ["accept", "write", "differences"]) byId(id).disabled = !task;
  byId("back").disabled = place === 0;
  byId("on").disabled = place >= list.length - 1;
  byId("undo").disabled = lastDecided() < 0;
  showProgress();
  if (!task) return showNothing();
  showTexts(task);
  byId("where").textContent = whereOf(task);
  byId("opinions").replaceChildren(...drawOpinions(task, page.scheme, adopt));
  const draft = drafts.get(draftOf(task)) ?? { value: task.decision?.value ?? null, adopted: task.decision?.adopted ?? null, note: task.decision?.note };
  byId("note").value = draft.note ?? "";
  answers.about?.(task, list[place + 1]);
  answers.set(draft.value);
  adopted = task.opinions.some((opinion) => opinion.id === draft.adopted) ? draft.adopted : null;
  shownSince = performance.now();
  showDifferences();
  chosen();
  byId("why").textContent = task.refused ?? "";
  panels.show(task);
}

function showTexts(task) {
  for (const side of ["1", "2"]) {
    const text = byId(`text${side}`);
    text.textContent = task.texts.length ? task.texts.slice(side === "1" ? 0 : 1, side === "1" ? 1 : undefined).join("\n") : task[`text${side}`];
    text.dir = direction(task.lang);
    text.lang = task.lang ?? "";
  }
}

function whereOf(task) {
  if (!task.decision) return "";
  const { annotator, value } = task.decision;
  const values = { name: annotator, answer: spelledInWords(value, page.scheme) };
  return page.named && annotator ? t("Decided by {name}: {answer}. Accepting another answer changes that.", values) : t("Decided: {answer}. Accepting another answer changes that.", values);
}

function showNothing() {
  const decided = list.filter((task) => task.decision).length;
  const more = page.show === "disagreements" && page.settled.waiting > list.length;
  byId("more").hidden = !more;
  byId("nothing-title").textContent = { disagreements: list.length ? t("That was the last one") : t("Nothing to decide"), unsure: list.length ? t("Nobody was unsure of anything else") : t("Nobody was unsure"), decided: list.length ? t("That was the last one") : t("Nothing is decided yet") }[page.show];
  const waiting = page.settled.pairs - page.settled.complete;
  byId("nothing-text").textContent = list.length
    ? tn("{decided} of {count} is decided.", "{decided} of {count} are decided.", list.length, { decided })
    : waiting
      ? tn("{count} pair waits for further judgements; what people disagree about then comes here.", "{count} pairs wait for further judgements; what people disagree about then comes here.", waiting)
      : t("All judgements of this batch are in.");
}

function showProgress() {
  const decided = list.filter((task) => task.decision).length;
  byId("count").textContent = `${decided}/${list.length}`;
  byId("bar").max = list.length || 1;
  byId("bar").value = decided;
  showCounts();
}

// The counts above: those from when the page was loaded, updated by what was decided and undone since.
function showCounts() {
  const now = { ...page.settled };
  for (const task of list) {
    const more = Number(Boolean(task.decision)) - Number(decidedBefore.has(task));
    const undecided = undecidedAs(task);
    now.decided += more;
    if (undecided) now[undecided] -= more;
  }
  for (const place of document.querySelectorAll("[data-settled]")) place.textContent = digits(now[place.dataset.settled]);
}

// The count that an undecided pair belongs to; null if all judgements agree and are sure.
function undecidedAs(task) {
  if (page.show !== "decided") return page.show === "unsure" ? "unsure" : "waiting";
  if (task.severity > 0) return "waiting";
  return task.opinions.some((opinion) => opinion.unsure) ? "unsure" : null;
}

function adopt(opinion) {
  adopted = opinion.id;
  answers.set(opinion.value);
  chosen();
}

function chooseAnother() {
  adopted = null;
  chosen();
}

function value() {
  if (adopted) return list[place].opinions.find((opinion) => opinion.id === adopted).value;
  return answers.value();
}

// Every change is stored at once, so that a closed page reopens as it was.
function chosen() {
  const task = list[place];
  if (!task) return;
  markAdopted(byId("opinions"), adopted);
  byId("accept").disabled = value() === null;
  byId("why").textContent = "";
  const partial = adopted ? value() : answers.partial();
  drafts.set(draftOf(task), { value: partial, adopted, note: byId("note").value });
}

function accept() {
  const task = list[place];
  const answer = value();
  if (!task) return;
  if (answer === null) {
    byId("why").textContent = t("An answer is missing: choose one first.");
    return;
  }
  if (task.decision && !task.decision.id) {
    byId("why").textContent = t("The first decision is not saved yet; it can be changed as soon as it is.");
    return;
  }
  const note = byId("note").value.trim() || null;
  const decision = { value: answer, adopted, note, seconds: Math.round(performance.now() - shownSince) / 1000 };
  decide(task, decision, { id: null, annotator: null, value: answer, note, adopted }, t("{answer} for “{text}”", { answer: spelledInWords(answer, page.scheme), text: (task.texts[0] ?? task.text1).slice(0, 60) }));
  move(1);
}

function decide(task, decision, now, what) {
  const before = task.decision;
  const sent = JSON.stringify(drafts.get(draftOf(task)));
  task.decision = now;
  task.refused = null;
  const body = { batch: page.batch, made_from: task.opinions.map((opinion) => opinion.id), supersedes: before?.id ?? null, ...decision };
  outbox.send("POST", `/pairs/${encodeURIComponent(task.pair)}/consensus`, body, { what }).then(
    (saved) => {
      task.decision = saved.value === null ? null : saved;
      const edited = list[place] === task && JSON.stringify(drafts.get(draftOf(task))) !== sent;
      if (task.decision && !edited) drafts.drop(draftOf(task));
      if (list[place] === task && !edited) show(); // not over what was typed since
      else byId("undo").disabled = lastDecided() < 0;
    },
    (problem) => refused(task, problem, before),
  );
}

// Somebody else may have been faster: fetch the current state and let the person decide again.
async function refused(task, problem, before) {
  task.decision = before;
  task.refused = t("Not saved: {reason}", { reason: problem.message });
  if (problem.status === 409) await renew(task).catch(() => {});
  place = list.indexOf(task);
  drafts.drop(draftOf(task));
  show();
}

async function renew(task) {
  for (const kind of ["decided", "disagreements", "unsure"]) {
    const query = `show=${kind}${page.named ? "&named=1" : ""}`;
    const { cases } = await get(`/batches/${encodeURIComponent(page.batch)}/disagreements?${query}`);
    const current = cases.find((candidate) => candidate.pair === task.pair);
    if (current) return Object.assign(task, current);
  }
}

function lastDecided() {
  return list.slice(0, place + 1).findLastIndex((task) => task.decision?.id);
}

function takeBack() {
  const last = lastDecided();
  if (last < 0) return;
  const task = list[last];
  const { value, adopted, note } = task.decision;
  place = last;
  decide(task, { value: null }, null, t("undo"));
  drafts.set(draftOf(task), { value, adopted, note }); // to be accepted again, or changed
  show();
}

function move(by) {
  place = Math.max(0, Math.min(list.length, place + by));
  show();
}

function showDifferences() {
  const on = choices.get("differences", false);
  byId("differences").setAttribute("aria-pressed", String(on));
  unmark("different");
  const task = list[place];
  if (!on || !task || task.texts.length) return;
  const different = differences(task.text1, task.text2, task.lang);
  mark("different", different.flatMap((stretches, side) => stretches.map(([start, end]) => [byId(`text${side + 1}`), start, end])));
}

// Whether names are shown is remembered; the server leaves them out unless the address asks for them.
function showNames(named) {
  choices.set("named", named);
  location.replace(`?show=${page.show}${named ? "&named=1" : ""}`);
}

byId("accept").addEventListener("click", accept);
byId("undo").addEventListener("click", takeBack);
byId("back").addEventListener("click", () => move(-1));
byId("on").addEventListener("click", () => move(1));
byId("write").addEventListener("click", () => byId("note").focus());
byId("note").addEventListener("input", chosen);
sendsFrom(byId("note"), () => {
  byId("note").blur();
  accept();
});
byId("names")?.addEventListener("click", () => showNames(!page.named));
byId("differences").addEventListener("click", () => {
  choices.set("differences", !choices.get("differences", false));
  showDifferences();
});

if (byId("names") && !page.named && choices.get("named", false)) showNames(true);
startPanels();
show();
