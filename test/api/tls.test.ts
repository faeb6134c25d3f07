import { ConnectionError, never } from "../../src/api";
import { failedConnection } from "../../src/api/connection";
import { uncheckedTls } from "../../src/api/endpoint";
import { noSecrets } from "../../src/api/secrets";
import { clientFor, failure, withServer } from "./scripted-server";

const failed = (code: string, message = code) =>
  failedConnection(
    { operation: "GET /domains" },
    "api.example",
    Object.assign(new Error(message), { code }),
    noSecrets,
  );

const openssl = (reason: string) =>
  `write EPROTO 40FD:error:0A00010B:SSL routines:tls_validate_record_header:${reason}:../deps/tlsany_meth.c:77:`;

const ISSUER = "set NODE_EXTRA_CA_CERTS to the file";

test.each([
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its issuer is not known here", ISSUER],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "its issuer is not known here", ISSUER],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its issuer is not known here", ISSUER],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "it is self-signed", ISSUER],
  ["CERT_HAS_EXPIRED", "it has expired", "must renew the certificate"],
  ["CERT_NOT_YET_VALID", "it is not valid yet", "is the clock of this machine right?"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "it is for another name", "is the base URL right"],
  ["HOSTNAME_MISMATCH", "it is for another name", "is the base URL right"],
  ["CERT_REVOKED", "could not trust the certificate", "must replace the certificate"],
])("the error of a certificate with %s gives the cause and the remedy", (code, why, hint) => {
  const error = failed(code);
  expect(error).toMatchObject({ code: "TLS_FAILED", answerLost: false });
  expect(error.message).toContain(why);
  expect(error.hint).toContain(hint);
  expect(error.message.includes("NODE_EXTRA_CA_CERTS")).toBe(hint === ISSUER);
});

test.each([
  ["wrong version number", "does not speak TLS (EPROTO: wrong version number)"],
  ["packet length too long", "does not speak TLS"],
  ["tlsv1 alert protocol version", "offers no version or cipher of TLS"],
  ["ssl/tls alert handshake failure", "offers no version or cipher of TLS"],
  ["something new", "could not talk securely to api.example (EPROTO: something new)"],
])("the error of a TLS connection that fails with %s is short", (reason, said) => {
  const error = failed("EPROTO", openssl(reason));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ code: "TLS_FAILED", answerLost: true });
  expect(error.message).toContain(said);
  expect(error.message).not.toContain("tlsany_meth");
});

test("https to a plain http port fails and says that the server does not speak TLS", async () => {
  await withServer([], async ({ baseUrl }) => {
    const { client } = clientFor(baseUrl.replace("http:", "https:"), { retry: never });
    const error = await failure(client.domains.get({ domainId: 12 }));
    expect(error.message).toContain("the server there does not speak TLS (EPROTO: wrong version number)");
  });
});

test("disabled certificate checks cause a warning, but only for https", () => {
  const https = { origin: "https://api.example" };
  const warning = uncheckedTls(https, { NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  expect(warning).toMatch(
    /^NODE_TLS_REJECT_UNAUTHORIZED=0 is set: the certificate of api\.example is NOT CHECKED\./,
  );
  expect(warning).toContain("can read the access token and all passwords");
  expect(uncheckedTls(https, { NODE_TLS_REJECT_UNAUTHORIZED: "1" })).toBeUndefined();
  expect(uncheckedTls(https, {})).toBeUndefined();
  const plain = { origin: "http://127.0.0.1:8080" };
  expect(uncheckedTls(plain, { NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toBeUndefined();
});
