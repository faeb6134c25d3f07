import { RECORD_TTLS } from "../../api/records";
import { type Store } from "../kind";
import { type RecordEntity, type RecordFields, record } from "../kinds/record";

/** How many records a domain can have. */
export const MAX_RECORDS = 12_000;

/** What a record shows in the fields that it was not given. */
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

/** The nearest time to live that the service keeps. */
export function nearestTtl(seconds: number): number {
  return RECORD_TTLS.reduce((best, ttl) => (Math.abs(ttl - seconds) < Math.abs(best - seconds) ? ttl : best));
}

/** Adds a record to a domain under an id of its own. */
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
