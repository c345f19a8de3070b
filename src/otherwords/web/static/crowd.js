// Moving through the workers of a crowd with keys; a decision presses the button in the row that has the focus.
import { byId } from "./dom.js";
import { startRows } from "./rows.js";

const rows = startRows("[data-row]");
for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("mousedown", (event) => event.preventDefault()); // the row keeps the focus
  button.addEventListener("click", () => rows.current()?.querySelector(`[data-deed="${button.dataset.do}"]`)?.click());
}
for (const button of document.querySelectorAll("[data-press]")) {
  button.addEventListener("click", () => byId(button.dataset.press).click());
}
