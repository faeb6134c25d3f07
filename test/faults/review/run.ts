import { AT_ONCE, startTestEmulator, type TestEmulator } from "../../helpers/emulator";
import { nodecloud } from "../../helpers/command-line";
import { type Outcome, testStack, type TestStack } from "../../helpers/stack";
import { type Way } from "../../helpers/way";
import { type Problems } from "../account";
import { type Chance, chanceOf } from "../chance";
import { said } from "../said";
import { accountIn, type Managed, managedBy } from "./account";
import {
  agreed,
  CLASSES,
  isPerhaps,
  isThere,
  judgePair,
  missedIn,
  PERHAPS,
  type Report,
  type Seen,
  truthOf,
} from "./judge";
import { edited, firstProgram, type Program, textOf } from "./program";
import { type Place } from "./slots";
import { type Trouble, troubleOf } from "./trouble";

const WAYS: readonly Way[] = ["dynamic", "plugin"];

/** One account with one stack, which is served in one way. */
interface Side {
  readonly way: Way;
  readonly emulator: TestEmulator;
  readonly stack: TestStack;
  readonly foreign: Map<string, string>;
}

/** What became of a pair of programs. */
export interface Verdict {
  readonly problems: Problems;
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Runs a chain of programs, each made of the one before it by edits, in both ways of serving: the preview of each, its report and its `up` are compared
 * with what the account of that way shows. The last program is empty.
 *
 * @param isTroubled whether runs come between that meet faults of the service, or leave out some of the program.
 */
export async function runReview(seed: number, pairs: number, isTroubled = false): Promise<Verdict[]> {
  const chance = chanceOf(seed);
  const troubles = chanceOf(seed ^ 0x5bd1_e995);
  const sides = await Promise.all(WAYS.map(sideOf));
  const verdicts: Verdict[] = [];
  try {
    let program: Program = new Map();
    for (let number = 0; number < pairs; number++) {
      const made = nextOf(program, number, pairs, chance);
      const trouble = isTroubled ? troubleOf(made.program, troubles) : undefined;
      const next = {
        ...made,
        reading: troubles() * 2 ** 31,
        ...(trouble && { trouble, edits: [...made.edits, trouble.about] }),
      };
      const { problems, counts, isRefused, isBroken } = await runPair(sides, program, next);
      const edits = [`seed ${seed}, pair ${number + 1}: ${next.edits.join(", ")}`];
      verdicts.push({ problems: problems.length === 0 ? [] : [...edits, ...problems], counts });
      if (isBroken) break;
      // A run before may have done a part of what is refused now.
      if (!isRefused || trouble !== undefined) program = next.program;
    }
    return verdicts;
  } finally {
    for (const { stack, emulator } of sides) {
      stack.remove();
      await emulator.stop();
    }
  }
}

function nextOf(program: Program, number: number, pairs: number, chance: Chance): Omit<Next, "reading"> {
  const isLast = number === pairs - 1;
  const made =
    number === 0
      ? { program: firstProgram(chance), edits: ["the first program"] }
      : isLast
        ? { program: new Map() as Program, edits: ["no resources"] }
        : edited(program, chance);
  return {
    ...made,
    isGuarded: chance() < 0.2,
    ...(chance() < 0.3 && { foreign: { lot: chance(), name: `foreign${number}` } }),
  };
}

async function sideOf(way: Way): Promise<Side> {
  const emulator = await startTestEmulator({ speed: AT_ONCE });
  const stack = await testStack(emulator);
  stack.way = way;
  stack.folder.write("disk.img", "a disk image");
  stack.folder.write("other.img", "another disk image");
  return { way, emulator, stack, foreign: new Map() };
}

/** The names of what happened in a table, for both ways together. */
const WORDS = {
  "data-loss": "losses of data",
  interruption: "interruptions",
  replacement: "replacements",
  deletion: "deletions",
} as const;

interface Judged extends Verdict {
  readonly isRefused: boolean;
  /** Whether the accounts no longer have what the program says. */
  readonly isBroken: boolean;
}

interface Next {
  readonly program: Program;
  readonly edits: readonly string[];
  /** Whether an `up` with all classes denied comes first. */
  readonly isGuarded: boolean;
  /** A record that somebody else creates before. */
  readonly foreign?: Foreign;
  readonly trouble?: Trouble;
  /** The seed by which values of other resources come from data functions, in both ways. */
  readonly reading: number;
}

async function runPair(sides: readonly Side[], before: Program, next: Next): Promise<Judged> {
  const problems: string[] = [];
  const counts: Record<string, number> = {};
  const done: Done[] = [];
  for (const side of sides) {
    const one = await runSide(
      side,
      before,
      next,
      (name, number) => (counts[name] = (counts[name] ?? 0) + number),
    );
    if (one.problems.length > 0)
      problems.push(...one.problems.map((line) => `${side.way}: ${line}`), one.text);
    done.push(one);
  }
  const [refused, others] = [
    done.filter(({ refusal }) => refusal !== undefined),
    done.flatMap(({ report }) => report ?? []),
  ];
  // A fault may meet another request in one way than in the other. What the runs before have done then differs.
  const areAlike = new Set(done.map(({ managed }) => managed)).size === 1;
  const isSplit = refused.length > 0 && others.length > 0;
  if (isSplit && areAlike)
    problems.push(`only one way refuses: ${refused.map(({ refusal }) => refusal).join()}`);
  const [first, second] = areAlike ? others.map(agreed) : [];
  if (first !== undefined && second !== undefined)
    for (const name of new Set([...first.keys(), ...second.keys()])) {
      const said = [first.get(name), second.get(name)];
      if (said[0] !== said[1] && !said.includes(PERHAPS))
        problems.push(
          `the ways differ: ${name}: ${said.map((line) => line ?? "unchanged").join(" / ")}`,
          ...done.slice(0, 1).map(({ text }) => text),
        );
    }
  const isRefused = refused.length > 0;
  if (isRefused) counts["pairs that both previews refuse"] = 1;
  return { problems, counts, isRefused, isBroken: (isSplit && areAlike) || done.some((one) => one.isBroken) };
}

type Count = (name: string, number: number) => void;

/** What became of a pair in one way. */
interface Done {
  readonly text: string;
  readonly problems: Problems;
  /** The names of the resources that the state has before. The ways are compared only where they are the same. */
  readonly managed: string;
  readonly report?: Report;
  readonly refusal?: string;
  readonly isBroken?: boolean;
}

async function runSide(
  side: Side,
  earlier: Program,
  { program, foreign, isGuarded, trouble, reading }: Next,
  count: Count,
): Promise<Done> {
  const { stack } = side;
  const was = managedBy(stack);
  if (foreign !== undefined) await addForeign(side, was, foreign);
  const account = await accountIn(side.emulator);
  const idOf = (place: Place) => [...was.values()].find(({ name }) => name === earlier.get(place)?.name)?.id;
  const disk = (account.get(`nodes ${idOf("web")}`)?.["disks"] as { id: number }[] | undefined)?.[0];
  const text = textOf(
    program,
    (of) => (of === "disk" ? disk && String(disk.id) : idOf(of)),
    chanceOf(reading),
  );
  stack.program(text);
  const before = trouble && (await runTrouble(side, earlier, program, trouble, count));
  const problems: string[] = [...(before?.problems ?? [])];
  const names = [...managedBy(stack).values()].map(({ kind, name }) => `${kind} ${name}`);
  // A run that failed may have updated another resource in one way than in the other.
  if (before?.isFailed === true) names.push(side.way);
  const begun = { text, managed: names.sort().join() };
  const preview = await stack.preview();
  if (preview.code !== 0) return { ...begun, problems, refusal: said(preview) };
  const report = await reportOf(preview);
  let shown = { preview, report };
  if (isGuarded) {
    stack.env["NODECLOUD_DENY"] = CLASSES.join(",");
    const seen = await upOf(side, shown, earlier, program);
    delete stack.env["NODECLOUD_DENY"];
    count("changes that the guard refuses", report.denied.length);
    problems.push(...judgeGuard(seen));
    const again = await stack.preview();
    if (again.code !== 0)
      return { ...begun, report, isBroken: true, problems: [...problems, `after the guard: ${said(again)}`] };
    shown = { preview: again, report: await reportOf(again) };
  }
  const seen = await upOf(side, shown, earlier, program);
  const truth = truthOf(seen);
  for (const kind of CLASSES) count(WORDS[kind], truth[kind].size);
  count("steps of the engine", seen.up.order.length);
  const isBroken = seen.up.code !== 0;
  problems.push(...(isBroken ? [`the preview is green, and up fails: ${said(seen.up)}`] : judgePair(seen)));
  return { ...begun, report, problems, isBroken };
}

/** Whatever a troubled run does of what loses something, its report has said. One that succeeds does all that its report says. */
async function runTrouble(
  side: Side,
  earlier: Program,
  program: Program,
  { flags, continues, faults, isGuarded }: Trouble,
  count: Count,
): Promise<{ readonly problems: Problems; readonly isFailed: boolean }> {
  const { stack, emulator } = side;
  const preview = await stack.preview(...flags);
  if (preview.code !== 0) return { problems: [], isFailed: true };
  const shown = { preview, report: await reportOf(preview) };
  if (isGuarded) stack.env["NODECLOUD_DENY"] = CLASSES.join(",");
  const seen = await upOf(side, shown, earlier, program, {
    flags: [...flags, ...(continues ? ["--continue-on-error"] : [])],
    faults,
  });
  delete stack.env["NODECLOUD_DENY"];
  await emulator.control("DELETE", "/faults");
  count(seen.up.code === 0 ? "runs before that succeeded" : "runs before that failed", 1);
  const problems = isGuarded ? passedBy(seen) : seen.up.code === 0 ? judgePair(seen) : missedIn(seen);
  const isFailed = seen.up.code !== 0;
  if (problems.length === 0) return { problems, isFailed };
  const sent = seen.requests.flatMap(({ method, path }) => (method === "GET" ? [] : [`  ${method} ${path}`]));
  const lines = problems.map((line) => `in trouble: ${line}`);
  return { problems: [...lines, ...sent, said(seen.up)], isFailed };
}

/** What an `up` with all classes denied did of them. */
const passedBy = (seen: Seen): Problems => {
  const truth = truthOf(seen);
  return CLASSES.flatMap((kind) =>
    [...truth[kind]].map(([name, why]) => `the guard let pass ${kind} of ${name}: ${why}`),
  );
};

/** With all classes denied, an `up` does nothing of them, and fails if the report denies a change. */
function judgeGuard(seen: Seen): Problems {
  const done = passedBy(seen);
  const { code } = seen.up;
  if (code !== 0 && seen.report.denied.length === 0)
    return [...done, `the guard refuses what the report does not: ${said(seen.up)}`];
  const isDenied = seen.report.denied.some(
    ({ name }) => !isPerhaps(seen.report, name) && isThere(seen, name),
  );
  return code === 0 && isDenied ? [...done, "the guard refuses nothing of what the report denies"] : done;
}

async function reportOf({ printed }: Outcome): Promise<Report> {
  const args = ["report", "--format", "json", "--deny", CLASSES.join(",")];
  const { stdout, stderr } = await nodecloud(args, { input: printed });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Report;
}

async function upOf(
  { emulator, stack, foreign }: Side,
  shown: Pick<Seen, "preview" | "report">,
  earlier: Program,
  program: Program,
  { flags = [], faults = [] }: Partial<Pick<Trouble, "flags" | "faults">> = {},
): Promise<Seen> {
  const was = managedBy(stack);
  const before = await accountIn(emulator);
  await emulator.control("POST", "/reset?only=requests");
  if (faults.length > 0) await emulator.control("POST", "/faults", faults);
  const up = await stack.up(...flags);
  const { body } = await emulator.control<{ last: Seen["requests"] }>("GET", "/requests");
  const renamed = new Map(
    [...program].flatMap(([place, { name, was: alias }]) =>
      alias === undefined ? [] : [[earlier.get(place)?.name ?? "", name] as const],
    ),
  );
  const byName = (all: ReadonlyMap<string, Managed>, nameOf = (name: string) => name) =>
    new Map([...all.values()].map((managed) => [nameOf(managed.name), managed]));
  return {
    ...shown,
    up,
    before,
    after: await accountIn(emulator),
    was: byName(was, (name) => renamed.get(name) ?? name),
    now: byName(managedBy(stack)),
    renamed,
    requests: body.last,
    foreign: new Map(foreign),
  };
}

interface Foreign {
  readonly lot: number;
  readonly name: string;
}

/** Somebody else creates a record in a domain of the stack. */
async function addForeign(
  { emulator, foreign }: Side,
  was: ReadonlyMap<string, Managed>,
  { lot, name }: Foreign,
): Promise<void> {
  const domains = [...was.values()]
    .filter(({ kind }) => kind === "Domain")
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const domain = domains[Math.floor(lot * domains.length)];
  if (domain === undefined) return;
  const { body, status } = await emulator.call<{ id: number }>("POST", `/domains/${domain.id}/records`, {
    body: { type: "TXT", name, target: "of somebody else" },
  });
  if (status === 200) foreign.set(`records ${body.id}`, domain.id);
}
