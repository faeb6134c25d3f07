import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { ApiError, ConnectionError } from "../../src/api/errors";
import { op } from "../../src/api/operation";
import { defineResource, output, type Description } from "../../src/provider/describe/define-resource";
import { type EngineLog } from "../../src/provider/engine/log";
import { replace, update } from "./undocumented";
import { whereabouts } from "../../src/provider/settings/whereabouts";
import { Session, type SessionOptions } from "../../src/provider/run/session";
import { type Properties } from "../../src/provider/base/values";
import { FakeClock, settle } from "./fake-clock";

const body = z.object({
  label: z.string().optional(),
  size: z.int().optional(),
  tags: z.array(z.string()).optional(),
  alerts: z.object({ cpu: z.int().optional(), io: z.int().optional() }).optional(),
  region: z.string().optional(),
});

/** The operations of the fake service. Their bodies determine the fields of a request. */
export const widgets = {
  create: op({ method: "POST", path: "/widgets", summary: "", body, reply: z.unknown(), scopes: [] }),
  update: op({
    method: "PUT",
    path: "/widgets/{id}",
    summary: "",
    body: body.omit({ region: true }),
    reply: z.unknown(),
    scopes: [],
    status: { only: ["active"] },
  }),
  delete: op({
    method: "DELETE",
    path: "/widgets/{id}",
    summary: "",
    reply: z.unknown(),
    scopes: [],
    status: { not: ["cloning"] },
  }),
};

/** A description for tests without a service. Omitted parts are minimal. */
export function fakeDescription(particular: Partial<Description> = {}): Description {
  return defineResource({
    type: "Widget",
    noun: "widget",
    doc: "",
    example: "",
    fields: {},
    outputs: {},
    id: { form: "123", pattern: /^(?<id>\d+)$/ },
    identity: ["label"],
    timeouts: { create: 5, update: 5, delete: 5 },
    readOperation: widgets.create,
    idOf: ({ id }) => String(id),
    create: () => Promise.reject(new Error("not part of this test")),
    read: () => Promise.reject(new Error("not part of this test")),
    ...particular,
  });
}

export const lost = () =>
  new ConnectionError({
    operation: "POST /widgets",
    problem: "the connection broke",
    code: "CONNECTION_LOST",
    host: "api.example",
    answerLost: true,
  });

export const timedOut = () =>
  new ConnectionError({
    operation: "POST /widgets",
    problem: "it did not answer within 75 s",
    code: "CONNECTION_TIMED_OUT",
    host: "api.example",
    answerLost: true,
  });

export const refused = (status: number, field: string | undefined, reason: string) =>
  new ApiError({
    operation: "POST /widgets",
    status,
    reasons: [field === undefined ? { reason } : { field, reason }],
  });

type Operation = "create" | "read" | "list" | "update" | "delete";

/** The handling of one request. `run` executes it and returns the answer. */
export type Reaction = (run: () => Properties) => Properties | Promise<Properties>;

/** The answer with some fields replaced. */
export const answering =
  (fields: Properties): Reaction =>
  (run) => ({ ...run(), ...fields });

/** Executed, and the answer is lost. */
export const doneButLost: Reaction = (run) => {
  run();
  throw lost();
};

/** Not executed, and the client cannot know that. */
export const notDoneAndLost: Reaction = () => {
  throw lost();
};

export const failing =
  (error: Error): Reaction =>
  () => {
    throw error;
  };

