import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../helpers/programs";

/** Calls a function of an ES module in bench/, in a Node process. */
function call<Result>(module: string, name: string, ...args: unknown[]): Result {
  const url = pathToFileURL(join(ROOT, "bench", `${module}.mjs`)).href;
  const source = `
    import { ${name} } from ${JSON.stringify(url)};
    process.stdout.write(JSON.stringify(${name}(...${JSON.stringify(args)})));`;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" }),
  );
}

interface Verdict {
  what: string;
  found: number;
  allowed: number;
  isMet: boolean;
}

const use = { cpuSeconds: 1, peakMegabytes: 100 };
const phase = (requests: number, seconds = 1, plugin = use) => ({
  seconds,
  cpuSeconds: 3,
  processes: { engine: use, program: use, plugin },
  emulator: use,
  requests: { "GET /v4/domains/:id/records": requests },
});
const times = (median: number) => ({ median, all: [median] });
const startUp = {
  ...{ empty: times(1), sdk: times(1.3), trivial: times(1.5), ours: times(1.6), set: times(2) },
  plugin: times(1.6),
};

const missed = (results: object) =>
  call<Verdict[]>("limits", "targets", results)
    .filter(({ isMet }) => !isMet)
    .map(({ what, found, allowed }) => [what, found, allowed]);

describe("the targets of the benchmark", () => {
  const drift = (subject: string, size: number, requests: number) => ({
    cases: [{ subject, size, checkpoints: false, phases: { drift: phase(requests) } }],
  });

  it.each([
    ["single", 12_000, 60],
    ["single", 100, 102],
    ["mixed", 200, 20],
    ["mixed", 20, 21],
    ["set", 12_000, 30],
  ])("allow a drift check of %s with %i records at most %i requests", (subject, size, most) => {
    expect(missed(drift(subject, size, most)).filter(([what]) => String(what).startsWith("drift"))).toEqual(
      [],
    );
    expect(missed(drift(subject, size, most + 1))).toContainEqual([
      expect.stringContaining("drift check"),
      most + 1,
      most,
    ]);
  });

  it("do not apply to the naive provider", () => {
    expect(call("limits", "targets", drift("naive", 12_000, 12_000))).toEqual([]);
  });

  it("limit the time, the state and the memory of a large set", () => {
    const phases = {
      create: phase(12_000, 19.6),
      preview: phase(0, 1, { ...use, peakMegabytes: 401 }),
      drift: phase(30),
    };
    const set = { subject: "set", size: 12_000, checkpoints: true, stateBytes: 251, phases };
    expect(missed({ cases: [set] })).toEqual([
      [expect.stringContaining("state of"), 251, 250],
      [expect.stringContaining("creation"), 19.6, 19.5],
      [expect.stringContaining("peak memory"), 401, 400],
    ]);
  });

  it("limit the start to 110 percent of that of a trivial dynamic resource", () => {
    expect(missed({ cases: [], startUp })).toEqual([]);
    const slow = { ...startUp, ours: times(1.8), plugin: times(1.8) };
    expect(missed({ cases: [], startUp: slow })).toHaveLength(1);
  });

  it("allow the full plugin a twentieth more than a dynamic resource at the start, and a tenth in each phase", () => {
    expect(missed({ cases: [], startUp: { ...startUp, plugin: times(1.7) } })).toEqual([
      [expect.stringContaining("of the full plugin"), 1.0625, 1.05],
    ]);
    const of = (subject: string, seconds: number, checkpoints = true) => ({
      ...{ subject, size: 100, checkpoints, stateBytes: 2201 },
      phases: { create: phase(102, seconds) },
    });
    const dynamic = of("single", 10);
    expect(missed({ cases: [dynamic, of("plugin-single", 12)] })).toEqual([
      [expect.stringContaining("relative to dynamic resources"), 1.2, 1.1],
      [expect.stringContaining("state of"), 2201, 2200],
    ]);
    // A run without checkpoints is compared with one without checkpoints.
    expect(missed({ cases: [dynamic, of("plugin-single", 12, false)] })).toHaveLength(1);
  });

  it("allow a check of fifty mistakes a fifth more time than the preview without them", () => {
    const check = (ratio: number) => ({ mistakes: 50, preview: 1, check: ratio, ratio });
    expect(missed({ cases: [], check: check(1.2) })).toEqual([]);
    expect(missed({ cases: [], check: check(1.21) })).toEqual([
      [expect.stringContaining("`nodecloud check` of 50 mistakes"), 1.21, 1.2],
    ]);
  });

  it("limit the preview of a large set to twice that of an empty program", () => {
    expect(missed({ cases: [], startUp: { ...startUp, set: times(2.1) } })).toEqual([
      [expect.stringContaining("relative to an empty program"), 2.1, 2],
    ]);
  });
});

