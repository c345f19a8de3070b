// Phenomena in words: the type, the words in each text, and further attributes.
import { el } from "./dom.js";
import { mark } from "./highlights.js";
import { Offsets } from "./offsets.js";
import { keysOf, scopesOf } from "./types/marks.js";
import { t } from "./texts.js";

// The phenomena in an answer: a list of them, or one of several answers that is such a list; null if there are none.
export function phenomenaIn(value) {
  if (value && typeof value === "object" && !Array.isArray(value)) return Object.values(value).map(phenomenaIn).find(Boolean) ?? null;
  return Array.isArray(value) && value.length && value.every((phenomenon) => phenomenon && typeof phenomenon === "object" && "type" in phenomenon) ? value : null;
}

// The words of some ranges, with an ellipsis for gaps.
export function quoted(ranges, offsets) {
  return ranges.map(([start, end]) => offsets.slice(start, end)).join(" … ");
}

// The description of a phenomenon, without its type.
export function describe(phenomenon, offsets) {
  const [scope1, scope2] = scopesOf(phenomenon).map((scope, side) => quoted(scope, offsets[side]));
  const keys = keysOf(phenomenon).map((key, side) => quoted(key, offsets[side])).filter(Boolean);
  const words = scope1 && scope2 ? [bdi(scope1), " → ", bdi(scope2)] : [bdi(scope1 || scope2), el("span", { class: "soft" }, ` ${scope1 ? t("(first text only)") : t("(second text only)")}`)];
  const more = [projectionName(phenomenon.projection), keys.length ? t("key: {words}", { words: keys.join(" · ") }) : null, phenomenon.meta?.pre ? t("marked beforehand") : null].filter(Boolean);
  return el("span", { class: "told" }, ...words, more.length ? el("span", { class: "soft more" }, ` ${more.join(", ")}`) : null);
}

// Local or global, in the language of the page.
export function projectionName(projection) {
  return { local: t("local"), global: t("global") }[projection] ?? projection;
}

// A row for each; hovering over a row or focusing it highlights its words in the texts of the page.
export function drawPhenomena(phenomena, texts) {
  const offsets = texts.map((text) => new Offsets(text.textContent));
  const highlight = (phenomenon) => () => mark("other", phenomenon ? scopesOf(phenomenon).flatMap((ranges, side) => ranges.map((range) => [texts[side], ...range.map((point) => offsets[side].toUnits(point))])) : []);
  const row = (phenomenon) => el("li", { on: { mouseenter: highlight(phenomenon), mouseleave: highlight(null), focusin: highlight(phenomenon), focusout: highlight(null) } }, el("a", { href: `/browse?type=${encodeURIComponent(phenomenon.type)}` }, phenomenon.type), " ", describe(phenomenon, offsets));
  return el("ul", { class: "found-phenomena" }, ...phenomena.map(row));
}

// The other parts of an answer that contains phenomena, in words.
export function withoutPhenomena(value) {
  return Array.isArray(value) ? null : Object.entries(value).filter(([, part]) => !phenomenaIn(part)).map(([name, part]) => `${name}: ${part}`).join(", ");
}

const bdi = (text) => el("bdi", {}, text);
