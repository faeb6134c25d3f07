import { z } from "zod";
import { type Description } from "../../../src/provider/describe/define-resource";
import { replace, update } from "../undocumented";
import { lifecycle } from "../lifecycle";
import { Session } from "../../../src/provider/run/session";
import { type Properties, UNKNOWN } from "../../../src/provider/base/values";
import { FakeEngine } from "../fake-engine";
import { FakeLog, FakeService, AT, fakeSession } from "../fake-service";

let service: FakeService;
let log: FakeLog;
beforeEach(() => {
  service = new FakeService();
  log = new FakeLog();
});

const engine = (particular: Partial<Description> = {}) =>
  new FakeEngine(lifecycle(fakeSession({ log }), service.description(particular)));

const patch = (id: string, fields: object) => Object.assign(service.objects.get(id) ?? {}, fields);

describe("a whole life", () => {
  test("a resource is created, changed, repaired after drift, and deleted", async () => {
    const resource = engine();
    const args = { label: "web", size: 2, tags: ["a"] };
    expect(await resource.up(args)).toBe("created");
    expect(await resource.up(args)).toBe("unchanged");
    expect(await resource.up({ ...args, size: 3 })).toBe("updated");
    patch("1", { size: 9 });
    expect(await resource.refresh()).toBe(true);
    expect(resource.inputs["size"]).toBe(9);
    expect(await resource.up({ ...args, size: 3 })).toBe("updated");
    expect(service.objects.get("1")).toMatchObject({ size: 3 });
    expect(await resource.refresh()).toBe(false);
    await resource.destroy();
    expect(service.objects.size).toBe(0);
  });

  test("a read reports that an object is gone", async () => {
    const resource = engine();
    await resource.up({ label: "web" });
    service.objects.clear();
    expect(await resource.refresh()).toBe(true);
    expect(resource.id).toBeUndefined();
    expect(await resource.up({ label: "web" })).toBe("created");
  });

  test("a refresh keeps the hidden inputs that a deletion needs", async () => {
    const resource = engine();
    await resource.up({ label: "web", __urn: "urn:web", __provider: "text", __timeouts: { delete: "1h" } });
    await resource.refresh();
    expect(resource.inputs).toEqual({
      label: "web",
      __urn: "urn:web",
      __provider: "text",
      __timeouts: { delete: "1h" },
    });
    expect(resource.outputs).toMatchObject({ __urn: "urn:web", __timeouts: { delete: "1h" } });
  });
});

describe("a replacement", () => {
  test("of an object that keeps its unique name deletes first", async () => {
    const resource = engine();
    await resource.up({ label: "web", region: "us-east" });
    expect(await resource.up({ label: "web", region: "us-west" })).toBe("replaced");
    expect(service.requests.filter((request) => /^(create|delete)/.test(request))).toEqual([
      'create {"label":"web","region":"us-east"}',
      "delete 1",
      'create {"label":"web","region":"us-west"}',
    ]);
  });

  test("of an object with an automatic name creates the new one first, under a new name", async () => {
    const resource = engine({ autoname: { path: "label", max: 20 } });
    const hidden = { __resourceName: "web", __urn: "urn:web" };
    await resource.up({ region: "us-east", ...hidden });
    const first = resource.inputs["label"];
    expect(await resource.up({ region: "us-west", ...hidden })).toBe("replaced");
    expect(resource.inputs["label"]).not.toBe(first);
    expect(service.requests.filter((request) => /^(create|delete)/.test(request)).at(-1)).toBe("delete 1");
  });

  test("causes a warning in the preview about the lost data, and no request", async () => {
    const resource = engine({ lossOfData: "its data is lost" });
    await resource.up({ label: "web", region: "us-east", __urn: "urn" });
    service.requests.length = 0;
    const preview = await resource.preview({ label: "web", region: "us-west", __urn: "urn" });
    expect(preview).toMatchObject({ changes: true, replaces: ["region"], deleteBeforeReplace: true });
    expect(log.warnings).toEqual([
      "Widget urn: replacing it, because region changed, and the API has no operation to change it: its data is lost",
    ]);
    expect(service.requests).toEqual([]);
  });

  test("names each nested input once, by its top-level property", async () => {
    const resource = engine({
      fields: { metadata: { one: replace(z.string()), two: replace(z.string()) } },
    });
    await resource.up({ metadata: { one: "a", two: "b" } });
    const { replaces } = await resource.preview({ metadata: { one: "c", two: "d" } });
    expect(replaces).toEqual(["metadata"]);
  });
});

