import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { op } from "../../../src/api/operation";
import { type Description } from "../../../src/provider/describe/define-resource";
import { type OtherStack } from "../../../src/provider/engine/other-stacks";
import { replace } from "../undocumented";
import { lifecycle } from "../lifecycle";
import { FakeClock, settle } from "../fake-clock";
import { FakeEngine } from "../fake-engine";
import {
  doneButLost,
  failing,
  FakeLog,
  FakeService,
  fakeSession,
  notDoneAndLost,
  type Reaction,
  refused,
  timedOut,
} from "../fake-service";

const operation = (status: { only?: string[]; not?: string[] }) =>
  op({
    method: "POST",
    path: "/shelves/{shelfId}/jars",
    summary: "",
    body: z.object({ label: z.string().optional() }),
    reply: z.unknown(),
    scopes: [],
    status,
  });
const fill = operation({ only: ["active"] });

let service: FakeService;
let clock: FakeClock;
let log: FakeLog;
let home: string;
let others: OtherStack[];
/** The statuses of the shelf at the next reads. Afterwards it is at rest. */
let shelf: (string | Error)[];
beforeEach(() => {
  service = new FakeService();
  clock = new FakeClock();
  log = new FakeLog();
  home = mkdtempSync(join(tmpdir(), "without-id-"));
  shelf = [];
  others = [];
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Jars on a shelf. The answer to filling one has no id, and the shelf's list contains the jar when it is full. */
const jars = (particular: Partial<Description>): Description =>
  service.description({
    type: "Jar",
    fields: {
      shelfId: replace(z.string(), { required: true, compare: "id", notSent: true }),
      label: replace(z.string()),
    },
    id: { form: "shelfId/jarId", pattern: /^(?<parent>\d+)\/(?<id>\d+)$/, parent: "shelfId" },
    autoname: { path: "label", max: 20, plain: true },
    parent: {
      read: () => {
        const status = shelf.shift() ?? "active";
        return status instanceof Error ? Promise.reject(status) : Promise.resolve({ id: 12, status });
      },
      async *list() {},
      statuses: { busy: ["filling"], failed: ["broken"] },
    },
    waitsForStatusOf: { create: fill, read: operation({ not: ["unpacking"] }) },
    atOnce: { path: "shelfId", max: 1 },
    withoutId: { usually: "several minutes", maxKept: 3, advice: "take one away" },
    create: async ({ body, idAt }) => {
      idAt("shelfId");
      await service.create(body(fill));
      return undefined;
    },
    ...particular,
  });

/** A run of a program, with its own plugin process. */
function run(particular: Partial<Description> = {}) {
  const readOthers = () => Promise.resolve({ stacks: others, unread: 0 });
  const provider = lifecycle(fakeSession({ clock, log, home, readOthers }), jars(particular));
  return { provider, jar: () => new FakeEngine(provider) };
}

const args = { shelfId: "12", label: "plum", __urn: "urn:plum" };
const empty: Reaction = () => ({ items: [] });
const asked = () => service.asked("create").length;
const notes = () => readdirSync(join(home, "nodecloud", "creations"));
const killed = new Error("killed");

test("a creation ends when the list contains the object, which gives its id", async () => {
  shelf = ["active", "filling", "filling"];
  service.plan("list", (all) => all(), empty, empty);
  const jar = run().jar();
  expect(await jar.up(args)).toBe("created");
  expect(jar).toMatchObject({ id: "12/1", unfinished: false });
  expect(jar.outputs).toMatchObject({ shelfId: "12", label: "plum" });
  expect(service.requests).toEqual(["list", 'create {"label":"plum"}', "list", "list", "list"]);
  expect(clock.sleeps).toEqual([1_000, 1_000]);
  expect(log.lines).toEqual(["shelf filling 0 s of several minutes, waiting until it is listed", ""]);
  expect(await jar.up(args)).toBe("unchanged");
  expect(notes()).toEqual([]);
});

test("a creation waits even if the status lags behind the request", async () => {
  service.plan("list", (all) => all(), ...Array<Reaction>(6).fill(empty));
  const jar = run().jar();
  await jar.up(args);
  expect([jar.id, asked()]).toEqual(["12/1", 1]);
});

test("a creation does not read the list while the list's precondition is not met", async () => {
  shelf = ["active", "unpacking", "unpacking"];
  await run().jar().up(args);
  expect(service.requests).toEqual(["list", 'create {"label":"plum"}', "list"]);
  expect(clock.sleeps).toEqual([1_000, 1_000]);
});

test("a creation sends no request before the parent accepts it", async () => {
  shelf = ["filling", "unpacking"];
  await run().jar().up(args);
  expect(service.requests.slice(0, 2)).toEqual(["list", 'create {"label":"plum"}']);
  expect(log.lines).toEqual(["shelf filling", "shelf unpacking", ""]);
});

test("a creation fails at once if the parent has failed or does not exist", async () => {
  shelf = ["broken", refused(404, undefined, "Not found")];
  const up = () => run().jar().up(args);
  await expect(up()).rejects.toThrow(
    "create Jar plum of shelf 12: the shelf is broken, which does not change by itself",
  );
  await expect(up()).rejects.toThrow("create Jar plum of shelf 12: there is no shelf with the id 12");
  expect(asked()).toBe(0);
});

test("several objects of one parent are created one after another, even if one fails", async () => {
  service.plan("create", failing(refused(400, "label", "is reserved")));
  const { jar } = run();
  const [one, two, three] = [jar(), jar(), jar()];
  const first = one.up(args);
  const rest = Promise.all([two.up({ ...args, label: "pear" }), three.up({ ...args, label: "fig" })]);
  await expect(first).rejects.toThrow("label: is reserved");
  await rest;
  expect(service.requests).toEqual([
    ...["list", 'create {"label":"plum"}'],
    ...["list", 'create {"label":"pear"}', "list"],
    ...["list", 'create {"label":"fig"}', "list"],
  ]);
});

test("objects of different parents do not wait for each other", async () => {
  const { jar } = run();
  let begun: () => void = () => undefined;
  const second = new Promise<void>((resolve) => (begun = resolve));
  service.plan("create", async (fillIt) => {
    await second;
    return fillIt();
  });
  service.plan("create", (fillIt) => {
    begun();
    return fillIt();
  });
  await Promise.all([jar().up(args), jar().up({ ...args, shelfId: "13", label: "pear" })]);
  expect(asked()).toBe(2);
});

describe("a lost answer", () => {
  test("causes no other request if the list shows the object", async () => {
    shelf = ["active", "filling", "active"];
    service.plan("create", doneButLost);
    service.plan("list", (all) => all(), empty, empty);
    const jar = run().jar();
    await jar.up(args);
    expect(jar.id).toBe("12/1");
    expect(asked()).toBe(1);
  });

  test("causes another request if three reads of the resting parent show no object", async () => {
    shelf = ["active", "filling", "active", "active"];
    service.plan("create", notDoneAndLost);
    const jar = run().jar();
    await jar.up(args);
    expect(service.requests).toEqual([
      ...["list", 'create {"label":"plum"}', "list", "list", "list", "list"],
      ...["list", 'create {"label":"plum"}', "list"],
    ]);
    expect(jar.id).toBe("12/1");
  });

  test("fails after three attempts, and the next run looks before it sends a request", async () => {
    service.plan("create", notDoneAndLost, notDoneAndLost, notDoneAndLost);
    await expect(run().jar().up(args)).rejects.toThrow(
      /^create Jar plum of shelf 12: the connection broke; it is unknown whether it was created\. The next `pulumi up` on this machine looks for it first/,
    );
    expect(asked()).toBe(3);
    service.add({ label: "plum" });
    const jar = run().jar();
    await jar.up(args);
    expect([jar.id, asked()]).toEqual(["12/1", 3]);
  });
});

test("a request that timed out is not repeated, and the next run waits for its effect", async () => {
  service.plan("create", failing(timedOut()));
  await expect(run().jar().up(args)).rejects.toThrow(/it is unknown whether it was created/);
  expect(asked()).toBe(1);
  service.add({ label: "plum" });
  service.plan("list", ...Array<Reaction>(8).fill(empty));
  const jar = run().jar();
  await jar.up(args);
  expect([jar.id, asked()]).toEqual(["12/1", 1]);
});

describe("a refusal", () => {
  const notNow = failing(refused(400, undefined, "The status must be active"));

  test("because the status has changed since the read causes a wait and another request", async () => {
    shelf = ["active", "filling", "filling", "active", "active"];
    service.plan("create", notNow);
    await run().jar().up(args);
    expect(asked()).toBe(2);
    expect(log.lines).toEqual(["shelf filling", ""]);
  });

  test("that the status does not explain is retried three times, and then fails", async () => {
    service.plan("create", notNow, notNow, notNow);
    await expect(run().jar().up(args)).rejects.toThrow(
      "create Jar plum of shelf 12: The status must be active (400)",
    );
    expect(asked()).toBe(3);
    expect(clock.sleeps).toEqual([2_000, 2_000]);
    expect(notes()).toEqual([]);
  });

  test.each<[string, Error]>([
    ["that names an input", refused(400, "label", "is reserved")],
    ["of another kind", refused(403, undefined, "Forbidden")],
  ])("%s fails at once", async (_, error) => {
    service.plan("create", failing(error));
    await expect(run().jar().up(args)).rejects.toThrow("create Jar plum of shelf 12: ");
    expect(asked()).toBe(1);
    expect(notes()).toEqual([]);
  });

  test("at the service's limit fails, and the error names the objects and what to do", async () => {
    for (const label of ["fig", "pear", "quince"]) service.add({ label });
    service.plan("create", failing(refused(400, undefined, "Too many")));
    await expect(run().jar().up(args)).rejects.toThrow(
      /^create Jar plum of shelf 12: Too many \(400\)\. The shelf already has fig \(12\/1\), pear \(12\/2\), quince \(12\/3\): take one away \[NC1005\]$/,
    );
    expect(asked()).toBe(1);
  });
});

test("a creation that times out leaves no state, and the next run resumes it", async () => {
  shelf = ["active", ...Array<string>(1_000).fill("filling")];
  const nothing = { list: () => new ReadableStream<never>({ start: (stream) => stream.close() }) };
  const jar = run(nothing).jar();
  await expect(jar.up(args)).rejects.toThrow(
    /^create Jar plum of shelf 12: after 5 min it is still waiting until it is listed; the shelf is filling\. The next `pulumi up` on this machine continues to wait\. To wait longer, set customTimeouts\.create \[NC1501\]$/,
  );
  expect(jar).toMatchObject({ id: undefined, unfinished: false });
  shelf = ["filling"];
  const again = run().jar();
  await again.up(args);
  expect([again.id, asked()]).toEqual(["12/1", 1]);
});

test("an accepted request without effect fails, and the next run sends it again", async () => {
  shelf = ["active", "filling"];
  service.plan("create", () => ({}));
  await expect(run().jar().up(args)).rejects.toThrow(
    "create Jar plum of shelf 12: the service accepted the request, but no object appeared. " +
      "The next `pulumi up` looks for it once more, and then requests it again",
  );
  service.requests.length = 0;
  await run().jar().up(args);
  expect(service.requests).toEqual([
    // The preview reads the list too.
    ...["list", ...["list", "list", "list"]],
    ...["list", 'create {"label":"plum"}', "list"],
  ]);
});

describe("a run that was killed", () => {
  const automatic = { shelfId: "12", __resourceName: "my-jar", __urn: "urn:jar" };

  test("during the wait is resumed, under the same automatic name and without a second object", async () => {
    shelf = ["active", "filling", killed];
    service.plan("list", (all) => all(), empty);
    await expect(run().jar().up(automatic)).rejects.toThrow("killed");
    const jar = run().jar();
    expect(log.notes).toEqual([]);
    await jar.up(automatic);
    expect(log.notes).toEqual([
      "Jar my-jar: continues with the Jar 12/1, which appeared after an interrupted run requested it",
    ]);
    expect([jar.id, asked()]).toEqual(["12/1", 1]);
    expect(jar.inputs["label"]).toMatch(/^myjar[0-9a-f]{7}$/);
    expect(jar.inputs["label"]).toBe(service.objects.get("1")?.["label"]);
    expect(notes()).toEqual([]);
  });

  test("after its request was accepted is resumed, even if the status lags behind it", async () => {
    shelf = ["active", killed];
    await expect(run().jar().up(args)).rejects.toThrow("killed");
    service.plan("list", ...Array<Reaction>(6).fill(empty));
    const jar = run().jar();
    await jar.up(args);
    expect([jar.id, asked()]).toEqual(["12/1", 1]);
    expect(log.notes).toEqual([
      "Jar urn:plum: an interrupted run requested this Jar: the creation looks for it first, and requests it again only if it does not exist",
    ]);
  });

  test("before the service received the request sends it again when the first one cannot take effect", async () => {
    service.plan("create", notDoneAndLost);
    shelf = ["active", killed];
    await expect(run().jar().up(args)).rejects.toThrow("killed");
    service.requests.length = 0;
    const jar = run().jar();
    await jar.up(args);
    expect(asked()).toBe(1);
    expect(clock.sleeps.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(90_000);
    expect(service.objects.size).toBe(1);
  });

  test("never takes over an older object with the same label", async () => {
    service.add({ label: "plum" });
    shelf = ["active", "filling", killed];
    service.plan("list", (all) => all());
    service.plan("create", (fillIt) => fillIt());
    service.plan("list", empty);
    await expect(run().jar().up(args)).rejects.toThrow("killed");
    const jar = run().jar();
    await jar.up(args);
    expect([jar.id, asked()]).toEqual(["12/2", 1]);
  });

  test("never takes over an object that the engine manages", async () => {
    service.plan("create", notDoneAndLost);
    shelf = ["active", killed];
    await expect(run().jar().up(args)).rejects.toThrow("killed");
    const { jar } = run();
    const other = jar();
    Object.assign(other, {
      id: `12/${service.add({ label: "plum" })}`,
      outputs: { label: "plum", __set: "label" },
    });
    await other.diff({ shelfId: "12", label: "plum" });
    const again = jar();
    await again.up(args);
    expect(again.id).toBe("12/2");
  });

  test("never takes over an object that another stack has created since", async () => {
    service.plan("create", notDoneAndLost);
    shelf = ["active", killed];
    await expect(run().jar().up(args)).rejects.toThrow("killed");
    const theirs = `12/${service.add({ label: "plum" })}`;
    const urn = "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/nodecloud:Jar::plum";
    others = [{ name: "shop/prod", holdersOf: (_, id) => (id === theirs ? [{ urn }] : []), pending: [] }];
    const jar = run().jar();
    await jar.up(args);
    expect(jar.id).toBe("12/2");
  });

  test("never takes over an object that another stack may be creating", async () => {
    service.plan("create", notDoneAndLost);
    shelf = ["active", killed];
    await expect(run().jar().up(args)).rejects.toThrow("killed");
    service.add({ label: "plum" });
    const urn = "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/nodecloud:Jar::plum";
    const pending = [{ operation: "creating", urn, inputs: args }];
    others = [{ name: "shop/prod", holdersOf: () => [], pending }];
    await expect(run().jar().up(args)).rejects.toThrow("it may be that of Jar plum of the stack shop/prod");
    expect(asked()).toBe(1);
  });

  test("long ago causes a new request, because the old one can no longer take effect", async () => {
    shelf = ["active", killed];
    service.plan("create", () => ({}));
    await expect(run().jar().up(args)).rejects.toThrow("killed");
    await clock.advance(6 * 60_000);
    service.requests.length = 0;
    await run().jar().up(args);
    // The preview reads once. The creation reads before its request and three times after it.
    expect(service.requests.slice(0, 6)).toEqual([
      ...Array<string>(5).fill("list"),
      'create {"label":"plum"}',
    ]);
  });

  test("is not resumed by a run with other inputs", async () => {
    shelf = ["active", "filling", killed];
    service.plan("list", (all) => all(), empty);
    await expect(run().jar().up(args)).rejects.toThrow("killed");
    await run()
      .jar()
      .up({ ...args, label: "pear" });
    expect(asked()).toBe(2);
  });

  test("after the object was listed is resumed by its id", async () => {
    log.heard = false;
    await run().jar().up(args);
    log.heard = true;
    const jar = run().jar();
    await jar.up(args);
    expect([jar.id, asked()]).toEqual(["12/1", 1]);
    await settle();
    expect(notes()).toEqual([]);
  });
});

describe("an object that cannot be read at the moment", () => {
  const provisioning = () => refused(400, undefined, "The status must not be unpacking");
  const made = async () => {
    const jar = run().jar();
    await jar.up(args);
    service.requests.length = 0;
    return jar;
  };

  test("is deleted when it can be read", async () => {
    const jar = await made();
    service.plan("read", failing(provisioning()));
    shelf = ["unpacking", "unpacking", "unpacking"];
    await jar.destroy();
    expect(service.requests).toEqual(["read 1", "read 1", "delete 1"]);
    expect(log.lines).toEqual(["shelf unpacking", ""]);
  });

  test("is refreshed when it can be read", async () => {
    const jar = await made();
    service.plan("read", failing(provisioning()));
    shelf = ["unpacking", "unpacking"];
    expect(await jar.refresh()).toBe(false);
  });

  test("for another reason fails at once", async () => {
    const jar = await made();
    service.plan("read", failing(refused(400, undefined, "No")));
    await expect(jar.destroy()).rejects.toThrow("delete Jar plum (12/1): No (400)");
    expect(service.requests).toEqual(["read 1"]);
  });
});
