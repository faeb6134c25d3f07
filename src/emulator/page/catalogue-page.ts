import { html } from "hono/html";
import { ENGINES, PLANS, PUBLIC_IMAGES, REGIONS } from "../operations/catalogue";
import { cell, tableSection } from "./parts";
import { status } from "./status";

/** The regions, plans, images and engines that programs can select. */
export function cataloguePage() {
  const main = html`<h1>Catalogue</h1>
    ${tableSection("regions", {
      caption: "Regions",
      columns: [
        { title: "id", cell: ({ id }) => html`<code>${id}</code>` },
        { title: "label", cell: ({ label }) => label },
        { title: "country", cell: ({ country }) => country },
        { title: "status", cell: (region) => status(region.status) },
        { title: "capabilities", cell: ({ capabilities }) => cell(capabilities) },
      ],
      rows: REGIONS,
      keyOf: ({ id }) => id,
    })}
    ${tableSection(
      "plans",
      {
        caption: "Plans",
        columns: [
          { title: "id", cell: ([id]) => html`<code>${id}</code>` },
          { title: "vcpus", cell: ([, { vcpus }]) => vcpus, isNumber: true },
          { title: "memory (MB)", cell: ([, { memory }]) => memory, isNumber: true },
          { title: "disk (MB)", cell: ([, { disk }]) => disk, isNumber: true },
          { title: "transfer", cell: ([, { transfer }]) => transfer, isNumber: true },
          { title: "gpus", cell: ([, { gpus }]) => gpus, isNumber: true },
        ],
        rows: Object.entries(PLANS),
        keyOf: ([id]) => id,
      },
      "The emulator accepts any other type, with the specs of a small plan.",
    )}
    ${tableSection("public-images", {
      caption: "Public images",
      columns: [
        { title: "id", cell: ({ id }) => html`<code>${id}</code>` },
        { title: "label", cell: ({ label }) => label },
        { title: "status", cell: (image) => status(image.deprecated ? "deprecated" : image.status) },
        { title: "size (MB)", cell: ({ size }) => size, isNumber: true },
        { title: "capabilities", cell: ({ capabilities }) => cell(capabilities) },
      ],
      rows: PUBLIC_IMAGES,
      keyOf: ({ id }) => id,
    })}
    ${tableSection("engines", {
      caption: "Database engines",
      columns: [
        { title: "id", cell: ({ id }) => html`<code>${id}</code>` },
        { title: "version", cell: ({ version }) => version },
      ],
      rows: ENGINES,
      keyOf: ({ id }) => id,
    })}`;
  return { title: "Catalogue", main };
}
