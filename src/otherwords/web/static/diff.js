// Which words of two texts differ: by the longest common subsequence of words, ignoring case and punctuation.
const LONGEST = 2000; // words; beyond that a table of all against all is too large for a page

export function words(text, lang) {
  const segmenter = new Intl.Segmenter(lang || undefined, { granularity: "word" });
  return [...segmenter.segment(text)].filter((segment) => segment.isWordLike).map((segment) => ({ word: segment.segment.toLocaleLowerCase(), start: segment.index, end: segment.index + segment.segment.length }));
}

// The stretches of each text that are not in the other, in UTF-16 units.
export function differences(text1, text2, lang) {
  const a = words(text1, lang);
  const b = words(text2, lang);
  if (a.length > LONGEST || b.length > LONGEST) return [[], []];
  const [keptA, keptB] = commonSubsequence(a.map((word) => word.word), b.map((word) => word.word));
  return [merge(a, keptA), merge(b, keptB)];
}

export function commonSubsequence(a, b) {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  const keptA = new Set();
  const keptB = new Set();
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      keptA.add(i++);
      keptB.add(j++);
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return [keptA, keptB];
}

// Neighbouring words that differ are one stretch.
function merge(words, kept) {
  const stretches = [];
  let last = -2;
  words.forEach((word, place) => {
    if (kept.has(place)) return;
    if (last === place - 1) stretches.at(-1)[1] = word.end;
    else stretches.push([word.start, word.end]);
    last = place;
  });
  return stretches;
}
