import { type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { PLANS } from "./catalogue";
import { listedBackups } from "./database-backups";
import { type Emulation, reset } from "./emulation";
import { faultPlan } from "./faults";
import { findPrivateImage } from "./images";
import { backupsOf, shownNode } from "./node-backups";
import { type Store } from "./objects";
import { openApiDocument } from "./openapi";
import { forbidden, invalid, notFound, refuse } from "./refusal";
import { type Entity, type Table } from "./store";
import { parseBody } from "./validation";
import { powerOff } from "./watchdog";

const clockChange = z.strictObject({
  advance: z.number().min(0).optional(),
  speed: z.number().min(0).optional(),
});

const faultPlans = z.union([faultPlan, z.array(faultPlan)]);

const objectPatch = z.record(z.string(), z.json());

/** One kind of objects as the control API reaches them. */
interface Kind {
  all(): Entity[];
  find(id: string): Entity | undefined;
  merge(entity: Entity, patch: Readonly<Record<string, unknown>>): void;
  remove(id: number): void;
  /** What is stored, with what only the emulator knows of it. */
  stored(entity: Entity): object;
}

/** Objects by id, or by `parent/id`. */
function kindOf<Fields extends object, Hidden extends object>(
  table: Table<Fields, Hidden>,
  {
    belongs = () => true,
    shown = ({ fields }) => fields,
  }: {
    readonly belongs?: (fields: Fields) => boolean;
    /** The fields as the API answers them. */
    readonly shown?: (entity: Entity<Fields, Hidden>) => Fields;
  } = {},
): Kind {
  const all = () => table.all().filter(({ fields }) => belongs(fields));
  return {
    all,
    find(id) {
      const [own = "", parent] = id.split("/").reverse();
      const entity = table.get(Number(own));
      const isIt =
        entity && belongs(entity.fields) && (parent === undefined || entity.parent === Number(parent));
      return isIt ? entity : undefined;
    },
    merge: ({ id }, patch) => {
      const entity = table.get(id);
      if (entity) table.merge(entity, patch);
    },
    remove: (id) => {
      table.remove(id);
    },
    stored: ({ id }) => {
      const entity = table.get(id);
      return entity ? { ...shown(entity), ...entity.hidden } : {};
    },
  };
}

/** The same kind, brought up to date before it is looked at, as the API does. */
function broughtUpToDate(kind: Kind, update: () => void): Kind {
  return {
    ...kind,
    all() {
      update();
      return kind.all();
    },
    find(id) {
      update();
      return kind.find(id);
    },
  };
}

function kindsOf(store: Store): Readonly<Record<string, Kind>> {
  return {
    nodes: kindOf(store.nodes, { shown: (node) => shownNode(store, node) }),
    nodeBackups: broughtUpToDate(kindOf(store.nodeBackups), () => {
      for (const node of store.nodes.all()) backupsOf(store, node);
    }),
    mysql: kindOf(store.databases, { belongs: ({ engine }) => engine === "mysql" }),
    postgresql: kindOf(store.databases, { belongs: ({ engine }) => engine === "postgresql" }),
    databaseBackups: broughtUpToDate(kindOf(store.databaseBackups), () => {
      for (const database of store.databases.all()) listedBackups(store, database);
    }),
    domains: kindOf(store.domains),
    records: kindOf(store.records),
    images: { ...kindOf(store.images), find: (id) => findPrivateImage(store, id) },
  };
}

/** Dates have four digits for the year. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);
}

/** The routes under `/_emulator`: what a test does behind the API's back. */
export function controlRoutes(emulation: Emulation): Hono<{ Bindings: HttpBindings }> {
  const { store, requests, faults } = emulation;
  const { clock } = store;
  const kinds = kindsOf(store);
  const app = new Hono<{ Bindings: HttpBindings }>();

  function kind(name: string): Kind {
    const found = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!found) throw refuse(404, `There are these kinds: ${Object.keys(kinds).join(", ")}`);
    return found;
  }

  function object(name: string, id: string) {
    const entity = kind(name).find(id);
    if (!entity) throw notFound();
    return entity;
  }

  async function body<Schema extends z.ZodType>(schema: Schema, json: Promise<unknown>) {
    return parseBody(
      schema,
      await json.catch(() => {
        throw refuse(400, "The body is not valid JSON.");
      }),
    );
  }

  const clockState = () => ({ now: clock.date(), speed: clock.speed });

  app.use("*", async (c, next) => {
    const { remoteAddress } = c.env.incoming.socket;
    if (!isLoopback(remoteAddress)) throw forbidden("The control API answers on this machine only.");
    await next();
  });

  app.get("/requests", (c) => c.json(requests.report()));
  app.get("/catalogue", (c) =>
    c.json({ plans: Object.entries(PLANS).map(([id, specs]) => ({ id, specs })) }),
  );

  app.get("/openapi.json", (c) => c.json(openApiDocument(`${new URL(c.req.url).origin}/v4`)));

  app.post("/reset", (c) => {
    const only = c.req.query("only");
    if (only !== undefined && only !== "requests" && only !== "faults") {
      throw invalid("only", "must be requests or faults");
    }
    reset(emulation, only);
    return c.json({});
  });

  app.get("/clock", (c) => c.json(clockState()));
  app.post("/clock", async (c) => {
    const { advance, speed } = await body(clockChange, c.req.json());
    if (advance !== undefined) {
      if (clock.now() + advance * 1000 > LAST_MOMENT)
        throw invalid("advance", "must not lead beyond the year 9999");
      clock.advance(advance);
    }
    if (speed !== undefined) clock.setSpeed(speed);
    return c.json(clockState());
  });

  app.get("/faults", (c) => c.json({ faults: faults.list() }));
  app.post("/faults", async (c) => {
    const plans = await body(faultPlans, c.req.json());
    for (const plan of [plans].flat()) faults.plan(plan);
    return c.json({ faults: faults.list() });
  });
  app.delete("/faults", (c) => {
    faults.clear();
    return c.json({});
  });

  app.get("/objects/:kind", (c) => {
    const { all, stored } = kind(c.req.param("kind"));
    return c.json({ data: all().map(stored) });
  });
  app.get("/objects/:kind/:id{.+}", (c) => {
    const { kind: name, id } = c.req.param();
    return c.json(kind(name).stored(object(name, id)));
  });
  app.patch("/objects/:kind/:id{.+}", async (c) => {
    const patch = await body(objectPatch, c.req.json());
    const { kind: name, id } = c.req.param();
    const entity = object(name, id);
    const { merge, stored } = kind(name);
    merge(entity, patch);
    return c.json(stored(entity));
  });
  app.post("/objects/nodes/:id/power-off", (c) => {
    const node = store.nodes.get(Number(c.req.param("id")));
    if (!node) throw notFound();
    powerOff(store, node);
    return c.json(kind("nodes").stored(node));
  });
  app.delete("/objects/:kind/:id{.+}", (c) => {
    const { id } = object(c.req.param("kind"), c.req.param("id"));
    kind(c.req.param("kind")).remove(id);
    return c.json({});
  });
  return app;
}
