import { type ObjectKind, type Store } from "../kind/kind";
import { type Empty, emptyFields } from "../kind/field-types";
import { type Entity, shownAs } from "../store/table";
import { withoutUndefined } from "./values";

/** The fields that the emulator sets itself. */
type Own = "id" | "created" | "updated";

/** Fields of a body. Those that no other value can take the place of are required. */
type Sent<Fields extends object> = Omit<Fields, Own | keyof Empty<Fields>> & Changes<Fields>;
type Changes<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined };

/** The behaviour of a plain family: an object has the fields that requests give it, and other rules do not exist. */
export function defaultHandlers<Fields extends { readonly id: number }>(
  store: Store,
  kind: ObjectKind<Fields>,
) {
  const table = store.table(kind);
  const moment = (...names: readonly ("created" | "updated")[]) =>
    Object.fromEntries(
      names.filter((name) => name in kind.fields).map((name) => [name, store.clock.date()]),
    ) as Partial<Fields>;
  return {
    list: () => shownAs(table.all(), ({ fields }) => fields),
    create({ body }: { body: Sent<Fields> }): Fields {
      const id = store.nextId();
      const fields = {
        ...emptyFields(kind.fields),
        ...withoutUndefined(body),
        id,
        ...moment("created", "updated"),
      };
      // The type of the body leaves no other field out.
      return table.insert(id, fields as unknown as Fields, {}).fields;
    },
    get: ({ subject }: { subject: Entity<Fields> }) => subject.fields,
    update({ subject, body }: { subject: Entity<Fields>; body: Changes<Fields> }): Fields {
      table.change(subject, { ...withoutUndefined(body), ...moment("updated") } as Partial<Fields>);
      return subject.fields;
    },
    delete({ subject }: { subject: Entity<Fields> }) {
      table.remove(subject.id);
      return {};
    },
  };
}
