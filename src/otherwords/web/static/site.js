// What every page has: the theme switch, what is saved and what is not, and the list of keys.
import { outbox } from "./outbox.js";
import { startKeys } from "./keys.js";

// Every click shows the other theme; back at that of the system, the page follows the system again.
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
