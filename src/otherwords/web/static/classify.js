// Classifying, one pair at a time. The list has answered pairs before the current one and reserved ones after it, and one
// can go back and forth.
import { Refused, get, send } from "./api.js";
import { Answers } from "./answers.js";
import { answerInWords, byId, chip, direction, el, pageData, spelledInWords } from "./dom.js";
import { differences } from "./diff.js";
import { startDocking } from "./docking.js";
import { mark, unmark } from "./highlights.js";
import { showCompletion } from "./completion.js";
import { sendsFrom } from "./keys.js";
import { nothingToShow } from "./nothing.js";
import { OneKey } from "./one_key.js";
import { choices, drafts, outbox, reasonInWords } from "./outbox.js";
import { startPanels } from "./panels.js";
import { startSidePanels } from "./pair_panels.js";
import { refuse, startRefusing } from "./refusing.js";
import { Rewriting } from "./rewriting.js";
import { TypesAnswers, asksTypes } from "./types/answers.js";
import { t, withElements } from "./texts.js";

const AHEAD = 3;
const MOST_AT_ONCE = 50; // that the server reserves
const RETRY = { offline: 2000, trouble: 5000, held: 30_000 }; // milliseconds until more pairs are asked for again
const SAVING = t("Your answer is being saved; the next pair comes when it is.");
const READ_FIRST = t("Read this one first, then go on.");
const NO_PAIR = t("There is no pair to judge now.");
const page = pageData();
const answeredBefore = new Set(unsaved(outbox.inherited)); // by an earlier page of this browser: not asked for again
const leftOut = new Set(); // those of them that the server still offered
const list = [...page.recent, ...stillOpen(page.tasks)]; // answered tasks have a judgement
let place = page.recent.length;
let shownSince = performance.now();
let contextShown = false;
let refilling = false;
let supply = null; // how the last request for more pairs ended, see nothing.js
let retry = null;
let awaiting = false; // an answer is being saved, and the next pair waits for it
let missed = null; // a hidden test that was answered wrongly, until the explanation has been read

const answers = new (asksTypes(page.scheme) ? TypesAnswers : Answers)(byId("answers"), page.scheme, () => {
  changed();
  oneKey.answered(answers, rewriting);
});
const rewriting = new Rewriting(page.scheme, changed);
const oneKey = new OneKey(byId("one-key"), page.one_key, submit);
const panels = startSidePanels(() => list[place], () => (contextShown = true));

// The slots whose first answers the server may not have yet, of this page and of earlier ones.
function unsaved(entries = outbox.waiting()) {
  const waiting = entries.filter((entry) => entry.path === "/judgements" && entry.batch === page.batch);
  return waiting.filter((entry) => entry.body.supersedes === null).map((entry) => entry.body.slot);
}

// Tasks without those that were answered before; the server does not count these yet.
function stillOpen(tasks) {
  for (const { slot } of tasks) {
    if (!answeredBefore.has(slot) || leftOut.has(slot)) continue;
    leftOut.add(slot);
    page.progress.mine++, page.progress.done++;
  }
  return tasks.filter((task) => !answeredBefore.has(task.slot));
}

function show() {
  const task = list[place];
  byId("missed").hidden = !missed;
  byId("work").hidden = !task || Boolean(missed);
  byId("nothing").hidden = Boolean(task || missed);
  showRefusals(task);
  showProgress();
  if (missed) return showMissed();
  if (!task) return showNothing();
  for (const side of ["1", "2"]) {
    const text = byId(`text${side}`);
    text.textContent = task[`text${side}`];
    text.dir = direction(task.lang);
    text.lang = task.lang ?? "";
  }
  byId("pair").hidden = task.texts.length > 0;
  byId("group").classList.toggle("candidates", page.scheme.candidates);
  byId("group").replaceChildren(...task.texts.map((text, number) => el("li", {}, page.scheme.candidates ? el("span", { class: "number" }, number ? String(number) : t("Source")) : null, el("span", { class: "reading", dir: direction(task.lang), lang: task.lang ?? "" }, text))));
  byId("where").textContent = task.judgement ? t("You have judged this; saving again changes your judgement.") : task.present ? t("Its label is {label}. Accept it, or give it another.", { label: task.present }) : "";
  const draft = drafts.get(task.slot) ?? fromJudgement(task);
  answers.about?.(task, list[place + 1]);
  answers.set(draft.value);
  byId("note").value = draft.note ?? "";
  setUnsure(draft.unsure ?? false);
  rewriting.set(task, draft.rewrite ?? null);
  shownSince = performance.now();
  contextShown = false;
  showDifferences();
  changed();
  byId("why").textContent = task.refused ?? "";
  panels.show(task);
}

