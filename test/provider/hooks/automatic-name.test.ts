import { z } from "zod";
import type * as CommandLine from "../../../src/provider/engine/command-line";
import { type Description } from "../../../src/provider/describe/define-resource";
import { lifecycle } from "../lifecycle";
import { isAutomatic } from "../../../src/provider/state/call";
import { toldIn } from "../../../src/provider/state/handed";
import { type StackState, stateIn } from "../../../src/provider/engine/stack-state";
import { type Properties, UNKNOWN } from "../../../src/provider/base/values";
import { FakeEngine } from "../fake-engine";
import { update } from "../undocumented";
import { failing, FakeLog, FakeService, AT, fakeSession, refused } from "../fake-service";

/** What the arguments of the command line say, which no test has. */
let replacesSome: boolean | undefined;
jest.mock("../../../src/provider/engine/command-line", () => ({
  ...jest.requireActual<typeof CommandLine>("../../../src/provider/engine/command-line"),
  replacesSome: () => replacesSome,
}));

let service: FakeService;
beforeEach(() => {
  replacesSome = undefined;
  service = new FakeService();
});

const named = { autoname: { path: "label", max: 20 } } as const;
const provider = (validate = true) => lifecycle(fakeSession({ validate }), service.description(named));
const web = (inputs: Properties = {}): Properties => ({
  __resourceName: "web",
  __urn: "urn:pulumi:dev::app::Widget::web",
  ...inputs,
});
const checked = async (news: Properties, olds: Properties = {}, run = provider()) =>
  (await run.check(olds, news)).inputs;
const missing = failing(refused(404, undefined, "Not found"));
const NAME = /^web-[0-9a-f]{7}$/;

