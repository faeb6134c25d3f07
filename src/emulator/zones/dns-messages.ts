import { SocketAddress } from "node:net";
import { type Name, isName, nameOctets } from "./dns-names";

/** An answer that breaks the rules of DNS messages (RFC 1035, 4). */
export class MalformedMessage extends Error {
  override readonly name = "MalformedMessage";
}

/** The start of authority: the contact of a zone, and its times. */
export interface Authority {
  readonly type: "SOA";
  readonly contact: Name;
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
}

/** The data of a record whose type a domain can have. A target is either a name or a text. */
export interface Data {
  readonly type: "A" | "AAAA" | "NS" | "CNAME" | "PTR" | "MX" | "TXT" | "SRV" | "CAA";
  readonly target: Name | string;
  readonly priority?: number;
  readonly weight?: number;
  readonly port?: number;
  readonly tag?: string;
}

export interface ResourceRecord {
  readonly owner: Name;
  readonly ttl: number;
  /** It is undefined for a type or class that no domain of the service can have. */
  readonly data: Authority | Data | undefined;
}

const HEADER_OCTETS = 12;
export const CLASS_IN = 1;
export const TYPE_AXFR = 252;
export const TYPE_OPT = 41;
/** The most labels of a name. More jumps do not occur in a valid message. */
const MAX_JUMPS = 127;

/** Reads a message from front to back. A name may point back to an earlier name. */
class Reader {
  constructor(
    private readonly message: Buffer,
    public offset = 0,
  ) {}

  bytes(count: number): Buffer {
    const end = this.offset + count;
    if (end > this.message.length) throw new MalformedMessage("it ends too early");
    const bytes = this.message.subarray(this.offset, end);
    this.offset = end;
    return bytes;
  }

  uint8 = () => this.bytes(1).readUInt8();
  uint16 = () => this.bytes(2).readUInt16BE();
  uint32 = () => this.bytes(4).readUInt32BE();
  characterString = () => this.bytes(this.uint8());

  name(): Name {
    const labels: Buffer[] = [];
    const back = new Reader(this.message, this.offset);
    let start = this.offset;
    let end: number | undefined;
    let jumps = 0;
    for (let length = back.uint8(); length > 0; length = back.uint8()) {
      if (length < 0x40) {
        labels.push(back.bytes(length));
        if (!isName(labels)) throw new MalformedMessage("a name is too long");
        continue;
      }
      if (length < 0xc0) throw new MalformedMessage("a label has an unknown type");
      const target = ((length & 0x3f) << 8) | back.uint8();
      end ??= back.offset;
      // Pointers go backwards only, because a name that points to itself would never end.
      if (++jumps > MAX_JUMPS) throw new MalformedMessage("a name points back too often");
      if (target >= start) throw new MalformedMessage("a name does not point back");
      back.offset = start = target;
    }
    this.offset = end ?? back.offset;
    return labels;
  }
}

function addressV6(bytes: Buffer): string {
  const groups = bytes.toString("hex").match(/.{4}/g) ?? [];
  return new SocketAddress({ address: groups.join(":"), family: "ipv6" }).address;
}

function readTexts(reader: Reader, end: number): string {
  const parts: Buffer[] = [];
  while (reader.offset < end) parts.push(reader.characterString());
  return Buffer.concat(parts).toString();
}

function readAuthority(reader: Reader): Authority {
  reader.name();
  const contact = reader.name();
  const numbers = { serial: reader.uint32(), refresh: reader.uint32(), retry: reader.uint32() };
  const expire = reader.uint32();
  reader.uint32();
  return { type: "SOA", contact, ...numbers, expire };
}

function readCaa(reader: Reader, end: number): Data {
  reader.uint8();
  const tag = reader.characterString().toString("latin1").toLowerCase();
  return { type: "CAA", tag, target: reader.bytes(Math.max(0, end - reader.offset)).toString() };
}

