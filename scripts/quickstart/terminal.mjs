/** The output of the quickstart. */
const hasColors = process.stdout.isTTY && process.stdout.hasColors();
/** @param {string} text */
export const bold = (text) => (hasColors ? `\u001b[1m${text}\u001b[22m` : text);
/** @param {string} text */
const dim = (text) => (hasColors ? `\u001b[2m${text}\u001b[22m` : text);

/** @param {string} [text] */
export const say = (text = "") => process.stdout.write(`${text}\n`);

let step = 0;
/** @param {string} title */
export function heading(title) {
  const line = `${++step}. ${title}`;
  say(`\n${bold(line)}\n${dim("─".repeat(line.length))}`);
}

/** Points out what the reader should notice. @param {string} text */
export const look = (text) => say(`${bold("→")} ${text}`);
