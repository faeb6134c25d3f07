/** Leaves the text as it is; the name lets editors and formatters know what is in it. */
const css = String.raw;

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b63b5"/><path d="M4.5 12V4l7 8V4" fill="none" stroke="#fff" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"/></svg>`;

/** How the page looks: in light and dark, from 320 pixels on. */
export const STYLE = css`
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

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 1.5rem;
    padding: 0.5rem 1.25rem;
    border-bottom: 1px solid var(--line);
    background: var(--raised);
  }
  header p {
    margin: 0;
  }
  .name {
    color: inherit;
    text-decoration: none;
  }
  .clock {
    font-variant-numeric: tabular-nums;
  }
  #live {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    margin-left: auto;
  }
  #live[data-state] p::before {
    content: "";
    display: inline-block;
    width: 0.55em;
    height: 0.55em;
    margin-right: 0.45em;
    border: 1.5px solid currentcolor;
    border-radius: 50%;
  }
  #live[data-state="live"] p::before {
    background: var(--good);
    border-color: var(--good);
  }
  #live[data-state="gone"] p {
    padding: 0.1rem 0.6rem;
    border-radius: 4px;
    background: var(--warn-ground);
    color: var(--bad);
    font-weight: 600;
  }

  .columns {
    display: grid;
    grid-template-columns: 14.5rem minmax(0, 1fr);
  }
  .views {
    padding: 0.75rem 0.5rem;
    border-right: 1px solid var(--line);
    min-height: calc(100vh - 3rem);
  }
  .views ul {
    position: sticky;
    top: 0.75rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .views a {
    display: flex;
    justify-content: space-between;
    gap: 0.5rem;
    padding: 0.22rem 0.75rem;
    border-radius: 4px;
    color: inherit;
    text-decoration: none;
  }
  .views a:hover {
    background: var(--raised);
  }
  .views a[aria-current] {
    background: var(--chosen);
    font-weight: 600;
  }
  .views .group-end {
    margin-bottom: 0.6rem;
  }
  .count {
    color: var(--quiet);
    font-weight: 400;
    font-variant-numeric: tabular-nums;
  }
  .views a[aria-current] .count {
    color: inherit;
  }

  main {
    padding: 1rem 1.5rem 3rem;
    max-width: 84rem;
  }
  h1 {
    margin: 0 0 0.75rem;
    font-size: 1.45rem;
    line-height: 1.25;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  h2 {
    margin: 1.75rem 0 0.5rem;
    font-size: 1.05rem;
    font-weight: 600;
  }
  h3,
  main .label {
    margin: 0.75rem 0 0.25rem;
    font-size: 0.92rem;
    font-weight: 600;
  }
  main p {
    margin: 0.5rem 0;
  }
  .trail {
    margin: 0;
    color: var(--quiet);
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    overflow-wrap: anywhere;
  }

  .scroll {
    overflow-x: auto;
    border: 1px solid var(--line);
    border-radius: 6px;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 0.32rem 0.75rem;
    text-align: left;
    vertical-align: top;
    font-weight: 400;
    white-space: nowrap;
  }
  thead th {
    background: var(--raised);
    color: var(--quiet);
    font-size: 0.9em;
    font-weight: 600;
  }
  tbody tr {
    border-top: 1px solid var(--line);
  }
  tbody th {
    font-weight: 500;
  }
  th.number,
  td.number {
    text-align: right;
  }
  td {
    max-width: 40rem;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .list th:first-child {
    width: 16rem;
  }
  .list td {
    max-width: none;
  }
  .value {
    display: block;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .tally {
    margin-right: 0.75rem;
  }

  .status {
    display: inline-flex;
    align-items: baseline;
    gap: 0.4em;
    white-space: nowrap;
  }
  .status::before {
    content: "";
    flex: none;
    width: 0.6em;
    height: 0.6em;
    border: 1.5px solid currentcolor;
    border-radius: 50%;
  }
  .good {
    color: var(--good);
  }
  .good::before {
    background: currentcolor;
  }
  .busy {
    color: var(--busy);
  }
  .busy::before {
    background: linear-gradient(90deg, currentcolor 50%, transparent 50%);
  }
  .warn {
    color: var(--busy);
  }
  .warn::before {
    border: 0;
    border-radius: 0;
    background: currentcolor;
    clip-path: polygon(50% 0, 100% 100%, 0 100%);
  }
  .idle {
    color: var(--quiet);
  }
  .bad {
    color: var(--bad);
  }
  .bad::before {
    background: currentcolor;
    border-radius: 0;
    transform: rotate(45deg) scale(0.85);
  }

  .code {
    margin: 0.5rem 0;
    padding: 0.6rem 0.9rem;
    overflow: auto;
    max-height: 32rem;
    border: 1px solid var(--line);
    border-radius: 6px;
    background: var(--raised);
    line-height: 1.55;
  }
  .zone {
    padding-left: 0;
  }
  .line::before {
    content: attr(data-line);
    display: inline-block;
    width: 3.6em;
    margin-right: 1.2em;
    text-align: right;
    color: var(--quiet);
    user-select: none;
  }
  .left-out {
    color: var(--bad);
  }

  .tools {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.25rem 1rem;
    margin-bottom: 0.5rem;
  }
  .filter {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  input,
  button {
    font: inherit;
    color: inherit;
    padding: 0.15rem 0.6rem;
    border: 1px solid var(--quiet);
    border-radius: 4px;
    background: var(--ground);
  }
  input {
    width: 14rem;
    max-width: 100%;
  }
  button {
    cursor: pointer;
  }
  button:hover {
    background: var(--chosen);
  }
  .pager {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    margin: 0.6rem 0;
    font-variant-numeric: tabular-nums;
  }

  .requests {
    margin: 0;
    padding: 0;
    list-style: none;
    border: 1px solid var(--line);
    border-radius: 6px;
  }
  .requests li + li {
    border-top: 1px solid var(--line);
  }
  summary {
    display: grid;
    grid-template-columns: 5.2rem minmax(0, 1fr) 6.5rem auto;
    gap: 0 0.75rem;
    padding: 0.32rem 0.75rem;
    cursor: pointer;
    font-variant-numeric: tabular-nums;
  }
  summary:focus-visible {
    outline-offset: -2px;
  }
  summary:hover {
    background: var(--raised);
  }
  .path {
    overflow-wrap: anywhere;
  }
  .method {
    font-weight: 600;
  }
  .method::before {
    content: "▸";
    display: inline-block;
    width: 1.1em;
    color: var(--quiet);
  }
  details[open] .method::before {
    content: "▾";
  }
  .exchange {
    padding: 0 0.75rem 0.75rem 2rem;
  }

  @media (max-width: 48rem) {
    header {
      padding: 0.5rem 0.75rem;
    }
    #live {
      margin-left: 0;
    }
    .columns {
      display: block;
    }
    .views {
      min-height: 0;
      padding: 0.5rem 0.25rem;
      border-right: 0;
      border-bottom: 1px solid var(--line);
    }
    .views ul {
      position: static;
      display: flex;
      flex-wrap: wrap;
    }
    .views li:nth-child(n) {
      margin: 0;
    }
    .views a {
      padding: 0.15rem 0.5rem;
    }
    main {
      padding: 0.75rem 0.75rem 2rem;
    }
    summary {
      grid-template-columns: 5.2rem minmax(0, 1fr) auto;
    }
    .path {
      grid-row: 2;
      grid-column: 1 / -1;
    }
    .list th:first-child {
      width: auto;
    }
    .exchange {
      padding-left: 0.75rem;
    }
  }
`;
