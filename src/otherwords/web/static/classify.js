// Classifying: one pair at a time. What was answered lies behind, what is to come ahead, and one may go back and forth.
import { Refused, send } from "./api.js";
import { Answers } from "./answers.js";
import { byId, direction, told } from "./dom.js";
import { differences } from "./diff.js";
import { mark, unmark } from "./highlights.js";
import { choices, drafts, outbox } from "./outbox.js";
import { startPanels } from "./panels.js";
import { startSidePanels } from "./pair_panels.js";
import { Rewriting } from "./rewriting.js";

const AHEAD = 3;
const page = told();
const list = [...page.recent, ...page.tasks]; // answered ones have a judgement
let place = page.recent.length;
let shownSince = performance.now();
let contextShown = false;
let refilling = false;

const answers = new Answers(byId("answers"), page.scheme, changed);
const rewriting = new Rewriting(page.scheme, changed);
const panels = startSidePanels(() => list[place], () => (contextShown = true));

function show() {
  const task = list[place];
  byId("work").hidden = !task;
  byId("nothing").hidden = Boolean(task);
  for (const button of byId("keys").querySelectorAll("button")) button.disabled = !task && button.id !== "undo" && button.id !== "back";
  byId("back").disabled = place === 0;
  byId("on").disabled = place >= list.length - 1;
  byId("undo").disabled = !page.undo || !list.slice(0, place + 1).some((one) => one.judgement);
  showProgress();
  if (!task) return showNothing();
  for (const side of ["1", "2"]) {
    const text = byId(`text${side}`);
    text.textContent = task[`text${side}`];
    text.dir = direction(task.lang);
    text.lang = task.lang ?? "";
  }
  byId("where").textContent = task.judgement ? "You have judged this pair; saving again changes your judgement." : "";
  const said = drafts.get(task.slot) ?? fromJudgement(task);
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
  return { value: said.value ?? null, note: said.note, unsure: said.unsure, rewrite: rewrite ? { text1: rewrite[0], text2: rewrite[1], sure: true } : null };
}

function showNothing() {
  const { done, asked } = page.progress;
  if (refilling) {
    byId("nothing-title").textContent = "";
    byId("nothing-text").textContent = "The next pair is on its way.";
    return;
  }
  byId("nothing-title").textContent = page.progress.for_me ? "Nothing is left for you here" : "Nothing is in this batch for you";
  byId("nothing-text").textContent =
    done < asked ? "What is left is with others. If a reservation of theirs runs out, it comes to you." : "All judgements of this batch are in. Thank you.";
}

function showProgress() {
  const { mine, for_me } = page.progress;
  byId("count").textContent = `${mine}/${for_me}`;
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
  byId("submit").disabled = value === null;
  byId("why").textContent = "";
  drafts.set(task.slot, { value: answers.partial(), note: byId("note").value, unsure: isUnsure(), rewrite: rewriting.draft() });
}

async function submit() {
  const task = list[place];
  const value = answers.value();
  if (!task || value === null) return;
  const rewrite = rewriting.value(task);
  if (rewrite?.problem) {
    byId("why").textContent = rewrite.problem;
    return;
  }
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
  task.saving = outbox.send("POST", "/judgements", said, { renew: `/slots/${task.slot}/renew`, what: `${value} for “${task.text1.slice(0, 60)}”` });
  task.saving.then(
    (made) => {
      task.judgement = { ...task.judgement, ...made };
      drafts.drop(task.slot);
      if (list[place] === task) show();
    },
    (problem) => refused(task, problem, said.supersedes),
  );
  if (first) page.progress.mine++, page.progress.done++;
  move(1);
  await refill();
}

function refused(task, problem, earlier) {
  task.refused = `Not saved: ${problem.message}`;
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
  if (refilling || list.length - place >= AHEAD) return;
  refilling = true;
  try {
    const taken = await send("POST", `/batches/${encodeURIComponent(page.batch)}/take?count=${AHEAD + 2}`);
    const known = new Set(list.map((one) => one.slot));
    const waiting = place >= list.length;
    list.push(...taken.filter((one) => !known.has(one.slot)));
    refilling = false;
    if (waiting) show();
    byId("on").disabled = place >= list.length - 1;
  } catch (problem) {
    refilling = false;
    if (place < list.length) return;
    if (!(problem instanceof Refused)) return setTimeout(refill, 2000);
    showNothing();
    byId("nothing-text").textContent = problem.message;
  }
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
  byId("differences").setAttribute("aria-pressed", String(on));
  unmark("different");
  const task = list[place];
  if (!on || !task) return;
  const found = differences(task.text1, task.text2, task.lang);
  mark("different", found.flatMap((stretches, side) => stretches.map(([start, end]) => [byId(`text${side + 1}`), start, end])));
}

byId("submit").addEventListener("click", submit);
byId("undo").addEventListener("click", takeBack);
byId("back").addEventListener("click", () => move(-1));
byId("on").addEventListener("click", () => move(1));
byId("unsure").addEventListener("click", () => {
  setUnsure(!isUnsure());
  if (isUnsure()) byId("note").focus();
  changed();
});
byId("note").addEventListener("input", changed);
byId("differences").addEventListener("click", () => {
  choices.set("differences", !choices.get("differences", false));
  showDifferences();
});

startPanels();
show();
refill();
