import { type TestEmulator, deployedNode, startTestEmulator } from "../helpers/emulator";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator();
});
afterAll(() => emulator.stop());

type Body = Readonly<Record<string, unknown>>;

const text = (length: number) => "x".repeat(length);
let serial = 0;

const post = (path: string, body: Body) => emulator.call("POST", path, { body });
async function created(path: string, body: Body) {
  const { status, body: object } = await post(path, body);
  expect(status).toBe(200);
  return `${path}/${String(object["id"])}`;
}

const node = (body: Body = {}) => created("/node/instances", { ...deployedNode, ...body });

async function runningNode() {
  const path = await node();
  emulator.clock.advance(20 * 60);
  return path;
}

const databaseOf = (kind: string, body: Body = {}) => ({
  ...{ label: `d${++serial}x`, region: "us-east", type: "any" },
  ...{ engine: kind === "mysql" ? "mysql/8.0.30" : "postgresql/14.6", ...body },
});

async function activeDatabase() {
  const path = await created("/databases/mysql/instances", databaseOf("mysql"));
  emulator.clock.advance(25 * 60);
  return path;
}

const domainOf = (body: Body = {}) => ({
  ...{ domain: `d${++serial}.example`, type: "master", soa_email: "dns@example.org", ...body },
});
const domain = () => created("/domains", domainOf());
const srv = { type: "SRV", priority: 1, weight: 1, port: 1 };

async function uploaded() {
  const { body } = await post("/images/upload", { label: "mine", region: "us-east" });
  return `/images/${String((body["image"] as { id: string }).id)}`;
}

/** A unique label of this length, which no object has. */
const unique = (length: number) => String(++serial).padStart(length, "u").slice(-length);

/** A domain name of this length, from labels of up to 63 characters. */
function domainName(length: number): string {
  const whole = Math.floor((length - 1) / 64);
  const labels = Array.from({ length: whole }, () => unique(63));
  return [...labels, unique(length - whole * 64)].join(".");
}

/** Addresses with a total length of 1000. */
const thousand = [
  ...Array.from({ length: 25 }, (_, index) => `2001:0db8:0000:0000:0000:0000:0000:00${index + 10}`),
  ...["192.168.100.100", "192.0.2.11"],
];