describe("an automatic name", () => {
  const named = { autoname: { path: "label", max: 20 } } satisfies Partial<Description>;

  test("is chosen once and kept", async () => {
    const resource = engine(named);
    await resource.up({ size: 2, __resourceName: "web" });
    const { label } = resource.inputs;
    expect(label).toMatch(/^web-[0-9a-f]{7}$/);
    expect(await resource.up({ size: 3, __resourceName: "web" })).toBe("updated");
    expect(resource.inputs["label"]).toBe(label);
  });

  test("is not given to an imported object, which keeps its own name", async () => {
    const id = service.add({ label: "theirs", size: 2 });
    const resource = engine(named);
    await resource.up({ size: 2, __resourceName: "web", __importId: id });
    expect(resource.outputs["label"]).toBe("theirs");
    expect(await resource.up({ size: 3, __resourceName: "web" })).toBe("updated");
    expect(service.objects.get(id)).toMatchObject({ label: "theirs", size: 3 });
  });
});

describe("an import", () => {
  test("adopts the object unchanged, and ends in an empty preview", async () => {
    const id = service.add({ label: "web", size: 2, tags: ["b", "a"], region: "us-east" });
    const resource = engine();
    const args = { label: "web", tags: ["a", "b"], __importId: id };
    expect(await resource.up(args)).toBe("created");
    expect(resource.id).toBe(id);
    expect(service.requests.every((request) => request.startsWith("read"))).toBe(true);
    expect(await resource.up(args)).toBe("unchanged");
    expect(await resource.up({ label: "web", tags: ["a", "b"] })).toBe("unchanged");
    expect(await resource.refresh()).toBe(false);
  });

  test("fails in the preview if program and object differ, and the error names each property", async () => {
    const id = service.add({ label: "web", size: 2, alerts: { cpu: 1, io: 2 }, tags: [] });
    const wanted = { label: "db", size: 2, alerts: { io: 3 }, tags: ["a"], __importId: id };
    await expect(engine().check(wanted)).rejects.toThrow(
      `import Widget ${id}: label is "db" in the program and "web" in the account; ` +
        'tags is ["a"] in the program and [] in the account; ' +
        "alerts.io is 3 in the program and 2 in the account. " +
        "Write the account's values into the program, import, and change them afterwards",
    );
  });

  test("does not compare unknown or write-only inputs", async () => {
    const id = service.add({ label: "web" });
    const args = { label: UNKNOWN, region: "us-east", __importId: id };
    await expect(engine().check(args)).resolves.toMatchObject({ label: UNKNOWN });
  });

  test("leaves write-only inputs open: setting one later is not a change, and other changes leave it open", async () => {
    const id = service.add({ label: "web", size: 2 });
    const resource = engine();
    await resource.up({ label: "web", __importId: id });
    expect(await resource.up({ label: "web", region: "us-east", __importId: id })).toBe("unchanged");
    expect(await resource.up({ label: "web2", region: "us-east", __importId: id })).toBe("updated");
    expect(await resource.up({ label: "web2", region: "us-west", __importId: id })).toBe("unchanged");
    expect(service.asked("create")).toEqual([]);
  });

  test("of a malformed or missing id fails with that reason", async () => {
    await expect(engine().check({ __importId: "web" })).rejects.toThrow(
      'import Widget web: "web" is not the id of a Widget; the id has the form 123',
    );
    await expect(engine().check({ __importId: "7" })).rejects.toThrow(
      "import Widget 7: there is no Widget with the id 7",
    );
  });

  test("compares the parent that the id names with the program's", async () => {
    service.add({ label: "www" });
    const child: Partial<Description> = {
      fields: {
        parentId: replace(z.string(), { required: true, compare: "id", notSent: true }),
        label: update(z.string()),
      },
      id: { form: "parentId/id", pattern: /^(?<parent>\d+)\/(?<id>\d+)$/, parent: "parentId" },
    };
    await expect(engine(child).check({ parentId: "13", label: "www", __importId: "12/1" })).rejects.toThrow(
      'parentId is "13" in the program and "12" in the account',
    );
    const right = engine(child);
    await right.up({ parentId: 12, label: "www", __importId: "12/1" });
    expect(right.id).toBe("12/1");
  });

  test("of another object by a resource that already manages one is refused", async () => {
    const other = service.add({ label: "other" });
    const resource = engine();
    await resource.up({ label: "web" });
    await expect(resource.preview({ label: "web", __importId: other })).rejects.toThrow(
      /^import Widget 1: this resource already manages the Widget 2\..*pulumi state delete/,
    );
  });

  test("can stay in the program, and does not import again when the object is replaced", async () => {
    const id = service.add({ label: "web", region: "us-east" });
    const resource = engine();
    await resource.up({ label: "web", region: "us-east", __importId: id });
    await resource.refresh();
    expect(await resource.up({ label: "web", region: "us-west", __importId: id })).toBe("replaced");
    expect(resource.id).not.toBe(id);
    expect([...service.objects.keys()]).toEqual([resource.id]);
  });
});

