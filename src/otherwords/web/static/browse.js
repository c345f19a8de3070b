// Browsing: the words that were looked for are marked, rows are gone through by keys, and the address stays short.
import { byId } from "./dom.js";
import { stretchesOf, termsOf } from "./found.js";
import { mark } from "./highlights.js";
import { choices } from "./outbox.js";
import { startRows } from "./rows.js";

const query = byId("query");
const terms = termsOf(query.defaultValue);
if (terms.length) {
  const texts = [...document.querySelectorAll("#rows .reading")].filter((one) => one.firstChild);
  mark("found", texts.flatMap((one) => stretchesOf(one.firstChild.data, terms).map(([start, end]) => [one, start, end])));
}

startRows("[data-row]");

byId("search").addEventListener("click", () => {
  query.focus();
  query.select();
});

// The filters are as they were left when the page comes again.
const filters = byId("filters");
if (choices.get("filters", false)) filters.open = true;
const showFilters = () => byId("choose").setAttribute("aria-pressed", String(filters.open));
showFilters();
filters.addEventListener("toggle", () => {
  choices.set("filters", filters.open);
  showFilters();
});
byId("choose").addEventListener("click", () => {
  filters.open = !filters.open;
  if (filters.open) filters.querySelector("input").focus();
});

// What is left empty has no place in the address.
byId("filter").addEventListener("formdata", (event) => {
  for (const [name, value] of [...event.formData]) if (!value.trim()) event.formData.delete(name);
  if (!event.formData.has("label")) event.formData.delete("projection");
});
