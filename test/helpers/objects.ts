import { deployedNode, type TestEmulator } from "./emulator";

export type Fields = Record<string, unknown>;

/** The fields that records of a type require. */
export const REQUIRED: Readonly<Record<string, object>> = {
  SRV: { priority: 1, weight: 2, port: 3 },
  CAA: { tag: "issue" },
};

/** Makes, reads and writes objects of every kind that has an update, by their paths. */
export function objectsOf(emulator: () => TestEmulator) {
  let serial = 0;
  const unique = (prefix: string) => `${prefix}${++serial}`;

  async function create(path: string, body: object): Promise<string> {
    const answer = await emulator().call("POST", path, { body });
    expect(answer).toMatchObject({ status: 200 });
    // After an hour no object is busy.
    emulator().clock.advance(3600);
    const { id } = (path === "/images/upload" ? answer.body["image"] : answer.body) as Fields;
    return `${path.replace(/\/upload$/, "")}/${String(id)}`;
  }

  const domain = (more: object = {}) =>
    create("/domains", {
      domain: `${unique("d")}.example`,
      type: "master",
      soa_email: "dns@a.example",
      ...more,
    });

  return {
    unique,
    create,
    read: async (path: string) => (await emulator().call("GET", path)).body,
    write: (path: string, body: object, token?: string) =>
      emulator().call<Fields>("PUT", path, { body, ...(token === undefined ? {} : { token }) }),
    node: (more: object = {}) => create("/node/instances", { ...deployedNode, ...more }),
    database: (kind: string, more: object = {}) =>
      create(`/databases/${kind}/instances`, {
        ...{ label: unique("shop"), region: "us-east", type: "g6-standard-1" },
        engine: kind === "mysql" ? "mysql/8.0.30" : "postgresql/14.6",
        ...more,
      }),
    domain,
    record: async (type: string, more: object = {}) => create(`${await domain()}/records`, { type, ...more }),
    image: (more: object = {}) => create("/images/upload", { label: "mine", region: "us-east", ...more }),
  };
}
