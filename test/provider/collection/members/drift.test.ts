import { drifted } from "../../../../src/provider/collection/members/as-objects";
import { heldFrom } from "../../../../src/provider/collection/members/as-objects";
import { domainRecordSet } from "../../../../src/resources/domain-record-set";

const member = { inputs: { name: "www", type: "A", target: "192.0.2.1", ttlSec: 301 } };
const answer = { id: 7, name: "www", type: "A", target: "192.0.2.1", ttl_sec: 3600 };
const held = heldFrom(domainRecordSet, member, "12", answer);

describe("a member of a collection", () => {
  test("has no drift while the service answers as it did to the creation", () => {
    expect(held.answered).toEqual({ ttlSec: 3600 });
    expect(drifted(domainRecordSet, held, answer)).toBe(held);
  });

  test("has the live value of a drifted input, and its own value of every other input", () => {
    const now = drifted(domainRecordSet, held, { ...answer, target: "192.0.2.9" });
    expect(now.inputs).toEqual({ ...member.inputs, target: "192.0.2.9" });
    expect(now).toMatchObject({ id: "7", answered: { ttlSec: 3600 }, line: domainRecordSet.write(now) });
  });

  test("forgets the previous answer for a drifted input", () => {
    const now = drifted(domainRecordSet, held, { ...answer, ttl_sec: 300 });
    expect(now.inputs).toEqual({ ...member.inputs, ttlSec: 300 });
    expect(now.answered).toEqual({});
  });

  test("omits an input that the service has cleared", () => {
    const named = heldFrom(
      domainRecordSet,
      { inputs: { type: "MX", target: "mx.example", name: "in" } },
      "12",
      { id: 8, name: "in", type: "MX", target: "mx.example" },
    );
    expect(
      drifted(domainRecordSet, named, { id: 8, name: "", type: "MX", target: "mx.example" }).inputs,
    ).toEqual({
      type: "MX",
      target: "mx.example",
    });
  });
});
