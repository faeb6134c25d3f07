import { z } from "zod";
import { type Description, output } from "../../../src/provider/describe/define-resource";
import { type StackState, stateIn } from "../../../src/provider/engine/stack-state";
import { setting, update } from "../undocumented";
import { lifecycle } from "../lifecycle";
import { FakeClock } from "../fake-clock";
import { FakeEngine } from "../fake-engine";
import {
  answering,
  failing,
  FakeLog,
  FakeService,
  fakeSession,
  type Reaction,
  refused,
  slowly,
  widgets,
} from "../fake-service";

let service: FakeService;
let clock: FakeClock;
let log: FakeLog;
beforeEach(() => {
  service = new FakeService();
  clock = new FakeClock();
  log = new FakeLog();
});

const engine = (particular: Partial<Description> = {}) =>
  new FakeEngine(lifecycle(fakeSession({ clock, log }), service.description({ ...slowly, ...particular })));

const status = (...statuses: string[]): Reaction[] => statuses.map((one) => answering({ status: one }));

/** An existing active resource. The service's log is empty. */
async function active(
  args: Record<string, unknown> = { label: "web", size: 2 },
  particular?: Partial<Description>,
) {
  service.rewrite = (given) => ({ status: "active", ...given });
  const resource = engine(particular);
  await resource.up(args);
  service.requests.length = 0;
  clock.sleeps.length = 0;
  return resource;
}

/** Writes the label first, and then the size. */
const twoSteps: Partial<Description> = {
  update: async ({ changed, done, inputs, ref }) => {
    for (const name of ["label", "size"].filter((input) => changed(input))) {
      await service.update(ref.id, { [name]: inputs[name] });
      done(name);
    }
  },
};

describe("a creation", () => {
  test("waits for its final status, and stores the object of that time", async () => {
    service.plan("create", answering({ status: "creating", size: 1 }));
    service.plan("read", ...status("creating", "creating", "working"));
    service.rewrite = (given) => ({ ...given, status: "active", port: 3306 });
    const resource = engine();
    await resource.up({ label: "web" });
    expect(resource.outputs).toMatchObject({ status: "active", port: 3306 });
    expect(clock.sleeps).toEqual([1_000, 1_000, 1_000]);
  });

  test("waits for outputs that the service assigns late, even after the final status", async () => {
    const statuses = { ...slowly.statuses, assigned: ["hosts.primary"] };
    const active = (primary: string | null) => answering({ status: "active", hosts: { primary } });
    service.plan("create", answering({ status: "creating", hosts: { primary: null } }));
    service.plan("read", active(null), active(null), active("a.example"));
    const resource = engine({
      statuses,
      outputs: { status: output(z.string(), ""), hosts: output(z.unknown(), "") },
    });
    await resource.up({ label: "web" });
    expect(resource.outputs).toMatchObject({ hosts: { primary: "a.example" } });
    expect(service.requests.filter((request) => request.startsWith("read"))).toHaveLength(3);
  });

  test("does not wait for outputs that the service does not show", async () => {
    service.rewrite = (given) => ({ ...given, status: "active" });
    await engine({ statuses: { ...slowly.statuses, assigned: ["hosts.primary"] } }).up({ label: "web" });
    expect(clock.sleeps).toEqual([]);
  });

  test("shows the usual time first, then the status, and nothing at the end", async () => {
    service.plan("read", ...status("creating", "working"));
    service.rewrite = (given) => ({ ...given, status: "active" });
    await engine().up({ label: "web", __urn: "urn:web" });
    expect(log.lines).toEqual(["creating 0 s of 5 min", "working 0 s of 5 min", ""]);
  });

  test("fails at once if its status will not change, and keeps the resource", async () => {
    service.plan("read", ...status("creating", "failed"));
    const resource = engine();
    await expect(resource.up({ label: "web" })).rejects.toThrow(
      "create Widget web (1): its status is failed, which does not change by itself. " +
        "To replace it, run `pulumi up --replace` with its URN",
    );
    expect(clock.sleeps).toHaveLength(1);
    expect(resource).toMatchObject({ id: "1", unfinished: true });
  });

  test("fails if the object disappears during the wait", async () => {
    service.plan("read", ...status("creating"), failing(refused(404, undefined, "Not found")));
    await expect(engine().up({ label: "web" })).rejects.toThrow(
      "create Widget web (1): it no longer exists: somebody else or the service deleted it",
    );
  });

  test("that times out keeps the resource, and the error says what it waited for and what happens next", async () => {
    service.rewrite = (given) => ({ ...given, status: "creating" });
    const started = clock.now();
    const resource = engine();
    await expect(resource.up({ label: "web", __timeouts: { create: "90s" } })).rejects.toThrow(
      "create Widget web (1): after 90 s it is not active yet; its status is creating. It stays in the state, " +
        "and the next `pulumi up` continues to wait. To wait longer, set customTimeouts.create",
    );
    expect(clock.now() - started).toBe(90_000);
    expect(resource.outputs).toMatchObject({ label: "web", status: "creating", __memory: {} });
  });

  test("has the timeout of the description if the program sets none", async () => {
    service.rewrite = (given) => ({ ...given, status: "creating" });
    const started = clock.now();
    await expect(engine().up({ label: "web" })).rejects.toThrow("after 5 min");
    expect(clock.now() - started).toBe(5 * 60_000);
  });

  test("writes the inputs that its request does not accept afterwards", async () => {
    service.rewrite = (given) => ({ status: "active", ...given });
    const resource = engine({
      create: ({ body }) => {
        const { size, ...rest } = body({ ...slowly.waitsForStatusOf.update, method: "POST" }) as {
          size: number;
        };
        expect(size).toBe(3);
        return service.create(rest);
      },
    });
    await resource.up({ label: "web", size: 3 });
    expect(service.objects.get("1")).toMatchObject({ label: "web" });
  });
});

