// Classifying: one pair at a time. What was answered lies behind, what is to come ahead, and one may go back and forth.
import { Refused, send } from "./api.js";
import { Answers, spelled } from "./answers.js";
import { byId, chip, direction, el, told } from "./dom.js";
import { differences } from "./diff.js";
import { mark, unmark } from "./highlights.js";
import { sendsFrom } from "./keys.js";
import { choices, drafts, outbox } from "./outbox.js";
import { startPanels } from "./panels.js";
import { startSidePanels } from "./pair_panels.js";
import { Rewriting } from "./rewriting.js";
import { TypesAnswers, asksTypes } from "./types_answers.js";

const AHEAD = 3;
const page = told();
const list = [...page.recent, ...page.tasks]; // answered ones have a judgement
let place = page.recent.length;
let shownSince = performance.now();
let contextShown = false;
let refilling = false;
let hearing = false; // an answer is on its way, and the next pair waits for it
let missed = null; // a hidden test that was answered wrongly, until it has been read why

const answers = new (asksTypes(page.scheme) ? TypesAnswers : Answers)(byId("answers"), page.scheme, changed);
const rewriting = new Rewriting(page.scheme, changed);
const panels = startSidePanels(() => list[place], () => (contextShown = true));

function show() {
  const task = list[place];
  byId("missed").hidden = !missed;
  byId("work").hidden = !task || Boolean(missed);
  byId("nothing").hidden = Boolean(task || missed);
  for (const button of byId("keys").querySelectorAll("button")) button.disabled = !task && button.id !== "undo" && button.id !== "back";
  byId("back").disabled = place === 0;
  byId("on").disabled = place >= list.length - 1;
  byId("undo").disabled = !page.undo || !list.slice(0, place + 1).some((one) => one.judgement);
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
  byId("group").replaceChildren(...task.texts.map((text) => el("li", { class: "reading", dir: direction(task.lang), lang: task.lang ?? "" }, text)));
  byId("where").textContent = task.judgement ? "You have judged this; saving again changes your judgement." : task.present ? `Its label is ${task.present}. Accept it, or give it another.` : "";
  const said = drafts.get(task.slot) ?? fromJudgement(task);
  answers.about?.(task, list[place + 1]);
  answers.set(said.value);
  byId("note").value = said.note ?? "";
  setUnsure(said.unsure ?? false);
  rewriting.set(task, said.rewrite ?? null);
  shownSince = performance.now();
  contextShown = false;
  showDifferences();
  changed();
  byId("why").textContent = task.refused ?? "";
  panels.show(task);
}

function fromJudgement(task) {
  const said = task.judgement ?? {};
  const rewrite = said.rewrites?.[0];
  return { value: said.value ?? task.present ?? null, note: said.note, unsure: said.unsure, rewrite: rewrite ? { text1: rewrite[0], text2: rewrite[1], sure: true } : null };
}

function showMissed() {
  for (const button of byId("keys").querySelectorAll("button")) button.disabled = true;
  for (const side of ["1", "2"]) {
    const text = byId(`missed${side}`);
    text.textContent = missed[`text${side}`];
    text.dir = direction(missed.lang);
    text.lang = missed.lang ?? "";
  }
  byId("missed-label").replaceChildren("You said ", chip(missed.judgement.value), ", and it is ", chip(missed.test.label), ".");
  byId("missed-why").textContent = missed.test.explanation ?? "";
}

function showNothing() {
  const { done, asked } = page.progress;
  if (page.stopped) {
    byId("nothing-title").textContent = "Paused";
    byId("nothing-text").textContent = `${page.stopped[0].toUpperCase()}${page.stopped.slice(1)}.`;
    return;
  }
  if (refilling) {
    byId("nothing-title").textContent = "";
    byId("nothing-text").textContent = "The next pair is on its way.";
    return;
  }
  byId("nothing-title").textContent = page.progress.for_me ? "Nothing is left for you here" : "Nothing is in this batch for you";
  byId("nothing-text").textContent =
    done < asked ? "What is left is with others. If a reservation of theirs runs out, it comes to you." : "All judgements of this batch are in. Thank you.";
}

// What one has done of what is for oneself; what all have done, where that is not the same.
function showProgress() {
  const { mine, for_me, done, asked } = page.progress;
  byId("count").textContent = `yours ${mine}/${for_me}`;
  byId("count-all").textContent = mine === done && for_me === asked ? "" : `batch ${done}/${asked}`;
  byId("bar").max = for_me || 1;
  byId("bar").value = mine;
}

function setUnsure(unsure) {
  byId("unsure").setAttribute("aria-pressed", String(unsure));
  byId("noting").hidden = !unsure && !byId("note").value;
}

const isUnsure = () => byId("unsure").getAttribute("aria-pressed") === "true";

