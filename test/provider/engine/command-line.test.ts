import { leftBy, onlyLooks, replacesSome } from "../../../src/provider/engine/command-line";

const urnOf = (name: string) => `urn:pulumi:dev::shop::nodecloud:index:DomainRecord::${name}`;
const leaves = (...args: readonly string[]) => leftBy(["pulumi", "destroy", ...args]);

test.each([
  [[], false, false],
  [["--target", urnOf("www")], false, true],
  [[`--target=${urnOf("www")}`, "--yes"], false, true],
  [["-t", "**DomainRecord::w*"], false, true],
  [["-t", "urn:pulumi:*::www"], true, true],
  [["--exclude", "**::www"], true, false],
  [["--exclude-protected"], false, false],
] as const)("a destroy with %j leaves www: %s, and mail: %s", (args, www, mail) => {
  const isLeft = leaves(...args);
  expect([isLeft({ urn: urnOf("www") }), isLeft({ urn: urnOf("mail") })]).toEqual([www, mail]);
});

test("a destroy leaves what is protected only if it is told to", () => {
  const www = { urn: urnOf("www"), isProtected: true } as const;
  expect([leaves("--exclude-protected")(www), leaves("--yes")(www)]).toEqual([true, false]);
});

test.each([
  [["pulumi", "up", "--replace", "urn:pulumi:dev::app::x::web"], true],
  [["pulumi", "up", "--target-replace=urn:pulumi:dev::app::x::web"], true],
  [["pulumi", "up", "--yes", "--stack", "replace"], false],
])("%j tells whether the command replaces resources", (args, replaces) => {
  expect(replacesSome(args)).toBe(replaces);
});
test.each([
  [["pulumi", "preview", "--refresh"], true],
  [["pulumi", "pre", "--stack", "dev"], true],
  [["pulumi", "refresh", "--preview-only"], true],
  [["pulumi", "refresh", "--stack", "preview"], false],
  [["pulumi", "up", "--refresh", "--stack=preview"], false],
  [["pulumi", "destroy"], false],
  [[], false],
])("%j: the command only shows what it would do: %s", (args, looks) => {
  expect(onlyLooks(args)).toBe(looks);
});
