// Keeps the text in the browser until the server has published it, like all unsaved work.
import { byId } from "./dom.js";
import { drafts } from "./outbox.js";

const PUBLISHED = "#published";
const about = document.querySelector("[data-scheme]");
const name = `guideline:${about.dataset.scheme}`;

if (location.hash === PUBLISHED) {
  drafts.drop(name);
  history.replaceState(null, "", location.pathname);
}
if (byId("text")) keepDraft(byId("text"));

function keepDraft(text) {
  const draft = drafts.get(name);
  byId("kept").hidden = !draft || draft.text === text.value;
  byId("restore").addEventListener("click", () => {
    text.value = draft.text;
    byId("kept").hidden = true;
  });
  byId("forget").addEventListener("click", () => {
    drafts.drop(name);
    byId("kept").hidden = true;
  });
  text.addEventListener("input", () => drafts.set(name, { text: text.value }));
}
