import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Importing, importingForEachTest, stateOf } from "../../../helpers/from-terraform";

let own: Importing;
importingForEachTest((one) => (own = one));

test("references stay references: ids, addresses, host names and domains", async () => {
  await own.apply("08-databases");
  await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  const { "main.ts": databases = "" } = own.files();
  expect(databases).toContain("target: shop.hosts.primary");
  expect(databases).toContain('allowList: [app.ipv4.apply((all) => all[0]), "10.0.0.0/8"]');
  await own.apply("01-web-server");
  await own.run("--from-terraform", "own.tfstate", "--out", "web");
  const { "main.ts": main = "" } = own.files("web");
  for (const text of ["target: web.ipv4.apply((all) => all[0])", "target: main.domain", "domainId: main.id"])
    expect(main).toContain(text);
});

describe("a list or an object", () => {
  /** The attributes of a new node. */
  const node = async (label: string) => {
    const id = await own.node(label);
    const { body } = await own.emulator.call<{ ipv4: [string] }>("GET", `/node/instances/${id}`);
    return { attributes: { id, label }, address: body.ipv4[0] };
  };
  /** The attributes of a new database that these addresses may reach. */
  const database = async (allow_list: readonly string[]) => {
    const engine = { label: "shop", region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" };
    return { id: await own.create("/databases/mysql/instances", { ...engine, allow_list }), allow_list };
  };

  test("has references to what the resource depends on, and no dependsOn repeats them", async () => {
    const [web, app, zone] = [await node("web"), await node("app"), await own.domain("own.example")];
    const shop = await database([web.address, app.address, "203.0.113.7"]);
    const [vlan, other] = [{ purpose: "vlan", ipam_address: "" }, { purpose: "public" }];
    own.write(
      "own.tfstate",
      stateOf([
        ["linode_domain.own", { attributes: { id: zone } }],
        ["linode_instance.web", web],
        [
          "linode_instance.app",
          {
            attributes: { ...app.attributes, interface: [other, { ...vlan, label: "own.example" }] },
            dependencies: ["linode_domain.own"],
          },
        ],
        // It does not depend on the node app, so the address of that is a value.
        ["linode_database_mysql.shop", { attributes: shop, dependencies: ["linode_instance.web"] }],
      ]),
    );
    const { stdout } = await own.run("--from-terraform", "own.tfstate", "--out", "infra");
    const { "main.ts": main = "" } = own.files();
    const addresses = `"${app.address}", "203.0.113.7"`;
    expect(main).toContain(`allowList: [web.ipv4.apply((all) => all[0]), ${addresses}]`);
    expect(main).toContain('interfaces: [{ purpose: "public" }, { purpose: "vlan", label: own.domain }]');
    expect(main).not.toContain("dependsOn");
    expect(stdout).not.toContain("allowList");
  });

  test("of a module has arguments in place of references to what is outside", async () => {
    const [web, app] = [await node("web"), await node("app")];
    const shop = await database([web.address, app.address, "203.0.113.7"]);
    const module = "module.site";
    const dependencies = ["module.site.linode_instance.web", "linode_instance.app"];
    own.write(
      "own.tfstate",
      stateOf([
        ["linode_instance.app", app],
        ["linode_instance.web", { module, ...web }],
        ["linode_database_mysql.shop", { module, attributes: shop, dependencies }],
      ]),
    );
    await own.run("--from-terraform", "own.tfstate", "--out", "infra");
    const { "main.ts": main = "", "modules/site.ts": site = "" } = own.files();
    expect(site).toContain(
      'allowList: [this.web.ipv4.apply((all) => all[0]), args.shopAllowList, "203.0.113.7"]',
    );
    expect(site).toContain("shopAllowList: pulumi.Input<string>;");
    expect(main).toContain("shopAllowList: app.ipv4.apply((all) => all[0])");
  });
});

test("dependsOn has what neither a reference nor another dependency says", async () => {
  await own.apply("18-depends-on");
  await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  const after = own.declared().map(({ name, options }) => [name, options["dependsOn"]]);
  expect(Object.fromEntries(after)).toEqual({
    main: undefined,
    db: ["Domain main"],
    "app-0": ["Node db"],
    "app-1": ["Node db"],
    ready: ["Node app-0", "Node app-1"],
  });
});

test("a dependency within a module means the same instance of the module, and one on another module all of its instances", async () => {
  const resources = [];
  for (const key of ["a", "b"]) {
    const module = `module.site["${key}"]`;
    const [zone, web] = [await own.domain(`${key}.example`), await own.node(`web-${key}`)];
    resources.push(["linode_domain.zone", { module, attributes: { id: zone } }] as const);
    resources.push([
      "linode_instance.web",
      { module, attributes: { id: web }, dependencies: ["module.site.linode_domain.zone"] },
    ] as const);
  }
  const dependencies = ["module.site.linode_instance.web"];
  resources.push([
    "linode_instance.last",
    { attributes: { id: await own.node("last") }, dependencies },
  ] as const);
  own.write("own.tfstate", stateOf(resources));
  await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  const after = own.declared().map(({ name, options }) => [name, options["dependsOn"]]);
  expect(Object.fromEntries(after)).toMatchObject({
    "site-a-web": ["Domain site-a-zone"],
    "site-b-web": ["Domain site-b-zone"],
    last: ["Node site-a-web", "Node site-b-web"],
  });
});

test("a module is a class: one for all its instances, or one for each where a common one would lose references", async () => {
  await own.apply("05-module-for-each");
  const { stdout: common } = await own.run("--from-terraform", "own.tfstate", "--out", "sites");
  expect(common).not.toContain("classes");
  expect(readdirSync(join(own.folder, "sites/modules"))).toEqual(["site.ts"]);
  await own.apply("07-zones");
  await own.run("--from-terraform", "own.tfstate", "--out", "zones");
  expect(own.files("zones")["modules/zone.ts"]).toContain("of Object.entries(args.domainRecord)");
  await own.apply("20-environments");
  const { stdout } = await own.run("--from-terraform", "own.tfstate", "--out", "big");
  expect(stdout).toContain(
    'module.env["dev"], module.env["prod"]: 2 classes, because one for all would lose references between resources',
  );
  expect(readdirSync(join(own.folder, "big/modules"))).toEqual([
    "env-dev.ts",
    "env-dns.ts",
    "env-prod.ts",
    "env-web.ts",
  ]);
  const { "modules/env-prod.ts": prod } = own.files("big");
  expect(prod).toContain('target: this.web.web["web-0"].ipv4.apply((all) => all[0])');
});

test("the ids of resources with one class and name have the types of their modules", async () => {
  const [one, other] = [await own.node("one-web"), await own.node("two-web")];
  own.write(
    "own.tfstate",
    stateOf([
      ["linode_instance.a-web", { attributes: { id: one } }],
      ["linode_instance.web", { module: "module.a", attributes: { id: other } }],
    ]),
  );
  await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  expect(own.files()["adopt.ts"]).toContain(
    `{ "pulumi:pulumi:Stack$Node a-web": "${one}", "terraform:modules:A$Node a-web": "${other}" }`,
  );
  expect(
    own
      .declared()
      .map(({ imports }) => imports)
      .sort(),
  ).toEqual([one, other].sort());
});

test("of two resources that would have one name, the second has another one, which the command says", async () => {
  const [one, other] = [await own.node("one-web"), await own.node("two-web")];
  own.write(
    "own.tfstate",
    stateOf([
      ["linode_instance.web-0", { attributes: { id: one } }],
      ["linode_instance.web", { key: 0, attributes: { id: other } }],
    ]),
  );
  const { stdout } = await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  expect(stdout).toContain(
    "linode_instance.web[0]: its name in the program is web-0-2, because another Node is called web-0",
  );
  expect(own.declared().map(({ name, imports }) => [name, imports])).toEqual([
    ["web-0", one],
    ["web-0-2", other],
  ]);
});

test("modules that refer to each other get the values where the references would go in a circle", async () => {
  const [a, b] = [await own.domain("a.example"), await own.domain("b.example")];
  const record = (zone: string, target: string) =>
    own.create(`/domains/${zone}/records`, { type: "CNAME", name: "x", target });
  const [inA, inB] = [await record(a, "b.example"), await record(b, "a.example")];
  const of = (module: string, dependencies: string[] = []) => ({ module: `module.${module}`, dependencies });
  own.write(
    "own.tfstate",
    stateOf([
      ["linode_domain.zone", { ...of("a"), attributes: { id: a } }],
      ["linode_domain.zone", { ...of("b"), attributes: { id: b } }],
      [
        "linode_domain_record.x",
        {
          ...of("a", ["module.a.linode_domain.zone", "module.b.linode_domain.zone"]),
          attributes: { id: inA, domain_id: a },
        },
      ],
      [
        "linode_domain_record.x",
        {
          ...of("b", ["module.a.linode_domain.zone", "module.b.linode_domain.zone"]),
          attributes: { id: inB, domain_id: b },
        },
      ],
    ]),
  );
  const { stdout } = await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  expect(stdout).toContain(
    "1 reference would go in a circle between modules: the program has the value in its place",
  );
  const records = own
    .declared("infra", () => ({ domain: "a reference" }))
    .filter(({ type }) => type === "DomainRecord");
  expect(records.map(({ args }) => args["target"]).sort()).toEqual([
    "a reference",
    expect.stringMatching(/^[ab]\.example$/),
  ]);
});

test("a module passes on what is from outside, and refers itself to what it declares", async () => {
  const zone = await own.domain("outer.example");
  const [outer, inner, deep] = [await own.node("outer"), await own.node("inner"), await own.node("deep")];
  const { body } = await own.emulator.call<{ ipv4: string[] }>("GET", `/node/instances/${inner}`);
  const target = body.ipv4[0] ?? "";
  const dependencies = ["linode_domain.main", "module.p.linode_instance.n"];
  const records = [];
  for (const [module, key] of [
    ["x", "1"],
    ["x", "2"],
    ["y", "1"],
  ] as const) {
    const id = await own.create(`/domains/${zone}/records`, { type: "A", name: `${module}${key}`, target });
    const attributes = { id, domain_id: zone };
    records.push([
      "linode_domain_record.r",
      { module: `module.p.module.c["${module}"]`, key, attributes, dependencies },
    ] as const);
  }
  own.write(
    "own.tfstate",
    stateOf([
      ["linode_domain.main", { attributes: { id: zone } }],
      ["linode_instance.n", { attributes: { id: outer } }],
      ["linode_instance.n", { module: "module.p", attributes: { id: inner } }],
      [
        "linode_instance.deep",
        {
          module: "module.p.module.d",
          attributes: { id: deep },
          dependencies: ["linode_instance.n", "module.p.linode_instance.n"],
        },
      ],
      ...records,
    ]),
  );
  await own.run("--from-terraform", "own.tfstate", "--out", "infra");
  const { "modules/p.ts": p = "", "modules/pd.ts": d = "" } = own.files();
  expect(p.match(/target: this\.n\.ipv4\.apply\(\(all\) => all\[0\]\)/g)).toHaveLength(3);
  expect(p).toContain("domainId: args.mainId");
  expect(p).toContain("{ deepDependsOn: [this.n, ...args.dDeepDependsOn] }");
  expect(d).toContain("dependsOn: args.deepDependsOn");
  const declared = own.declared("infra", () => ({ ipv4: [target] }));
  expect(declared.find(({ name }) => name === "p-d-deep")?.options["dependsOn"]).toEqual([
    "Node p-n",
    "Node n",
  ]);
  expect(declared.filter(({ type }) => type === "DomainRecord").map(({ args }) => args)).toEqual(
    ["x1", "x2", "y1"].map((name) => ({
      name,
      type: "A",
      target,
      domainId: `Domain ${zone}`,
    })),
  );
});

test("keys and module names of any kind are in the names as they are", async () => {
  const keys = ['it\'s "quoted"', "${name} `x` \\ \n", "a::b", "日本 🎉", "*/ // /*", ""];
  const resources = [];
  for (const [index, key] of keys.entries()) {
    const [inRoot, inModule] = [await own.node(`root-${index}`), await own.node(`module-${index}`)];
    resources.push(["linode_instance.web", { key, attributes: { id: inRoot } }] as const);
    const module = `module.class-1[${JSON.stringify(key)}]`;
    resources.push(["linode_instance.default", { module, key, attributes: { id: inModule } }] as const);
  }
  own.write("own.tfstate", stateOf(resources));
  const { stdout } = await own.run(
    "--from-terraform",
    "own.tfstate",
    "--out",
    "infra",
    "--protect",
    "--plugin",
  );
  expect(stdout).not.toContain("Left out");
  const declared = own.declared();
  expect(declared.map(({ name }) => name).sort()).toEqual(
    keys.flatMap((key) => [`web-${key}`, `class-1-${key}-default-${key}`]).sort(),
  );
  for (const { options, imports } of declared) {
    expect(options).toEqual({ protect: true });
    expect(imports).toMatch(/^\d+$/);
  }
  for (const [file, text] of Object.entries(own.files()))
    if (/^(main|modules.*)\.ts$/.test(file)) expect(text).toContain('from "pulumi-nodecloud/plugin"');
});
