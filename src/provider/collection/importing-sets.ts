import { EXCEPT_TAKEN, exceptImportedBy } from "../describe/effects";
import { calledIn } from "../describe/urn";
import { ownerOf } from "../kind/warnings";
import { ProviderError } from "../base/errors";
import { type ServedKind } from "../kind/kind";
import { leavesSomeOut } from "../engine/command-line";
import { pollUntil } from "../run/watch";
import { type Call, type Told, whoIs } from "../state/call";
import { type Properties } from "../base/values";
import { type AnyDescription, type CollectionDescription } from "../describe/define-collection";
import { type Held } from "../state/members";

/** How long a set waits for the checks of others. The engine checks what waits for nothing at once. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 100;

/** The new sets of the program that import members. Which ones they import is known only after their checks. */
export class ImportingSets {
  /** The scope that each covers, by its name in messages. */
  readonly #sets = new Map<string, Properties>();
  /** The ids of imports that name no object, by the names of their resources. */
  readonly #unread = new Map<string, string>();
  /** For each set the URNs of those below its parent for which it waits, its own among them if others wait for it: each may declare what another one gives up. */
  readonly #beside = new Map<string, ReadonlySet<string>>();

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

  /** Notes the sets for which a set waits. Programs in other languages than TypeScript tell of none. */
  expect(call: Call): void {
    if (call.beside !== undefined) this.#beside.set(whoIs(call), new Set(call.beside));
  }

  /** Whether the other sets below the same parent wait for a set. */
  isExpected(told: Told): boolean {
    return this.#beside.get(whoIs(told))?.has(whoIs(told)) === true;
  }

  /** Whether the engine may come to sets that have not claimed yet what this one gives up. */
  areOthersOpen(told: Told): boolean {
    const { owners } = this.kind.run;
    const mayClaim = (urn: string) =>
      urn !== whoIs(told) && !this.#sets.has(calledIn({ urn })) && !owners.hasCome(urn);
    return [...(this.#beside.get(whoIs(told)) ?? [])].some(mayClaim) && !leavesSomeOut();
  }

  /** Notes that the engine has checked and compared a set, which has claimed what it takes over. */
  comes(told: Told): void {
    if (this.isExpected(told)) this.kind.run.owners.comes({ name: whoIs(told) });
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
