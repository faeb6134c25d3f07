import {
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  verify,
} from "node:crypto";
import { SIGNATURES } from "./host-key-types";

/** Numbers of messages (RFC 4253, RFC 8731). */
const KEXINIT = 20;
const KEX_INIT = 30;
const KEX_REPLY = 31;

const IDENTIFICATION = "SSH-2.0-pulumi-nodecloud";

/** The longest packet that is read (RFC 4253, 6.1). */
const MAX_PACKET = 35_000;

const HASHES: Readonly<Record<string, string>> = {
  "rsa-sha2-512": "sha512",
  "rsa-sha2-256": "sha256",
  "ecdsa-sha2-nistp256": "sha256",
  "ecdsa-sha2-nistp384": "sha384",
  "ecdsa-sha2-nistp521": "sha512",
};

const CURVES: Readonly<Record<string, { readonly crv: string; readonly bytes: number }>> = {
  nistp256: { crv: "P-256", bytes: 32 },
  nistp384: { crv: "P-384", bytes: 48 },
  nistp521: { crv: "P-521", bytes: 66 },
};

/** A public key as one line: its type and its data. */
const lineOf = (blob: Buffer): string => `${new Reader(blob).text()} ${blob.toString("base64")}`;

/**
 * Asks a server that has sent its banner for its host key, which a key exchange proves (RFC 8731). Nobody logs in, and nothing is
 * encrypted.
 */
export class HostKeyExchange {
  readonly #keys = generateKeyPairSync("x25519");
  readonly #own: Buffer;
  #server: Buffer = Buffer.alloc(0);
  #text: Buffer = Buffer.alloc(0);
  #banner: string | undefined;

