// Extraction: two documents side by side; a passage is selected in each, and the two are saved as a pair.
import { AlignedLines } from "./aligned_lines.js";
import { Column } from "./column.js";
import { byId, pageData, sentence } from "./dom.js";
import { startDragging } from "./dragging.js";
import { Extraction } from "./extraction.js";
import { mark } from "./highlights.js";
import { choices } from "./outbox.js";
import { PairList } from "./pair_list.js";
import { PairNumbers, SHADES, colourOf } from "./pair_numbers.js";
import { startPanels } from "./panels.js";
import { startRefusals } from "./refusals.js";
import { refuse, startRefusing } from "./refusing.js";
import { ScrollSync } from "./scroll_sync.js";
import { t } from "./texts.js";
import { copiedStretches } from "./verbatim.js";

const page = pageData();
const { view } = page;
const { part } = view;
let active = null; // the column that was touched last
let highlighted = null; // the pair that is shown in both texts
let offered = null; // the aligned lines that were offered last, and where the keyboard was put
let byCharacters = false; // whether the mouse selects with Alt
let drawing = false; // only after everything is set up

for (const name of ["outside", "verbatim", ...SHADES, "passage", "chosen", "cursor"]) mark(name, []); // the last is on top

const columns = [
  new Column(byId("text1"), view.one, [part.start1, part.end1], changed),
  new Column(byId("text2"), view.two, [part.start2, part.end2], changed),
];
const scrollSync = new ScrollSync(columns, view.lines);
const aligned = new AlignedLines(columns, view.lines);
const numbers = new PairNumbers(columns);
const list = new PairList(byId("pairs"), { find, change, remove: (row) => extraction.remove(row) }, () => extraction.open);
const extraction = new Extraction(page, list, columns, showAll);

function changed(column) {
  if (column.focused) active = column;
  if (!drawing) return;
  say("");
  showSelection();
}

function showSelection() {
  const [first, second] = columns;
  mark("chosen", columns.filter((column) => column.selection).map((column) => [column.element, ...column.selection]));
  mark("cursor", columns.filter((column) => column.cursor).map((column) => [column.element, ...column.cursor.slice(0, 2)]));
  columns.forEach((column, side) => {
    const place = byId(`chosen${side + 1}`);
    place.textContent = column.selection ? column.text.slice(...column.selection) : "";
    Object.assign(place, column.selection ? { dir: getComputedStyle(column.element).direction, lang: column.lang ?? "" } : { dir: "", lang: "" });
  });
  byId("add").disabled = !extraction.open;
  refuse(byId("add"), !first.selection ? t("Select a passage of the first text") : !second.selection ? t("Select a passage of the second text") : null);
  byId("add").lastChild.textContent = extraction.editing ? t("Save the change") : t("Add the pair");
  byId("aligned").disabled = !extraction.open;
  byId("aligned").lastChild.textContent = selectedSide() === null ? t("Next lines") : t("Partner line");
  byId("clear").disabled = !first.selection && !second.selection && !extraction.editing;
  byId("edges").dir = active?.rightToLeft ? "rtl" : "ltr";
  for (const button of byId("edges").querySelectorAll("button")) button.disabled = !active?.selection;
  extraction.keep();
}

function showAll() {
  list.draw();
  const spans = (rows) => rows.flatMap((row) => columns.map((column, side) => [column.element, ...spanOf(row, side)]));
  for (const shade of SHADES) mark(shade, spans(list.rows.filter((row, number) => colourOf(row, number) === shade)));
  mark("passage", list.rows.includes(highlighted) ? spans([highlighted]) : []);
  numbers.draw(list.rows);
  mark("outside", columns.flatMap(({ element, part: [start, end], text }) => [[element, 0, start], [element, end, text.length]]));
  byId("undo").disabled = !extraction.open || !extraction.undoable;
  byId("finished").disabled = !extraction.open;
  refuse(byId("finished"), list.rows.length ? null : t("Nothing yet. Select a passage on both sides, then add the pair. If there is nothing to be found, say that it is empty."));
  byId("empty").disabled = !extraction.open || list.rows.some((row) => !row.locked);
  byId("legend-outside").hidden = columns.every(({ part: [start, end], text }) => !text.slice(0, start).trim() && !text.slice(end).trim());
  byId("closed").hidden = extraction.open;
  byId("closed-why").textContent = extraction.closed ? sentence(extraction.closed) : "";
  byId("reopen").hidden = !extraction.reopenable;
  say(extraction.problem);
  showSelection();
}

