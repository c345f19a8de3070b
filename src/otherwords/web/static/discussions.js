// The queue of discussions: a resolved thread stays visible, so that it can be reopened.
import { byId } from "./dom.js";
import { outbox } from "./outbox.js";
import { startRows } from "./rows.js";
import { t } from "./texts.js";

const PATHS = { pair: "pairs", document_pair: "document-pairs" };

async function settle(thread) {
  const button = thread.querySelector(".settle");
  const resolved = thread.dataset.state === "resolved";
  button.disabled = true;
  thread.querySelector(".why").textContent = "";
  try {
    const path = `/${PATHS[thread.dataset.unit]}/${encodeURIComponent(thread.dataset.item)}/remarks`;
    await outbox.send("POST", path, { action: resolved ? "reopen" : "resolve", text: "" }, { what: resolved ? t("reopen") : t("resolve") });
    thread.dataset.state = resolved ? "open" : "resolved";
    button.textContent = resolved ? t("Resolve") : t("Reopen");
  } catch (problem) {
    thread.querySelector(".why").textContent = problem.message;
  }
  button.disabled = false;
}

const threads = [...document.querySelectorAll(".thread")];
for (const thread of threads) thread.querySelector(".settle").addEventListener("click", () => settle(thread));

if (threads.length) {
  const rows = startRows(".thread");
  const button = byId("settle");
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => rows.current() && settle(rows.current()));
}
