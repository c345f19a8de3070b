// Entries that the server refused stay on the page, with the reason, until they are dismissed.
import { el } from "./dom.js";
import { outbox } from "./outbox.js";
import { t } from "./texts.js";

// `isOwn` selects the entries of this page; `retryOf` gives name and action of a second button for an entry, or null.
export function startRefusals(place, isOwn, retryOf = () => null) {
  const draw = () => place.replaceChildren(...outbox.refused().filter(isOwn).map((entry) => drawEntry(entry, retryOf(entry))));
  outbox.addEventListener("change", draw);
  draw();
}

function drawEntry(entry, retry) {
  const dismiss = () => outbox.dismiss(entry.id);
  const button = (name, run) => el("button", { type: "button", class: "plain", on: { click: run } }, name);
  return el(
    "div",
    { class: "notice bad row refusal", role: "alert" },
    el("span", {}, el("strong", {}, `${t("Not saved: {what}.", { what: entry.what })} `), entry.reason),
    retry ? button(retry.name, () => (dismiss(), retry.run())) : null,
    button(t("Dismiss"), dismiss),
  );
}
