// The words of scripts in the language of the page: t("Save"), t("{count} left", {count: 3}), and for what depends on a
// number tn("{count} pair", "{count} pairs", 3). A script of the page's language has set the texts; without it they are English.
const { language, categories, texts } = globalThis.siteTexts ?? { language: "en", categories: ["one", "other"], texts: {} };
const rules = new Intl.PluralRules(language);

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
}

/** A text with its places filled in. */
export function t(text, values = {}) {
  return filled(texts[text] ?? text, values);
}

/** A text that depends on a number, which fills the place {count}. */
export function tn(singular, plural, count, values = {}) {
  const forms = texts[plural] ?? [singular, plural];
  const form = forms.length === categories.length ? categories.indexOf(rules.select(count)) : Number(count !== 1);
  return filled(forms.at(form), { count: digits(count), ...values });
}

/** The reason of a refusal: a sentence by its code, and the English message after one that ends in a colon. */
export function reasonOf(code, message) {
  const known = texts[message] ?? texts[`[${code}]`] ?? texts["[other]"];
  return known && /[:：]$/.test(known) ? `${known} ${message}` : (known ?? message);
}

/** What the server says in words that it always uses; what is not known stays as it is. */
export function known(text) {
  return texts[text] ?? text;
}

/** A whole number with its digits in groups. */
export function digits(number) {
  return number.toLocaleString(language);
}

/** The parts of a text with elements in some of its places. */
export function withElements(text, elements) {
  return text.split(/(\{\w+\})/).map((part) => elements[part.slice(1, -1)] ?? part);
}