describe("the targets of many stacks", () => {
  const run = (stacks: number, seconds: number, requests: Record<string, number>) => ({
    ...phase(0, seconds),
    stacks,
    requests,
  });
  const lists = { "GET /v4/domains": 1, "GET /v4/domains/:id/records": 200 };
  const fleet = {
    ...{ stacks: 200, deleted: 1, machine: "a machine" },
    one: run(1, 2, { ...lists, "GET /v4/images/:id": 1 }),
    all: run(200, 100, { ...lists, "GET /v4/images/:id": 1, "GET /v4/domains/:id/records/:id": 2 }),
    files: run(200, 10, lists),
    refreshed: run(3, 3, { "GET /v4/domains/:id": 3 }),
  };
  const missed = (changed: object) =>
    call<Verdict[]>("limits", "targets", { cases: [], fleet: { ...fleet, ...changed } })
      .filter(({ isMet }) => !isMet)
      .map(({ what, found, allowed }) => [what.split(" ")[0], found, allowed]);

  it("allow as many lists as one stack needs, and two reads of an object that its list lacks", () => {
    expect(missed({})).toEqual([]);
    expect(missed({ all: run(200, 100, { ...lists, "GET /v4/domains": 2 }) })).toEqual([["lists", 202, 201]]);
    expect(missed({ all: run(200, 100, { ...lists, "GET /v4/domains/:id": 4 }) })).toEqual([
      ["all", 205, 204],
    ]);
  });

  it("allow half the time that a refresh of each stack takes", () => {
    expect(missed({ all: run(200, 110, lists) })).toEqual([["time", 0.55, 0.5]]);
    expect(missed({ all: run(200, 110, lists), refreshed: undefined })).toEqual([]);
  });

  it("are shown with the requests of each command", () => {
    expect(call("report", "fleet", fleet)).toContain(
      "| `nodecloud drift --all` | 200 | 100 | 0.50 | 3 | 1 | 100 MB | 204 (201) |",
    );
  });
});

test("a run with a state in a bucket that was stopped is shown as such", () => {
  const run = { seconds: 240, writes: 4_228, bytes: 3_129e6 };
  const runs = [
    { ...run, program: "set", seconds: 10.42, records: 2_000 },
    { ...run, program: "single", records: 1_054 },
  ];
  const text = call<string>("report", "bucket", { size: 2_000, runs, machine: "two cores" });
  expect(text).toContain("| one `DomainRecordSet` | 10.4 | 2,000 | 4,228 | 3,129 |");
  expect(text).toContain("| stopped after 240 | 1,054 | 4,228 | 3,129 |\n\ntwo cores");
});

describe("the floor of the benchmark", () => {
  const cost = (median: number) => ({ ...times(median), cpuSeconds: 1.5 * median });
  const floor = (ratio: number, cpuRatio = ratio) => ({
    ...{ size: 1000, components: cost(2), records: cost(2 * ratio) },
    ...{ ratio, cpuRatio },
  });

  it.each([
    [1.1, 1.1, "met"],
    [1.11, 1, "missed"],
    [1, 1.11, "missed"],
  ])(
    "shows with ratios of %d in seconds and %d in processor time that the goal is %s",
    (ratio, cpu, judged) => {
      const text = call<string>("report", "floor", floor(ratio, cpu));
      expect(text).toContain(`The goal of × 1.10 for both ratios is ${judged}.`);
      expect(text).toContain(
        "| 1,000 component resources, no provider | 2.00 | 2.00 to 2.00 | 3.00 | × 1.00 | × 1.00 |",
      );
      expect(text).toContain(`| × ${ratio.toFixed(2)} | × ${cpu.toFixed(2)} |`);
    },
  );

  it("has a goal, and no target that a run can miss", () => {
    expect(missed({ cases: [], floor: floor(9) })).toEqual([]);
  });
});

