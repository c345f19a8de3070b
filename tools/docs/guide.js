// Search, copying and the switch for light and dark. Without this script the guide is read just as well.
const root = document.documentElement;

const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const next = { undefined: "dark", dark: "light", light: undefined }[root.dataset.theme];
  if (next) root.dataset.theme = next;
  else delete root.dataset.theme;
  if (next) localStorage.setItem("otherwords:theme", next);
  else localStorage.removeItem("otherwords:theme");
});

const narrow = matchMedia("(max-width: 56rem)");
const fold = () => { document.querySelector(".pages").open = !narrow.matches; };
narrow.addEventListener("change", fold);
fold();
const here = document.querySelector(".pages [aria-current]");
if (here && !narrow.matches) here.closest(".pages").scrollTop = here.offsetTop - innerHeight / 2;

for (const block of document.querySelectorAll(".code")) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    const commands = [...block.querySelectorAll(".command")].map((line) => line.textContent);
    await navigator.clipboard.writeText(commands.length ? commands.join("\n") + "\n" : block.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  block.append(button);
}

const field = document.getElementById("search");
const list = document.getElementById("found");
field.form.hidden = false;
field.form.addEventListener("submit", (event) => { event.preventDefault(); list.querySelector("a")?.click(); });

const words = () => globalThis.words ? Promise.resolve() : new Promise((done) => {
  document.head.append(Object.assign(document.createElement("script"), { src: "words.js", onload: done }));
});

// A row counts if it has every word; words in headings weigh more.
const weight = (row, asked) => {
  const [head, text] = [`${row.page} ${row.head}`.toLowerCase(), row.text.toLowerCase()];
  if (!asked.every((word) => head.includes(word) || text.includes(word))) return 0;
  return asked.reduce((sum, word) => sum + (head.includes(word) ? 10 : 1), row.head === row.page ? 1 : 0);
};

const entry = (row, asked) => {
  const near = row.text.toLowerCase().indexOf(asked[0]) - 40;
  const at = near > 0 ? row.text.indexOf(" ", near) + 1 : 0;
  const link = Object.assign(document.createElement("a"), { href: row.at, textContent: row.head === row.page ? row.page : `${row.page}: ${row.head}` });
  link.append(Object.assign(document.createElement("small"), { textContent: row.text.slice(at, at + 120) }));
  const item = document.createElement("li");
  item.append(link);
  return item;
};

field.addEventListener("input", async () => {
  await words();
  const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = globalThis.words.map((row) => [weight(row, asked), row]).filter(([sum]) => sum).sort((a, b) => b[0] - a[0]);
  list.hidden = !asked.length;
  list.replaceChildren(...rows.slice(0, 12).map(([, row]) => entry(row, asked)));
  if (!rows.length) list.append(Object.assign(document.createElement("li"), { className: "none", textContent: "Nothing was found; try fewer words." }));
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape") { list.hidden = true; field.blur(); }
  if (event.key === "/" && !event.isComposing && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) { event.preventDefault(); field.focus(); }
});
addEventListener("click", (event) => { if (!field.form.contains(event.target)) list.hidden = true; });
list.addEventListener("click", () => { list.hidden = true; });
