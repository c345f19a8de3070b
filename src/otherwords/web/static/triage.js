// Triage: how two documents begin, to be accepted or rejected.
import { byId, direction, pageData } from "./dom.js";
import { outbox } from "./outbox.js";
import { startPanels } from "./panels.js";
import { Queue } from "./queue.js";
import { startRefusals } from "./refusals.js";
import { t } from "./texts.js";

const PATH = "/triage/";
const page = pageData();
const isOwn = (entry) => entry.path.startsWith(PATH);
const idOf = (entry) => (isOwn(entry) ? decodeURIComponent(entry.path.slice(PATH.length)) : null);
let waiting = page.waiting;
let shown = null;

const queue = new Queue({ name: "triage", ahead: page.ahead, take: `${PATH}take`, id: (documents) => documents.id, sent: idOf, show });

function show(documents, input) {
  queue.showEmpty();
  for (const name of ["accept", "reject", "noting"]) byId(name).disabled = !documents;
  byId("undo").disabled = !queue.decided;
  if (documents !== shown) byId("note").value = input?.note ?? ""; // not over a note that is being typed
  shown = documents;
  byId("count").textContent = waiting > 0 ? waiting >= page.most ? t("{count} or more waiting", { count: page.most }) : t("{count} waiting", { count: waiting }) : "";
  if (!documents) return;
  const similarity = documents.similarity === null ? null : t("similarity {value}", { value: documents.similarity.toFixed(2) });
  byId("where").textContent = [documents.group, similarity, documents.round > 1 ? t("round {number}", { number: documents.round }) : null].filter(Boolean).join(" · ");
  for (const side of ["one", "two"]) showOpening(side, documents[side]);
  scrollTo(0, 0);
}

function showOpening(side, { id, title, source, lang, time, text, cut }) {
  byId(`${side}-title`).textContent = title ?? id;
  byId(`${side}-source`).textContent = [source, lang, time?.slice(0, 10)].filter(Boolean).join(" · ");
  const place = byId(`${side}-text`);
  place.textContent = cut ? `${text} …` : text;
  for (const element of [place, byId(`${side}-title`)]) Object.assign(element, { dir: direction(lang), lang: lang ?? "" });
}

function decide(decision, because = "") {
  const documents = queue.current;
  if (!documents) return;
  const note = byId("note").value.trim();
  const reason = [because, note].filter(Boolean).join(": ") || null;
  const seconds = queue.seconds();
  const sent = outbox.send("POST", PATH + encodeURIComponent(documents.id), { decision, reason, seconds }, { what: decision === "accept" ? t("accept “{title}”", { title: title(documents) }) : t("reject “{title}”", { title: title(documents) }) });
  sent.catch(() => queue.drop(documents.id));
  waiting--;
  queue.pass({ note });
}

function undo() {
  if (!queue.decided) return;
  waiting++;
  const documents = queue.back();
  const sent = outbox.send("POST", PATH + encodeURIComponent(documents.id), { decision: "undo" }, { what: t("undo “{title}”", { title: title(documents) }) });
  sent.catch(() => queue.drop(documents.id));
}

const title = (documents) => documents.one.title ?? documents.one.text.slice(0, 40);

byId("accept").addEventListener("click", () => decide("accept"));
byId("reject").addEventListener("click", () => decide("reject"));
for (const button of document.querySelectorAll("[data-reason]")) button.addEventListener("click", () => decide("reject", button.dataset.reason));
byId("undo").addEventListener("click", undo);
byId("noting").addEventListener("click", () => byId("note").focus());
byId("note").addEventListener("keydown", (event) => event.key === "Enter" && !event.isComposing && byId("note").blur());

startPanels();
startRefusals(byId("refusals"), isOwn);
queue.start();
