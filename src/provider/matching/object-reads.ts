import { ObjectPool } from "./object-pool";
import { type Description, type Ref } from "../describe/define-resource";
import { parentNameOf } from "../describe/fields";
import { type Properties } from "../base/values";
import { everyOf } from "../run/account-reads";
import { cached } from "../../api/cached";
import { type Ports } from "../run/session";
import { type Reads, type Source } from "../run/traffic";
import { unlessMissing } from "../run/unless-missing";

/** Reads the objects of one kind, and their parents. */
export class ObjectReads {
  readonly #byParent = new Map<string, Reads<Properties>>();
  readonly #existing = new Map<string, Promise<ObjectPool>>();
  readonly #pools = new Map<readonly unknown[], ObjectPool>();
  #parent: Reads<Properties> | undefined;

  constructor(
    private readonly ports: Pick<Ports, "account" | "screen">,
    private readonly description: Description,
  ) {}

  get account() {
    return this.ports.account;
  }

  /** Reads an object as it is now. Undefined if it does not exist. */
  now({ parent, id }: Ref): Promise<Properties | undefined> {
    return this.below(parent).now(id);
  }

  /** Reads an object as it was at most some seconds ago, and after the last write of this process. */
  lately({ parent, id }: Ref): Promise<Properties | undefined> {
    return this.below(parent).lately(id);
  }

  /** Lists the objects as they are now. */
  async all(parent: string): Promise<Properties[]> {
    const { account, description } = this;
    const found = new Map<string, Properties>();
    // An object that moves between pages is listed twice.
    for await (const item of description.list?.(account.client, parent) ?? [])
      found.set(description.idOf(item), item);
    return [...found.values()];
  }

  /** The objects that exist now. */
  async nowThere(parent: string): Promise<ObjectPool> {
    return new ObjectPool(this.description, await this.all(parent));
  }

  /** The objects that existed before this process created its first one. */
  existing(parent: string): Promise<ObjectPool> {
    const { account, description } = this;
    return cached(this.#existing, parent, async () => {
      try {
        // The validation may have read them, before anything was created.
        const known = await account.reads.known(this.#every(parent));
        if (known !== undefined) return new ObjectPool(description, known as Properties[]);
        return new ObjectPool(description, await this.all(parent));
      } catch (error) {
        this.#existing.delete(parent);
        throw error;
      }
    });
  }

  /** The objects that existed when this process first listed them, for a preview. Undefined if the service has no list. */
  async listed(parent: string): Promise<ObjectPool | undefined> {
    const { account, description } = this;
    const { list } = description;
    if (list === undefined) return undefined;
    const items = await account.reads.all(this.#every(parent), (client, options) =>
      list.call(description, client, parent, options),
    );
    return cached(this.#pools, items, () => new ObjectPool(description, items));
  }

  /** The same, without a request: undefined if this process has not listed them. */
  async alreadyListed(parent: string): Promise<readonly Properties[] | undefined> {
    return (await this.account.reads.known(this.#every(parent))) as readonly Properties[] | undefined;
  }

  /** Lists the objects as they are now, for a preview. Undefined if the service has no list. `what` names the list. */
  async seen(parent: string, what: string): Promise<readonly Properties[] | undefined> {
    const { account, description } = this;
    const { list } = description;
    if (list === undefined) return undefined;
    return account.reads.now(what, (client, options) => list.call(description, client, parent, options));
  }

  /** The parent of the objects, for a preview. Null if it does not exist. Undefined if the kind has none. */
  async parentSeen(id: string): Promise<Properties | null | undefined> {
    const { account, description } = this;
    const { parent, id: own } = description;
    if (parent === undefined) return undefined;
    const name = parentNameOf(own.parent ?? "");
    const items = await account.reads.all(everyOf(own.parentType ?? name), (client, options) =>
      parent.list(client, options),
    );
    const found = items.find((item) => String(item["id"]) === id);
    return found ?? account.reads.one(`the ${name} ${id}`, (client) => parent.read(client, id));
  }

  /** Reads one page of a list, for a preview that has read nothing of the account yet. */
  async accountSeen(): Promise<void> {
    const { account, description } = this;
    if (account.reads.isSeen) return;
    const { parent } = description;
    await account.reads.all("the account", async function* (client, options) {
      for await (const item of parent?.list(client, options) ??
        description.list?.(client, "", options) ??
        []) {
        yield item;
        return;
      }
    });
  }

  #every(parent: string): string {
    const { type, id } = this.description;
    return everyOf(type, id.parent === undefined ? undefined : { name: parentNameOf(id.parent), id: parent });
  }

  /** The reads of the objects under a parent, by their ids. */
  below(parent: string | undefined): Reads<Properties> {
    const { account, description } = this;
    const { list } = description;
    return cached(this.#byParent, parent ?? "", () =>
      this.#reads({
        one: (id) => description.read(account.client, parent === undefined ? { id } : { parent, id }),
        idOf: (item) => description.idOf(item),
        ...(list === undefined ? {} : { all: () => list.call(description, account.client, parent ?? "") }),
      }),
    );
  }

  /** The reads of the parents, by their ids. */
  get parents(): Reads<Properties> {
    const { account, description } = this;
    const { parent } = description;
    if (parent === undefined) throw new TypeError(`a ${description.type} has no parent`);
    return (this.#parent ??= this.#reads({
      one: (id) => parent.read(account.client, id),
      idOf: ({ id }) => String(id),
      all: () => parent.list(account.client),
    }));
  }

  #reads({ all, ...source }: Source<Properties>): Reads<Properties> {
    const {
      screen: { rows },
      account: { traffic },
    } = this.ports;
    return traffic.reads({
      ...source,
      one: (id) => rows.shared(() => unlessMissing(() => source.one(id))),
      ...(all === undefined ? {} : { all: () => rows.shared(all) }),
    });
  }
}
