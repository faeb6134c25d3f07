import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConnectionError } from "../../../src/api/errors";
import { type Description } from "../../../src/provider/describe/define-resource";
import { lifecycle } from "../lifecycle";
import { Shutdown } from "../../../src/provider/run/shutdown";
import { stateIn } from "../../../src/provider/engine/stack-state";
import { startOf } from "../../../src/provider/base/runs";
import { type Properties } from "../../../src/provider/base/values";
import { FakeClock, settle } from "../fake-clock";
import { FakeEngine } from "../fake-engine";
import {
  answering,
  doneButLost,
  failing,
  FakeLog,
  FakeService,
  fakeSession,
  lost,
  notDoneAndLost,
  type Reaction,
  refused,
  timedOut,
  slowly,
} from "../fake-service";

let service: FakeService;
let clock: FakeClock;
beforeEach(() => {
  service = new FakeService();
  clock = new FakeClock();
});

/** Resources of one program, in one plugin process. */
function program(particular: Partial<Description> = {}, options: Parameters<typeof fakeSession>[0] = {}) {
  const provider = lifecycle(fakeSession({ clock, ...options }), service.description(particular));
  return { resource: () => new FakeEngine(provider) };
}

const labels = () => [...service.objects.values()].map(({ label }) => label);

describe("a lost answer to a creation", () => {
  test("is replaced by a lookup, which finds the object, so no second object is created", async () => {
    service.plan("create", doneButLost);
    const resource = program().resource();
    expect(await resource.up({ label: "web" })).toBe("created");
    expect(resource.id).toBe("1");
    expect(service.asked("create")).toHaveLength(1);
    expect(await resource.up({ label: "web" })).toBe("unchanged");
  });

  test("causes another request if three lookups find nothing", async () => {
    service.plan("create", notDoneAndLost);
    const resource = program().resource();
    await resource.up({ label: "web" });
    expect(labels()).toEqual(["web"]);
    expect(service.requests).toEqual([
      "list",
      'create {"label":"web"}',
      ...["list", "list", "list"],
      'create {"label":"web"}',
    ]);
    expect(clock.sleeps).toEqual([2_000, 2_000]);
  });

  test("is replaced by a lookup even if the list lags", async () => {
    service.plan("create", doneButLost);
    service.plan(
      "list",
      (run) => run(),
      () => ({ items: [] }),
      () => ({ items: [] }),
    );
    const resource = program().resource();
    await resource.up({ label: "web" });
    expect(resource.id).toBe("1");
    expect(service.asked("create")).toHaveLength(1);
  });

  test("fails after three attempts, and the error says what to do", async () => {
    service.plan("create", notDoneAndLost, notDoneAndLost, notDoneAndLost);
    await expect(program().resource().up({ label: "web" })).rejects.toThrow(
      'create Widget web: the connection broke; it is unknown whether it was created. The next `pulumi up` on this machine looks for it first, by label "web", and requests it again only if it does not exist',
    );
    expect(service.asked("create")).toHaveLength(3);
  });

  test("causes no other request if lookups are not possible", async () => {
    service.plan("list", failing(refused(500, undefined, "Not now")));
    service.plan("create", doneButLost);
    await expect(program().resource().up({ label: "web" })).rejects.toThrow(
      "it is unknown whether it was created",
    );
    expect(service.asked("create")).toHaveLength(1);
  });

  test("does not take over an equal object that existed before", async () => {
    service.add({ label: "web" });
    service.plan("create", doneButLost);
    const resource = program().resource();
    await resource.up({ label: "web" });
    expect(resource.id).toBe("2");
  });

  test("does not take over an equal object of this program", async () => {
    const { resource } = program();
    await resource().up({ label: "web" });
    service.plan("create", notDoneAndLost);
    const second = resource();
    await second.up({ label: "web" });
    expect(second.id).toBe("2");
    expect(labels()).toEqual(["web", "web"]);
  });

  test("does not take over an equal object that another stack has created meanwhile", async () => {
    service.plan("create", notDoneAndLost);
    service.plan("list", (run) => {
      if (service.objects.size === 0) service.add({ label: "web" });
      return run();
    });
    const urn = "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/nodecloud:Widget::web";
    const others = [
      {
        name: "shop/prod",
        holdersOf: (_: string, id: string) => (id === "1" ? [{ urn }] : []),
        pending: [],
      },
    ];
    const readOthers = () => Promise.resolve({ stacks: others, unread: 0 });
    const resource = program({}, { readOthers }).resource();
    await resource.up({ label: "web" });
    expect(resource.id).toBe("2");
  });

  test.each([
    ["MysqlDatabase::web", "creating", { label: "web" }, true],
    ["Widget::web", "creating", { label: "web" }, false],
    ["Widget::web", "creating", { label: "web2" }, true],
    ["Widget::web", "updating", { label: "web" }, true],
    ["Widget::web", "creating", { label: "web", __askedAt: "api.elsewhere#123456" }, true],
  ])(
    "takes over an equal object unless another stack may be creating it: %s, %s with %j",
    async (resource, operation, inputs, isTaken) => {
      const saved: string[] = [];
      service.plan("create", (run) => {
        // Its run begins after this one has asked about other stacks.
        saved.push(`urn:pulumi:prod::shop::nodecloud:index:${resource}`);
        return doneButLost(run);
      });
      const readOthers = () => {
        const pending = saved.map((urn) => ({ operation, urn, inputs }));
        return Promise.resolve({ stacks: [{ name: "shop/prod", holdersOf: () => [], pending }], unread: 0 });
      };
      const widget = program({}, { readOthers }).resource();
      const up = widget.up({ label: "web" });
      if (isTaken) await up;
      else
        await expect(up).rejects.toThrow(
          "the Widget 1 is equal, and it may be that of Widget web of the stack shop/prod, which a run is creating, or was when it was interrupted. Run this again when that run has ended",
        );
      expect(labels()).toEqual(["web"]);
    },
  );

  test("does not take over an object with another name", async () => {
    service.plan("create", (run) => {
      service.add({ label: "web2" });
      return notDoneAndLost(run);
    });
    const resource = program().resource();
    await resource.up({ label: "web" });
    expect(service.objects.get(resource.id ?? "")).toMatchObject({ label: "web" });
  });

  test("causes the deletion of an unusable object, and the creation of another one", async () => {
    service.plan("create", doneButLost);
    const resource = program({ isWhole: ({ id }) => id !== 1 }).resource();
    await resource.up({ label: "web" });
    expect([...service.objects.keys()]).toEqual([resource.id]);
    expect(service.requests.slice(-4)).toEqual([
      'create {"label":"web"}',
      "list",
      "delete 1",
      'create {"label":"web"}',
    ]);
  });

  test.each([
    ["completed or written in another case", "web", "WEB.example.org"],
    ["spelled as another form of the same address", "2001:DB8:0::1", "2001:db8::1"],
  ])("takes over an object that the service has %s", async (_, label, rewritten) => {
    service.plan("create", doneButLost);
    service.rewrite = (given) => ({ ...given, label: rewritten });
    const resource = program().resource();
    await resource.up({ label });
    expect(service.asked("create")).toHaveLength(1);
    expect(await resource.up({ label })).toBe("unchanged");
  });

  test.each<[string, Properties, Properties]>([
    ["whose name begins with its own", { label: "www.test" }, { label: "www" }],
    ["whose name its own begins with", { label: "www" }, { label: "www.test" }],
    ["that has a name, where it has none", { label: "www", size: 2 }, { size: 2 }],
  ])("does not take over an object that is another resource's %s", async (_, early, late) => {
    const { resource } = program({ identity: ["label", "size"] });
    const [one, two] = [resource(), resource()];
    let found: () => void = () => undefined;
    const secondIsDone = new Promise<void>((resolve) => (found = resolve));
    // The first object is created and its answer is pending while the second creation looks for its own object.
    const unanswered: Reaction = async (run) => {
      run();
      await secondIsDone;
      throw lost();
    };
    service.plan("create", unanswered, doneButLost);
    const first = one.up(early);
    while (service.asked("create").length === 0) await settle();
    await Promise.all([first, two.up(late).finally(found)]);
    expect(service.objects.get(one.id ?? "")).toMatchObject(early);
    expect(service.objects.get(two.id ?? "")).toStrictEqual({ id: Number(two.id), ...late });
    expect(service.objects.size).toBe(2);
  });
});

