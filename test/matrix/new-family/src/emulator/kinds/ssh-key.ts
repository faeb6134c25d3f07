import { type Kind, type ShapedBy } from "../kind";
import { text, whole } from "../store/field-types";

const fields = {
  id: whole,
  label: text,
  ssh_key: text,
  created: text,
};

export type SshKeyFields = ShapedBy<typeof fields>;

export const sshKey: Kind<SshKeyFields> = {
  stored: "sshKeys",
  fields,
  hidden: {},
  parent: null,
  transitions: {},
  statuses: {},
  secrets: [],
  privateInputs: [],
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
