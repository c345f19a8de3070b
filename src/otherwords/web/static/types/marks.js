// Tokens and ranges: phenomena have ranges of code points, people mark tokens. Nothing here touches the page.
import { commonSubsequence } from "../diff.js";
import { t } from "../texts.js";

const LONGEST = 2000; // tokens; beyond that a table of all against all is too large for a page

// The ranges that some tokens cover; neighbours form one range, including what is between them.
export function rangesOf(numbers, tokens) {
  const ranges = [];
  let last = -2;
  for (const number of [...numbers].sort((a, b) => a - b)) {
    if (number === last + 1) ranges.at(-1)[1] = tokens[number][1];
    else ranges.push([...tokens[number]]);
    last = number;
  }
  return ranges;
}

// The tokens that some ranges touch.
export function numbersOf(ranges, tokens) {
  const touched = (token) => ranges.some(([start, end]) => token[0] < end && start < token[1]);
  return new Set([...tokens.keys()].filter((number) => touched(tokens[number])));
}

// The stretches that two or more scopes share, from the scopes of one text.
export function shared(scopes) {
  const edges = scopes.flatMap((ranges) => ranges.flatMap(([start, end]) => [[start, 1], [end, -1]]));
  edges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const stretches = [];
  let depth = 0;
  for (const [place, step] of edges) {
    if (depth === 1 && step === 1) stretches.push([place, place]);
    depth += step;
    if (depth === 1 && step === -1) stretches.at(-1)[1] = place;
  }
  return stretches.filter(([start, end]) => start < end);
}

// The tokens that both texts have word for word and in the same order.
export function identical(words1, words2) {
  if (words1.length > LONGEST || words2.length > LONGEST) return [new Set(), new Set()];
  return commonSubsequence(words1, words2);
}

export const scopesOf = (phenomenon) => [phenomenon.scope1 ?? [], phenomenon.scope2 ?? []];
export const keysOf = (phenomenon) => [phenomenon.key1 ?? [], phenomenon.key2 ?? []];

// Why a phenomenon cannot be committed, in words; null if it can. The server checks the same.
export function problemOf(phenomenon, type, others, typeOf) {
  if (!type) return t("Choose its type.");
  const [scope1, scope2] = scopesOf(phenomenon);
  if (!scope1.length && !scope2.length) return t("Mark the words that it is about.");
  if (type.one_sided && scope1.length && scope2.length) return t("{type}: mark words in one of the texts only, the one that has more.", { type: type.name });
  if (!type.one_sided && !(scope1.length && scope2.length)) return scope1.length ? t("{type}: mark what corresponds in the second text as well.", { type: type.name }) : t("{type}: mark what corresponds in the first text as well.", { type: type.name });
  if (type.projection === "required" && !phenomenon.projection) return t("{type}: say whether it is local or global.", { type: type.name });
  const clash = others.find((other) => sameMarks(other, phenomenon) || (standsAlone(type, typeOf(other)) && overlap(other, phenomenon)));
  if (!clash) return null;
  if (sameMarks(clash, phenomenon)) return t("{type} is marked on these words already.", { type: type.name });
  return t("Some of these words belong to {type} already; here each word belongs to one phenomenon.", { type: typeOf(clash)?.name ?? clash.type });
}

const standsAlone = (first, second) => first.overlap === false || second?.overlap === false;
const sameMarks = (first, second) => first.type === second.type && JSON.stringify(scopesOf(first)) === JSON.stringify(scopesOf(second));
const overlap = (first, second) => scopesOf(first).some((scope, side) => shared([scope, scopesOf(second)[side]]).length > 0);
