import { css } from "./css";

/** The colours, and the elements that are alike everywhere. */
export const BASE = css`
  :root {
    color-scheme: light dark;
    --ground: #ffffff;
    --raised: #f6f7f9;
    --line: #dde1e6;
    --text: #1b1f24;
    --quiet: #57606a;
    --accent: #0a5ba8;
    --chosen: #e3eefa;
    --good: #17692f;
    --busy: #7a4b00;
    --bad: #b42318;
    --warn-ground: #fdecea;
    --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #14171a;
      --raised: #1c2025;
      --line: #31373e;
      --text: #e4e7eb;
      --quiet: #9ca6b1;
      --accent: #7db8f5;
      --chosen: #1d3348;
      --good: #6ccb86;
      --busy: #e2b053;
      --bad: #ff8f84;
      --warn-ground: #45201d;
    }
  }
  * {
    box-sizing: border-box;
  }
  html {
    font:
      14px/1.5 system-ui,
      -apple-system,
      "Segoe UI",
      Roboto,
      "Noto Sans",
      "DejaVu Sans",
      sans-serif;
    background: var(--ground);
    color: var(--text);
    /* The script keeps in place what is looked at. */
    overflow-anchor: none;
  }
  body {
    margin: 0;
  }
  a {
    color: var(--accent);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.28em;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
    border-radius: 2px;
  }
  main:focus {
    outline: none;
  }
  code,
  pre,
  .path,
  .method {
    font-family: var(--mono);
    font-size: 0.92em;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .quiet {
    color: var(--quiet);
  }
  .skip {
    position: absolute;
    left: 0.5rem;
    top: -4rem;
    z-index: 1;
    padding: 0.25rem 0.75rem;
    background: var(--ground);
  }
  .skip:focus {
    top: 0.5rem;
  }
`;
