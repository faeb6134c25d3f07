import { type StackState, stateIn } from "../../../src/provider/engine/stack-state";
import { ApiError } from "../../../src/api/errors";
import { FakeEngine } from "../fake-engine";
import { failing, FakeService, fakeSession, refused } from "../fake-service";
import { lifecycle } from "../lifecycle";

const URN = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/nodecloud:Widget::web";

const ELSEWHERE = "https://other.example/v4";

let service: FakeService;
let state: StackState | undefined;
beforeEach(() => {
  service = new FakeService();
  state = undefined;
});

/** A process whose provider has these settings. */
const withSettings = (environment: Record<string, string>, validate = true) =>
  lifecycle(
    fakeSession({ environment, validate, readState: () => Promise.resolve(state) }),
    service.description({}),
  );

/** The resource in a later process. */
const later = (
  { id, inputs, outputs }: FakeEngine,
  environment: Record<string, string>,
  validate?: boolean,
) => Object.assign(new FakeEngine(withSettings(environment, validate)), { id, inputs, outputs });

const created = async (label = "web") => {
  const resource = new FakeEngine(withSettings({}));
  await resource.up({ label, __urn: URN });
  return resource;
};

/** The state of a stack with these resources. */
const stateOf = (...resources: readonly FakeEngine[]) =>
  stateIn({
    resources: resources.map(({ id, inputs, outputs }) => ({
      ...{ urn: URN, type: "pulumi-nodejs:dynamic/nodecloud:Widget", custom: true },
      ...{ id, inputs, outputs },
    })),
  });

const args = { label: "web", __urn: URN };
const OTHER_TOKEN = { NODECLOUD_TOKEN: "rotated-token" };

describe("a provider with another base URL", () => {
  const moved = { NODECLOUD_BASE_URL: ELSEWHERE };

  test("is refused for each operation, with both sides and the setting", async () => {
    const resource = later(await created(), moved);
    const refusal =
      "the Widget 1 is at api.example, and this provider leads to other.example, so nothing was done to it. " +
      "If both lead to one account, set nodecloud:sameAccount (or NODECLOUD_SAME_ACCOUNT=true) for one `pulumi refresh`.";
    await expect(resource.preview(args)).rejects.toThrow(refusal);
    await expect(resource.refresh()).rejects.toThrow(refusal);
    await expect(resource.up({ ...args, size: 9 })).rejects.toThrow(refusal);
    await expect(resource.destroy()).rejects.toThrow(refusal);
    expect(service.objects.size).toBe(1);
  });

  test("that leads to the same account is known after a refresh with the setting", async () => {
    const resource = later(await created(), { ...moved, NODECLOUD_SAME_ACCOUNT: "true" });
    expect(await resource.refresh()).toBe(false);
    expect(await later(resource, moved).up(args)).toBe("unchanged");
  });

  test("is the same however it is written", async () => {
    const resource = later(await created(), { NODECLOUD_BASE_URL: "https://API.example/v4/" });
    expect(await resource.up(args)).toBe("unchanged");
  });

  test("that the environment supplies to an explicit provider is refused, as the old provider has it too", async () => {
    const { provider, ...resource } = later(await created(), moved);
    await provider.check({}, { ...args, __explicit: true });
    await expect(Object.assign(new FakeEngine(provider), resource).preview(args)).rejects.toThrow(
      "leads to other.example",
    );
  });

  test("that is the setting of an explicit provider replaces the object, which that provider does not delete", async () => {
    const { provider, ...resource } = later(await created(), {});
    provider.configure({
      config: { get: (key) => (key === "nodecloud:baseUrl" ? ELSEWHERE : undefined) },
    });
    const moving = Object.assign(new FakeEngine(provider), resource);
    await provider.check({}, { ...args, __explicit: true });
    expect(await moving.preview(args)).toMatchObject({
      changes: true,
      replaces: ["provider"],
      deleteBeforeReplace: false,
    });
    await expect(moving.destroy()).rejects.toThrow("so nothing was done to it");
  });
});

