import { ApiError, ConnectionError } from "../../../src/api/errors";
import { asProviderError, printOnlyUnreported, ProviderError } from "../../../src/provider/base/errors";
import { PartialError } from "../../../src/provider/state/partial-error";

const state = { outputs: { label: "web" }, sent: new Map(), isManaged: true };

const attempt = "create Domain example.org";
const refused = (status: number, ...reasons: { field?: string; reason: string }[]) =>
  new ApiError({ operation: "POST /domains", status, reasons });

test("a refusal gives the attempt, the reasons in the program's spelling, and the status", () => {
  const error = refused(400, { field: "soa_email", reason: "is required" }, { reason: "Not now" });
  expect(asProviderError(error, attempt).message).toBe(`${attempt}: soaEmail: is required, Not now (400)`);
});

test("a nested field has its path in the program's spelling", () => {
  const error = refused(400, { field: "backups.last_window", reason: "is not valid" });
  expect(asProviderError(error, attempt).message).toContain("backups.lastWindow: is not valid");
});

test("a refusal without reasons says that there are none", () => {
  expect(asProviderError(refused(500), attempt).message).toBe(`${attempt}: the API gave no reason (500)`);
});

test("the error of a refused token says what to check", () => {
  const error = new ApiError({
    operation: "POST /domains",
    status: 401,
    reasons: [{ reason: "Invalid Token" }],
    requires: { scopes: ["domains:read_write"] },
  });
  expect(asProviderError(error, attempt).message).toBe(
    `${attempt}: Invalid Token (401); check that the token (of the explicit provider, nodecloud:token or NODECLOUD_TOKEN) is complete and has not expired; refresh, destroy and drift use that of the last \`pulumi up\``,
  );
});

test("a connection error gives the attempt once, in the program's words", () => {
  const error = new ConnectionError({
    operation: "POST /domains",
    problem: "nothing listens at api.example:443",
    code: "CONNECTION_REFUSED",
    host: "api.example",
  });
  expect(asProviderError(error, attempt).message).toBe(`${attempt}: nothing listens at api.example:443`);
});

test("every thrown value becomes an error with the attempt and the cause", () => {
  const cause = new TypeError("x is not a function");
  expect(asProviderError(cause, attempt)).toMatchObject({
    message: `${attempt}: x is not a function`,
    cause,
  });
  expect(asProviderError("text", attempt).message).toBe(`${attempt}: text`);
});

test("an error for the user is not wrapped again", () => {
  const error = new ProviderError("as it is", { code: "GONE" });
  expect(asProviderError(error, attempt)).toBe(error);
});

test("every error for the user is one line without a stack trace", () => {
  const reason = { reason: "first line\nsecond line\r\nthird" };
  const errors = [
    asProviderError(refused(400, reason), attempt),
    asProviderError(new Error("first line\nsecond line"), attempt),
    new PartialError("1", state, asProviderError(new Error("one\ntwo"), attempt)),
  ];
  for (const error of errors) {
    expect(error.stack).toBe("");
    expect(error.message).not.toMatch(/[\r\n]/);
  }
});

test("a partial error has the id, the state and the reasons that the engine keeps", () => {
  const cause = new ProviderError("create Node web: timed out", { code: "WAIT_TIMED_OUT" });
  expect(new PartialError("12", state, cause)).toMatchObject({
    id: "12",
    state,
    reasons: ["create Node web: timed out"],
    message: "create Node web: timed out",
    cause,
  });
});

describe("printing", () => {
  function printed(...messages: unknown[][]): unknown[][] {
    const lines: unknown[][] = [];
    const output = { error: (...message: unknown[]) => void lines.push(message) };
    printOnlyUnreported(output);
    for (const message of messages) output.error(...message);
    return lines;
  }

  test("a reported error is not printed too", () => {
    const error = new ProviderError("said once", { code: "GONE" });
    expect(
      printed([String(error)], [`${error}: ${error.stack}`], [`${new PartialError("1", state, error)}`]),
    ).toEqual([]);
  });

  test("every other text is printed, with all its parts", () => {
    const error = new Error("unexpected");
    expect(printed(["a %s", 1], [error], [])).toEqual([["a %s", 1], [error], []]);
  });
});
