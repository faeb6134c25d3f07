import { type AddressInfo, type Socket, createServer } from "node:net";
import {
  AUTHORITATIVE_ANSWER,
  type Answer,
  type Question as Asked,
  type SoaAnswer,
  type StringAnswer,
  encode,
  streamDecode,
  streamEncode,
} from "dns-packet";

/** A question to the server. */
export interface Question {
  readonly id: number;
  readonly asked: Asked;
}

/** The SOA of a zone, with its times. */
export function soa(zone: string, { serial = 1, contact = `dns.${zone}` } = {}): SoaAnswer {
  const times = { refresh: 7200, retry: 900, expire: 1_209_600, minimum: 300 };
  return {
    type: "SOA",
    name: zone,
    ttl: 3600,
    data: { mname: `ns1.${zone}`, rname: contact, serial, ...times },
  };
}

export function a(name: string, address = "192.0.2.1"): StringAnswer {
  return { type: "A", name, ttl: 3600, data: address };
}

/** An answer to the question, with its length in front. */
export function answer(
  { id, asked }: Question,
  records: readonly Answer[],
  flags = AUTHORITATIVE_ANSWER,
): Buffer {
  return streamEncode({ type: "response", id, flags, questions: [asked], answers: [...records] });
}

const u16 = (value: number) => Buffer.of(value >> 8, value & 255);

/** A name without its end, with a label for each part. */
function labels(name: string): Buffer {
  const parts = name.split(".").filter(Boolean);
  return Buffer.concat(parts.flatMap((part) => [Buffer.of(part.length), Buffer.from(part)]));
}

/** `www.example.org` in full. */
export const wireName = (name: string) => Buffer.concat([labels(name), Buffer.of(0)]);

/** Labels that end in a pointer to an earlier place in the message. The name in the question is at 12. */
export const pointer = (offset: number, name = "") => Buffer.concat([labels(name), u16(0xc000 | offset)]);

/** The numbers of the types of handmade records. */
export const TYPE = { a: 1, ns: 2, cname: 5 };

/** A record byte by byte, for names that the library writes differently (compressed) or cannot write (broken). */
export interface HandmadeRecord {
  readonly owner: Buffer;
  readonly type: number;
  readonly data: Buffer;
}

function bytesOf(record: Answer | HandmadeRecord): Buffer {
  // A message that contains only this record, without its header.
  if (!("owner" in record)) return encode({ type: "response", answers: [record] }).subarray(12);
  const { owner, type, data } = record;
  const [classAndTtl, length] = [Buffer.from([0, 1, 0, 0, 14, 16]), u16(data.length)];
  return Buffer.concat([owner, u16(type), classAndTtl, length, data]);
}

/** Like `answer`, with handmade records among those of the library. */
export function handmadeAnswer(
  { id, asked }: Question,
  records: readonly (Answer | HandmadeRecord)[],
): Buffer {
  const start = encode({ type: "response", id, flags: AUTHORITATIVE_ANSWER, questions: [asked] });
  start.writeUInt16BE(records.length, 6);
  const message = Buffer.concat([start, ...records.map(bytesOf)]);
  return Buffer.concat([u16(message.length), message]);
}

export interface NameServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  readonly questions: Question[];
  stop(): Promise<void>;
}

/** A name server on a free port. The test decides what it does with each question. */
export async function startNameServer(
  onQuestion: (question: Question, socket: Socket) => void,
): Promise<NameServer> {
  const questions: Question[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", (bytes) => {
      const { id = 0, questions: [asked] = [] } = streamDecode(bytes);
      if (!asked) return socket.destroy();
      const question = { id, asked };
      questions.push(question);
      return onQuestion(question, socket);
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

/** A name server that has every zone, each with only its SOA. */
export const startEmptyZones = (): Promise<NameServer> =>
  startNameServer((question, socket) => {
    const zone = soa(question.asked.name);
    socket.end(answer(question, [zone, zone]));
  });
