// Buttons that can do nothing now. They can still be pressed, by key or mouse, and then say why.

// Give a button the reason why it does nothing, or null if it works.
export function refuse(button, reason) {
  if (!button) return;
  if (reason) Object.assign(button.dataset, { refused: reason });
  else delete button.dataset.refused;
  button.setAttribute("aria-disabled", String(Boolean(reason)));
}

// `say` shows a reason. `unused` gives the reason for a single key that no button has, or null to say nothing.
export function startRefusing(say, unused) {
  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest?.("[data-refused]");
      if (!button) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      say(button.dataset.refused);
    },
    true,
  );
  document.addEventListener("keydown", (event) => {
    const plain = event.key.length === 1 && event.key !== " " && event.key !== "?" && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!plain || event.defaultPrevented || event.repeat || event.isComposing) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable], [data-writing], .panel")) return;
    const reason = unused(event.key);
    if (reason) say(reason);
  });
}
