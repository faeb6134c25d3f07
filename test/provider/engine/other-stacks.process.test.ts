import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
