/** The site of the docs. `npm run docs` writes its pages and navigation.json. */
import { readFileSync } from "node:fs";

const navigation = JSON.parse(readFileSync(new URL("../navigation.json", import.meta.url), "utf8"));

export default {
  lang: "en",
  title: "pulumi-nodecloud",
  description: "A Pulumi provider for the node cloud API",
  srcDir: "pages",
  outDir: "dist",
  // Links work on a server that knows nothing of the site.
  cleanUrls: false,
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    ...navigation,
    outline: [2, 3],
    docFooter: { prev: false, next: false },
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: "https://github.com/pulumi-nodecloud/pulumi-nodecloud" }],
  },
  vite: { build: { chunkSizeWarningLimit: 4096 } },
};

/** The name of a heading in a link, as GitHub makes it: the links of the docs work on both. */
function slugOf(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}