describe("an unfinished creation", () => {
  const stuck = async () => {
    service.rewrite = (given) => ({ ...given, status: "creating" });
    const resource = engine();
    await expect(resource.up({ label: "web" })).rejects.toThrow("it is not active yet");
    return resource;
  };

  test("is resumed by the next `up`, which waits and creates nothing", async () => {
    const resource = await stuck();
    service.requests.length = 0;
    service.plan("read", ...status("creating", "creating"));
    Object.assign(service.objects.get("1") ?? {}, { status: "active" });
    expect(await resource.up({ label: "web" })).toBe("updated");
    expect(service.requests.every((request) => request === "read 1")).toBe(true);
    expect(resource.outputs).not.toHaveProperty("__memory");
    expect(await resource.up({ label: "web" })).toBe("unchanged");
  });

  test("is resumed even after a refresh, which removes the engine's mark", async () => {
    const resource = await stuck();
    await resource.refresh();
    resource.unfinished = false;
    expect(await resource.preview({ label: "web" })).toMatchObject({ changes: true, replaces: [] });
  });

  test("stores the values that it still needs, and its progress", async () => {
    let broken = true;
    const seen: unknown[] = [];
    service.rewrite = (given) => ({ ...given, status: "active" });
    const resource = engine({
      create: async ({ body, memory }) => {
        memory["key"] = "k";
        return service.create(body(slowly.waitsForStatusOf.update));
      },
      finishCreation: ({ memory }) => {
        seen.push({ ...memory });
        memory["steps"] = 1;
        return broken ? Promise.reject(new Error("the upload broke")) : Promise.resolve();
      },
    });
    await expect(resource.up({ label: "web" })).rejects.toThrow("create Widget web (1): the upload broke");
    expect(resource.outputs).toMatchObject({ __memory: { key: "k", steps: 1 } });
    broken = false;
    await resource.up({ label: "web" });
    expect(seen).toEqual([{ key: "k" }, { key: "k", steps: 1 }]);
    expect(resource.outputs).not.toHaveProperty("__memory");
  });
});

