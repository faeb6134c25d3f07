import { checkInputs } from "../../src/provider/hooks/check-inputs";
import { type Properties, UNKNOWN } from "../../src/provider/state/values";
import { Domain, DomainRecord, Node } from "../../src/sdk";
import { descriptionOf } from "./describe";

interface Line {
  readonly property: string;
  readonly reason: string;
}
const line = ({ property, reason }: Line) => `${property} ${reason}`;

/** What a resource's rules say of inputs; warnings are marked so. */
function lines(
  resource: { readonly description: unknown },
  news: Properties,
  olds: Properties = {},
  isAdopted = false,
): string[] {
  const { failures, warnings } = checkInputs(descriptionOf(resource), olds, news, isAdopted);
  return [...failures.map(line), ...warnings.map((warning) => `warning: ${line(warning)}`)];
}

describe("user data", () => {
  const base = { region: "us-east", type: "g6-nanode-1", userData: "#cloud-config" };
  const noImage = ["userData needs an image with the capability cloud-init; set image, or remove it"];

  test.each<[string, Properties, string[]]>([
    ["nothing to deploy", {}, noImage],
    ["a backup", { backupId: "12" }, noImage],
    ["an image", { image: "node/debian12" }, []],
    ["an image that is not known yet", { image: UNKNOWN }, []],
    ["a clone", { cloneFrom: "12" }, []],
  ])("of a node with %s", (_, inputs, expected) => {
    expect(lines(Node, { ...base, ...inputs })).toEqual(expected);
  });

  test("is not asked for an image where the node exists or is adopted", () => {
    expect(lines(Node, base, { ...base, userData: "#other" })).toEqual([]);
    expect(lines(Node, base, {}, true)).toEqual([]);
  });

  test("is asked for an image in its other spelling too", () => {
    const { userData, ...rest } = base;
    const metadata = { userData: Buffer.from(userData).toString("base64") };
    expect(lines(Node, { ...rest, metadata })).toEqual(noImage.map((text) => `metadata.${text}`));
    expect(lines(Node, { ...rest, metadata: { userData: UNKNOWN } })).toHaveLength(1);
    expect(lines(Node, { ...rest, metadata: {} })).toEqual([]);
  });
});

test("what only a deployment uses is a warning where there is none, and none where there may be one", () => {
  const base = { region: "us-east", type: "g6-nanode-1" };
  const secrets = {
    rootPass: "correct horse",
    authorizedKeys: ["ssh-ed25519 AAAA"],
    authorizedUsers: ["ada"],
  };
  expect(lines(Node, { ...base, ...secrets })).toHaveLength(3);
  expect(lines(Node, { ...base, ...secrets, backupId: "12" })).toHaveLength(3);
  expect(lines(Node, { ...base, ...secrets, image: UNKNOWN })).toEqual([]);
  expect(lines(Node, { ...base, ...secrets, image: "node/debian12", swapSize: 0 })).toEqual([]);
  expect(lines(Node, { ...base, authorizedKeys: [], authorizedUsers: [] })).toEqual([]);
  expect(lines(Node, { ...base, ...secrets, stackscriptId: 1, stackscriptData: { a: 1 } })).toEqual([
    "warning: stackscriptId requires a compatible image; set image",
  ]);
  expect(lines(Node, { ...base, swapSize: 256, stackscriptData: { hush: 1 } })).toEqual([
    "warning: swapSize is ignored without an image; set image, or remove it",
    "warning: stackscriptData is the input of a StackScript; set stackscriptId, or remove it",
  ]);
});

describe("what a domain's type needs", () => {
  const master = { domain: "example.org", type: "master", soaEmail: "dns@example.org" };
  const slave = { domain: "example.org", type: "slave", masterIps: ["192.0.2.1"] };
  const { soaEmail, ...bareMaster } = master;
  const { masterIps, ...bareSlave } = slave;
  const noEmail = "soaEmail is required for a master domain; it is the address in the zone's SOA record";
  const noIps = "masterIps is required for a slave domain; it names the servers to copy the zone from";

  test.each<[string, Properties, Properties, string[]]>([
    ["a master with its address", master, {}, []],
    ["a master without", bareMaster, {}, [noEmail]],
    ["a master whose address is not known yet", { ...master, soaEmail: UNKNOWN }, {}, []],
    ["a slave with its masters", slave, {}, []],
    ["a slave without", bareSlave, {}, [noIps]],
    ["a slave with a list of none", { ...bareSlave, masterIps: [] }, {}, [noIps]],
    ["a domain of a type that is not known yet", { domain: "example.org", type: UNKNOWN }, {}, []],
    ["a clone", { ...bareMaster, cloneFrom: "12" }, {}, []],
    ["an imported zone", { ...bareMaster, importFrom: "ns1.example.net" }, {}, []],
    ["a master that never had it in the program", { ...bareMaster, ttlSec: 300 }, bareMaster, []],
    ["a master from which it was taken away", bareMaster, master, [noEmail]],
    ["a slave from which they were taken away", bareSlave, slave, [noIps]],
    ["a slave whose list was emptied", { ...slave, masterIps: [] }, bareSlave, [noIps]],
    ["a master that becomes a slave", bareSlave, master, [`warning: ${noIps}`]],
    ["a master that becomes a slave with masters", slave, master, []],
  ])("%s", (_, news, olds, expected) => {
    expect(lines(Domain, news, olds)).toEqual(expected);
  });

  test("is there where the domain is adopted", () => {
    expect(lines(Domain, bareMaster, {}, true)).toEqual([]);
    expect([soaEmail, masterIps]).toBeDefined();
  });
});

describe("the target of a record", () => {
  const base = { domainId: "12", type: "MX" };

  test("is required of a new one, and is not taken away", () => {
    expect(lines(DomainRecord, base)).toEqual(["target is required"]);
    expect(lines(DomainRecord, base, { ...base, target: "mx.example" })).toEqual(["target is required"]);
    expect(lines(DomainRecord, { ...base, ttlSec: 300 }, base)).toEqual([]);
    expect(lines(DomainRecord, base, {}, true)).toEqual([]);
  });

  test.each(["NS", "MX", "CNAME", "SRV", "PTR"])(
    "is doubtful where it is empty in a record of type %s",
    (type) => {
      const more = type === "SRV" ? { priority: 0, weight: 0, port: 0 } : {};
      const record = { ...base, ...more, type, target: "" };
      expect(lines(DomainRecord, record)).toEqual([
        `warning: target is empty; a record of type ${type} names a host, and the reference does not show what the service does without one`,
      ]);
      expect(lines(DomainRecord, { ...record, ttlSec: 300 }, record)).toEqual([]);
    },
  );

  test("may be empty where it is text", () => {
    expect(lines(DomainRecord, { ...base, type: "TXT", target: "" })).toEqual([]);
    expect(lines(DomainRecord, { ...base, type: "CAA", tag: "issue", target: "" })).toEqual([]);
  });
});