// Where a pair lies in the text of a side.
function spanOf(row, side) {
  return [row[`start${side + 1}`], row[`end${side + 1}`]].map((point) => columns[side].offsets.toUnits(point));
}

function say(problem) {
  byId("why").textContent = problem ?? "";
}

function find(row) {
  highlighted = row;
  scrollSync.release();
  columns.forEach((column, side) => column.reveal(...spanOf(row, side)));
  showTexts();
  showAll();
}

// On a small screen the page itself is scrolled.
function showTexts() {
  columns[0].element.closest(".columns").scrollIntoView({ block: "nearest" });
}

function change(row) {
  if (!extraction.edit(row)) return;
  load(row);
  find(row);
  (active ?? columns[0]).element.focus({ preventScroll: true });
}

function load(body) {
  columns.forEach((column, side) => (column.passage = [body[`start${side + 1}`], body[`end${side + 1}`]]));
}

function add() {
  const keyboard = columns.some((column) => column.focused);
  if (!extraction.add()) return;
  clear();
  list.reveal();
  if (keyboard) columns[0].element.focus({ preventScroll: true });
}

function clear() {
  getSelection().removeAllRanges();
  extraction.editing = null;
  highlighted = null;
  for (const column of columns) column.clear();
  showAll();
}

// The side whose selection is without its partner; null if nothing is selected, or only what was offered.
function selectedSide() {
  if (offered && columns.every((column, side) => String(column.selection) === String(offered.spans[side]))) return null;
  const side = columns.findIndex((column) => column === active && column.selection);
  return [side, columns.findIndex((column) => column.selection)].find((found) => found >= 0) ?? null;
}

// Select the lines that the alignment puts beside the selection; without one, the next that belong together.
function offer() {
  const side = selectedSide();
  const [from, spans] = side === null ? nextLines() : [side, partnerLines(side)];
  if (!spans) return say(side === null ? t("No more lines are aligned below; select by yourself, or go to another line.") : t("The alignment has no line that belongs to this one."));
  getSelection().removeAllRanges();
  scrollSync.release();
  say("");
  columns.forEach((column, place) => {
    column.select(...spans[place]);
    if (side === null) column.place(column.selection[0]);
    column.reveal(...column.selection);
  });
  offered = side === null ? { spans: columns.map((column) => column.selection), positions: columns.map((column) => column.position) } : null;
  active = columns[from];
  showTexts();
  showSelection();
}

function partnerLines(side) {
  const own = columns[side].selection;
  const other = aligned.partner(side, own);
  return other && (side === 0 ? [own, other] : [other, own]);
}

function nextLines() {
  const side = Math.max(0, columns.indexOf(active));
  const { selection, position } = columns[side];
  const from = selection && position === offered.positions[side] ? selection[1] : position; // after the last, unless one has gone elsewhere
  const overlap = ([start, end], [first, last]) => start < last && first < end;
  const isTaken = (spans) => list.rows.some((row) => spans.every((span, place) => overlap(span, spanOf(row, place))));
  return [side, aligned.after(side, from, isTaken)];
}

function startMouse() {
  document.addEventListener("pointerdown", (event) => {
    if (columns.some((column) => column.element.contains(event.target))) byCharacters = event.altKey;
  });
  document.addEventListener("pointermove", (event) => {
    if (event.buttons & 1 && columns.some((column) => column.element.contains(event.target))) byCharacters = event.altKey;
  });
  document.addEventListener("selectionchange", selected);
  for (const column of columns) column.element.addEventListener("click", () => clicked(column));
  startDragging(columns);
  document.addEventListener("mouseup", () => selected() || getSelection().removeAllRanges());
}

