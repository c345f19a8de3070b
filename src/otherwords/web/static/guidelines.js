// What is being written is kept in the browser until the server has published it, as all unsaved work is.
import { byId } from "./dom.js";
import { drafts } from "./outbox.js";

const PUBLISHED = "#published";
const about = document.querySelector("[data-scheme]");
const name = `guideline:${about.dataset.scheme}`;

if (location.hash === PUBLISHED) {
  drafts.drop(name);
  history.replaceState(null, "", location.pathname);
}
if (byId("text")) keep(byId("text"));

function keep(text) {
  const kept = drafts.get(name);
  byId("kept").hidden = !kept || kept.text === text.value;
  byId("restore").addEventListener("click", () => {
    text.value = kept.text;
    byId("kept").hidden = true;
  });
  byId("forget").addEventListener("click", () => {
    drafts.drop(name);
    byId("kept").hidden = true;
  });
  text.addEventListener("input", () => drafts.set(name, { text: text.value }));
}
