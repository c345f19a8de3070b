// Before anything is drawn, so that a dark page does not flash white.
(() => {
  const chosen = localStorage.getItem("otherwords:theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
