// While the page is visible, requests it about every second and applies the differences. The focus, the selection and open details stay.
const SHORTEST_MS = 1000;
const PATIENCE_MS = 5000;

const panel = /** @type {HTMLElement} */ (document.getElementById("live"));
const message = document.createElement("p");
message.setAttribute("role", "status");
const button = document.createElement("button");
button.type = "button";
panel.replaceChildren(message, button);

let isPaused = sessionStorage.getItem("paused") === "true";
/** @type {number | undefined} */
let timer;
let lastText = "";

/** @param {"live" | "paused" | "gone"} state @param {string} text */
function show(state, text) {
  panel.dataset.state = state;
  // Screen readers announce every assignment, so only a change is assigned.
  if (message.textContent !== text) message.textContent = text;
  button.textContent = isPaused ? "Resume" : "Pause";
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof HTMLElement ? node.dataset.key : undefined);

/** @param {Node} one @param {Node} other */
const isLike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

/** @param {Element} from @param {Element} to */
function changeAttributes(from, to) {
  /** The reader opens and closes details. @param {Attr} attribute */
  const isOwn = ({ name }) => name === "open" && from.nodeName === "DETAILS";
  for (const attribute of [...from.attributes]) {
    if (!isOwn(attribute) && !to.hasAttribute(attribute.name)) from.removeAttribute(attribute.name);
  }
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
}

/** @param {Element} from @param {Element} to */
function changeChildren(from, to) {
  const old = [...from.childNodes];
  const keyed = new Map(old.filter(keyOf).map((node) => [keyOf(node), node]));
  const plain = old.filter((node) => keyOf(node) === undefined);
  const wanted = [...to.childNodes].map((next) => {
    const key = keyOf(next);
    const index = key === undefined ? plain.findIndex((node) => isLike(node, next)) : -1;
    const match = key === undefined ? plain.splice(0, index + 1)[index] : keyed.get(key);
    if (match === undefined || !isLike(match, next)) return document.importNode(next, true);
    change(match, next);
    return match;
  });
  const kept = new Set(wanted);
  for (const node of old) if (!kept.has(node)) node.remove();
  let place = from.firstChild;
  for (const node of wanted) {
    if (node === place) place = place.nextSibling;
    else from.insertBefore(node, place);
  }
}

/** @param {Node} from @param {Node} to */
function change(from, to) {
  if (from.isEqualNode(to) || (from instanceof HTMLElement && from.dataset.keep !== undefined)) return;
  if (from instanceof Element && to instanceof Element) {
    changeAttributes(from, to);
    changeChildren(from, to);
  } else {
    from.nodeValue = to.nodeValue;
  }
}

/** The element that must not move: the focused one, or else the first visible one of a list. There is none at the top of the page. */
function anchor() {
  if (window.scrollY === 0) return undefined;
  /** @param {Element} element */
  const isInSight = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  };
  return [...document.querySelectorAll("main :focus, main [data-key]")]
    .sort((one, other) => Number(other.matches(":focus")) - Number(one.matches(":focus")))
    .find(isInSight);
}

/** @param {string} text */
function take(text) {
  if (text === lastText) return;
  lastText = text;
  const next = new DOMParser().parseFromString(text, "text/html");
  if (document.title !== next.title) document.title = next.title;
  const anchored = anchor();
  const before = anchored?.getBoundingClientRect().top ?? 0;
  change(document.body, next.body);
  if (anchored?.isConnected) window.scrollBy(0, anchored.getBoundingClientRect().top - before);
}

async function update() {
  clearTimeout(timer);
  if (isPaused || document.visibilityState === "hidden") return;
  const started = performance.now();
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const text = await answer.text();
    if (!answer.headers.get("content-type")?.startsWith("text/html")) throw new Error("no page");
    if (isPaused) return;
    take(text);
    show("live", "Live");
  } catch {
    if (isPaused) return;
    show("gone", "The emulator does not answer. This page shows its last state");
  }
  // A slow page is requested less often.
  timer = setTimeout(update, Math.max(SHORTEST_MS, 10 * (performance.now() - started)));
}

function go() {
  if (isPaused) show("paused", "Paused");
  else show("live", "Live");
  void update();
}

button.addEventListener("click", () => {
  isPaused = !isPaused;
  sessionStorage.setItem("paused", String(isPaused));
  go();
});
// A browser copies only for pages of this machine, or with HTTPS.
if ("clipboard" in navigator) document.documentElement.dataset.copies = "";
document.addEventListener("click", async ({ target }) => {
  const copy = target instanceof Element ? target.closest(".copy") : null;
  const text = copy?.parentElement?.querySelector("code")?.textContent;
  if (!copy || typeof text !== "string") return;
  await navigator.clipboard.writeText(text);
  copy.textContent = "Copied";
  setTimeout(() => (copy.textContent = "Copy"), SHORTEST_MS);
});
document.addEventListener("visibilitychange", update);
go();
