// For every page: the theme switch, the state of saving, and keyboard shortcuts.
import { outbox, reasonInWords } from "./outbox.js";
import { startKeys } from "./keys.js";
import { t, tn } from "./texts.js";

// Every click switches the theme; back at the system's theme, the page follows the system again.
const root = document.documentElement;
document.getElementById("theme")?.addEventListener("click", () => {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const next = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
  if (next === system) {
    localStorage.removeItem("otherwords:theme");
    delete root.dataset.theme;
  } else {
    localStorage.setItem("otherwords:theme", next);
    root.dataset.theme = next;
  }
});

const saved = document.getElementById("saved");
function showSaved() {
  const { waiting, refused, reason } = outbox.state();
  if (refused) {
    saved.dataset.state = "refused";
    saved.textContent = tn("{count} refused", "{count} refused", refused);
  } else if (waiting && reason) {
    const stuck = outbox.stuck().map((entry) => entry.what);
    saved.dataset.state = "waiting";
    const values = { reason: reasonInWords(reason), what: stuck[0] };
    saved.textContent = stuck.length ? tn("{count} not saved: {reason} with {what}", "{count} not saved: {reason} with {what}", waiting, values) : tn("{count} not saved: {reason}", "{count} not saved: {reason}", waiting, values);
  } else if (!navigator.onLine) {
    saved.dataset.state = "waiting";
    saved.textContent = waiting ? tn("{count} not saved: {reason}", "{count} not saved: {reason}", waiting, { reason: t("no connection") }) : t("no connection");
  } else if (waiting) {
    saved.dataset.state = "saving";
    saved.textContent = t("saving…");
  } else if (outbox.everSent) {
    saved.dataset.state = "saved";
    saved.textContent = t("saved ✓");
  } else {
    delete saved.dataset.state;
    saved.textContent = "";
  }
}
if (saved) {
  let timer = null; // most answers are saved before it would be said that they are being saved
  outbox.addEventListener("change", () => {
    const { waiting, reason } = outbox.state();
    if (waiting && !reason) {
      if (saved.dataset.state === "saved") saved.dataset.state = "saving"; // at once it is no longer true
      timer ??= setTimeout(showSaved, 200); // whoever is faster than the server does not put it off
      return;
    }
    clearTimeout(timer);
    timer = null;
    showSaved();
  });
  for (const event of ["online", "offline"]) addEventListener(event, showSaved);
  showSaved();
}

// On a phone the menu is one row that is moved sideways: the current page is in sight.
const menu = document.querySelector(".bar nav");
const current = menu?.querySelector("[aria-current]");
if (current) menu.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - menu.offsetLeft - menu.clientWidth / 2;

outbox.start();
startKeys();
