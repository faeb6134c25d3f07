import { type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { PLANS } from "./catalogue";
import { LAST_MOMENT, MAX_SPEED } from "./clock";
import { type Emulation, reset } from "./emulation";
import { faultPlan } from "./faults";
import { KIND_NAMES, type Kind, isKindName, kindsOf } from "./kinds";
import { readJson } from "./json";
import { guarded } from "./local";
import { type Served, textOf } from "./observe";
import { openApiDocument } from "./openapi";
import { requireFitting } from "./patches";
import { invalid, notFound, refuse } from "./refusal";
import { parseBody } from "./validation";
import { powerOff } from "./watchdog";

const clockChange = z.strictObject({
  advance: z.number().min(0).optional(),
  speed: z.number().min(0).max(MAX_SPEED).optional(),
});

const faultPlans = z.union([faultPlan, z.array(faultPlan)]);

const objectPatch = z.record(z.string(), z.json());

/** The routes under `/_emulator`: what a test does behind the API's back. */
export function controlRoutes(emulation: Emulation): Hono<{ Bindings: HttpBindings }> {
  const { store, requests, faults, publicOrigin } = emulation;
  const { clock } = store;
  const kinds = kindsOf(store);
  const app = new Hono<{ Bindings: HttpBindings }>();

  function kind(name: string): Kind {
    if (!isKindName(name)) throw refuse(404, `There are these kinds: ${KIND_NAMES.join(", ")}`);
    return kinds[name];
  }

  function object(name: string, id: string) {
    const entity = kind(name).find(id);
    if (!entity) throw notFound();
    return entity;
  }

  async function body<Schema extends z.ZodType>(schema: Schema, c: Served) {
    const text = await textOf(c);
    try {
      return parseBody(schema, readJson(text));
    } catch (error) {
      if (error instanceof SyntaxError) throw refuse(400, "The body is not valid JSON.");
      throw error;
    }
  }

  const clockState = () => ({ now: clock.date(), speed: clock.speed });

  app.use("*", guarded("The control API", publicOrigin));
  app.use("*", async (c, next) => {
    c.header("cross-origin-resource-policy", "same-origin");
    c.header("x-content-type-options", "nosniff");
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
    const { advance, speed } = await body(clockChange, c);
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
    const plans = await body(faultPlans, c);
    faults.plan([plans].flat());
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
    const patch = await body(objectPatch, c);
    const { kind: name, id } = c.req.param();
    const entity = object(name, id);
    const { merge, stored } = kind(name);
    requireFitting(name, entity, patch);
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
