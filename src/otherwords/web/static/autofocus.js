// Give the field marked autofocus the focus as soon as it is parsed. Browsers apply the attribute only with a frame that
// may come after the page has loaded, and letters typed before that are lost.
(() => {
  const focus = () => {
    const field = document.querySelector("[autofocus]");
    const free = !document.activeElement || document.activeElement === document.body;
    if (field && free && !location.hash) field.focus();
    if (document.activeElement === field) observer.disconnect();
  };
  const observer = new MutationObserver(focus);
  observer.observe(document, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    observer.disconnect();
    focus();
  });
})();
