import { cached } from "../../api/cached";
import { type ObjectKind, type Store } from "../kind/kind";
import { domain as domainKind } from "../kinds/domain";
import { record as recordKind } from "../kinds/record";
import { type Rendered, type ZoneDomain, type ZoneRecord } from "./zone";

/** A year. */
export const MAX_DELAY_SECONDS = 31_536_000;

/** Throws if a delay is invalid. */
export function checkDelay(seconds: number): void {
  if (seconds >= 0 && seconds <= MAX_DELAY_SECONDS) return;
  throw new Error(`zoneDelaySeconds must be a number from 0 to ${MAX_DELAY_SECONDS}, not ${seconds}`);
}

/** A domain or a record as a change left it, or nothing if it is gone. */
interface Change {
  /** The emulated time of the change. */
  readonly at: number;
  readonly isDomain: boolean;
  readonly id: number;
  readonly left?: { readonly parent: number; readonly fields: ZoneDomain | ZoneRecord };
}

interface Zone {
  domain: ZoneDomain;
  readonly records: Map<number, ZoneRecord>;
}

/**
 * The zones as they were rendered last. A change shows in its zone after a delay of the emulated clock. Without a delay,
 * the zones are the stored objects.
 */
export class RenderedZones {
  /** Changes with each change of a zone. */
  version = 0;
  #delaySeconds = 0;
  #delayAtStart = 0;
  #zones: Map<number, Zone> | undefined;
  #waiting: Change[] = [];

  constructor(private readonly store: Store) {
    store.watch({
      changed: (kind, id) => {
        this.#notice(kind, id);
      },
      cleared: () => {
        this.#forget();
      },
    });
  }

  get delaySeconds(): number {
    return this.#delaySeconds;
  }

  /** How many changes are not rendered yet. */
  get waiting(): number {
    this.#render();
    return this.#waiting.length;
  }

  /** Renders all zones, and sets the delay that a reset returns to. */
  start(delaySeconds: number): void {
    this.#delayAtStart = delaySeconds;
    this.setDelay(delaySeconds);
  }

  /** Sets the delay, also for the changes that wait. */
  setDelay(seconds: number): void {
    this.#render();
    this.#delaySeconds = seconds;
    if (seconds > 0) this.#zones ??= this.#stored();
    this.#render();
  }

  reset(): void {
    this.#forget();
    this.setDelay(this.#delayAtStart);
  }

  of(domainId: number): Rendered | undefined {
    this.#render();
    if (!this.#zones) return this.#live(domainId);
    const zone = this.#zones.get(domainId);
    return zone && { domain: zone.domain, records: [...zone.records.values()] };
  }

  /** All domains that have a zone or could have one. */
  domains(): readonly ZoneDomain[] {
    this.#render();
    if (this.#zones) return [...this.#zones.values()].map(({ domain }) => domain);
    return this.store
      .table(domainKind)
      .all()
      .map(({ fields }) => fields);
  }

  #live(domainId: number): Rendered | undefined {
    const domain = this.store.table(domainKind).get(domainId)?.fields;
    const records = this.store.table(recordKind).of(domainId);
    return domain && { domain, records: records.map(({ fields }) => fields) };
  }

  /** Copies of all stored domains and records, because a change changes the stored object. */
  #stored(): Map<number, Zone> {
    const records = this.store.table(recordKind);
    return new Map(
      this.store
        .table(domainKind)
        .all()
        .map(({ id, fields }) => {
          const own = records.of(id).map((record): [number, ZoneRecord] => [record.id, { ...record.fields }]);
          return [id, { domain: { ...fields }, records: new Map(own) }];
        }),
    );
  }

  #forget(): void {
    this.version += 1;
    this.#waiting = [];
    if (this.#zones) this.#zones = this.#stored();
  }

  #notice(kind: ObjectKind, id: number): void {
    const isDomain = kind.stored === domainKind.stored;
    if (!isDomain && kind.stored !== recordKind.stored) return;
    if (!this.#zones) {
      this.version += 1;
      return;
    }
    const table = isDomain ? this.store.table(domainKind) : this.store.table(recordKind);
    const entity = table.stored.get(id);
    const left = entity && { parent: entity.parent, fields: { ...entity.fields } };
    this.#waiting.push({ at: this.store.clock.now(), isDomain, id, ...(left && { left }) });
  }

  /** Makes the changes whose delay is over. */
  #render(): void {
    if (!this.#zones) return;
    const last = this.store.clock.now() - this.#delaySeconds * 1000;
    const later = this.#waiting.findIndex(({ at }) => at > last);
    const due = this.#waiting.splice(0, later === -1 ? this.#waiting.length : later);
    for (const change of due) renderChange(this.#zones, change);
    if (due.length > 0) this.version += 1;
    if (this.#delaySeconds === 0 && this.#waiting.length === 0) this.#zones = undefined;
  }
}

function renderChange(zones: Map<number, Zone>, { isDomain, id, left }: Change): void {
  if (!left) {
    if (isDomain) zones.delete(id);
    else for (const { records } of zones.values()) if (records.delete(id)) break;
  } else if (isDomain) {
    const domain = left.fields as ZoneDomain;
    const known = zones.get(id);
    if (known) known.domain = domain;
    else zones.set(id, { domain, records: new Map() });
  } else zones.get(left.parent)?.records.set(id, left.fields as ZoneRecord);
}

const ofStores = new WeakMap<Store, RenderedZones>();

/** The rendered zones of an emulator. */
export const zonesOf = (store: Store): RenderedZones =>
  cached(ofStores, store, () => new RenderedZones(store));
