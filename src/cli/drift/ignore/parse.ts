import { type Document, LineCounter, type Node, isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import { printableLine } from "../../../api/text";
import { hintFor } from "../../../provider/base/nearest-name";
import { outlines } from "../../../sdk/outlines";
import { type CliError, invalidRules } from "../../errors";

/** An entry of the ignore file. It hides the unmanaged objects for which all of its conditions hold. */
export interface IgnoreEntry {
  /** Where it is: `.nodecloudignore:7:3`. */
  readonly place: string;
  /** Absent: every kind. */
  readonly kinds?: readonly string[] | undefined;
  readonly id?: string | undefined;
  readonly label?: string | undefined;
  /** Each of them must match a tag of the object. */
  readonly tags?: readonly string[] | undefined;
  readonly reason: string;
  /** The last day on which it hides: `2027-01-31`. */
  readonly until?: string | undefined;
}

const KEYS = ["kind", "id", "label", "tags", "reason", "until"];
const ANY_KIND = "*";
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the text of an ignore file. The first mistake is an error with its line and column. */
export function parseIgnoreFile(text: string, file: string): IgnoreEntry[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const reader = new Reader(document, lines, file);
  const [problem] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (problem) throw reader.error(problem.pos[0], `is not valid YAML: ${problem.message}`);
  return reader.entries();
}

class Reader {
  constructor(
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
    private readonly file: string,
  ) {}

  entries(): IgnoreEntry[] {
    const root = this.document.contents;
    if (root === null || (isScalar(root) && root.value === null)) return [];
    const items = this.items(root);
    if (items === undefined) throw this.error(root, "must be a list of entries: `- kind: Node`");
    return items.map((item) => this.entry(item));
  }

  error(at: Node | number, message: string): CliError {
    return invalidRules(`${this.placeOf(at)}: ${printableLine(message)}`);
  }

  private unknown(at: Node, noun: string, name: string, known: readonly string[]): CliError {
    return this.error(at, `unknown ${noun} ${JSON.stringify(name)}; ${hintFor(name, known, `${noun}s`)}`);
  }

  private placeOf(at: Node | number): string {
    const { line, col } = this.lines.linePos(typeof at === "number" ? at : (at.range?.[0] ?? 0));
    return `${this.file}:${line}:${col}`;
  }

  private entry(node: Node): IgnoreEntry {
    const { kind, id, label, tags, reason, until } = this.fields(node);
    if ((kind ?? id ?? label ?? tags) === undefined)
      throw this.error(node, "an entry needs at least one of kind, id, label and tags");
    if (reason === undefined) throw this.error(node, "an entry needs a reason");
    const kinds = kind && this.texts(kind, "kind").map((one) => this.kind(...one));
    return {
      place: this.placeOf(node),
      kinds: kinds?.includes(ANY_KIND) === true ? undefined : kinds,
      id: id && this.text(id, "id"),
      label: label && this.text(label, "label"),
      tags: tags && this.texts(tags, "tags").map(([tag]) => tag),
      reason: printableLine(this.text(reason, "reason")),
      until: until && this.date(until),
    };
  }

  /** The keys of an entry with their values. */
  private fields(node: Node): Readonly<Record<string, Node>> {
    if (!isMap<Node, Node | null>(node))
      throw this.error(node, "must be an entry with kind, id, label or tags");
    return Object.fromEntries(
      node.items.map(({ key, value }) => {
        const name = this.text(key, "the key");
        if (!KEYS.includes(name)) throw this.unknown(key, "key", name, KEYS);
        if (value === null) throw this.error(key, `${name} has no value`);
        return [name, this.resolved(value)];
      }),
    );
  }

  private kind(kind: string, node: Node): string {
    const kinds = Object.keys(outlines);
    if (kind === ANY_KIND || kinds.includes(kind)) return kind;
    throw this.unknown(node, "kind", kind, kinds);
  }

  private date(node: Node): string {
    const text = this.text(node, "until");
    const date = new Date(`${text}T00:00:00Z`);
    // `Date` reads 2027-02-30 as a day in March.
    if (!DATE.test(text) || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text)
      throw this.error(node, `until must be a date such as 2027-01-31, not ${JSON.stringify(text)}`);
    return text;
  }

  /** One text or a list of texts. */
  private texts(node: Node, key: string): [string, Node][] {
    const items = this.items(node);
    if (items?.length === 0) throw this.error(node, `${key} must not be an empty list`);
    return (items ?? [node]).map((item) => [this.text(item, key), item]);
  }

  private items(node: Node): Node[] | undefined {
    return isSeq<Node>(node) ? node.items.map((item) => this.resolved(item)) : undefined;
  }

  /** A text as it is written, so that `id: 0123` keeps its zero. */
  private text(node: Node, key: string): string {
    const value = isScalar(node) && node.value !== null ? (node.source ?? String(node.value)) : "";
    if (value.trim() === "") throw this.error(node, `${key} must be a text that is not empty`);
    return value;
  }

  private resolved(node: Node): Node {
    return isAlias(node) ? (node.resolve(this.document) ?? node) : node;
  }
}
