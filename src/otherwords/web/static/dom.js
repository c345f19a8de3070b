// Elements by name, attributes and children. Text is always text, never markup.
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [event, run] of Object.entries(value)) made.addEventListener(event, run);
    else if (key === "data") Object.assign(made.dataset, value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function byId(id) {
  return document.getElementById(id);
}

// What the server put into the page for its script.
export function told(id = "page") {
  const found = byId(id);
  return found ? JSON.parse(found.textContent) : null;
}

const RIGHT_TO_LEFT = new Set(["ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv"]);
export function direction(lang) {
  return RIGHT_TO_LEFT.has((lang ?? "").split("-")[0]) ? "rtl" : "auto";
}

// An answer as people say it: “fluency 5, similarity 4”; of phenomena their types.
export function spelled(value) {
  if (Array.isArray(value)) return value.map((one) => one?.type ?? spelled(one)).join(", ") || "none";
  if (value === null || typeof value !== "object") return String(value);
  return Object.entries(value).map(([name, said]) => `${name} ${spelled(said)}`).join(", ") || "none";
}

// The chip of a label: its tone and its letters.
export function chip(label) {
  if (label === null || label === undefined) return el("span", { class: "chip open" }, "open");
  const text = spelled(label);
  return el("span", { class: "chip", data: { base: text[0] } }, text);
}
