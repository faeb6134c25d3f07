import { excerpt, redact, safeCause, secretsIn } from "../../src/api/redact";
import { noSecrets, SecretValues } from "../../src/api/secrets";

test("finds the values of secret fields anywhere in a body, and nothing else", () => {
  const body = {
    label: "web",
    root_pass: "pass-1",
    metadata: { user_data: "dXNlcg==" },
    stackscript_data: { db: { password: "pass-2" }, size: 3 },
    interfaces: [{ label: "lan", Password: "pass-3" }],
  };
  expect(secretsIn(body).sort()).toEqual(["dXNlcg==", "pass-1", "pass-2", "pass-3"]);
  expect(secretsIn(undefined)).toEqual([]);
});

test.each([
  ["as it is", 'a"b<c>&d é'],
  ["in JSON", 'a\\"b<c>&d é'],
  ["in a URL", encodeURIComponent('a"b<c>&d é')],
  ["as a whole URL", encodeURI('a"b<c>&d é')],
  ["in HTML", "a&quot;b&lt;c&gt;&amp;d é"],
])("removes a secret %s", (_, echo) => {
  expect(redact(`before ${echo} after`, new SecretValues(['a"b<c>&d é']))).toBe("before [redacted] after");
});

test("removes the whole of a secret that starts with another secret", () => {
  expect(redact("hunter22-long", new SecretValues(["hunter22", "hunter22-long"]))).toBe("[redacted]");
});

test("removes the value of a secret field or header, known or unknown", () => {
  expect(redact("Authorization: Bearer abc.def", noSecrets)).toBe("Authorization: Bearer [redacted]");
  expect(redact('{"root_pass": "a\\"b", "label": "web"}', noSecrets)).toBe(
    '{"root_pass": "[redacted]", "label": "web"}',
  );
  expect(redact('{"password":"cut of', noSecrets)).toBe('{"password":"[redacted]"');
});

test("keeps other text, and ignores secrets of one letter", () => {
  expect(redact("label is taken", new SecretValues(["a", ""]))).toBe("label is taken");
});

test("an excerpt is one line, and is redacted before it is truncated", () => {
  expect(excerpt(`${"x".repeat(98)}secret-token`, new SecretValues(["secret-token"]))).toBe(
    `${"x".repeat(98)}[r…`,
  );
  expect(excerpt(" a\n\n  b ", noSecrets)).toBe("a b");
});

test("a cause keeps only the name, the code and the redacted message of an error", () => {
  const raw = Object.assign(new TypeError("sent t0ken"), {
    code: "ECONNRESET",
    config: { headers: "t0ken" },
  });
  const cause = safeCause(raw, new SecretValues(["t0ken"]));
  expect(cause).toMatchObject({ name: "TypeError", code: "ECONNRESET", message: "sent [redacted]" });
  expect(Object.keys(cause ?? {}).sort()).toEqual(["code", "name"]);
  expect(cause?.stack).not.toContain("t0ken");
  expect(safeCause("text", noSecrets)).toBeUndefined();
});
