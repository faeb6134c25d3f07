import { readConfiguration, SETTINGS } from "../../../src/provider/settings/config";
import { ProviderError } from "../../../src/provider/base/errors";

const configured =
  (settings: Readonly<Record<string, string>>) =>
  (key: string): string | undefined =>
    settings[key];
const nothing = configured({});

const both = { "nodecloud:token": "from-config", "nodecloud:baseUrl": "https://config.example/v4" };
const environment = { NODECLOUD_TOKEN: "from-env", NODECLOUD_BASE_URL: "https://env.example/v4" };

test("the stack configuration overrides the environment", () => {
  expect(readConfiguration(configured(both), environment)).toEqual({
    token: "from-config",
    baseUrl: "https://config.example/v4",
    validate: true,
    resume: false,
    sameAccount: false,
    ownerTags: false,
    readOnly: false,
    deny: [],
    allow: [],
  });
});

test("the environment supplies each setting that the configuration omits", () => {
  const onlyToken = configured({ "nodecloud:token": "from-config" });
  expect(readConfiguration(onlyToken, environment)).toEqual({
    token: "from-config",
    baseUrl: "https://env.example/v4",
    validate: true,
    resume: false,
    sameAccount: false,
    ownerTags: false,
    readOnly: false,
    deny: [],
    allow: [],
  });
  expect(readConfiguration(nothing, environment).token).toBe("from-env");
});

test("white space around a setting is ignored, such as after pasting", () => {
  expect(readConfiguration(nothing, { ...environment, NODECLOUD_TOKEN: " pasted\n" }).token).toBe("pasted");
});

test.each(["token", "baseUrl"] as const)("the error of a missing %s gives each way to set it", (name) => {
  const { key, variable } = SETTINGS[name];
  const rest = Object.fromEntries(Object.entries(environment).filter(([other]) => other !== variable));
  for (const silent of [rest, { ...rest, [variable]: "" }, { ...rest, [variable]: " " }]) {
    const read = () => readConfiguration(nothing, silent);
    expect(read).toThrow(ProviderError);
    expect(read).toThrow(
      new RegExp(`^${key} is not set: .*pulumi config set.*${variable}.*explicit provider`),
    );
  }
});

test.each([
  ["the configuration", configured({ ...both, "nodecloud:validate": "false" }), {}],
  ["the environment", nothing, { ...environment, NODECLOUD_VALIDATE: "false" }],
] as const)("validation can be turned off in %s", (_, settings, variables) => {
  expect(readConfiguration(settings, variables).validate).toBe(false);
});

test.each([
  [{}, {}, false],
  [{ "nodecloud:readOnly": "true" }, { NODECLOUD_READ_ONLY: "false" }, true],
  [{ "nodecloud:readOnly": "false" }, { NODECLOUD_READ_ONLY: " true " }, true],
  [{ "nodecloud:readOnly": "false" }, { NODECLOUD_READ_ONLY: "" }, false],
])("readOnly holds if the configuration or the environment sets it: %j %j", (own, variables, holds) => {
  const read = readConfiguration(configured({ ...both, ...own }), { ...environment, ...variables });
  expect(read.readOnly).toBe(holds);
});

test.each([
  [{ "nodecloud:readOnly": "yes" }, {}, 'nodecloud:readOnly: must be true or false, not "yes"'],
  [
    { "nodecloud:readOnly": "true" },
    { NODECLOUD_READ_ONLY: "1" },
    'NODECLOUD_READ_ONLY: must be true or false, not "1"',
  ],
])("a readOnly other than true or false is refused: %j %j", (own, variables, message) => {
  const read = () => readConfiguration(configured({ ...both, ...own }), { ...environment, ...variables });
  expect(read).toThrow(message);
});

test("a validation setting other than true or false is refused", () => {
  const odd = configured({ ...both, "nodecloud:validate": "no" });
  expect(() => readConfiguration(odd, {})).toThrow('nodecloud:validate: must be true or false, not "no"');
});

test.each(["1", "16", "256"])("a limit of %s concurrent requests is accepted", (most) => {
  expect(
    readConfiguration(configured({ ...both, "nodecloud:maxConcurrency": most }), {}).maxConcurrency,
  ).toBe(Number(most));
  expect(readConfiguration(nothing, { ...environment, NODECLOUD_MAX_CONCURRENCY: most }).maxConcurrency).toBe(
    Number(most),
  );
});

test.each(["0", "257", "-1", "1.5", "many", "1e2"])(
  "a limit of %s concurrent requests is refused",
  (most) => {
    expect(() => readConfiguration(configured({ ...both, "nodecloud:maxConcurrency": most }), {})).toThrow(
      `nodecloud:maxConcurrency: must be a whole number from 1 to 256, not "${most}"`,
    );
  },
);

