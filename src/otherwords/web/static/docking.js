// Keep the answers and the button that saves them in sight at the bottom of the window while a long text scrolls. If they
// would leave too little of the window to the text, only the button stays.
const MOST = 0.6; // of the height of the window, with the keys at the bottom
const MOST_KEPT = 0.7; // once they are there: a sentence that refuses something does not make them jump away

export function startDocking(answers, finish, footer) {
  const root = document.documentElement;
  const fit = () => {
    root.style.setProperty("--keys-height", `${footer.offsetHeight}px`);
    root.style.setProperty("--finish-height", `${finish.offsetHeight}px`);
    const docked = answers.offsetHeight + finish.offsetHeight + footer.offsetHeight;
    const most = answers.hasAttribute("data-docked") ? MOST_KEPT : MOST;
    answers.toggleAttribute("data-docked", docked <= most * innerHeight);
    const isSticky = getComputedStyle(answers).position === "sticky"; // not in a low window, nor during a rewrite
    const covered = isSticky ? docked : finish.offsetHeight + footer.offsetHeight;
    if (root.style.scrollPaddingBottom === `${covered}px`) return;
    root.style.scrollPaddingBottom = `${covered}px`; // a field that gets the focus is above them
    if (document.activeElement.matches("textarea")) document.activeElement.scrollIntoView({ block: "nearest" }); // or has it
  };
  const observer = new ResizeObserver(fit);
  for (const element of [answers, finish, footer]) observer.observe(element);
  addEventListener("resize", fit);
  fit();
}
