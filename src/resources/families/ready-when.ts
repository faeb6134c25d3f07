import { z } from "zod";
import { isObject, type Properties, UNKNOWN } from "../../provider/base/values";
import { type FieldProblem, update } from "../../provider/describe/fields";
import { type Probe, type ProbeOf } from "../../provider/probes/probe";
import { HOST_KEY_TYPES } from "../../provider/probes/host-key-types";

const DEFAULT_INTERVAL_S = 2;

const port = z.int().min(1).max(65535);

/** The fields of every probe. */
const common = {
  interval: z
    .number()
    .min(0.1)
    .max(600)
    .optional()
    .meta({
      description: `The pause between two tries, in seconds. Default: ${DEFAULT_INTERVAL_S}.`,
      examples: [5],
    }),
  answers: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "The number of answers in a row. Default: 1.", examples: [3] }),
};

const nodeProbe = {
  address: z
    .string()
    .min(1)
    .optional()
    .meta({
      description:
        "The address to ask: `public` (the default), `private`, `ipv6`, an IP address or a host name.",
      examples: ["private"],
    }),
  ...common,
};

const httpProbe = z
  .strictObject({
    port: port
      .optional()
      .meta({ description: "The port. Default: 80, or 443 with `tls`.", examples: [8080] }),
    path: z
      .string()
      .regex(
        /^\/[\x21\x22\x24-\x7e]*$/,
        "must begin with a slash, without spaces, `#` and characters outside ASCII",
      )
      .optional()
      .meta({
        description: "The path, with a query if needed. Default: `/`. Messages omit the query.",
        examples: ["/health"],
      }),
    status: z
      .int()
      .min(100)
      .max(599)
      .optional()
      .meta({
        description: "The status of the answer. Default: any from 200 to 299. Redirects are not followed.",
        examples: [204],
      }),
    host: z
      .string()
      .regex(/^[\w.:[\]-]+$/, "must be a host name, with a port if needed")
      .optional()
      .meta({
        description: "The header `Host`, and with `tls` the name in the certificate. Default: the address.",
        examples: ["www.example.org"],
      }),
    tls: z.boolean().optional().describe("Whether to use HTTPS. Default: `false`."),
    verify: z
      .boolean()
      .optional()
      .meta({
        description: "With `tls`, whether the certificate must be valid. Default: `true`.",
        examples: [false],
      }),
    body: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .meta({ description: "A text that the answer must contain, in its first 64 KiB.", examples: ["ok"] }),
    ...nodeProbe,
  })
  .meta({ title: "NodeHttpProbe", description: "An HTTP request with GET that has to be answered." });

const tcpProbe = z
  .strictObject({ port: port.meta({ description: "The port.", examples: [5432] }), ...nodeProbe })
  .meta({ title: "NodeTcpProbe", description: "A TCP connection that has to be accepted." });

const hostKey = z
  .string()
  .regex(
    new RegExp(`^(${HOST_KEY_TYPES.join("|")}) [A-Za-z0-9+/]+=*( |$)`),
    `must be a public host key as in ssh_host_ed25519_key.pub: its type (${HOST_KEY_TYPES.join(", ")}) and its data`,
  );

const sshProbe = z
  .strictObject({
    port: port.optional().meta({ description: "The port. Default: 22.", examples: [2222] }),
    hostKeyIn: z
      .array(hostKey)
      .min(1)
      .max(10)
      .optional()
      .meta({
        description:
          "The public host keys of which the server must prove one, each as its type and its data. By default any server will do.",
        examples: [["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5Jr3K5mqoFQg8d8JvLqPBoKc7rSJkkhBvEzGBTYv0D"]],
      }),
    ...nodeProbe,
  })
  .meta({ title: "NodeSshProbe", description: "An SSH server that has to send its banner. Nobody logs in." });

const nodeReadyWhen = z
  .strictObject({
    http: httpProbe.optional().describe("An HTTP request with GET that has to be answered."),
    tcp: tcpProbe.optional().describe("A TCP connection that has to be accepted."),
    ssh: sshProbe.optional().describe("An SSH server that has to send its banner. Nobody logs in."),
  })
  .meta({ title: "NodeReadyWhen", description: "What has to answer before a node is ready." });

const databaseReadyWhen = z
  .strictObject({
    tcp: z
      .boolean()
      .refine((asks) => asks, "must be true; to ask for nothing, remove readyWhen")
      .describe("Whether the port of the database has to accept a connection. Only `true`."),
    address: z
      .string()
      .min(1)
      .optional()
      .meta({
        description:
          "The address to ask: `primary` (the default), `secondary`, an IP address or a host name.",
        examples: ["secondary"],
      }),
    ...common,
  })
  .meta({ title: "DatabaseReadyWhen", description: "What has to answer before a database is ready." });

/** An input that only the provider uses, and that an adopted object can have too. */
export const UNSENT = { changeDoc: "sends nothing", notSent: true, action: true } as const;

const FACTS = {
  ...UNSENT,
  changeDoc: "asks again, and sends nothing",
  awaited: true,
  default: null,
} as const;

