import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type Description, type Finding } from "../../../src/provider/describe/define-resource";
import { replace, update } from "../undocumented";
import { lifecycle, type Lifecycle } from "../lifecycle";
import { HOW_TO_PASS_ON } from "../../../src/provider/ownership/unique-names";
import { stateIn } from "../../../src/provider/engine/stack-state";
import { handedStanding } from "../../../src/provider/state/handed";
import { type Properties, UNKNOWN } from "../../../src/provider/base/values";
import { FakeEngine } from "../fake-engine";
import { FakeLog, FakeService, fakeSession } from "../fake-service";

let service: FakeService;
let log: FakeLog;
beforeEach(() => {
  service = new FakeService();
  log = new FakeLog();
});

const provider = (particular: Partial<Description> = {}, validate = true): Lifecycle =>
  lifecycle(fakeSession({ log, validate }), service.description(particular));

const complaints = async (lifecycle: Lifecycle, inputs: Properties, olds: Properties = {}) =>
  (await lifecycle.check(olds, inputs)).failures.map(({ reason }) => reason);

describe("a rule about the account", () => {
  let held: Properties[];
  beforeEach(() => {
    held = [];
  });
  const about = (paths: string[], finding: Finding = { property: "region", reason: "is far away" }) => ({
    validations: [
      {
        about: paths,
        validate: (_: unknown, inputs: Properties) => {
          held.push(inputs);
          return Promise.resolve([finding]);
        },
      },
    ],
  });

  test("is checked for a new resource, and its findings fail the check", async () => {
    expect(await complaints(provider(about(["region"])), { region: "moon" })).toEqual([
      "region is far away [NC1103]",
    ]);
  });

  test("warns in the resource's row if the service would accept the input", async () => {
    const warning = about(["region"], { property: "region", reason: "is far away", warns: true });
    expect(await complaints(provider(warning), { region: "moon", __urn: "urn" })).toEqual([]);
    expect(log.warnings).toEqual(["Widget urn: region is far away"]);
  });

  test.each<[string, Properties, number]>([
    ["one of its inputs changed", { region: "mars", size: 1 }, 1],
    ["only others changed", { region: "moon", size: 2 }, 0],
    ["none of its inputs is set", { size: 1 }, 0],
  ])("is checked for an existing resource only if one of its inputs changes: %s", async (_, news, times) => {
    await complaints(provider(about(["region"])), news, { region: "moon", size: 1 });
    expect(held).toHaveLength(times);
  });

  test("is not checked for inputs that are invalid by themselves", async () => {
    expect(await complaints(provider(about(["region"])), { region: "moon", size: "big" })).toHaveLength(1);
    expect(held).toEqual([]);
  });

  test("is skipped with nodecloud:validate false, or for an imported object", async () => {
    expect(await complaints(provider(about(["region"]), false), { region: "moon" })).toEqual([]);
    const id = service.add({ label: "web", region: "moon" });
    expect(await complaints(provider(about(["region"])), { region: "moon", __importId: id })).toEqual([]);
    expect(held).toEqual([]);
  });

  test("finds its inputs at their paths, also in objects", async () => {
    const nested = {
      ...about(["alerts.cpu"]),
      fields: { alerts: { cpu: update(z.int()), io: update(z.int()) } },
    };
    await complaints(provider(nested), { alerts: { cpu: 1, io: 2 } }, { alerts: { cpu: 1, io: 1 } });
    expect(held).toHaveLength(0);
    await complaints(provider(nested), { alerts: { cpu: 2, io: 1 } }, { alerts: { cpu: 1, io: 1 } });
    expect(held).toHaveLength(1);
  });
});

