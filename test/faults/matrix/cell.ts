import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";
import { type Rig, CheckFailed, Managed } from "../../helpers/lifecycle";
import { type Plugin, PluginError, type Properties } from "../../helpers/plugin";
import {
  judgeDestroyed,
  judgeHolding,
  judgeOrphans,
  type LiveObject,
  objectsOf,
  ownId,
  type Problems,
} from "../account";
import { type Gate, openGate, type Passing } from "../gate";
import { DISK, type Kind, KINDS, SUBJECTS } from "../kinds";
import { FAULTS, OFTEN, type Often } from "./faults";

export const OPERATIONS = ["create", "read", "update", "delete"] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface MatrixCell {
  readonly kind: Kind;
  readonly operation: Operation;
  readonly fault: string;
  readonly often: Often;
}

export const MATRIX: readonly MatrixCell[] = KINDS.flatMap((kind) =>
  OPERATIONS.filter((operation) => operation !== "update" || SUBJECTS[kind].changed !== undefined).flatMap(
    (operation) =>
      FAULTS.flatMap(({ name: fault }) => OFTEN.map((often) => ({ kind, operation, fault, often }))),
  ),
);

export const nameOfCell = ({ kind, operation, fault, often }: MatrixCell): string =>
  `${kind} ${operation}: ${fault}, ${often}`;

/** The service answers every read with 404, which the provider accepts. */
const isBelieved = ({ operation, fault, often }: MatrixCell): boolean =>
  fault === "404" && (operation === "read" || (operation === "delete" && often === "every"));

/** The emulator's clock relative to the process's: waits are short, and no wait takes a whole day. */
const SPEED = 120;

/** The maximum of every wait. */
const customTimeouts = { create: "3m", update: "3m", delete: "3m" };

/** The setting of one cell. */
interface Scene {
  readonly cell: MatrixCell;
  readonly gate: Gate;
  readonly it: Managed;
  readonly first: Properties;
  readonly wanted: Properties;
  /** Continues with a new plugin, without the knowledge of the previous one. */
  nextRun(): Promise<Plugin>;
  ours(): Promise<LiveObject[]>;
}

export type PluginOf = (
  kind: Kind,
  place: { token: string; baseUrl: string; home: string },
) => Plugin | Promise<Plugin>;

