import { css } from "./css";

/** The header and the navigation. */
export const FRAME = css`
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
`;