/** The input of a node. */
export const nodeReady = update(nodeReadyWhen, {
  doc: "What has to answer before a creation, a replacement, a resize, a restore or a boot counts as done. The machine that runs Pulumi asks. See `docs/ready.md`.",
  problem: (value) => (isObject(value) && Object.keys(value).length === 0 ? ASKS_NOTHING : undefined),
  ...FACTS,
});

/** The input of a node. */
export const nodeTurn = update(
  z
    .strictObject({
      group: z
        .string()
        .min(1)
        .max(100)
        .meta({
          description: "The name of the group. The nodes of the stack with the same name belong to it.",
          examples: ["web"],
        }),
      max: z
        .int()
        .min(1)
        .optional()
        .meta({
          description: "How many nodes of the group may be interrupted or not ready at a time. Default: 1.",
          examples: [2],
        }),
    })
    .meta({ title: "NodeTurn", description: "Which nodes are interrupted one after the other." }),
  {
    doc: "Which nodes are interrupted one after the other: by a resize, a restore, a boot, or the deletion of the old node after a replacement. The next one waits until the one before is ready. See `docs/ready.md`.",
    omittedDoc: "no node waits for another",
    ...UNSENT,
    default: null,
  },
);

const ASKS_NOTHING: FieldProblem = { reason: "asks for nothing: set http, tcp or ssh, or remove it" };

/** The input of a database. */
export const databaseReady = update(databaseReadyWhen, {
  doc: "What has to answer before a creation, a restore or a patch counts as done. The machine that runs Pulumi asks, so `allowList` must let it connect. See `docs/ready.md`.",
  ...FACTS,
});

type Asked = Readonly<Record<string, unknown>>;

const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;
const textOr = <Otherwise>(value: unknown, otherwise: Otherwise): string | Otherwise =>
  typeof value === "string" ? value : otherwise;

const often = ({ interval, answers }: Asked) => ({
  intervalMs: numberOr(interval, DEFAULT_INTERVAL_S) * 1_000,
  answers: numberOr(answers, 1),
});

const isPrivate = (address: string): boolean => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address);

/** The address of a node by its name. */
function nodeAddress(name: string, { ipv4, ipv6 }: Properties): Pick<Probe, "address" | "addressName"> {
  const all = Array.isArray(ipv4) ? ipv4.map(String) : [];
  const [first, second] = all;
  const addresses: Readonly<Record<string, Pick<Probe, "address" | "addressName">>> = {
    public: { address: all.find((one) => !isPrivate(one)) ?? first, addressName: "public IPv4 address" },
    private: { address: all.find(isPrivate) ?? second, addressName: "private IPv4 address" },
    ipv6: { address: textOr(ipv6, undefined)?.replace(/\/\d+$/, ""), addressName: "IPv6 address" },
  };
  return addresses[name] ?? { address: name, addressName: "address" };
}

/** The probes of a node, in the order of this file. */
export function nodeProbes(asked: Properties, outputs: Properties): Probe[] {
  const { http, tcp, ssh } = asked;
  return [
    ...(isObject(http) ? [probe(httpOf(http), http, http["tls"] === true ? 443 : 80, outputs)] : []),
    ...(isObject(tcp) ? [probe({ protocol: "tcp" }, tcp, 0, outputs)] : []),
    ...(isObject(ssh) ? [probe(sshOf(ssh), ssh, 22, outputs)] : []),
  ];
}

function probe(of: ProbeOf, asked: Asked, usualPort: number, outputs: Properties): Probe {
  const port = numberOr(asked["port"], usualPort);
  const shownPort = asked["port"] === UNKNOWN ? "" : ` :${port}`;
  const isTls = of.protocol === "http" && of.tls;
  const path = of.protocol === "http" ? of.path.replace(/\?.*$/, "") : "";
  return {
    ...of,
    ...often(asked),
    ...nodeAddress(textOr(asked["address"], "public"), outputs),
    port,
    what: `${isTls ? "https" : of.protocol}${shownPort}${path === "/" ? "" : path}`,
  };
}

const sshOf = ({ hostKeyIn: hostKeys }: Asked): ProbeOf => ({
  protocol: "ssh",
  hostKeys: Array.isArray(hostKeys) ? hostKeys.map(String) : undefined,
});

const httpOf = ({ path, status, host, tls, verify, body }: Asked): ProbeOf => ({
  protocol: "http",
  path: path === UNKNOWN ? "/" : textOr(path, "/"),
  tls: tls === true,
  verify: verify !== false,
  status: typeof status === "number" ? status : undefined,
  host: textOr(host, undefined),
  body: textOr(body, undefined),
});

/** The probe of a database. */
export function databaseProbes(asked: Properties, { hosts, port }: Properties): Probe[] {
  const name = textOr(asked["address"], "primary");
  const known = isObject(hosts) ? hosts : {};
  const isKnown = name === "primary" || name === "secondary";
  return [
    {
      protocol: "tcp",
      ...often(asked),
      address: isKnown ? textOr(known[name], undefined) : name,
      addressName: `${name} host name`,
      port: numberOr(port, 0),
      what: `tcp${typeof port === "number" ? ` :${port}` : ""}`,
    },
  ];
}
