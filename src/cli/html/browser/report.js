// Filters the entries of the report, and folds its tree. Without scripts, all of it is shown.
const form = /** @type {HTMLFormElement} */ (document.getElementById("filters"));
const shown = /** @type {HTMLOutputElement} */ (form.querySelector("output"));
const items = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".item")]);
const branches = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".branch")]);
/** What the text of a filter is looked for in. @type {Map<HTMLElement, string>} */
const texts = new Map(
  items.map((item) => [item, (item.textContent ?? "").replace(/\s+/g, " ").toLowerCase()]),
);

function filter() {
  /** @type {Record<string, string>} */
  const { text = "", ...wanted } = Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, String(value)]),
  );
  const sought = text.trim().replace(/\s+/g, " ").toLowerCase();
  for (const item of items) {
    const fits = Object.entries(wanted).every(
      ([name, value]) => value === "" || item.dataset[name] === value,
    );
    item.hidden = !fits || !texts.get(item)?.includes(sought);
  }
  for (const branch of branches) {
    const left = branch.querySelectorAll(".item:not([hidden])").length;
    branch.hidden = left === 0;
    const count = branch.querySelector("summary .count");
    if (count) count.textContent = String(left);
  }
  const left = items.filter((item) => !item.hidden).length;
  shown.textContent = left === items.length ? `${left} shown` : `${left} of ${items.length} shown`;
}

form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
// The fields are empty after the event.
form.addEventListener("reset", () => setTimeout(filter));
for (const button of form.querySelectorAll("button[data-fold]")) {
  button.addEventListener("click", () => {
    const isOpen = button instanceof HTMLElement && button.dataset.fold === "open";
    // Closed branches stay: they say what is in them.
    for (const one of document.querySelectorAll("main details")) one.toggleAttribute("open", isOpen);
  });
}
form.hidden = items.length === 0;
filter();
