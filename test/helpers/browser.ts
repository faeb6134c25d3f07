import { type Browser, chromium } from "playwright-core";

/** A page that takes longer hangs. */
export const HANGS_MS = 600_000;

/** Starts a Chromium without a window, with a new profile and without requests of its own. */
export function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: HANGS_MS,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Code for the page that finds the text with the lowest contrast to its background. */
export const LOWEST_CONTRAST = String.raw`(() => {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      const [, , , opacity = 1] = channels(color);
      if (opacity > 0) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  return [...document.body.querySelectorAll("*")]
    .filter((element) => hasText(element) && element.checkVisibility())
    .map((element) => {
      const [one, other] = [getComputedStyle(element).color, groundOf(element)].map(luminance);
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      return { ratio, text: element.textContent.trim().slice(0, 40) };
    })
    .reduce((lowest, next) => (next.ratio < lowest.ratio ? next : lowest));
})()`;
