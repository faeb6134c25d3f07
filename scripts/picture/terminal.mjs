/** The output of a command as a picture. */
/* eslint-disable no-control-regex -- the codes of a terminal */

/**
 * @typedef {object} Theme
 * @property {string} paper @property {string} frame @property {string} text
 * @property {Readonly<Record<string, string>>} colors by the number of the terminal's color.
 */

/** The colors have a contrast of at least 4.5 to the paper. @type {Readonly<Record<"light" | "dark", Theme>>} */
export const themes = {
  light: {
    paper: "#ffffff",
    frame: "#d0d7de",
    text: "#1f2328",
    colors: {
      1: "#b3261e",
      2: "#116329",
      3: "#7d4e00",
      4: "#0550ae",
      5: "#8250df",
      6: "#0e6a70",
      8: "#59636e",
    },
  },
  dark: {
    paper: "#0d1117",
    frame: "#30363d",
    text: "#e6edf3",
    colors: {
      1: "#ff7b72",
      2: "#7ee787",
      3: "#e3b341",
      4: "#79c0ff",
      5: "#d2a8ff",
      6: "#76e3ea",
      8: "#9198a1",
    },
  },
};

const line = 18;
const letter = 7.83;
const margin = 16;
/**
 * The lines that a terminal shows after a program has printed this. It knows what the engine's display needs: lines that are written again from their start.
 * @param {string} printed
 */
export function screenOf(printed) {
  /** @type {string[]} */
  const lines = [];
  let row = 0;
  let isAtStart = true;
  // Questions to the terminal show nothing.
  const answered = printed.replace(/\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b\[\d*n/g, "");
  for (const part of answered.split(/(\r?\n|\r|\x1b\[\??[\d;]*[A-Zhl])/)) {
    const up = /^\x1b\[(\d+)A$/.exec(part)?.[1];
    if (up !== undefined) row = Math.max(0, row - Number(up));
    else if (/^\r?\n$/.test(part)) [row, isAtStart] = [row + 1, true];
    else if (part === "\r") isAtStart = true;
    else if (part.endsWith("K") && part.startsWith("\x1b")) lines[row] = isAtStart ? "" : (lines[row] ?? "");
    else if (part !== "" && !/^\x1b\[\??[\d;]*[A-Zhl]$/.test(part)) {
      lines[row] = (isAtStart ? "" : (lines[row] ?? "")) + part;
      isAtStart = false;
    }
  }
  return Array.from(lines, (text) => (text ?? "").trimEnd());
}

/** @param {readonly string[]} shown lines with colors. @param {number} columns of the terminal. @param {Theme} theme */
export function drawTerminal(shown, columns, theme) {
  const last = shown.findLastIndex((text) => withoutColors(text).trim() !== "");
  const lines = shown.slice(0, last + 1).flatMap((text) => wrapped(spansOf(text), columns));
  const [width, height] = [Math.ceil(columns * letter) + 2 * margin, lines.length * line + 2 * margin - 4];
  const style = `font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre;`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>What ${escaped(shown[0] ?? "").replace("$ ", "")} prints</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="${theme.paper}" stroke="${theme.frame}"/>`,
    `<g style='${style}' fill="${theme.text}">`,
    ...lines.map((spans, index) => drawLine(spans, margin + 10 + index * line, theme)),
    "</g>",
    "</svg>\n",
  ].join("\n");
}

/** @param {string} text */
const withoutColors = (text) =>
  spansOf(text)
    .map((span) => span.text)
    .join("");

/** @typedef {{ text: string; color?: string | undefined; isBold?: boolean }} Span */

/** @param {readonly Span[]} spans @param {number} y @param {Theme} theme */
function drawLine(spans, y, { colors }) {
  const parts = spans.map(({ text, color, isBold }) => {
    const fill = color === undefined ? "" : ` fill="${colors[color] ?? "inherit"}"`;
    const attributes = fill + (isBold ? ' font-weight="bold"' : "");
    return attributes === "" ? escaped(text) : `<tspan${attributes}>${escaped(text)}</tspan>`;
  });
  return `<text x="${margin}" y="${y}" xml:space="preserve">${parts.join("")}</text>`;
}

/** The parts of a line that have one color. @param {string} text @returns {Span[]} */
function spansOf(text) {
  /** @type {Span[]} */
  const spans = [];
  /** @type {string | undefined} */
  let color;
  let isBold = false;
  for (const part of text.split(/(\x1b\[[\d;]*m)/)) {
    const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      if (part !== "") spans.push({ text: part, color, isBold });
      continue;
    }
    const bright = /^38;5;(\d+)$/.exec(codes)?.[1];
    if (bright !== undefined) color = bright in themes.light.colors ? bright : String(Number(bright) % 8);
    else if (codes === "1") isBold = true;
    else if (/^3[0-7]$/.test(codes)) color = codes.slice(1);
    else if (codes === "" || codes === "0") [color, isBold] = [undefined, false];
    // The rest, such as underlines, is not drawn.
  }
  return spans;
}

/** A line that is too long, as several. They keep its indentation. @param {Span[]} spans @param {number} columns @returns {Span[][]} */
function wrapped(spans, columns) {
  const length = spans.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= columns) return [spans];
  const whole = spans.map(({ text }) => text).join("");
  const space = whole.lastIndexOf(" ", columns);
  const indent = /^ */.exec(whole)?.[0] ?? "";
  const [first, rest] = [/** @type {Span[]} */ ([]), /** @type {Span[]} */ ([{ text: indent }])];
  let at = 0;
  for (const span of spans) {
    const cut = Math.max(0, Math.min(span.text.length, space - at));
    if (cut > 0) first.push({ ...span, text: span.text.slice(0, cut) });
    const left = at + cut === space ? span.text.slice(cut).replace(/^ /, "") : span.text.slice(cut);
    if (left !== "") rest.push({ ...span, text: left });
    at += span.text.length;
  }
  return [first, ...wrapped(rest, columns)];
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