test.each([
  ["token", "two words", "contains a space or a line break"],
  [
    "baseUrl",
    "https://api.example.com",
    "must end in /v4, the version of the API: write https://api.example.com/v4, not",
  ],
  ["validate", "no", 'must be true or false, not "no"'],
  ["maxConcurrency", "0", 'must be a whole number from 1 to 256, not "0"'],
] as const)("the error of a wrong %s names where it comes from", (name, value, problem) => {
  const { key, variable } = SETTINGS[name];
  expect(() => readConfiguration(configured({ ...both, [key]: value }), environment)).toThrow(
    `${key}: ${problem}`,
  );
  expect(() => readConfiguration(nothing, { ...environment, [variable]: value })).toThrow(
    `${variable}: ${problem}`,
  );
});

test("the suggested command sets the token as a secret", () => {
  expect(() => readConfiguration(nothing, {})).toThrow("pulumi config set --secret nodecloud:token");
});

test("no message contains the token", () => {
  expect(() => readConfiguration(configured({ "nodecloud:token": "s3cret" }), {})).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining("s3cret") as string }) as Error,
  );
});

describe("what is denied and allowed", () => {
  const policy = (deny: string, variables: Readonly<Record<string, string>> = {}) =>
    readConfiguration(configured({ ...both, "nodecloud:deny": deny }), { ...environment, ...variables }, [
      "Node",
      "Domain",
    ]);

  test("is a text with commas or a list, and the settings of stack and environment count together", () => {
    for (const deny of ["deletion, data-loss:Node", '["deletion","data-loss:Node"]']) {
      const { deny: rules, allow } = policy(deny, {
        NODECLOUD_DENY: "replacement",
        NODECLOUD_ALLOW: "deletion:Node:web,data-loss:db,deletion:Domain:a:b,data-loss:my:index:Site:site",
      });
      expect(rules).toEqual([
        { kind: "deletion", source: "nodecloud:deny" },
        { kind: "data-loss", type: "Node", source: "nodecloud:deny" },
        { kind: "replacement", source: "NODECLOUD_DENY" },
      ]);
      expect(allow).toEqual([
        { kind: "deletion", type: "Node", name: "web", source: "NODECLOUD_ALLOW" },
        { kind: "data-loss", name: "db", source: "NODECLOUD_ALLOW" },
        { kind: "deletion", type: "Domain", name: "a:b", source: "NODECLOUD_ALLOW" },
        { kind: "data-loss", type: "my:index:Site", name: "site", source: "NODECLOUD_ALLOW" },
      ]);
    }
  });

  test.each([
    ["deletions", 'nodecloud:deny: "deletions" is no class of changes; did you mean deletion?'],
    ["deletion:Nod", 'nodecloud:deny: there is no type "Nod"; did you mean Node?'],
    [
      "deletion:my:index:Site",
      'nodecloud:deny: there is no type "my:index:Site"; the types of this provider are',
    ],
    [
      "deletion:nodecloud:index:Nod",
      'nodecloud:deny: there is no type "nodecloud:index:Nod"; did you mean Node?',
    ],
    ["deletion:Node:web", 'nodecloud:deny: a rule is for all resources of a type: write Node without "web"'],
    ['["deletion"', 'nodecloud:deny must be a list of texts, not ["deletion"'],
    ["[1]", "nodecloud:deny must be a list of texts, not [1]"],
  ])("%j is an error, because it would deny nothing", (deny, message) => {
    expect(() => policy(deny)).toThrow(message);
  });

  test.each(["nodecloud:index:", "pulumi-nodejs:dynamic/nodecloud:"])(
    "a type token stands for its class: %s",
    (prefix) => {
      const { deny, allow } = policy(`deletion:${prefix}Node`, {
        NODECLOUD_ALLOW: `deletion:${prefix}Node:web`,
      });
      expect(deny).toMatchObject([{ kind: "deletion", type: "Node" }]);
      expect(allow).toMatchObject([{ kind: "deletion", type: "Node", name: "web" }]);
    },
  );

  test("an allowance of all types is an error", () => {
    expect(() => policy("deletion", { NODECLOUD_ALLOW: "deletion:*" })).toThrow(
      'NODECLOUD_ALLOW: "deletion:*" names no type: write data-loss:MysqlDatabase:* for all resources of one',
    );
  });

  test("an allowance without a resource is an error", () => {
    expect(() => policy("deletion", { NODECLOUD_ALLOW: "deletion" })).toThrow(
      'NODECLOUD_ALLOW: "deletion" names no resource: write data-loss:MysqlDatabase:db',
    );
  });
});