test("a resource whose old provider a failed run has replaced is replaced by the next run, as that provider deletes the object", async () => {
  const resource = await created();
  const given = "urn:pulumi:dev::app::pulumi:providers:nodecloud::given";
  const old = (baseUrl: string) => ({
    ...{ urn: given, id: "old", type: "pulumi:providers:nodecloud", delete: true },
    inputs: { baseUrl },
  });
  const { id, inputs, outputs } = resource;
  const own = { urn: URN, id, inputs, outputs, provider: `${given}::old` };
  const stateWith = (baseUrl: string) =>
    stateIn({
      resources: [old(baseUrl), { ...own, type: "pulumi-nodejs:dynamic/nodecloud:Widget" }],
    });
  const next = () => later(resource, { NODECLOUD_BASE_URL: ELSEWHERE });
  state = stateWith("https://api.example/v4");
  // The first call tells which stack it is.
  const moving = next();
  await moving.check(args);
  expect(await moving.preview(args)).toMatchObject({ replaces: ["provider"] });
  state = stateWith("https://third.example/v4");
  await expect(next().preview(args)).rejects.toThrow("so nothing was done to it");
});

test.each([
  ["of the full plugin, which the engine changes in place", "nodecloud", "https://api.example/v4", false],
  ["that the engine has changed in place", "pulumi-nodejs", `${ELSEWHERE}`, false],
  ["that the engine will replace", "pulumi-nodejs", "https://api.example/v4", true],
])(
  "a move to another account, whose old provider is one %s, is refused before anything is created if that would delete in the new account",
  async (_, provider, baseUrl, moves) => {
    const resource = await created();
    const given = `urn:pulumi:dev::app::pulumi:providers:${provider}::given`;
    const { id, inputs, outputs } = resource;
    const own = { urn: URN, type: "pulumi-nodejs:dynamic/nodecloud:Widget", id, inputs, outputs };
    state = stateIn({
      resources: [
        { urn: given, id: "1", type: `pulumi:providers:${provider}`, inputs: { baseUrl } },
        { ...own, provider: `${given}::1` },
      ],
    });
    const next = later(resource, {});
    next.provider.configure({
      config: { get: (key) => (key === "nodecloud:baseUrl" ? ELSEWHERE : undefined) },
    });
    await next.provider.check({}, { ...args, __explicit: true });
    const preview = next.preview(args);
    if (moves) expect(await preview).toMatchObject({ replaces: ["provider"] });
    else await expect(preview).rejects.toThrow("so nothing was done to it");
  },
);

