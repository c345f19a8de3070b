// A practice round: answer, learn whether it was right and why, go on. A passed round opens the batch.
import { send } from "./api.js";
import { Answers } from "./answers.js";
import { answerInWords, byId, direction, pageData } from "./dom.js";
import { startDocking } from "./docking.js";
import { startPanels } from "./panels.js";
import { refuse, startRefusing } from "./refusing.js";
import { t, withElements } from "./texts.js";

const page = pageData();
const pairs = [...page.pairs]; // left of this round; the first one is shown
let state = page.state;
let started = !page.pairs.length || page.state.answered < page.state.pairs ? page.state.answered : 0;
let feedback = null; // of the last answer, until it has been read
let sending = false;

const answers = new Answers(byId("answers"), page.scheme, changed);

function show() {
  const pair = pairs[0];
  byId("feedback").hidden = !feedback;
  byId("work").hidden = !pair || Boolean(feedback);
  byId("end").hidden = Boolean(pair || feedback);
  byId("count").textContent = t("practice {done}/{all}", { done: started, all: state.pairs });
  byId("bar").max = state.pairs || 1;
  byId("bar").value = started;
  if (feedback) return showFeedback();
  if (!pair) return showEnd();
  write("text", pair);
  answers.set(null);
  changed();
  byId("why").textContent = "";
}

function write(place, pair) {
  for (const side of ["1", "2"]) {
    const text = byId(`${place}${side}`);
    text.textContent = pair[`text${side}`];
    text.dir = direction(pair.lang);
    text.lang = pair.lang ?? "";
  }
}

function showFeedback() {
  write("answered", feedback.pair);
  byId("feedback-title").textContent = feedback.right ? t("Right") : t("Not quite");
  const places = { answer: answerInWords(feedback.value, page.scheme), label: answerInWords(feedback.label, page.scheme) };
  byId("feedback-label").replaceChildren(...withElements(feedback.right ? t("You said {answer}.") : t("You said {answer}, and it is {label}."), places));
  byId("feedback-why").textContent = feedback.explanation ?? "";
}

function showEnd() {
  const { right, pairs: all, needed, passed } = state;
  byId("end-title").textContent = passed ? t("You have passed") : t("Not enough yet");
  byId("end-text").textContent = t("You had {right} of {all} right; {needed} are enough.", { right, all, needed });
  byId("end-passed").hidden = !passed;
  byId("end-again").hidden = passed;
}

function changed() {
  refuse(byId("submit"), sending ? t("Your answer is being sent.") : answers.value() === null ? answers.missing() : null);
}

const say = (reason) => (byId("why").textContent = reason);

async function submit() {
  const pair = pairs[0];
  const value = answers.value();
  if (!pair || sending) return;
  if (value === null) return say(answers.missing());
  sending = true;
  changed();
  try {
    const learnt = await send("POST", `/batches/${encodeURIComponent(page.batch)}/practice`, { pair: pair.pair, value });
    pairs.shift();
    started++;
    state = learnt.state;
    feedback = { ...learnt, pair, value };
  } catch (problem) {
    say(problem.message);
    return;
  } finally {
    sending = false;
    changed();
  }
  show();
}

byId("submit").addEventListener("click", submit);
byId("next").addEventListener("click", () => {
  feedback = null;
  show();
});
startRefusing(say, (key) => (byId("work").hidden ? null : t("“{key}” is not a key of this page; ? lists them all.", { key })));
startDocking(byId("answers"), byId("finish"), byId("keys"));
startPanels();
show();