function fromJudgement(task) {
  const judgement = task.judgement ?? {};
  const rewrite = judgement.rewrites?.[0];
  return { value: judgement.value ?? task.present ?? null, note: judgement.note, unsure: judgement.unsure, rewrite: rewrite ? { text1: rewrite[0], text2: rewrite[1], sure: true } : null };
}

// Which buttons can do nothing now, and why.
function showRefusals(task) {
  const always = missed ? READ_FIRST : task ? null : NO_PAIR;
  for (const button of byId("keys").querySelectorAll("button")) {
    if (button.id === "rewrite" && task && !missed) continue; // that depends on the label
    refuse(button, button.dataset.panel === "guideline" ? null : always);
  }
  if (missed) return;
  refuse(byId("back"), place === 0 ? t("There is nothing before this one.") : null);
  refuse(byId("on"), place >= list.length - 1 ? (task ? t("The next one comes when you have saved this one.") : NO_PAIR) : null);
  const undoable = list.slice(0, place + 1).some((earlier) => earlier.judgement);
  refuse(byId("undo"), !page.undo ? t("Answers of this batch are final.") : undoable ? null : t("There is nothing to undo."));
}

// Say something about what was just tried, beside it.
function say(reason) {
  byId(missed ? "missed-refusal" : list[place] ? "why" : "nothing-why").textContent = reason;
}

function showMissed() {
  for (const side of ["1", "2"]) {
    const text = byId(`missed${side}`);
    text.textContent = missed[`text${side}`];
    text.dir = direction(missed.lang);
    text.lang = missed.lang ?? "";
  }
  byId("missed-label").replaceChildren(...withElements(t("You said {answer}, and it is {label}."), { answer: answerInWords(missed.judgement.value, page.scheme), label: answerInWords(missed.test.label, page.scheme) }));
  byId("missed-why").textContent = missed.test.explanation ?? "";
  byId("missed-refusal").textContent = "";
}

function showNothing() {
  const { title, text } = nothingToShow(page, supply, outbox.waiting().length);
  byId("nothing-title").textContent = title;
  byId("nothing-text").textContent = text;
  byId("nothing-why").textContent = "";
  byId("nothing-onward").hidden = supply === "offline" && !page.stopped; // no other page can be loaded
}

// Own progress, and that of the whole batch if it differs.
function showProgress() {
  const { mine, for_me, done, asked } = page.progress;
  byId("count").textContent = t("yours {done}/{all}", { done: mine, all: for_me });
  byId("count-all").textContent = mine === done && for_me === asked ? "" : t("batch {done}/{all}", { done, all: asked });
  byId("bar").max = for_me || 1;
  byId("bar").value = mine;
  showCompletion(page.code_after, mine, !list[place] && !missed && !refilling && !page.stopped);
}

function setUnsure(unsure) {
  byId("unsure").setAttribute("aria-pressed", String(unsure));
  byId("noting").hidden = !unsure && !byId("note").value;
}

const isUnsure = () => byId("unsure").getAttribute("aria-pressed") === "true";

// Every change is stored at once, so that a closed page reopens as it was.
function changed() {
  const task = list[place];
  if (!task) return;
  const value = answers.value();
  rewriting.allow(value);
  refuse(byId("submit"), awaiting ? SAVING : value === null ? answers.missing() : null);
  byId("why").textContent = "";
  byId("rewrite-why").textContent = "";
  drafts.set(task.slot, { value: answers.partial(), note: byId("note").value, unsure: isUnsure(), rewrite: rewriting.draft() });
}