describe("an automatic name", () => {
  test.each<[string, Properties]>([
    ["without a label", {}],
    ["with a label of null", { label: null }],
  ])("is given to a resource %s", async (_, inputs) => {
    const made = await checked(web(inputs));
    expect(made["label"]).toMatch(NAME);
    expect(isAutomatic(toldIn(made))).toBe(true);
  });

  test("is the same in every run, and different in another organization", async () => {
    const { label } = await checked(web());
    expect((await checked(web()))["label"]).toBe(label);
    const elsewhere = await checked(web({ __urn: `acme/${String(web()["__urn"])}` }));
    expect(elsewhere["label"]).not.toBe(label);
    expect(elsewhere["__urn"]).toBe(web()["__urn"]);
  });

  test("that was changed outside Pulumi is drift, and a refresh makes the new name the automatic one", async () => {
    const resource = new FakeEngine(provider());
    await resource.up(web());
    Object.assign(service.objects.get(resource.id ?? "") ?? {}, { label: "theirs" });
    expect(await resource.refresh()).toBe(true);
    expect(await resource.up(web())).toBe("unchanged");
    expect(service.objects.get(resource.id ?? "")).toMatchObject({ label: "theirs" });
    expect(isAutomatic(toldIn(resource.inputs))).toBe(true);
  });

  test("is cut to the greatest length that the input's schema allows", async () => {
    const short = update(z.string().max(16).optional(), { removed: "stays" });
    const fields = { ...service.description({}).fields, label: short };
    const run = lifecycle(
      fakeSession({ validate: true }),
      service.description({ fields, autoname: { path: "label" } }),
    );
    const { label } = await checked(web({ __resourceName: "a-long-resource-name" }), {}, run);
    expect(label).toMatch(/^a-long-r-[0-9a-f]{7}$/);
  });

  test("does not exist if the program sets the label, also with a transformation or an output", async () => {
    const made = await checked(web({ label: "mine" }));
    expect(made).toEqual({ label: "mine", __urn: web()["__urn"], __askedAt: AT });
  });

  test("is unknown in a preview with an unknown label, and so is the mark that it is automatic", async () => {
    expect(await checked(web({ label: UNKNOWN }))).toMatchObject({ label: UNKNOWN, __resourceName: UNKNOWN });
  });

  test("stays if the engine passes the old label, as with ignoreChanges", async () => {
    const olds = await checked(web());
    const again = await checked(web({ label: olds["label"] }), olds);
    expect(again).toEqual({ ...olds, __askedAt: undefined });
  });

  test("of an earlier version stays, even after a refresh, which removes its mark", async () => {
    expect((await checked(web(), web({ label: "web-0123456" })))["label"]).toBe("web-0123456");
    expect((await checked(web(), { label: "web-0123456", size: 1 }))["label"]).toBe("web-0123456");
  });

  test("stays after a refresh, even if the resource has another name then", async () => {
    const resource = new FakeEngine(provider());
    await resource.up(web());
    const { label } = resource.inputs;
    await resource.refresh();
    expect(await checked(web({ __resourceName: "www" }), resource.inputs)).toMatchObject({ label });
  });

  test("of an imported object is the name in the account", async () => {
    const id = service.add({ label: "theirs", region: "moon" });
    const adopted = await checked(web({ __importId: id }));
    expect(adopted).not.toHaveProperty("label");
    expect(await checked(web(), adopted)).not.toHaveProperty("label");
  });

  describe("that an existing object has", () => {
    const known = (...ids: string[]): StackState => ({
      objects: [],
      settingsOf: () => undefined,
      knows: (_, id) => ids.includes(id),
      otherIdOf: () => undefined,
      cutOff: [],
      standing: () => undefined,
      hasImported: () => false,
      makerOf: () => undefined,
      holdersOf: () => [],
      wasCutOff: () => false,
      pendingCreation: () => undefined,
      interrupted: () => [],
    });
    /** The state after an interrupted creation with these inputs. */
    const cutOffIn = (inputs: Properties, isAutomatic = true): StackState => ({
      ...known(),
      wasCutOff: (operation) => operation === "creating",
      pendingCreation: () => ({
        requested: [{ inputs, autonamed: isAutomatic ? "web" : undefined }],
        isOpen: true,
      }),
    });
    const anyNumber = { unique: undefined } as unknown as Partial<Description>;
    const manyOfAName = { ...named, ...anyNumber };
    const withState = (
      state: StackState | undefined,
      resume = false,
      particular: Partial<Description> = named,
      log = new FakeLog(),
    ) =>
      lifecycle(
        fakeSession({ validate: true, resume, log, readState: () => Promise.resolve(state) }),
        service.description(particular),
      );

    test("is replaced by the next one if the state has the object, as with --replace", async () => {
      const first = (await checked(web()))["label"];
      const id = service.add({ label: first });
      const second = (await checked(web(), {}, withState(known(id))))["label"];
      expect(second).toMatch(NAME);
      const other = service.add({ label: second });
      const third = (await checked(web(), {}, withState(known(id, other))))["label"];
      expect(new Set([first, second, third]).size).toBe(3);
    });

    test.each<[string, StackState | undefined, string]>([
      [
        "the state knows no interrupted creation",
        known(),
        "no interrupted run of this stack has asked for it",
      ],
      ["the state cannot be read", undefined, "the state of this stack could not be read"],
    ])(
      "is no evidence if %s: the resource gets the next name, and a warning says so",
      async (_, state, why) => {
        const first = (await checked(web()))["label"];
        const id = service.add({ label: first });
        const log = new FakeLog();
        const resource = new FakeEngine(withState(state, true, named, log));
        expect(await resource.up(web())).toBe("created");
        const { label } = resource.inputs;
        expect(label).toMatch(NAME);
        expect(label).not.toBe(first);
        expect(resource.id).not.toBe(id);
        expect(log.warnings).toEqual([
          `Widget web: the Widget ${id} has the label "${String(first)}", and ${why}. This resource gets the label "${String(label)}". ` +
            `To manage the Widget ${id} instead, give this resource the option import: "${id}"`,
        ]);
      },
    );

    test("is evidence if an interrupted creation has asked for it: it is refused, and the error gives the id and what to do", async () => {
      const label = (await checked(web()))["label"];
      const id = service.add({ label });
      const { inputs, failures } = await withState(cutOffIn({ label })).check({}, web());
      expect(inputs["label"]).toBe(label);
      expect(failures.map(({ reason }) => reason)).toEqual([
        `cannot be created: the Widget ${id} has the same label, and is not in the state. An interrupted run created it. ` +
          `To continue with it, set nodecloud:resume (or NODECLOUD_RESUME=true), or give this resource the option import: "${id}" (or NODECLOUD_IMPORT='URN=${id}'). To create a new one, delete it first [NC1306]`,
      ]);
    });

    test.each([
      ["is refused if another run has created it for this resource since this one began", {}, false],
      ["is replaced by the next one with --replace", {}, true],
      ["is replaced by the next one where the arguments of the command are not shown", {}, undefined],
      ["is replaced by the next one after `pulumi state taint`", { taint: true }, false],
      ["is replaced by the next one if a replacement has deleted it", { pendingReplacement: true }, false],
    ] as const)("%s", async (name, more, replaces) => {
      replacesSome = replaces;
      const label = (await checked(web()))["label"];
      const id = service.add({ label });
      const type = "pulumi-nodejs:dynamic/nodecloud:Widget";
      const state = stateIn({ resources: [{ urn: String(web()["__urn"]), type, id, outputs: {}, ...more }] });
      const checking = withState(state).check({}, web());
      if (name.startsWith("is refused"))
        await expect(checking).rejects.toThrow(`another run has created the Widget ${id} for this resource`);
      else expect((await checking).inputs["label"]).not.toBe(label);
    });

    test("is replaced by the next one if the engine, which knows the resource, checks it again, as for replacementTrigger", async () => {
      replacesSome = false;
      const inputs = await checked(web());
      const id = service.add({ label: inputs["label"] });
      const type = "pulumi-nodejs:dynamic/nodecloud:Widget";
      const state = stateIn({ resources: [{ urn: String(web()["__urn"]), type, id, outputs: {} }] });
      const provider = withState(state);
      expect((await provider.check(inputs, web())).inputs["label"]).toBe(inputs["label"]);
      expect((await provider.check({}, web())).inputs["label"]).not.toBe(inputs["label"]);
    });

    test("is resumed with nodecloud:resume if an interrupted creation has asked for it and the inputs are equal", async () => {
      const label = (await checked(web()))["label"];
      const id = service.add({ label, region: "moon" });
      const resource = new FakeEngine(withState(cutOffIn({ label, region: "moon" }), true));
      await expect(resource.up(web({ region: "mars" }))).rejects.toThrow("created with other inputs");
      expect(await resource.up(web({ region: "moon" }))).toBe("created");
      expect(resource.id).toBe(id);
      expect(service.asked("create")).toEqual([]);
    });

    test("is refused with other inputs, and with the program of that run as the way on if the engine can import nothing", async () => {
      const label = (await checked(web()))["label"];
      service.add({ label, region: "moon" });
      const urn = String(web()["__urn"]);
      const requested = { label, region: "moon", __resourceName: "web" };
      const old = { urn, id: "0", type: "pulumi-nodejs:dynamic/nodecloud:Widget", outputs: {} };
      const stateOf = (...resources: readonly object[]) =>
        stateIn({
          resources: [...resources],
          pending_operations: [{ type: "creating", resource: { urn, inputs: requested } }],
        });
      const refusalIn = (state: StackState) =>
        expect(new FakeEngine(withState(state, true)).up(web({ region: "mars" }))).rejects;
      await refusalIn(stateOf()).toThrow("To continue with it, give this resource the option import");
      await refusalIn(stateOf({ ...old, pendingReplacement: true })).toThrow(
        "To continue with it, run `pulumi up` with the program of the interrupted run. To create a new one, delete it first",
      );
    });

    test("is resumed by the last of several interruptions, also if the state has an object with its id in another account", async () => {
      const label = (await checked(web()))["label"];
      const id = service.add({ label });
      const urn = String(web()["__urn"]);
      const asked = (name: unknown) => ({
        type: "creating",
        resource: { urn, inputs: { label: name, __resourceName: "web" } },
      });
      const outputs = { __set: "label", __at: "old.example#000000" };
      const state = stateIn({
        resources: [{ urn, id, type: "pulumi-nodejs:dynamic/nodecloud:Widget", outputs }],
        pending_operations: [asked("web-0000000"), asked(label)],
      });
      const resource = new FakeEngine(withState(state, true));
      await resource.up(web());
      expect(resource.id).toBe(id);
      expect(service.asked("create")).toEqual([]);
    });

    test("is taken from an interrupted creation, which may have derived another one", async () => {
      const id = service.add({ label: "web-0123456" });
      const resource = new FakeEngine(withState(cutOffIn({ label: "web-0123456" }), true));
      await resource.up(web());
      expect(resource.id).toBe(id);
      expect(service.asked("create")).toEqual([]);
    });

    test("is taken from an interrupted creation with nodecloud:resume, also if its object may only appear later", async () => {
      const resource = new FakeEngine(withState(cutOffIn({ label: "web-0123456" }), true));
      await resource.up(web());
      expect(resource.inputs["label"]).toBe("web-0123456");
      expect(service.asked("create")).toHaveLength(1);
    });

    test("is derived without a process that reads the state if no object has an automatic name of the resource", async () => {
      service.add({ label: "another-0123456" });
      const readState = jest.fn(() => Promise.resolve(undefined));
      const run = lifecycle(fakeSession({ validate: true, readState }), service.description(named));
      await new FakeEngine(run).up(web());
      expect(readState).not.toHaveBeenCalled();
    });

    test("is not taken from a creation that a later run has finished", async () => {
      service.add({ label: "web-0123456" });
      const state: StackState = {
        ...known(),
        pendingCreation: () => ({
          requested: [{ inputs: { label: "web-0123456" }, autonamed: "web" }],
          isOpen: false,
        }),
      };
      const resource = new FakeEngine(withState(state, true));
      await resource.up(web());
      expect(resource.inputs["label"]).not.toBe("web-0123456");
      expect(service.asked("create")).toHaveLength(1);
    });

    test("is refused with nodecloud:resume if several objects have these inputs", async () => {
      const label = (await checked(web()))["label"];
      const ids = [service.add({ label }), service.add({ label })].join(", ");
      await expect(new FakeEngine(withState(cutOffIn({ label }), true)).up(web())).rejects.toThrow(
        `the Widgets ${ids} have the same label, and are not in the state. An interrupted run created them. nodecloud:resume is set, but it is unknown which of them is`,
      );
    });

    test("goes on with nodecloud:resume if another stack of the backend manages all other objects with these inputs", async () => {
      const label = (await checked(web()))["label"];
      const [own, theirs] = [service.add({ label }), service.add({ label })];
      const holdersOf = (_: string, id: string) =>
        id === theirs ? [{ urn: "urn:pulumi:dev::shop::Widget::web" }] : [];
      const readOthers = () =>
        Promise.resolve({ stacks: [{ name: "shop/dev", holdersOf, pending: [] }], unread: 0 });
      const readState = () => Promise.resolve(cutOffIn({ label }));
      const session = fakeSession({ validate: true, resume: true, readState, readOthers });
      const resource = new FakeEngine(lifecycle(session, service.description(named)));
      await resource.up(web());
      expect(resource.id).toBe(own);
      expect(service.asked("create")).toEqual([]);
    });

    test("is no evidence if another stack manages it, also after an interrupted creation: the resource gets the next name", async () => {
      const label = (await checked(web()))["label"];
      const theirs = service.add({ label });
      const holdersOf = (_: string, id: string) =>
        id === theirs ? [{ urn: "urn:pulumi:dev::shop::Widget::web" }] : [];
      const readOthers = () =>
        Promise.resolve({ stacks: [{ name: "shop/dev", holdersOf, pending: [] }], unread: 0 });
      const readState = () => Promise.resolve(cutOffIn({ label }));
      const log = new FakeLog();
      const session = fakeSession({ validate: true, log, readState, readOthers });
      const resource = new FakeEngine(lifecycle(session, service.description(named)));
      expect(await resource.up(web())).toBe("created");
      expect(resource.inputs["label"]).not.toBe(label);
      expect(log.warnings).toEqual([
        expect.stringContaining(
          `the Widget ${theirs} has the label "${String(label)}", and it is another stack's. `,
        ),
      ]);
    });

    test("is refused if a refresh wrongly found that the object does not exist", async () => {
      const made = new FakeEngine(withState(known()));
      await made.up(web());
      const { id, inputs, outputs } = made;
      const next = () => {
        const run = withState(known("1"));
        return { run, resource: Object.assign(new FakeEngine(run), { id, inputs, outputs }) };
      };
      service.plan("read", missing);
      const once = next().resource;
      expect(await once.refresh()).toBe(false);
      expect(once.id).toBe("1");

      service.plan("read", missing, missing);
      const { run, resource } = next();
      await resource.refresh();
      expect(resource.id).toBeUndefined();
      await expect(new FakeEngine(run).up(web())).rejects.toThrow(
        /the Widget 1 has the same label, .*import: "1"/,
      );
      expect(service.asked("create")).toHaveLength(1);
    });

    test("and that the program sets does not identify the owner, even after an interrupted creation", async () => {
      const id = service.add({ label: "theirs" });
      const { failures } = await withState(cutOffIn({ label: "theirs" }, false), true, manyOfAName).check(
        {},
        web({ label: "theirs" }),
      );
      expect(failures.map(({ reason }) => reason)).toEqual([
        `cannot be created: the Widget ${id} has the same label, and is not in the state. If an interrupted run of this stack created it, give this resource the option import: "${id}" (or NODECLOUD_IMPORT='URN=${id}'); ` +
          "to create another, first run `pulumi refresh --clear-pending-creates`, after which no interrupted creation of the stack is resumed [NC1306]",
      ]);
      expect(
        (await withState(known(), true, manyOfAName).check({}, web({ label: "theirs" }))).failures,
      ).toEqual([]);
    });

    test("in a kind without names, where only the inputs distinguish objects, is resumed only after an interrupted creation", async () => {
      const id = service.add({ label: "equal" });
      const up = (state: StackState) => {
        const resource = new FakeEngine(withState(state, true, anyNumber));
        return resource.up(web({ label: "equal" })).then(() => resource.id);
      };
      await expect(up(known())).rejects.toThrow(
        `the Widget ${id} has the same content, and is not in the state. If an interrupted run of this stack created it, give this resource the option import: "${id}". If another resource manages it`,
      );
      expect(await up(cutOffIn({ label: "equal" }, false))).toBe(id);
      expect(service.asked("create")).toEqual([]);
    });

    test("is not looked up with nodecloud:validate false", async () => {
      const label = (await checked(web()))["label"];
      service.add({ label });
      expect((await checked(web(), {}, provider(false)))["label"]).toBe(label);
    });
  });

  test("is looked up in one list for all resources", async () => {
    const run = provider();
    for (const name of ["a", "b", "c"]) await checked(web({ __resourceName: name, __urn: name }), {}, run);
    expect(service.asked("list")).toEqual(["list"]);
  });

  test("of a replacement follows from the old name, even without a lookup in the account", async () => {
    const label = async () => {
      const run = provider(false);
      const resource = new FakeEngine(run);
      await resource.up(web({ region: "moon" }));
      const first = resource.inputs["label"];
      expect(await resource.up(web({ region: "mars" }))).toBe("replaced");
      expect(resource.inputs["label"]).not.toBe(first);
      expect(resource.inputs["label"]).toMatch(NAME);
      return resource.inputs["label"];
    };
    expect(await label()).toBe(await label());
  });
});