test("equal resources of one program get separate objects, even if their creations overlap", async () => {
  const home = mkdtempSync(join(tmpdir(), "creation-"));
  try {
    const log = new FakeLog();
    const { resource } = program({}, { home, log });
    const [one, two] = [resource(), resource()];
    let second: Promise<unknown> | undefined;
    // The second creation begins while the engine receives the result of the first.
    log.engineIsAlive = () => {
      second ??= two.up({ label: "same" });
      return settle().then(() => true);
    };
    await one.up({ label: "same" });
    await second;
    expect([one.id, two.id]).toEqual(["1", "2"]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

describe("a creation with an unknown outcome", () => {
  const nameless = { unique: undefined } as unknown as Partial<Description>;
  const away = failing(
    new ConnectionError({
      operation: "GET /widgets",
      problem: "could not connect",
      code: "CONNECTION_REFUSED",
      host: "api.example",
    }),
  );
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "creation-"));
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });
  const up = (inputs: Properties = { label: "web" }) => {
    const resource = program(nameless, { home }).resource();
    return resource.up(inputs).then(() => resource);
  };
  const unknown =
    "it is unknown whether it was created. The next `pulumi up` on this machine looks for it first, by label";

  test("after the API becomes unreachable fails with that reason, and the next run takes over the object", async () => {
    service.plan("create", doneButLost);
    service.plan("list", (run) => run(), away);
    await expect(up()).rejects.toThrow(unknown);
    expect((await up()).id).toBe("1");
    expect(service.asked("create")).toHaveLength(1);
  });

  test("of equal resources continues with one object each, even at the same time", async () => {
    const both = async () => {
      const { resource } = program(nameless, { home });
      const resources = ["one", "two"].map((name) => {
        const engine = resource();
        return { engine, ended: engine.up({ label: "web", __urn: `urn:pulumi:dev::app::Widget::${name}` }) };
      });
      const ended = await Promise.allSettled(resources.map((one) => one.ended));
      return { ended, ids: resources.map(({ engine }) => engine.id).sort() };
    };
    service.plan("create", doneButLost, doneButLost);
    service.plan("list", (run) => run(), away, away);
    expect((await both()).ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await both()).ids).toEqual(["1", "2"]);
    expect(service.objects.size).toBe(2);
  });

  test("names the lost answer, and then the reason for which nobody could look", async () => {
    service.plan("create", doneButLost);
    service.plan("list", (run) => run(), away);
    await expect(up()).rejects.toThrow(
      /^create Widget web: the connection broke; then could not connect.*; it is unknown whether it was created/,
    );
  });

  test("after a timeout is not repeated in the same run, and in the next one only when the first request cannot take effect", async () => {
    service.plan("create", failing(timedOut()));
    await expect(up()).rejects.toThrow(unknown);
    expect(service.asked("create")).toHaveLength(1);
    const began = clock.now();
    expect((await up()).id).toBe("1");
    expect(service.asked("create")).toHaveLength(2);
    expect(clock.now() - began).toBeGreaterThan(80_000);
  });

  /** An equal object appears after so many lists. */
  const appearsAfter = (lists: number) =>
    service.plan("list", ...new Array<Reaction>(lists).fill((run) => run()), (run) => {
      service.add({ label: "web" });
      return run();
    });

  test("after a timeout is found by the waiting next run if the service executes it late", async () => {
    service.plan("create", failing(timedOut()));
    await expect(up()).rejects.toThrow(unknown);
    appearsAfter(2);
    expect((await up()).id).toBe("1");
    expect(service.asked("create")).toHaveLength(1);
  });

  test("after a timeout is refused as soon as an object appears that another stack may be creating", async () => {
    service.plan("create", failing(timedOut()));
    await expect(up()).rejects.toThrow(unknown);
    appearsAfter(3);
    const urn = "urn:pulumi:prod::shop::nodecloud:index:Widget::web";
    const pending = [{ operation: "creating", urn, inputs: { label: "web" } }];
    const stacks = [{ name: "shop/prod", holdersOf: () => [], pending }];
    const readOthers = () => Promise.resolve({ stacks, unread: 0 });
    const began = clock.now();
    await expect(program(nameless, { home, readOthers }).resource().up({ label: "web" })).rejects.toThrow(
      "the Widget 1 has the same content, and it may be that of Widget web of the stack shop/prod",
    );
    expect(clock.now() - began).toBeLessThan(80_000);
    expect(service.asked("create")).toHaveLength(1);
  });

  test("of an object with a unique name is repeated, because the service creates it only once", async () => {
    service.plan("create", failing(timedOut()));
    const resource = program({}, { home }).resource();
    await resource.up({ label: "web" });
    expect(service.asked("create")).toHaveLength(2);
  });

  test("names the duplicate if an earlier request was executed late", async () => {
    const log = new FakeLog();
    service.plan("create", notDoneAndLost, (run) => {
      service.add({ label: "web" });
      return run();
    });
    const resource = program(nameless, { home, log }).resource();
    await resource.up({ label: "web" });
    expect(resource.id).toBe("2");
    expect(log.warnings).toEqual([
      "Widget web: it was created twice, because the answer to the first request was lost: this resource is the Widget 2. Delete the Widget 1",
    ]);
  });
});