describe("two resources of which only one should exist", () => {
  const alone = {
    onlyOnePer: { path: "region", of: "Region", because: "a new one takes the place of the old" },
  } satisfies Partial<Description>;
  const urn = (name: string) => `urn:pulumi:dev::shop::widget::${name}`;

  test("cause a warning with the name of the other one", async () => {
    const { provider } = engine(alone);
    const check = (name: string, region: string) => provider.check({}, { region, __urn: urn(name) });
    await check("one", "us-east");
    await check("one", "us-east");
    await check("west", "us-west");
    expect(log.warnings).toEqual([]);
    await check("two", "us-east");
    expect(log.warnings).toEqual([
      "Widget two: Widget one has the same region us-east: a new one takes the place of the old. Keep one of the two",
    ]);
  });

  test("cause a warning even if the parent's id is unknown, and the parent's name is not stored", async () => {
    const { provider } = engine(alone);
    const check = (name: string, source: string) =>
      provider.check({}, { region: UNKNOWN, __urn: urn(name), __source: urn(source) });
    await check("one", "east");
    await check("west", "west");
    expect(log.warnings).toEqual([]);
    const { inputs } = await check("two", "east");
    expect(inputs).not.toHaveProperty("__source");
    expect(log.warnings).toEqual([
      "Widget two: Widget one has the same region (the id of widget east, not known yet): a new one takes the place of the old. Keep one of the two",
    ]);
  });

  test("cause no warning if the parent is unknown", async () => {
    const { provider } = engine(alone);
    await provider.check({}, { region: UNKNOWN, __urn: urn("one") });
    await provider.check({}, { region: UNKNOWN, __urn: urn("two") });
    expect(log.warnings).toEqual([]);
  });
});

describe("an input with a warning", () => {
  const urn = "urn:pulumi:dev::shop::widget::web";
  const doubtful = {
    fields: {
      label: update(z.string()),
      region: replace(z.string(), { problem: () => ({ reason: "is far away", warns: true }) }),
    },
    changeRules: [
      {
        about: ["region"],
        creation: true,
        check: () => [{ property: "region", reason: "is new", warns: true }],
      },
    ],
  } satisfies Partial<Description>;

  test("is reported once per run, although the engine checks a replaced resource twice", async () => {
    const { provider } = engine(doubtful);
    const news = { label: "web", region: "moon", __urn: urn };
    await provider.check({ label: "web", region: "mars", __urn: urn }, news);
    expect(log.warnings).toEqual(["Widget web: region is far away"]);
    await provider.check({}, news);
    expect(log.warnings).toEqual(["Widget web: region is far away", "Widget web: region is new"]);
  });

  test("does not fail the check", async () => {
    const { provider } = engine(doubtful);
    expect(await provider.check({}, { region: "moon" })).toMatchObject({ failures: [] });
  });
});

describe("a read without management", () => {
  test("returns an object by its id, and has no inputs", async () => {
    const id = service.add({ label: "web", size: 2, tags: null });
    const { provider } = engine();
    expect(await provider.read(id, {})).toEqual({
      id,
      props: { label: "web", size: 2, __set: "" },
      inputs: {},
    });
  });

  test("fails if the object does not exist or the id is malformed", async () => {
    const { provider } = engine();
    await expect(provider.read("7", {})).rejects.toThrow("get Widget: there is no Widget with the id 7");
    await expect(provider.read("web", {})).rejects.toThrow(
      'get Widget: "web" is not the id of a Widget; the id has the form 123',
    );
  });
});

