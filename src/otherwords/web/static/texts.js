// The words of scripts in the language of the page: t("Save"), t("{count} left", {count: 3}).

/** A text with its places filled in. */
export function t(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
}
