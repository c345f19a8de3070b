// Saving on one key: an answer to which nothing can be added is saved as soon as it is given. A person's own choice, kept
// with their account, so that it is the same in every browser.
import { outbox } from "./outbox.js";
import { t } from "./texts.js";

export class OneKey {
  constructor(box, chosen, save) {
    this.box = box;
    this.save = save;
    if (!box) return;
    box.checked = chosen;
    box.addEventListener("change", () => {
      box.blur(); // so that the next key is an answer again
      outbox.send("PUT", "/me/settings", { one_key: box.checked }, { what: t("how you save") });
    });
  }

  get on() {
    return Boolean(this.box?.checked) && !this.box.disabled;
  }

  // An answer was given: save it, unless something can be added to it or it is being rewritten.
  answered(answers, rewriting) {
    if (this.on && answers.value() !== null && !answers.canGrow() && !rewriting.isOpen()) this.save();
  }
}
