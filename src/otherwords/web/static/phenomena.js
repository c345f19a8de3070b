// Phenomena as people read them: the type, the words in each text, and what else is told of them.
import { el } from "./dom.js";
import { mark } from "./highlights.js";
import { Offsets } from "./offsets.js";
import { keysOf, scopesOf } from "./types_marks.js";

// The phenomena in an answer: a list of them, or one of several answers that is such a list; null where there are none.
export function phenomenaIn(value) {
  if (value && typeof value === "object" && !Array.isArray(value)) return Object.values(value).map(phenomenaIn).find(Boolean) ?? null;
  return Array.isArray(value) && value.length && value.every((one) => one && typeof one === "object" && "type" in one) ? value : null;
}

// The words of some ranges, gaps told.
export function quoted(ranges, offsets) {
  return ranges.map(([start, end]) => offsets.slice(start, end)).join(" … ");
}

// What a row tells, without its type.
export function toldOf(one, offsets) {
  const [scope1, scope2] = scopesOf(one).map((scope, side) => quoted(scope, offsets[side]));
  const keys = keysOf(one).map((key, side) => quoted(key, offsets[side])).filter(Boolean);
  const words = scope1 && scope2 ? [bdi(scope1), " → ", bdi(scope2)] : [bdi(scope1 || scope2), el("span", { class: "soft" }, scope1 ? " (first text only)" : " (second text only)")];
  const more = [one.projection, keys.length ? `key: ${keys.join(" · ")}` : null, one.meta?.pre ? "marked beforehand" : null].filter(Boolean);
  return el("span", { class: "told" }, ...words, more.length ? el("span", { class: "soft more" }, ` ${more.join(", ")}`) : null);
}

// A row for each, over the texts of the page: whoever looks at one sees its words there.
export function drawnPhenomena(phenomena, texts) {
  const offsets = texts.map((text) => new Offsets(text.textContent));
  const see = (one) => () => mark("other", one ? scopesOf(one).flatMap((ranges, side) => ranges.map((range) => [texts[side], ...range.map((point) => offsets[side].toUnits(point))])) : []);
  const row = (one) => el("li", { on: { mouseenter: see(one), mouseleave: see(null), focusin: see(one), focusout: see(null) } }, el("a", { href: `/browse?type=${encodeURIComponent(one.type)}` }, one.type), " ", toldOf(one, offsets));
  return el("ul", { class: "found-phenomena" }, ...phenomena.map(row));
}

// The rest of an answer that holds phenomena, as other answers are.
export function withoutPhenomena(value) {
  return Array.isArray(value) ? null : Object.entries(value).filter(([, said]) => !phenomenaIn(said)).map(([name, said]) => `${name}: ${said}`).join(", ");
}

const bdi = (text) => el("bdi", {}, text);
