import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { descriptionOf } from "../../../../src/cli/descriptions";
import { COUNTERPARTS } from "../../../../src/cli/import/from/table";
import { leavesOf } from "../../../../src/provider/describe/fields";
import { READER } from "../../../helpers/emulator";
import { type Importing, importingForEachTest, stateOf } from "../../../helpers/from-terraform";

let own: Importing;
importingForEachTest((one) => (own = one));

test.each([
  ["a.json", "not JSON", /^error: a\.json is not the JSON of a Terraform state: run `terraform show -json/],
  [
    "a.json",
    { version: 3, modules: [] },
    /^error: a\.json has version 3 of the format, and only version 4 is known: run /,
  ],
  ["a.json", { resources: [] }, /^error: a\.json has no version of the format/],
  [
    "a.json",
    { serial: 1, encrypted_data: "c2VjcmV0", encryption_version: "v0" },
    /^error: a\.json is an encrypted state: run .*decrypts it \[NC2011\]$/,
  ],
  ["a.json", { format_version: "1.2", planned_values: {} }, /^error: a\.json is a plan and not a state: /],
  [
    "a.json",
    { format_version: "2.0", values: {} },
    /^error: a\.json has the format 2\.0 of show -json, and only 0 and 1 are known \[NC2011\]$/,
  ],
  ["missing.json", undefined, /^error: --from-terraform: missing\.json does not exist \[NC2011\]$/],
  ["empty", undefined, /^error: empty has no terraform\.tfstate: run /],
  [
    "remote",
    undefined,
    /^error: the state of remote is in the backend s3: run `terraform show -json > state\.json`/,
  ],
])(
  "the state %s with %j is an error in one line, and nothing is written",
  async (place, content, message) => {
    if (content !== undefined) own.write(place, content);
    own.write("empty/main.tf", "");
    own.write("remote/.terraform/terraform.tfstate", {
      version: 3,
      backend: { type: "s3", config: { bucket: "b" } },
    });
    const { code, stdout, stderr } = await own.run("--from-terraform", place, "--out", "infra");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trimEnd()).toMatch(message);
    expect(existsSync(join(own.folder, "infra"))).toBe(false);
  },
);

test.each([
  ["the folder", "terraform.tfstate", {}],
  ["a workspace", "terraform.tfstate.d/dev/terraform.tfstate", { ".terraform/environment": "dev" }],
  [
    "the path of a local backend",
    "states/one.tfstate",
    {
      ".terraform/terraform.tfstate": { backend: { type: "local", config: { path: "states/one.tfstate" } } },
    },
  ],
])("the folder of a configuration has its state in %s", async (_, file, others) => {
  const id = await own.domain("here.example");
  for (const [other, content] of Object.entries(others)) own.write(`tf/${other}`, content);
  own.write(`tf/${file}`, stateOf([["linode_domain.here", { attributes: { id, domain: "here.example" } }]]));
  expect(await own.run("--from-terraform", "tf", "--out", "infra")).toMatchObject({ code: 0, stderr: "" });
  expect(own.declared()).toMatchObject([{ name: "here", imports: id }]);
});

test("each input of the table is one of the class, and each attribute has one row", () => {
  const bridged = Object.values(COUNTERPARTS).map((row) => row.bridged);
  expect(new Set(bridged).size).toBe(bridged.length);
  // The bridge names its types after those of Terraform.
  const named = Object.keys(COUNTERPARTS).map((type) => {
    const name = type
      .slice("linode".length)
      .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return `linode:index/${name.charAt(0).toLowerCase()}${name.slice(1)}:${name}`;
  });
  expect(bridged).toEqual(named);
  for (const [type, row] of Object.entries(COUNTERPARTS)) {
    const description = descriptionOf(row.type);
    const paths = description === undefined ? [] : leavesOf(description.fields).map(({ path }) => path);
    expect({ type, paths }).toMatchObject({
      paths: expect.arrayContaining(Object.values(row.inputs).map(({ input }) => input)) as unknown,
    });
    const attributes = [...Object.keys(row.inputs), ...row.computed, ...Object.keys(row.without)];
    expect({ type, attributes: [...new Set(attributes)] }).toEqual({ type, attributes });
  }
});

test("what the API does not show comes from the state, and secrets from the configuration", async () => {
  await own.apply("11-stackscript");
  const { stdout } = await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  const files = own.files();
  const text = Object.values(files).join("");
  expect(own.declared()[0]?.args).toMatchObject({
    authorizedUsers: ["ops"],
    ...{ swapSize: 1024, stackscriptId: 612004, watchdogEnabled: false },
  });
  expect(files["main.ts"]).toContain('rootPass: config.getSecret("wordpressRootPass")');
  expect(files["main.ts"]).toContain(
    'config.getSecretObject<Record<string, unknown>>("wordpressStackscriptData")',
  );
  expect(stdout).toContain("wordpressRootPass (rootPass of linode_instance.wordpress)");
  const [state] = (
    JSON.parse(readFileSync(join(own.folder, "own.tfstate"), "utf8")) as {
      resources: { type: string; instances: { attributes: { root_pass: string } }[] }[];
    }
  ).resources.filter(({ type }) => type === "linode_instance");
  for (const secret of ["correct horse", state?.instances[0]?.attributes.root_pass ?? "none"])
    expect(text + stdout).not.toContain(secret);
});

test("the command names all secrets, however many there are", async () => {
  const names = ["one", "two", "three", "four", "five", "six", "seven"];
  const resources = [];
  for (const name of names) {
    const attributes = { id: await own.node(name), label: name, root_pass: "hash" };
    resources.push([`linode_instance.${name}`, { attributes }] as const);
  }
  own.write("own.tfstate", stateOf(resources));
  const { stdout } = await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  for (const name of names) expect(stdout).toContain(`${name}RootPass (rootPass of linode_instance.${name})`);
});

test("interfaces come from the state, unless one has a purpose that the API does not show", async () => {
  await own.apply("12-dynamic-blocks");
  await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  const [vlan, vpc] = own.declared();
  expect(vlan?.args["interfaces"]).toEqual([
    { purpose: "public" },
    { purpose: "vlan", label: "backend", ipamAddress: "10.0.0.1/24" },
  ]);
  expect(vpc?.args).not.toHaveProperty("interfaces");
});

test("a sensitive value that the account shows is read from the configuration, and a required one must be set", async () => {
  const id = await own.domain("quiet.example");
  const attributes = {
    id,
    domain: "quiet.example",
    type: "master",
    soa_email: "dns@example.org",
    description: "",
  };
  const sensitive_attributes = [
    [{ type: "get_attr", value: "domain" }],
    [{ type: "get_attr", value: "soa_email" }],
    [{ type: "get_attr", value: "axfr_ips" }],
  ];
  own.write("own.tfstate", stateOf([["linode_domain.zone", { attributes, ...{ sensitive_attributes } }]]));
  const { stdout } = await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  const { "main.ts": main = "" } = own.files();
  expect(main).toContain('domain: config.requireSecret("zoneDomain")');
  expect(main).toContain('soaEmail: config.requireSecret("zoneSoaEmail")');
  expect(main).toContain('axfrIps: config.getSecretObject<string[]>("zoneAxfrIps")');
  expect(main).not.toContain("quiet.example");
  const needed = "pulumi config set --secret zoneDomain: the program needs the domain of linode_domain.zone";
  expect(stdout).toContain(needed);
  expect(stdout).toContain(
    "the program leaves alone what is sensitive in the state, until you set it with pulumi config set --secret: zoneAxfrIps (axfrIps of linode_domain.zone, as JSON)",
  );
  expect(stdout).not.toContain("no answer shows");
});

test("a mark of show -json on a part of a value makes a secret of all of it, and outputs are listed", async () => {
  const values = { id: await own.node("web"), label: "web", authorized_keys: ["ssh-ed25519 AAAA ada"] };
  const web = { mode: "managed", type: "linode_instance", name: "web", values };
  const sensitive_values = { authorized_keys: [true], metadata: [{}] };
  const outputs = {
    "web-ip": { value: "192.0.2.1" },
    keys: { value: ["ssh-ed25519 AAAA ada"], sensitive: true },
  };
  const state = { outputs, root_module: { resources: [{ ...web, sensitive_values }] } };
  own.write("state.json", { format_version: "1.0", values: state });
  const { stdout } = await own.run("--from-terraform", "state.json", "--out", "infra");
  const { "main.ts": main = "" } = own.files();
  expect(main).toContain('authorizedKeys: config.getSecretObject<string[]>("webAuthorizedKeys")');
  expect(main + stdout).not.toContain("AAAA");
  expect(stdout).toContain(
    "2 outputs (web-ip, keys): the state has only values. Write outputs in index.ts: export const web_ip = …",
  );
});

test("what a stack manages, and what --match and --only leave out, is listed with the reason; other objects are counted", async () => {
  await own.apply("02-count");
  await own.domain("other.example");
  const { stdout } = await own.run(
    "--from-terraform",
    "own.tfstate",
    "--only",
    "Domain,Node",
    "--match",
    "count*",
    "--out",
    "infra",
  );
  expect(stdout).toContain("linode_domain_record.web[0]");
  expect(stdout).toContain(": --only leaves it out");
  expect(
    own
      .declared()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["main", "web-0", "web-1", "web-2"]);
  const all = await own.run("--from-terraform", "own.tfstate", "--out", "all");
  expect(all.stdout).toContain("the Terraform state does not have 1 Domain of the account");
});

test("a kind that the token may not read is a gap: its resources are listed, and the exit code is 1", async () => {
  await own.apply("01-web-server");
  const { code, stdout } = await own.runWith(READER, "--from-terraform", "own.tfstate", "--out", "infra");
  expect(code).toBe(1);
  expect(stdout).toContain("linode_instance.web: the account could not be read for such objects");
  const { "main.ts": main = "" } = own.files();
  expect(main).not.toContain("nodecloud.Node");
  expect(main).toMatch(/"root",\n? *\{ domainId: main\.id, type: "A", target: "[\d.]+" \}/);
});

test("a state without a counterpart writes nothing", async () => {
  own.write("own.tfstate", stateOf([["linode_volume.data", { attributes: { id: "1" } }]]));
  const { code, stdout } = await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  expect(code).toBe(0);
  expect(stdout).toContain("Nothing was written: there is nothing to adopt.");
  expect(stdout).toContain("linode_volume.data: the API reference does not show such objects");
});
