// The form for a new batch, live: the count, the first pairs and what fields offer follow what is filled in. The page that
// the server would show is asked for, and its parts replace those of this one.
import { byId } from "./dom.js";
import { t } from "./texts.js";

const PAUSE = 250; // milliseconds after the last change
const ASK_AGAIN = 1000; // milliseconds, while the search is being made ready
const form = byId("new");
let timer = null;
let asking = null;

function address() {
  const filled = [...new FormData(form)].filter(([name, value]) => value && name !== "key");
  return `${form.getAttribute("action")}?${new URLSearchParams(filled)}`;
}

async function update() {
  asking?.abort();
  asking = new AbortController();
  byId("summary").ariaBusy = "true";
  try {
    const response = await fetch(address(), { headers: { accept: "text/html" }, signal: asking.signal });
    if (response.redirected) return location.reload(); // to the login
    show(new DOMParser().parseFromString(await response.text(), "text/html"));
    history.replaceState(null, "", address());
    waitForSearch();
  } catch (problem) {
    if (problem.name !== "AbortError") byId("fit").textContent = t("No connection: how many fit is not known");
  }
}

function show(fresh) {
  for (const id of ["problem", "summary"]) byId(id).replaceChildren(...fresh.getElementById(id).childNodes);
  byId("summary").ariaBusy = "false";
  for (const list of fresh.querySelectorAll("datalist")) byId(list.id)?.replaceChildren(...list.children);
  const links = fresh.querySelectorAll(".starts a");
  for (const [place, link] of document.querySelectorAll(".starts a").entries()) link.href = links[place].getAttribute("href");
}

function later(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(update, milliseconds);
}

function waitForSearch() {
  if (byId("problem").querySelector("[data-again]")) later(ASK_AGAIN);
}

form.addEventListener("input", () => later(PAUSE));
form.addEventListener("submit", (event) => {
  clearTimeout(timer);
  if (event.submitter?.formMethod === "post") return;
  event.preventDefault(); // Enter in a field only looks again
  update();
});
waitForSearch();
