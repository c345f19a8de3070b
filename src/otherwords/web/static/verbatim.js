// What two texts have word for word in common, as annotate/verbatim.py finds it: letters must be the same, any run of
// white space is like any other, and lengths count code points. Places are UTF-16 units, as a page needs them.
const SPACE = /[\s\x1c-\x1f\x85]/; // what Python takes for white space, but for the one below
const NOT_SPACE = "\ufeff";

export function verbatimMatches(text1, text2, shortest) {
  const one = folded(text1);
  const two = folded(text2);
  const found = stretches(one, two, shortest);
  const covered = new Uint8Array(two.length);
  for (const [, start, size] of found) covered.fill(1, start, start + size);
  for (const [start2, start1, size] of stretches(two, one, shortest))
    if (covered.subarray(start2, start2 + size).includes(0)) found.push([start1, start2, size]);
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return found.map(([i, j, size]) => [one.places[i], one.places[i + size], two.places[j], two.places[j + size]]);
}

// The stretches of each text that are somewhere in the other, joined where they touch or overlap.
export function grey(text1, text2, shortest) {
  const found = verbatimMatches(text1, text2, shortest);
  return [joined(found.map(([start, end]) => [start, end])), joined(found.map(([, , start, end]) => [start, end]))];
}

function joined(spans) {
  const told = [];
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    if (told.length && start <= told.at(-1)[1]) told.at(-1)[1] = Math.max(told.at(-1)[1], end);
    else told.push([start, end]);
  }
  return told;
}

// The text with one blank for each run of white space, where each of its code points stood, and where it begins now.
function folded(text) {
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

// [start in one, start in two, length]: all of `one` that is somewhere in `two`, no code point compared twice.
function stretches(one, two, shortest) {
  const known = new Map();
  for (let j = two.length - shortest; j >= 0; j--) known.set(two.slice(j, j + shortest), j);
  const found = [];
  for (let i = 0; i <= one.length - shortest; ) {
    const j = known.get(one.slice(i, i + shortest));
    if (j === undefined) {
      i++;
      continue;
    }
    let size = shortest;
    while (i + size < one.length && j + size < two.length && one.slice(i + size, i + size + 1) === two.slice(j + size, j + size + 1)) size++;
    found.push([i, j, size]);
    i += size - shortest + 1;
  }
  return found;
}