/** The statement, the field, how to send a value, the accepted values, and the refused values. */
const LIMITS: readonly (readonly [
  string,
  string,
  (value: never) => Promise<{ status: number; body: object }>,
  readonly unknown[],
  readonly unknown[],
])[] = [
  ...(
    [
      ["create", (label: string) => post("/node/instances", { ...deployedNode, label })],
      ["update", async (label: string) => emulator.call("PUT", await node(), { body: { label } })],
      ["clone", async (label: string) => post(`${await runningNode()}/clone`, { label })],
    ] as const
  ).map(
    ([operation, send]) =>
      [
        `a node's label has 3 to 64 characters (${operation})`,
        "label",
        send,
        [text(3), text(64)],
        ["", "xx", text(65)],
      ] as const,
  ),
  [
    "root_pass has 7 to 128 characters",
    "root_pass",
    (root_pass: string) => post("/node/instances", { ...deployedNode, root_pass }),
    [text(7), text(128)],
    [text(6), text(129)],
  ],
  [
    "stackscript_data has at most 65535 characters",
    "stackscript_data",
    (length: number) =>
      post("/node/instances", { ...deployedNode, stackscript_id: 1, stackscript_data: { k: text(length) } }),
    // {"k":""} has 8 characters.
    [65_535 - 8],
    [65_536 - 8],
  ],
  [
    "interfaces has 1 to 3 items, and an empty one is for the default public interface",
    "interfaces",
    (count: number) =>
      post("/node/instances", { ...deployedNode, interfaces: Array(count).fill({ purpose: "public" }) }),
    [0, 1, 3],
    [4],
  ],
  [
    "the label of a node's snapshot has 1 to 255 characters",
    "label",
    async (label: string) => post(`${await runningNode()}/backups`, { label }),
    [text(1), text(255)],
    ["", text(256)],
  ],
  ...["mysql", "postgresql"].map(
    (kind) =>
      [
        `the label of a ${kind} database has 3 to 32 characters (create)`,
        "label",
        (length: number) => post(`/databases/${kind}/instances`, databaseOf(kind, { label: unique(length) })),
        [3, 32],
        [2, 33],
      ] as const,
  ),
  [
    "the label of a database has 3 to 32 characters (update)",
    "label",
    async (length: number) =>
      emulator.call("PUT", await activeDatabase(), { body: { label: unique(length) } }),
    [3, 32],
    [2, 33],
  ],
  [
    "the label of a database's snapshot has 1 to 30 characters",
    "label",
    async (label: string) => post(`${await activeDatabase()}/backups`, { label }),
    [text(1), text(30)],
    ["", text(31)],
  ],
  [
    "the label of a database's snapshot has ASCII letters and numbers only",
    "label",
    async (label: string) => post(`${await activeDatabase()}/backups`, { label }),
    ["aZ09"],
    ["not-this", "or this", "é", "_"],
  ],
  ...(
    [
      ["create", (name: string) => post("/domains", domainOf({ domain: name }))],
      ["update", async (name: string) => emulator.call("PUT", await domain(), { body: { domain: name } })],
      ["clone", async (name: string) => post(`${await domain()}/clone`, { domain: name })],
    ] as const
  ).flatMap(([operation, send]) => [
    [
      `a domain has 1 to 253 characters (${operation})`,
      "domain",
      (length: number) => send(length === 0 ? "" : domainName(length)),
      operation === "create" ? [1, 253] : [253],
      [0, 254],
    ] as const,
    [
      `each label of a domain has at most 63 characters (${operation})`,
      "domain",
      (length: number) => send(`${unique(length)}.example`),
      [63],
      [64],
    ] as const,
    [
      `a domain is a name as of RFC 1035 (${operation})`,
      "domain",
      send,
      [`x-${operation}.2.example`],
      ["two words", "a..example", ".example", "-a.example", "a-.example", "é.example"],
    ] as const,
  ]),
  ...(
    [
      ["create", (body: Body) => post("/domains", domainOf(body))],
      ["update", async (body: Body) => emulator.call("PUT", await domain(), { body })],
    ] as const
  ).flatMap(([operation, send]) => [
    [
      `a domain's description has 1 to 253 characters, or is null (${operation})`,
      "description",
      (description: unknown) => send({ description }),
      [text(1), text(253), null],
      ["", text(254)],
    ] as const,
    [
      `a domain's group has 1 to 50 characters, or is null (${operation})`,
      "group",
      (group: unknown) => send({ group }),
      [text(1), text(50), null],
      ["", text(51)],
    ] as const,
    [
      `axfr_ips have at most 1000 characters together (${operation})`,
      "axfr_ips",
      (axfr_ips: unknown) => send({ axfr_ips }),
      [thousand, []],
      [[...thousand.slice(0, -1), "192.0.2.111"]],
    ] as const,
    [
      `soa_email is an email address (${operation})`,
      "soa_email",
      (soa_email: unknown) => send({ soa_email }),
      ["a@b.example"],
      ["", "nobody"],
    ] as const,
    [
      `master_ips are addresses (${operation})`,
      "master_ips",
      (master_ips: unknown) => send({ master_ips }),
      [["192.0.2.1", "2001:db8::1"]],
      [["ns1.example.org"], ["192.0.2.256"]],
    ] as const,
  ]),
  ...(
    [
      ["create", async (body: Body) => post(`${await domain()}/records`, { ...srv, ...body })],
      [
        "update",
        async (body: Body) =>
          emulator.call("PUT", await created(`${await domain()}/records`, { ...srv, name: "_sip._tcp" }), {
            body,
          }),
      ],
    ] as const
  ).flatMap(([operation, send]) => [
    [
      `a record's name has 1 to 100 characters (${operation})`,
      "name",
      (name: string) => send({ name }),
      [text(1), text(100)],
      ["", text(101)],
    ] as const,
    [
      `a record's target has at most 65535 characters (${operation})`,
      "target",
      (target: string) => send({ target }),
      ["", text(65_535)],
      [text(65_536)],
    ] as const,
    [
      `a record's priority is 0 to 255 (${operation})`,
      "priority",
      (priority: number) => send({ priority }),
      [0, 255],
      [-1, 256, 1.5],
    ] as const,
    ...["weight", "port"].map(
      (field) =>
        [
          `a record's ${field} is 0 to 65535 (${operation})`,
          field,
          (value: number) => send({ [field]: value }),
          [0, 65_535],
          [-1, 65_536, 1.5],
        ] as const,
    ),
  ]),
  [
    "an image's description has 1 to 65000 characters (upload)",
    "description",
    (description: string) => post("/images/upload", { label: "mine", region: "us-east", description }),
    [text(1), text(65_000)],
    ["", text(65_001)],
  ],
  [
    "an image's description has 1 to 65000 characters (create)",
    "description",
    async (description: string) => {
      const path = await runningNode();
      const { body } = await emulator.call<{ data: { id: number }[] }>("GET", `${path}/disks`);
      return post("/images", { disk_id: body.data[0]?.id, description });
    },
    [text(1), text(65_000)],
    ["", text(65_001)],
  ],
  [
    "an image's description has 1 to 65000 characters, or is null (update)",
    "description",
    async (description: unknown) => emulator.call("PUT", await uploaded(), { body: { description } }),
    [text(1), text(65_000), null],
    ["", text(65_001)],
  ],
  [
    "allow_list holds single addresses or CIDR ranges",
    "allow_list",
    (allow_list: unknown) => post("/databases/mysql/instances", databaseOf("mysql", { allow_list })),
    [[], ["0.0.0.0/0"], ["192.0.2.1", "2001:db8::/32"]],
    [["anyone"], ["192.0.2.0/33"], ["192.0.2.0/24/1"], ["2001:db8::/129"], ["192.0.2.0/"]],
  ],
];

test.each(LIMITS)("%s", async (_, field, send, accepted, refused) => {
  for (const value of accepted) {
    const { status, body } = await send(value as never);
    expect({ value, status, body }).toMatchObject({ value, status: 200 });
  }
  for (const value of refused) {
    const { status, body } = await send(value as never);
    expect({ value, status, body }).toEqual({
      ...{ value, status: 400 },
      body: { errors: [{ field, reason: expect.stringMatching(/\w/) }] },
    });
  }
});

test("swap_size is 512 by default, and the size of the second disk", async () => {
  const disks = async (path: string) =>
    (await emulator.call<{ data: { size: number; filesystem: string }[] }>("GET", `${path}/disks`)).body.data;
  expect(await disks(await node())).toMatchObject([{}, { filesystem: "swap", size: 512 }]);
  expect(await disks(await node({ swap_size: 256 }))).toMatchObject([{}, { filesystem: "swap", size: 256 }]);
});

test("swap_size leaves room for the image", async () => {
  // A nanode has 25600 MB, of which the image needs 300.
  const body = { ...deployedNode, swap_size: 25_301 };
  expect(await post("/node/instances", body)).toMatchObject({
    status: 400,
    body: { errors: [{ field: "swap_size" }] },
  });
  expect((await post("/node/instances", { ...body, swap_size: 25_300 })).status).toBe(200);
  expect((await post("/node/instances", { ...body, swap_size: -1 })).status).toBe(400);
});
