import { ConfigurationError, createClient } from "../../src/api";
import { checkBaseUrl, checkToken } from "../../src/api/endpoint";

test.each([
  ["https://api.example.com/v4", "https://api.example.com/v4"],
  ["https://api.example.com/v4/", "https://api.example.com/v4"],
  ["https://API.example.com:8443/proxy/v4", "https://api.example.com:8443/proxy/v4"],
  ["http://localhost:8080/v4", "http://localhost:8080/v4"],
  ["http://127.0.0.1:8080/v4", "http://127.0.0.1:8080/v4"],
  ["http://127.9.9.9/v4", "http://127.9.9.9/v4"],
  ["http://[::1]:8080/v4", "http://[::1]:8080/v4"],
])("%s is accepted as a base URL", (baseUrl, href) => {
  expect(checkBaseUrl(baseUrl).href).toBe(href);
});

test.each([
  ["", "must be an absolute URL"],
  [undefined, "must be an absolute URL"],
  ["/v4", "must be an absolute URL"],
  ["api.example.com/v4", "must be an absolute URL"],
  ["ftp://api.example.com/v4", "must begin with https:// or http://"],
  ["https://api.example.com", "must end in /v4"],
  ["https://user@api.example.com/v4", "must not contain a user name"],
  ["https://:pass@api.example.com/v4", "must not contain a user name"],
  ["https://api.example.com/v4?x=1", "must not contain a query"],
  ["https://api.example.com/v4#x", "must not contain a query"],
  ["http://api.example.com/v4", "in the clear"],
  ["http://127.0.0.1.example.com/v4", "in the clear"],
  ["http://localhost.example.com/v4", "in the clear"],
  ["http://192.168.0.1/v4", "in the clear"],
])("%s is refused as a base URL", (baseUrl, problem) => {
  const check = () => createClient({ baseUrl: baseUrl as string });
  expect(check).toThrow(ConfigurationError);
  expect(check).toThrow(/^baseUrl: /);
  expect(check).toThrow(problem);
});

test.each([
  ["https://api.example.com", "https://api.example.com/v4, not https://api.example.com/"],
  ["https://api.example.com/", "https://api.example.com/v4, not https://api.example.com/"],
  [
    "https://api.example.com/v4/domains",
    "https://api.example.com/v4, not https://api.example.com/v4/domains",
  ],
  [
    "https://api.example.com/proxy/v4//",
    "https://api.example.com/proxy/v4, not https://api.example.com/proxy/v4//",
  ],
  ["https://api.example.com/v3/", "https://api.example.com/v4, not https://api.example.com/v3/"],
  ["http://localhost:8080/xv4", "http://localhost:8080/xv4/v4, not http://localhost:8080/xv4"],
])("for %s the error says what to write", (baseUrl, instead) => {
  expect(() => checkBaseUrl(baseUrl)).toThrow(
    `baseUrl: must end in /v4, the version of the API: write ${instead}`,
  );
});

test("any visible text is accepted as a token, and so is no token", () => {
  expect(checkToken("abc-._~+/=~")).toBe("abc-._~+/=~");
  expect(checkToken(undefined)).toBeUndefined();
});

test.each([
  ["", "is empty"],
  [" ", "contains a space or a line break"],
  ["abc\n", "contains a space or a line break"],
  ["abc\r\nX-Admin: 1", "contains a space or a line break"],
  ["Bearer abc", "contains a space or a line break"],
  ["abc\u0000", "contains characters that an HTTP header cannot carry"],
  ["tokén", "contains characters that an HTTP header cannot carry"],
  [null, "must be a string"],
])("%j is refused as a token", (token, problem) => {
  const check = () => createClient({ baseUrl: "https://api.example.com/v4", token: token as string });
  expect(check).toThrow(ConfigurationError);
  expect(check).toThrow(/^token: /);
  expect(check).toThrow(problem);
});

test.each([
  [0, "not 0"],
  [257, "not 257"],
  [1.5, "not 1.5"],
  [NaN, "not NaN"],
  ["8", 'not "8"'],
  [{}, "must be a whole number from 1 to 256"],
])("maxConcurrency %s is refused", (maxConcurrency, problem) => {
  const check = () =>
    createClient({ baseUrl: "https://api.example.com/v4", maxConcurrency: maxConcurrency as number });
  expect(check).toThrow(ConfigurationError);
  expect(check).toThrow(/^maxConcurrency: must be a whole number from 1 to 256/);
  expect(check).toThrow(problem);
});