/** A fake service with objects in memory and planned reactions to single requests. */
export class FakeService {
  readonly objects = new Map<string, Properties>();
  /** Each request, such as `create {"label":"a"}` and `read 1`, in order. */
  readonly requests: string[] = [];
  /** How the service rewrites a request's fields. */
  rewrite: (given: Properties) => Properties = (given) => given;
  readonly #planned: Record<Operation, Reaction[]> = {
    create: [],
    read: [],
    list: [],
    update: [],
    delete: [],
  };
  #lastId = 0;

  /** Plans the reactions to the next requests of an operation, one after another. */
  plan(operation: Operation, ...reactions: Reaction[]): void {
    this.#planned[operation].push(...reactions);
  }

  /** The requests of an operation. */
  asked(operation: Operation): string[] {
    return this.requests.filter((request) => request.startsWith(operation));
  }

  /** Adds an object without the provider. */
  add(fields: Properties): string {
    const id = String(++this.#lastId);
    this.objects.set(id, { id: Number(id), ...fields });
    return id;
  }

  create = (given: unknown): Promise<Properties> =>
    this.#react("create", `create ${JSON.stringify(given)}`, () =>
      this.#at(this.add(this.rewrite(given as Properties))),
    );

  read = (id: string): Promise<Properties> => this.#react("read", `read ${id}`, () => this.#at(id));

  update = (id: string, given: unknown): Promise<Properties> =>
    this.#react("update", `update ${id} ${JSON.stringify(given)}`, () => {
      const changed = { ...this.#at(id), ...this.rewrite(given as Properties) };
      this.objects.set(id, changed);
      return changed;
    });

  delete = (id: string): Promise<Properties> =>
    this.#react("delete", `delete ${id}`, () => {
      this.#at(id);
      this.objects.delete(id);
      return {};
    });

  async *list(): AsyncIterable<Properties> {
    const { items } = await this.#react("list", "list", () => ({ items: [...this.objects.values()] }));
    for (const item of items as Properties[]) yield structuredClone(item);
  }

  /** A description of the service's objects. */
  description(particular: Partial<Description> = {}): Description {
    return fakeDescription({
      fields: {
        label: update(z.string().min(2).max(20)),
        size: update(z.int(), { default: 1 }),
        tags: update(z.array(z.string()), { compare: "set", default: [] }),
        alerts: { cpu: update(z.int()), io: update(z.int()) },
        region: replace(z.string()),
      },
      outputs: { status: output(z.string(), "") },
      unique: "label",
      create: ({ body: bodyOf }) => this.create(bodyOf(widgets.create)),
      read: (_, { id }) => this.read(id),
      list: () => this.list(),
      update: ({ ref, write }) => write(widgets.update, (given) => this.update(ref.id, given)),
      delete: (_, { id }) => this.delete(id),
      ...particular,
    });
  }

  #at(id: string): Properties {
    const object = this.objects.get(id);
    if (object === undefined) throw refused(404, undefined, "Not found");
    return object;
  }

  async #react(operation: Operation, request: string, run: () => Properties): Promise<Properties> {
    this.requests.push(request);
    const reaction = this.#planned[operation].shift() ?? ((done) => done());
    return structuredClone(await reaction(run));
  }
}

/** Statuses and requirements for a description with slow operations. */
export const slowly = {
  statuses: { ready: ["active"], busy: ["creating", "working"], failed: ["failed"], usually: "5 min" },
  waitsForStatusOf: { update: widgets.update, delete: widgets.delete },
} as const satisfies Partial<Description>;

/** Stores all messages. */
export class FakeLog implements EngineLog {
  readonly lines: string[] = [];
  readonly warnings: string[] = [];
  readonly notes: string[] = [];
  heard = true;

  progress = async (_urn: string | undefined, message: string): Promise<void> => {
    this.lines.push(message);
  };

  clear = async (): Promise<void> => {
    this.lines.push("");
  };

  warn = (_urn: string | undefined, message: string): void => {
    this.warnings.push(message);
  };

  note = (_urn: string | undefined, message: string): void => {
    this.notes.push(message);
  };

  readonly address = undefined;

  debug = (): void => undefined;

  delivered = (): Promise<void> => Promise.resolve();

  engineIsAlive = (): Promise<boolean> => Promise.resolve(this.heard);
}

const homes = mkdtempSync(join(tmpdir(), "homes-"));
let sessions = 0;
afterAll(() => {
  rmSync(homes, { recursive: true, force: true });
});

const ACCOUNT = { baseUrl: "https://api.example/v4", token: "token" };

/** The whereabouts of the account of such sessions. */
export const AT = whereabouts(ACCOUNT);

/** A session without a real client and without validation. By default it has its own clock and home. */
export function fakeSession({
  home,
  validate = false,
  resume = false,
  backend = "file:///state",
  environment = {},
  ...options
}: SessionOptions & {
  readonly home?: string;
  readonly validate?: boolean;
  readonly resume?: boolean;
  readonly backend?: string;
} = {}): Session {
  return new Session({
    clock: new FakeClock(),
    gather: settle,
    readState: () => Promise.resolve(undefined),
    readOthers: () => Promise.resolve({ stacks: [], unread: 0 }),
    ...options,
    environment: {
      NODECLOUD_TOKEN: ACCOUNT.token,
      NODECLOUD_BASE_URL: ACCOUNT.baseUrl,
      NODECLOUD_VALIDATE: String(validate),
      NODECLOUD_RESUME: String(resume),
      PULUMI_BACKEND_URL: backend,
      PULUMI_HOME: home ?? join(homes, String(++sessions)),
      ...environment,
    },
  });
}
