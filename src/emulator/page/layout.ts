import { html } from "hono/html";
import { BASE_PATH } from "../http/env";
import { type Html, moment } from "./parts";
import { PAGE_PATH, type View, collectionPath } from "./view";

interface PageParts {
  readonly title: string;
  readonly main: Html;
}

interface Link {
  readonly text: string;
  readonly path: string;
  readonly count?: number;
  /** Whether the navigation has a gap after the link. */
  readonly endsGroup?: boolean;
}

function navigation({ collections, emulation: { requests, faults }, path }: View): Html {
  const kindLinks = [...collections.values()].map((collection, index) => ({
    text: collection.view.title,
    path: collectionPath(collection),
    count: collection.all().length,
    endsGroup: index === collections.size - 1,
  }));
  const item = ({ text, path: to, count, endsGroup = false }: Link) => {
    const current = path === to ? "page" : path.startsWith(`${to}/`) && to !== "/" ? "true" : undefined;
    const inside = html`<span>${text}</span
      >${count !== undefined && html` <span class="count">${count}</span>`}`;
    const group = endsGroup ? "group-end" : "in-group";
    const mark = current && html`aria-current="${current}"`;
    return html`<li class="${group}"><a href="${to}" ${mark}>${inside}</a></li>`;
  };
  const others: Link[] = [
    { text: "Requests", path: `${PAGE_PATH}/requests`, count: requests.total },
    { text: "Faults", path: `${PAGE_PATH}/faults`, count: faults.planned.length },
    { text: "Catalogue", path: `${PAGE_PATH}/catalogue` },
  ];
  return html`<nav class="views" aria-label="Views">
    <ul>
      ${item({ text: "Overview", path: "/", endsGroup: true })} ${kindLinks.map(item)} ${others.map(item)}
    </ul>
  </nav>`;
}

/** The speed of the emulated clock in words. */
export function speedOf(speed: number): string {
  if (speed === 0) return "stands still";
  return speed === 1 ? "real time" : `${speed.toLocaleString("en")} × real time`;
}

/** A whole page. */
export function layout(view: View, { title, main }: PageParts): Html {
  const { clock } = view.emulation.store;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} – node cloud emulator</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${PAGE_PATH}/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${PAGE_PATH}/page.css" />
        <link rel="stylesheet" href="${PAGE_PATH}/content.css" />
        <script src="${PAGE_PATH}/page.js" type="module"></script>
      </head>
      <body>
        <a class="skip unseen" href="#main">Skip to the content</a>
        <header>
          <a class="name" href="/">node cloud <b>emulator</b></a>
          <p>
            <span class="unseen">Emulated time:</span> ${moment(view.now)} UTC
            <span class="quiet">${speedOf(clock.speed)}</span>
          </p>
          <div id="live" data-keep><p class="quiet">Reload to see changes</p></div>
        </header>
        <div class="columns">
          ${navigation(view)}
          <main id="main" tabindex="-1">${main}</main>
        </div>
      </body>
    </html>`;
}

/** The base URL of the API under the origin of the page. */
export const baseUrl = ({ origin }: View): string => origin + BASE_PATH;
