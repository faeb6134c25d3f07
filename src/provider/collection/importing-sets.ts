import { EXCEPT_TAKEN, exceptImportedBy } from "../describe/effects";
import { ownerOf } from "../kind/warnings";
import { ProviderError } from "../base/errors";
import { type ServedKind } from "../kind/kind";
import { leavesSomeOut } from "../engine/command-line";
import { pollUntil } from "../run/watch";
import { type Call } from "../state/call";
import { type Properties } from "../base/values";
import { type AnyDescription, type CollectionDescription } from "../describe/define-collection";
import { type Held } from "../state/members";
import { type Owner } from "../notes/owner";

/** How long a set waits for the checks of others. The engine checks what waits for nothing at once. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 100;

/** The new sets of the program that import members. Which ones they import is known only after their checks. */
export class ImportingSets {
  /** The scope that each covers, by its name in messages. */
  readonly #sets = new Map<string, Properties>();
  /** The ids of imports that name no object, by the names of their resources. */
  readonly #unread = new Map<string, string>();
  /** The sets of the program for which others below the same parent wait: each may declare what they give up. */
  readonly #beside = new Set<string>();

  constructor(
    private readonly kind: ServedKind,
    private readonly description: CollectionDescription,
  ) {}

  announce(id: string, name: string): void {
    const scope = this.description.fromId(id);
    if (scope === undefined) this.misreads(this.description, id, name);
    else this.#sets.set(`${this.description.type} ${name}`, scope);
  }

  /** Notes an import whose id has another form: it is not known which members it means. */
  misreads({ type, id: { form } }: AnyDescription, id: string, name: string): void {
    this.#unread.set(
      `${type} ${name}`,
      `"${id}", which is not the id of a ${type} (it has the form ${form})`,
    );
  }

  /** Notes the names of sets to which the engine may come later. */
  expect(names: readonly string[]): void {
    for (const name of names) this.#beside.add(`${this.description.type} ${name}`);
  }

  /** Whether the other sets of the program wait for a set. Programs in other languages than TypeScript tell of none. */
  isExpected({ name }: Owner): boolean {
    return this.#beside.has(name);
  }

  /** Whether the engine may come to sets that have not claimed yet what others give up. */
  areOthersOpen(call: Call): boolean {
    const { owners } = this.kind.run;
    const own = ownerOf(this.description, call).name;
    const mayClaim = (name: string) => name !== own && !this.#sets.has(name) && !owners.hasCome(name);
    return !leavesSomeOut() && [...this.#beside].some(mayClaim);
  }

  /** Notes that the engine has checked and compared a set, which has claimed what it takes over. */
  comes({ name }: Owner): void {
    if (this.#beside.size > 0) this.kind.run.owners.comes({ name });
  }

  /** Refuses deletions while it is not known what an import means. The engine fails it only beside them. */
  refuseUnread(attempt: string, deleted: readonly Held[]): void {
    const [unread] = this.#unread;
    if (unread === undefined || deleted.length === 0) return;
    const [name, what] = unread;
    const { property } = this.description;
    throw new ProviderError(
      `${attempt}: ${name} imports ${what}, so it is not known which ${property} it is to have, and nothing was deleted. Correct that id`,
      { code: "IMPORT_PENDING" },
    );
  }

  /** The sets that may still claim one of these members of a parent. */
  of(call: Call, members: readonly Held[]): readonly string[] {
    const { description } = this;
    const parentPath = description.item.id.parent ?? "";
    const { owners } = this.kind.run;
    const own = ownerOf(description, call).name;
    const mayClaim = ([name, scope]: [string, Properties]) =>
      name !== own &&
      scope[parentPath] === call.inputs[parentPath] &&
      !owners.hasCome(name) &&
      members.some((member) => description.covers(scope, member.inputs));
    return [...this.#sets].filter(mayClaim).map(([name]) => name);
  }

  /** Says who may still take over some members of a parent that are to be deleted. */
  exceptionsOf(call: Call, gone: readonly Held[]): readonly string[] {
    const taken = gone.length > 0 && this.areOthersOpen(call) ? [EXCEPT_TAKEN] : [];
    return [...this.of(call, gone).map(exceptImportedBy), ...taken];
  }

  /** Waits for other resources of the run. Returns whether they have come. */
  async until(isSettled: () => boolean): Promise<boolean> {
    if (isSettled()) return true;
    const row = `waits until another resource has imported its ${this.description.property}`;
    const looking = { until: this.kind.clock.now() + PATIENCE_MS, pauseMs: PAUSE_MS, row };
    return (await pollUntil(this.kind, looking, () => Promise.resolve(isSettled() || undefined))) === true;
  }

  /** Waits until other sets have claimed what they import or take over. Otherwise the members that one of them is about to import would be deleted. */
  async settle(call: Call, attempt: string, members: () => readonly Held[]): Promise<void> {
    if (this.#sets.size === 0 && this.#beside.size === 0) return;
    const { property } = this.description;
    const isSettled = () =>
      !(members().length > 0 && this.areOthersOpen(call)) && this.of(call, members()).length === 0;
    if (await this.until(isSettled)) return;
    const [name] = this.of(call, members());
    if (name === undefined) return;
    throw new ProviderError(
      `${attempt}: ${name} imports ${property} that this set covers, and the engine has not accepted it yet, so nothing was deleted. ` +
        `If ${name} waits for this set (dependsOn, parent, an input), remove that dependency. Otherwise run \`pulumi up\` again`,
      { code: "IMPORT_PENDING" },
    );
  }
}
