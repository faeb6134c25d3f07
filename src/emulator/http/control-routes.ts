import { type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { PLANS } from "../operations/catalogue";
import { LAST_MOMENT, MAX_SPEED } from "../store/clock";
import { COLLECTION_NAMES, type Collection, collectionsOf } from "../control/collections";
import { type Emulation, reset } from "../emulation/emulation";
import { BASE_PATH, type ReadableRequest } from "./env";
import { faultPlan } from "../control/faults";
import { readJson } from "../base/json";
import { guarded } from "./local";
import { machineRules } from "../machines/rules";
import { textOf } from "./observe";
import { type OpenOperation, openApiDocument } from "../operations/openapi";
import { invalid, notFound, refuse } from "../base/refusal";
import { parseBody } from "../operations/validation";
import { MAX_DELAY_SECONDS, zonesOf } from "../zones/rendered";

const clockChange = z.strictObject({
  advance: z.number().min(0).optional(),
  speed: z.number().min(0).max(MAX_SPEED).optional(),
});

const zoneDelay = z.strictObject({ delaySeconds: z.number().min(0).max(MAX_DELAY_SECONDS) });

const faultPlans = z.union([faultPlan, z.array(faultPlan)]);

const objectPatch = z.record(z.string(), z.json());

type ControlApp = Hono<{ Bindings: HttpBindings }>;

async function bodyOf<Schema extends z.ZodType>(schema: Schema, c: ReadableRequest) {
  const text = await textOf(c);
  try {
    return parseBody(schema, readJson(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse(400, "The body is not valid JSON.");
    throw error;
  }
}

function serveClock(app: ControlApp, { store: { clock } }: Emulation): void {
  const state = () => ({ now: clock.date(), speed: clock.speed });
  app.get("/clock", (c) => c.json(state()));
  app.post("/clock", async (c) => {
    const { advance, speed } = await bodyOf(clockChange, c);
    if (advance !== undefined) {
      if (clock.now() + advance * 1000 > LAST_MOMENT)
        throw invalid("advance", "must not move the clock past the year 9999");
      clock.advance(advance);
    }
    if (speed !== undefined) clock.setSpeed(speed);
    return c.json(state());
  });
}

function serveFaults(app: ControlApp, { faults }: Emulation): void {
  app.get("/faults", (c) => c.json({ faults: faults.list() }));
  app.post("/faults", async (c) => {
    const plans = await bodyOf(faultPlans, c);
    faults.plan([plans].flat());
    return c.json({ faults: faults.list() });
  });
  app.delete("/faults", (c) => {
    faults.clear();
    return c.json({});
  });
}

function serveMachines(app: ControlApp, { machines }: Emulation): void {
  const report = () => ({
    enabled: machines !== undefined,
    ...(machines?.report() ?? { rules: [], machines: [] }),
  });
  app.get("/machines", (c) => c.json(report()));
  app.put("/machines", async (c) => {
    if (!machines) throw refuse(400, "No machines listen: start the emulator with --machines.");
    await machines.setRules(await bodyOf(machineRules, c));
    return c.json(report());
  });
}

function serveZones(app: ControlApp, { store }: Emulation): void {
  const zones = zonesOf(store);
  const state = () => ({ delaySeconds: zones.delaySeconds, waiting: zones.waiting });
  app.get("/zones", (c) => c.json(state()));
  app.post("/zones", async (c) => {
    zones.setDelay((await bodyOf(zoneDelay, c)).delaySeconds);
    return c.json(state());
  });
}

function serveObjects(app: ControlApp, { store }: Emulation): void {
  const collections = collectionsOf(store);

  function collection(name: string): Collection {
    const found = collections.get(name);
    if (!found) throw refuse(404, `The kinds are ${COLLECTION_NAMES.join(", ")}.`);
    return found;
  }

  function located({ kind, id }: { readonly kind: string; readonly id: string }) {
    const found = collection(kind);
    const entity = found.find(id);
    if (!entity) throw notFound();
    return { collection: found, entity };
  }

  app.get("/objects/:kind", (c) => {
    const { all, stored } = collection(c.req.param("kind"));
    return c.json({ data: all().map(stored) });
  });
  app.get("/objects/:kind/:id{.+}", (c) => {
    const { collection, entity } = located(c.req.param());
    return c.json(collection.stored(entity));
  });
  app.patch("/objects/:kind/:id{.+}", async (c) => {
    const patch = await bodyOf(objectPatch, c);
    const { collection, entity } = located(c.req.param());
    collection.patch(entity, patch);
    return c.json(collection.stored(entity));
  });
  app.post("/objects/:kind/:rest{.+}", (c) => {
    const { kind, rest } = c.req.param();
    const [, id = "", name = ""] = /^(.+)\/([^/]+)$/.exec(rest) ?? [];
    const actions = collections.get(kind)?.kind.actions ?? {};
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw notFound();
    const { collection, entity } = located({ kind, id });
    action.run(store, entity);
    return c.json(collection.stored(entity));
  });
  app.delete("/objects/:kind/:id{.+}", (c) => {
    const { collection, entity } = located(c.req.param());
    collection.remove(entity.id);
    return c.json({});
  });
}

/** The routes under `/_emulator`. With them a test acts behind the API's back. */
export function controlRoutes(emulation: Emulation, operations: readonly OpenOperation[]): ControlApp {
  const { requests, publicOrigin } = emulation;
  const app: ControlApp = new Hono();
  app.use("*", guarded("The control API", publicOrigin));

  app.get("/requests", (c) => c.json(requests.report()));
  app.get("/catalogue", (c) =>
    c.json({ plans: Object.entries(PLANS).map(([id, specs]) => ({ id, specs })) }),
  );
  app.get("/openapi.json", (c) => c.json(openApiDocument(new URL(c.req.url).origin + BASE_PATH, operations)));
  app.post("/reset", (c) => {
    const only = c.req.query("only");
    if (only !== undefined && only !== "requests" && only !== "faults") {
      throw invalid("only", "must be requests or faults");
    }
    reset(emulation, only);
    return c.json({});
  });
  serveClock(app, emulation);
  serveFaults(app, emulation);
  serveMachines(app, emulation);
  serveZones(app, emulation);
  serveObjects(app, emulation);
  return app;
}
