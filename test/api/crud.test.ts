import { z } from "zod";
import { crud } from "../../src/api/crud";
import { type OperationSpec, typed } from "../../src/api/operation";

const note = typed(z.object({ id: z.int() }));
const noteCreate = typed(z.object({ text: z.string() }));
const noteUpdate = typed(z.object({ text: z.string().optional() }));

const family = {
  path: "/domains/{domainId}/notes",
  id: "noteId",
  nouns: ["a note", "a domain's notes"],
  scopes: "domains",
  reply: note,
  create: noteCreate,
  update: noteUpdate,
} as const;

test("a plain family has an operation for each step in the life of an object", () => {
  const notes = crud(family);
  const [reads, writes] = [["domains:read_only"], ["domains:read_write"]];
  const [all, one] = ["/domains/{domainId}/notes", "/domains/{domainId}/notes/{noteId}"];
  expect(notes).toEqual({
    list: {
      method: "GET",
      path: all,
      summary: "Lists a domain's notes.",
      paged: true,
      reply: note,
      scopes: reads,
    },
    create: {
      method: "POST",
      path: all,
      summary: "Creates a note.",
      body: noteCreate,
      reply: note,
      scopes: writes,
    },
    get: { method: "GET", path: one, summary: "Views a note.", reply: note, scopes: reads },
    update: {
      method: "PUT",
      path: one,
      summary: "Updates a note.",
      body: noteUpdate,
      reply: note,
      scopes: writes,
    },
    delete: {
      method: "DELETE",
      path: one,
      summary: "Deletes a note.",
      reply: expect.anything(),
      scopes: writes,
    },
  });
});

test("all operations of a family that the reference does not show are assumed", () => {
  const operations: readonly OperationSpec[] = Object.values(crud({ ...family, assumed: true }));
  expect(operations.map(({ assumed }) => assumed)).toEqual(Array(5).fill(true));
});
