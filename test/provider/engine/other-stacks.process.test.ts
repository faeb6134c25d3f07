import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { readOtherStacks } from "../../../src/provider/engine/other-stacks";

/** A command line with two other stacks, of which the state of one is damaged. */
const COMMAND = `#!/bin/sh
case "$*" in
  "stack ls"*) echo '[{"name":"organization/shop/prod"},{"name":"organization/shop/bad"}]' ;;
  *shop/bad*) echo "error: unexpected end of JSON input" >&2; exit 1 ;;
  *) echo '{"deployment":{"resources":[]}}' ;;
esac
`;

test("a stack whose state is damaged is named, and is not one for which there was no time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "other-stacks-"));
  writeFileSync(join(folder, "pulumi"), COMMAND);
  chmodSync(join(folder, "pulumi"), 0o755);
  const environment = { PATH: `${folder}${delimiter}${process.env["PATH"]}` };
  const found = await readOtherStacks("shop/own", environment, true);
  rmSync(folder, { recursive: true });
  expect(found).toMatchObject({ unread: 1, failed: ["organization/shop/bad"] });
});

test("if a damaged state makes the list of all stacks fail, the folder of the backend names the others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "other-stacks-"));
  const command = COMMAND.replace(
    /"stack ls"\*\).*/,
    `"stack ls"*) echo "error: unexpected end" >&2; exit 1 ;;`,
  );
  writeFileSync(join(folder, "pulumi"), command);
  chmodSync(join(folder, "pulumi"), 0o755);
  mkdirSync(join(folder, ".pulumi/stacks/shop"), { recursive: true });
  for (const name of ["own", "prod", "bad"])
    writeFileSync(join(folder, `.pulumi/stacks/shop/${name}.json`), "{");
  const PATH = `${folder}${delimiter}${process.env["PATH"]}`;
  const environment = { PATH, PULUMI_HOME: folder };
  const inFiles = { ...environment, PULUMI_BACKEND_URL: `file://${folder}` };
  const found = await readOtherStacks("shop/own", inFiles, true);
  const inBucket = await readOtherStacks(
    "shop/own",
    { ...environment, PULUMI_BACKEND_URL: "s3://states" },
    true,
  );
  rmSync(folder, { recursive: true });
  expect(found).toEqual({ stacks: [], unread: 1, failed: ["organization/shop/bad"], hasOwn: false });
  expect(inBucket).toEqual({ stacks: [], unread: 0, isUnknown: true });
});
