import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./programs";

/** Expects the picture of an example to show the resources of its stack. NODECLOUD_PICTURES=write writes it instead. `state` is what `pulumi stack export` prints. */
export function expectPicture(name: string, state: string): void {
  const script = join(ROOT, "scripts/picture/resources.mjs");
  const drawn = execFileSync(process.execPath, [script, name], { input: state, encoding: "utf8" });
  const file = join(ROOT, `docs/pictures/${name}.svg`);
  if (process.env["NODECLOUD_PICTURES"] === "write") writeFileSync(file, drawn);
  expect(readFileSync(file, "utf8")).toBe(drawn);
}
