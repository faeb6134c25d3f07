import { ConnectionError, UnexpectedReplyError } from "../../src/api";
import { failedConnection, TimedOut } from "../../src/api/connection";
import { noSecrets } from "../../src/api/secrets";

const system = (code: string, syscall?: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

/** A system error as axios wraps it. */
const wrapped = (cause: Error & { code?: string }) =>
  Object.assign(new Error(cause.message, { cause }), { code: cause.code });

const failed = (error: unknown) =>
  failedConnection({ operation: "POST /domains" }, "api.example", error, noSecrets);

test.each([
  ["refused", system("ECONNREFUSED", "connect"), "CONNECTION_REFUSED", false],
  ["without a route", system("EHOSTUNREACH", "connect"), "CONNECTION_REFUSED", false],
  ["not resolved", system("ENOTFOUND", "getaddrinfo"), "HOST_NOT_RESOLVED", false],
  ["not resolved for now", system("EAI_AGAIN", "getaddrinfo"), "HOST_NOT_RESOLVED", false],
  ["not connected in time", system("ETIMEDOUT", "connect"), "CONNECTION_TIMED_OUT", false],
  ["not trusted", system("CERT_HAS_EXPIRED"), "TLS_FAILED", false],
  ["of another name", system("ERR_TLS_CERT_ALTNAME_INVALID"), "TLS_FAILED", false],
  ["no TLS", system("EPROTO", "write"), "TLS_FAILED", true],
  ["reset", system("ECONNRESET", "read"), "CONNECTION_LOST", true],
  ["broken while sending", system("EPIPE", "write"), "CONNECTION_LOST", true],
  ["silent after connecting", system("ETIMEDOUT", "read"), "CONNECTION_LOST", true],
  ["not answered in time", new TimedOut(60_000), "CONNECTION_TIMED_OUT", true],
  ["unknown", new Error("no idea"), "CONNECTION_LOST", true],
])("a connection that is %s has its own error code", (_, error, code, answerLost) => {
  for (const given of [error, ...(error instanceof TimedOut ? [] : [wrapped(error)])]) {
    expect(failed(given)).toBeInstanceOf(ConnectionError);
    expect(failed(given)).toMatchObject({ code, answerLost, host: "api.example" });
  }
});

test("a request has no effect if no address of the host could be reached, and may have one otherwise", () => {
  const unconnected = system("ETIMEDOUT", "connect");
  const all = Object.assign(new AggregateError([unconnected, unconnected]), { code: "ETIMEDOUT" });
  const some = Object.assign(new AggregateError([unconnected, system("ECONNRESET", "read")]), {
    code: "ETIMEDOUT",
  });
  const only = Object.assign(new AggregateError([unconnected]), { code: "ETIMEDOUT" });
  expect(failed(wrapped(all)).answerLost).toBe(false);
  expect(failed(wrapped(only)).answerLost).toBe(false);
  expect(failed(wrapped(some)).answerLost).toBe(true);
});

test.each(["HPE_INVALID_CONSTANT", "Z_DATA_ERROR"])(
  "an unreadable answer (%s) is not a lost connection",
  (code) => {
    expect(failed(system(code))).toBeInstanceOf(UnexpectedReplyError);
    expect(failed(system(code)).answerLost).toBe(true);
  },
);

test("the error quotes the system's message with the address, which may be a proxy's", () => {
  const error = Object.assign(new Error("connect ECONNREFUSED 192.0.2.1:3128"), { code: "ECONNREFUSED" });
  expect(failed(error).message).toBe(
    "POST /domains: could not connect to api.example (connect ECONNREFUSED 192.0.2.1:3128); is the base URL right, and the service running?",
  );
});