describe("a check", () => {
  test("names the property only in the reason, because otherwise the engine would print its value", async () => {
    const { provider } = engine({ fields: { password: replace(z.string().min(7), { secret: true }) } });
    const { failures } = await provider.check({}, { password: "s3cret" });
    expect(failures).toEqual([
      { property: "", reason: "password must be at least 7 characters long [NC1101]" },
    ]);
    expect(JSON.stringify(failures)).not.toContain("s3cret");
  });

  test("runs the rules and derives inputs only if each value is valid by itself", async () => {
    const derived: unknown[] = [];
    const particular: Partial<Description> = {
      rules: ({ label }) => (label === "bad" ? [{ property: "label", reason: "is bad" }] : []),
      derived: {
        size: {
          from: "label",
          of: (label) => {
            derived.push(label);
            return Promise.resolve(5);
          },
        },
      },
    };
    await expect(engine(particular).check({ label: 1 })).rejects.toThrow("label must be a string, not 1");
    await expect(engine(particular).check({ label: "bad" })).rejects.toThrow("label is bad");
    expect(derived).toEqual([]);
    expect(await engine(particular).check({ label: "web" })).toEqual({
      label: "web",
      size: 5,
      __askedAt: AT,
    });
  });

  test("passes the old inputs to the rules", async () => {
    const seen: unknown[] = [];
    const resource = engine({
      rules: (_, olds) => {
        seen.push(olds);
        return [];
      },
    });
    await resource.up({ label: "web" });
    await resource.up({ label: "web2" });
    expect(seen).toEqual([{}, { label: "web" }]);
  });

  test("reports a missing setting in one line, for the first resource", async () => {
    const session = new Session({ environment: {} });
    const { provider } = new FakeEngine(lifecycle(session, service.description()));
    await expect(provider.check({}, { label: "web" })).rejects.toThrow(/^nodecloud:token is not set/);
  });

  test("reports an invalid setting without showing the token", async () => {
    const session = new Session({ environment: {} });
    const settings: Record<string, string> = {
      "nodecloud:token": "s3cret",
      "nodecloud:baseUrl": "http://api.example/v4",
    };
    const { provider } = new FakeEngine(lifecycle(session, service.description()));
    provider.configure({ config: { get: (key) => settings[key] } });
    const check = provider.check({}, { label: "web" });
    await expect(check).rejects.toThrow(/^nodecloud:baseUrl/);
    await expect(check).rejects.not.toThrow("s3cret");
  });
});

test("creations that the service limits wait for each other if they share an input", async () => {
  const provider = lifecycle(
    fakeSession({ log }),
    service.description({ atOnce: { path: "region", max: 2 } }),
  );
  const release = new Map<unknown, () => void>();
  const held = async (run: () => Properties) => {
    const made = run();
    await new Promise<void>((resolve) => release.set(made["label"], resolve));
    return made;
  };
  service.plan("create", held, held, held, held, held);
  const underWay = async (count: number) => {
    while (release.size < count) await new Promise(setImmediate);
    return [...release.keys()].sort();
  };
  const inputs = [["aa", "a"], ["bb", "a"], ["cc", "a"], ["dd", "b"], ["ee"]];
  const all = Promise.all(
    inputs.map(([label, region]) => provider.create({ label, ...(region === undefined ? {} : { region }) })),
  );
  expect(await underWay(4)).toEqual(["aa", "bb", "dd", "ee"]);
  expect(service.asked("create")).toHaveLength(4);
  release.get("aa")?.();
  expect(await underWay(5)).toEqual(["aa", "bb", "cc", "dd", "ee"]);
  for (const end of release.values()) end();
  await all;
});

test("a call is answered, even with an error, only after its messages have arrived, because the engine may end then", async () => {
  const provider = lifecycle(fakeSession({ log }), service.description());
  const arrivals: (() => void)[] = [];
  log.delivered = () => new Promise((resolve) => arrivals.push(resolve));
  const answers: string[] = [];
  const calls = [
    provider.delete("1", {}).then(() => answers.push("done")),
    provider.update("1", {}, {}).catch(() => answers.push("failed")),
  ];
  for (let turns = 0; turns < 100 && arrivals.length < calls.length; turns++) await new Promise(setImmediate);
  expect(answers).toEqual([]);
  for (const arrive of arrivals) arrive();
  await Promise.all(calls);
  expect(answers.sort()).toEqual(["done", "failed"]);
});