describe("the quick form of the benchmark", () => {
  const cases = [
    {
      ...{ subject: "single", size: 100, checkpoints: true, stateBytes: 100_000 },
      phases: { preview: phase(1, 10_000), drift: phase(3, 10_000) },
    },
  ];

  it("fails because of requests and bytes of state, and never because of time", () => {
    const verdicts = call<Verdict[]>("limits", "quickLimits", cases);
    expect(verdicts.map(({ what, isMet }) => [what.split(" of ")[0], isMet])).toEqual([
      ["preview", false],
      ["drift", true],
      ["state", false],
    ]);
  });
});

describe("a plot", () => {
  const draw = (points: { size: number; value: number }[]) =>
    call<string>("plot", "plot", {
      title: "Seconds <by> records",
      across: "records",
      up: "seconds",
      panels: [{ title: "create", lines: [{ name: "a & b", points }] }],
    });

  it("has logarithmic axes between whole powers of ten", () => {
    const svg = draw([
      { size: 10, value: 1 },
      { size: 100, value: 10 },
      { size: 1000, value: 100 },
    ]);
    const [, path = ""] = /class="line" stroke-dasharray="" d="M([^"]*L[^"]*)"/.exec(svg) ?? [];
    const [first = [], second = [], third = []] = path.split("L").map((pair) => pair.split(" ").map(Number));
    expect([second[0], second[1]]).toEqual([
      ((first[0] ?? NaN) + (third[0] ?? NaN)) / 2,
      ((first[1] ?? NaN) + (third[1] ?? NaN)) / 2,
    ]);
    for (const label of ["10", "100", "1,000", "records", "seconds", "create"]) {
      expect(svg).toContain(`>${label}</text>`);
    }
  });

  it("omits values that a logarithmic axis cannot show, and escapes its texts", () => {
    const svg = draw([
      { size: 10, value: 0 },
      { size: 100, value: 5 },
    ]);
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(svg).toContain("Seconds &lt;by&gt; records");
    expect(svg).toContain("a &amp; b");
  });

  it("has colours for dark pages, and a title for screen readers", () => {
    expect(draw([{ size: 10, value: 1 }])).toMatch(/role="img"[^]*<title>[^]*prefers-color-scheme: dark/);
  });
});

describe("the results page", () => {
  it("has each part between its markers, and keeps parts without new results", () => {
    const page =
      "a\n<!-- one:begin -->\nold\n<!-- one:end -->\nb\n<!-- two:begin -->\nkept\n<!-- two:end -->\n";
    const other = "<!-- three:begin -->\n<!-- three:end -->\n";
    expect(call("report", "filled", [page, other], { one: "$& new", three: "3" })).toEqual([
      "a\n<!-- one:begin -->\n\n$& new\n\n<!-- one:end -->\nb\n<!-- two:begin -->\nkept\n<!-- two:end -->\n",
      "<!-- three:begin -->\n\n3\n\n<!-- three:end -->\n",
    ]);
  });

  it("reports a timeout of a command instead of a number", () => {
    const stopped = {
      ...{ subject: "naive", size: 12_000, checkpoints: false, incomplete: "create: more than 600 s" },
      phases: {},
    };
    expect(call("report", "overview", [stopped])).toContain(
      "| 12,000 | naive dynamic provider, no checkpoints | – | – | – | – | – | – |",
    );
    expect(call("report", "gaps", [stopped])).toBe(
      "- 12,000 records, naive dynamic provider: not finished, create: more than 600 s",
    );
  });
});