describe("a label that the program sets", () => {
  test("is replaced in place by the automatic one when it is removed", async () => {
    const resource = new FakeEngine(provider());
    await resource.up(web({ label: "mine" }));
    expect(await resource.up(web())).toBe("updated");
    expect(resource.outputs["label"]).toBe((await checked(web(), {}, provider(false)))["label"]);
    expect(await resource.up(web())).toBe("unchanged");
    await resource.refresh();
    expect(await resource.up(web())).toBe("unchanged");
  });

  test("permanently replaces an automatic one in place", async () => {
    const resource = new FakeEngine(provider());
    await resource.up(web());
    expect(await resource.up(web({ label: "mine" }))).toBe("updated");
    await resource.refresh();
    expect(resource.inputs).not.toHaveProperty("__resourceName");
    expect(await resource.up(web({ label: "mine" }))).toBe("unchanged");
  });

  test("is unique, even if it was the automatic one, so a replacement deletes first", async () => {
    const resource = new FakeEngine(provider());
    await resource.up(web({ region: "moon" }));
    const { label } = resource.inputs;
    const diff = await resource.preview(web({ region: "mars", label }));
    expect(diff).toMatchObject({ replaces: ["region"], deleteBeforeReplace: true });
    expect(await resource.up(web({ region: "mars", label }))).toBe("replaced");
    expect([...service.objects.values()]).toEqual([expect.objectContaining({ label, region: "mars" })]);
  });
});
