// The method: while something runs, its bar moves, and what has changed takes the place of what was there.
import { byId, pageData } from "./dom.js";
import { printKey } from "./keys.js";
import { t } from "./texts.js";

const ASK_AGAIN = 1500; // milliseconds
let version = pageData().version;
let step = pageData().step;

// Only boxes that differ are replaced, so that nothing flickers and whatever has the focus or is open stays as it is.
async function refresh() {
  const answer = await fetch(location.pathname + location.search, { headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error(t("The server answered {status}", { status: answer.status }));
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const fresh of next.querySelectorAll("[data-live]")) {
    const old = byId(fresh.id);
    if (!old || old.outerHTML === fresh.outerHTML) continue;
    const focused = old.contains(document.activeElement);
    const taken = document.adoptNode(fresh);
    old.replaceWith(taken);
    for (const button of taken.querySelectorAll("[data-key]")) printKey(button);
    if (focused) (taken.querySelector("button, a") ?? taken).focus();
  }
  const now = next.getElementById("now").textContent;
  if (byId("now").textContent !== now) byId("now").textContent = now;
}

function moveBar(run) {
  const box = run.step && byId(`step-${run.step}`);
  const bar = box?.querySelector(".bar-of-step");
  if (!bar) return;
  const count = box.querySelector(".count");
  if (run.total) {
    bar.max = run.total;
    bar.value = run.done;
  } else bar.removeAttribute("value");
  const words = run.total ? `${run.done.toLocaleString("en")} / ${run.total.toLocaleString("en")}` : run.done ? run.done.toLocaleString("en") : "";
  if (count.textContent !== words) count.textContent = words;
}

async function look() {
  try {
    const answer = await fetch("/method/run.json", { headers: { accept: "application/json" } });
    if (answer.status === 401 || answer.status === 403) return location.reload();
    const run = await answer.json();
    if (run.version !== version || run.step !== step || !run.running) {
      await refresh();
      [version, step] = [run.version, run.step];
    }
    moveBar(run);
    if (!run.running) return setTimeout(refresh, ASK_AGAIN); // by then it is known how it ended
  } catch {
    // no connection: it is asked again
  }
  setTimeout(look, ASK_AGAIN);
}

if (pageData().running) setTimeout(look, ASK_AGAIN);
