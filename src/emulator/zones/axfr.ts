import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type Socket, connect, isIPv6 } from "node:net";
import { isNativeError } from "node:util/types";
import { MalformedMessage, type ResourceRecord, framed, readMessage, transferQuestion } from "./dns-messages";
import { type Name, formatName, nameKey } from "./dns-names";
import { type Refusal, invalid } from "../base/refusal";

/** The longest real time of a transfer, and the most data. */
export interface TransferLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

const LIMITS: TransferLimits = { milliseconds: 10_000, bytes: 16 * 1024 * 1024 };

const DNS_PORT = 53;

/** The error codes of answers (RFC 1035, 4.1.1 and RFC 2136, 2.2). */
const CODES: Readonly<Record<number, string>> = {
  1: "FORMERR",
  2: "SERVFAIL",
  3: "NXDOMAIN",
  4: "NOTIMP",
  5: "REFUSED",
  9: "NOTAUTH",
};

/** A refusal because of the nameserver. */
const fails = (reason: string): Refusal => invalid("remote_nameserver", reason);

const incomplete = (why: string) => fails(`did not send a complete transfer: ${why}`);
const malformed = (why: string) => fails(`sent a malformed answer: ${why}`);

/** Reads a nameserver: a host name or an address, with a port if it is not 53. IPv6 with a port needs brackets. */
export function parseNameserver(text: string): { host: string; port: number } {
  if (isIPv6(text)) return { host: text, port: DNS_PORT };
  const { bracketed, plain, port } =
    /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[\w.-]+))(?::(?<port>\d{1,5}))?$/.exec(text)?.groups ?? {};
  const host = bracketed !== undefined && isIPv6(bracketed) ? bracketed : plain;
  const number = Number(port ?? DNS_PORT);
  if (host === undefined || number < 1 || number > 65_535) throw fails("is not a host name or an address");
  return { host, port: number };
}

/** The call and the code of a system error, or undefined for another error. */
function systemFailure(error: unknown): { readonly call: string; readonly code: string } | undefined {
  // Not `instanceof`: in jest, system errors come from another realm.
  if (!isNativeError(error) || !("code" in error)) return undefined;
  return { call: "syscall" in error ? String(error.syscall) : "", code: String(error.code) };
}

/** Connects to a nameserver. A failure becomes a refusal with the reason. */
async function reach(host: string, port: number, timeout: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, signal: timeout });
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    if (timeout.aborted) throw fails("cannot be reached: it did not answer in time");
    const failure = systemFailure(error);
    const how = failure?.call === "getaddrinfo" ? "resolved" : "reached";
    throw fails(`cannot be ${how} (${failure?.code ?? String(error)})`);
  }
}

/** Reads the messages from a connection. */
async function* messagesFrom(socket: Socket, maxBytes: number): AsyncGenerator<Buffer, void> {
  let pending: Buffer = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of socket) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > maxBytes) throw fails(`sent more than ${maxBytes} bytes`);
    const { messages, rest } = framed(Buffer.concat([pending, chunk]));
    yield* messages;
    pending = rest;
  }
}

/** The records in one message of the answer to question `id`. */
function answersIn(bytes: Buffer, id: number, zone: Name): readonly ResourceRecord[] {
  const message = readMessage(bytes);
  if (!message.isResponse || message.id !== id) throw new MalformedMessage("it does not answer the question");
  if (message.code !== 0) {
    const code = CODES[message.code] ?? `code ${message.code}`;
    throw fails(`refuses the transfer of ${formatName(zone)}: ${code}`);
  }
  if (message.isTruncated) throw new MalformedMessage("it is truncated");
  return message.answers;
}

/**
 * Requests a whole zone from a nameserver (AXFR over TCP, RFC 5936). The SOA is the first record. A second SOA ends the
 * transfer. A transfer without it is refused.
 */
export async function* transferZone(
  zone: Name,
  nameserver: string,
  limits: TransferLimits = LIMITS,
): AsyncGenerator<ResourceRecord, void> {
  const { host, port } = parseNameserver(nameserver);
  const timeout = AbortSignal.timeout(limits.milliseconds);
  const socket = await reach(host, port, timeout);
  const id = randomInt(0x1_0000);
  let serial: number | undefined;
  try {
    socket.write(transferQuestion(id, zone));
    for await (const bytes of messagesFrom(socket, limits.bytes)) {
      for (const record of answersIn(bytes, id, zone)) {
        const { owner, data } = record;
        const soa = data?.type === "SOA" && nameKey(owner) === nameKey(zone) ? data : undefined;
        if (serial === undefined && !soa) throw new MalformedMessage("it does not begin with the zone's SOA");
        if (serial !== undefined && soa) {
          if (soa.serial !== serial) throw incomplete("the zone changed during the transfer");
          return;
        }
        serial ??= soa?.serial;
        if (soa || data?.type !== "SOA") yield record;
      }
    }
  } catch (error) {
    if (error instanceof MalformedMessage) throw malformed(error.message);
    if (timeout.aborted) throw incomplete("it took too long");
    const failure = systemFailure(error);
    if (failure) throw incomplete(`the connection broke (${failure.code})`);
    throw error;
  } finally {
    socket.destroy();
  }
  throw incomplete("the connection was closed before its end");
}
