import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./fakes";

test("the SDKs for Python and Go were generated from this schema: `npm run generate:sdks`", () => {
  const schema = readFileSync(join(root, "schema.json"));
  const hash = createHash("sha256").update(schema).digest("hex");
  expect(readFileSync(join(root, "sdks/schema.sha256"), "utf8").trim()).toBe(hash);
});
