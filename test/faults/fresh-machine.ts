import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type TestEmulator, withEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";
import { objectsOf, type Problems } from "./account";
import { type Chance, chanceOf, pick } from "./chance";
import { type Gate, openGate } from "./gate";
import { DISK } from "./kinds";
import { later } from "./later";
import { killCommand } from "./processes";
import { moveToAnotherMachine, recover } from "./recovery";
import { said } from "./said";
import { judgeAccount, WHOLE, wholeProgram } from "./whole-program";

/** The approximate number of requests of an undisturbed `up`. */
const REQUESTS = { create: 60, update: 40 } as const;

/** Waits end at once. */
const SPEED = 60_000;

/** The labels of the program, which objects of somebody else have too where the service allows it. */
const LABELS = { web: "web", image: "disk" };

/**
 * Kills an `up` at a random request, perhaps also the next one. Each command runs on a machine with an empty home, with `nodecloud:resume`, as in CI. The
 * program's labels are set or automatic. `backend` is a URL for the state, by default a folder.
 */
export const runFresh = (seed: number, backend: string | undefined): Promise<Problems> =>
  withEmulator(
    async (emulator) => {
      const chance = chanceOf(seed);
      const labels = chance() < 0.5 ? LABELS : undefined;
      const gate = await openGate(emulator.origin);
      await furnish(emulator);
      const others = await idsIn(emulator);
      const stack = await testStack({ token: emulator.token, url: gate.url });
      stack.way = pick(chance, ["dynamic", "plugin"] as const);
      stack.env["NODECLOUD_RESUME"] = "true";
      stack.folder.write(DISK.file, DISK.content);
      if (backend !== undefined) await moveState(stack, backend);
      const history = [stack.way, labels === undefined ? "automatic names" : "labels"];
      try {
        const problems = await runKilled({ emulator, gate, stack, labels, others, chance, history });
        return problems.length === 0 ? [] : [...problems, history.join("; ")];
      } finally {
        stack.remove();
        await gate.stop();
      }
    },
    { speed: SPEED },
  );

interface Scene {
  readonly emulator: TestEmulator;
  readonly gate: Gate;
  readonly stack: TestStack;
  readonly labels: typeof LABELS | undefined;
  /** The objects of somebody else, by kind. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  readonly chance: Chance;
  /** What happened, for a report. */
  readonly history: string[];
}

async function furnish({ call }: TestEmulator): Promise<void> {
  const node = { region: "us-east", type: "g6-nanode-1", label: LABELS.web };
  await call("POST", "/node/instances", { body: node });
  const image = { region: "us-east", label: LABELS.image };
  const { body } = await call<{ upload_to: string }>("POST", "/images/upload", { body: image });
  await fetch(body.upload_to, { method: "PUT", body: gzipSync("a disk of somebody else") });
}

async function idsIn({ control }: TestEmulator): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const kind of Object.keys(WHOLE))
    ids.set(
      kind,
      (await objectsOf(control, kind)).map(({ id }) => String(id)),
    );
  return ids;
}

/** Keeps the state at a place of its own below a URL. */
async function moveState(stack: TestStack, backend: string): Promise<void> {
  const url = new URL(backend);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${randomUUID()}`;
  stack.env["PULUMI_BACKEND_URL"] = url.href;
  await stack.pulumi("stack", "init", "test");
}

async function runKilled(scene: Scene): Promise<Problems> {
  const { stack, labels, chance, history } = scene;
  const phases = chance() < 0.7 ? (["create"] as const) : (["create", "update"] as const);
  for (const [index, phase] of phases.entries()) {
    const isLast = index === phases.length - 1;
    stack.program(wholeProgram(phase === "create" ? 1 : 2, "ours.example", labels));
    const kills = !isLast ? 0 : chance() < 0.3 ? 2 : 1;
    for (let count = 0; count < kills; count++) {
      const [number, acted] = [1 + Math.floor(chance() * REQUESTS[phase]), chance() < 0.5];
      history.push(`killed in ${phase} ${acted ? "after" : "before"} the service acts on request ${number}`);
      await killedAt(scene, number, acted);
      await moveToAnotherMachine(stack);
      await recover(stack);
    }
    const preview = await stack.preview();
    if (preview.code !== 0) return [`the next preview failed: ${said(preview)}`];
    const up = await stack.up();
    if (up.code !== 0) return [`the next up failed: ${said(up)}`];
    await moveToAnotherMachine(stack);
  }
  return judge(scene);
}

/** Kills an `up` with all its processes at a request, if it comes to that. */
async function killedAt({ stack, gate }: Scene, number: number, acted: boolean): Promise<void> {
  const [reached, held] = [later(), later()];
  const hold = async () => {
    reached.come();
    await held.promise;
    return "drop" as const;
  };
  let count = 0;
  gate.rule(() => (++count !== number ? undefined : acted ? { after: hold } : { before: hold }));
  const running = stack.start("up", "--json", "--yes", "--skip-preview");
  await Promise.race([reached.promise, running.ended]);
  if (running.process.exitCode === null) killCommand(running.process.pid ?? 0, "all");
  held.come();
  await running.ended;
  await gate.idle();
  gate.rule();
}

/** Nothing is lost, doubled or taken, the next preview is empty, and a destroy leaves only what is of others. */
async function judge({ emulator, stack, others }: Scene): Promise<Problems> {
  const more = (wanted: (kind: string) => number) =>
    Object.fromEntries(
      Object.keys(WHOLE).map((kind) => [kind, wanted(kind) + (others.get(kind)?.length ?? 0)]),
    );
  const state = await stack.state();
  const problems = await judgeAccount(
    emulator.control,
    more((kind) => WHOLE[kind] ?? 0),
    state,
  );
  const taken = [...others.values()].flat();
  const inState = Object.values(state).filter(
    ({ id, type }) => /:(Node|Image)$/.test(type) && taken.includes(id),
  );
  problems.push(...inState.map(({ urn, id }) => `${urn} has ${id}, which is of somebody else`));
  const preview = await stack.preview("--refresh", "--expect-no-changes");
  if (preview.code !== 0) problems.push(`the preview after the next run is not empty: ${said(preview)}`);
  const cleared = await stack.pulumi("refresh", "--yes", "--clear-pending-creates");
  if (cleared.code !== 0) problems.push(`the pending creation could not be cleared: ${said(cleared)}`);
  const { printed } = await stack.pulumi("stack", "export");
  if (printed.includes("pending_operations")) problems.push("the state still has pending operations");
  const destroyed = await stack.destroy();
  if (destroyed.code !== 0) problems.push(`destroy failed: ${said(destroyed)}`);
  const left = await idsIn(emulator);
  for (const [kind, ids] of others)
    if (JSON.stringify(left.get(kind)) !== JSON.stringify(ids))
      problems.push(
        `after destroy there are ${kind} ${String(left.get(kind))}, and others have ${String(ids)}`,
      );
  return problems;
}
