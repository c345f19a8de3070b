// Keep the answers and the button that saves them in sight at the bottom of the window while a long text scrolls. If the
// answers would take more than half of the window, only the button stays.
export function startDocking(answers, finish, footer) {
  const root = document.documentElement;
  const fit = () => {
    root.style.setProperty("--keys-height", `${footer.offsetHeight}px`);
    root.style.setProperty("--finish-height", `${finish.offsetHeight}px`);
    answers.toggleAttribute("data-docked", answers.offsetHeight + finish.offsetHeight + footer.offsetHeight <= innerHeight / 2);
  };
  const observer = new ResizeObserver(fit);
  for (const element of [answers, finish, footer]) observer.observe(element);
  addEventListener("resize", fit);
  fit();
}
