import { css } from "./css";

/** What is different on a narrow screen. */
export const NARROW = css`
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
