// Browsing: highlights search terms, moves through rows with keys, and keeps addresses short.
import { byId } from "./dom.js";
import { stretchesOf, termsOf } from "./search_terms.js";
import { mark } from "./highlights.js";
import { choices } from "./outbox.js";
import { startRows } from "./rows.js";

const query = byId("query");
const terms = termsOf(query.defaultValue);
if (terms.length) {
  const texts = [...document.querySelectorAll("#rows .reading")].filter((text) => text.firstChild);
  mark("found", texts.flatMap((text) => stretchesOf(text.firstChild.data, terms).map(([start, end]) => [text, start, end])));
}

startRows("[data-row]");

byId("search").addEventListener("click", () => {
  query.focus();
  query.select();
});

// Whether the filters are open is restored when the page is loaded.
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

// Empty fields are left out of the address.
byId("filter").addEventListener("formdata", (event) => {
  for (const [name, value] of [...event.formData]) if (!value.trim()) event.formData.delete(name);
  if (!event.formData.has("label")) event.formData.delete("projection");
});
