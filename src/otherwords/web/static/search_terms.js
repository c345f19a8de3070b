// Where the terms of a search occur in a text. The search ignores case, compatibility forms and repeated blanks; so a
// text is folded grapheme by grapheme, and each folded character remembers its position.
const clusters = window.Intl?.Segmenter ? new Intl.Segmenter(undefined, { granularity: "grapheme" }) : null;

function fold(text) {
  return text.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase().normalize("NFKC");
}

// Words and "phrases in quotes", as the search reads them.
export function termsOf(query) {
  const spelled = fold(query.replace(/[“”„‟]/g, '"').replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")).replace(/\s+/g, " ");
  const terms = [...spelled.matchAll(/"([^"]*)"|([^\s"]+)/g)].map((match) => (match[1] ?? "").trim() || match[2]);
  return [...new Set(terms.filter(Boolean))];
}

// The stretches of a text that contain one of the terms: [[start, end], …] in UTF-16 units.
export function stretchesOf(text, terms) {
  const pieces = clusters ? [...clusters.segment(text)].map((cluster) => cluster.segment) : [...text];
  let folded = "";
  const starts = [];
  const ends = [];
  let place = 0;
  for (const piece of pieces) {
    let added = fold(piece).replace(/\s+/g, " ");
    if (added === " " && folded.endsWith(" ")) added = "";
    for (let unit = 0; unit < added.length; unit++) {
      starts.push(place);
      ends.push(place + piece.length);
    }
    folded += added;
    place += piece.length;
  }
  const stretches = [];
  for (const term of terms) {
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) {
      stretches.push([starts[at], ends[at + term.length - 1]]);
    }
  }
  return stretches;
}
