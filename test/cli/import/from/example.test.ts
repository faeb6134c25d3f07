import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Importing, importingForEachTest } from "../../../helpers/from-terraform";
import { ROOT } from "../../../helpers/programs";

let own: Importing;
importingForEachTest((one) => (own = one));

/** Makes the objects of the state of examples/from-terraform, as its README does. */
async function makeObjects(): Promise<void> {
  const domain = { domain: "shop.example", type: "master", soa_email: "dns@example.org" };
  await own.create("/domains", domain);
  const node = { type: "g6-nanode-1", image: "node/debian12", root_pass: "correct horse battery" };
  for (const site of ["eu", "us"])
    await own.create("/node/instances", {
      ...{ ...node, label: `shop-${site}`, region: `${site}-west`, tags: ["shop"] },
    });
  for (const [name, target] of [
    ["eu", "192.0.2.6"],
    ["us", "192.0.2.10"],
  ])
    await own.create("/domains/1/records", { type: "A", name, target, ttl_sec: 300 });
}

test("docs/from-terraform.md shows what the command prints and writes for the state of examples/from-terraform", async () => {
  const page = readFileSync(join(ROOT, "docs/from-terraform.md"), "utf8");
  cpSync(join(ROOT, "examples/from-terraform/terraform"), join(own.folder, "terraform"), { recursive: true });
  await makeObjects();
  const { stdout } = await own.run("--from-terraform", "terraform", "--out", "infra");
  const shown = /\$ npx .* --from-terraform terraform --out infra\n([^`]*)/.exec(page)?.[1] ?? "";
  expect(stdout.trimEnd()).toBe(shown.replaceAll(/^ {3}/gm, "").trimEnd());
  const files = own.files();
  const blocks = [
    ...page.matchAll(/^<!-- example: ((?:main|modules\/site)\.ts) -->\n+```ts\n([^]*?)^```$/gm),
  ];
  expect(blocks.map(([, file = "", code]) => [file, code])).toEqual(
    ["main.ts", "modules/site.ts"].map((file) => [file, files[file]]),
  );
});
