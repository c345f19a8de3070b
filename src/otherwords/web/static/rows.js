// Moving through rows with j and k: the link of the row gets the focus, so the browser itself opens it.
import { byId } from "./dom.js";

export function startRows(selector) {
  const rows = [...document.querySelectorAll(selector)];
  const linkOf = (row) => row.querySelector("a.permalink");
  const place = () => rows.findIndex((row) => row.contains(document.activeElement));
  const move = (by) => {
    const from = place();
    const to = from < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, from + by));
    const row = rows[to];
    if (!row) return;
    linkOf(row).focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  };
  byId("down")?.addEventListener("click", () => move(1));
  byId("up")?.addEventListener("click", () => move(-1));
  byId("open")?.addEventListener("click", () => linkOf(rows[Math.max(0, place())] ?? document.body)?.click());
  for (const id of ["down", "up", "open"]) {
    const button = byId(id);
    if (!button) continue;
    button.disabled = rows.length === 0;
    button.addEventListener("mousedown", (event) => event.preventDefault()); // the row keeps the focus
  }
  return { current: () => rows[place()] ?? null };
}
