import { type ObjectKind, onlyFields, type ShapedBy } from "../kind/kind";
import { text, whole } from "../kind/field-types";

const fields = { id: whole, label: text, ssh_key: text, created: text };

export const sshKey: ObjectKind<ShapedBy<typeof fields>> = {
  ...onlyFields,
  stored: "sshKeys",
  fields,
  name: { column: "label", of: ({ label }) => label },
  collections: {
    sshKeys: {
      place: 90,
      title: "SSH keys",
      one: "SSH key",
      many: "SSH keys",
      columns: ["ssh_key", "created"],
      path: "/profile/sshkeys",
      example: { body: { label: "laptop", ssh_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB" } },
    },
  },
};
