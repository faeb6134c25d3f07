import { readImports } from "../../../src/provider/settings/wished-imports";

const BEGINNING = "urn:pulumi:live::shop::";
const node = `${BEGINNING}nodecloud:index:Node`;
const dynamic = `${BEGINNING}pulumi-nodejs:dynamic/nodecloud:Node`;

const read = (text: string) => Object.fromEntries(readImports(text));

test("each URN has its id, whichever way serves it, also below a component", () => {
  expect(
    read(`${node}::web=12, ${dynamic}::db=13\n,${BEGINNING}my:Site$nodecloud:index:DomainRecord::www=5/7`),
  ).toEqual({
    [`${dynamic}::web`]: "12",
    [`${dynamic}::db`]: "13",
    [`${BEGINNING}my:Site$pulumi-nodejs:dynamic/nodecloud:DomainRecord::www`]: "5/7",
  });
});

test("a name may contain commas, equal signs and colons", () => {
  expect(read(`${node}::a=b, c::d=12,${node}::web=13`)).toEqual({
    [`${dynamic}::a=b, c::d`]: "12",
    [`${dynamic}::web`]: "13",
  });
});

test.each([
  ["a name in place of a URN", "web=12", '"web=12" is no URN with an id. Write URN=ID, and a comma between'],
  ["a URN without an id", `${node}::web`, `"${node}::web" is no URN with an id`],
  ["an empty id", `${node}::web=`, `"${node}::web=" is no URN with an id`],
  ["another separator", `${node}::web=12;${node}::db=13 `, "is no URN with an id"],
  ["a comma at the end", `${node}::web=12,`, "is no URN with an id"],
  ["a second id", `${node}::web=12,${dynamic}::web=13`, "has the ids 12 and 13. Keep one of them"],
  [
    "a resource of another package",
    `${BEGINNING}aws:s3/bucket:Bucket::b=1`,
    "is no resource of this package",
  ],
])("%s is refused, and the message says what to write", (_, text, message) => {
  expect(() => readImports(text)).toThrow(/^NODECLOUD_IMPORT: /);
  expect(() => readImports(text)).toThrow(message);
});
