import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namesCutOff } from "../../../src/provider/engine/backend";

const folder = mkdtempSync(join(tmpdir(), "backend-"));
mkdirSync(join(folder, ".pulumi/stacks/shop"), { recursive: true });
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each([
  ["an interrupted update", { pending_operations: [{ resource: {}, type: "updating" }] }, true],
  ["an interrupted deletion", { pending_operations: [{ resource: {}, type: "deleting" }] }, true],
  ["an interrupted creation", { pending_operations: [{ resource: {}, type: "creating" }] }, false],
  ["no operation", { resources: [] }, false],
])("the file of a state tells that it has %s", (_, latest, expected) => {
  const text = JSON.stringify({ checkpoint: { latest } }, null, 4);
  writeFileSync(join(folder, ".pulumi/stacks/shop/prod.json"), text);
  expect(namesCutOff(`file://${folder}?metadata=skip`, "shop/prod")).toBe(expected);
});

test.each(["s3://bucket", "https://api.pulumi.com", `file://${folder}/elsewhere`])(
  "%s has no such file",
  (backend) => {
    expect(namesCutOff(backend, "shop/prod")).toBeUndefined();
  },
);
