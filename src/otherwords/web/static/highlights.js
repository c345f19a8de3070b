// Marks over text that stays one untouched text node: overlapping and discontinuous ones, in any script.
const registered = new Map();

// Mark stretches, given in UTF-16 units of each element's only text node: [[element, start, end], …].
export function mark(name, stretches) {
  if (!window.Highlight || !CSS.highlights) return;
  const ranges = stretches
    .filter(([element, start, end]) => element.firstChild && start < end)
    .map(([element, start, end]) => {
      const range = new StaticRange({ startContainer: element.firstChild, startOffset: start, endContainer: element.firstChild, endOffset: Math.min(end, element.firstChild.length) });
      return range;
    });
  if (!registered.has(name)) {
    registered.set(name, new Highlight());
    CSS.highlights.set(name, registered.get(name));
  }
  const highlight = registered.get(name);
  highlight.clear();
  for (const range of ranges) highlight.add(range);
}

export function unmark(name) {
  registered.get(name)?.clear();
}

export function marked(name) {
  return [...(registered.get(name) ?? [])].map((range) => range.startContainer.textContent.slice(range.startOffset, range.endOffset));
}
