// The judgements of a pair, side by side: a card for each, with a button that adopts it.
import { chip, el } from "./dom.js";
import { printKey } from "./keys.js";
import { Offsets } from "./offsets.js";
import { t } from "./texts.js";

const KEYS = "abcdefgh"; // any further ones are adopted with the mouse

export function drawOpinions(task, scheme, adopt) {
  return task.opinions.map((opinion, place) => {
    const name = opinion.annotator ?? t("Judgement {letter}", { letter: letter(place) });
    const button = el("button", { type: "button", "aria-pressed": "false", data: { what: t("Adopt {name}", { name }) }, on: { click: () => adopt(opinion) } }, name);
    if (place < KEYS.length) {
      button.dataset.key = KEYS[place];
      printKey(button);
    }
    return el("li", { class: "opinion", data: { opinion: opinion.id } }, el("header", {}, button, aside(opinion)), el("div", { class: "said" }, drawAnswer(opinion.value, task, scheme.questions)), note(opinion), ...opinion.rewrites.map(drawRewrite));
  });
}

export function markAdopted(place, adopted) {
  for (const card of place.children) {
    const isAdopted = card.dataset.opinion === adopted;
    card.classList.toggle("adopted", isAdopted);
    card.querySelector("button").setAttribute("aria-pressed", String(isAdopted));
  }
}

// A label as a chip, the parts of an answer below each other, phenomena with their words.
function drawAnswer(value, task, [question, ...others]) {
  if (Array.isArray(value)) return value.length ? el("div", { class: "row" }, ...value.map((phenomenon) => (phenomenon?.type ? drawPhenomenon(phenomenon, task, question) : chip(phenomenon, question)))) : el("span", { class: "soft" }, t("none"));
  if (value === null || typeof value !== "object") return chip(value, question);
  const asked = (name) => [question, ...others].find((candidate) => candidate.name === name) ?? question;
  const title = (name) => (asked(name).name === name && asked(name).title) || name.replaceAll("_", " ");
  const parts = Object.entries(value).map(([name, answer]) => el("div", {}, el("dt", { class: "soft" }, title(name)), el("dd", {}, drawAnswer(answer, task, [asked(name)]))));
  return parts.length ? el("dl", { class: "parts" }, ...parts) : el("span", { class: "soft" }, t("none"));
}

// The name of the type, as the editor has it; its tag is seen by pointing at it.
function drawPhenomenon(phenomenon, task, question) {
  const words = ["1", "2"].map((side) => {
    const offsets = new Offsets(task[`text${side}`]);
    return (phenomenon[`scope${side}`] ?? []).map(([start, end]) => task[`text${side}`].slice(offsets.toUnits(start), offsets.toUnits(end))).join(" … ");
  });
  const type = question.types?.find((type) => type.tag === phenomenon.type);
  return el("span", {}, el("span", { title: phenomenon.type }, chip(type?.name ?? phenomenon.type)), ` ${words.filter(Boolean).join(" → ")}`);
}

function aside(opinion) {
  const seconds = opinion.seconds === null ? null : t("{seconds} s", { seconds: Math.round(opinion.seconds) });
  return el("span", { class: "soft" }, [opinion.unsure ? t("unsure") : null, seconds].filter(Boolean).join(" · "));
}

function note(opinion) {
  return opinion.note ? el("p", {}, `“${opinion.note}”`) : null;
}

function drawRewrite([text1, text2]) {
  return el("blockquote", {}, el("span", { class: "soft" }, t("Rewrite")), el("span", {}, text1), el("span", {}, text2));
}

function letter(place) {
  return String.fromCharCode(65 + place);
}
