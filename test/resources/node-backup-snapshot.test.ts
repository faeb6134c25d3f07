import { type Client } from "../../src/api";
import { NodeBackupSnapshot } from "../../src/sdk";
import { descriptionOf } from "./describe";

const description = descriptionOf(NodeBackupSnapshot);

async function listed(snapshot: object): Promise<unknown[]> {
  const client = { nodeBackups: { list: () => Promise.resolve({ automatic: [{ id: 9 }], snapshot }) } };
  const found: unknown[] = [];
  for await (const { id } of description.list?.(client as unknown as Client, "12") ?? []) found.push(id);
  return found;
}

test("the snapshots of a node are the one in progress and the current one, without automatic backups", async () => {
  expect(await listed({ current: { id: 1 }, in_progress: { id: 2 } })).toEqual([2, 1]);
  expect(await listed({ current: { id: 1 }, in_progress: null })).toEqual([1]);
  expect(await listed({ current: null })).toEqual([]);
});

test("a snapshot cannot be deleted, and the reason is given", () => {
  expect(description.delete).toBeUndefined();
  expect(description.undeletable).toContain("the API has no operation to delete a snapshot");
});

test("the id of a snapshot consists of its node's id and its own", () => {
  expect(description.id.pattern.exec("12/345")?.groups).toEqual({ parent: "12", id: "345" });
  expect(description.id.pattern.test("345")).toBe(false);
});
