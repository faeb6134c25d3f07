import { RECORD_TTLS } from "../../api/records";
import { type Store } from "../kind";
import { type RecordEntity, type RecordFields, record } from "../kinds/record";

/** The values of fields that a request omits. */
const EMPTY_RECORD = {
  name: "",
  target: "",
  priority: 0,
  weight: 0,
  port: 0,
  service: null,
  protocol: null,
  tag: null,
  ttl_sec: 0,
} satisfies Partial<RecordFields>;

/** The nearest time to live that the service supports. */
export function nearestTtl(seconds: number): number {
  return RECORD_TTLS.reduce((best, ttl) => (Math.abs(ttl - seconds) < Math.abs(best - seconds) ? ttl : best));
}

/** Adds a record with a new id to a domain. */
export function addRecord(
  store: Store,
  domainId: number,
  given: Partial<RecordFields> & Pick<RecordFields, "type">,
): RecordEntity {
  const created = store.clock.date();
  const id = store.nextId();
  const fields = { ...EMPTY_RECORD, ...given, id, created, updated: created };
  return store.table(record).insert(id, fields, {}, domainId);
}
