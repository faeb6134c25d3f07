import { css } from "./css";

/** Headings, tables and lists of values. */
export const CONTENT = css`
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
`;