describe("an update", () => {
  test("sends the changed inputs, and whole objects of several inputs", async () => {
    const resource = await active({ label: "web", size: 2, alerts: { cpu: 1, io: 2 } });
    await resource.up({ label: "web", size: 2, alerts: { cpu: 1, io: 3 } });
    expect(service.asked("update")).toEqual(['update 1 {"alerts":{"cpu":1,"io":3}}']);
  });

  test("clears removed inputs explicitly", async () => {
    const resource = await active({ label: "web", size: 2, tags: ["a"] });
    await resource.up({ label: "web" });
    expect(service.asked("update")).toEqual(['update 1 {"size":1,"tags":[]}']);
  });

  test("sends nothing if the object already has the value, and manages the input from then on", async () => {
    const resource = await active({ label: "web" });
    Object.assign(service.objects.get("1") ?? {}, { size: 7 });
    await resource.refresh();
    expect(await resource.up({ label: "web", size: 7 })).toBe("updated");
    expect(service.asked("update")).toEqual([]);
    expect(await resource.up({ label: "web", size: 7 })).toBe("unchanged");
    Object.assign(service.objects.get("1") ?? {}, { size: 8 });
    expect(await resource.refresh()).toBe(true);
  });

  test("waits for the status in which the service accepts it", async () => {
    const resource = await active();
    service.plan("read", ...status("active", "working", "working", "active"));
    await resource.up({ label: "web", size: 3 });
    expect(service.requests.slice(0, 5)).toEqual([
      "read 1",
      "read 1",
      "read 1",
      "read 1",
      'update 1 {"size":3}',
    ]);
  });

  test("also waits for that status if the object is not busy, such as a suspended one", async () => {
    const resource = await active();
    service.plan("read", ...status("suspended", "suspended", "suspended"));
    await resource.up({ label: "web", size: 3 });
    expect(service.requests.slice(0, 5)).toEqual([
      ...["read 1", "read 1", "read 1", "read 1"],
      'update 1 {"size":3}',
    ]);
  });

  test("fails at once if the object has failed, because the service would refuse it", async () => {
    const resource = await active();
    Object.assign(service.objects.get("1") ?? {}, { status: "failed" });
    await expect(resource.up({ label: "web", size: 3 })).rejects.toThrow(
      "update Widget web (1): its status is failed, which does not change by itself",
    );
    expect(clock.sleeps).toEqual([]);
  });

  test("stores settings that the program changes together with it", async () => {
    const fields = { size: update(z.int()), mode: setting(z.string()) };
    const resource = await active({ size: 1, mode: "fast" }, { fields });
    expect(await resource.up({ size: 1, mode: "slow" })).toBe("unchanged");
    await resource.up({ size: 2, mode: "slow" });
    expect(resource.outputs).toMatchObject({ size: 2, mode: "slow" });
    expect(service.asked("update")).toEqual(['update 1 {"size":2}']);
  });

  test("ends only when a read returns the written values, even after stale reads", async () => {
    const resource = await active();
    service.plan("read", ...status("active", "active"), ...[2, 2].map((size) => answering({ size })));
    await resource.up({ label: "web", size: 3 });
    expect(resource.outputs["size"]).toBe(3);
    expect(service.requests.slice(3)).toEqual(["read 1", "read 1", "read 1"]);
  });

  test("ends only when the object is no longer busy", async () => {
    const resource = await active();
    service.plan("read", ...status("active", "active", "working", "working"));
    await resource.up({ label: "web", size: 3 });
    expect(resource.outputs["status"]).toBe("active");
    expect(clock.sleeps).toEqual([1_000, 1_000]);
  });

  test("ends when a read returns the service's rewritten values", async () => {
    const resource = await active();
    service.rewrite = (given) => ({ ...given, ...("size" in given ? { size: 300 } : {}) });
    await resource.up({ label: "web", size: 299 });
    expect(resource.outputs).toMatchObject({ size: 300, __sent: { size: 299 } });
    expect(clock.sleeps).toEqual([]);
    expect(await resource.up({ label: "web", size: 299 })).toBe("unchanged");
    expect(await resource.refresh()).toBe(false);
  });

  test("ends even if the service keeps the old value", async () => {
    const resource = await active();
    service.rewrite = ({ size: _, ...given }) => given;
    await resource.up({ label: "web", size: 3 });
    expect(resource.outputs).toMatchObject({ size: 2, __sent: { size: 3 } });
    expect(clock.sleeps).toHaveLength(3);
  });

  test("that the service refuses leaves the state as it was", async () => {
    const resource = await active();
    service.plan("update", failing(refused(400, "size", "is too large")));
    await expect(resource.up({ label: "web", size: 3 })).rejects.toThrow(
      "update Widget web (1): size: is too large (400)",
    );
    expect(resource).toMatchObject({ id: "1", unfinished: false, outputs: { size: 2, status: "active" } });
    await resource.up({ label: "web", size: 3 });
    expect(service.objects.get("1")).toMatchObject({ size: 3 });
  });

  test("that is refused because the status has changed since the read waits and is sent again", async () => {
    const resource = await active();
    service.plan("update", failing(refused(400, undefined, "The status must be active")));
    service.plan("read", ...status("active", "active", "working", "working"));
    await resource.up({ label: "web", size: 3 });
    expect(service.requests.slice(0, 7)).toEqual([
      ...["read 1", "read 1", 'update 1 {"size":3}'],
      ...["read 1", "read 1", "read 1", 'update 1 {"size":3}'],
    ]);
    expect(service.objects.get("1")).toMatchObject({ size: 3 });
  });

  test("that is refused without a reason in the status is sent at most three times", async () => {
    const resource = await active();
    const notNow = failing(refused(400, undefined, "The status must be active"));
    service.plan("update", notNow, notNow);
    await resource.up({ label: "web", size: 3 });
    expect(service.asked("update")).toHaveLength(3);
    expect(clock.sleeps).toEqual([2_000, 2_000]);

    service.plan("update", notNow, notNow, notNow);
    await expect(resource.up({ label: "web", size: 4 })).rejects.toThrow(
      "update Widget web (1): The status must be active (400)",
    );
    expect(service.asked("update")).toHaveLength(6);
    expect(resource.outputs).toMatchObject({ size: 3 });
  });

  test("that the service refuses because of an input, also a nested one, is sent once", async () => {
    const resource = await active();
    service.plan("update", failing(refused(400, "label.parts[0]", "is reserved")));
    await expect(resource.up({ label: "www", size: 3 })).rejects.toThrow("is reserved");
    expect(service.asked("update")).toHaveLength(1);
  });

  test("that is refused midway because of the status repeats only the rest", async () => {
    const resource = await active({ label: "web", size: 2 }, twoSteps);
    service.plan("update", (run) => run(), failing(refused(400, undefined, "The status must be active")));
    service.plan("read", ...status("active", "active", "working"));
    await resource.up({ label: "www", size: 3 });
    expect(service.asked("update")).toEqual([
      'update 1 {"label":"www"}',
      'update 1 {"size":3}',
      'update 1 {"size":3}',
    ]);
  });

  test("waits for the precondition of the changed inputs", async () => {
    const either = { ...widgets.update, status: { only: ["active", "suspended"] } };
    const resource = await active(undefined, {
      waitsForStatusOf: { update: (changed) => (changed("size") ? either : widgets.update) },
    });
    Object.assign(service.objects.get("1") ?? {}, { status: "suspended" });
    service.rewrite = (given) => given;
    await resource.up({ label: "web", size: 3 });
    expect(clock.sleeps).toEqual([]);
    service.plan("read", ...status("suspended", "suspended"));
    Object.assign(service.objects.get("1") ?? {}, { status: "active" });
    await resource.up({ label: "www", size: 3 });
    expect(clock.sleeps).toEqual([1_000]);
  });

  test("that was interrupted while the object was busy waits for the end, and sends nothing again", async () => {
    const resource = await active();
    service.plan(
      "read",
      ...status("active", "active", "working"),
      failing(refused(403, undefined, "Not allowed")),
    );
    await expect(resource.up({ label: "web", size: 3 })).rejects.toThrow("Not allowed");
    service.plan("read", ...status("working", "working"));
    service.requests.length = 0;
    expect(await resource.up({ label: "web", size: 3 })).toBe("updated");
    expect(service.requests).toEqual(["read 1", "read 1", "read 1"]);
    expect(resource.outputs["status"]).toBe("active");
  });

  test("that fails midway keeps the finished steps, and the next `up` does the rest", async () => {
    const resource = await active();
    service.plan(
      "read",
      (run) => run(),
      (run) => run(),
      failing(refused(403, undefined, "Not allowed")),
    );
    await expect(resource.up({ label: "web", size: 3 })).rejects.toThrow("Not allowed");
    expect(resource).toMatchObject({ id: "1", unfinished: true });
    expect(resource.outputs).not.toHaveProperty("__memory");
    expect(resource.outputs["__sent"]).toEqual({ size: 3 });
    await resource.up({ label: "web", size: 3 });
    expect(service.asked("update")).toEqual(['update 1 {"size":3}']);
  });

  test("of a missing object fails and says what to do", async () => {
    const resource = await active();
    service.objects.clear();
    await expect(resource.up({ label: "web", size: 3 })).rejects.toThrow(
      "update Widget web (1): it no longer exists. Run `pulumi refresh` to remove it from the state; the next `pulumi up` then creates it again",
    );
  });

  test("does not wait if the object has no status", async () => {
    const resource = await active({ label: "web" }, { statuses: undefined as never });
    await resource.up({ label: "web", size: 3 });
    expect(service.requests).toEqual(["read 1", 'update 1 {"size":3}']);
    expect(resource.outputs["size"]).toBe(3);
  });
});