describe("the note of another run that is still running", () => {
  let home: string;
  let other: ChildProcess;
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), "creation-"));
    other = spawn(process.execPath, ["-e", "process.stdout.write('1'); setInterval(() => undefined, 1000)"]);
    await once(other.stdout ?? other, "data");
  });
  afterEach(async () => {
    await end();
    rmSync(home, { recursive: true, force: true });
  });
  const end = async () => {
    if (other.exitCode !== null || other.signalCode !== null) return;
    const ended = once(other, "exit");
    other.kill();
    await ended;
  };
  const urn = "urn:pulumi:dev::app::Widget::web";
  const args = { label: "web", __urn: urn };

  /** Leaves the note of the other process that it has created the object. */
  async function noteOfOther(): Promise<void> {
    const log = new FakeLog();
    log.heard = false;
    await program({}, { home, log }).resource().up(args);
    const folder = join(home, "nodecloud", "creations");
    for (const name of readdirSync(folder)) {
      const note = JSON.parse(readFileSync(join(folder, name), "utf8")) as { run: object };
      const started = startOf(other.pid ?? 0);
      writeFileSync(
        join(folder, name),
        JSON.stringify({ ...note, run: { ...note.run, pid: other.pid, started } }),
      );
    }
  }

  test.each([
    ["is not said to be what an interrupted run has left", true, []],
    ["is said to be that once the other run has ended", false, ["Widget web (1)"]],
  ])("%s, as long as its request has no answer", async (_, isGoingOn, left) => {
    await noteOfOther();
    const folder = join(home, "nodecloud", "creations");
    for (const name of readdirSync(folder)) {
      const note = JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
      const asked = { ...note, id: undefined, before: [], accepted: false };
      writeFileSync(join(folder, name), JSON.stringify(asked));
    }
    if (!isGoingOn) await end();
    const pending = {
      type: "creating",
      resource: { urn: "urn:pulumi:dev::app::nodecloud:index:Widget::web", inputs: { label: "web" } },
    };
    const readState = () => Promise.resolve(stateIn({ pending_operations: [pending] }));
    const log = new FakeLog();
    const options = { home, log, validate: true, resume: true, readState };
    await program({}, options).resource().check({ label: "api", __urn: "urn:pulumi:dev::app::Widget::api" });
    const said = log.notes.filter((line) => line.includes("does not have what they may have created"));
    expect(said.map((line) => /created: (.*?)\. /.exec(line)?.[1])).toEqual(left);
  });

  test("is not resumed by a preview, which says so", async () => {
    await noteOfOther();
    const log = new FakeLog();
    await program({}, { home, log, validate: true }).resource().check(args);
    expect(log.notes).toEqual([
      `Widget web: another run (process ${other.pid}) is creating this Widget now: this run does not take over the new object`,
    ]);
  });

  test("makes an `up`, which holds the stack's lock, wait and then resume", async () => {
    await noteOfOther();
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms, signal) => {
      await end();
      return sleep(ms, signal);
    };
    const resource = program({}, { home }).resource();
    await resource.up(args);
    expect(resource.id).toBe("1");
    expect(clock.sleeps).toEqual([1_000]);
    expect(service.asked("create")).toHaveLength(1);
  });

  test("that its engine has heard of meanwhile refuses the creation, as the run goes on although its lock was removed", async () => {
    await noteOfOther();
    const folder = join(home, "nodecloud", "creations");
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms, signal) => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      return sleep(ms, signal);
    };
    const resource = program({}, { home }).resource();
    await expect(resource.up(args)).rejects.toThrow(
      `another run (process ${other.pid}) has created this resource meanwhile, or tried to`,
    );
    expect(service.asked("create")).toHaveLength(1);
  });

  describe("about an object that appears while another resource waits for a lost answer", () => {
    /** Creates another resource with the same label. Its request is lost, and the other run's object appears. */
    async function createdMeanwhile(before = () => Promise.resolve()): Promise<string | undefined> {
      await noteOfOther();
      await before();
      const made = service.objects.get("1") ?? {};
      service.objects.clear();
      service.plan("create", () => {
        service.objects.set("1", made);
        throw lost();
      });
      const resource = program({ unique: "none" }, { home }).resource();
      await resource.up({ ...args, __urn: urn.replace("web", "api") });
      return resource.id;
    }

    test("keeps the other resource from taking it", async () => {
      expect(await createdMeanwhile()).toBe("2");
    });

    test("does not keep it from that once the other run has ended", async () => {
      expect(await createdMeanwhile(end)).toBe("1");
    });
  });

  test("does not affect a stack of the same name in another backend", async () => {
    await noteOfOther();
    service.objects.clear();
    const resource = program({ unique: "none" }, { home, backend: "file:///other" }).resource();
    await resource.up(args);
    expect(resource.id).toBe("2");
    expect(clock.sleeps).toEqual([]);
  });
});

