import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requestLog } from "../../../src/provider/engine/request-log";

let folder: string;
let warnings: string[];
let debugged: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nodecloud-log-"));
  warnings = [];
  debugged = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const event = {
  method: "GET",
  path: "/domains/12",
  status: 200,
  code: undefined,
  ms: 34.6,
  attempt: 2,
  waitedMs: 500.2,
};
const logTo = (wish: string | undefined, engine = "127.0.0.1:4567") =>
  requestLog(wish, {
    role: "plugin",
    engine,
    warn: (line) => warnings.push(line),
    debug: (line) => debugged.push(line),
  });

test.each([undefined, "", " "])("the log is off if the setting is %j", (wish) => {
  expect(logTo(wish)).toBeUndefined();
});

test("a line of the file has the time, run, process, request, status, duration, attempt and wait", () => {
  const file = join(folder, "requests.log");
  logTo(file)?.(event);
  logTo(file, "")?.({ ...event, status: undefined as never, code: "CONNECTION_LOST" as never });
  const [first, second, ...rest] = readFileSync(file, "utf8").split("\n");
  expect(first).toMatch(
    /^20\d\d-\d\d-\d\dT[\d:.]+Z run=4567 plugin=\d+ GET \/domains\/12 200 35ms attempt=2 waited=500ms$/,
  );
  expect(second).toMatch(/Z run=none plugin=\d+ GET \/domains\/12 CONNECTION_LOST 35ms /);
  expect(rest).toEqual([""]);
});

test("only its owner can read a new file", () => {
  const file = join(folder, "requests.log");
  logTo(file)?.(event);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("lines are appended to an existing file, whose mode stays", () => {
  const file = join(folder, "requests.log");
  logTo(file)?.(event);
  chmodSync(file, 0o640);
  logTo(file)?.(event);
  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
  expect(statSync(file).mode & 0o777).toBe(0o640);
});

test("a file that cannot be written causes one warning", () => {
  const log = logTo(join(folder, "no/such/folder.log"));
  for (let requests = 0; requests < 3; requests++) log?.(event);
  expect(warnings).toEqual([
    expect.stringMatching(/^NODECLOUD_LOG: the requests are not logged: ENOENT: no such file or directory/),
  ]);
});

test("with `engine` the lines go to the engine's log, which adds the time itself", () => {
  logTo("engine")?.(event);
  expect(debugged).toEqual(["nodecloud GET /domains/12 200 35ms attempt=2 waited=500ms"]);
});
