// What of the page does not fit its window or a finger: content beyond the edges, words or placeholders that are cut off
// without a sign of it, targets under 24 px (WCAG 2.2, 2.5.8), and keys where fingers do the work. Gives sentences, none if all is well.
(() => {
  const SMALLEST = 24;
  const CONTROLS = "button, .button, summary, select, textarea, input:not([type='hidden'], [type='checkbox'], [type='radio']), .bar a, .chip[href]";
  const problems = new Set();
  const name = (element) => `${element.localName}${element.id ? `#${element.id}` : ""} “${(element.innerText ?? "").trim().slice(0, 40)}”`;
  const isHidden = (element) => {
    for (let one = element; one; one = one.parentElement) if (getComputedStyle(one).clipPath !== "none") return true;
    return !element.checkVisibility({ visibilityProperty: true }) || Boolean(element.closest(".skip:not(:focus)"));
  };

  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) problems.add(`the page is ${scrollWidth - clientWidth} px wider than its window`);
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    if (style.overflowX !== "hidden" || style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") continue;
    if (element.scrollWidth > element.clientWidth + 1 && !isHidden(element)) problems.add(`${name(element)} is cut off`);
  }
  for (const element of document.querySelectorAll(CONTROLS)) {
    const { width, height } = element.getBoundingClientRect();
    if (Math.min(width, height) < SMALLEST - 0.5 && !isHidden(element)) problems.add(`${name(element)} is only ${Math.round(width)} × ${Math.round(height)} px`);
  }
  const measure = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll("input[placeholder]")) {
    if (isHidden(field)) continue;
    const style = getComputedStyle(field);
    measure.font = style.font;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (measure.measureText(field.placeholder).width > room + 1) problems.add(`the placeholder “${field.placeholder}” is cut off`);
  }
  if (matchMedia("(hover: none) and (pointer: coarse)").matches) {
    for (const element of document.querySelectorAll("kbd:not(.letter), .by-keys")) {
      if (!isHidden(element) && !element.closest("#all-keys")) problems.add(`${name(element)} is for keys`);
    }
  }
  return [...problems];
})()