/** Runs one operation under one fault, then the next run without it, and returns the problems. */
export async function runMatrixCell(cell: MatrixCell, pluginOf: PluginOf): Promise<Problems> {
  const emulator = await startTestEmulator({ speed: SPEED });
  const gate = await openGate(emulator.origin);
  const home = mkdtempSync(join(tmpdir(), "nodecloud-fault-"));
  let plugin: Plugin | undefined;
  try {
    const nextRun = async () => {
      await plugin?.stop();
      plugin = await pluginOf(cell.kind, { token: emulator.token, baseUrl: gate.url, home });
      return plugin;
    };
    return await judge(await sceneOf(cell, emulator, gate, home, nextRun));
  } finally {
    await plugin?.stop();
    await gate.stop();
    await emulator.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function sceneOf(
  cell: MatrixCell,
  emulator: TestEmulator,
  gate: Gate,
  home: string,
  nextRun: () => Promise<Plugin>,
): Promise<Scene> {
  const { kind } = cell;
  const subject = SUBJECTS[kind];
  const place = (await subject.place?.(emulator)) ?? {};
  const before = new Set((await objectsOf(emulator.control, subject.objects)).map(({ id }) => id));
  const disk = join(home, DISK.file);
  writeFileSync(disk, DISK.content);
  const first = { ...place, ...subject.first, ...(kind === "Image" ? { source: disk } : {}) };
  const rig = { plugin: undefined as unknown as Plugin };
  return {
    cell,
    gate,
    // It uses only the plugin of the rig.
    it: new Managed(rig as Rig, kind, "it"),
    first,
    wanted: cell.operation === "update" ? { ...first, ...subject.changed } : first,
    nextRun: async () => {
      rig.plugin = await nextRun();
      return rig.plugin;
    },
    ours: async () =>
      (await objectsOf(emulator.control, subject.objects)).filter(({ id }) => !before.has(id)),
  };
}

async function judge(scene: Scene): Promise<Problems> {
  const { cell, gate, it, first, wanted, nextRun, ours } = scene;
  await nextRun();
  if (cell.operation !== "create") await it.up(first, { customTimeouts });
  const { logs } = await nextRun();
  const fault = FAULTS.find(({ name }) => name === cell.fault);
  gate.rule(fault?.rule(targetOf(cell), cell.often));
  const failure = await failureOf(() => operate(scene));
  gate.rule();
  if (isBelieved(cell)) return [];
  const told = [failure, ...logs.map(({ message }) => message)].join("\n");
  const problems = await judgeAtOnce(scene, failure, told);

  await nextRun();
  const failsAgain = await failureOf(() => goOn(scene, failure));
  await gate.idle();
  if (failsAgain !== undefined)
    problems.push(`the next run failed: ${failsAgain}; messages of the first run: ${told}`);
  if (cell.operation === "delete") {
    return [...problems, ...judgeDestroyed(cell.kind, await ours(), `${told}\n${it.id}`)];
  }
  problems.push(...judgeHolding({ ...holding(scene), found: await ours() }));
  if (problems.length > 0) return withTold(problems, told);
  const { changes } = await it.preview(wanted, { customTimeouts });
  if (changes) problems.push("the preview after the next run is not empty");
  if (await it.drifted()) problems.push("drift after the next run");
  await it.destroy();
  return [...problems, ...judgeDestroyed(cell.kind, await ours(), it.id)];
}

const withTold = (problems: Problems, told: string): Problems =>
  told === "" ? problems : [...problems, `messages: ${told}`];

async function failureOf(step: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await step();
    return undefined;
  } catch (error) {
    // Any other error is a bug of the test.
    if (error instanceof PluginError || error instanceof CheckFailed) return error.message;
    throw error;
  }
}

/** Whether a request is the important one of an operation. */
const targetOf =
  ({ kind, operation }: MatrixCell) =>
  ({ method, path }: Passing): boolean => {
    if (operation === "create") return SUBJECTS[kind].creation.test(`${method} ${path}`);
    if (operation === "read") return method === "GET";
    if (operation === "update") return method !== "GET";
    return method === "DELETE" || SUBJECTS[kind].undeletable === true;
  };

async function operate({ cell, it, wanted }: Scene): Promise<void> {
  switch (cell.operation) {
    case "create":
    case "update":
      await it.up(wanted, { customTimeouts });
      return;
    case "read":
      await it.refresh();
      return;
    case "delete":
      await it.destroy();
  }
}

/** Repeats the operation, except a finished delete. */
async function goOn({ cell, it, wanted }: Scene, failure: string | undefined): Promise<void> {
  if (cell.operation !== "delete") await it.up(wanted, { customTimeouts });
  else if (failure !== undefined) await it.destroy();
}

const holding = ({ cell, it }: Scene) => ({
  kind: cell.kind,
  known: it.id === "" ? undefined : { id: it.id, inputs: it.inputs },
  changed: cell.operation === "update",
});

/** The problems under the fault: a false success, or an orphan that no message names. */
async function judgeAtOnce(scene: Scene, failure: string | undefined, told: string): Promise<Problems> {
  const { cell, it, ours } = scene;
  const found = await ours();
  if (failure === undefined) {
    if (cell.operation === "delete") return judgeDestroyed(cell.kind, found, `${told}\n${it.id}`);
    return judgeHolding({ ...holding(scene), found }).map((problem) => `false success: ${problem}`);
  }
  if (cell.operation !== "create") return [];
  const known = ownId(it.id);
  const orphans =
    cell.kind === "DomainRecordSet" && it.id !== "" ? [] : found.filter(({ id }) => String(id) !== known);
  return judgeOrphans(orphans, told);
}