describe("the error of a taken unique label", () => {
  const taken = failing(refused(400, "label", "must be unique"));

  test("gives the option import and the id of the object with the label", async () => {
    service.add({ label: "other" });
    const id = service.add({ label: "web" });
    service.plan("create", taken);
    await expect(program().resource().up({ label: "web" })).rejects.toThrow(
      "create Widget web: label: must be unique (400). " +
        `To manage the existing Widget, give this resource the option import: "${id}"`,
    );
  });

  test("has no id if the object cannot be found", async () => {
    service.plan("create", taken);
    await expect(program().resource().up({ label: "web" })).rejects.toThrow(
      /^create Widget web: label: must be unique \(400\) \[NC1005\]$/,
    );
  });

  test("has no id if the lookup fails", async () => {
    service.plan("list", (run) => run(), failing(refused(500, undefined, "Not now")));
    service.plan("create", taken);
    await expect(program().resource().up({ label: "web" })).rejects.toThrow(
      /^create Widget web: label: must be unique \(400\) \[NC1005\]$/,
    );
  });

  test("does not replace other refusals, which cause no lookup", async () => {
    service.add({ label: "web" });
    service.plan("create", failing(refused(400, "size", "is too large")));
    await expect(program().resource().up({ label: "web" })).rejects.toThrow(
      /^create Widget web: size: is too large \(400\) \[NC1005\]$/,
    );
    expect(service.asked("list")).toHaveLength(1);
  });
});

