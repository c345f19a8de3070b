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

/** The reason of an error, by its code where there is a translation. */
export function reasonOf(error) {
  return texts[`[${error.code}]`] ?? error.message;
}

/** A whole number with its digits in groups. */
export function digits(number) {
  return number.toLocaleString(language);
}

/** The texts of several elements in one sentence: places that hold elements stay elements. */
export function withElements(text, elements) {
  return text.split(/(\{\w+\})/).map((part) => elements[part.slice(1, -1)] ?? part);
}
