// Keeps the text in the browser until the server has published it, like all unsaved work.
import { byId } from "./dom.js";
import { drafts } from "./outbox.js";

const PUBLISHED = "#published";
const about = document.querySelector("[data-draft]"); // the form, or what shows the text when it is published
const name = about.dataset.draft;

if (location.hash === PUBLISHED) {
  drafts.drop(name);
  history.replaceState(null, "", location.pathname);
  about.scrollIntoView({ block: "nearest" });
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
