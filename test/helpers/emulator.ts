import { type Accounts, type ListenOptions, type RunningEmulator, startEmulator } from "../../src/emulator";

/** A speed at which nothing takes time. */
export const AT_ONCE = 1e7;

/** A token that has only the scope `read_only` of each family. */
export const READER = "reader-token";

const FAMILIES = ["nodes", "databases", "domains", "images"];

/** An account with a token that may do everything, and one that may only read, without the scopes of these families. */
export const withReader = ({ without = [] }: { without?: readonly string[] } = {}): Accounts => ({
  users: [
    {
      username: "emulator",
      tokens: [
        { token: "emulator-token", scopes: "*" },
        {
          token: READER,
          scopes: FAMILIES.filter((family) => !without.includes(family)).map(
            (family) => `${family}:read_only`,
          ),
        },
      ],
    },
  ],
});

/** An answer of the emulator: its status, headers and JSON body. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface RequestOptions {
  readonly body?: unknown;
  /** Null sends none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The body of the creation of a node that is deployed from an image. */
export const deployedNode = {
  region: "us-east",
  type: "g6-nanode-1",
  image: "node/alpine3.20",
  root_pass: "correct horse",
};

/** A running emulator with shortcuts for its requests. */
export interface TestEmulator extends RunningEmulator {
  /** Sends a request to the API, such as `call("GET", "/domains")`. A string is sent as it is, any other body as JSON. */
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<Answer<Body>>;
  /** Sends a request to the control API, such as `control("POST", "/clock", { advance: 60 })`. */
  control<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer<Body>>;
  /** The number of requests of each operation, such as `POST /v4/domains`. */
  counts(): Promise<Record<string, number>>;
  /** The same since the last call. */
  newCounts(): Promise<Record<string, number>>;
  /** The operations other than reads that were requested. */
  writes(): Promise<string[]>;
}

const DAY_MS = 24 * 3_600_000;

/** Time that starts at six in the morning, so that every test is equally far from midnight, when the service makes its backups. */
function fromTheMorning(): () => number {
  const started = Date.now();
  const six = Math.floor(started / DAY_MS) * DAY_MS + DAY_MS / 4;
  return () => six + Date.now() - started;
}

/** Without `speed` its clock stands still at six in the morning, and only `clock.advance` changes it. */
export async function startTestEmulator(options: ListenOptions = {}): Promise<TestEmulator> {
  const still = { speed: 0, realNow: fromTheMorning() };
  const emulator = await startEmulator(options.speed ? options : { ...still, ...options });

  async function send<Body>(url: string, method: string, { body, token, headers }: RequestOptions) {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token ?? emulator.token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const answer: Body = JSON.parse(await response.text());
    return { status: response.status, headers: response.headers, body: answer };
  }

  const control = <Body>(method: string, path: string, body?: unknown) =>
    send<Body>(`${emulator.origin}/_emulator${path}`, method, { body, token: null });
  const counts = async () =>
    (await control<{ counts: Record<string, number> }>("GET", "/requests")).body.counts;
  return {
    ...emulator,
    call: (method, path, requestOptions = {}) => send(emulator.url + path, method, requestOptions),
    control,
    counts,
    newCounts: async () => {
      const found = await counts();
      emulator.reset("requests");
      return found;
    },
    writes: async () => Object.keys(await counts()).filter((operation) => !operation.startsWith("GET ")),
  };
}

/** Runs `use` with its own emulator, and stops it afterwards. */
export async function withEmulator<Result>(
  use: (emulator: TestEmulator) => Promise<Result>,
  options?: ListenOptions,
): Promise<Result> {
  const emulator = await startTestEmulator(options);
  try {
    return await use(emulator);
  } finally {
    await emulator.stop();
  }
}
