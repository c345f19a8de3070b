// Panels on the right: opened and closed by buttons with data-panel; their state is restored when the page is loaded.
import { choices } from "./outbox.js";

const narrow = matchMedia("(max-width: 48rem)"); // panels come up over the page: one at a time
const openers = () => [...document.querySelectorAll("button[data-panel]")];

export function isOpen(name) {
  return !document.getElementById(`panel-${name}`)?.hidden;
}

export function toggle(name, open = !isOpen(name)) {
  const panel = document.getElementById(`panel-${name}`);
  if (!panel) return;
  if (open && narrow.matches) {
    for (const other of document.querySelectorAll(".panel:not([hidden])")) if (other !== panel) toggle(other.id.slice("panel-".length), false);
  }
  panel.hidden = !open;
  choices.set(`panel:${name}`, open);
  for (const button of openers()) if (button.dataset.panel === name) button.setAttribute("aria-pressed", String(open));
  panel.dispatchEvent(new CustomEvent(open ? "open" : "shut"));
}

// Call when the page is ready to fill them.
export function startPanels() {
  for (const button of openers()) {
    button.addEventListener("click", () => {
      toggle(button.dataset.panel);
      if (isOpen(button.dataset.panel)) document.querySelector(`#panel-${button.dataset.panel} textarea`)?.focus();
    });
    toggle(button.dataset.panel, choices.get(`panel:${button.dataset.panel}`, false) === true);
  }
  for (const button of document.querySelectorAll("[data-shut]")) {
    button.addEventListener("click", () => toggle(button.dataset.shut, false));
  }
}
