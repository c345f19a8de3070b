// Single keys press buttons. A button says its key in data-key (several, divided by blanks); it is printed on the
// button, so keyboard and mouse do the same thing by the same way.
import { el } from "./dom.js";

const FIELDS = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable], [data-writing]";
const BY_ALT = "[]{}<>"; // many keyboards have these on a third level, which Windows tells as Ctrl+Alt

// What a key says, for any keyboard: event.key where it is a character we know, else the place of the key.
function names(event) {
  const told = [event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (event.key.length === 1) told.unshift(event.key);
  const place = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code);
  if (place) told.push(place[1].toLowerCase());
  if (event.code === "NumpadEnter") told.push("Enter");
  if ((event.ctrlKey || event.metaKey) && !event.altKey) return told.map((name) => `Ctrl+${name}`);
  return told;
}

function pressed(event) {
  const buttons = [...document.querySelectorAll("[data-key]")].filter((one) => !one.disabled && one.checkVisibility());
  for (const name of names(event)) {
    const found = buttons.find((one) => one.dataset.key.split(" ").includes(name));
    if (found) return found;
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
    const found = pressed(event);
    if (!found) return;
    event.preventDefault();
    if (!event.repeat || found.dataset.repeat !== undefined) found.click();
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

const SHOWN = { Enter: "↵", Backspace: "⌫", Escape: "Esc", " ": "␣", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Delete: "Del" };

export function printKey(button) {
  if (button.querySelector("kbd") || button.dataset.unprinted !== undefined) return;
  const key = button.dataset.key.split(" ")[0];
  button.prepend(el("kbd", { "aria-hidden": "true" }, SHOWN[key] ?? key));
  button.setAttribute("aria-keyshortcuts", button.dataset.key);
}

function showKeys() {
  const open = document.getElementById("all-keys");
  if (open) return open.remove();
  const rows = keysInUse().map(([one, keys]) => {
    const what = one.dataset.what ?? one.getAttribute("aria-label") ?? [...one.childNodes].filter((node) => node.nodeName !== "KBD").map((node) => node.textContent).join(" ").trim();
    return keyRow(keys, what);
  });
  if (document.querySelector("[data-sends]")) rows.push(keyRow(["Ctrl+Enter"], "save or send from a text field"), keyRow(["Escape"], "leave a text field"));
  const close = el("button", { type: "button", class: "plain", on: { click: () => panel.remove() } }, "Close");
  const panel = el(
    "aside",
    { class: "panel", id: "all-keys", tabindex: "-1", "aria-label": "Keys" },
    el("header", {}, el("h2", {}, "Keys"), close),
    el("table", {}, el("tbody", {}, ...rows, keyRow(["?"], "this list"))),
  );
  document.querySelector(".panels").append(panel);
  panel.focus(); // and not its button, which would take the next Enter
}

// What is on the page now, each key once: where two want it, it is that of the one that it would press.
function keysInUse() {
  const there = [...document.querySelectorAll('[data-key]:not([data-key=""])')].filter((one) => one.checkVisibility());
  const keysOf = (one) => one.dataset.key.split(" ");
  const owners = new Map();
  for (const one of [...there.filter((each) => !each.disabled), ...there]) for (const key of keysOf(one)) if (!owners.has(key)) owners.set(key, one);
  return there.map((one) => [one, keysOf(one).filter((key) => owners.get(key) === one)]).filter(([, keys]) => keys.length);
}

function keyRow(keys, what) {
  const shown = keys.flatMap((key) => [el("kbd", {}, key.split("+").map((part) => SHOWN[part] ?? part).join("+")), " "]);
  return el("tr", {}, el("td", {}, ...shown), el("td", {}, what));
}
