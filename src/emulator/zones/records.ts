import { type Store } from "../kind/kind";
import { type RecordEntity, type RecordFields, record } from "../kinds/record";
import { emptyFields } from "../kind/field-types";

/** Adds a record with a new id to a domain. */
export function addRecord(
  store: Store,
  domainId: number,
  given: Partial<RecordFields> & Pick<RecordFields, "type">,
): RecordEntity {
  const created = store.clock.date();
  const id = store.nextId();
  const empty = { ...emptyFields(record.fields), name: "", target: "" };
  const fields: RecordFields = { ...empty, ...given, id, created, updated: created };
  return store.table(record).insert(id, fields, {}, domainId);
}
