import { lastingUrn, nameInUrn, partsOfUrn, stackInUrn, typeInUrn } from "../../../src/provider/describe/urn";

const RECORD = "pulumi-nodejs:dynamic/nodecloud:DomainRecord";
const URN = `urn:pulumi:prod::shop::my:web:Site$${RECORD}::www`;

it("takes a URN apart: the stack, the types of the parents and the resource, and the name", () => {
  expect(partsOfUrn(URN)).toEqual({
    stack: "prod",
    project: "shop",
    types: ["my:web:Site", RECORD],
    name: "www",
  });
  expect([stackInUrn(URN), typeInUrn(URN), nameInUrn(URN)]).toEqual(["shop/prod", RECORD, "www"]);
});

it("keeps the whole name of a resource that has :: in its name", () => {
  expect(nameInUrn(`urn:pulumi:prod::shop::${RECORD}::eu::www`)).toBe("eu::www");
});

it("takes any other text for a name, of no stack and no type", () => {
  expect([stackInUrn("eu::www::web"), typeInUrn("eu::www::web"), nameInUrn("eu::www::web")]).toEqual([
    undefined,
    "",
    "eu::www::web",
  ]);
  expect(stackInUrn(undefined)).toBeUndefined();
});

it("gives a resource of the full plugin the URN that it would have as a dynamic resource", () => {
  const ofPlugin = "urn:pulumi:prod::shop::my:web:Site$nodecloud:index:DomainRecord::eu::www";
  expect(lastingUrn(ofPlugin)).toBe(`urn:pulumi:prod::shop::my:web:Site$${RECORD}::eu::www`);
  expect(lastingUrn(URN)).toBe(URN);
});
