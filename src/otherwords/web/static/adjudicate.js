// Adjudicating: what people said of a pair side by side; one of them is taken over, or the team gives another answer.
import { get } from "./api.js";
import { Answers, spelled } from "./answers.js";
import { byId, direction, told } from "./dom.js";
import { differences } from "./diff.js";
import { mark, unmark } from "./highlights.js";
import { sendsFrom } from "./keys.js";
import { drawnOpinions, markAdopted } from "./opinions.js";
import { choices, drafts, outbox } from "./outbox.js";
import { startPanels } from "./panels.js";
import { startSidePanels } from "./pair_panels.js";
import { TypesAnswers, asksTypes } from "./types_answers.js";

const page = told();
const list = page.cases;
let place = 0;
let adopted = null; // the judgement that is taken over, if one is
let shownSince = performance.now();

const answers = new (asksTypes(page.scheme) ? TypesAnswers : Answers)(byId("answers"), page.scheme, another);
const panels = startSidePanels(() => list[place]);
const decidedBefore = new Set(list.filter((one) => one.decision));
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
  byId("opinions").replaceChildren(...drawnOpinions(task, adopt));
  const draft = drafts.get(draftOf(task)) ?? { value: task.decision?.value ?? null, adopted: task.decision?.adopted ?? null, note: task.decision?.note };
  byId("note").value = draft.note ?? "";
  answers.about?.(task, list[place + 1]);
  answers.set(draft.value);
  adopted = task.opinions.some((one) => one.id === draft.adopted) ? draft.adopted : null;
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
  const by = page.named && task.decision.annotator ? ` by ${task.decision.annotator}` : "";
  return `Decided${by}: ${spelled(task.decision.value)}. Accepting another answer changes that.`;
}

function showNothing() {
  const decided = list.filter((one) => one.decision).length;
  const more = page.show === "disagreements" && page.settled.waiting > list.length;
  byId("more").hidden = !more;
  byId("nothing-title").textContent = { disagreements: list.length ? "That was the last one" : "Nothing to decide", unsure: "Nobody was unsure of anything else", decided: list.length ? "That was the last one" : "Nothing is decided yet" }[page.show];
  const waiting = page.settled.pairs - page.settled.complete;
  byId("nothing-text").textContent = list.length
    ? `${decided} of ${list.length} are decided.`
    : waiting
      ? `Of ${waiting} pairs judgements are still to come; what people disagree about then comes here.`
      : "All judgements of this batch are in.";
}

function showProgress() {
  const decided = list.filter((one) => one.decision).length;
  byId("count").textContent = `${decided}/${list.length}`;
  byId("bar").max = list.length || 1;
  byId("bar").value = decided;
  showCounts();
}

// The counts above, which the server told when the page was loaded, with what was decided and undone since.
function showCounts() {
  const now = { ...page.settled };
  for (const task of list) {
    const more = Number(Boolean(task.decision)) - Number(decidedBefore.has(task));
    const undecided = undecidedAs(task);
    now.decided += more;
    if (undecided) now[undecided] -= more;
  }
  for (const place of document.querySelectorAll("[data-settled]")) place.textContent = now[place.dataset.settled].toLocaleString("en");
}

// The count that a pair is in as long as it is not decided; none, where all said the same and were sure.
function undecidedAs(task) {
  if (page.show !== "decided") return page.show === "unsure" ? "unsure" : "waiting";
  if (task.severity > 0) return "waiting";
  return task.opinions.some((one) => one.unsure) ? "unsure" : null;
}

function adopt(opinion) {
  adopted = opinion.id;
  answers.set(opinion.value);
  chosen();
}

function another() {
  adopted = null;
  chosen();
}

function value() {
  if (adopted) return list[place].opinions.find((one) => one.id === adopted).value;
  return answers.value();
}

// Whatever changes is kept at once, so that a page that is closed comes back as it was.
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
    byId("why").textContent = "An answer is missing: choose one first.";
    return;
  }
  if (task.decision && !task.decision.id) {
    byId("why").textContent = "The first decision is not saved yet; it can be changed as soon as it is.";
    return;
  }
  const note = byId("note").value.trim() || null;
  const said = { value: answer, adopted, note, seconds: Math.round(performance.now() - shownSince) / 1000 };
  decide(task, said, { id: null, annotator: null, value: answer, note, adopted }, `${spelled(answer)} for “${(task.texts[0] ?? task.text1).slice(0, 60)}”`);
  move(1);
}

function decide(task, said, now, what) {
  const before = task.decision;
  task.decision = now;
  task.refused = null;
  const body = { batch: page.batch, made_from: task.opinions.map((one) => one.id), supersedes: before?.id ?? null, ...said };
  outbox.send("POST", `/pairs/${encodeURIComponent(task.pair)}/consensus`, body, { what }).then(
    (made) => {
      task.decision = made.value === null ? null : made;
      if (task.decision) drafts.drop(draftOf(task));
      if (list[place] === task) show();
      else byId("undo").disabled = lastDecided() < 0;
    },
    (problem) => refused(task, problem, before),
  );
}

// Somebody else may have been faster: what they said is fetched, and decided about anew.
async function refused(task, problem, before) {
  task.decision = before;
  task.refused = `Not saved: ${problem.message}`;
  if (problem.status === 409) await renew(task).catch(() => {});
  place = list.indexOf(task);
  drafts.drop(draftOf(task));
  show();
}

async function renew(task) {
  for (const kind of ["decided", "disagreements", "unsure"]) {
    const query = `show=${kind}${page.named ? "&named=1" : ""}`;
    const { cases } = await get(`/batches/${encodeURIComponent(page.batch)}/disagreements?${query}`);
    const found = cases.find((one) => one.pair === task.pair);
    if (found) return Object.assign(task, found);
  }
}

function lastDecided() {
  return list.slice(0, place + 1).findLastIndex((one) => one.decision?.id);
}

function takeBack() {
  const last = lastDecided();
  if (last < 0) return;
  const task = list[last];
  const { value, adopted, note } = task.decision;
  place = last;
  decide(task, { value: null }, null, "undo");
  drafts.set(draftOf(task), { value, adopted, note }); // to be said again, or changed
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
  const found = differences(task.text1, task.text2, task.lang);
  mark("different", found.flatMap((stretches, side) => stretches.map(([start, end]) => [byId(`text${side + 1}`), start, end])));
}

// With names or without is a choice that stays; the server leaves them out unless the address asks for them.
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
