import { t } from "./texts.js";

// An element by name, attributes and children. Text is always text, never markup.
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
    else if (key === "data") Object.assign(element.dataset, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

// The data that the server put into the page for its script.
export function pageData(id = "page") {
  const script = byId(id);
  return script ? JSON.parse(script.textContent) : null;
}

const RIGHT_TO_LEFT = new Set(["ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv"]);
export function direction(lang) {
  return RIGHT_TO_LEFT.has((lang ?? "").split("-")[0]) ? "rtl" : "auto";
}

// An answer in words: “fluency 5, similarity 4”; phenomena are listed by type.
export function spelled(value) {
  if (Array.isArray(value)) return value.map((part) => part?.type ?? spelled(part)).join(", ") || t("none");
  if (value === null || typeof value !== "object") return String(value);
  return Object.entries(value).map(([name, answer]) => `${name} ${spelled(answer)}`).join(", ") || t("none");
}

// A message of the server as a sentence.
export function sentence(message) {
  return `${message[0].toUpperCase()}${message.slice(1)}${/[.!?…。]$/.test(message) ? "" : "."}`;
}

// The coloured chip of a label; of an answer to a question with the words and the colour that its value has there.
export function chip(label, question = null) {
  if (label === null || label === undefined) return el("span", { class: "chip open" }, t("open"));
  const text = spelled(label);
  const tone = question && toneOf(text, question);
  return el("span", { class: "chip", data: question ? (tone ? { tone } : {}) : { base: text[0] } }, question ? words(label, question) : text);
}

// The words of the button of a label, where they say more than the label and its key do.
function otherName(label, question) {
  const option = question.values.find((option) => option.value === label && option.key !== label);
  return option && option.name.toLowerCase() !== label.toLowerCase() ? option.name : null;
}

// An answer to a question in the words of its buttons; one whose button only has its letter is that letter.
function words(answer, question) {
  if (Array.isArray(answer) && !answer.some((part) => part?.type)) return answer.map((part) => words(part, question)).join(", ") || t("none");
  return typeof answer === "string" ? otherName(answer, question) ?? answer : spelled(answer);
}

// An answer to a scheme within a sentence, in the words of its questions and buttons.
export function answerInWords(answer, scheme) {
  return parts(answer, scheme) ? el("span", {}, spelledInWords(answer, scheme)) : chip(answer, scheme.questions[0]);
}

// The same as text alone.
export function spelledInWords(answer, scheme) {
  const asked = parts(answer, scheme);
  if (!asked) return words(answer, scheme.questions[0]);
  return asked.map(([question, part]) => `${t("“{text}”", { text: question.title || question.name })} ${words(part, question)}`).join("; ");
}

// The questions of a scheme of several with what the answer says to each.
function parts(answer, { questions }) {
  if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return null;
  const found = questions.filter((question) => question.name in answer).map((question) => [question, answer[question.name]]);
  return found.length ? found : null;
}

function toneOf(text, { values, flags }) {
  const value = values.find((value) => value.value === text) ?? (flags.length ? values.find((value) => text.startsWith(value.value)) : null);
  return value?.colour;
}
