import { type Socket as UdpSocket, createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";
import {
  CLASS_IN,
  MalformedMessage,
  type Query,
  TYPE_AXFR,
  TYPE_OPT,
  framed,
  readQuery,
} from "./dns-messages";
import { nameKey, nameOctets } from "./dns-names";
import { CODE, type FoundRecords, ZoneLookup } from "./lookup";
import { type RenderedZones } from "./rendered";
import { type Served, u16, u32 } from "./zone-data";

const ADDRESS = "127.0.0.1";
/** The longest answer over UDP for a client without EDNS (RFC 1035, 4.2.1), and over TCP. */
const [PLAIN_UDP_OCTETS, MAX_OCTETS] = [512, 65_535];
const IDLE_MS = 10_000;
const RECORDS_PER_MESSAGE = 50;
/** The name in the question, which most records repeat. */
const POINTER_TO_QUESTION = Buffer.from([0xc0, 12]);

/** The longest answers and whole zones go over TCP only. */
type Transport = "tcp" | "udp";

type Reply = Omit<FoundRecords, "authority"> & Partial<Pick<FoundRecords, "authority">>;

/** A message with the question and these records. */
function encode(
  query: Query,
  { code, isAuthoritative, answers, authority = [] }: Reply,
  limit: number,
): Buffer {
  const asked = nameKey(query.name);
  const record = ({ owner, type, ttl, data }: Served) =>
    Buffer.concat([
      nameKey(owner) === asked ? POINTER_TO_QUESTION : nameOctets(owner),
      ...[u16(type, CLASS_IN), u32(ttl), u16(data.length), data],
    ]);
  const edns = query.ednsSize === undefined ? [] : [Buffer.of(0), u16(TYPE_OPT, 4096, 0, 0, 0)];
  const flags =
    0x8000 |
    (query.opcode << 11) |
    (isAuthoritative ? 0x0400 : 0) |
    (query.wantsRecursion ? 0x0100 : 0) |
    code;
  const message = (truncated: number, kept: Required<Pick<FoundRecords, "answers" | "authority">>) =>
    Buffer.concat([
      u16(
        query.id,
        flags | truncated,
        1,
        kept.answers.length,
        kept.authority.length,
        edns.length > 0 ? 1 : 0,
      ),
      ...[query.question, ...[...kept.answers, ...kept.authority].map(record), ...edns],
    ]);
  const whole = message(0, { answers, authority });
  return whole.length <= limit ? whole : message(0x0200, { answers: [], authority: [] });
}

const refusal = (code: number): FoundRecords => ({
  code,
  isAuthoritative: false,
  answers: [],
  authority: [],
});

/** The messages that answer a question. */
function answersTo(lookup: ZoneLookup, query: Query, over: Transport): Buffer[] {
  const limit = over === "tcp" ? MAX_OCTETS : Math.max(PLAIN_UDP_OCTETS, Math.min(query.ednsSize ?? 0, 4096));
  if (query.opcode !== 0) return [encode(query, refusal(CODE.notImplemented), limit)];
  if (query.class !== CLASS_IN) return [encode(query, refusal(CODE.refused), limit)];
  if (query.type !== TYPE_AXFR) return [encode(query, lookup.find(query.name, query.type), limit)];
  const records = over === "tcp" ? lookup.transfer(query.name) : undefined;
  if (!records) return [encode(query, refusal(CODE.refused), limit)];
  const parts = Array.from({ length: Math.ceil(records.length / RECORDS_PER_MESSAGE) }, (_, index) =>
    records.slice(index * RECORDS_PER_MESSAGE, (index + 1) * RECORDS_PER_MESSAGE),
  );
  return parts.map((answers) => encode(query, { code: CODE.ok, isAuthoritative: true, answers }, limit));
}

/** The messages that answer a message. An answer gets none, so that two servers cannot answer each other without end. */
function repliesTo(lookup: ZoneLookup, message: Buffer, over: Transport): Buffer[] {
  try {
    return answersTo(lookup, readQuery(message), over);
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    const isQuestion = message.length >= 12 && (message.readUInt8(2) & 0x80) === 0;
    const flags = 0x8000 | CODE.malformed;
    return isQuestion ? [Buffer.concat([message.subarray(0, 2), u16(flags, 0, 0, 0, 0)])] : [];
  }
}

/** Answers the messages of a connection. */
function serveTcp(lookup: ZoneLookup, socket: Socket): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    const { messages, rest } = framed(Buffer.concat([pending, chunk]));
    pending = rest;
    for (const message of messages) {
      const replies = repliesTo(lookup, message, "tcp");
      socket.write(Buffer.concat(replies.flatMap((reply) => [u16(reply.length), reply])));
    }
  });
}

async function bindTcp(lookup: ZoneLookup, sockets: Set<Socket>, port: number): Promise<Server> {
  const server = createServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    serveTcp(lookup, socket);
  });
  await once(server.listen(port, ADDRESS), "listening");
  return server;
}

async function bindUdp(lookup: ZoneLookup, port: number): Promise<UdpSocket> {
  const socket = createSocket("udp4");
  socket.on("message", (message, from) => {
    for (const reply of repliesTo(lookup, message, "udp")) socket.send(reply, from.port, from.address);
  });
  await once(socket.bind(port, ADDRESS), "listening");
  socket.on("error", () => undefined);
  return socket;
}

/** A nameserver of the rendered zones. */
export interface DnsServer {
  /** `127.0.0.1:port`, for UDP and TCP. */
  readonly address: string;
  close(): Promise<void>;
}

/** Starts a nameserver on the loopback address. Port 0 selects one that is free for UDP and TCP. */
export async function startDnsServer(
  zones: RenderedZones,
  wanted: number,
  attempts = 10,
): Promise<DnsServer> {
  const lookup = new ZoneLookup(zones);
  const sockets = new Set<Socket>();
  const tcp = await bindTcp(lookup, sockets, wanted);
  const { port } = tcp.address() as AddressInfo;
  try {
    const udp = await bindUdp(lookup, port);
    return {
      address: `${ADDRESS}:${port}`,
      async close() {
        const closed = [once(tcp, "close"), once(udp, "close")];
        tcp.close();
        udp.close();
        for (const socket of sockets) socket.destroy();
        await Promise.all(closed);
      },
    };
  } catch (error) {
    tcp.close();
    if (wanted === 0 && attempts > 1) return startDnsServer(zones, wanted, attempts - 1);
    throw error;
  }
}
