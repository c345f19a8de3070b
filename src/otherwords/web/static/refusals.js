// What the server did not take stays on the page, with its reason, until somebody has read it.
import { el } from "./dom.js";
import { outbox } from "./outbox.js";

// `mine` picks the entries of this page, `again` tells what a button beside one does and is called, if anything.
export function startRefusals(place, mine, again = () => null) {
  const draw = () => place.replaceChildren(...outbox.refused().filter(mine).map((entry) => drawn(entry, again(entry))));
  outbox.addEventListener("change", draw);
  draw();
}

function drawn(entry, again) {
  const dismiss = () => outbox.dismiss(entry.id);
  const button = (name, run) => el("button", { type: "button", class: "plain", on: { click: run } }, name);
  return el(
    "div",
    { class: "notice bad row refusal", role: "alert" },
    el("span", {}, el("strong", {}, `Not saved: ${entry.what}. `), entry.reason),
    again ? button(again.name, () => (dismiss(), again.run())) : null,
    button("Dismiss", dismiss),
  );
}