/** Reads the data of a record, by the number of its type. The data must end at `end`. */
const READERS: Readonly<Record<number, (reader: Reader, end: number) => Authority | Data>> = {
  1: (reader) => ({ type: "A", target: reader.bytes(4).join(".") }),
  2: (reader) => ({ type: "NS", target: reader.name() }),
  5: (reader) => ({ type: "CNAME", target: reader.name() }),
  6: readAuthority,
  12: (reader) => ({ type: "PTR", target: reader.name() }),
  15: (reader) => ({ type: "MX", priority: reader.uint16(), target: reader.name() }),
  16: (reader, end) => ({ type: "TXT", target: readTexts(reader, end) }),
  28: (reader) => ({ type: "AAAA", target: addressV6(reader.bytes(16)) }),
  33: (reader) => ({
    type: "SRV",
    priority: reader.uint16(),
    weight: reader.uint16(),
    port: reader.uint16(),
    target: reader.name(),
  }),
  257: readCaa,
};

function readRecord(reader: Reader): ResourceRecord {
  const owner = reader.name();
  const [type, recordClass, ttl] = [reader.uint16(), reader.uint16(), reader.uint32()];
  const length = reader.uint16();
  const end = reader.offset + length;
  const read = recordClass === CLASS_IN ? READERS[type] : undefined;
  if (!read) {
    reader.bytes(length);
    return { owner, ttl, data: undefined };
  }
  const data = read(reader, end);
  if (reader.offset !== end) throw new MalformedMessage("the length of a record is wrong");
  return { owner, ttl, data };
}

/** Reads a message with its answers. */
export function readMessage(message: Buffer) {
  const reader = new Reader(message);
  const [id, flags] = [reader.uint16(), reader.uint16()];
  const [questions, answers] = [reader.uint16(), reader.uint16()];
  reader.offset = HEADER_OCTETS;
  for (let left = questions; left > 0; left--) {
    reader.name();
    reader.bytes(4);
  }
  return {
    id,
    isResponse: (flags & 0x8000) !== 0,
    isTruncated: (flags & 0x0200) !== 0,
    code: flags & 0x000f,
    answers: Array.from({ length: answers }, () => readRecord(reader)),
  };
}

/** A question to a nameserver. */
export interface Query {
  readonly id: number;
  readonly opcode: number;
  readonly wantsRecursion: boolean;
  readonly name: Name;
  readonly type: number;
  readonly class: number;
  /** The question as it was sent. */
  readonly question: Buffer;
  /** The largest answer over UDP, if the client knows EDNS (RFC 6891). */
  readonly ednsSize?: number;
}

/** Reads a message with one question. */
export function readQuery(message: Buffer): Query {
  const reader = new Reader(message);
  const [id = 0, flags = 0, questions, answers, authorities, additional = 0] = Array.from({ length: 6 }, () =>
    reader.uint16(),
  );
  if ((flags & 0x8000) !== 0) throw new MalformedMessage("it is an answer");
  if (questions !== 1 || answers !== 0 || authorities !== 0)
    throw new MalformedMessage("it is not one question");
  const name = reader.name();
  const [type, recordClass] = [reader.uint16(), reader.uint16()];
  const question = message.subarray(HEADER_OCTETS, reader.offset);
  let edns: number | undefined;
  for (let left = additional; left > 0; left--) {
    reader.name();
    const [extraType, size] = [reader.uint16(), reader.uint16()];
    reader.bytes(4);
    reader.bytes(reader.uint16());
    if (extraType === TYPE_OPT) edns = size;
  }
  return {
    ...{ id, opcode: (flags >> 11) & 15, wantsRecursion: (flags & 0x0100) !== 0 },
    ...{ name, type, class: recordClass, question },
    ...(edns !== undefined && { ednsSize: edns }),
  };
}

/** The whole messages at the start of what a TCP connection has sent, and the rest. Each begins with its length. */
export function framed(sent: Buffer): { readonly messages: readonly Buffer[]; readonly rest: Buffer } {
  const messages: Buffer[] = [];
  let rest = sent;
  while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE()) {
    const end = 2 + rest.readUInt16BE();
    messages.push(rest.subarray(2, end));
    rest = rest.subarray(end);
  }
  return { messages, rest };
}

/** The question for a whole zone. It begins with its length, as TCP requires (RFC 5936, 2.1). */
export function transferQuestion(id: number, zone: Name): Buffer {
  const message = Buffer.from([
    ...[0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...nameOctets(zone)],
    ...[0, TYPE_AXFR, 0, CLASS_IN],
  ]);
  message.writeUInt16BE(id, 0);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