// Whatever changes is kept at once, so that a page that is closed comes back as it was.
function changed() {
  const task = list[place];
  if (!task) return;
  const value = answers.value();
  rewriting.allow(value);
  byId("submit").disabled = value === null || hearing;
  byId("why").textContent = "";
  byId("rewrite-why").textContent = "";
  drafts.set(task.slot, { value: answers.partial(), note: byId("note").value, unsure: isUnsure(), rewrite: rewriting.draft() });
}

async function submit() {
  const task = list[place];
  const value = answers.value();
  if (!task || hearing) return;
  if (value === null) {
    byId("why").textContent = "An answer is missing: choose one first.";
    return;
  }
  const rewrite = rewriting.value(task);
  if (rewrite?.problem) return rewriting.refuse(rewrite);
  if (task.saving && !task.judgement?.id) {
    byId("why").textContent = "Your first answer is not saved yet; it can be changed as soon as it is.";
    return;
  }
  const said = {
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
  task.judgement = { ...task.judgement, id: null, value, note: said.note, unsure: said.unsure, rewrites: said.rewrites.map((one) => [one.text1, one.text2]) };
  task.refused = null;
  task.saving = outbox.send("POST", "/judgements", said, { renew: `/slots/${task.slot}/renew`, what: `${spelled(value)} for “${(task.texts[0] ?? task.text1).slice(0, 60)}”` });
  task.saving.then(
    (made) => {
      task.judgement = { ...task.judgement, ...made };
      drafts.drop(task.slot);
      if (list[place] === task && !page.watched) show();
    },
    (problem) => refused(task, problem, said.supersedes),
  );
  if (first) page.progress.mine++, page.progress.done++;
  if (page.watched) return heard(task);
  move(1);
  await refill();
}

// Where answers are watched, each is on the server, and it is known whether one may go on, before the next pair comes.
// A test is not shown again.
async function heard(task) {
  hear(true);
  let made;
  try {
    made = await task.saving;
  } catch (problem) {
    await refill(); // what ran out is with others by now
    hear(false);
    const next = list.includes(task) ? null : list[place];
    if (next) next.refused = `The pair before this one was not saved: ${problem.message}`;
    return show(); // with why, and to be tried again
  }
  if (made.test) list.splice(list.indexOf(task), 1);
  else place++;
  if (made.test && !made.test.right) {
    missed = { ...task, test: made.test };
    show();
  }
  await refill();
  hear(false);
  show();
}

function hear(on) {
  hearing = on;
  byId("work").ariaBusy = String(on);
  byId("submit").disabled = on;
}

function refused(task, problem, earlier) {
  task.refused = `Not saved: ${problem.message}`;
  task.saving = null; // it can be tried again
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
  try {
    const taken = await send("POST", `/batches/${encodeURIComponent(page.batch)}/take?count=${AHEAD + 2}`);
    const known = new Set(list.map((one) => one.slot));
    const waiting = place >= list.length;
    if (page.watched) letGo(new Set(taken.map((one) => one.slot)));
    list.push(...taken.filter((one) => !known.has(one.slot)));
    refilling = false;
    if (waiting) show();
    byId("on").disabled = place >= list.length - 1 || Boolean(missed);
  } catch (problem) {
    refilling = false;
    if (page.watched && problem instanceof Refused && problem.status === 403) {
      list.length = Math.min(place, list.length);
      page.stopped = problem.message;
      return show();
    }
    if (place < list.length) return;
    if (!(problem instanceof Refused)) return setTimeout(refill, 2000);
    showNothing();
    byId("nothing-text").textContent = problem.message;
  }
}

// What ran out while the page was left alone is with others by now.
function letGo(held) {
  const from = list[place]?.refused ? place : place + 1;
  for (let at = list.length - 1; at >= from; at--) if (!list[at].judgement && !held.has(list[at].slot)) list.splice(at, 1);
}

async function takeBack() {
  const last = list.slice(0, place + 1).findLastIndex((one) => one.judgement);
  if (last < 0) return;
  const task = list[last];
  place = last;
  if (!task.judgement.id) {
    show();
    byId("why").textContent = "This is not saved yet; it can be undone as soon as it is.";
    return;
  }
  const before = task.judgement;
  drafts.set(task.slot, fromJudgement(task));
  task.judgement = null;
  task.saving = null;
  page.progress.mine--;
  page.progress.done--;
  show();
  try {
    await outbox.send("POST", `/judgements/${before.id}/undo`, {}, { query: true, what: "undo" });
  } catch (problem) {
    task.judgement = before;
    page.progress.mine++;
    page.progress.done++;
    show();
    byId("why").textContent = problem.message;
  }
}

function showDifferences() {
  const on = choices.get("differences", false);
  byId("differences")?.setAttribute("aria-pressed", String(on));
  unmark("different");
  const task = list[place];
  if (!on || !task || task.texts.length) return;
  const found = differences(task.text1, task.text2, task.lang);
  mark("different", found.flatMap((stretches, side) => stretches.map(([start, end]) => [byId(`text${side + 1}`), start, end])));
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

startPanels();
show();
refill();
