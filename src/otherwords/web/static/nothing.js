// Why there is no pair to judge: what is known, and nothing that is only likely. `supply` is how the last request for more
// pairs ended: null while there is no answer yet, "offline", "trouble", "login", a message, or what is left of the batch.
export function nothingToShow(page, supply, waiting, one = "pair") {
  if (page.stopped) return { title: "Paused", text: sentence(page.stopped) };
  if (supply === null) return { title: "", text: waiting ? "Your answers are being saved." : `Looking for the next ${one} …` };
  if (supply === "offline") return { title: "No connection", text: `${kept(waiting)} The next ${one} comes as soon as the server can be reached.` };
  if (supply === "trouble") return { title: "The server has a problem", text: `${kept(waiting)} The next ${one} comes as soon as it answers again.` };
  if (supply === "login") return { title: "You are logged out", text: `${kept(waiting)} Log in again in another window, then load this page again.` };
  if (typeof supply === "string") return { title: "Nothing can be taken here", text: sentence(supply) };
  return left(supply);
}

function left({ closed, progress, with_others }) {
  if (progress.done >= progress.asked) return { title: "Nothing is left for you here", text: "All judgements of this batch are in. Thank you." };
  if (closed) return { title: "This batch is closed", text: "Nothing more is judged in it. Thank you." };
  if (with_others) {
    const pairs = with_others === 1 ? "One is" : `${with_others} are`;
    return { title: "Nothing is free at the moment", text: `${pairs} with others. What somebody gives back or lets run out comes to you here.` };
  }
  if (progress.mine) return { title: "Nothing is left for you here", text: "You have judged all that is for you; what is left is for other people. Thank you." };
  return { title: "Nothing is in this batch for you", text: "What is in it is for other people, or you have extracted, written or judged it before." };
}

function kept(waiting) {
  if (!waiting) return "";
  return waiting === 1 ? "One answer of yours is kept in this browser until it can be sent." : `${waiting} answers of yours are kept in this browser until they can be sent.`;
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
