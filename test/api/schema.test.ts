import { z } from "zod";
import { database, databaseUpdate } from "../../src/api/databases";
import { domain, domainCreate } from "../../src/api/domains";
import { domainRecord, domainRecordCreate } from "../../src/api/records";
import { asAnswer } from "../../src/api/schema";

/** The fields that any of the answers requires. */
const SMALLEST = {
  ...{ id: 1, type: "master", status: "active" },
  ...{ domain: "example.org", label: "app", engine: "mysql", version: "8.0.30", region: "us-east" },
};

describe("the fields of an answer that a body has too", () => {
  const beyond = {
    domain: {
      domain: `${"a".repeat(300)}.example`,
      type: "forwarded",
      status: "paused",
      description: "",
      group: "g".repeat(60),
      soa_email: "nobody",
      axfr_ips: Array.from({ length: 100 }, () => "198.51.100.7"),
    },
    database: { label: "l".repeat(33) },
    record: {
      type: "NAPTR",
      name: "",
      target: "t".repeat(70_000),
      priority: 256,
      weight: -1,
      port: 65_536,
      tag: "contactemail",
    },
  };

  test.each([
    ["a domain", domain, domainCreate, beyond.domain],
    ["a database", database, databaseUpdate, beyond.database],
    ["a record", domainRecord, domainRecordCreate, beyond.record],
  ])("have none of its limits: %s", (_, answer, body, fields) => {
    const refused = body.safeParse(fields).error?.issues.map(({ path }) => path[0]);
    expect([...new Set(refused)].sort()).toEqual(Object.keys(fields).sort());
    const whole = { ...SMALLEST, ...fields };
    expect(answer.parse(whole)).toEqual(whole);
  });

  test("have its types", () => {
    const wrong = { retry_sec: "300", tags: [1], soa_email: true };
    const refused = domain.safeParse({ ...SMALLEST, ...wrong }).error?.issues.map(({ path }) => path[0]);
    expect(refused?.sort()).toEqual(Object.keys(wrong).sort());
  });

  test("can be null or missing only if the body can omit them", () => {
    const answer = z.object(asAnswer({ one: z.string(), other: z.string().max(3).optional() }));
    expect(answer.parse({ one: "a", other: null })).toEqual({ one: "a", other: null });
    expect(answer.parse({ one: "a" })).toEqual({ one: "a" });
    expect(answer.safeParse({ one: null }).success).toBe(false);
    expect(answer.safeParse({}).success).toBe(false);
  });

  test("cannot follow from a schema whose limits are not known", () => {
    expect(() => asAnswer({ at: z.date() })).toThrow(
      new TypeError("the schema of an answer cannot be derived from that of a date"),
    );
  });
});
