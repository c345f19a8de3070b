// Passages that two texts share word for word: letters must be identical, all runs of white space count as equal, and
// lengths count code points. Positions are UTF-16 units, as pages need them.
const SPACE = /[\s\x1c-\x1f\x85]/; // white space as in Python, except the character below
const NOT_SPACE = "\ufeff";

export function verbatimMatches(text1, text2, shortest) {
  const first = fold(text1);
  const second = fold(text2);
  const matches = sharedStretches(first, second, shortest);
  const covered = new Uint8Array(second.length);
  for (const [, start, size] of matches) covered.fill(1, start, start + size);
  for (const [start2, start1, size] of sharedStretches(second, first, shortest))
    if (covered.subarray(start2, start2 + size).includes(0)) matches.push([start1, start2, size]);
  matches.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return matches.map(([i, j, size]) => [first.places[i], first.places[i + size], second.places[j], second.places[j + size]]);
}

// The stretches of each text that are somewhere in the other, merged if they touch or overlap.
export function copiedStretches(text1, text2, shortest) {
  const matches = verbatimMatches(text1, text2, shortest);
  return [merge(matches.map(([start, end]) => [start, end])), merge(matches.map(([, , start, end]) => [start, end]))];
}

function merge(spans) {
  const merged = [];
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    if (merged.length && start <= merged.at(-1)[1]) merged.at(-1)[1] = Math.max(merged.at(-1)[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

// The text with one blank for each run of white space; for each code point its old position and its new one.
function fold(text) {
  const places = [];
  const begins = [];
  let kept = "";
  let blank = false;
  let unit = 0;
  for (const char of text) {
    const space = SPACE.test(char) && char !== NOT_SPACE;
    if (!space || !blank) {
      places.push(unit);
      begins.push(kept.length);
      kept += space ? " " : char;
    }
    blank = space;
    unit += char.length;
  }
  places.push(unit);
  begins.push(kept.length);
  return { length: places.length - 1, places, slice: (start, end) => kept.slice(begins[start], begins[end]) };
}

// [start in one, start in two, length]: all of the first text that is somewhere in the second, no code point compared twice.
function sharedStretches(first, second, shortest) {
  const known = new Map();
  for (let j = second.length - shortest; j >= 0; j--) known.set(second.slice(j, j + shortest), j);
  const matches = [];
  for (let i = 0; i <= first.length - shortest; ) {
    const j = known.get(first.slice(i, i + shortest));
    if (j === undefined) {
      i++;
      continue;
    }
    let size = shortest;
    while (i + size < first.length && j + size < second.length && first.slice(i + size, i + size + 1) === second.slice(j + size, j + size + 1)) size++;
    matches.push([i, j, size]);
    i += size - shortest + 1;
  }
  return matches;
}
