import { partChanges, pathText } from "../../../src/provider/base/property-paths";
import { type Comparison, UNKNOWN } from "../../../src/provider/base/values";

const changesOf = (comparison: Comparison, from: unknown, to: unknown) =>
  partChanges(["tags"], comparison, from, to).map(({ path, kind }) => [pathText(path), kind]);

describe("the changed parts of a property", () => {
  it("are the property itself if it is new, removed, or no list", () => {
    expect(changesOf("value", undefined, ["a"])).toEqual([["tags", "add"]]);
    expect(changesOf("value", ["a"], null)).toEqual([["tags", "delete"]]);
    expect(changesOf("value", "a", "b")).toEqual([["tags", "update"]]);
    expect(changesOf("value", ["a"], UNKNOWN)).toEqual([["tags", "update"]]);
  });

  it("are the items of a list at their positions", () => {
    expect(changesOf("value", ["a", "b"], ["a", "c"])).toEqual([["tags[1]", "update"]]);
    expect(changesOf("value", ["a"], ["a", "b"])).toEqual([["tags[1]", "add"]]);
    expect(changesOf("value", ["a", "b"], ["a"])).toEqual([["tags[1]", "delete"]]);
    expect(changesOf("value", [{ label: "a" }], [{ label: "b" }])).toEqual([["tags[0].label", "update"]]);
  });

  it("are only the items that one list of a set lacks, wherever the others are", () => {
    expect(changesOf("set", ["a", "b"], ["b", "c", "d"])).toEqual([
      ["tags[0]", "delete"],
      ["tags[1]", "add"],
      ["tags[2]", "add"],
    ]);
    expect(changesOf("set", ["a", "b"], ["c", "b"])).toEqual([["tags[0]", "update"]]);
    expect(changesOf("addresses", ["192.0.2.1"], ["192.0.2.1/32", "192.0.2.2"])).toEqual([
      ["tags[1]", "add"],
    ]);
  });

  it("are the unknown items while they are not known", () => {
    expect(changesOf("set", ["a"], ["a", UNKNOWN])).toEqual([["tags[1]", "add"]]);
  });
});