describe("a deletion", () => {
  const ofEither: [string, Partial<Description>][] = [
    ["a status", {}],
    ["no status", { statuses: undefined as never }],
  ];

  test("waits until the service accepts it, and then until the object is gone", async () => {
    const resource = await active();
    service.plan("read", ...status("cloning", "cloning", "active"));
    service.plan("delete", (run) => {
      service.plan("read", ...[1, 2].map((): Reaction => () => ({ id: 1, status: "deleting" })));
      return run();
    });
    await resource.destroy();
    expect(service.objects.size).toBe(0);
    expect(service.asked("delete")).toEqual(["delete 1"]);
    expect(clock.sleeps).toHaveLength(3);
  });

  test("that is refused because the status has changed since the read waits and is sent again", async () => {
    const resource = await active();
    service.plan("delete", failing(refused(400, undefined, "The status must not be cloning")));
    service.plan("read", ...status("active", "active", "cloning", "cloning"));
    await resource.destroy();
    expect(service.asked("delete")).toHaveLength(2);
    expect(service.objects.size).toBe(0);
  });

  const cannotDelete = failing(refused(400, undefined, "CannotDelete"));
  const denied = failing(refused(404, undefined, "Not found"));
  const sleptSeconds = () => clock.sleeps.reduce((sum, ms) => sum + ms, 0) / 1_000;

  test.each(ofEither)(
    "of an object with %s is repeated while the service refuses it",
    async (_, particular) => {
      const resource = await active(undefined, particular);
      service.plan("delete", ...Array.from({ length: 5 }, () => cannotDelete));
      await resource.destroy();
      expect(service.objects.size).toBe(0);
      expect(service.asked("delete")).toHaveLength(6);
    },
  );

  test.each(ofEither)(
    "of an object with %s fails with the reason after two minutes of refusals",
    async (_, particular) => {
      const resource = await active(undefined, particular);
      service.plan("delete", ...Array.from({ length: 50 }, () => cannotDelete));
      await expect(resource.destroy()).rejects.toThrow("delete Widget web (1): CannotDelete (400)");
      expect(sleptSeconds()).toBe(120);
    },
  );

  test("that the service refuses to this user is not repeated", async () => {
    const resource = await active();
    service.plan("delete", failing(refused(403, undefined, "Unauthorized")));
    await expect(resource.destroy()).rejects.toThrow("Unauthorized (403)");
    expect(service.asked("delete")).toHaveLength(1);
  });

  test.each(ofEither)(
    "of an object with %s is repeated while the service answers 404 and the object can be read",
    async (_, particular) => {
      const resource = await active(undefined, particular);
      service.plan("delete", denied, denied);
      await resource.destroy();
      expect(service.objects.size).toBe(0);
      expect(service.asked("delete")).toHaveLength(3);
    },
  );

  test("that is answered with 404 for two minutes, while the object can be read, fails with that reason", async () => {
    const resource = await active(undefined, { statuses: undefined as never });
    service.plan("delete", ...Array.from({ length: 50 }, () => denied));
    await expect(resource.destroy()).rejects.toThrow(
      "delete Widget 1: the service answers that it does not exist (404), but it can still be read. " +
        "It stays in the state; the next run tries again",
    );
    expect(sleptSeconds()).toBe(120);
  });

  test("of a missing object succeeds after two answers of 404", async () => {
    const resource = await active();
    service.objects.clear();
    await resource.destroy();
    expect(service.requests).toEqual(["read 1", "delete 1"]);
  });

  test("of an object that one read does not find still deletes it", async () => {
    const resource = await active();
    service.plan("read", denied);
    await resource.destroy();
    expect(service.objects.size).toBe(0);
  });

  test("of an object that disappears at the same time succeeds", async () => {
    const resource = await active();
    service.plan("delete", (run) => {
      run();
      throw refused(404, undefined, "Not found");
    });
    await expect(resource.destroy()).resolves.toBeUndefined();
  });

  test("of an object that disappears during the wait for the precondition succeeds", async () => {
    const resource = await active();
    service.plan("read", ...status("cloning", "cloning"), failing(refused(404, undefined, "Not found")));
    await expect(resource.destroy()).resolves.toBeUndefined();
  });

  test("of a failed object succeeds", async () => {
    const resource = await active();
    Object.assign(service.objects.get("1") ?? {}, { status: "failed" });
    await resource.destroy();
    expect(service.objects.size).toBe(0);
  });

  test("that times out keeps the resource, and the error says that the next run tries again", async () => {
    const resource = await active();
    service.plan("delete", () => ({}));
    await expect(resource.destroy()).rejects.toThrow(
      "delete Widget web (1): after 5 min it is not gone yet; its status is active. It stays in the state; the next run tries again. " +
        "To wait longer, set customTimeouts.delete",
    );
  });

  test("has the timeout that the program set at creation", async () => {
    const resource = await active({ label: "web", __timeouts: { delete: "1h" } });
    service.plan("delete", () => ({}));
    await expect(resource.destroy()).rejects.toThrow("after 60 min");
  });

  test("without an operation in the API keeps the object, with a warning", async () => {
    const resource = await active(undefined, {
      delete: undefined as never,
      undeletable: "the API has no operation for it",
    });
    await resource.destroy();
    expect(service.objects.size).toBe(1);
    expect(log.warnings).toEqual([
      "Widget web (1): stays in the account as 1: the API has no operation for it",
    ]);
  });

  describe("without an operation in the API, while the state has an interrupted creation of it,", () => {
    const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/nodecloud:Widget::web";
    let state: StackState;
    beforeEach(() => {
      state = stateIn({
        pending_operations: [{ type: "creating", resource: { urn, inputs: { label: "web" } } }],
      });
    });
    const lasting = { ...slowly, delete: undefined as never, undeletable: "the API has no operation for it" };
    const inAProcess = () =>
      lifecycle(fakeSession({ log, readState: () => Promise.resolve(state) }), service.description(lasting));
    const created = async () => {
      service.rewrite = (given) => ({ ...given, status: "active" });
      const resource = new FakeEngine(inAProcess());
      await resource.up({ label: "web", __urn: urn });
      return resource;
    };

    test("fails, because that would name the object for the next one", async () => {
      const { id, outputs } = await created();
      const later = Object.assign(new FakeEngine(inAProcess()), { id, outputs });
      await expect(later.destroy()).rejects.toThrow(
        "delete Widget web (1): the state still has an interrupted creation of this resource, and the Widget 1 cannot be deleted: " +
          "a later creation would take it for its own. Run `pulumi refresh --clear-pending-creates` first",
      );
      expect(log.warnings).toEqual([]);
    });

    test("keeps the object if the interrupted creation has asked for another one", async () => {
      const { id, outputs } = await created();
      const asked = { urn, inputs: { label: "other" } };
      state = stateIn({ pending_operations: [{ type: "creating", resource: asked }] });
      const later = Object.assign(new FakeEngine(inAProcess()), { id, outputs });
      await later.destroy();
      expect(log.warnings).toHaveLength(1);
    });

    test("keeps the object if that is the creation of this run", async () => {
      await (await created()).destroy();
      expect(log.warnings).toEqual([
        "Widget web: stays in the account as 1: the API has no operation for it",
      ]);
    });
  });
});