async function submit() {
  const task = list[place];
  const value = answers.value();
  if (!task) return;
  if (awaiting) return say(SAVING);
  if (value === null) return say(answers.missing());
  const rewrite = rewriting.value(task);
  if (rewrite?.problem) return rewriting.refuse(rewrite);
  if (task.saving && !task.judgement?.id) {
    say(t("Your first answer is not saved yet; it can be changed as soon as it is."));
    return;
  }
  const body = {
    slot: task.slot,
    value,
    unsure: isUnsure(),
    note: byId("note").value.trim() || null,
    rewrites: rewrite ? [rewrite] : [],
    context_shown: page.context ? contextShown : false,
    seconds: Math.round(performance.now() - shownSince) / 1000,
    guideline: page.guideline,
    supersedes: task.judgement?.id ?? null,
  };
  const first = !task.judgement;
  const sent = JSON.stringify(drafts.get(task.slot));
  task.judgement = { ...task.judgement, id: null, value, note: body.note, unsure: body.unsure, rewrites: body.rewrites.map((rewritten) => [rewritten.text1, rewritten.text2]) };
  task.refused = null;
  task.saving = outbox.send("POST", "/judgements", body, { renew: `/slots/${task.slot}/renew`, batch: page.batch, what: t("{answer} for “{text}”", { answer: spelledInWords(value, page.scheme), text: (task.texts[0] ?? task.text1).slice(0, 60) }) });
  task.saving.then(
    (saved) => {
      task.judgement = { ...task.judgement, ...saved };
      const edited = list[place] === task && JSON.stringify(drafts.get(task.slot)) !== sent;
      if (!edited) drafts.drop(task.slot);
      if (list[place] === task && !page.watched && !edited) show(); // not over what was typed since
    },
    (problem) => refused(task, problem, body.supersedes),
  );
  if (first) page.progress.mine++, page.progress.done++;
  if (oneKey.on) byId("last").replaceChildren(...withElements(t("Saved before this: {answer}"), { answer: answerInWords(value, page.scheme) }));
  if (page.watched) return waitForAnswer(task);
  move(1);
  await refill();
}

// In watched batches the next pair is shown only after the answer is saved and it is known whether the worker may go on.
// A test is not shown again.
async function waitForAnswer(task) {
  setAwaiting(true);
  let saved;
  try {
    saved = await task.saving;
  } catch (problem) {
    await refill(); // expired reservations are with others by now
    setAwaiting(false);
    const next = list.includes(task) ? null : list[place];
    if (next) next.refused = t("The pair before this one was not saved: {reason}", { reason: problem.message });
    return show(); // with the reason, to be tried again
  }
  if (saved.test) list.splice(list.indexOf(task), 1);
  else place++;
  if (saved.test && !saved.test.right) {
    missed = { ...task, test: saved.test };
    show();
  }
  await refill();
  setAwaiting(false);
  show();
}

function setAwaiting(on) {
  awaiting = on;
  byId("work").ariaBusy = String(on);
  refuse(byId("submit"), on ? SAVING : null);
}

function refused(task, problem, earlier) {
  task.refused = t("Not saved: {reason}", { reason: problem.message });
  task.saving = null; // so that it can be sent again
  if (earlier === null) {
    task.judgement = null;
    page.progress.mine--;
    page.progress.done--;
  } else task.judgement.id = earlier;
  place = list.indexOf(task);
  show();
}

function move(by) {
  place = Math.max(0, Math.min(list.length, place + by));
  show();
}

async function refill() {
  if (refilling || page.stopped || (!page.watched && list.length - place >= AHEAD)) return;
  refilling = true;
  clearTimeout(retry);
  try {
    await takeMore();
    supply = place >= list.length ? await whatIsLeft() : null;
    refilling = false;
    if (supply?.progress) page.progress = supply.progress;
    askAgain();
    if (!byId("nothing").hidden) show(); // not if somebody went back meanwhile
    else showRefusals(list[place]);
  } catch (problem) {
    refilling = false;
    if (problem instanceof Refused && problem.code === "consent-needed") return location.assign(`/introduction/${encodeURIComponent(page.batch)}`);
    if (page.watched && problem instanceof Refused && problem.status === 403) {
      list.length = Math.min(place, list.length);
      page.stopped = problem.message;
      return show();
    }
    supply = !(problem instanceof Refused) ? "offline" : problem.status === 401 ? "login" : problem.status >= 500 || problem.status === 429 ? "trouble" : problem.message;
    if (place < list.length) return;
    askAgain();
    showNothing();
  }
}

// Ask for more pairs after a while, if that can help. Nobody gets pairs for a page that they do not look at.
function askAgain() {
  const pause = RETRY[supply?.with_others ? "held" : supply];
  if (pause) retry = setTimeout(() => (document.hidden ? askAgain() : refill()), pause);
}

