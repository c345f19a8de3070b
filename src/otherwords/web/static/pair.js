// The page of a pair: its history, its discussion and its documents.
import { byId, pageData } from "./dom.js";
import { differences } from "./diff.js";
import { mark, unmark } from "./highlights.js";
import { choices } from "./outbox.js";
import { startPanels } from "./panels.js";
import { startSidePanels } from "./pair_panels.js";

const page = pageData();
const texts = [...byId("pair").querySelectorAll(".reading")];

function showDifferences() {
  const on = choices.get("differences", false);
  byId("differences").setAttribute("aria-pressed", String(on));
  unmark("different");
  if (!on) return;
  const different = differences(texts[0].textContent, texts[1].textContent, page.lang);
  mark("different", different.flatMap((stretches, side) => stretches.map(([start, end]) => [texts[side], start, end])));
}

byId("differences").addEventListener("click", () => {
  choices.set("differences", !choices.get("differences", false));
  showDifferences();
});
byId("talk").addEventListener("click", () => {
  byId("panel-discussion").scrollIntoView({ block: "nearest" });
  if (!byId("remark").hidden) byId("remark-text").focus();
});

const panels = startSidePanels(() => page);
panels.show();
startPanels();
showDifferences();
