// A button that copies the content of a field; without scripts it is hidden and the field can be selected.
import { t } from "./texts.js";

for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const result = button.parentElement.querySelector("output");
  button.hidden = false;
  field.addEventListener("focus", () => field.select());
  if (document.activeElement === field) field.select(); // it was focused before this script ran
  button.addEventListener("click", async () => {
    field.select();
    result.textContent = (await copy(field.value)) ? t("copied") : t("press Ctrl+C to copy it");
  });
}

// The clipboard is available only to pages loaded by TLS or from this machine.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
