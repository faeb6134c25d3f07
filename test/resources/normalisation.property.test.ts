import { HIDDEN } from "../../src/provider/state/hidden-names";
import * as fc from "fast-check";
import { changedInputs } from "../../src/provider/state/update-or-replace";
import { type Leaf, leavesOf } from "../../src/provider/describe/fields";
import { stateIn } from "../../src/provider/state/codec";
import { callIn } from "../../src/provider/state/handed";
import { lifecycle } from "../provider/lifecycle";
import { type Properties, same, setAt, snakePath, valueAt } from "../../src/provider/base/values";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { descriptionOf } from "../helpers/lifecycle";
import { REWRITE_NAMES, type RewriteName, type RewritingServer, startRewriting } from "../helpers/rewriting";
import { withValue } from "../provider/arbitraries";
import { FakeClock } from "../provider/fake-clock";
import { FakeEngine } from "../provider/fake-engine";
import { allPrograms, inputsOf, type Programs } from "./rewritten-programs";
import { sessionFor } from "./session";
import { cases, SHORT } from "../helpers/whole";

let emulator: TestEmulator;
let server: RewritingServer;
beforeAll(async () => {
  emulator = await startTestEmulator({ speed: AT_ONCE });
  server = await startRewriting(emulator);
});
afterAll(async () => {
  await server.stop();
  await emulator.stop();
});

/** Any rewrites by the service, in any order. */
const services = fc.shuffledSubarray(REWRITE_NAMES);

/**
 * One rule for everything that the server rewrites, with the real resources, requests and answers: whatever the service
 * does to the inputs, only a change by the program or by somebody else is a change.
 */
