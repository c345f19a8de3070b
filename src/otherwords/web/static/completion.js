// The link to one's completion code: in a batch that gives one, it is shown when the code can be had.
import { byId } from "./dom.js";

// `after` is the number of answers that earn the code, 0 if it comes when nothing is left, null if there is none.
export function showCompletion(after, mine, nothingLeft) {
  const earned = after !== null && mine > 0 && (after ? mine >= after : nothingLeft);
  for (const link of [byId("code-earned"), byId("code-at-end")]) if (link) link.hidden = !earned;
}
