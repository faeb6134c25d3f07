import { type z } from "zod";
import {
  MAX_RECORDS,
  RECORD_TYPE_FIELDS,
  type domainRecordUpdate,
  records,
  TYPES_WITHOUT_PERIOD,
  roundedTtl,
} from "../../api/records";
import { addRecord } from "../zones/records";
import { byId, endpoints } from "../operations/endpoint";
import { type Store } from "../kind/kind";
import { domain } from "../kinds/domain";
import { record } from "../kinds/record";
import { type Reason, notFound, reasonsIf, refuse } from "../base/refusal";
import { shownAs } from "../store/table";
import { withoutUndefined } from "../operations/values";

type Sent = z.output<typeof domainRecordUpdate>;
type TypeField = keyof typeof RECORD_TYPE_FIELDS;

const includes = (types: readonly string[], type: string): boolean => types.includes(type);

/** The fields of a creation that are not sent. An update keeps them. */
const UNSENT = { priority: null, weight: null, port: null, tag: null } satisfies Record<TypeField, null>;

/** The reasons to refuse the fields of a record of this type. */
function misfits(
  type: string,
  sent: Pick<Sent, "target"> & { readonly [field in TypeField]?: unknown },
): Reason[] {
  const ofType = (["priority", "weight", "port", "tag"] as const).flatMap((field) => {
    const { valid, required } = RECORD_TYPE_FIELDS[field];
    const value = sent[field];
    return reasonsIf(
      [
        value != null && !includes(valid, type),
        field,
        `is valid only for records of type ${valid.join(" and ")}`,
      ],
      [value === null && includes(required, type), field, `is required for a record of type ${type}`],
    );
  });
  const hasPeriod = TYPES_WITHOUT_PERIOD.includes(type) && sent.target?.endsWith(".") === true;
  return [
    ...ofType,
    ...reasonsIf([hasPeriod, "target", `of a record of type ${type} takes no trailing period`]),
  ];
}

function kept(sent: Sent) {
  return withoutUndefined({
    ...sent,
    ttl_sec: sent.ttl_sec === undefined ? undefined : roundedTtl(sent.ttl_sec),
  });
}

function recordEndpoints(store: Store) {
  const { clock } = store;
  const table = store.table(record);

  function find(domainId: number, recordId: number) {
    const found = table.get(recordId);
    if (found?.parent !== domainId) throw notFound();
    return found;
  }

  return endpoints(
    records,
    byId(store.table(domain)),
    {
      list: ({ subject }) => shownAs(table.of(subject.id), ({ fields }) => fields),
      create({ subject, body: { type, ...sent } }) {
        if (table.count(subject.id) >= MAX_RECORDS) {
          throw refuse(400, `A domain can have up to ${MAX_RECORDS} active records.`);
        }
        return addRecord(store, subject.id, { ...kept(sent), type }).fields;
      },
      get: ({ subject, params }) => find(subject.id, params.recordId).fields,
      update({ subject, params, body }) {
        const found = find(subject.id, params.recordId);
        table.change(found, { ...kept(body), updated: clock.date() });
        return found.fields;
      },
      delete({ subject, params }) {
        table.remove(find(subject.id, params.recordId).id);
        return {};
      },
    },
    {
      create: ({ body: { type, ...sent } }) =>
        type === undefined ? [] : misfits(type, { ...UNSENT, ...sent }),
      update: ({ subject, params, body }) => misfits(find(subject.id, params.recordId).fields.type, body),
    },
  );
}

export const routes = { records: recordEndpoints };
