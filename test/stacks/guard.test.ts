import { type TestStack } from "../helpers/stack";
import { stackForAllTests } from "../helpers/with-stack";

let stack: TestStack;
stackForAllTests((own) => {
  ({ stack } = own);
});

const program = (type: string, image: string) => `
  const own = new nodecloud.Provider("own", { allow: ["deletion:Domain:zone"] });
  new nodecloud.Node("web", { region: "us-east", image: "${image}", type: "${type}" });
  const zone = new nodecloud.Domain("zone", { domain: "a.example", type: "master", soaEmail: "a@a.example" }, { provider: own });
  new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" }, { provider: own });
`;
const SMALL = ["g6-nanode-1", "node/alpine3.20"] as const;
const set = (key: string, value: string) =>
  stack.pulumi("config", "set", "--path", `nodecloud:${key}`, value);

test("an update is refused by the stack's configuration, and its preview says so", async () => {
  stack.program(program(...SMALL));
  expect(await stack.up()).toMatchObject({ code: 0 });
  await set("deny[0]", "interruption:Node");
  stack.program(program("g6-standard-1", SMALL[1]));
  const denied = "nodecloud:deny denies interruption: the node is not available during the resize";
  const { code, printed } = await stack.pulumi("preview");
  expect({ code, printed }).toMatchObject({ code: 0 });
  expect(printed).toContain(`\`pulumi up\` refuses this: ${denied}`);
  const refused = await stack.pulumi("up", "--yes", "--skip-preview");
  expect(refused.code).not.toBe(0);
  expect(refused.printed).toContain(`${denied}. To allow this change of the Node`);
  expect((await stack.state())["web"]?.inputs).toMatchObject({ type: SMALL[0] });
});

test("a destroy is refused if a key of the configuration is misspelt, as it may be the policy", async () => {
  await stack.pulumi("config", "rm", "nodecloud:deny");
  await set("denyy", "deletion");
  const { code, printed } = await stack.pulumi("destroy", "--yes", "--skip-preview");
  expect(code).not.toBe(0);
  expect(printed).toContain("nodecloud:denyy is not a setting of the provider; did you mean deny?");
  expect(Object.keys(await stack.state()).sort()).toEqual(["web", "www", "zone"]);
  await stack.pulumi("config", "rm", "nodecloud:denyy");
  await set("deny[0]", "interruption:Node");
});

test("a destroy heeds what the configuration denies and allows since then, also as a secret, and through an explicit provider", async () => {
  await stack.pulumi("config", "set", "--secret", "--path", "nodecloud:deny[1]", "deletion");
  const refused = await stack.pulumi("destroy", "--yes", "--skip-preview");
  expect(refused.code).not.toBe(0);
  // The engine hides the text of a secret wherever it is printed.
  expect(refused.printed).toContain("nodecloud:deny denies [secret]: it is deleted");
  expect(Object.keys(await stack.state()).sort()).toEqual(["web", "www", "zone"]);
  await set("allow[0]", "deletion:DomainRecord:*");
  await set("allow[1]", "deletion:web");
  stack.program(program(...SMALL));
  expect(await stack.pulumi("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  // The last run had this allowance, and it is withdrawn.
  await stack.pulumi("config", "rm", "--path", "nodecloud:allow[1]");
  const withdrawn = await stack.pulumi("destroy", "--yes", "--skip-preview", "--target", "**::web");
  expect(withdrawn.code).not.toBe(0);
  expect(withdrawn.printed).toContain("nodecloud:deny denies [secret]: it is deleted");
  stack.env["NODECLOUD_ALLOW"] = "deletion:web";
  expect(await stack.pulumi("destroy", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
});