  /** `wanted`: the accepted keys. `send` gets what to send. */
  constructor(
    private readonly wanted: readonly string[],
    private readonly send: (bytes: Buffer | string) => void,
  ) {
    const types = new Set(wanted.map((line) => line.trim().split(/\s+/)[0] ?? ""));
    const signatures = [...types].flatMap((type) => SIGNATURES[type] ?? []);
    this.#own = initOf(signatures);
    send(`${IDENTIFICATION}\r\n`);
    send(packet(this.#own));
  }

  /** Takes what the server sends. Returns whether its host key is an accepted one, as soon as that is known. Throws if it speaks otherwise. */
  take(chunk: Buffer): boolean | undefined {
    this.#text = Buffer.concat([this.#text, chunk]);
    if (this.#banner === undefined && !this.#takeBanner()) return undefined;
    for (let payload = this.#next(); payload !== undefined; payload = this.#next()) {
      if (payload[0] === KEXINIT) {
        this.#server = payload;
        this.send(packet(Buffer.concat([Buffer.of(KEX_INIT), text(rawOf(this.#keys.publicKey))])));
      } else if (payload[0] === KEX_REPLY) return this.#isAccepted(new Reader(payload.subarray(1)));
      else if (payload[0] === 1) throw new Error("the server has no such host key");
    }
    return undefined;
  }

  #takeBanner(): boolean {
    const found = /^(SSH-(?:2\.0|1\.99)-[^\r\n]*)\r?\n/m.exec(this.#text.toString("latin1"));
    if (found === null) return false;
    this.#banner = found[1] ?? "";
    this.#text = this.#text.subarray(found.index + found[0].length);
    return true;
  }

  /** The next packet's payload. Undefined until it is complete. */
  #next(): Buffer | undefined {
    if (this.#text.length < 4) return undefined;
    const length = this.#text.readUInt32BE(0);
    if (length > MAX_PACKET || length < 2) throw new Error("the packet has no valid length");
    if (this.#text.length < 4 + length) return undefined;
    const padding = this.#text[4] ?? 0;
    const payload = this.#text.subarray(5, 4 + length - padding);
    this.#text = this.#text.subarray(4 + length);
    return payload;
  }

  #isAccepted(reply: Reader): boolean {
    const key = reply.bytes();
    const theirs = reply.bytes();
    const signature = new Reader(reply.bytes());
    const secret = diffieHellman({
      privateKey: this.#keys.privateKey,
      publicKey: createPublicKey({
        key: { kty: "OKP", crv: "X25519", x: theirs.toString("base64url") },
        format: "jwk",
      }),
    });
    const hash = createHash("sha256");
    const own = rawOf(this.#keys.publicKey);
    for (const part of [Buffer.from(IDENTIFICATION), Buffer.from(this.#banner ?? "", "latin1"), this.#own])
      hash.update(text(part));
    for (const part of [this.#server, key, own, theirs, positive(secret)]) hash.update(text(part));
    if (!isSignedBy(key, hash.digest(), signature)) return false;
    const line = lineOf(key);
    return this.wanted.some((one) => one.trim().split(/\s+/).slice(0, 2).join(" ") === line);
  }
}

/** The algorithms of this side. Of those behind the host keys, none is used: the connection ends before. */
function initOf(hostKeys: readonly string[]): Buffer {
  const kex = ["curve25519-sha256", "curve25519-sha256@libssh.org"];
  const ciphers = ["aes128-ctr", "aes256-ctr", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"];
  const macs = ["hmac-sha2-256", "hmac-sha2-512", "hmac-sha2-256-etm@openssh.com"];
  const lists = [kex, hostKeys, ciphers, ciphers, macs, macs, ["none"], ["none"], [], []];
  const names = lists.map((list) => text(Buffer.from(list.join(","))));
  return Buffer.concat([Buffer.of(KEXINIT), randomBytes(16), ...names, Buffer.alloc(5)]);
}

function packet(payload: Buffer): Buffer {
  const unpadded = 5 + payload.length;
  const padding = 8 - (unpadded % 8) + (8 - (unpadded % 8) < 4 ? 8 : 0);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(1 + payload.length + padding, 0);
  head[4] = padding;
  return Buffer.concat([head, payload, randomBytes(padding)]);
}

const text = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length, 0);
  return Buffer.concat([length, bytes]);
};

/** A number without leading zeros, and with one if its first bit is set (RFC 4251, 5). */
function positive(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length && bytes[start] === 0) start++;
  const rest = bytes.subarray(start);
  return (rest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), rest]) : rest;
}

const rawOf = (key: KeyObject): Buffer => Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");

class Reader {
  #at = 0;

  constructor(private readonly content: Buffer) {}

  bytes(): Buffer {
    const length = this.content.readUInt32BE(this.#at);
    const end = this.#at + 4 + length;
    if (end > this.content.length) throw new Error("the packet is too short");
    const found = this.content.subarray(this.#at + 4, end);
    this.#at = end;
    return found;
  }

  text(): string {
    return this.bytes().toString("latin1");
  }
}

/** Whether a key has signed a hash. */
function isSignedBy(blob: Buffer, hash: Buffer, signature: Reader): boolean {
  const key = new Reader(blob);
  const type = key.text();
  const algorithm = signature.text();
  const signed = signature.bytes();
  if (SIGNATURES[type]?.includes(algorithm) !== true) return false;
  const asKey = (jwk: Record<string, string>) => createPublicKey({ key: jwk, format: "jwk" });
  if (type === "ssh-ed25519") {
    const x = key.bytes().toString("base64url");
    return verify(null, hash, asKey({ kty: "OKP", crv: "Ed25519", x }), signed);
  }
  const digest = HASHES[algorithm] ?? "";
  if (type === "ssh-rsa") {
    const [e, n] = [key.bytes(), key.bytes()].map((one) => one.toString("base64url"));
    return verify(digest, hash, asKey({ kty: "RSA", e: e ?? "", n: n ?? "" }), signed);
  }
  const { crv, bytes } = CURVES[key.text()] ?? { crv: "", bytes: 0 };
  const point = key.bytes();
  const x = point.subarray(1, 1 + bytes).toString("base64url");
  const y = point.subarray(1 + bytes).toString("base64url");
  const parts = new Reader(signed);
  const fixed = [parts.bytes(), parts.bytes()].map((one) => fixedTo(one, bytes));
  return verify(
    digest,
    hash,
    { key: asKey({ kty: "EC", crv, x, y }), dsaEncoding: "ieee-p1363" },
    Buffer.concat(fixed),
  );
}

/** A number in so many bytes. */
function fixedTo(number: Buffer, bytes: number): Buffer {
  const rest = number.subarray(Math.max(0, number.length - bytes));
  return Buffer.concat([Buffer.alloc(bytes - rest.length), rest]);
}
