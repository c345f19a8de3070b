// The answer to a scheme that asks for types: the buttons of its other questions first, then the editor, as soon as the
// earlier answers lead to it.
import { Answers } from "../answers.js";
import { el } from "../dom.js";
import { TypesEditor } from "./editor.js";
import { t } from "../texts.js";

export const asksTypes = (scheme) => scheme.questions.some((question) => question.kind === "types");

export class TypesAnswers {
  constructor(place, scheme, changed) {
    this.question = scheme.questions.find((question) => question.kind === "types");
    this.choices = new Answers(place, scheme, () => {
      this.#show();
      changed();
    });
    this.editor = new TypesEditor(this.question, changed);
    this.place = el("fieldset", { class: "marking" }, this.question.title ? el("legend", {}, this.question.title) : null, this.editor.element);
    place.append(this.place);
  }

  // Another pair is on the page; the tokens of the next one are preloaded.
  about(task, next) {
    this.editor.about(task, next);
  }

  set(answer) {
    if (this.question.name) this.choices.set(answer);
    this.editor.set(this.question.name ? (answer?.[this.question.name] ?? null) : answer);
    this.#show();
  }

  // The whole answer, or null while a part of it is missing.
  value() {
    return this.#with(this.choices.value(), this.editor.value());
  }

  missing() {
    const open = this.question.name && this.choices.value() === null;
    return open ? this.choices.missing() : t("An answer is missing: finish the mark, or mark something.");
  }

  // Marks can always be added; only an answer that leads to no marks is whole at once.
  canGrow() {
    return this.#applies() || this.choices.canGrow();
  }

  // The same as a draft: marks are kept while another answer hides the editor.
  partial() {
    const marks = this.editor.partial();
    return this.question.name ? { ...this.choices.partial(), [this.question.name]: marks } : marks;
  }

  #with(choices, marked) {
    if (!this.question.name) return marked;
    if (choices === null || !this.#applies()) return choices;
    return marked && { ...choices, [this.question.name]: marked };
  }

  #applies() {
    const answers = this.choices.partial();
    return Object.entries(this.question.only_if).every(([name, values]) => values.some((value) => answers[name]?.includes(value)));
  }

  #show() {
    const before = this.place.hidden;
    this.place.hidden = !this.#applies();
    if (before && !this.place.hidden) this.editor.enter();
  }
}