describe.each(allPrograms)("$name", (programs: Programs) => {
  const description = descriptionOf(programs.type);
  const leaves = leavesOf(description.fields);
  const alike = allPrograms.filter(({ type }) => type === programs.type).length;
  /** Few runs suffice, because each run covers all inputs. The record types share their runs. */
  const runs = (total: number, least = SHORT ? 1 : 2) => ({
    numRuns: Math.max(least, Math.ceil(cases(total) / alike)),
  });

  /** Creates a resource from these inputs, in an empty account of a service with these rewrites. */
  async function created(inputs: Properties, rewrites: readonly RewriteName[]) {
    emulator.reset();
    server.rewrites = rewrites;
    const session = sessionFor(
      { url: server.url, token: emulator.token },
      { clock: new FakeClock(), settings: { NODECLOUD_VALIDATE: "false" } },
    );
    const args = { ...(await programs.prepare?.(emulator)), ...inputs };
    const resource = new FakeEngine(lifecycle(session, description));
    await resource.up(args);
    return { resource, args };
  }

  /** The inputs as a refresh leaves them: only a creation says where it was requested. */
  const inputsAfter = ({ inputs }: FakeEngine): Properties => ({ ...inputs, [HIDDEN.askedAt]: undefined });

  /** The paths of the inputs that an `up` would change. */
  const changes = async (resource: FakeEngine, args: Properties) =>
    changedInputs(leaves, stateIn(resource.outputs), callIn(await resource.check(args))).map(
      ({ leaf }) => leaf.path,
    );

  /** Expects no changes, and refreshes that find nothing. */
  async function expectRest(resource: FakeEngine, args: Properties, refreshes = 1) {
    const inputs = inputsAfter(resource);
    expect(await changes(resource, args)).toEqual([]);
    for (let times = 1; times <= refreshes; times++) {
      expect(await resource.refresh()).toBe(false);
      expect(resource.inputs).toEqual(inputs);
      expect(await changes(resource, args)).toEqual([]);
    }
    expect(await resource.up(args)).toBe("unchanged");
  }

  test("after a creation there are no changes, and refreshes find nothing", async () => {
    await fc.assert(
      fc.asyncProperty(inputsOf(programs), services, async (inputs, rewrites) => {
        const { resource, args } = await created(inputs, rewrites);
        await expectRest(resource, args, 3);
      }),
      runs(8),
    );
  });

  test("a change of one input is the only change, takes at most one request, and leaves no changes", async () => {
    await fc.assert(
      fc.asyncProperty(inputsOf(programs), inputsOf(programs), services, async (inputs, others, rewrites) => {
        const { resource, args } = await created(inputs, rewrites);
        let current = args;
        for (const leaf of leaves) {
          const [before, after] = [inputs, others].map((values) => valueAt(values, leaf.path));
          const shown = valueAt(resource.outputs, leaf.path);
          const wanted = after ?? leaf.default;
          const isThere = leaf.notSent !== true && same(leaf.comparison, wanted, shown);
          const isChange =
            after === undefined
              ? before !== undefined && leaf.default !== undefined && !isThere
              : !same(leaf.comparison, before, after);
          if (!isChange) continue;
          current = withValue(current, leaf, after);
          expect(await changes(resource, current)).toEqual([leaf.path]);
          server.writes.length = 0;
          if ((await resource.up(current)) === "updated")
            expectWrites(leaf, isThere || leaf.changeDoc?.includes("sends nothing") === true ? 0 : 1);
          await expectRest(resource, current);
        }
      }),
      runs(2),
    );
  });

  /** Expects this number of writes, each with only this input and the fields of its object. */
  function expectWrites({ wirePath }: Leaf, count: number) {
    expect(server.writes).toHaveLength(count);
    for (const { method, body } of server.writes) {
      if (method === "PUT") expect(Object.keys(body ?? {})).toEqual(wirePath.split(".", 1));
    }
  }

  const readable = leaves.filter(
    ({ path, wirePath, followsService }) =>
      !programs.never.includes(path) &&
      followsService !== true &&
      (wirePath.split(".")[0] ?? "") in { ...programs.reply.shape, ...programs.shown },
  );

  test("a change outside Pulumi is found as a change of its input, and the next `up` repairs it", async () => {
    const found = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        inputsOf(programs, true),
        fc.array(inputsOf(programs, true), { minLength: 4, maxLength: 4 }),
        services,
        fc.subarray(readable),
        async (inputs, others, rewrites, emptied) => {
          const { resource, args } = await created(inputs, rewrites);
          for (const leaf of readable) {
            const { outputs } = resource;
            const before = inputsAfter(resource);
            const object = `/objects/${programs.kind}/${resource.id}`;
            const { body: live } = await emulator.control("GET", object);
            const [given, shown] = [inputs, outputs].map((values) => valueAt(values, leaf.path));
            const candidates =
              typeof shown === "boolean" ? [!shown] : others.map((values) => valueAt(values, leaf.path));
            if (emptied.includes(leaf) && canBeEmpty(leaf, live)) candidates.unshift(null);
            const wanted = candidates.find(
              (value) => ![given, shown].some((known) => same(leaf.comparison, known, value)),
            );
            if (wanted === undefined || shown === undefined) continue;
            const other = await patch(object, leaf, wanted, shown);
            if (same(leaf.comparison, other, shown)) continue;

            expect(await resource.refresh()).toBe(true);
            expect(resource.inputs).toEqual(withValue(before, leaf, other ?? undefined));
            expect(await changes(resource, args)).toEqual([leaf.path]);
            expect(await resource.up(args)).toBe(replaces(leaf, args) ? "replaced" : "updated");
            expect(valueAt(resource.outputs, leaf.path)).toEqual(shown);
            await expectRest(resource, args);
            found.add(leaf.path);
          }
        },
      ),
      // One change leaves out what may be empty.
      runs(2, 2),
    );
    expect([...found].sort()).toEqual(readable.map(({ path }) => path).sort());
  });

  /** Changes an input's value outside Pulumi, and returns the value that it then has. */
  async function patch(object: string, { path }: Leaf, value: unknown, before: unknown): Promise<unknown> {
    const { at = snakePath(path), as = (same: unknown) => same } = programs.shown?.[path] ?? {};
    const statusOf = async (wanted: unknown) => {
      const fields: Properties = {};
      setAt(fields, at, as(wanted));
      return (await emulator.control("PATCH", object, fields)).status;
    };
    const status = await statusOf(value);
    if (value !== null || status === 200) {
      expect(status).toBe(200);
      return value;
    }
    // If the emulator has no null for it, an empty string or 0 stands for no value.
    const nothing = typeof before === "string" ? "" : 0;
    expect(await statusOf(nothing)).toBe(200);
    return nothing;
  }

  /** Whether the service's answer can have null for this string or number. */
  function canBeEmpty(leaf: Leaf, live: Properties): boolean {
    const empty = structuredClone(live);
    const path = snakePath(leaf.path);
    setAt(empty, path, null);
    const isOne = ["string", "number"].includes(typeof valueAt(live, path));
    return isOne && programs.reply.safeParse(empty).success;
  }
});

const replaces = ({ change }: Leaf, args: Properties) =>
  (typeof change === "function" ? change(args) : change) === "replace";
