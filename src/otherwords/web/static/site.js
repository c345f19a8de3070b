// What every page has: the theme switch, what is saved and what is not, and the list of keys.
import { outbox } from "./outbox.js";
import { startKeys } from "./keys.js";

const THEMES = ["system", "light", "dark"];
const button = document.getElementById("theme");
button?.addEventListener("click", () => {
  const now = localStorage.getItem("otherwords:theme") ?? "system";
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
  localStorage.setItem("otherwords:theme", next);
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  button.title = `Theme: ${next}`;
});

const saved = document.getElementById("saved");
function showSaved() {
  const { waiting, refused, reason } = outbox.state();
  if (refused) {
    saved.dataset.state = "refused";
    saved.textContent = `${refused} refused`;
  } else if (waiting && reason) {
    saved.dataset.state = "waiting";
    saved.textContent = `${waiting} not saved: ${reason}`;
  } else if (waiting) {
    saved.dataset.state = "saving";
    saved.textContent = "saving…";
  } else if (outbox.everSent) {
    saved.dataset.state = "saved";
    saved.textContent = "saved ✓";
  } else {
    delete saved.dataset.state;
    saved.textContent = "";
  }
}
if (saved) {
  let timer = null;
  outbox.addEventListener("change", () => {
    clearTimeout(timer);
    const quiet = outbox.state().waiting && !outbox.state().reason;
    timer = setTimeout(showSaved, quiet ? 200 : 0);
  });
  showSaved();
}

outbox.start();
startKeys();
