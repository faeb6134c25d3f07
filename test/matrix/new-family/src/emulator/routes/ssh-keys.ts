import { sshKeys } from "../../api/ssh-keys";
import { type Store } from "../kind";
import { sshKey } from "../kinds/ssh-key";
import { byId, endpoints } from "../operations/endpoint";
import { given } from "../operations/values";
import { shownAs } from "../store/table";

function sshKeyEndpoints(store: Store) {
  const table = store.table(sshKey);
  return endpoints(sshKeys, byId(table), {
    list: () => shownAs(table.all(), ({ fields }) => fields),
    create({ body }) {
      const id = store.nextId();
      return table.insert(id, { id, ...body, created: store.clock.date() }, {}).fields;
    },
    get: ({ subject }) => subject.fields,
    update({ subject, body }) {
      table.change(subject, given(body));
      return subject.fields;
    },
    delete({ subject }) {
      table.remove(subject.id);
      return {};
    },
  });
}

export const routes = { sshKeys: sshKeyEndpoints };
