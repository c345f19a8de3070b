// Seeds: pick one of the best sentences of a group of posts, or skip the group.
import { byId, el, pageData } from "./dom.js";
import { printKey } from "./keys.js";
import { outbox } from "./outbox.js";
import { startPanels } from "./panels.js";
import { Queue } from "./queue.js";
import { startRefusals } from "./refusals.js";
import { t, tn } from "./texts.js";

const PATH = "/seeds";
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "e"];
const page = pageData();
const isOwn = (entry) => entry.path === PATH;
let chosen = null;
let shown = null;

const queue = new Queue({ name: "seeds", ahead: page.ahead, take: `${PATH}/take`, id: (group) => group.name, sent: (entry) => (isOwn(entry) ? entry.body.group : null), show });

function show(group, input) {
  queue.showEmpty();
  byId("skip").disabled = !group;
  byId("undo").disabled = !queue.decided;
  byId("sentences").replaceChildren(...(group?.sentences ?? []).map(drawSentence));
  if (group !== shown) choose(typeof input?.choice === "number" ? input.choice : null);
  else choose(chosen); // redrawn while it is being decided
  shown = group;
  if (!group) return;
  const { size, sentences } = group;
  byId("where").textContent = `${group.name} · ${size > sentences.length ? t("the best {count} of {all} sentences", { count: sentences.length, all: size }) : tn("{count} sentences", "{count} sentences", size)}`;
  scrollTo(0, 0);
}

function drawSentence(sentence, place) {
  const text = el("span", { class: "reading", dir: "auto" }, sentence.text);
  const button = el("button", { type: "button", "aria-pressed": "false", data: { key: KEYS[place], rank: sentence.rank, what: t("Sentence {number}", { number: place + 1 }) }, on: { click: () => choose(sentence.rank) } }, text);
  printKey(button);
  return el("li", {}, button);
}

function choose(rank) {
  chosen = rank;
  byId("submit").disabled = rank === null;
  for (const button of byId("sentences").querySelectorAll("button")) button.setAttribute("aria-pressed", String(Number(button.dataset.rank) === rank));
}

function save(choice) {
  const group = queue.current;
  if (!group || choice === null) return;
  const what = choice === "skip" ? t("skip “{title}”", { title: group.name }) : t("the seed of “{title}”", { title: group.name });
  const sent = outbox.send("POST", PATH, { group: group.name, choice, seconds: queue.seconds() }, { what });
  sent.catch(() => queue.drop(group.name));
  queue.pass({ choice });
}

function undo() {
  const group = queue.back();
  if (!group) return;
  const sent = outbox.send("POST", PATH, { group: group.name, choice: null }, { what: t("undo “{title}”", { title: group.name }) });
  sent.catch(() => queue.drop(group.name));
}

byId("submit").addEventListener("click", () => save(chosen));
byId("skip").addEventListener("click", () => save("skip"));
byId("undo").addEventListener("click", undo);

startPanels();
startRefusals(byId("refusals"), isOwn);
queue.start();
