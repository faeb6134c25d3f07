import { css } from "./css";

/** Statuses, code, forms and requests. */
export const PARTS = css`
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
`;
