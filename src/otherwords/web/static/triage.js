// Triage: how two documents begin, and a yes or no.
import { byId, direction, told } from "./dom.js";
import { outbox } from "./outbox.js";
import { startPanels } from "./panels.js";
import { Queue } from "./queue.js";
import { startRefusals } from "./refusals.js";

const PATH = "/triage/";
const page = told();
const isMine = (entry) => entry.path.startsWith(PATH);
const named = (entry) => (isMine(entry) ? decodeURIComponent(entry.path.slice(PATH.length)) : null);
let waiting = page.waiting;

const queue = new Queue({ name: "triage", ahead: page.ahead, take: `${PATH}take`, id: (one) => one.id, sent: named, show });

function show(one, kept) {
  byId("work").hidden = !one;
  byId("nothing").hidden = Boolean(one);
  for (const name of ["accept", "reject", "noting"]) byId(name).disabled = !one;
  byId("undo").disabled = !queue.decided;
  byId("note").value = kept?.note ?? "";
  byId("count").textContent = waiting > 0 ? `${waiting >= page.most ? `${page.most} or more` : waiting} waiting` : "";
  if (!one) return;
  const similarity = one.similarity === null ? null : `similarity ${one.similarity.toFixed(2)}`;
  byId("where").textContent = [one.group, similarity, one.round > 1 ? `round ${one.round}` : null].filter(Boolean).join(" · ");
  for (const side of ["one", "two"]) showOpening(side, one[side]);
  scrollTo(0, 0);
}

function showOpening(side, { id, title, source, lang, time, text, cut }) {
  byId(`${side}-title`).textContent = title ?? id;
  byId(`${side}-source`).textContent = [source, lang, time?.slice(0, 10)].filter(Boolean).join(" · ");
  const place = byId(`${side}-text`);
  place.textContent = cut ? `${text} …` : text;
  for (const element of [place, byId(`${side}-title`)]) Object.assign(element, { dir: direction(lang), lang: lang ?? "" });
}

function say(decision, because = "") {
  const one = queue.current;
  if (!one) return;
  const note = byId("note").value.trim();
  const reason = [because, note].filter(Boolean).join(": ") || null;
  const seconds = queue.seconds();
  const sent = outbox.send("POST", PATH + encodeURIComponent(one.id), { decision, reason, seconds }, { what: `${decision} “${title(one)}”` });
  sent.catch(() => queue.drop(one.id));
  waiting--;
  queue.pass({ note });
}

function undo() {
  if (!queue.decided) return;
  waiting++;
  const one = queue.back();
  const sent = outbox.send("POST", PATH + encodeURIComponent(one.id), { decision: "undo" }, { what: `undo “${title(one)}”` });
  sent.catch(() => queue.drop(one.id));
}

const title = (one) => one.one.title ?? one.one.text.slice(0, 40);

byId("accept").addEventListener("click", () => say("accept"));
byId("reject").addEventListener("click", () => say("reject"));
for (const button of document.querySelectorAll("[data-reason]")) button.addEventListener("click", () => say("reject", button.dataset.reason));
byId("undo").addEventListener("click", undo);
byId("noting").addEventListener("click", () => byId("note").focus());
byId("note").addEventListener("keydown", (event) => event.key === "Enter" && !event.isComposing && byId("note").blur());

startPanels();
startRefusals(byId("refusals"), isMine);
queue.start();
