/** A cause of TLS failures, with what to do about it. */
interface Cause {
  /** The matching codes of Node.js or reasons of OpenSSL. */
  readonly codes: RegExp;
  readonly problem: (host: string) => string;
  readonly hint: string;
  /** Whether the certificate is the cause, so that nothing was sent. */
  readonly isOfCertificate: boolean;
}

const failing = (what: string, of: Pick<Cause, "isOfCertificate">) => (why?: string) => ({
  problem: (host: string) => `could not ${what} ${host}${why === undefined ? "" : `: ${why}`}`,
  ...of,
});
const untrusted = failing("trust the certificate of", { isOfCertificate: true });
const insecure = failing("talk securely to", { isOfCertificate: false });

const CLOCK = "is the clock of this machine right?";

/** `NODE_EXTRA_CA_CERTS` helps only if this machine does not know the issuer, so only those hints name it. */
const CAUSES: readonly Cause[] = [
  {
    codes:
      /^(UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|CERT_UNTRUSTED)$/,
    ...untrusted("its issuer is not known here"),
    hint: "if a proxy or an authority of your own signs certificates, set NODE_EXTRA_CA_CERTS to the file with the issuer's certificate",
  },
  {
    codes: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    ...untrusted("it is self-signed"),
    hint: "is the base URL right? If the certificate is your own, set NODE_EXTRA_CA_CERTS to the file with it",
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    ...untrusted("it has expired"),
    hint: `${CLOCK} If it is, whoever runs the host, or a proxy in front of it, must renew the certificate`,
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    ...untrusted("it is not valid yet"),
    hint: CLOCK,
  },
  {
    codes: /^(ERR_TLS_CERT_ALTNAME_\w+|HOSTNAME_MISMATCH)$/,
    ...untrusted("it is for another name"),
    hint: "is the base URL right, and does the name point to the service?",
  },
  {
    codes:
      /^(CERT_\w+|UNABLE_TO_\w+|ERR_TLS_CERT_\w+|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|CRL_\w+)$/,
    ...untrusted(),
    hint: "whoever runs the host, or a proxy in front of it, must replace the certificate",
  },
  {
    codes: /^(wrong version number|packet length too long|http request|unknown protocol|bad record type)$/,
    ...insecure("the server there does not speak TLS"),
    hint: "check the port of the base URL, and the proxy: https:// needs a port that speaks TLS",
  },
  {
    codes:
      /(unsupported protocol|alert protocol version|version too low|no shared cipher|alert handshake failure|key too small)$/,
    ...insecure("it offers no version or cipher of TLS that Node.js accepts"),
    hint: "is the base URL right? If it is, the host, or a proxy in front of it, needs TLS 1.2 or newer",
  },
  {
    codes: /^(EPROTO|ERR_SSL_\w+|ERR_TLS_\w+)$/,
    ...insecure(),
    hint: "check the port of the base URL, and the proxy",
  },
];

/** The cause of a system error of a TLS connection. Undefined for any other error. */
export function tlsCauseOf(code: string, message: string): (Cause & { readonly detail: string }) | undefined {
  const reason = opensslReason(code, message);
  const cause =
    CAUSES.find(({ codes }) => codes.test(reason)) ?? CAUSES.find(({ codes }) => codes.test(code));
  return cause === undefined ? undefined : { ...cause, detail: reason === "" ? code : `${code}: ${reason}` };
}

/** Extracts `wrong version number` from `EPROTO …:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:…`. */
function opensslReason(code: string, message: string): string {
  const told = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1];
  return (told ?? /^ERR_SSL_(.*)/.exec(code)?.[1]?.replaceAll("_", " ") ?? "").toLowerCase();
}