describe("a unique name", () => {
  test("of an existing object is refused in the preview, and the error gives the id to import", async () => {
    const id = service.add({ label: "web" });
    expect(await complaints(provider(), { label: "web" })).toEqual([
      `label "web" is taken by the Widget ${id}. To manage the existing Widget, give this resource the option import: "${id}"; ` +
        "if this stack already manages it, use dependsOn (its name changes in this run), aliases (its resource was renamed) " +
        "or the option deleteBeforeReplace and NODECLOUD_VALIDATE=false (a run with --replace) [NC1301]",
    ]);
    expect(await complaints(provider(), { label: "other" })).toEqual([]);
  });

  test("of an object that the option import names is refused to a resource that replaces another one", async () => {
    const theirs = service.add({ label: "other" });
    const moving = provider({ fields: { label: update(z.string()), region: replace(z.string()) } });
    const engine = new FakeEngine(moving);
    await engine.up({ label: "web", region: "moon" });
    const { id = "", outputs, inputs } = engine;
    const news = {
      ...inputs,
      label: "other",
      region: "mars",
      __importId: theirs,
      __standing: { goesFirst: true },
    };
    const { inputs: checked } = await moving.check(inputs, news);
    await moving.diff(id, outputs, { ...checked, __importId: id });
    expect(await complaints(moving, news)).toEqual([
      `label "other" is taken by the Widget ${theirs}, and the option import is ignored, because this resource replaces another Widget. ` +
        "To manage the existing Widget, first remove the other one from the state with `pulumi state delete` [NC1301]",
    ]);
  });

  test.each([
    [
      "",
      undefined,
      ", and a resource that replaces another Widget imports none. To manage the existing Widget, first remove the other one from the state with `pulumi state delete`, and give this resource the option import: ",
    ],
    [
      " of a dynamic resource",
      handedStanding({ goesFirst: true }),
      ", and the option import is ignored, because this resource replaces another Widget. ",
    ],
  ])(
    "of somebody's object in another account is refused to a resource that moves there, also if the program's import%s names it",
    async (_, standing, why) => {
      const theirs = service.add({ label: "web" });
      const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/nodecloud:Widget::web";
      // The ids of two accounts may be equal.
      const outputs = { __set: "label", __at: "old.example#000000" };
      const state = stateIn({
        resources: [{ urn, id: theirs, type: "pulumi-nodejs:dynamic/nodecloud:Widget", outputs }],
      });
      const session = fakeSession({ validate: true, readState: () => Promise.resolve(state) });
      const moved = lifecycle(session, service.description({ unique: "label" }));
      const handed = standing && { __importId: theirs, __standing: standing };
      const news = { label: "web", __urn: urn, ...handed };
      const [reason] = await complaints(moved, news);
      expect(reason).toContain(`label "web" is taken by the Widget ${theirs}${why}`);
    },
  );

  test("of an object that a refresh has compared is refused too, as the program may no longer have its resource", async () => {
    const first = new FakeEngine(provider());
    await first.up({ label: "web" });
    const one = provider();
    const { id = "", outputs, inputs } = first;
    await one.read(id, outputs);
    await one.diff(id, outputs, inputs);
    expect(await complaints(one, { label: "web" })).toEqual([
      expect.stringContaining(`label "web" is taken by the Widget ${id}. `),
    ]);
  });

  test("is looked up in one list for all resources", async () => {
    const one = provider();
    for (const label of ["aa", "bb", "cc"]) await complaints(one, { label });
    expect(service.asked("list")).toEqual(["list"]);
  });

  test("that is unknown is not looked up: one list says whether the account can be read", async () => {
    const named = provider({ autoname: { path: "label", max: 20 } });
    expect(await complaints(named, { label: UNKNOWN })).toEqual([]);
    expect(service.requests).toEqual(["list"]);
  });

  test.each([true, false])(
    "of two resources in a program is refused for the second, independent of the list (nodecloud:validate %s)",
    async (isValidated) => {
      const one = provider({}, isValidated);
      const urn = (name: string) => `urn:pulumi:dev::app::Widget::${name}`;
      expect(await complaints(one, { label: "web", __urn: urn("first") })).toEqual([]);
      expect(await complaints(one, { label: "web", __urn: urn("second") })).toEqual([
        'label "web" is also the label of Widget first in this program, and must be unique [NC1301]',
      ]);
      expect(await complaints(one, { label: "web", __urn: urn("first") })).toEqual([]);
    },
  );

  test("of another object is refused in the preview of an update", async () => {
    const id = service.add({ label: "taken" });
    const resource = new FakeEngine(provider());
    await resource.up({ label: "web" });
    await expect(resource.preview({ label: "taken" })).rejects.toThrow(
      `update Widget ${resource.id}: label "taken" is taken by the Widget ${id}. ${HOW_TO_PASS_ON}`,
    );
    await expect(resource.preview({ label: "free" })).resolves.toMatchObject({ changes: true });
  });

  test("that drifted to the program's new value is the resource's own", async () => {
    const first = new FakeEngine(provider());
    await first.up({ label: "web" });
    Object.assign(service.objects.get(first.id ?? "") ?? {}, { label: "renamed" });
    const next = new FakeEngine(provider());
    Object.assign(next, { id: first.id, inputs: first.inputs, outputs: first.outputs });
    expect(await next.up({ label: "renamed" })).toBe("updated");
  });

  test("stays with a resource during its replacement", async () => {
    const resource = new FakeEngine(provider());
    await resource.up({ label: "web", region: "us-east" });
    const next = new FakeEngine(provider());
    Object.assign(next, { id: resource.id, inputs: resource.inputs, outputs: resource.outputs });
    expect(await next.up({ label: "web", region: "us-west" })).toBe("replaced");
  });

  test("of an unfinished creation does not block the run that resumes it", async () => {
    const home = mkdtempSync(join(tmpdir(), "nodecloud-home-"));
    const run = (validate: boolean) => lifecycle(fakeSession({ log, home, validate }), service.description());
    const inputs = { label: "web", region: "us-east" };
    try {
      log.heard = false;
      await run(false).create(inputs);
      log.heard = true;
      expect(await complaints(run(true), inputs)).toEqual([]);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

describe("the reason of a replacement", () => {
  const reasonsOf = async (particular: Partial<Description>, before: Properties, after: Properties) => {
    const resource = new FakeEngine(provider(particular));
    await resource.up(before);
    await resource.preview(after);
    return { notes: log.notes, warnings: log.warnings };
  };
  const fields = {
    label: update(z.string()),
    region: replace(z.string()),
    image: replace(z.string()),
    triggers: replace(z.record(z.string(), z.unknown()), {
      notSent: true,
      replaceReason: "which asks for a new one",
    }),
  };

  test("names in the preview the changed inputs, and says that no operation changes them", async () => {
    const before = { label: "web", region: "a", image: "x", __urn: "urn" };
    expect(await reasonsOf({ fields }, before, { ...before, region: "b", image: "y" })).toEqual({
      notes: [
        "Widget urn: replacing it, because region and image changed, and the API has no operation to change them",
      ],
      warnings: [],
    });
  });

  test("is the field's own reason, if it has one", async () => {
    const before = { label: "web", region: "a", triggers: { release: 1 }, __urn: "urn" };
    const after = { ...before, region: "b", triggers: { release: 2 } };
    expect((await reasonsOf({ fields }, before, after)).notes).toEqual([
      "Widget urn: replacing it, because region changed, and the API has no operation to change it; triggers changed, which asks for a new one",
    ]);
  });

  test("names the resource if it has no row", async () => {
    const { notes } = await reasonsOf(
      { fields },
      { label: "web", region: "a" },
      { label: "web", region: "b" },
    );
    expect(notes).toEqual([expect.stringMatching(/^Widget web \(1\): replacing it, because region changed/)]);
  });

  test("is a warning if data is lost, and does not exist for a change in place", async () => {
    const lossOfData = "its data is lost";
    const before = { label: "web", region: "a", __urn: "urn" };
    expect(await reasonsOf({ fields, lossOfData }, before, { ...before, label: "new" })).toEqual({
      notes: [],
      warnings: [],
    });
    const other = { ...before, label: "other" };
    expect(await reasonsOf({ fields, lossOfData }, other, { ...other, region: "b" })).toEqual({
      notes: [],
      warnings: [
        "Widget urn: replacing it, because region changed, and the API has no operation to change it: its data is lost",
      ],
    });
  });
});
