/** What is wrong with a secure connection, and what to do about it. */
interface Cause {
  /** The codes of Node.js, or OpenSSL's reasons, that say so. */
  readonly codes: RegExp;
  readonly problem: (host: string) => string;
  readonly hint: string;
  /** Whether it is about the certificate, before anything is sent. */
  readonly isOfCertificate: boolean;
}

const UNTRUSTED = (host: string) => `could not trust the certificate of ${host}`;
const INSECURE = (host: string) => `could not talk securely to ${host}`;
const CLOCK = "is the clock of this machine right?";

/** Only an issuer that this machine does not know can be made known to it: `NODE_EXTRA_CA_CERTS` helps against nothing else. */
const CAUSES: readonly Cause[] = [
  {
    codes:
      /^(UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|CERT_UNTRUSTED)$/,
    problem: (host) => `${UNTRUSTED(host)}: its issuer is not known here`,
    hint: "where a proxy or an authority of your own signs certificates, NODE_EXTRA_CA_CERTS names the file with the issuer's certificate",
    isOfCertificate: true,
  },
  {
    codes: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    problem: (host) => `${UNTRUSTED(host)}: it is self-signed`,
    hint: "is the base URL right? Where the certificate is your own, NODE_EXTRA_CA_CERTS names the file with it",
    isOfCertificate: true,
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    problem: (host) => `${UNTRUSTED(host)}: it has expired`,
    hint: `${CLOCK} If it is, whoever runs the host, or a proxy before it, must renew the certificate`,
    isOfCertificate: true,
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    problem: (host) => `${UNTRUSTED(host)}: it is not valid yet`,
    hint: CLOCK,
    isOfCertificate: true,
  },
  {
    codes: /^(ERR_TLS_CERT_ALTNAME_\w+|HOSTNAME_MISMATCH)$/,
    problem: (host) => `${UNTRUSTED(host)}: it is for another name`,
    hint: "is the base URL right, and does the name lead to the service?",
    isOfCertificate: true,
  },
  {
    codes:
      /^(CERT_\w+|UNABLE_TO_\w+|ERR_TLS_CERT_\w+|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|CRL_\w+)$/,
    problem: UNTRUSTED,
    hint: "whoever runs the host, or a proxy before it, must replace the certificate",
    isOfCertificate: true,
  },
  {
    codes: /^(wrong version number|packet length too long|http request|unknown protocol|bad record type)$/,
    problem: (host) => `${INSECURE(host)}: what answers there does not speak TLS`,
    hint: "are the port of the base URL, and the proxy, right? https:// needs a port that takes TLS",
    isOfCertificate: false,
  },
  {
    codes:
      /(unsupported protocol|alert protocol version|version too low|no shared cipher|alert handshake failure|key too small)$/,
    problem: (host) => `${INSECURE(host)}: it does not offer a version or cipher of TLS that Node.js takes`,
    hint: "is the base URL right? If it is, the host, or a proxy before it, needs TLS 1.2 or newer",
    isOfCertificate: false,
  },
  {
    codes: /^(EPROTO|ERR_SSL_\w+|ERR_TLS_\w+)$/,
    problem: INSECURE,
    hint: "are the port of the base URL, and the proxy, right?",
    isOfCertificate: false,
  },
];

/** What a system error says of a secure connection; undefined where it is about none. */
export function tlsCauseOf(code: string, message: string): (Cause & { readonly detail: string }) | undefined {
  const reason = opensslReason(code, message);
  const cause =
    CAUSES.find(({ codes }) => codes.test(reason)) ?? CAUSES.find(({ codes }) => codes.test(code));
  return cause === undefined ? undefined : { ...cause, detail: reason === "" ? code : `${code}: ${reason}` };
}

/** `wrong version number` of `EPROTO …:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:…`. */
function opensslReason(code: string, message: string): string {
  const told = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1];
  return (told ?? /^ERR_SSL_(.*)/.exec(code)?.[1]?.replaceAll("_", " ") ?? "").toLowerCase();
}
