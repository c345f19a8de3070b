// Single keys press buttons. A button has its keys in data-key, separated by blanks, and shows the first one, so that
// keyboard and mouse do the same thing in the same way.
import { el } from "./dom.js";
import { t } from "./texts.js";

const FIELDS = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable], [data-writing]";
const BY_ALT = "[]{}<>"; // many keyboards have these on a third level, which Windows reports as Ctrl+Alt
const ALSO = { "[": "(", "]": ")", "<": ",", ">": "." }; // for keyboards that have the first on a third level or not at all

// Names of a pressed key, for any keyboard layout: the character first, then another that does the same, then the position of
// the key, for alphabets other than ours and for digits that need Shift (there the position comes before another character).
function names(event) {
  const keys = event.key.length === 1 ? [event.key, event.key.toLowerCase()] : [event.key];
  const also = Object.keys(ALSO).filter((key) => ALSO[key] === event.key);
  keys.push(...(event.shiftKey ? also : []), ...positions(event), ...also);
  if (event.code === "NumpadEnter") keys.push("Enter");
  if ((event.ctrlKey || event.metaKey) && !event.altKey) return keys.map((name) => `Ctrl+${name}`);
  return keys;
}

// A letter's key that gives one of our characters means this character, and so does a key on its third level.
function positions(event) {
  const [, kind, place] = /^(Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code) ?? [];
  const meant = (kind === "Key" && /^[!-~]$/.test(event.key)) || event.altKey || event.getModifierState("AltGraph");
  return place && !meant ? [place.toLowerCase()] : [];
}

// The button of the first name that has one; if that is disabled, the key does nothing, and not what it does by another name.
function pressed(event) {
  const buttons = [...document.querySelectorAll("[data-key]")].filter((button) => button.checkVisibility());
  for (const name of names(event)) {
    const matches = buttons.filter((button) => button.dataset.key.split(" ").includes(name));
    if (matches.length) return matches.find((button) => !button.disabled) ?? null;
  }
  return null;
}

function inField(target) {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

export function startKeys() {
  for (const button of document.querySelectorAll("[data-key]")) printKey(button);
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || (event.altKey && !BY_ALT.includes(event.key))) return;
    if (event.key === "Escape" && inField(event.target)) {
      event.target.blur();
      event.preventDefault();
      return;
    }
    if (inField(event.target)) return;
    if (event.key === "Escape" && document.getElementById("all-keys")) return showKeys();
    if (event.key === "Enter" && event.target instanceof Element && event.target.closest("a[href], summary, button:not([data-key])")) return;
    if (event.key === "?") return showKeys();
    const button = pressed(event);
    if (!button) return;
    event.preventDefault();
    if (!event.repeat || button.dataset.repeat !== undefined) button.click();
  });
}

// A field from which Ctrl+Enter or Cmd+Enter does what Enter does outside of fields.
export function sendsFrom(field, run) {
  field.dataset.sends = "";
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing || event.repeat) return;
    event.preventDefault();
    run();
  });
}

const SHOWN = { Enter: "↵", Backspace: "⌫", Escape: "Esc", " ": "␣", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Delete: "Del", Shift: "⇧" };

export function printKey(button) {
  if (button.querySelector("kbd") || button.dataset.unprinted !== undefined) return;
  const key = button.dataset.key.split(" ")[0];
  const all = !button.textContent.trim(); // the key is all that the button says, so it stays where no keys are shown
  button.prepend(el("kbd", { "aria-hidden": "true", class: all ? "letter" : null }, SHOWN[key] ?? key));
  button.setAttribute("aria-keyshortcuts", button.dataset.key);
}

function showKeys() {
  const open = document.getElementById("all-keys");
  if (open) return open.remove();
  const rows = keysInUse().map(([element, keys]) => {
    const what = element.dataset.what ?? element.getAttribute("aria-label") ?? [...element.childNodes].filter((node) => node.nodeName !== "KBD").map((node) => node.textContent).join(" ").trim();
    return keyRow(keys, what);
  });
  rows.unshift(...[...document.querySelectorAll("[data-hint]")].map((hint) => keyRow(hint.dataset.hint.split(" "), hint.textContent)));
  if (document.querySelector("[data-sends]")) rows.push(keyRow(["Ctrl+Enter"], t("save or send from a text field")), keyRow(["Escape"], t("leave a text field")));
  const close = el("button", { type: "button", class: "plain", on: { click: () => panel.remove() } }, t("Close"));
  const panel = el(
    "aside",
    { class: "panel", id: "all-keys", tabindex: "-1", "aria-label": t("Keys") },
    el("header", {}, el("h2", {}, t("Keys")), close),
    el("table", {}, el("tbody", {}, ...rows, keyRow(["?"], t("this list")))),
  );
  document.querySelector(".panels").append(panel);
  panel.focus(); // and not its button, which would take the next Enter
}

// The visible elements with keys, each key once: if two have the same key, it belongs to the one that it presses.
function keysInUse() {
  const visible = [...document.querySelectorAll('[data-key]:not([data-key=""])')].filter((element) => element.checkVisibility());
  const printed = (element) => element.dataset.key.split(" ");
  const others = (element) => printed(element).flatMap((key) => ALSO[key] ?? []);
  const owners = new Map();
  for (const keysOf of [printed, others])
    for (const element of [...visible.filter((element) => !element.disabled), ...visible]) for (const key of keysOf(element)) if (!owners.has(key)) owners.set(key, element);
  return visible.map((element) => [element, [...printed(element), ...others(element)].filter((key) => owners.get(key) === element)]).filter(([, keys]) => keys.length);
}

function keyRow(keys, what) {
  const shown = keys.flatMap((key) => [el("kbd", {}, key.split(/\+(?=.)/).map((part) => SHOWN[part] ?? part).join("+")), " "]);
  return el("tr", {}, el("td", {}, ...shown), el("td", {}, what));
}
