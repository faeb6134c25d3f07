import { ApiError } from "../../../src/api/errors";
import { codeOf, CODES, shortCode, splitCode, withCode } from "../../../src/provider/base/codes";
import { asProviderError, leaving, ProviderError, RunCancelled } from "../../../src/provider/base/errors";
import { PartialError } from "../../../src/provider/state/partial-error";

const taken = new ApiError({
  operation: "POST /domains",
  status: 400,
  reasons: [{ reason: "domain is taken" }],
});

describe("the code of an error", () => {
  test("is that of the error which it explains further", () => {
    expect(asProviderError(taken, "create Domain zone").code).toBe("REQUEST_REJECTED");
    const partial = new PartialError("1", { inputs: {}, outputs: {} } as never, new RunCancelled());
    expect(codeOf(new Error("outer", { cause: partial }))).toBe("CANCELLED");
  });

  test("is its own if it has one, because it says more than its cause", () => {
    expect(new ProviderError("the name is taken", { code: "NAME_TAKEN", cause: taken }).code).toBe(
      "NAME_TAKEN",
    );
  });

  test("is a general one if nothing is known, also if the system has a code of its own", () => {
    const missing = Object.assign(new Error("no such file"), { code: "ENOENT" });
    expect([codeOf(missing), codeOf("a text"), codeOf(undefined)]).toEqual(Array(3).fill("UNEXPECTED"));
    expect(codeOf(missing, "FILE_UNREADABLE")).toBe("FILE_UNREADABLE");
  });
});

describe("a message", () => {
  test("ends with one code, also if another process has put it there", () => {
    const message = withCode("the name is taken", "NAME_TAKEN");
    expect(message).toBe("the name is taken [NC1301]");
    expect(withCode(message, "COMMAND_FAILED")).toBe(message);
    expect(splitCode(message)).toEqual({ message: "the name is taken", code: "NC1301" });
    expect(splitCode("the name is taken")).toEqual({ message: "the name is taken" });
  });

  test("gets its code when it leaves the process, and stays without it for those who quote it", () => {
    const error = new PartialError(
      "1",
      { inputs: {}, outputs: {} } as never,
      asProviderError(taken, "create"),
    );
    const left = leaving(error);
    expect(left).toBeInstanceOf(PartialError);
    expect(left).toMatchObject({ id: "1", message: "create: domain is taken (400) [NC1005]" });
    expect(left).toMatchObject({ reasons: ["create: domain is taken (400) [NC1005]"] });
    expect(error.message).toBe("create: domain is taken (400)");
    expect(leaving("text").message).toBe("text [NC1799]");
  });
});

test("no two problems have the same number", () => {
  expect(new Set(CODES.map(shortCode)).size).toBe(CODES.length);
  expect(CODES.map(shortCode)).toEqual(CODES.map(() => expect.stringMatching(/^NC[12]\d{3}$/)));
});