describe("a name of another resource in the program", () => {
  const told =
    /^(create|update) Widget web.*: label: is taken \(400\)\. The Widget 1 of this program has this name\. If another resource of this program gives up the name in the same run, add that resource to the option dependsOn/;
  const taken = failing(refused(400, "label", "is taken"));

  /** A program with a resource of this name, and another resource. */
  async function managed() {
    const one = program();
    const holder = one.resource();
    await holder.up({ label: "web" });
    await holder.preview({ label: "web" });
    return one.resource();
  }

  test("is named by the error of a refused creation", async () => {
    const other = await managed();
    service.plan("create", taken);
    await expect(other.up({ label: "web" })).rejects.toThrow(told);
  });

  test("is named by the error of a refused update", async () => {
    const other = await managed();
    await other.up({ label: "other" });
    service.plan("update", taken);
    await expect(other.up({ label: "web" })).rejects.toThrow(told);
  });
});

describe("a creation whose run was killed", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "creation-"));
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  const particular = { ...slowly, autoname: { path: "label", max: 20 } } satisfies Partial<Description>;
  const args = { size: 2, region: "us-east", __resourceName: "web", __urn: "urn:web" };

  /** Creates a resource in a process that is killed during the wait, before the engine receives a result. */
  async function killed(inputs: Properties = args): Promise<void> {
    const log = new FakeLog();
    log.heard = false;
    service.plan("create", answering({ status: "creating" }));
    service.plan("read", failing(new Error("killed")));
    await expect(program(particular, { home, log }).resource().up(inputs)).rejects.toThrow("killed");
    for (const object of service.objects.values()) object["status"] = "active";
  }

  test("is resumed by the next run, under the same automatic name", async () => {
    await killed();
    const [made] = [...service.objects.values()];
    const resource = program(particular, { home }).resource();
    expect(await resource.up(args)).toBe("created");
    expect(resource.id).toBe("1");
    expect(resource.inputs["label"]).toBe(made?.["label"]);
    expect(service.asked("create")).toHaveLength(1);
    expect(await resource.up(args)).toBe("unchanged");
  });

  test("is resumed if the object exists, and the preview gives its id", async () => {
    await killed();
    const preview = async (inputs: Properties = args) => {
      const log = new FakeLog();
      await program(particular, { home, log }).resource().check(inputs);
      return log.notes;
    };
    expect(await preview()).toEqual([
      "Widget web: continues with the Widget 1, which an interrupted run created",
    ]);
    service.plan("read", failing(refused(503, undefined, "Not now")));
    expect(await preview()).toEqual([]);
    service.objects.clear();
    expect(await preview()).toEqual([]);
  });

  describe("in another backend, from which a stack of this name may have been moved", () => {
    const line =
      "Widget web: an interrupted run of a stack of this name in another backend created the Widget 1. If this stack was moved from there, " +
      `continue with it: give this resource the option import: "1" (or NODECLOUD_IMPORT='URN=1')`;
    const moved = async (knows = false) => {
      const log = new FakeLog();
      const readState = () => Promise.resolve({ ...stateIn({}), knows: () => knows });
      const resource = program(particular, { home, log, backend: "file:///other", readState }).resource();
      await resource.check(args);
      const warned = [...log.warnings];
      service.plan("create", (run) => {
        const reply = run();
        for (const object of service.objects.values()) object["status"] = "active";
        return reply;
      });
      await resource.up(args);
      return { warned, id: resource.id };
    };

    test("is named with the way to go on, and a new object is created", async () => {
      await killed();
      expect(await moved()).toEqual({ warned: [line], id: "2" });
    });

    test("is not resumed by the evidence of the state, which may be a copy", async () => {
      const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/nodecloud:Widget::web";
      const whole = { ...args, __urn: urn };
      await killed(whole);
      const inputs = await program(particular, { home }).resource().check(whole);
      const pending = { pending_operations: [{ type: "creating", resource: { urn, inputs } }] };
      const readState = () => Promise.resolve(stateIn(pending));
      const options = { home, backend: "file:///other", validate: true, resume: true, readState };
      const again = program(particular, options).resource();
      await expect(again.up(whole)).rejects.toThrow(line.replace("Widget web: ", ""));
      expect(labels()).toHaveLength(1);
    });

    test.each([
      ["of another stack, whose state took long to read,", "1", false],
      ["of no other stack", "7", true],
    ])("an object %s is resumed by the evidence of the state: %s, %s", async (_, theirs, isTaken) => {
      const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/nodecloud:Widget::web";
      const whole = { ...args, __urn: urn };
      const inputs = await program(particular, { home }).resource().check(whole);
      service.add({ label: inputs["label"], size: 2, region: "us-east", status: "active" });
      const pending = { pending_operations: [{ type: "creating", resource: { urn, inputs } }] };
      const holdersOf = (__: string, id: string) => (id === theirs ? [{ urn: `${urn}2` }] : []);
      const all = { stacks: [{ name: "shop/prod", holdersOf, pending: [] }], unread: 0 };
      const options = {
        ...{ home: `${home}-fresh`, validate: true, resume: true },
        readState: () => Promise.resolve(stateIn(pending)),
        readOthers: (__: unknown, ___: unknown, ____: unknown, patienceMs?: number) =>
          Promise.resolve(patienceMs === undefined ? { stacks: [], unread: 1 } : all),
      };
      service.rewrite = (given) => ({ ...given, status: "active" });
      const resource = program(particular, options).resource();
      await resource.up(whole);
      expect(resource.id).toBe(isTaken ? "1" : "2");
      expect(new Set(labels()).size).toBe(isTaken ? 1 : 2);
    });

    test("is found by its name and age if its id was not known", async () => {
      service.plan("create", doneButLost);
      service.plan("list", (run) => run(), failing(lost()));
      await expect(program(particular, { home }).resource().up(args)).rejects.toThrow("it is unknown");
      expect(await moved()).toMatchObject({ warned: [line] });
    });

    test("is not named if the state has the object, or it is gone", async () => {
      await killed();
      expect(await moved(true)).toMatchObject({ warned: [] });
      service.objects.delete("1");
      expect(await moved()).toMatchObject({ warned: [] });
    });
  });

  describe("with another token", () => {
    const other = (more: Readonly<Record<string, string>> = {}) =>
      program(particular, { home, environment: { NODECLOUD_TOKEN: "second-token", ...more } }).resource();

    test("is resumed if the object was created at the same time, which shows the account", async () => {
      const rewrite = service.rewrite;
      service.rewrite = (given) => ({ ...rewrite(given), created: "2026-01-01T00:00:00" });
      await killed();
      const resource = other();
      await resource.up(args);
      expect(resource.id).toBe("1");
      expect(service.asked("create")).toHaveLength(1);
    });

    test("is refused if another object has its id, and the note stays for the first token", async () => {
      await killed();
      for (const object of service.objects.values()) object["created"] = "2026-01-02T00:00:00";
      const refusal =
        "an interrupted run created the Widget 1 with another token, and this provider does not find it: it is probably in another account. " +
        "Restore that token; or, if both lead to one account, set nodecloud:sameAccount (or NODECLOUD_SAME_ACCOUNT=true) for this run";
      await expect(other().up(args)).rejects.toThrow(refusal);
      expect(service.asked("create")).toHaveLength(1);
      const resource = other({ NODECLOUD_SAME_ACCOUNT: "true" });
      await resource.up(args);
      expect(resource.id).toBe("1");
    });

    test("is refused if it is not known what the first token has created", async () => {
      service.plan("create", doneButLost);
      service.plan("list", (run) => run(), failing(lost()));
      await expect(program(particular, { home }).resource().up(args)).rejects.toThrow("it is unknown");
      await expect(other().up(args)).rejects.toThrow(
        "an interrupted run requested this Widget with another token: it is probably in another account",
      );
    });
  });

  test.each<[string, string[], string | undefined]>([
    ["has the creation", [], "creating"],
    ["has its object, after the creation was cleared", ["1"], undefined],
  ])(
    "is not resumed by a new stack with the old name of the renamed one, whose state %s: its object gets another name",
    async (_, ids, operation) => {
      const whole = { ...args, __urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/nodecloud:Widget::web" };
      await killed(whole);
      const urn = "urn:pulumi:prod::shop::nodecloud:index:Widget::web";
      const pending = operation === undefined ? [] : [{ operation, urn, inputs: {} }];
      const holdersOf = (_type: string, id: string) => (ids.includes(id) ? [{ urn }] : []);
      const others = [{ name: "shop/prod", holdersOf, pending }];
      const readOthers = () => Promise.resolve({ stacks: others, unread: 0 });
      const readState = () => Promise.resolve(stateIn({}));
      const log = new FakeLog();
      service.rewrite = (given) => ({ ...given, status: "active" });
      const resource = program(particular, { home, log, readOthers, readState, validate: true }).resource();
      await resource.up(whole);
      expect(resource.id).toBe("2");
      expect(new Set(labels()).size).toBe(2);
      expect(log.notes).toEqual([]);
    },
  );

  test("is resumed by its stack, though a stack of another project has such a creation too", async () => {
    const whole = { ...args, __urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/nodecloud:Widget::web" };
    await killed(whole);
    const urn = "urn:pulumi:dev::other::nodecloud:index:Widget::web";
    const others = [
      { name: "other/dev", holdersOf: () => [], pending: [{ operation: "creating", urn, inputs: {} }] },
    ];
    const readOthers = () => Promise.resolve({ stacks: others, unread: 0 });
    const readState = () => Promise.resolve(stateIn({}));
    service.rewrite = (given) => ({ ...given, status: "active" });
    const resource = program(particular, { home, readOthers, readState, validate: true }).resource();
    await resource.up(whole);
    expect(resource.id).toBe("1");
    expect(labels()).toHaveLength(1);
  });

  test("is not resumed by a run with other inputs, whose preview names the object and what to do", async () => {
    await killed();
    const up = () =>
      program(particular, { home })
        .resource()
        .up({ ...args, region: "eu-west" });
    const refusal =
      'an interrupted run created the Widget 1 with other inputs. To continue with it, restore those inputs, or give this resource the option import: "1". To create a new one, delete it first';
    await expect(up()).rejects.toThrow(refusal);
    service.rewrite = (given) => ({ ...given, status: "active" });
    service.objects.clear();
    await up();
    expect(labels()).toHaveLength(1);
  });

  test("is resumed by a run with another value of an updatable input", async () => {
    await killed();
    const resource = program(particular, { home }).resource();
    await resource.up({ ...args, size: 3 });
    expect(resource.id).toBe("1");
    expect(service.objects.get("1")).toMatchObject({ size: 3 });
  });

  test("is not resumed if the object is gone", async () => {
    await killed();
    service.objects.clear();
    service.rewrite = (given) => ({ ...given, status: "active" });
    const resource = program(particular, { home }).resource();
    await resource.up(args);
    expect(resource.id).toBe("2");
  });

  test("is not resumed if the object belongs to another resource now", async () => {
    await killed();
    for (const object of service.objects.values()) object["label"] = "another";
    service.rewrite = (given) => ({ ...given, status: "active" });
    const resource = program(particular, { home }).resource();
    await resource.up(args);
    expect(resource.id).toBe("2");
  });

  test("is not resumed with an object that the engine manages, so a replacement creates a new one", async () => {
    await killed();
    service.rewrite = (given) => ({ ...given, status: "active" });
    const { resource } = program(particular, { home });
    const managing = resource();
    Object.assign(managing, { id: "1", outputs: { region: "us-east", __set: "region" } });
    await managing.diff({ region: "us-east" });
    const other = resource();
    await other.up(args);
    expect(other.id).toBe("2");
  });

  test("is forgotten when the engine has received a success", async () => {
    service.rewrite = (given) => ({ ...given, status: "active" });
    await program(particular, { home }).resource().up(args);
    const again = program(particular, { home }).resource();
    await again.up(args);
    expect(again.id).toBe("2");
  });

  test("is forgotten when the engine has received a failure", async () => {
    service.rewrite = (given) => ({ ...given, status: "failed" });
    await expect(program(particular, { home }).resource().up(args)).rejects.toThrow("failed");
    service.rewrite = (given) => ({ ...given, status: "active" });
    const again = program(particular, { home }).resource();
    await again.up(args);
    expect(again.id).toBe("2");
  });

  test("keeps its note if the plugin finishes after the engine has died", async () => {
    const log = new FakeLog();
    log.heard = false;
    service.rewrite = (given) => ({ ...given, status: "active" });
    await program(particular, { home, log }).resource().up(args);
    const resource = program(particular, { home }).resource();
    await resource.up(args);
    expect(resource.id).toBe("1");
    expect(service.asked("create")).toHaveLength(1);
  });

  test("keeps its note after a ctrl-C, as a second one may end the engine before it saves the state", async () => {
    const ending = new Shutdown(() => undefined);
    service.rewrite = (given) => ({ ...given, status: "active" });
    service.plan("create", (run) => {
      ending.cancel();
      return run();
    });
    await program(particular, { home, ending }).resource().up(args);
    const resource = program(particular, { home }).resource();
    await resource.up(args);
    expect(resource.id).toBe("1");
    expect(service.asked("create")).toHaveLength(1);
  });

  test("is replaced by a new one if its completion needs values that no note contains: the object is deleted first", async () => {
    const finish = {
      ...particular,
      finish: () => Promise.resolve(),
      isWhole: ({ id }: Properties) => id !== 1,
    };
    const log = new FakeLog();
    log.heard = false;
    service.rewrite = (given) => ({ ...given, status: "active" });
    await program(finish, { home, log }).resource().up(args);
    const resource = program(finish, { home }).resource();
    await resource.up(args);
    expect([...service.objects.keys()]).toEqual([resource.id]);
    expect(resource.id).toBe("2");
  });
});
