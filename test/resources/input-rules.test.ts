import { checkInputs } from "../../src/provider/inputs/check-inputs";
import { type Properties, UNKNOWN } from "../../src/provider/base/values";
import { Domain, DomainRecord, Image, Node } from "../../src/sdk";
import { descriptionOf } from "./describe";

interface Line {
  readonly property: string;
  readonly reason: string;
}
const line = ({ property, reason }: Line) => `${property} ${reason}`;

/** The failures and warnings of a resource's rules; warnings have a prefix. */
function lines(
  resource: { readonly description: unknown },
  news: Properties,
  olds: Properties = {},
  isAdopted = false,
): string[] {
  const { failures, warnings } = checkInputs(descriptionOf(resource), olds, { inputs: news }, { isAdopted });
  return [...failures.map(line), ...warnings.map((warning) => `warning: ${line(warning)}`)];
}

test.each<[string, string[]]>([
  ["disk.img", []],
  ["C:\\images\\disk.img", []],
  [
    "https://example.org/disk.img?key=planted",
    [
      "source is a URL; the API does not fetch images from a URL. Download the file, and set source to its path",
    ],
  ],
  ["file:///images/disk.img", ["source is a URL; set it to the path alone, without file://"]],
])("the source of an image is a path: %s", (source, expected) => {
  expect(lines(Image, { region: "us-east", source })).toEqual(expected);
});

describe("the image that user data requires", () => {
  const base = { region: "us-east", type: "g6-nanode-1", userData: "#cloud-config" };
  const noImage = ["userData needs an image with the capability cloud-init; set image, or remove it"];

  test.each<[string, Properties, string[]]>([
    ["nothing to deploy", {}, noImage],
    ["a backup", { backupId: "12" }, noImage],
    ["an image", { image: "node/debian12" }, []],
    ["an unknown image", { image: UNKNOWN }, []],
    ["a clone", { cloneFrom: "12" }, []],
  ])("for a node with %s", (_, inputs, expected) => {
    expect(lines(Node, { ...base, ...inputs })).toEqual(expected);
  });

  test("is not required of an existing or imported node", () => {
    expect(lines(Node, base, { ...base, userData: "#other" })).toEqual([]);
    expect(lines(Node, base, {}, true)).toEqual([]);
  });

  test("is also required by metadata.userData", () => {
    const { userData, ...rest } = base;
    const metadata = { userData: Buffer.from(userData).toString("base64") };
    expect(lines(Node, { ...rest, metadata })).toEqual(noImage.map((text) => `metadata.${text}`));
    expect(lines(Node, { ...rest, metadata: { userData: UNKNOWN } })).toHaveLength(1);
    expect(lines(Node, { ...rest, metadata: {} })).toEqual([]);
  });
});

test("inputs that only a deployment uses cause a warning if nothing is deployed, and none if something may be", () => {
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

describe("the required inputs of a domain's type:", () => {
  const master = { domain: "example.org", type: "master", soaEmail: "dns@example.org" };
  const slave = { domain: "example.org", type: "slave", masterIps: ["192.0.2.1"] };
  const { soaEmail, ...bareMaster } = master;
  const { masterIps, ...bareSlave } = slave;
  const noEmail = "soaEmail is required for a master domain; it is the address in the zone's SOA record";
  const noIps = "masterIps is required for a slave domain; it names the servers to copy the zone from";

  test.each<[string, Properties, Properties, string[]]>([
    ["a master with its e-mail address", master, {}, []],
    ["a master without its e-mail address", bareMaster, {}, [noEmail]],
    ["a master with an unknown e-mail address", { ...master, soaEmail: UNKNOWN }, {}, []],
    ["a slave with its masters", slave, {}, []],
    ["a slave without masters", bareSlave, {}, [noIps]],
    ["a slave with an empty list", { ...bareSlave, masterIps: [] }, {}, [noIps]],
    ["a domain of an unknown type", { domain: "example.org", type: UNKNOWN }, {}, []],
    ["a clone", { ...bareMaster, cloneFrom: "12" }, {}, []],
    ["an imported zone", { ...bareMaster, importFrom: "ns1.example.net" }, {}, []],
    ["a master that never had the address in the program", { ...bareMaster, ttlSec: 300 }, bareMaster, []],
    ["a master whose address is removed", bareMaster, master, [noEmail]],
    ["a slave whose masters are removed", bareSlave, slave, [noIps]],
    ["a slave whose list becomes empty", { ...slave, masterIps: [] }, bareSlave, [noIps]],
    ["a master that becomes a slave", bareSlave, master, [`warning: ${noIps}`]],
    ["a master that becomes a slave with masters", slave, master, []],
  ])("%s", (_, news, olds, expected) => {
    expect(lines(Domain, news, olds)).toEqual(expected);
  });

  test("are not checked for an imported domain", () => {
    expect(lines(Domain, bareMaster, {}, true)).toEqual([]);
    expect([soaEmail, masterIps]).toBeDefined();
  });
});

describe("the target of a record", () => {
  const base = { domainId: "12", type: "MX" };

  test("is required at creation, and cannot be removed", () => {
    expect(lines(DomainRecord, base)).toEqual(["target is required"]);
    expect(lines(DomainRecord, base, { ...base, target: "mx.example" })).toEqual(["target is required"]);
    expect(lines(DomainRecord, { ...base, ttlSec: 300 }, base)).toEqual([]);
    expect(lines(DomainRecord, base, {}, true)).toEqual([]);
  });

  test.each(["NS", "MX", "CNAME", "SRV", "PTR"])(
    "causes a warning if it is empty in a record of type %s",
    (type) => {
      const more = type === "SRV" ? { priority: 0, weight: 0, port: 0 } : {};
      const record = { ...base, ...more, type, target: "" };
      expect(lines(DomainRecord, record)).toEqual([
        `warning: target is empty; a record of type ${type} names a host, and the reference does not show what the service does without one`,
      ]);
      expect(lines(DomainRecord, { ...record, ttlSec: 300 }, record)).toEqual([]);
    },
  );

  test("can be empty if it is text", () => {
    expect(lines(DomainRecord, { ...base, type: "TXT", target: "" })).toEqual([]);
    expect(lines(DomainRecord, { ...base, type: "CAA", tag: "issue", target: "" })).toEqual([]);
  });
});
