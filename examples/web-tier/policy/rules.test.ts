import * as assert from "node:assert";
import { describe, test } from "node:test";
import { type ResourceValidationArgs } from "@pulumi/policy";
import * as nodecloud from "pulumi-nodecloud";
import { rules } from "./rules";

interface Given {
  type: unknown;
  props?: object;
  stack?: string;
  protect?: boolean;
}

/** The rules that a resource breaks, each with its message. */
function violations({ type, props = {}, stack = "dev", protect = false }: Given): string[] {
  const notApplicable = new Error("not applicable");
  const args = {
    props,
    urn: `urn:pulumi:${stack}::web-tier::web-tier:index:WebTier$type::web`,
    opts: { protect },
    isType: (other: unknown) => other === type,
    notApplicable: () => {
      throw notApplicable;
    },
  } as unknown as ResourceValidationArgs;

  const found: string[] = [];
  for (const { name, validateResource = [] } of rules) {
    for (const validate of [validateResource].flat()) {
      try {
        void validate(args, (message) => found.push(`${name}: ${message}`));
      } catch (error) {
        if (error !== notApplicable) throw error;
      }
    }
  }
  return found;
}

for (const type of [nodecloud.MysqlDatabase, nodecloud.PostgresqlDatabase]) {
  describe(type.name, () => {
    test("may allow addresses and ranges, or nobody", () => {
      assert.deepEqual(
        violations({ type, props: { allowList: ["192.0.2.1", "198.51.100.0/24", "2001:db8::/32"] } }),
        [],
      );
      assert.deepEqual(violations({ type }), []);
    });

    test("must not allow everybody", () => {
      assert.deepEqual(violations({ type, props: { allowList: ["192.0.2.1", "0.0.0.0/0", "::/0"] } }), [
        "database-is-closed: allowList has 0.0.0.0/0, which allows everybody.",
        "database-is-closed: allowList has ::/0, which allows everybody.",
      ]);
    });
  });
}

describe("a node", () => {
  test("needs backups and protection in production", () => {
    assert.deepEqual(violations({ type: nodecloud.Node, stack: "prod" }), [
      "nodes-are-backed-up: backupsEnabled must be true in production.",
      "data-is-protected: Set the option protect.",
    ]);
    assert.deepEqual(
      violations({ type: nodecloud.Node, stack: "prod", props: { backupsEnabled: true }, protect: true }),
      [],
    );
  });

  test("needs neither in other stacks", () => {
    assert.deepEqual(violations({ type: nodecloud.Node, stack: "dev" }), []);
  });
});

test("databases and domains need protection in production, and records do not", () => {
  const unprotected = (type: unknown) => violations({ type, stack: "prod" });
  assert.deepEqual(unprotected(nodecloud.MysqlDatabase), ["data-is-protected: Set the option protect."]);
  assert.deepEqual(unprotected(nodecloud.PostgresqlDatabase), ["data-is-protected: Set the option protect."]);
  assert.deepEqual(unprotected(nodecloud.Domain), ["data-is-protected: Set the option protect."]);
  assert.deepEqual(unprotected(nodecloud.DomainRecord), []);
});

describe("a time to live", () => {
  test("of a record is not too short", () => {
    const type = nodecloud.DomainRecord;
    assert.deepEqual(violations({ type, props: { name: "www", ttlSec: 30 } }), [
      "records-are-cached: www has a ttlSec of 30.",
    ]);
    assert.deepEqual(violations({ type, props: { name: "www", ttlSec: 300 } }), []);
    assert.deepEqual(violations({ type, props: {} }), []);
  });

  test("of a record in a set is not too short", () => {
    const records = "@ 300 A 192.0.2.1\ndb 60 CNAME a.example\nnote TXT 30 days\nwww CNAME web-tier.example";
    assert.deepEqual(violations({ type: nodecloud.DomainRecordSet, props: { records } }), [
      "records-are-cached: db has a ttlSec of 60.",
    ]);
  });
});