// Take over the browser's selection; false if it cannot be extracted.
function selected() {
  const selection = getSelection();
  const column = selection.isCollapsed ? null : columns.find((candidate) => candidate.holds(selection.anchorNode));
  if (!column) return true;
  active = column;
  const taken = column.take(selection.getRangeAt(0), byCharacters);
  say(taken ? "" : t("That is outside the part to be read; select where the text is not faded."));
  return taken;
}

// A click goes to a word, and to the pair that contains it.
function clicked(column) {
  active = column;
  const selection = getSelection();
  if (!selection.isCollapsed || !column.holds(selection.focusNode)) return;
  column.place(selection.focusOffset);
  const [point, side] = [column.offsets.toPoints(selection.focusOffset), columns.indexOf(column) + 1];
  const row = list.rows.findLast((pair) => pair[`start${side}`] <= point && point < pair[`end${side}`]);
  if (row) list.choose(row);
}

function startSwitches() {
  const showTogether = () => {
    scrollSync.on = choices.get("extract:together", true);
    byId("together").setAttribute("aria-pressed", String(scrollSync.on));
    if (scrollSync.on && active) scrollSync.follow(active);
  };
  byId("together").addEventListener("click", () => (choices.set("extract:together", !scrollSync.on), showTogether()));
  showTogether();
  const showGrey = () => {
    const [on, length] = [choices.get("extract:grey", false), choices.get("extract:grey-length", 20)];
    byId("grey").setAttribute("aria-pressed", String(on));
    byId("length").value = length;
    byId("length-text").textContent = t("{count} characters or more", { count: length });
    byId("lengths").hidden = byId("legend-copies").hidden = !on;
    const texts = columns.map((column) => column.text.slice(...column.part));
    const stretches = on ? copiedStretches(...texts, length) : [[], []];
    mark("verbatim", stretches.flatMap((ranges, side) => ranges.map(([start, end]) => [columns[side].element, columns[side].part[0] + start, columns[side].part[0] + end])));
  };
  byId("grey").addEventListener("click", () => (choices.set("extract:grey", !choices.get("extract:grey", false)), showGrey()));
  byId("length").addEventListener("input", () => (choices.set("extract:grey-length", Number(byId("length").value)), showGrey()));
  showGrey();
}

byId("add").addEventListener("click", add);
byId("aligned").addEventListener("click", offer);
byId("aligned").hidden = !aligned.groups.length;
byId("clear").addEventListener("click", clear);
byId("undo").addEventListener("click", () => extraction.undo());
byId("finished").addEventListener("click", () => extraction.finish("finished"));
byId("empty").addEventListener("click", () => extraction.finish("empty"));
byId("reopen").addEventListener("click", () => extraction.reopen());
for (const button of byId("edges").querySelectorAll("button")) {
  button.addEventListener("click", (event) => {
    getSelection().removeAllRanges();
    const edge = [button.dataset.edge, Number(button.dataset.by)];
    if (event.altKey) active?.nudgeByCharacter(...edge);
    else active?.nudge(...edge);
  });
}

new ResizeObserver(() => document.body.style.setProperty("--keys-height", `${byId("keys").offsetHeight}px`)).observe(byId("keys")); // the line of pairs stands on it

extraction.start();
active = columns.find((column) => column.selection) ?? null;
drawing = true;
startPanels();
startMouse();
startSwitches();
startRefusing(say, () => null);
startRefusals(byId("refusals"), (entry) => extraction.isOwn(entry), (entry) => entry.body?.start1 !== undefined && { name: t("Select again"), run: () => load(entry.body) });
showAll();
columns.forEach((column) => column.reveal(column.selection?.[0] ?? column.part[0]));
list.reveal();
