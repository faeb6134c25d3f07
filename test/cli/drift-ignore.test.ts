import { type Drift } from "../../src/cli/drift/findings";
import { ignoring } from "../../src/cli/drift/ignore/ignore";
import { parseIgnoreFile } from "../../src/cli/drift/ignore/parse";
import { CliError } from "../../src/cli/errors";
import { ACCOUNT, clean, drift } from "../helpers/drift";

const FILE = ".nodecloudignore";
const NOW = new Date("2026-11-23T12:00:00Z");

const objects: Drift = {
  ...clean,
  findings: [
    {
      kind: "unmanaged",
      type: "Node",
      id: "1",
      label: "legacy-a",
      tags: ["team:x", "old"],
      account: ACCOUNT,
    },
    { kind: "unmanaged", type: "Node", id: "12", label: "legacy/b", account: ACCOUNT },
    { kind: "unmanaged", type: "DomainRecord", id: "5/12", label: "TXT _acme.www", account: ACCOUNT },
    { kind: "unmanaged", type: "Image", id: "private/3", tags: ["old"], account: ACCOUNT },
    ...drift.findings.filter(({ kind }) => kind !== "unmanaged"),
  ],
};

const apply = (text: string, found = objects) => ignoring(parseIgnoreFile(text, FILE), found, NOW);
const hidden = (text: string) => apply(text).ignored.map(({ object }) => object.id);

function problem(text: string): string {
  try {
    parseIgnoreFile(text, FILE);
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
  return "none";
}

test.each([
  ["a kind", "- { kind: Node, reason: r }", ["1", "12"]],
  ["several kinds", "- { kind: [Node, Image], reason: r }", ["1", "12", "private/3"]],
  ["every kind", '- { kind: "*", reason: r }', ["1", "12", "5/12", "private/3"]],
  ["an id, also a number", "- { id: 12, reason: r }", ["12"]],
  ["a pattern of ids", "- { id: 5/*, reason: r }", ["5/12"]],
  ["a pattern of labels, across slashes", "- { label: legacy*, reason: r }", ["1", "12"]],
  ["a pattern that starts like a negation", "- { label: '!legacy*', reason: r }", []],
  ["a tag", "- { tags: old, reason: r }", ["1", "private/3"]],
  ["all of several tags", "- { tags: ['team:*', old], reason: r }", ["1"]],
  ["all of several conditions", "- { kind: Image, tags: [old], reason: r }", ["private/3"]],
  ["one of two entries", "- { id: '1', reason: r }\n- { id: '12', reason: r }", ["1", "12"]],
  ["nothing in an empty file", "# nothing\n", []],
])("an entry hides unmanaged objects by %s", (_, text, ids) => {
  expect(hidden(text)).toEqual(ids);
});

test("changed and deleted resources are never hidden", () => {
  const { ignored } = apply(
    '- { kind: "*", reason: r }\n- { label: "*", reason: r }\n- { id: "*", reason: r }',
  );
  expect(ignored.map(({ object }) => object.kind)).toEqual(Array(4).fill("unmanaged"));
});

test("an entry hides on its last day and not after it", () => {
  expect(apply("- { kind: Image, reason: r, until: 2026-11-23 }")).toEqual({
    ignored: [{ object: objects.findings[3], reason: "r", until: "2026-11-23" }],
    notes: [],
  });
  expect(apply("- kind: Node\n  reason: moves soon\n  until: 2026-11-22")).toEqual({
    ignored: [],
    notes: [
      ".nodecloudignore:1:3: the entry ended on 2026-11-22 and hides nothing any more (moves soon); it matches 2 objects",
    ],
  });
});

test("an object that an ended entry does not hide is hidden by another entry", () => {
  const { ignored } = apply("- { kind: Image, reason: a, until: 2020-01-01 }\n- { tags: old, reason: b }");
  expect(ignored.map(({ object, reason }) => [object.id, reason])).toEqual([
    ["1", "b"],
    ["private/3", "b"],
  ]);
});

test("an entry that matches nothing is a note, unless something could not be looked at", () => {
  const text = "- { id: '77', reason: the old host }";
  expect(apply(text).notes).toEqual([
    ".nodecloudignore:1:3: the entry matches no unmanaged object (the old host); remove it if it is no longer needed",
  ]);
  expect(apply(text, { ...objects, gaps: drift.gaps }).notes).toEqual([]);
});

test.each([
  ["- kind: Node\n  reason: r\n  until: soon", '3:10: until must be a date such as 2027-01-31, not "soon"'],
  [
    "- kind: Node\n  reason: r\n  until: 2027-02-30",
    '3:10: until must be a date such as 2027-01-31, not "2027-02-30"',
  ],
  ["- kind: Nod\n  reason: r", '1:9: unknown kind "Nod"; did you mean Node?'],
  ["- kind: [Node, Imgae]\n  reason: r", '1:16: unknown kind "Imgae"; did you mean Image?'],
  ["- lable: x\n  reason: r", '1:3: unknown key "lable"; did you mean label?'],
  ["- label: x", "1:3: an entry needs a reason"],
  ["- reason: r", "1:3: an entry needs at least one of kind, id, label and tags"],
  ["- label: x\n  reason:", "2:10: reason must be a text that is not empty"],
  ["- label: ''\n  reason: r", "1:10: label must be a text that is not empty"],
  ["- label: { a: b }\n  reason: r", "1:10: label must be a text that is not empty"],
  ["- tags: []\n  reason: r", "1:9: tags must not be an empty list"],
  ["kind: Node", "1:1: must be a list of entries: `- kind: Node`"],
  ["- Node", "1:3: must be an entry with kind, id, label or tags"],
  ["- label: 'x\n  reason: r", "2:12: is not valid YAML: Missing closing 'quote"],
  ["- label: a\n  label: b\n  reason: r", "2:3: is not valid YAML: Map keys must be unique"],
  ["- label: !secret a\n  reason: r", "1:10: is not valid YAML: Unresolved tag: !secret"],
])("a mistake is named with its line and column: %j", (text, message) => {
  expect(problem(text)).toBe(`.nodecloudignore:${message}`);
});

test("an alias stands for its text", () => {
  expect(hidden("- { kind: Image, reason: &r both }\n- { id: 12, reason: *r }")).toEqual(["12", "private/3"]);
});
