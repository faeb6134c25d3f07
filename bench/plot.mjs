/** Plots with two logarithmic axes, as SVG for light and dark pages. */

/** @typedef {{ size: number; value: number }} Point */
/** @typedef {{ name: string; points: Point[] }} Line */
/** @typedef {{ title: string; lines: Line[] }} Panel */

const panel = { width: 340, height: 240, left: 56, right: 16, top: 34, bottom: 42 };
const columns = 2;
const legendHeight = 34;
/** Dashes and marks distinguish the lines without colour. */
const dashes = ["", "7 4", "2 3", "9 3 2 3"];

const style = `
  .paper { fill: #ffffff } text { fill: #1f2328; font: 12px system-ui, sans-serif } .title { font-weight: 600 }
  .grid { stroke: #d1d9e0; stroke-width: 1 } .c0 { --c: #0b5cad } .c1 { --c: #b3420f } .c2 { --c: #1a7f37 } .c3 { --c: #7b3fb0 }
  .line { stroke: var(--c); stroke-width: 2; fill: none } .mark { fill: var(--c) }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } text { fill: #e6edf3 } .grid { stroke: #3d444d }
    .c0 { --c: #6cb6ff } .c1 { --c: #f69d50 } .c2 { --c: #57ab5a } .c3 { --c: #c297ff }
  }`;

/** Whether logarithmic axes can show it. @param {Point} point */
const isShown = ({ size, value }) => size > 0 && value > 0;
/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
/** @param {number} value */
const short = (value) => Number(value.toFixed(1));
/** @param {number} value */
const label = (value) => (value >= 1 ? value.toLocaleString("en-US") : String(Number(value.toPrecision(1))));

/** The whole powers of ten around values, which are all above 0. @param {number[]} values */
function decades(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values))), low + 1);
  return { low, high, ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)) };
}

/**
 * @param {{ title: string; across: string; up: string; panels: Panel[] }} plot `across` and `up` name the axes of every panel. The
 * logarithmic axes omit values that are not above 0.
 * @returns {string} the SVG.
 */
export function plot({ title, across, up, panels }) {
  const drawn = panels
    .map((one) => ({
      title: one.title,
      lines: one.lines.map(({ name, points }) => ({ name, points: points.filter(isShown) })),
    }))
    .filter(({ lines }) => lines.some(({ points }) => points.length > 0));
  const names = [...new Set(drawn.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const all = drawn.flatMap(({ lines }) => lines.flatMap(({ points }) => points));
  const width = panel.width * Math.min(columns, Math.max(1, drawn.length));
  const height = panel.height * Math.ceil(drawn.length / columns) + legendHeight;
  // All panels have the same scale, so that they can be compared.
  const sizes = all.map(({ size }) => size);
  const { low, ticks } = decades(sizes);
  // To a little after the last size.
  const last = Math.max(...sizes);
  const x = { low, high: Math.log10(last) + 0.1, ticks: ticks.filter((tick) => tick <= last) };
  const y = decades(all.map(({ value }) => value));

  const legend = names.map((name, index) => {
    const left = panel.left + index * (width / Math.max(1, names.length));
    const symbol = drawLine(index, `${short(left)} 18h26`, [{ x: left + 13, y: 18 }]);
    return `${symbol}<text x="${short(left + 32)}" y="22">${escaped(name)}</text>`;
  });
  const parts = drawn.map((one, index) => {
    const left = (index % columns) * panel.width;
    const top = legendHeight + Math.floor(index / columns) * panel.height;
    return `<g transform="translate(${left} ${top})">${drawPanel(one, { names, x, y, across, up })}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title><style>${style}\n</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...legend,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** @typedef {ReturnType<typeof decades>} Scale */

/** @param {Panel} panelOf @param {{ names: string[]; x: Scale; y: Scale; across: string; up: string }} frame */
function drawPanel({ title, lines }, { names, x, y, across, up }) {
  const right = panel.width - panel.right;
  const bottom = panel.height - panel.bottom;
  /** @param {number} size */
  const placeX = (size) =>
    short(panel.left + ((Math.log10(size) - x.low) / (x.high - x.low)) * (right - panel.left));
  /** @param {number} value */
  const placeY = (value) =>
    short(bottom - ((Math.log10(value) - y.low) / (y.high - y.low)) * (bottom - panel.top));

  const middle = (panel.top + bottom) / 2;
  const frame = [
    `<text class="title" x="${panel.left}" y="${panel.top - 12}">${escaped(title)}</text>`,
    ...x.ticks.flatMap((tick) => [
      `<path class="grid" d="M${placeX(tick)} ${panel.top}V${bottom}"/>`,
      `<text x="${placeX(tick)}" y="${bottom + 16}" text-anchor="middle">${label(tick)}</text>`,
    ]),
    ...y.ticks.flatMap((tick) => [
      `<path class="grid" d="M${panel.left} ${placeY(tick)}H${right}"/>`,
      `<text x="${panel.left - 6}" y="${placeY(tick) + 4}" text-anchor="end">${label(tick)}</text>`,
    ]),
    `<text x="${(panel.left + right) / 2}" y="${bottom + 33}" text-anchor="middle">${escaped(across)}</text>`,
    `<text transform="translate(12 ${middle}) rotate(-90)" text-anchor="middle">${escaped(up)}</text>`,
  ];
  const curves = lines.map(({ name, points }) => {
    const sorted = points.toSorted((one, other) => one.size - other.size);
    const places = sorted.map(({ size, value }) => ({ x: placeX(size), y: placeY(value) }));
    const path = places.map(({ x: across, y: up }) => `${across} ${up}`).join("L");
    return path === "" ? "" : drawLine(names.indexOf(name), path, places);
  });
  return [...frame, ...curves].filter((part) => part !== "").join("\n");
}

/** @param {number} index of the line. @param {string} path @param {{ x: number; y: number }[]} marks */
function drawLine(index, path, marks) {
  const style = index % dashes.length;
  const curve = `<path class="line" stroke-dasharray="${dashes[style]}" d="M${path}"/>`;
  return `<g class="c${style}">${curve}${marks.map(({ x, y }) => mark(style, x, y)).join("")}</g>`;
}

/** @param {number} style @param {number} x @param {number} y */
function mark(style, x, y) {
  if (style === 0) return `<circle class="mark" cx="${short(x)}" cy="${short(y)}" r="4"/>`;
  const top = short(y - (style === 1 ? 4 : 5));
  const shape = ["", "h8v8h-8z", "l5 9h-10z", "l5 5l-5 5l-5 -5z"][style];
  return `<path class="mark" d="M${short(x - (style === 1 ? 4 : 0))} ${top}${shape}"/>`;
}
