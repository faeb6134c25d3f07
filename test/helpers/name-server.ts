import { type AddressInfo, type Socket, createServer } from "node:net";

/** One record in the wire format. A name is written in full; `pointer` makes one that points into the message. */
export interface WireRecord {
  readonly owner: Buffer;
  readonly type: number;
  readonly ttl?: number;
  readonly recordClass?: number;
  readonly data: Buffer;
}

const u16 = (value: number) => Buffer.of(value >> 8, value & 255);
const u32 = (value: number) => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);

/** A string with its length in front. */
export function characters(text: string): Buffer {
  const octets = Buffer.from(text);
  return Buffer.concat([Buffer.of(octets.length), octets]);
}

/** `www.example.org` in full; `""` is the root. */
export function wireName(name: string): Buffer {
  return Buffer.concat([...name.split(".").filter(Boolean).map(characters), Buffer.of(0)]);
}

/** Labels that end in a pointer to an earlier place of the message; 12 is the name in the question. */
export function pointer(offset: number, labels = ""): Buffer {
  return Buffer.concat([wireName(labels).subarray(0, -1), u16(0xc000 | offset)]);
}

export const data = {
  a: (address: string) => Buffer.from(address.split(".").map(Number)),
  aaaa: (hex: string) => Buffer.from(hex, "hex"),
  mx: (priority: number, name: Buffer) => Buffer.concat([u16(priority), name]),
  srv: (priority: number, weight: number, port: number, name: Buffer) =>
    Buffer.concat([u16(priority), u16(weight), u16(port), name]),
  txt: (...texts: string[]) => Buffer.concat(texts.map(characters)),
  caa: (tag: string, value: string) => Buffer.concat([Buffer.of(0), characters(tag), Buffer.from(value)]),
};

export const TYPE = {
  a: 1,
  ns: 2,
  cname: 5,
  soa: 6,
  ptr: 12,
  mx: 15,
  txt: 16,
  aaaa: 28,
  srv: 33,
  dnskey: 48,
  caa: 257,
};

/** The SOA of a zone, with its times. */
export function soa(zone: string, { serial = 1, contact = `dns.${zone}` } = {}): WireRecord {
  const numbers = [serial, 7200, 900, 1_209_600, 300].map(u32);
  return {
    owner: wireName(zone),
    type: TYPE.soa,
    data: Buffer.concat([wireName(`ns1.${zone}`), wireName(contact), ...numbers]),
  };
}

export function encodeRecord({ owner, type, ttl = 3600, recordClass = 1, data: rdata }: WireRecord): Buffer {
  return Buffer.concat([owner, u16(type), u16(recordClass), u32(ttl), u16(rdata.length), rdata]);
}

/** What the server was asked. */
export interface Question {
  readonly id: number;
  /** The name, type and class as they were sent. */
  readonly section: Buffer;
}

/** A message with its length in front, in answer to the question. */
export function answer({ id, section }: Question, records: readonly WireRecord[], flags = 0x8400): Buffer {
  const message = Buffer.concat([
    ...[id, flags, 1, records.length, 0, 0].map(u16),
    section,
    ...records.map(encodeRecord),
  ]);
  return Buffer.concat([u16(message.length), message]);
}

export interface NameServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  readonly questions: Question[];
  stop(): Promise<void>;
}

/** A name server on a free port that does with each question what the test wants. */
export async function startNameServer(
  onQuestion: (question: Question, socket: Socket) => void,
): Promise<NameServer> {
  const questions: Question[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", (bytes) => {
      const question = { id: bytes.readUInt16BE(2), section: bytes.subarray(14) };
      questions.push(question);
      onQuestion(question, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    questions,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** A name server that has every zone, each with nothing but its SOA. */
export const startEmptyZones = (): Promise<NameServer> =>
  startNameServer((question, socket) => {
    const start = { ...soa("example"), owner: pointer(12) };
    socket.end(answer(question, [start, start]));
  });
