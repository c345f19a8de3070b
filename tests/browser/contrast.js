// What of the page that is shown has too little contrast, by WCAG 2.2 AA: 1.4.3 for text, 1.4.11 and 2.4.7 for the
// borders of fields and the rings of what has the focus. Evaluated in the page; gives sentences, none if all is well.
(() => {
  const TEXT = 4.5, LARGE = 3, PARTS = 3;
  const NAMED = { transparent: [0, 0, 0, 0] };

  const parsed = (colour) => {
    if (colour in NAMED) return NAMED[colour];
    const [, space, inside] = colour.match(/^(rgba?|color)\((.*)\)$/) ?? [];
    if (!space) throw new Error(`a colour that is not understood: ${colour}`);
    const numbers = inside.replace("srgb", "").split(/[\s,/]+/).filter(Boolean).map(Number);
    const [red, green, blue, alpha = 1] = numbers;
    const scale = space === "color" ? 255 : 1;
    return [red * scale, green * scale, blue * scale, alpha];
  };
  const over = ([red, green, blue, alpha], below) =>
    [red, green, blue].map((part, at) => part * alpha + below[at] * (1 - alpha));
  const faded = (share, drawn, below) => drawn.map((part, at) => part * share + below[at] * (1 - share));
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (colour, other) => {
    const [dark, light] = [luminance(colour), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const hex = (colour) => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

  // The pixel that results where layers (colours with alpha) lie on an element, with the opacity of all around it.
  const pixel = (element, ...layers) => {
    const chain = [];
    for (let one = element; one; one = one.parentElement) chain.unshift(getComputedStyle(one));
    const canvas = parsed(getComputedStyle(document.body).backgroundColor);
    const inner = (depth, below) => {
      if (depth === chain.length) return layers.reduce((drawn, layer) => over(layer, drawn), below);
      const drawn = over(parsed(chain[depth].backgroundColor), below);
      return faded(Number(chain[depth].opacity), inner(depth + 1, drawn), below);
    };
    return inner(0, over(canvas, [255, 255, 255]));
  };

  const where = (element) => {
    const path = [];
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      const classes = [...one.classList].map((name) => `.${name}`).join("");
      path.unshift(one.id ? `#${one.id}` : one.localName + classes);
      if (one.id) break;
    }
    return path.slice(-4).join(" > ");
  };
  const clipped = (element) => {
    for (let one = element; one; one = one.parentElement) if (getComputedStyle(one).clipPath !== "none") return true;
    return false;
  };
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !clipped(element) && !element.closest(".skip:not(:focus)");
  const idle = (element) => Boolean(element.closest(":disabled, [aria-disabled='true']"));
  const least = (style) => {
    const size = parseFloat(style.fontSize);
    return size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? LARGE : TEXT;
  };

  const problems = new Set();
  const hold = (what, element, above, below, needed) => {
    const found = ratio(above, below);
    if (found < needed) problems.add(`${what} ${where(element)}: ${hex(above)} on ${hex(below)} is ${found.toFixed(2)}, not ${needed}`);
  };
  const read = (what, element, style, colour = style.color) =>
    hold(what, element, pixel(element, parsed(colour)), pixel(element), least(style));

  const texts = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let count = 0;
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || element.closest("script, style, noscript, option, textarea")) continue;
      if (!seen(element) || idle(element)) continue;
      const style = getComputedStyle(element);
      const tile = element.closest(".tiles g")?.querySelector("rect");
      if (tile) {
        const below = parsed(getComputedStyle(tile).fill);
        hold("text", element, pixel(element, below, parsed(style.fill)), pixel(element, below), least(style));
      } else read("text", element, style, element instanceof SVGElement ? style.fill : style.color);
      count += 1;
    }
    for (const element of document.querySelectorAll("body *")) {
      for (const part of ["::before", "::after"]) {
        const style = getComputedStyle(element, part);
        if (/^"..*"$/.test(style.content) && seen(element) && !idle(element)) read(`text ${part}`, element, style);
      }
    }
    return count;
  };

  // Text under a highlight is drawn in the colours of that highlight, where it has any.
  const highlights = () => {
    for (const [name, ranges] of CSS.highlights) {
      for (const range of ranges) {
        const element = range.startContainer.parentElement;
        if (!element?.isConnected || !seen(element)) continue;
        const style = getComputedStyle(element), drawn = getComputedStyle(element, `::highlight(${name})`);
        const below = parsed(drawn.backgroundColor);
        hold(`highlight ${name}`, element, pixel(element, below, parsed(drawn.color)), pixel(element, below), least(style));
      }
    }
  };

  const fields = () => {
    for (const field of document.querySelectorAll("input, select, textarea")) {
      if (!seen(field) || idle(field) || ["checkbox", "radio", "range", "hidden"].includes(field.type)) continue;
      const style = getComputedStyle(field);
      read("text in", field, style);
      if (field.placeholder) read("placeholder of", field, getComputedStyle(field, "::placeholder"));
      hold("border of", field, pixel(field.parentElement, parsed(style.borderTopColor)), pixel(field.parentElement), PARTS);
    }
  };

  const rings = () => {
    const focus = document.activeElement;
    for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")) {
      if (!seen(element) || idle(element) || element.type === "hidden") continue;
      element.focus({ preventScroll: true });
      if (document.activeElement !== element) continue;
      const style = getComputedStyle(element);
      const inside = parseFloat(style.outlineOffset) < 0;
      if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) problems.add(`ring of ${where(element)}: there is none`);
      else {
        const around = inside ? element : element.parentElement;
        hold("ring of", element, pixel(around, parsed(style.outlineColor)), pixel(around), PARTS);
      }
    }
    document.activeElement.blur();
    focus?.focus({ preventScroll: true });
  };

  const count = texts();
  highlights();
  fields();
  rings();
  return { count, problems: [...problems] };
})()
