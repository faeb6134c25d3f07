import { ConfigurationError, never } from "../../src/api";
import { checkProxy, proxyFor } from "../../src/api/proxy";
import { clientFor, failure } from "./scripted-server";

const target = new URL("https://api.example/v4/domains");

describe("the proxy of a request", () => {
  test.each([
    [{ HTTPS_PROXY: "http://p:1" }, "HTTPS_PROXY"],
    [{ https_proxy: "http://p:1", HTTPS_PROXY: "http://q:1" }, "https_proxy"],
    [{ ALL_PROXY: "http://p:1" }, "ALL_PROXY"],
    [{ HTTP_PROXY: "http://p:1" }, undefined],
    [{ HTTPS_PROXY: "" }, undefined],
    [{ HTTPS_PROXY: "http://p:1", NO_PROXY: "other, api.example" }, undefined],
    [{ HTTPS_PROXY: "http://p:1", NO_PROXY: ".example" }, undefined],
    [{ HTTPS_PROXY: "http://p:1", NO_PROXY: "*" }, undefined],
    [{ HTTPS_PROXY: "http://p:1", NO_PROXY: "api.example:8443" }, "HTTPS_PROXY"],
  ])("with the environment %j comes from %s", (environment, variable) => {
    expect(proxyFor(target, environment)?.variable).toBe(variable);
  });

  test("is not used for an address of this machine", () => {
    expect(proxyFor(new URL("http://127.0.0.1:8080/v4"), { ALL_PROXY: "http://p:1" })).toBeUndefined();
  });
});

test.each(["http://proxy:3128", "proxy:3128", "https://user:pass@proxy", "http://[::1]:3128/"])(
  "%s is accepted as the address of a proxy",
  (value) => {
    expect(() => checkProxy({ variable: "HTTPS_PROXY", value })).not.toThrow();
  },
);

test.each([
  ["foo bar:3128", "foo bar:3128"],
  ["3128", "3128"],
  ["http://:3128", "http://:3128"],
  ["socks5://127.0.0.1:1080", "socks5://127.0.0.1:1080"],
  ["htp:/proxy", "htp:/proxy"],
  ["http://proxy:99999", "http://proxy:99999"],
  ["http://user:pl@nted@proxy:99999", "http://…@proxy:99999"],
  ["user:pl@nted@proxy port", "…@proxy port"],
  ["http://pro\u001b[31mxy:x", "http://pro\\u001b[31mxy:x"],
])("%s is refused as the address of a proxy, without showing its password", (value, shown) => {
  const check = () => checkProxy({ variable: "HTTPS_PROXY", value });
  expect(check).toThrow(ConfigurationError);
  expect(check).toThrow(`HTTPS_PROXY: "${shown}" is not the address of a proxy`);
});

describe("a request", () => {
  const before = process.env["HTTPS_PROXY"];
  afterEach(() => {
    if (before === undefined) delete process.env["HTTPS_PROXY"];
    else process.env["HTTPS_PROXY"] = before;
  });

  const errorThrough = async (value: string) => {
    process.env["HTTPS_PROXY"] = value;
    const { client } = clientFor("https://api.invalid/v4", { retry: never });
    return failure(client.domains.get({ domainId: 12 }));
  };

  test("is not sent if the proxy variable of the environment is invalid", async () => {
    const error = await errorThrough("http://user:planted@proxy:99999");
    expect(error).toMatchObject({ code: "INVALID_CONFIGURATION", option: "HTTPS_PROXY", answerLost: false });
    expect(JSON.stringify(error) + error.message).not.toContain("planted");
  });

  test("that cannot reach the proxy fails and names the proxy and its variable", async () => {
    const error = await errorThrough("http://user:planted@127.0.0.1:1");
    expect(error.message).toContain(
      "could not connect to the proxy 127.0.0.1:1, which requests to api.invalid use (connect ECONNREFUSED 127.0.0.1:1); is HTTPS_PROXY right?",
    );
  });
});
