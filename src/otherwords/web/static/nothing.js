import { sentence } from "./dom.js";
import { t, tn } from "./texts.js";

// Why there is no pair to judge: what is known, and nothing that is only likely. `supply` is how the last request for more
// pairs ended: null while there is no answer yet, "offline", "trouble", "login", a message, or what is left of the batch.
export function nothingToShow(page, supply, waiting, one = "pair") {
  const pair = one === "pair";
  if (page.stopped) return { title: t("Paused"), text: sentence(page.stopped) };
  if (supply === null) return { title: "", text: waiting ? t("Your answers are being saved.") : pair ? t("Looking for the next pair …") : t("Looking for the next one …") };
  if (supply === "offline") return { title: t("No connection"), text: `${kept(waiting)} ${pair ? t("The next pair comes as soon as the server can be reached.") : t("The next one comes as soon as the server can be reached.")}` };
  if (supply === "trouble") return { title: t("The server has a problem"), text: `${kept(waiting)} ${pair ? t("The next pair comes as soon as it answers again.") : t("The next one comes as soon as it answers again.")}` };
  if (supply === "login") return { title: t("You are logged out"), text: `${kept(waiting)} ${t("Log in again in another window, then load this page again.")}` };
  if (typeof supply === "string") return { title: t("Nothing can be taken here"), text: sentence(supply) };
  return left(supply);
}

function left({ closed, progress, with_others }) {
  if (progress.done >= progress.asked) return { title: t("Nothing is left for you here"), text: t("All judgements of this batch are in. Thank you.") };
  if (closed) return { title: t("This batch is closed"), text: t("Nothing more is judged in it. Thank you.") };
  if (with_others) {
    const held = tn("One is with others.", "{count} are with others.", with_others);
    return { title: t("Nothing is free at the moment"), text: `${held} ${t("What somebody gives back or lets run out comes to you here.")}` };
  }
  if (progress.mine) return { title: t("Nothing is left for you here"), text: t("You have judged all that is for you; what is left is for other people. Thank you.") };
  return { title: t("Nothing is in this batch for you"), text: t("What is in it is for other people, or you have extracted, written or judged it before.") };
}

function kept(waiting) {
  if (!waiting) return "";
  return tn("One answer of yours is kept in this browser until it can be sent.", "{count} answers of yours are kept in this browser until they can be sent.", waiting);
}
