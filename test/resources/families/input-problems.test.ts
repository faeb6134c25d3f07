import {
  address,
  addressOrRange,
  base64Text,
  domainName,
  publicKey,
  recordName,
  seconds,
  size,
  tag,
  userName,
} from "../../../src/resources/families/input-problems";

type Judge = typeof address;

/** The line of a judge, or undefined for a valid value. */
const said = (judge: Judge, value: unknown) => {
  const found = judge(value);
  if (found === undefined || typeof found === "string") return found;
  return `${found.warns === true ? "warning: " : ""}${found.reason}`;
};

describe("an address or range", () => {
  test.each([
    ...["192.0.2.1", "0.0.0.0/0", "10.1.2.3/8", "192.0.2.1/32", "10.0.0.0/08"],
    ...["::", "::/0", "2001:db8::1", "2001:DB8::/32", "2001:db8::1/128", "::ffff:192.0.2.1"],
    ...[12, null, undefined],
  ])("%s is valid", (value) => {
    expect(said(addressOrRange, value)).toBeUndefined();
  });

  test.each([
    ["10.0.0.0/33", '"10.0.0.0/33" has the mask 33; an IPv4 range has one of 0 to 32'],
    ["::/129", '"::/129" has the mask 129; an IPv6 range has one of 0 to 128'],
    ["", "is empty; remove it from the list"],
    [" ", "is empty; remove it from the list"],
  ])("%j %s", (text, line) => {
    expect(said(addressOrRange, text)).toBe(line);
  });

  test.each([
    ...[
      "192.0.2",
      "192.0.2.256",
      "192.0.2.1/",
      "192.0.2.1/24/8",
      "192.0.2.1/-1",
      "192.0.2.1/1.5",
      " 192.0.2.1",
    ],
    ...["fe80::1%eth0", "2001:db8::/x", "example.org", "192.0.2.0-192.0.2.9", "x".repeat(200)],
  ])("%j is refused", (text) => {
    expect(said(addressOrRange, text)).toMatch(
      /^".{1,61}" is not an IP address or CIDR range; write one such as/,
    );
  });
});

describe("an address", () => {
  test.each(["192.0.2.1", "192.0.2.1/32", "2001:db8::1", "2001:db8::1/128"])("%s is valid", (text) => {
    expect(said(address, text)).toBeUndefined();
  });

  test("may be a range, with a warning", () => {
    expect(said(address, "192.0.2.0/24")).toBe(
      'warning: "192.0.2.0/24" is a range; the reference names addresses only, and does not show whether the service takes a range',
    );
  });

  test.each(["ns1.example.net", "192.0.2.300", "192.0.2.1:53"])("cannot be %s", (text) => {
    expect(said(address, text)).toContain("is not an IP address");
  });
});

test("a number of seconds or a size is not negative, and may be 0", () => {
  for (const judge of [seconds, size]) {
    expect([0, 1, 300.5, "-1"].map((value) => said(judge, value))).toEqual(Array(4).fill(undefined));
    expect(said(judge, -1)).toMatch(/^must be at least 0/);
  }
});

test("a key must be public, and the error does not show it", () => {
  expect(said(publicKey, "ssh-ed25519 AAAA ada@example.org")).toBeUndefined();
  expect(said(publicKey, " \n")).toBe("is empty; remove it from the list");
  for (const kind of ["", "OPENSSH ", "RSA "]) {
    const line = said(publicKey, `-----BEGIN ${kind}PRIVATE KEY-----\nhush`);
    expect(line).toMatch(/^is a private key/);
    expect(line).not.toContain("hush");
  }
});

test("an empty user name is refused, and an empty tag causes a warning", () => {
  expect(said(userName, "ada")).toBeUndefined();
  expect(said(userName, "")).toBe("is empty; remove it from the list");
  expect(said(tag, "web")).toBeUndefined();
  expect(said(tag, "")).toMatch(/^warning: is empty/);
});

test("user data must be base64, and the error does not show it", () => {
  expect(said(base64Text, Buffer.from("#cloud-config").toString("base64"))).toBeUndefined();
  expect(said(base64Text, "#hush")).toBe("is not base64; encode it, or set userData to the plain text");
});

describe("a domain name", () => {
  test.each([
    ...[
      "example.org",
      "example.org.",
      "EXAMPLE.Org",
      "a",
      "3com.example",
      "a--b.example",
      "xn--bcher-kva.example",
    ],
    ...[
      "_acme-challenge.example.org",
      "2.0.192.in-addr.arpa",
      "0/25.2.0.192.in-addr.arpa",
      "8.b.d.0.1.0.0.2.ip6.arpa",
    ],
  ])("may be %s", (name) => {
    expect(said(domainName, name)).toBeUndefined();
  });

  test.each([
    [
      "bücher.example",
      '"bücher.example" is not in ASCII (RFC 1035); write its punycode form, "xn--bcher-kva.example"',
    ],
    ["b ü.example", '"b ü.example" is not in ASCII (RFC 1035); write its punycode form'],
    ["a..b", '"a..b" has an empty label; write one period between two labels'],
    [".example", '".example" has an empty label; write one period between two labels'],
    ["example..", '"example.." has an empty label; write one period between two labels'],
  ])("cannot be %s", (name, line) => {
    expect(said(domainName, name)).toBe(line);
  });

  test.each([
    ["exa mple.org", "exa mple"],
    ["-a.example", "-a"],
    ["a-.example", "a-"],
    ["https://example.org", "https://example"],
    ["*.example.org", "*"],
    ["dns@example.org", "dns@example"],
    ["a/b.example", "a/b"],
  ])("cannot be %s because of its label %s", (name, label) => {
    expect(said(domainName, name)).toBe(
      `"${name}" is not a domain name (RFC 1035); the label "${label}" must be of letters, digits and hyphens, with no hyphen at its ends`,
    );
  });
});

describe("the name of a record", () => {
  test.each(["www", "*.dev", "_sip._tcp", "www.example.org.", "@", "a b", `${"x".repeat(63)}.y`])(
    "may be %s",
    (name) => {
      expect(said(recordName, name)).toBeUndefined();
    },
  );

  test.each([
    ["", "is empty; omit it for the domain itself"],
    ["a..b", '"a..b" has an empty label; write one period between two labels'],
    [
      "bücher",
      'warning: "bücher" is not in ASCII; write its punycode form, because the reference does not show whether the service converts it',
    ],
    ["x".repeat(64), `"${"x".repeat(64)}" has a label of 64 characters; a label has at most 63 (RFC 1035)`],
  ])("%j %s", (name, line) => {
    expect(said(recordName, name)).toBe(line);
  });
});
