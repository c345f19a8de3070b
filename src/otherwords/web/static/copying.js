// A button that copies what a field shows, where there is a script; the field can be selected without it.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const result = button.parentElement.querySelector("output");
  button.hidden = false;
  field.addEventListener("focus", () => field.select());
  button.addEventListener("click", async () => {
    field.select();
    result.textContent = (await copied(field.value)) ? "copied" : "press Ctrl+C to copy it";
  });
}

// The clipboard is there only for a page that came by TLS or from this machine.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
