import { redact } from "../../src/api/redact";
import { noSecrets, SecretValues } from "../../src/api/secrets";

const secret = 'pl@nted/"töken" +4';
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hidden = (text: string, ...secrets: string[]) => redact(text, new SecretValues(secrets));

test.each([
  ["as it is", secret],
  ["in another case", secret.toUpperCase().replace("Ö", "ö")],
  ["in JSON", JSON.stringify(secret).slice(1, -1)],
  ["in JSON in JSON", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ["in ASCII JSON", JSON.stringify(secret).slice(1, -1).replace("ö", "\\u00f6")],
  ["in JSON with escaped slashes", JSON.stringify(secret).slice(1, -1).replace("/", "\\/")],
  ["in a URL", encodeURIComponent(secret)],
  ["in a URL, in small letters", encodeURIComponent(secret).toLowerCase()],
  ["in a form", encodeURIComponent(secret).replaceAll("%20", "+")],
  ["in HTML", secret.replaceAll('"', "&quot;")],
  ["in HTML with numbers", secret.replaceAll('"', "&#34;")],
  ["in hexadecimal", Buffer.from(secret).toString("hex")],
  ["in capital hexadecimal", Buffer.from(secret).toString("hex").toUpperCase()],
  ["in base64", base64(secret)],
  ["in base64 for URLs", Buffer.from(secret).toString("base64url")],
])("a secret is found %s", (_, echo) => {
  expect(hidden(`before ${echo} after`, secret)).toBe("before [redacted] after");
});

test("the decoded text of a base64 secret is redacted too, whole or line by line", () => {
  const userData = "#cloud-config\npassword: hunter2\n";
  expect(hidden(`line 2: 'password: hunter2' of ${userData}is wrong`, base64(userData))).not.toContain(
    "hunter2",
  );
  expect(hidden("an ordinary word", "ordinarywords")).toBe("an ordinary word");
});

test.each(["", "x", "xy", "xyz"])("a secret is found in the middle of longer base64 (after %j)", (before) => {
  const longer = base64(`${before}${secret}, and more`);
  const shown = hidden(longer, secret);
  expect(shown).toContain("[redacted]");
  const left = shown
    .split("[redacted]")
    .map((part) => Buffer.from(part, "base64").toString("latin1"))
    .join("");
  for (const part of ["lant", "@nted", "ken"]) expect(left).not.toContain(part);
});

test("a truncated secret is found", () => {
  expect(hidden('value "planted-secr…" is too long', "planted-secret")).toBe(
    'value "[redacted]…" is too long',
  );
  expect(hidden("planted-...", "planted-secret")).toBe("[redacted]...");
  expect(hidden("it was planted-sec", "planted-secret")).toBe("it was [redacted]");
  expect(hidden("it was planted here", "planted-secret")).toBe("it was planted here");
});

test("each line of a multi-line secret is found, and so are its lines joined into one", () => {
  const key = "-----BEGIN KEY-----\r\nplanted-line-1\r\n  planted-line-2\r\n-----END KEY-----";
  expect(hidden("line 2: planted-line-1", key)).toBe("line 2: [redacted]");
  expect(hidden(key.replace(/\s*\r\n\s*/g, " "), key)).toBe("[redacted]");
});

test("a short secret is found only in quotes, and a secret of one character is ignored", () => {
  expect(hidden(`one: "one" and 'one', "ones", "300" and "a"`, "one", "300", "a")).toBe(
    `one: "[redacted]" and '[redacted]', "ones", "[redacted]" and "a"`,
  );
});

test("the longest of several secrets at one position is redacted, also across collections", () => {
  const outer = new SecretValues(["hunter22-long"]);
  expect(redact("hunter22-long", new SecretValues(["hunter22"], outer))).toBe("[redacted]");
  expect(redact("hunter22-long", new SecretValues(["hunter22-long"], new SecretValues(["hunter22"])))).toBe(
    "[redacted]",
  );
});

test("secrets added later are found", () => {
  const values = new SecretValues();
  expect(redact("planted-secret", values)).toBe("planted-secret");
  values.add(["planted-secret"]);
  expect(redact("planted-secret", values)).toBe("[redacted]");
});

test("a collection without secrets does not search the text", () => {
  expect(noSecrets.in("text")).toBeUndefined();
});