describe("a provider with another token", () => {
  test("that finds an object is in the same account: another that is not found is gone", async () => {
    const [one, gone] = [await created("one"), await created("gone")];
    service.objects.delete(gone.id ?? "");
    state = stateOf(one, gone);
    expect(await later(gone, OTHER_TOKEN).refresh()).toBe(true);
    const { provider } = later(one, OTHER_TOKEN);
    expect(
      await Object.assign(new FakeEngine(provider), one, { provider }).up({ ...args, label: "one" }),
    ).toBe("unchanged");
    const ended = Object.assign(new FakeEngine(provider), { ...gone, provider });
    await ended.destroy();
    expect(service.objects.size).toBe(1);
  });

  test("that finds none of several objects is refused, and the error names them", async () => {
    const [one, two] = [await created("one"), await created("two")];
    state = stateOf(one, two);
    service.objects.clear();
    const refusal =
      "this provider does not find the Widget 1 at api.example, and its token is not the one that last found the object. " +
      "Nor does it find Widget 2 of this stack: it is probably another account, so nothing was done. " +
      "Restore the token of the account; or, if the objects were deleted outside Pulumi, set nodecloud:sameAccount";
    const resource = later(one, OTHER_TOKEN);
    await expect(resource.preview({ ...args, label: "one" })).rejects.toThrow(refusal);
    await expect(resource.refresh()).rejects.toThrow(refusal);
    await expect(resource.destroy()).rejects.toThrow(refusal);
    expect(await later(one, { ...OTHER_TOKEN, NODECLOUD_SAME_ACCOUNT: "true" }).refresh()).toBe(true);
  });

  test("that does not find the only object is refused, as nothing shows which account it has", async () => {
    const resource = await created();
    state = stateOf(resource);
    service.objects.clear();
    await expect(later(resource, OTHER_TOKEN).refresh()).rejects.toThrow(
      "No other object of the stack tells whether it is the same account",
    );
    expect(await later(resource, {}).refresh()).toBe(true);
  });

  test("that does not find an object which an unfinished replacement has deleted goes on, unless it finds none of the others either", async () => {
    const [gone, other] = [await created(), await created("other")];
    const ofGone = { ...gone, urn: URN, type: "pulumi-nodejs:dynamic/nodecloud:Widget", custom: true };
    const left = { ...ofGone, provider: undefined, pendingReplacement: true };
    state = stateIn({ resources: [left] });
    service.objects.delete(gone.id ?? "");
    const next = () => later(gone, OTHER_TOKEN);
    await expect(next().preview(args)).resolves.toBeDefined();
    await next().destroy();
    const { id, inputs, outputs } = other;
    const second = { urn: `${URN}-2`, type: left.type, custom: true, id, inputs, outputs };
    state = stateIn({ resources: [left, second] });
    service.objects.clear();
    await expect(next().preview(args)).rejects.toThrow("Nor does it find Widget 2 of this stack");
  });

  test("that finds another object with the id is refused, unless it finds one of the stack's others", async () => {
    const [one, two] = [await created("one"), await created("two")];
    state = stateOf(one, two);
    Object.assign(service.objects.get(one.id ?? "") ?? {}, { label: "theirs" });
    expect(await later(one, OTHER_TOKEN).refresh()).toBe(true);
    Object.assign(service.objects.get(two.id ?? "") ?? {}, { label: "theirs too" });
    const refusal =
      "this provider finds another Widget 1 at api.example than that of the state (label differs), and its token is not the one that " +
      "last found the object. Nor does it find Widget 2 of this stack: it is probably another account, so nothing was done";
    await expect(later(one, OTHER_TOKEN).refresh()).rejects.toThrow(refusal);
    await expect(later(one, OTHER_TOKEN).destroy()).rejects.toThrow(refusal);
    expect(service.objects.size).toBe(2);
    expect(await later(one, {}).refresh()).toBe(true);
  });

  test("that finds an object created at another time is refused, also if the setting says that it is the same account", async () => {
    const resource = await created("one");
    const live = service.objects.get(resource.id ?? "") ?? {};
    live["created"] = "2026-01-01T00:00:00";
    resource.outputs["created"] = "2026-01-01T00:00:00";
    const same = { ...OTHER_TOKEN, NODECLOUD_SAME_ACCOUNT: "true" };
    expect(await later(resource, same).refresh()).toBe(false);
    live["created"] = "2026-01-02T00:00:00";
    const refusal = "is not the object of the state (created differs), so this is another account";
    await expect(later(resource, same).refresh()).rejects.toThrow(refusal);
    await expect(later(resource, same).destroy()).rejects.toThrow(refusal);
    expect(service.objects.size).toBe(1);
  });

  test("that may not read one of the others looks at the next", async () => {
    const [gone, hidden, there] = [await created("gone"), await created("hidden"), await created("there")];
    state = stateOf(gone, hidden, there);
    service.objects.delete(gone.id ?? "");
    const notForReaders = new ApiError({
      operation: "GET /widgets/2",
      status: 403,
      reasons: [],
      requires: { scopes: ["databases:read_write"] },
    });
    service.plan("list", failing(notForReaders));
    service.plan("read", (run) => run(), failing(notForReaders));
    expect(await later(gone, OTHER_TOKEN).refresh()).toBe(true);
    state = stateOf(gone, hidden);
    service.plan("list", failing(notForReaders));
    service.plan("read", (run) => run(), failing(notForReaders));
    await expect(later(gone, OTHER_TOKEN).refresh()).rejects.toThrow(
      "No other object of the stack tells whether it is the same account",
    );
    service.plan("read", failing(notForReaders), failing(notForReaders));
    expect(await later(hidden, OTHER_TOKEN).refresh()).toBe(false);
  });

  test("that finds an object of another name is refused, also if the setting says that it is the same account", async () => {
    const [one, two] = [await created("one"), await created("two")];
    state = stateOf(one, two);
    const same = { ...OTHER_TOKEN, NODECLOUD_SAME_ACCOUNT: "true" };
    const rename = (resource: FakeEngine, label: string) =>
      Object.assign(service.objects.get(resource.id ?? "") ?? {}, { label });
    rename(one, "theirs");
    // The other object of the stack shows that only the name was changed.
    expect(await later(one, same).refresh()).toBe(true);
    rename(two, "theirs too");
    const refusal =
      "the Widget 1 at api.example is not the object of the state (label differs), so this is another account, and nothing was done; " +
      "if the label was changed outside Pulumi, restore it for this run";
    await expect(later(one, same).refresh()).rejects.toThrow(refusal);
    await expect(later(one, same).destroy()).rejects.toThrow(refusal);
    service.objects.delete(one.id ?? "");
    await expect(later(one, same).refresh()).rejects.toThrow("the Widget 2 at api.example is not the object");
    expect(service.objects.size).toBe(1);
  });

  test("that finds one object created at another time takes none, also one of the same name", async () => {
    const [one, two] = [await created("one"), await created("two")];
    two.outputs["created"] = "2026-01-01T00:00:00";
    Object.assign(service.objects.get(two.id ?? "") ?? {}, { created: "2026-01-02T00:00:00" });
    state = stateOf(one, two);
    const same = { ...OTHER_TOKEN, NODECLOUD_SAME_ACCOUNT: "true" };
    await expect(later(one, same).refresh()).rejects.toThrow(
      "the Widget 2 at api.example is not the object of the state (created differs), so this is another account",
    );
  });

  test("reads nothing for a preview without validation", async () => {
    const resource = await created();
    service.objects.clear();
    expect(await later(resource, OTHER_TOKEN, false).up(args)).toBe("unchanged");
  });

  test("that the service refuses does not stop a preview", async () => {
    const resource = await created();
    service.plan("read", failing(refused(401, undefined, "Invalid token")));
    expect(await later(resource, OTHER_TOKEN).up(args)).toBe("unchanged");
  });
});

describe("a state of an earlier version, which does not say where its objects are,", () => {
  const unmarked = async (label: string) => {
    const resource = await created(label);
    delete resource.outputs["__at"];
    return resource;
  };

  test("believes that a single object is gone", async () => {
    const resource = await unmarked("one");
    state = stateOf(resource);
    service.objects.clear();
    expect(await later(resource, {}).refresh()).toBe(true);
  });

  test("is refused if none of several objects is found", async () => {
    const [one, two] = [await unmarked("one"), await unmarked("two")];
    state = stateOf(one, two);
    service.objects.clear();
    await expect(later(one, {}).refresh()).rejects.toThrow(
      "does not find the Widget 1 at api.example. Nor does it find Widget 2",
    );
    await expect(later(two, {}).destroy()).rejects.toThrow("it is probably another account");
  });

  test("gets the mark by a refresh", async () => {
    const resource = later(await unmarked("one"), {});
    await resource.refresh();
    expect(resource.outputs["__at"]).toMatch(/^api\.example#[0-9a-f]{6}$/);
  });
});
