import fc from "fast-check";
import { type MemberStep, stepsOf } from "../../../../src/provider/collection/apply/steps";
import { planOf } from "../../../../src/provider/collection/plan";
import { type Member } from "../../../../src/provider/describe/define-collection";
import { domainRecordSet } from "../../../../src/resources/domain-record-set";
import { heldOf, members, wantedOf } from "../arbitrary-members";

const stepsFor = (before: readonly Member[], then: readonly Member[]): MemberStep[] =>
  stepsOf(domainRecordSet, planOf(domainRecordSet, heldOf(before), wantedOf(then)));

const record = (name: string, type: string, target: string): Member => ({ inputs: { name, type, target } });

const said = (step: MemberStep): string =>
  `${step.kind} ${String((step.kind === "remove" ? step.held : step.wanted).inputs["name"])}`;

describe("the steps of a plan", () => {
  test("contain each change once, and nothing for an unchanged member", () => {
    fc.assert(
      fc.property(members, members, (before, then) => {
        const { change, remove, add } = planOf(domainRecordSet, heldOf(before), wantedOf(then));
        const steps = stepsFor(before, then);
        const count = (kind: MemberStep["kind"]) => steps.filter((step) => step.kind === kind).length;
        expect([count("change"), count("remove"), count("add")]).toEqual([
          change.length,
          remove.length,
          add.length,
        ]);
      }),
    );
  });

  test("delete a member before they create another in its place, and do that before other changes", () => {
    const before = [record("old", "A", "192.0.2.1"), record("www", "A", "192.0.2.2")];
    const then = [record("new", "A", "192.0.2.3"), record("www", "CNAME", "example.org")];
    const steps = stepsFor(
      [...before, record("api", "A", "192.0.2.4")],
      [...then, record("api", "A", "192.0.2.5")],
    );
    expect(steps.map(said)).toEqual(["remove www", "add www", "remove old", "change api", "add new"]);
  });
});