// The server also sends what is held already, and what was answered but is not saved yet, so ask for as many more.
async function takeMore() {
  const count = Math.min(AHEAD + 2 + unsaved().length, MOST_AT_ONCE);
  const taken = stillOpen(await send("POST", `/batches/${encodeURIComponent(page.batch)}/take?count=${count}`));
  const known = new Set(list.map((task) => task.slot));
  if (page.watched) dropExpired(new Set(taken.map((task) => task.slot)));
  list.push(...taken.filter((task) => !known.has(task.slot)));
}

// What is left of the batch once the server has all answers of this page; null if there is another pair then.
async function whatIsLeft() {
  const listening = new AbortController();
  await new Promise((resolve) => {
    const look = () => (outbox.state().reason || !unsaved().length) && resolve();
    outbox.addEventListener("change", look, { signal: listening.signal });
    look();
  });
  listening.abort();
  const { waiting, reason } = outbox.state();
  if (waiting && reason) return { "no connection": "offline", "log in again": "login" }[reason] ?? "trouble";
  await takeMore();
  return place < list.length ? null : get(`/batches/${encodeURIComponent(page.batch)}/rest`);
}

// Drop tasks whose reservation expired while the page was left alone; others have them by now.
function dropExpired(held) {
  const from = list[place]?.refused ? place : place + 1;
  for (let at = list.length - 1; at >= from; at--) if (!list[at].judgement && !held.has(list[at].slot)) list.splice(at, 1);
}

async function takeBack() {
  const last = list.slice(0, place + 1).findLastIndex((task) => task.judgement);
  if (last < 0) return;
  const task = list[last];
  place = last;
  if (!task.judgement.id) {
    show();
    say(t("This is not saved yet; it is undone as soon as it is."));
    if (task.undoing) return;
    task.undoing = true; // whoever is quick need not press twice
    const saved = await task.saving?.then(() => true, () => false);
    task.undoing = false;
    if (!saved || list[place] !== task || !task.judgement?.id) return; // somebody who has moved on changed their mind
  }
  const before = task.judgement;
  drafts.set(task.slot, fromJudgement(task));
  task.judgement = null;
  task.saving = null;
  page.progress.mine--;
  page.progress.done--;
  show();
  try {
    await outbox.send("POST", `/judgements/${before.id}/undo`, {}, { query: true, what: t("undo") });
  } catch (problem) {
    task.judgement = before;
    page.progress.mine++;
    page.progress.done++;
    show();
    say(problem.message);
  }
}

function showDifferences() {
  const on = choices.get("differences", false);
  byId("differences")?.setAttribute("aria-pressed", String(on));
  unmark("different");
  const task = list[place];
  if (!on || !task || task.texts.length) return;
  const different = differences(task.text1, task.text2, task.lang);
  mark("different", different.flatMap((stretches, side) => stretches.map(([start, end]) => [byId(`text${side + 1}`), start, end])));
}

byId("submit").addEventListener("click", submit);
byId("understood").addEventListener("click", () => {
  missed = null;
  show();
});
byId("undo").addEventListener("click", takeBack);
byId("back").addEventListener("click", () => move(-1));
byId("on").addEventListener("click", () => move(1));
byId("unsure").addEventListener("click", () => {
  setUnsure(!isUnsure());
  if (isUnsure()) byId("note").focus();
  changed();
});
byId("note").addEventListener("input", changed);
for (const field of ["note", "rewrite1", "rewrite2", "rewrite-label"].map(byId)) {
  sendsFrom(field, () => {
    field.blur();
    submit();
  });
}
byId("differences")?.addEventListener("click", () => {
  choices.set("differences", !choices.get("differences", false));
  showDifferences();
});

// While an answer waits for the server and the next pair for it, say what it waits for.
outbox.addEventListener("change", () => {
  const { reason } = outbox.state();
  if (awaiting && reason) say(t("Not saved yet: {reason}. The next pair comes when it is.", { reason: reasonInWords(reason) }));
  if (!list[place] && typeof supply === "string") showNothing();
});
addEventListener("online", () => refill());

startRefusing(say, (key) => {
  if (missed) return READ_FIRST;
  if (!list[place]) return NO_PAIR;
  return asksTypes(page.scheme) ? null : t("“{key}” is not a key of this page; ? lists them all.", { key }); // the editor has keys of its own
});
startDocking(byId("answers"), byId("finish"), byId("keys"));
startPanels();
show();
refill();
